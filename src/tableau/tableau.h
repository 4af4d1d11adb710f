/* SPDX-License-Identifier: MIT */
/* Runge-Kutta tableaux in quad precision, and their coefficients as sums of two doubles. */
#ifndef NH_TABLEAU_TABLEAU_H
#define NH_TABLEAU_TABLEAU_H

#include "base/arena.h"
#include "base/quad.h"
#include "base/status.h"
#include "tableau/nodes.h"

#include <stdbool.h>

/* Immutable; the numbers belong to the arena that it was made in. A is stages × stages, row-major. */
typedef struct nh_tableau {
    int stages;
    const nh_quad *A, *b, *c;
} nh_tableau;

/* Copies the numbers. Fails with NH_LIMIT if `stages` is not in 1..NH_STAGES_MAX, NH_VALUE if a number is not finite,
 * NH_MEMORY. */
nh_status nh_tableau_copy(nh_arena *arena, int stages, const nh_quad *A, const nh_quad *b, const nh_quad *c,
                          nh_tableau *out, nh_error *error);

/* The symplectic conjugate: a^_ij = b_j (1 - a_ji / b_i), so that b_i a^_ij + b_j a_ji = b_i b_j. NH_VALUE if a weight
 * is zero. */
nh_status nh_tableau_conjugate(nh_arena *arena, const nh_tableau *tableau, nh_tableau *out, nh_error *error);

/* Largest violation of b_(s+1-i) = b_i and c_(s+1-i) + c_i = 1 (Jay (6.3a)), and of a_(s+1-i,s+1-j) + a_ij = b_j
 * ((6.3b) and, for the other matrices, (6.3c), (6.3d)). */
nh_quad nh_tableau_node_asymmetry(const nh_tableau *tableau);
nh_quad nh_tableau_matrix_asymmetry(const nh_tableau *tableau);

/* High and low parts: a coefficient is high + low. With 2^e the smallest power of two from 1 on that no coefficient
 * exceeds, high parts are multiples of 2^(e-53) and low parts of 2^(e-100). A coefficient is off by 2^(e-99) at most
 * and its high part alone by 2^(e-52): two units, for what follows needs some leeway. All of them are doubles, and so
 * is every partial sum of a row or of the weights, of high and of low parts, as long as it stays below 2^e: adding them
 * makes no error, in any order.
 *
 * If `summed`, the high weights add up to 1 and the low ones to 0, exactly. If `mirrored`, exactly and for high and low
 * parts separately (with 1 replaced by 0 for the low ones): b_(s+1-i) = b_i, c_(s+1-i) + c_i = 1, a_(s+1-i,s+1-j) +
 * a_ij = b_j. The entry in the middle of an odd number of stages is half a weight and may have one bit more. Both hold
 * for every tableau that has the property to round-off of the quad, and so for each family. An entry that equals its
 * weight has the weight's parts: methods whose last stage is the result keep that. */
typedef struct nh_split {
    int stages;
    bool summed, mirrored;
    const double *A, *b, *c;             /* high */
    const double *A_low, *b_low, *c_low; /* low */
} nh_split;

/* `exponent`: e, or a larger one that several tableaux share; see nh_tableau_exponent. Fails with NH_MEMORY. */
nh_status nh_tableau_split(nh_arena *arena, const nh_tableau *tableau, int exponent, nh_split *out, nh_error *error);
int nh_tableau_exponent(const nh_tableau *tableau);

#endif
