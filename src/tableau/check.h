/* SPDX-License-Identifier: MIT */
/* Measures what a tableau or a triple satisfies, whoever made it. Nothing is believed: every condition is evaluated in
 * quad precision, and its largest residual is reported.
 *
 * B(p), C(q), D(r) of family.h are measured in shifted Legendre polynomials, which are equivalent to powers of c, and
 * in which a condition that fails does so visibly: powers would hide B(2s+1) of Gauss below round-off from s = 28 on.
 */
#ifndef NH_TABLEAU_CHECK_H
#define NH_TABLEAU_CHECK_H

#include "tableau/triple.h"

enum { NH_TREE_ORDER_MAX = 6 };

/* A family of conditions, numbered from 1: the first `holds` of them hold. */
typedef struct nh_condition {
    int holds;        /* stops at 2s+1 */
    nh_quad residual; /* the largest one of those that hold */
    nh_quad next;     /* the one of the first that does not */
} nh_condition;

typedef struct nh_tableau_report {
    nh_quad tolerance;               /* below which, times the size of its terms if above 1, a residual counts as 0 */
    nh_condition B, C, D;            /* B(p), C(q), D(r) */
    nh_condition trees;              /* order conditions of ordinary Runge-Kutta methods, by order up to 6 */
    nh_quad tree[NH_TREE_ORDER_MAX]; /* the largest residual of the trees of order 1, 2, … */
    nh_quad sum;                     /* |sum b - 1| */
    nh_quad rows;                    /* |sum_j a_ij - c_i| */
    nh_quad node_symmetry;           /* (6.3a), and b_(s+1-i) = b_i */
    nh_quad matrix_symmetry;         /* (6.3b) */
    nh_quad symplectic;              /* |b_i a_ij + b_j a_ji - b_i b_j| */
} nh_tableau_report;

typedef struct nh_triple_report {
    nh_tableau_report position, force, reaction; /* their matrix_symmetry: (6.3b), (6.3c), (6.3d) */
    int trees;                                   /* order up to which the order conditions of partitioned methods hold,
                                                    up to 6: the order is no higher, if this is not 6 */
    nh_quad symmetry;                            /* (6.3): the largest residual */
    nh_quad coupling;                            /* (6.2b): |b_i a_ij + b_j a^_ji - b_i b_j| */
    bool dalembert;                              /* (6.2) holds */
    bool symmetric;                              /* (6.3) holds */
} nh_triple_report;

/* tolerance 0: what round-off explains, 2 (s+4) times the quad's epsilon. */
nh_tableau_report nh_tableau_measure(const nh_tableau *tableau, nh_quad tolerance);
nh_triple_report nh_triple_measure(const nh_triple *triple, nh_quad tolerance);

/* Largest |b_i a_ij + b_j a^_ji - b_i b_j| of two tableaux with the weights of the first. */
nh_quad nh_coupling_residual(const nh_tableau *tableau, const nh_tableau *hat);

/* Whether a report says exactly what the family or the method claims: no condition less, and none more. */
bool nh_family_agrees(const nh_family *family, int stages, const nh_tableau_report *report);
bool nh_triple_method_agrees(const nh_triple_method *method, const nh_triple_report *report);

/* Largest residual |sum_i b_i Phi_i(tree) - 1/gamma(tree)| over the rooted trees with `order` nodes (1..6, else 1 is
 * returned); *count, if not NULL, gets their number. */
nh_quad nh_tree_residual(const nh_tableau *tableau, int order, int *count);
/* The same for a triple, where each node may be of a position, a force, a reaction or, a leaf, of the time. */
nh_quad nh_triple_tree_residual(const nh_triple *triple, int order);

#endif
