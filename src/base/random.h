/* SPDX-License-Identifier: MIT */
/* Random numbers without a state: a number is a function of the seed and of what it is for. So it does not matter who
 * draws it, when, and after what. Arithmetic only: the same on every machine. */
#ifndef NH_BASE_RANDOM_H
#define NH_BASE_RANDOM_H

#include <stdint.h>

/* Which number: of a member, in its so-manyth attempt, for its so-manyth variable. */
typedef struct nh_draw_key {
    uint64_t seed, member;
    uint32_t attempt, variable;
} nh_draw_key;

/* Philox4x32-10 of Salmon et al. (2011): four random words for a counter and a key. */
void nh_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]);

/* In (0, 1), on the odd multiples of 2^-53. */
double nh_random_uniform(nh_draw_key key);
/* Of mean 0 and variance 1, by the polar method. */
double nh_random_normal(nh_draw_key key);

#endif
