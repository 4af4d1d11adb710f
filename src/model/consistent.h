/* SPDX-License-Identifier: MIT */
/* Consistent initial data: on the constraints g(t,q) = 0, k(t,q,v) = 0 and g_q v + g_t = 0. */
#ifndef NH_MODEL_CONSISTENT_H
#define NH_MODEL_CONSISTENT_H

#include "base/quad.h"
#include "model/model.h"

#include <stdbool.h>

/* The equation of a family that is violated most. Each is compared with what enters it, never with numbers of other
 * equations: its scale is 1 + Σ |∂k/∂x|·|x| over all data x, which are as large as their units make them. */
typedef struct nh_excess {
    double by, relative; /* |k|, and |k| divided by the scale: infinite where k is no number */
} nh_excess;

typedef struct nh_violation {
    nh_excess holonomic, velocity, hidden; /* of g, k, g_q v + g_t; of a DAE: g, -, g_y f + g_t; else -, -, n·∇H */
} nh_violation;

/* How far the data are from the constraints. v is z for a DAE, and not used for a Hamiltonian system. */
nh_status nh_violation_at(const nh_model *m, const nh_quad *parameters, nh_quad t, const nh_quad *q, const nh_quad *v,
                          nh_violation *out, nh_error *error);

/* Moves q onto g = 0, then v onto k = 0 and g_q v + g_t = 0, by Newton's method with increments that are shortest in
 * the kinetic-energy metric L_vv: v − M⁻¹Kᵀ(K M⁻¹Kᵀ)⁻¹k. Lagrangian systems only. NH_MODEL where that is not possible,
 * NH_LIMIT where the system is too large.
 */
nh_status nh_project(const nh_model *m, const nh_quad *parameters, nh_quad t, nh_quad *q, nh_quad *v, nh_error *error);

/* The same for many members of one Lagrangian model, which must outlive it. */
typedef struct nh_consistency nh_consistency;
nh_status nh_consistency_new(const nh_model *m, nh_consistency **out, nh_error *error);
void nh_consistency_free(nh_consistency *c);
/* To be called before the first of the others. */
void nh_consistency_parameters(nh_consistency *c, const nh_quad *parameters);
void nh_consistency_violation(nh_consistency *c, nh_quad t, const nh_quad *q, const nh_quad *v, nh_violation *out);
nh_status nh_consistency_project(nh_consistency *c, nh_quad t, nh_quad *q, nh_quad *v, nh_error *error);
/* NH_MODEL where the rows of K and g_q are not independent: then they do not tell where the motion goes. Large systems
 * are not looked at. */
nh_status nh_consistency_independent(nh_consistency *c, nh_quad t, const nh_quad *q, const nh_quad *v, nh_error *error);
/* Derives now what else the first projection would: after that the model is not touched. */
nh_status nh_consistency_prepare(nh_consistency *c, nh_error *error);
/* Is no equation violated by more than NH_CONSISTENT times its scale? What passes `nonholo check` runs. */
#define NH_CONSISTENT 1e-12
bool nh_violation_is_none(const nh_violation *is);
double nh_violation_worst(const nh_violation *is); /* relative */
/* The first family that is violated, in words, and by how much. */
const char *nh_violation_which(const nh_violation *is, double *by);

#endif
