/* SPDX-License-Identifier: MIT */
/* Velocities on an energy surface. At a position q that satisfies g(t,q) = 0, let M = L_vv and let v_0 be the shortest
 * velocity, in the metric M, that the constraints allow (0 where they are linear). The draw is
 *
 *     v = v_0 + sqrt(2 (E - E(q, v_0))) d,
 *
 * d uniformly distributed on the unit sphere, in the metric M, of the directions that the constraints allow. */
#ifndef NH_ENSEMBLE_SURFACE_H
#define NH_ENSEMBLE_SURFACE_H

#include "base/random.h"
#include "model/consistent.h"

typedef struct nh_surface nh_surface;

/* The model and the consistency must outlive it. */
nh_status nh_surface_new(const nh_model *m, nh_consistency *consistency, nh_surface **out, nh_error *error);
void nh_surface_free(nh_surface *s);

/* Draws v at t, q; q is moved onto its constraints. key.variable counts up from what is given. *below: the energy is
 * less than E(q, v_0), and v is not set. NH_USAGE: energy or constraints are not of the form that is assumed. */
nh_status nh_surface_draw(nh_surface *s, const nh_quad *parameters, nh_quad t, nh_quad energy, nh_draw_key key,
                          nh_quad *q, nh_quad *v, bool *below, nh_error *error);

#endif
