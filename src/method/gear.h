/* SPDX-License-Identifier: MIT */
/* The second gear: all equations of a step at once, for one member (kernel/whole.h). It takes over where the first gear
 * does not converge, and it differentiates steps. */
#ifndef NH_METHOD_GEAR_H
#define NH_METHOD_GEAR_H

#include "expr/program.h"
#include "kernel/whole.h"
#include "method/method.h"
#include "model/model.h"

typedef struct nh_gear nh_gear;

/* How the matrix of all unknowns is stored and factored; the results differ in rounding. */
typedef enum nh_gear_matrix {
    NH_GEAR_MATRIX_CHOSEN, /* sparse where that is faster, and where there is KLU for it */
    NH_GEAR_MATRIX_DENSE,
    NH_GEAR_MATRIX_SPARSE /* in double precision only */
} nh_gear_matrix;

/* For the kernel's sizes and traits, in double or in quad; program: the kernel's functions. All must outlive it.
 * NH_LIMIT: there are too many unknowns for a dense matrix, and no other. */
nh_status nh_gear_new(const nh_model *m, const nh_choice *choice, const nh_kernel *kernel, const nh_program *program,
                      bool quad, nh_gear_matrix matrix, nh_gear **out, nh_error *error);
void nh_gear_free(nh_gear *gear);

/* One step; false: no convergence, and the member is as before. */
bool nh_gear_step(nh_gear *gear, void *member);
/* See nh_whole_derivative_1; `level`: of the step that keeps the values of the constraints, whatever they are. */
bool nh_gear_derivative(nh_gear *gear, const void *before, const void *after, bool level, void *rows);
int nh_gear_unknowns(const nh_gear *gear);
bool nh_gear_is_sparse(const nh_gear *gear);
/* Whether a step has failed for lack of memory, which a sparse matrix takes for its factors. */
bool nh_gear_lacks_memory(const nh_gear *gear);

#endif
