/* SPDX-License-Identifier: MIT */
/* Where a motion should be at some time: what errors are measured against. */
#ifndef NH_SIM_REFERENCE_H
#define NH_SIM_REFERENCE_H

#include "sim/sim.h"

typedef struct nh_reference {
    nh_arena arena;
    nh_quad *q, *v;
    char source[200]; /* what it comes from, and how good it is */
} nh_reference;       /* all zero is an empty one */

/* The state after `steps` steps of the options, whose method and precision do not matter; `finest`: the steps to there
 * of the finest run that it is to judge. */
nh_status nh_reference_make(const nh_model *m, const nh_sim_options *options, long long steps, long long finest,
                            nh_reference *out, nh_error *error);
void nh_reference_free(nh_reference *r);
/* The largest differences of coordinates and of velocities. */
void nh_reference_distance(const nh_reference *r, const nh_sim *s, double *q, double *v);

#endif
