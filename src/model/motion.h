/* SPDX-License-Identifier: MIT */
/* The equations of motion in quad precision, solved for the highest derivatives: the reference that checks, exact
 * solutions and invariants are compared with. Not meant for stepping.
 *
 * Lagrangian:   L_vv a − Kᵀλ − g_qᵀλ' = L_q + f + N(t,q,v,λ) − L_vt − L_vq v
 *               K a    = −k_q v − k_t
 *               g_q a  = −(v·∂_q + ∂_t)² g
 * DAE:          y' = f(t,y,z),   g_y f_z z' = −(f·∂_y + ∂_t)² g − g_y (f_y f + f_t)
 * Hamiltonian:  J z' = ∇H,       n·H_zz z' = 0 for all n in ker J
 *
 * (a is the derivative of v, λ' the multipliers of holonomic constraints, which follow λ; in the second line of a DAE
 * the operator acts on g alone, with f held fixed.) */
#ifndef NH_MODEL_MOTION_H
#define NH_MODEL_MOTION_H

#include "base/quad.h"
#include "model/model.h"

/* Owns its memory; one per thread. Does not refer to the model. */
typedef struct nh_motion nh_motion;

nh_status nh_motion_new(const nh_model *m, nh_motion **out, nh_error *error);
void nh_motion_free(nh_motion *s);
/* Parameters [parameters]; to be called before the first evaluation. */
void nh_motion_parameters(nh_motion *s, const nh_quad *parameters);

/* At t, q [n] and w, gives rate [n] and more (NULL: not wanted):
 *                w                rate    more
 *   Lagrangian   v [n]            a       λ, λ' [m + holonomic]
 *   DAE          z [algebraic]    y'      z' [algebraic]
 *   Hamiltonian  not used         z'      nothing
 * NH_VALUE where the equations cannot be evaluated or are singular. */
nh_status nh_motion_at(nh_motion *s, nh_quad t, const nh_quad *q, const nh_quad *w, nh_quad *rate, nh_quad *more,
                       nh_error *error);

#endif
