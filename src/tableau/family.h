/* SPDX-License-Identifier: MIT */
/* The families of implicit Runge-Kutta methods, each for any number of stages.
 *
 * Simplifying assumptions (Hairer, Wanner: Solving Ordinary Differential Equations II, IV.5):
 *     B(p)  sum_i b_i c_i^(k-1) = 1/k                        k = 1..p
 *     C(q)  sum_j a_ij c_j^(k-1) = c_i^k / k                 k = 1..q, each i
 *     D(r)  sum_i b_i c_i^(k-1) a_ij = b_j (1 - c_j^k) / k   k = 1..r, each j
 * In Legendre polynomials, with I_k(t) the integral of P_k from 0 to t, J_k = (1 if k = 0 else 0) - I_k, and
 * N_k = sum_j b_j P_k(c_j)^2, which is 1/(2k+1), but 1/(s-1) for Lobatto and k = s-1, they give the matrices at once:
 *     C(s)  a_ij = b_j sum_k I_k(c_i) P_k(c_j) / N_k         Gauss, Radau IIA, Lobatto IIIA
 *     D(s)  a_ij = b_j sum_k P_k(c_i) J_k(c_j) / N_k         Radau IA, Lobatto IIIB
 * with k = 0..s-1. Lobatto nodes are the zeros of I_(s-1), so there the sums end at s-2, and
 *     IIIC  = IIIA + b_j (P_(s-1)(c_i) - P_(s-2)(c_i)) P_(s-1)(c_j) / 2      C(s-1), a_i1 = b_1
 *     IIIC* = IIIA - b_j (P_(s-1)(c_i) + P_(s-2)(c_i)) P_(s-1)(c_j) / 2      the conjugate of IIIC
 *     IIID  = (IIIC + IIIC*) / 2
 * No system is solved, all terms are of the size of the weights, and no digits are lost, whatever s. */
#ifndef NH_TABLEAU_FAMILY_H
#define NH_TABLEAU_FAMILY_H

#include "tableau/tableau.h"

typedef enum nh_family_id {
    NH_GAUSS,
    NH_RADAU_IA,
    NH_RADAU_IIA,
    NH_LOBATTO_IIIA,
    NH_LOBATTO_IIIB,
    NH_LOBATTO_IIIC,
    NH_LOBATTO_IIIC_STAR,
    NH_LOBATTO_IIID,
    NH_FAMILIES
} nh_family_id;

typedef struct nh_family {
    const char *name;
    nh_quadrature nodes;
    int smallest;           /* number of stages */
    int B, C, D;            /* B(2s+B), C(s+C), D(s+D) hold, and none of them for one more; the order is 2s+B */
    bool symmetric;         /* a_(s+1-i,s+1-j) + a_ij = b_j */
    nh_family_id conjugate; /* NH_FAMILIES if it is none of them */
} nh_family;

/* The row of a family; NULL if there is none of that number or name. */
const nh_family *nh_family_get(nh_family_id id);
const nh_family *nh_family_find(const char *name);

/* Coefficients are multiples of 2^-NH_QUAD_BITS, and so exactly: sum b = 1; c_(s+1-i) + c_i = 1 for Gauss and Lobatto;
 * a_(s+1-i,s+1-j) + a_ij = b_j where symmetric; the first row is zero (IIIA, IIIC*) or the last one b (IIIA, IIIC,
 * Radau IIA), the first column b_1 (IIIB, IIIC, Radau IA) or the last one zero (IIIB, IIIC*). NH_LIMIT if `stages` is
 * not in smallest..NH_STAGES_MAX, NH_MEMORY. */
nh_status nh_tableau_make(nh_arena *arena, nh_family_id family, int stages, nh_tableau *out, nh_error *error);

#endif
