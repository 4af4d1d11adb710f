/* SPDX-License-Identifier: MIT */
/* Parameters, initial data, step and end as a model gives them. */
#ifndef NH_MODEL_INITIAL_H
#define NH_MODEL_INITIAL_H

#include "base/quad.h"
#include "model/model.h"

/* Evaluates the default parameters [parameters] and the initial values q [n], v [n], z [algebraic]; each of the arrays
 * may be NULL. v is 0 where the system has no velocities. A value that is not finite gives NH_VALUE with its name, and
 * all values are then still set. */
nh_status nh_model_initial(const nh_model *m, nh_quad *parameters, nh_quad *q, nh_quad *v, nh_quad *z, nh_error *error);
/* The same, rounded to double. */
nh_status nh_model_initial_double(const nh_model *m, double *parameters, double *q, double *v, double *z,
                                  nh_error *error);

/* A value in place of the model's own; the place counts parameters, then q, v, z. */
typedef struct nh_given {
    int place;
    nh_quad value;
} nh_given;

/* "m", "q[2]", "q[2]'" */
void nh_model_place_name(const nh_model *m, int place, nh_text *out);

/* Initial data as a function of what is given: made once, evaluated for many members. The model must outlive it. */
typedef struct nh_initial nh_initial;
nh_status nh_initial_new(const nh_model *m, nh_initial **out, nh_error *error);
void nh_initial_free(nh_initial *initial);
/* Evaluates parameters and initial values in the order of the model, where what is given replaces what the model says:
 * parameters, q, v, z, one after the other, valid until the next call. Not finite: as above. */
nh_status nh_initial_at(nh_initial *initial, const nh_given *given, int count, const nh_quad **values, nh_error *error);

/* The default parameters [parameters] alone; NH_VALUE if one of them is not finite. */
nh_status nh_model_parameters(const nh_model *m, nh_quad *parameters, nh_error *error);
/* What the statements `step` and `until` say; the flags tell which of them there are, the other values are 0. A value
 * that is not positive, or not finite, gives NH_VALUE. */
nh_status nh_model_step_and_until(const nh_model *m, nh_quad *step, bool *has_step, nh_quad *until, bool *has_until,
                                  nh_error *error);

#endif
