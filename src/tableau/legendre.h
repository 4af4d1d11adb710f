/* SPDX-License-Identifier: MIT */
/* Shifted Legendre polynomials P_k on [0,1], P_k(1) = 1, and their integrals.
 *
 * A point is given by its distances from both ends, left = t and right = 1 - t, so that points near an end keep their
 * digits. With p_k(y) = P_k(1 - y), which is (-1)^k P_k(y), and d_k = p_(k+1) - p_k the recurrence is
 *     (k+1) d_k = k d_(k-1) - 2 (2k+1) y p_k,
 * where y is the distance from the nearer end: no digits cancel as y goes to 0. */
#ifndef NH_TABLEAU_LEGENDRE_H
#define NH_TABLEAU_LEGENDRE_H

#include "base/quad.h"

#include <stdbool.h>

/* The polynomials at one point, degree by degree: after nh_legendre_start, k is 0. */
typedef struct nh_legendre_walk {
    int k;
    nh_quad value;                          /* P_k */
    nh_quad integral;                       /* of P_k from 0 to the point: (P_(k+1) - P_(k-1)) / (2 (2k+1)) */
    nh_quad left, y, p, before, difference; /* p_k, d_(k-1), d_k */
    bool from_left;
} nh_legendre_walk;

void nh_legendre_start(nh_legendre_walk *walk, nh_quad left, nh_quad right);
void nh_legendre_next(nh_legendre_walk *walk);

/* value[k] = P_k and, if `integral` is not NULL, integral[k] for k < count. */
void nh_legendre(nh_quad left, nh_quad right, int count, nh_quad *value, nh_quad *integral);

#endif
