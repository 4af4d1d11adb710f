/* SPDX-License-Identifier: MIT */
/* What several tests of the expression layer share. */
#ifndef NH_TESTS_SUPPORT_H
#define NH_TESTS_SUPPORT_H

#include "expr/program.h"

#include <stdint.h>

/* A subscript first + factor·(open loop 0). */
nh_affine subscript(int first, int factor);
/* Repeatable numbers in (0, 1). */
double next_uniform(uint64_t *state);
/* Value of one expression at a point in quad precision. */
nh_quad value_at(nh_graph *g, nh_expr e, const nh_quad *const x[NH_SPACES], int parameters);
/* Central difference of order 8 of e with respect to component `k` of `space`, in quad: relative error about 1e-24. */
nh_quad difference_at(nh_graph *g, nh_expr e, nh_quad *x[NH_SPACES], nh_space space, int k, int parameters);

#endif
