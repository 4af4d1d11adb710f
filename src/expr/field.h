/* SPDX-License-Identifier: MIT */
/* Vector and matrix functions as lists of pieces; index ranges stay loops.
 *
 * A piece says: for all values of its loops, entry (row, column) of the result is (or gains) `value`.
 * Loop l of a piece has the open index NH_OPEN + l and runs from 0 to count - 1; its count may depend on outer loops.
 */
#ifndef NH_EXPR_FIELD_H
#define NH_EXPR_FIELD_H

#include "expr/derive.h"

typedef struct nh_piece {
    int loops;
    nh_affine count[NH_MAX_NEST];
    nh_affine row, column;
    nh_expr value;
    bool accumulate; /* add to what earlier pieces have set */
} nh_piece;

typedef struct nh_field {
    int rows, columns; /* columns = 1: a vector */
    nh_piece *piece;   /* memory from malloc */
    uint32_t pieces;
    size_t capacity;
} nh_field; /* entries that no piece sets are zero */

void nh_field_free(nh_field *f);
/* Appends a piece; false when out of memory. */
bool nh_field_add(nh_field *f, const nh_piece *piece);
/* Appends a scalar entry. */
bool nh_field_set(nh_field *f, int row, int column, nh_expr value);

/* Adds up the pieces of a column vector that lie in the same places. */
bool nh_field_merge(nh_graph *g, nh_field *f);

/* Σ a[row]·b[row] of two column vectors. */
nh_expr nh_field_inner(nh_graph *g, const nh_field *a, const nh_field *b);

/* ∂F/∂x for a vector field F: rows × size of the space. By reverse accumulation, piece by piece. */
nh_status nh_field_jacobian(nh_graph *g, const nh_field *f, nh_space x, int size, nh_field *out, nh_error *error);
/* The gradient of a scalar as a column vector. */
nh_status nh_gradient(nh_graph *g, nh_expr e, nh_space x, int size, nh_field *out, nh_error *error);
/* The directional derivative of every entry along the directions NH_D_… of the spaces in the set. */
nh_status nh_field_tangent(nh_graph *g, const nh_field *f, uint32_t spaces, nh_field *out, nh_error *error);
/* nh_reach of every entry. */
nh_status nh_field_reach(nh_graph *g, const nh_field *f, uint32_t spaces, nh_field *out, nh_error *error);
/* Σ weight[row]·F[row]: the weight of row r is component `offset` + r of the space. Scalar. */
nh_expr nh_field_dot(nh_graph *g, const nh_field *f, nh_space weight, int offset);

/* The number of values of each loop, at most, over all values of the loops around it; returns their product. */
int64_t nh_piece_extents(const nh_piece *p, int64_t extent[NH_MAX_NEST]);
/* The expression of one entry: pieces instantiated at (row, column). Meant for small fields: describing, testing. */
nh_expr nh_field_entry(nh_graph *g, const nh_field *f, int row, int column);
/* Calls visit for every entry that a piece touches, or that any piece does, in order. */
typedef void nh_field_visitor(void *context, uint32_t piece, int64_t row, int64_t column, const int64_t *loop_values);
void nh_field_visit_piece(const nh_field *f, uint32_t piece, nh_field_visitor *visit, void *context);
void nh_field_visit(const nh_field *f, nh_field_visitor *visit, void *context);

#endif
