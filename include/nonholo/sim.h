/* SPDX-License-Identifier: MIT */
/** Simulations: a model, a method, a step, and the motion. */
#ifndef NONHOLO_SIM_H
#define NONHOLO_SIM_H

#include <nonholo/model.h>
#include <nonholo/report.h>

#ifdef __cplusplus
extern "C" {
#endif

/** One motion in progress. All memory is taken when it is made: stepping allocates nothing, but for steps of large
 * systems that need full Newton, whose factors KLU takes memory for. */
typedef struct nh_sim nh_sim;

typedef enum nh_backend_choice {
    NH_BACKEND_AUTO, /**< a cached native build at once; else the tape, and native when that will pay */
    NH_BACKEND_TAPE,
    NH_BACKEND_NATIVE
} nh_backend_choice;

typedef enum nh_precision { NH_PRECISION_DOUBLE, NH_PRECISION_QUAD } nh_precision;

/** Expressions are texts in the model language, so that 1/3 is exact in every precision; they may use pi, functions,
 * sizes and parameters of the model. */
typedef struct nh_sim_options {
    const char *method; /**< like "gauss(s=3)"; NULL: gauss(s=2), or lobatto-ab(s=3) for holonomic constraints */
    const char *step;   /**< expression; NULL: what the model says */
    const char *start;  /**< expression: the time of the initial data; NULL: 0 */
    long long divide;   /**< the step is divided by this whole number; 0: it is not */
    nh_backend_choice backend;
    nh_precision precision;
    long long audit; /**< energy and constraints are looked at every so many steps; 0: at the ends of calls only */
    int project;     /**< move inconsistent initial data onto the constraints instead of refusing them */
} nh_sim_options;

NH_API nh_sim_options nh_sim_options_default(void);

/** NH_USAGE: a method that does not fit the model, options that are not possible; NH_MODEL: initial data that violate
 * the constraints. The model must outlive the simulation. */
NH_API nh_status nh_sim_new(const nh_model *model, const nh_sim_options *options, nh_sim **out, nh_error *error);
NH_API void nh_sim_free(nh_sim *sim);

/** The number of steps from the start to a time (an expression; NULL: what the model says), rounded down. */
NH_API nh_status nh_sim_steps_until(const nh_sim *sim, const char *until, long long *steps, nh_error *error);

/** Called between steps; whatever it returns but 0 ends the run early. */
typedef int nh_observer(const nh_sim *sim, void *user);

/** Called some ten times a second during a run, between steps, and after the last: for progress, checkpoints, and to
 * end the run. NULL: none. */
NH_API void nh_sim_set_pulse(nh_sim *sim, nh_observer *pulse, void *user);

/** `steps` steps. The observer (NULL: none) is called before the first, after every `every` steps (0: never in between)
 * and after the last, also where a step has failed. NH_CONVERGENCE: that has happened, and the state is that of the
 * last good step. NH_VALUE: positions, velocities, energy or a constraint have become infinite or no numbers; the state
 * and the audit are those of the last step where all were finite. */
NH_API nh_status nh_sim_run(nh_sim *sim, long long steps, long long every, nh_observer *observer, void *user,
                            nh_error *error);

enum { NH_MARKS = 5 };
/** Writes all that the motion needs to go on to a file, which is there completely or not at all: every number of the
 * state, the low parts of sums, the starting polynomial, the audit. `mark` are numbers of the caller's, like the length
 * of its own file. May be called by the pulse. Where energy or a constraint of the present state is no number, which a
 * run may pass as long as nobody looks, it is an earlier state that is written, where all were finite. */
NH_API nh_status nh_sim_save(const nh_sim *sim, const char *path, const long long mark[NH_MARKS], nh_error *error);
/** Takes a new simulation of the same model, method, step and data to where the saved one was; backend and length of
 * the run may differ. The next nh_sim_run then goes on as the interrupted one would have: `steps` are those left,
 * `every` counts from where it counted, nothing is observed twice. The result is the same to the bit. NH_FILE: the file
 * cannot be read, or is of something else. */
NH_API nh_status nh_sim_resume(nh_sim *sim, const char *path, long long mark[NH_MARKS], nh_error *error);

/** What can be read of a state. */
typedef enum nh_sim_field {
    NH_SIM_TIME,         /**< 1 number */
    NH_SIM_POSITION,     /**< q */
    NH_SIM_VELOCITY,     /**< v */
    NH_SIM_MULTIPLIER,   /**< of the last stage of the last step; those of holonomic constraints follow */
    NH_SIM_ENERGY,       /**< 1 number */
    NH_SIM_CONSTRAINT,   /**< k(t,q,v), then g(t,q), then g_q v + g_t */
    NH_SIM_ENERGY_ERROR, /**< E - E(0), 1 number */
    NH_SIM_RESIDUAL,     /**< largest size of a constraint, 1 number */
    NH_SIM_OBSERVABLE,   /**< declared by the model */
    NH_SIM_INVARIANT,    /**< declared by the model */
    NH_SIM_MOMENTUM,     /**< of declared symmetries */
    NH_SIM_FIELDS
} nh_sim_field;

/** The number of components; 0 if there is no such field. */
NH_API int nh_sim_size(const nh_sim *sim, nh_sim_field field);
/** The name of a component, like "q[2]'"; belongs to the simulation. NULL: there is no such component. */
NH_API const char *nh_sim_name(const nh_sim *sim, nh_sim_field field, int component);
/** Copies the numbers of a field of the present state, rounded to double where they are quads. Multipliers before the
 * first step, and after a failure, are those of the continuous system; NaN where that is singular. */
NH_API void nh_sim_get(const nh_sim *sim, nh_sim_field field, double *values);
/** Writes one number so that it reads back exactly: up to 17 digits, 36 for quads; returns the length as snprintf does.
 * "nan" if there is no such component. */
NH_API int nh_sim_print(const nh_sim *sim, nh_sim_field field, int component, char *buffer, unsigned long size);
NH_API long long nh_sim_step_count(const nh_sim *sim);

/** What a run has kept, and what it cost. */
typedef struct nh_audit {
    long long steps, audited; /**< steps done; states looked at */
    double step, time;        /**< h; t */
    double energy_initial, energy_final;
    double energy_max_error;   /**< largest |E - E(0)| seen */
    double energy_drift;       /**< slope of E - E(0) against t, by least squares … */
    double energy_drift_error; /**< … and its standard error; both 0 for fewer than 3 states */
    double constraint_max;     /**< largest |k|, |g|, |g_q v + g_t| seen */
    double iterations_mean, iterations_max;
    long long newton_steps; /**< steps that took the second gear, full Newton */
    double seconds;         /**< the step loop alone, audit included */
    double build_seconds;   /**< making native code */
    const char *title;      /**< the name that the model gives itself */
    const char *method;     /**< in full, like "gauss(s=3)" */
    const char *backend;    /**< "tape" or "native" */
    const char *note;       /**< "" or why native code is not used although it was asked for */
    const char *precision;  /**< "double" or "quad" */
    double moved;           /**< how far `project` has moved the initial data, in the largest component */
    int reversible;         /**< v -> -v runs the motion backwards: nh_sim_reversal means something */
} nh_audit;

NH_API void nh_sim_audit(const nh_sim *sim, nh_audit *out);

/** The state and the audit as a table for people, or as JSON: numbers read back exactly, quads are strings. `reversal`
 * is what nh_sim_reversal has found, NULL: nothing. The caller frees *out with nh_text_release. */
NH_API nh_status nh_sim_report(const nh_sim *sim, nh_format format, const double *reversal, char **out,
                               nh_error *error);

/** From a fresh start goes `steps` steps, turns the velocities round, and goes as many steps at the same step size;
 * *defect is how far, in the largest component of q and v, it misses the initial data. */
NH_API nh_status nh_sim_reversal(const nh_model *model, const nh_sim_options *options, long long steps, double *defect,
                                 nh_error *error);

/** The methods (text or JSON): name, options, what it is, what it claims with its usual options, citation. `name` NULL:
 * all of them. One with options, as runs take it ("gauss(s=3)", "spark(file=my.txt)"): what it claims with these, and
 * what its coefficients satisfy. The caller frees *out with nh_text_release. NH_NAME: there is no such method. */
NH_API nh_status nh_method_list(const char *name, nh_format format, char **out, nh_error *error);
NH_API int nh_method_count(void);
/** By number from 0; NULL beyond the last. */
NH_API const char *nh_method_name(int number);

#ifdef __cplusplus
}
#endif
#endif
