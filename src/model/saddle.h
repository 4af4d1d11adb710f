/* SPDX-License-Identifier: MIT */
/* The saddle-point systems of projections onto constraints, [[M, Aᵀ], [A, 0]] with M = L_vv, and A = g_q for positions,
 * K and g_q for velocities: dense where they are small, else sparse, a constraint after its coordinates. */
#ifndef NH_MODEL_SADDLE_H
#define NH_MODEL_SADDLE_H

#include "base/quad.h"
#include "model/model.h"

enum { NH_SADDLE_DENSE = 200 }; /* unknowns of dense systems, as a rule */

typedef struct nh_saddle nh_saddle;

/* Systems of up to `dense` unknowns are dense. NH_LIMIT: there are too many entries. Once made it does not touch the
 * model. */
nh_status nh_saddle_new(const nh_model *m, int dense, nh_saddle **out, nh_error *error);
nh_status nh_saddle_too_large(nh_error *error); /* NH_LIMIT, as above */
void nh_saddle_free(nh_saddle *s);
/* To be called before the first of the others. */
void nh_saddle_parameters(nh_saddle *s, const nh_quad *parameters);

typedef enum nh_saddle_result { NH_SADDLE_SOLVED, NH_SADDLE_NOT_FINITE, NH_SADDLE_SINGULAR } nh_saddle_result;
/* b, for coordinates and then for the rows of A, becomes the solution of the system at x. */
nh_saddle_result nh_saddle_solve(nh_saddle *s, const nh_quad *const *x, bool velocities, nh_quad *b);
/* K and g_q, one after the other, rows of n numbers, to be overwritten; of dense systems only. */
nh_quad *nh_saddle_rows(nh_saddle *s, const nh_quad *const *x);

#endif
