/* SPDX-License-Identifier: MIT */
/* Evaluation in quad precision: for classification, initial data and checks, where certainty counts and speed does not.
 */
#ifndef NH_MODEL_EVALUATE_H
#define NH_MODEL_EVALUATE_H

#include "expr/program.h"
#include "model/model.h"

/* Fields as functions 1 … count in quad precision, with the memory that they need. */
typedef struct nh_probe {
    nh_program *program;
    nh_quad *constants, *work;
} nh_probe; /* all zero is an empty one */

/* Lowers the fields; the graph must outlive only this call. Call nh_probe_parameters before the first run. */
nh_status nh_probe_new(nh_graph *g, const nh_field *fields, int count, int parameters, nh_probe *out, nh_error *error);
void nh_probe_free(nh_probe *p);
/* `parameters` may be NULL if there are none. */
void nh_probe_parameters(nh_probe *p, const nh_quad *parameters);
/* y = function(x), dense and row-major; x is by nh_space, NULL where a space is not used. */
void nh_probe_run(nh_probe *p, int function, const nh_quad *const x[NH_SPACES], nh_quad *y);

/* Values of `count` expressions without open indices. x[NH_PARAMETER] holds the parameters. */
nh_status nh_evaluate_quad(const nh_model *m, const nh_expr *list, int count, const nh_quad *const x[NH_SPACES],
                           nh_quad *out, nh_error *error);

bool nh_quad_finite(nh_quad x);
bool nh_quads_finite(const nh_quad *x, size_t count);

#endif
