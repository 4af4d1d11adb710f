/* SPDX-License-Identifier: MIT */
/* Transformations of one expression: derivatives, substitution, writing sums out, degree. */
#ifndef NH_EXPR_DERIVE_H
#define NH_EXPR_DERIVE_H

#include "expr/graph.h"

/* An expression for a variable; 0 means "none". */
typedef nh_expr nh_replace(void *context, nh_graph *g, nh_space space, nh_affine component);

/* Replaces variables; those for which `replace` gives none stay. */
nh_expr nh_substitute(nh_graph *g, nh_expr e, nh_replace *replace, void *context);
/* The derivative of e when every variable x changes at the rate seed(x); those with none do not change. */
nh_expr nh_directional(nh_graph *g, nh_expr e, nh_replace *seed, void *context);
/* Directional derivative with symbolic directions: Σ over the spaces ∂e/∂x·dx, with dx in the NH_D_ spaces. */
nh_expr nh_tangent(nh_graph *g, nh_expr e, uint32_t spaces);
/* Σ |∂e/∂x|·|x| over the variables of the spaces, where nothing cancels inside of e: how far e may go, to first order,
 * if these numbers change by their own size. Times 1e-16: what their rounding may do to e. */
nh_expr nh_reach(nh_graph *g, nh_expr e, uint32_t spaces);
/* Partial derivative with respect to one component. Writes sums out: meant for small systems. */
nh_expr nh_partial(nh_graph *g, nh_expr e, nh_space space, int component);
/* Writes every sum and product out. Meant for small systems. */
nh_expr nh_expand(nh_graph *g, nh_expr e);

/* Total degree of e as a polynomial in the variables of the spaces; -1: it is not seen to be one. (The graph keeps lack
 * of memory.) */
int nh_degree(nh_graph *g, nh_expr e, uint32_t spaces);

/* ∂e/∂a and ∂e/∂b of a node with operands; *b is 0 where there is no second operand. Not for sums and products. */
void nh_partials(nh_graph *g, nh_expr e, nh_expr *a, nh_expr *b);
/* Π over all indices but one of the body of a product: the body is open at `index`, `count` is its range. */
nh_expr nh_other_factors(nh_graph *g, nh_expr body, int index, nh_affine count);

#endif
