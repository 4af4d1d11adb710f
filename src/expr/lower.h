/* SPDX-License-Identifier: MIT */
/* Lowering in progress: shared by lower.c (nodes) and lower_field.c (pieces). */
#ifndef NH_EXPR_LOWER_H
#define NH_EXPR_LOWER_H

#include "base/map.h"
#include "expr/tape.h"

typedef struct nh_list {
    nh_expr *item;
    size_t count, capacity;
} nh_list;

struct nh_lowering {
    nh_graph *g;
    nh_program *p;
    nh_tape *tape;
    nh_map literal;          /* node of a number → row of the table, plus 1 */
    nh_map constant;         /* node → component of c, plus 1 */
    nh_list constants;       /* the nodes, in order */
    nh_map value;            /* node → operand, plus 1; of the loops that are open */
    nh_list defined;         /* nodes in `value`, newest last */
    nh_map uses;             /* node → number of users in this function */
    nh_map absorbed;         /* sums that are part of a longer one */
    int counter[NH_INDICES]; /* loop index → counter */
    uint64_t open;           /* bits of the loop indices that are open */
    int depth;
    bool making_constants, failed;
};

/* Computes a node and all that it needs. */
nh_operand nh_lower_node(nh_lowering *l, nh_expr root);
/* Computes, before a loop begins, what its body needs and does not vary with it. */
void nh_lower_hoist(nh_lowering *l, const nh_expr *roots, uint32_t count);
uint32_t nh_lower_line(nh_lowering *l, nh_line line);
uint32_t nh_lower_affine(nh_lowering *l, nh_affine a);
uint32_t nh_lower_begin(nh_lowering *l, int index, nh_affine count);
/* Forgets the values of a loop that ends; `defined` had this many nodes when it began. */
void nh_lower_end(nh_lowering *l, int index, uint32_t begin, size_t defined);

#endif
