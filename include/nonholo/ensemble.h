/* SPDX-License-Identifier: MIT */
/** Ensembles: many motions of one model by one method, with statistics of all of them at output times.
 *
 * Every member is, bit for bit, the motion that nh_sim gives from the same data, whatever the number of threads, of
 * members at a time, and of other members. */
#ifndef NONHOLO_ENSEMBLE_H
#define NONHOLO_ENSEMBLE_H

#include <nonholo/sim.h>
#include <nonholo/table.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct nh_ensemble nh_ensemble;

/** What members are. A name is that of a parameter, a coordinate ("q[2]") or a velocity ("q[2]'"). Expressions may use
 * pi, functions, sizes, and parameters that are the same for all members; so may step, start and end. What the model
 * was loaded with in place of the file's value is the same for all.
 *
 * The members are all combinations of the rows of the table, the values of every list and grid, and the numbers of
 * draws; the table's row changes slowest, then the first list, …, the first grid, …, and the number of the draw
 * fastest. A member is what nh_model_load with these settings would give: parameters and initial values that are
 * expressions of others follow them.
 *
 * Initial data that violate the constraints are projected onto them in the kinetic-energy metric. */
typedef struct nh_ensemble_options {
    nh_sim_options sim;     /**< `project` does not matter */
    const nh_setting *list; /**< {"a", "1, 2, 5"} */
    int lists;
    const nh_setting *grid; /**< {"a", "0 : 1 : 11"}: 11 values from 0 to 1 */
    int grids;
    const char *const *draw; /**< "a = uniform(1, 2)", "q[1] = normal(0, 0.1)": of mean 0 and deviation 0.1;
                                "energy(3)": velocities of this energy. Their direction is uniform on the unit sphere,
                                in the kinetic-energy metric, of the velocities that the constraints allow at q; their
                                length follows from the energy. Where the potential exceeds it, all of the member is
                                drawn again. What is drawn is rounded to 17 digits at most. */
    int draws;
    const nh_table *table;   /**< a column for each name, a member for each row; NULL: none. Must outlive the call. */
    long long count;         /**< draws for each combination of the others; 0: 1 */
    unsigned long long seed; /**< a draw depends on it and on the number of the member, and on nothing else */
    int threads;             /**< 0: 1 */
    int at_a_time;           /**< members that a thread takes at once: 1, 4 or 8; 0: what is fastest */
} nh_ensemble_options;

NH_API nh_ensemble_options nh_ensemble_options_default(void);

/** Makes all members. A member that cannot start is one that has failed. NH_USAGE, NH_NAME, NH_SYNTAX: what is wrong
 * with the options. The model must outlive the ensemble. */
NH_API nh_status nh_ensemble_new(const nh_model *model, const nh_ensemble_options *options, nh_ensemble **out,
                                 nh_error *error);
NH_API void nh_ensemble_free(nh_ensemble *ensemble);

NH_API nh_status nh_ensemble_steps_until(const nh_ensemble *ensemble, const char *until, long long *steps,
                                         nh_error *error);

/** Called with a state of the ensemble; whatever it returns but 0 ends the run early. */
typedef int nh_ensemble_observer(nh_ensemble *ensemble, void *user);

/** Called some times a second, between steps: for progress, checkpoints, and to end the run, whose statistics then are
 * of where it was ended. NULL: none. */
NH_API void nh_ensemble_set_pulse(nh_ensemble *ensemble, nh_ensemble_observer *pulse, void *user);

/** Goes on to step `steps`, counted from the start. The observer is called at step 0, at every multiple of `every` (0:
 * never in between) and at the end, and finds the statistics of that step. `states`: it also finds all members there,
 * which costs some speed. Members that fail are left out from there on; the status is then still NH_OK. */
NH_API nh_status nh_ensemble_run(nh_ensemble *ensemble, long long steps, long long every, int states,
                                 nh_ensemble_observer *observer, void *user, nh_error *error);

enum { NH_QUANTILES = 5 };
/** Of the quantiles: 0.05, 0.25, 0.5, 0.75, 0.95. */
NH_API double nh_quantile_level(int number);

/** Over the members that have not failed, of one quantity at one time. Sums are in the order of members. Members of
 * which it is no number, like sqrt(x) where x < 0, are left out. */
typedef struct nh_statistics {
    long long count;       /**< of the members that are in the others */
    double mean, variance; /**< with count - 1 in the denominator: NaN for one member, as all are for none */
    double mean_square;    /**< of E - E(0) it is the mu of Jay (2009), 8.4 */
    double smallest, largest;
    double quantile[NH_QUANTILES]; /**< exact, linear between neighbours: x(1 + (count - 1) level) in order */
} nh_statistics;

/** Quantities: energy_error, constraint (largest residual), observables, invariants. Rounded to double from quads. NULL
 * of one that there is not. */
NH_API int nh_ensemble_quantities(const nh_ensemble *ensemble);
NH_API const char *nh_ensemble_quantity(const nh_ensemble *ensemble, int quantity);
/** In the observer: of the step that was reached; afterwards: of the last one. */
NH_API const nh_statistics *nh_ensemble_statistics(const nh_ensemble *ensemble, int quantity);
/** The values, [member], NaN for those that have failed. */
NH_API const double *nh_ensemble_values(const nh_ensemble *ensemble, int quantity);
/** Steps that have been made. */
NH_API long long nh_ensemble_steps(const nh_ensemble *ensemble);
/** Of the statistics. */
NH_API long long nh_ensemble_step(const nh_ensemble *ensemble);
NH_API double nh_ensemble_time(const nh_ensemble *ensemble);
/** The time of a step, for members that take the usual one. */
NH_API double nh_ensemble_time_of(const nh_ensemble *ensemble, long long step);

NH_API long long nh_ensemble_members(const nh_ensemble *ensemble);
/** A member as a simulation to be read, until the next call for this ensemble; its state is that of the ensemble, or
 * that of its last good step. NULL: there was no start. */
NH_API const nh_sim *nh_ensemble_member(nh_ensemble *ensemble, long long member);
/** Names, sizes, method and step of all members; the state is that of any of them. */
NH_API const nh_sim *nh_ensemble_reader(const nh_ensemble *ensemble);
/** The options of `nonholo run` that give this member, like "--set 'a=1.5'"; returns the length as snprintf does. */
NH_API int nh_ensemble_member_options(nh_ensemble *ensemble, long long member, char *buffer, unsigned long size);

typedef struct nh_failure {
    long long member, step; /**< steps that it has made */
    double time;
    char reason[512];
} nh_failure;

NH_API long long nh_ensemble_failures(const nh_ensemble *ensemble);
/** By number from 0, in the order of members. */
NH_API nh_status nh_ensemble_failure(nh_ensemble *ensemble, long long number, nh_failure *out, nh_error *error);

/** What the members have become, as a table for people or as JSON. The caller frees *out with nh_text_release. */
NH_API nh_status nh_ensemble_report(nh_ensemble *ensemble, nh_format format, char **out, nh_error *error);

/** As nh_sim_save and nh_sim_resume. Threads, members at a time and backend may change. */
NH_API nh_status nh_ensemble_save(const nh_ensemble *ensemble, const char *path, const long long mark[NH_MARKS],
                                  nh_error *error);
NH_API nh_status nh_ensemble_resume(nh_ensemble *ensemble, const char *path, long long mark[NH_MARKS], nh_error *error);

#ifdef __cplusplus
}
#endif
#endif
