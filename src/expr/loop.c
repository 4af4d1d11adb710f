/* SPDX-License-Identifier: MIT */
/* Sums and products over index ranges: closing, opening, changing the index. */
#include "base/map.h"
#include "expr/store.h"

#include <stdlib.h>

typedef struct walk {
    nh_expr *stack, *list;
    size_t stack_capacity, list_capacity;
    uint32_t depth, length;
    nh_map seen; /* 1: on the stack, 2: listed */
    bool failed;
} walk;

static void push(walk *w, const nh_graph *g, nh_expr e, uint64_t free_bits)
{
    bool wanted = e && (!free_bits || (g->node[e].free & free_bits)) && !nh_map_get(&w->seen, e);
    if (!wanted)
        return;
    if (nh_grow(&w->stack, &w->stack_capacity, w->depth + 1, sizeof *w->stack))
        w->stack[w->depth++] = e;
    else
        w->failed = true;
}

static void append(walk *w, nh_expr e)
{
    nh_map_set(&w->seen, e, 2);
    if (nh_grow(&w->list, &w->list_capacity, w->length + 1, sizeof *w->list))
        w->list[w->length++] = e;
    else
        w->failed = true;
}

/* Operands before users: a node is listed when it is met for the second time, after its operands. */
static void visit(walk *w, const nh_graph *g, uint64_t free_bits)
{
    while (w->depth && !w->failed) {
        nh_expr e = w->stack[w->depth - 1];
        uint32_t state = nh_map_get(&w->seen, e);
        if (state == 0) {
            nh_map_set(&w->seen, e, 1);
            push(w, g, g->node[e].b, free_bits);
            push(w, g, g->node[e].a, free_bits);
        } else {
            w->depth--;
            if (state == 1)
                append(w, e);
        }
        w->failed |= w->seen.failed;
    }
}

/* Nodes below the roots that contain one of the free indices (any node if free_bits is 0). */
static nh_expr *collect(const nh_graph *g, const nh_expr *roots, uint32_t count, uint64_t free_bits, uint32_t *length)
{
    walk w = {0};
    for (uint32_t i = 0; i < count; i++) {
        push(&w, g, roots[i], free_bits);
        visit(&w, g, free_bits);
    }
    nh_map_free(&w.seen);
    free(w.stack);
    if (w.failed || !w.list) {
        free(w.list);
        w.list = w.failed ? NULL : calloc(1, sizeof *w.list);
        w.length = 0;
    }
    *length = w.length;
    return w.list;
}

nh_expr *nh_reachable(const nh_graph *g, const nh_expr *roots, uint32_t count, uint32_t *length)
{
    return collect(g, roots, count, 0, length);
}

uint32_t nh_size(const nh_graph *g, nh_expr e)
{
    uint32_t length;
    free(nh_reachable(g, &e, 1, &length));
    return length;
}

nh_expr nh_rebuild(nh_graph *g, nh_node node, nh_affine affine, nh_expr a, nh_expr b)
{
    switch ((nh_op)node.op) {
    case NH_ADD:
        return nh_add(g, a, b);
    case NH_MUL:
        return nh_mul(g, a, b);
    case NH_DIV:
        return nh_div(g, a, b);
    case NH_POWER:
        return nh_power(g, a, node.exponent);
    case NH_CALL:
        return nh_call(g, node.function, a, b);
    case NH_SUM:
        return nh_sum(g, node.index, affine, a);
    case NH_PROD:
        return nh_prod(g, node.index, affine, a);
    case NH_VARIABLE:
        return nh_variable(g, node.space, affine);
    case NH_INDEX:
        return nh_index_value(g, affine);
    case NH_PI:
        return nh_pi(g);
    case NH_NUMBER:
        break;
    }
    return 0; /* numbers have no operands and are never rebuilt */
}

/* Inside closed sums too: their bound indices are smaller than any index that replaces or is replaced. */
nh_expr nh_reindex(nh_graph *g, nh_expr e, int index, nh_affine by)
{
    uint64_t bit = UINT64_C(1) << index;
    if (!e || !(g->node[e].free & bit))
        return e;
    uint32_t length;
    nh_expr *list = collect(g, &e, 1, bit, &length);
    nh_map memo = {0};
    for (uint32_t i = 0; list && i < length; i++) {
        nh_node n = g->node[list[i]];
        nh_affine affine = {0};
        if (nh_has_affine(n) && !nh_affine_replace(nh_get_affine(g, list[i]), index, by, &affine))
            nh_graph_limit(g, "an index or the length of a range is too large");
        nh_expr a = nh_map_get(&memo, n.a), b = nh_map_get(&memo, n.b);
        nh_map_set(&memo, list[i], nh_rebuild(g, n, affine, a ? a : n.a, b ? b : n.b));
    }
    nh_expr result = nh_map_get(&memo, e);
    if (!list || memo.failed)
        result = nh_graph_no_memory(g);
    nh_map_free(&memo);
    free(list);
    return result;
}

nh_expr nh_open_body(nh_graph *g, nh_expr sum, int index)
{
    nh_node n = g->node[sum];
    return nh_reindex(g, n.a, n.index, nh_affine_index(index));
}

/* Binds the index under its canonical name, one above all that are bound inside. */
static nh_expr bind(nh_graph *g, nh_op op, int index, nh_affine count, nh_expr body)
{
    int level = g->node[body].height + 1;
    if (level > NH_MAX_NEST)
        return nh_graph_limit(g, "sums and products are nested too deep");
    if (level != index)
        body = nh_reindex(g, body, index, nh_affine_index(level));
    nh_node n = g->node[body];
    uint64_t bit = UINT64_C(1) << level;
    return nh_intern(g, &(nh_node){.op = (uint8_t)op,
                                   .index = (uint8_t)level,
                                   .height = (uint8_t)level,
                                   .a = body,
                                   .spaces = n.spaces,
                                   .data = nh_intern_affine(g, &count),
                                   .free = (n.free & ~bit) | nh_affine_indices(count)});
}

static bool varies(const nh_graph *g, nh_expr e, int index)
{
    return (g->node[e].free >> index & 1) != 0;
}

/* Takes what does not vary with the index out of the body: body = factor·rest/divisor. */
static nh_expr take_out(nh_graph *g, int index, nh_expr body, nh_expr *factor, nh_expr *divisor)
{
    for (;;) {
        nh_node n = g->node[body];
        if (n.op == NH_MUL && !varies(g, n.a, index)) {
            *factor = nh_mul(g, *factor, n.a);
            body = n.b;
        } else if (n.op == NH_MUL && !varies(g, n.b, index)) {
            *factor = nh_mul(g, *factor, n.b);
            body = n.a;
        } else if (n.op == NH_DIV && !varies(g, n.b, index)) {
            *divisor = nh_mul(g, *divisor, n.b);
            body = n.a;
        } else {
            return body;
        }
    }
}

nh_expr nh_sum(nh_graph *g, int index, nh_affine count, nh_expr body)
{
    if (!body)
        return 0;
    bool fixed = count.terms == 0;
    if (nh_is_number(g, body, 0) || (fixed && count.constant <= 0))
        return nh_integer(g, 0);
    if (fixed && !varies(g, body, index))
        return nh_mul(g, nh_index_value(g, count), body);
    if (fixed && count.constant == 1)
        return nh_reindex(g, body, index, nh_affine_constant(0));
    nh_expr factor = nh_integer(g, 1), divisor = factor;
    if (fixed) /* a sum that may be empty is 0 whatever its factors are */
        body = take_out(g, index, body, &factor, &divisor);
    return nh_div(g, nh_mul(g, factor, bind(g, NH_SUM, index, count, body)), divisor);
}

nh_expr nh_prod(nh_graph *g, int index, nh_affine count, nh_expr body)
{
    if (!body)
        return 0;
    if (nh_is_number(g, body, 1) || (count.terms == 0 && count.constant <= 0))
        return nh_integer(g, 1);
    if (count.terms == 0 && !varies(g, body, index))
        return nh_power(g, body, count.constant);
    if (count.terms == 0 && count.constant == 1)
        return nh_reindex(g, body, index, nh_affine_constant(0));
    return bind(g, NH_PROD, index, count, body);
}
