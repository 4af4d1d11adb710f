/* SPDX-License-Identifier: MIT */
/* Numbers on a grid: integer multiples of 2^-bits. Sums and differences of such numbers are exact as long as they fit,
 * so what should add up (weights to one, a coefficient and its mirror image to a weight) can do so without an error. */
#ifndef NH_TABLEAU_GRID_H
#define NH_TABLEAU_GRID_H

#include "base/quad.h"

#include <float.h>
#include <stdbool.h>

/* Bits of a quad, and the distance of 1 from the next larger one. */
#if NH_QUAD_IS_FLOAT128
#define NH_QUAD_BITS    113
#define NH_QUAD_EPSILON ((nh_quad)0x1p-112)
#else
#define NH_QUAD_BITS    LDBL_MANT_DIG
#define NH_QUAD_EPSILON LDBL_EPSILON
#endif

__extension__ typedef __int128 nh_units; /* how many times 2^-bits */

/* The multiple of 2^-bits nearest to x, away from zero if there are two. |x| 2^bits must be below 2^120. */
nh_units nh_units_nearest(nh_quad x, int bits);
nh_quad nh_units_value(nh_units units, int bits);
/* Both at once. */
nh_quad nh_snap(nh_quad x, int bits);

/* Whole numbers of 2^-bits near x [count] that add up to `total`: each nearest to its x first; then those that are
 * furthest off in the right direction move by one, until the sum is right. `mirrored`: x is the same from both ends,
 * and so are the results; the middle one of an odd count takes what pairs cannot (an even count needs an even total).
 */
void nh_units_share(const nh_quad *x, int count, int bits, nh_units total, bool mirrored, nh_units *units);

#endif
