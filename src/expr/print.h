/* SPDX-License-Identifier: MIT */
/* Expressions as text in the model language, or in LaTeX.
 *
 * Text reads back as the same node, with two exceptions: `flat` drops parentheses that only group, and an index that
 * is used as a number where the sum starts elsewhere (i+1) reads back as a sum. */
#ifndef NH_EXPR_PRINT_H
#define NH_EXPR_PRINT_H

#include "base/text.h"
#include "expr/graph.h"

/* What a component is called: `name`, or name[component + shift]. */
typedef struct nh_block_name {
    const char *name; /* NULL if it has none */
    bool indexed;
    int shift;
} nh_block_name;

/* A loop index: `name` stands for lower + index. */
typedef struct nh_index_name {
    char name[8];
    int32_t lower;
    int32_t inside, last; /* a value that it has in some round of all loops, and the last one of that round */
} nh_index_name;

typedef struct nh_spelling {
    const void *context;
    /* The block of a component of NH_PARAMETER, NH_Q or NH_LAMBDA. */
    nh_block_name (*block)(const struct nh_spelling *s, nh_space space, int component);
    /* Is this name used for something? Then no index gets it. */
    bool (*taken)(const struct nh_spelling *s, const char *name);
    bool latex;
    bool flat;    /* sums and products without parentheses that only group; always so in LaTeX */
    size_t limit; /* if not 0: the text ends in "..." near so many characters */
    int loops;    /* opened by nh_spelling_open */
    nh_index_name index[NH_INDICES];
} nh_spelling;

void nh_print(const nh_graph *g, nh_expr e, const nh_spelling *spelling, nh_text *out);
/* An affine function of loop indices, like i+1, plus `offset`. */
void nh_print_affine(nh_affine a, int64_t offset, const nh_spelling *spelling, nh_text *out);
/* A component of a space, like x', q[i+1]', \dot{x}. */
void nh_print_variable(nh_space space, nh_affine component, const nh_spelling *spelling, nh_text *out);

/* Names an open loop around e (0: none) and the component of a space that it sets, so that subscripts look simple. */
void nh_spelling_open(nh_spelling *s, const nh_graph *g, int index, nh_affine count, nh_expr e, nh_space space,
                      nh_affine component);
/* The range of a named loop: "i = 1..3", or \qquad-free LaTeX "i = 1, \dots, 3". */
void nh_print_range(int index, nh_affine count, const nh_spelling *spelling, nh_text *out);

#endif
