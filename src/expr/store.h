/* SPDX-License-Identifier: MIT */
/* Inside of the graph; only its constructors and traversals see this. */
#ifndef NH_EXPR_STORE_H
#define NH_EXPR_STORE_H

#include "expr/graph.h"

typedef struct nh_slot {
    uint32_t row; /* row + 1; 0 is empty */
    uint32_t hash;
} nh_slot;

typedef struct nh_table {
    nh_slot *slot;
    uint32_t size, count; /* size is a power of two */
} nh_table;

struct nh_graph {
    nh_arena arena; /* texts of decimal numbers */
    nh_node *node;
    uint64_t *order; /* by node: which operand of a sum or product comes first */
    uint64_t *hash;  /* by node: of what it is, not of where it is */
    nh_number *number;
    nh_affine *affine;
    uint32_t nodes, numbers, affines;
    size_t node_capacity, order_capacity, hash_capacity, number_capacity, affine_capacity;
    nh_table node_table, number_table, affine_table;
    bool sealed;      /* see nh_graph_seal */
    nh_status status; /* first failure; sticky until it is reported */
    const char *reason;
};

/* Records that memory has run out, or which limit was met; each returns 0, the node that is no expression. */
nh_expr nh_graph_limit(nh_graph *g, const char *reason);
/* Has the node a subscript, an index or a count: a row in the table of affine functions? */
bool nh_has_affine(nh_node n);
/* The node equal to *new, whose rank need not be set. */
nh_expr nh_intern(nh_graph *g, const nh_node *new);
uint32_t nh_intern_affine(nh_graph *g, const nh_affine *affine);
/* Rebuilds a node with new operands, simplifying; sums and products are closed again from index `node.index`. */
nh_expr nh_rebuild(nh_graph *g, nh_node node, nh_affine affine, nh_expr a, nh_expr b);

#endif
