/* SPDX-License-Identifier: MIT */
/* Loops around a place in an expression, and what affine functions do over all their rounds.
 *
 * Round (x_0, x_1, …) of the nest: 0 ≤ x_d < count_d, where count_d is affine in outer indices and may be negative:
 * the loop then does not run. */
#ifndef NH_LANGUAGE_NEST_H
#define NH_LANGUAGE_NEST_H

#include "expr/graph.h"

typedef struct nh_loop {
    const char *name; /* not NUL-terminated; NULL: cannot be named */
    size_t length;
    int index;       /* open index, or -1: the name stands for a number */
    nh_affine value; /* what the name stands for: first + index, or the number */
    nh_affine count;
} nh_loop;

/* Does the nest have any round? */
bool nh_nest_runs(const nh_loop *loop, int loops);
/* Bounds of a over the nest, not always the tightest. False: too large to tell. */
bool nh_nest_bounds(const nh_loop *loop, int loops, nh_affine a, int64_t *low, int64_t *high);
/* Is a between low and high in all rounds? If not, *reached is a value that it has (the farthest one). */
bool nh_nest_inside(const nh_loop *loop, int loops, nh_affine a, int64_t low, int64_t high, int64_t *reached);

#endif
