/* SPDX-License-Identifier: MIT */
/** Errors, orders and work of methods over step sizes. */
#ifndef NONHOLO_MEASURE_H
#define NONHOLO_MEASURE_H

#include <nonholo/sim.h>

#ifdef __cplusplus
extern "C" {
#endif

/** One run. */
typedef struct nh_measurement {
    const char *method;      /**< in full */
    const char *backend;     /**< "tape" or "native" */
    double step;             /**< h */
    long long steps;         /**< done; fewer than planned if `status` is not NH_OK */
    double q_error, v_error; /**< largest error of a coordinate, of a velocity, at the end */
    double q_order, v_order; /**< log2 of the quotient with the row before; NaN in a method's first row */
    double energy_max_error, constraint_max;
    double seconds;
    nh_status status; /**< NH_CONVERGENCE, NH_VALUE: the run has failed; errors are NaN */
} nh_measurement;

typedef struct nh_measurements nh_measurements;

/** Runs each of the methods over the time of `steps` steps of the options, at their step size and at `halvings` halves
 * of it. Errors are those at the end, against the exact solution that the model declares, or else against a run of
 * high order in quad precision. NULL methods: that of the options, `count` is then not looked at. */
NH_API nh_status nh_measure(const nh_model *model, const nh_sim_options *options, const char *const *methods, int count,
                            long long steps, int halvings, nh_measurements **out, nh_error *error);
NH_API void nh_measurements_free(nh_measurements *list);

NH_API int nh_measurements_count(const nh_measurements *list);
/** By number from 0: a method's step sizes, then the next method's. */
NH_API const nh_measurement *nh_measurements_get(const nh_measurements *list, int number);
/** What the errors are against, and how good that is. */
NH_API const char *nh_measurements_reference(const nh_measurements *list);

typedef enum nh_measure_table {
    NH_TABLE_OF_ORDERS, /**< h, steps, errors, orders */
    NH_TABLE_OF_WORK    /**< method, h, steps, time, errors, energy, constraint */
} nh_measure_table;

/** A table for people, or JSON, which has everything. The caller frees *out with nh_text_release. */
NH_API nh_status nh_measurements_print(const nh_measurements *list, nh_measure_table table, nh_format format,
                                       char **out, nh_error *error);

#ifdef __cplusplus
}
#endif
#endif
