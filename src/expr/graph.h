/* SPDX-License-Identifier: MIT */
/* The expression graph: immutable, hash-consed nodes, named by number.
 *
 * Equal expressions are one node; a node's operands have smaller numbers than the node. Constructors simplify lightly:
 * exact arithmetic on numbers, zeros, ones, signs, numeric factors to the front, equal terms and factors.
 * There is no negation, subtraction or quotient by a number: these are factors (-1·x, x + -1·y, 1/2·x).
 *
 * Index ranges stay symbolic. A sum is Σ_{i=0}^{count-1} body, with count and all subscripts affine in loop indices.
 * The index of a closed sum is a number below NH_OPEN, chosen by the constructor from the nesting of sums in its body
 * (1 + the largest inside), so that equal sums are one node. Indices from NH_OPEN on are open: loops around the
 * expression that a caller is working in. A transformation opens a sum (nh_open_body), works, and closes it (nh_sum).
 *
 * Failure (memory, limits) is sticky: constructors then return the node 0, and nh_graph_status tells. */
#ifndef NH_EXPR_GRAPH_H
#define NH_EXPR_GRAPH_H

#include "base/arena.h"
#include "base/number.h"
#include "base/space.h"
#include "base/status.h"
#include "expr/affine.h"
#include "expr/function.h"

#include <stdbool.h>
#include <stdint.h>

typedef uint32_t nh_expr; /* a node; 0 is no expression */

typedef enum nh_op {
    NH_NUMBER,   /* exact number */
    NH_VARIABLE, /* component `affine` of `space` */
    NH_INDEX,    /* the value of `affine` as a real number */
    NH_PI,
    NH_ADD,   /* a + b */
    NH_MUL,   /* a·b */
    NH_DIV,   /* a/b */
    NH_POWER, /* a^exponent, integer exponent ≥ 2 */
    NH_CALL,  /* function of a (and b) */
    NH_SUM,   /* Σ_{index=0}^{affine-1} a */
    NH_PROD   /* Π_{index=0}^{affine-1} a */
} nh_op;

enum {
    NH_OPEN = 32,     /* first index of an open loop */
    NH_MAX_NEST = 16, /* loops within loops; NH_AFFINE_TERMS is as large */
    NH_INDICES = 64
};

typedef struct nh_node {
    uint8_t op;       /* nh_op */
    uint8_t function; /* NH_CALL: nh_function */
    uint8_t space;    /* NH_VARIABLE: nh_space */
    uint8_t index;    /* NH_SUM, NH_PROD: the bound index; it is also the height of the node */
    uint8_t height;   /* largest bound index inside; 0 if there is none */
    uint8_t pad;
    uint16_t spaces;  /* bit per nh_space: what it depends on */
    int32_t exponent; /* NH_POWER */
    nh_expr a, b;     /* operands; a is the body of a sum */
    uint32_t data;    /* row in the table of numbers or affine functions */
    uint32_t rank;    /* of its last variable, by space and component: terms are put in this order */
    uint32_t zero;    /* no byte is undefined: nodes are compared as bytes */
    uint64_t free;    /* bit per loop index that occurs free */
} nh_node;

typedef struct nh_graph nh_graph;

nh_graph *nh_graph_new(void);
void nh_graph_free(nh_graph *g);
nh_status nh_graph_status(const nh_graph *g, nh_error *error);
/* The same, and the graph can be used again: what failed gave no expression, and harmed none. */
nh_status nh_graph_report(nh_graph *g, nh_error *error);
/* Makes the graph fail for lack of memory; returns 0. */
nh_expr nh_graph_no_memory(nh_graph *g);
uint32_t nh_graph_size(const nh_graph *g);
/* Ends the source of a graph. The operands of sums and products are in the order of the source; of those that are made
 * from now on, in an order that depends on their content alone (their last variable, then a hash), not on what was
 * derived before. So a function has the same bits whatever else was asked of the model. */
void nh_graph_seal(nh_graph *g);

nh_node nh_get(const nh_graph *g, nh_expr e);
nh_number nh_get_number(const nh_graph *g, nh_expr e); /* NH_NUMBER */
nh_affine nh_get_affine(const nh_graph *g, nh_expr e); /* NH_VARIABLE, NH_INDEX, NH_SUM, NH_PROD */
bool nh_is_number(const nh_graph *g, nh_expr e, int64_t value);
/* Numeric factor of e, and the rest: e = factor·rest. */
nh_number nh_factor(nh_graph *g, nh_expr e, nh_expr *rest);
/* Does e depend on any variable of the spaces in this set of bits (1u << NH_Q | …)? */
bool nh_depends(const nh_graph *g, nh_expr e, uint32_t spaces);

nh_expr nh_constant(nh_graph *g, nh_number x);
nh_expr nh_integer(nh_graph *g, int64_t x);
nh_expr nh_ratio(nh_graph *g, int64_t num, int64_t den);
nh_expr nh_pi(nh_graph *g);
nh_expr nh_variable(nh_graph *g, nh_space space, nh_affine component);
nh_expr nh_component(nh_graph *g, nh_space space, int64_t component);
nh_expr nh_index_value(nh_graph *g, nh_affine value);
nh_expr nh_add(nh_graph *g, nh_expr a, nh_expr b);
nh_expr nh_sub(nh_graph *g, nh_expr a, nh_expr b);
nh_expr nh_neg(nh_graph *g, nh_expr a);
nh_expr nh_mul(nh_graph *g, nh_expr a, nh_expr b);
nh_expr nh_div(nh_graph *g, nh_expr a, nh_expr b);
nh_expr nh_power(nh_graph *g, nh_expr a, int64_t exponent); /* any integer */
nh_expr nh_pow(nh_graph *g, nh_expr a, nh_expr b);
nh_expr nh_call(nh_graph *g, nh_function f, nh_expr a, nh_expr b); /* b = 0 for one argument */
/* Closes an open loop: Σ or Π over open index `index` = 0 … count-1 of body. */
nh_expr nh_sum(nh_graph *g, int index, nh_affine count, nh_expr body);
nh_expr nh_prod(nh_graph *g, int index, nh_affine count, nh_expr body);
/* The body of a sum or product with its bound index replaced by the open index `index`. */
nh_expr nh_open_body(nh_graph *g, nh_expr sum, int index);
/* e with a free loop index replaced by an affine function of other free indices. */
nh_expr nh_reindex(nh_graph *g, nh_expr e, int index, nh_affine by);

/* Nodes reachable from the roots, operands before users (bodies of sums included). Caller frees with free(). */
nh_expr *nh_reachable(const nh_graph *g, const nh_expr *roots, uint32_t count, uint32_t *length);
/* The number of nodes reachable from e. */
uint32_t nh_size(const nh_graph *g, nh_expr e);

#endif
