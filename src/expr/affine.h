/* SPDX-License-Identifier: MIT */
/* Integer affine functions of loop indices: subscripts, loop lengths, places in an output. */
#ifndef NH_EXPR_AFFINE_H
#define NH_EXPR_AFFINE_H

#include <stdbool.h>
#include <stdint.h>

enum { NH_AFFINE_TERMS = 16 }; /* as many as loops can be nested: no place in a nest needs more */

/* constant + Σ factor·index, terms sorted by index, factors not zero, unused terms all zero. */
typedef struct nh_affine {
    int32_t constant;
    int32_t terms;
    struct {
        int32_t index, factor;
    } term[NH_AFFINE_TERMS];
} nh_affine;

nh_affine nh_affine_constant(int64_t value);
nh_affine nh_affine_index(int index);
/* Each returns false on overflow or more than NH_AFFINE_TERMS indices. */
bool nh_affine_add(nh_affine a, nh_affine b, nh_affine *out);
bool nh_affine_scale(nh_affine a, int64_t factor, nh_affine *out);
/* a with `index` replaced by `by`. */
bool nh_affine_replace(nh_affine a, int index, nh_affine by, nh_affine *out);
int32_t nh_affine_factor(nh_affine a, int index);
bool nh_affine_equal(nh_affine a, nh_affine b);
/* Bit i set: index i occurs. */
uint64_t nh_affine_indices(nh_affine a);
/* Value at given index values (array by index id). */
int64_t nh_affine_value(nh_affine a, const int64_t *index_values);

#endif
