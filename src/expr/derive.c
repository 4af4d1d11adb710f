/* SPDX-License-Identifier: MIT */
/* Transformations that rebuild an expression bottom-up. Sums are opened, transformed inside, and closed again;
 * the recursion is as deep as sums are nested (at most NH_MAX_NEST), never as deep as the expression. */
#include "expr/derive.h"

#include "base/map.h"
#include "expr/store.h"

#include <stdlib.h>

/* What a transformation does with a leaf, with an inner node, and with a sum or product. */
typedef struct transform transform;
struct transform {
    nh_expr (*leaf)(const transform *t, nh_graph *g, nh_expr e);
    nh_expr (*inner)(const transform *t, nh_graph *g, nh_expr e, nh_expr a, nh_expr b);
    nh_expr (*loop)(const transform *t, nh_graph *g, nh_expr e);
    nh_replace *variable;
    void *context;
    bool sizes; /* derivatives by their sizes: terms do not cancel */
};

static bool is_loop(nh_node n)
{
    return n.op == NH_SUM || n.op == NH_PROD;
}

/* Nodes of a list that lie inside a closed loop are handled when that loop is opened. */
static bool inside_closed_loop(nh_node n)
{
    return (n.free & ((UINT64_C(1) << NH_OPEN) - 1)) != 0;
}

static nh_expr apply(const transform *t, nh_graph *g, nh_expr e)
{
    if (!e)
        return 0;
    uint32_t length;
    nh_expr *list = nh_reachable(g, &e, 1, &length);
    nh_map memo = {0};
    for (uint32_t i = 0; list && i < length && !g->status; i++) {
        nh_node n = g->node[list[i]];
        if (inside_closed_loop(n))
            continue;
        nh_expr value = is_loop(n) ? t->loop(t, g, list[i])
                        : n.a      ? t->inner(t, g, list[i], nh_map_get(&memo, n.a), nh_map_get(&memo, n.b))
                                   : t->leaf(t, g, list[i]);
        nh_map_set(&memo, list[i], value);
    }
    nh_expr result = nh_map_get(&memo, e);
    if (!list || memo.failed)
        result = nh_graph_no_memory(g);
    nh_map_free(&memo);
    free(list);
    return result;
}

/* The first open index above all that occur in e. */
static int first_open(const nh_graph *g, nh_expr e)
{
    int index = NH_OPEN;
    for (uint64_t bits = nh_get(g, e).free >> NH_OPEN; bits; bits >>= 1)
        index++;
    return index;
}

/* Opens the loop e at *index. */
static nh_expr enter(nh_graph *g, nh_expr e, int *index)
{
    *index = first_open(g, e);
    return *index < NH_INDICES ? nh_open_body(g, e, *index)
                               : nh_graph_limit(g, "sums and products are nested too deep");
}

/* --- substitution --- */

static nh_expr substitute_leaf(const transform *t, nh_graph *g, nh_expr e)
{
    nh_node n = g->node[e];
    nh_expr new = n.op == NH_VARIABLE ? t->variable(t->context, g, n.space, nh_get_affine(g, e)) : 0;
    return new ? new : e;
}

static nh_expr substitute_inner(const transform *t, nh_graph *g, nh_expr e, nh_expr a, nh_expr b)
{
    (void)t;
    return nh_rebuild(g, g->node[e], (nh_affine){0}, a, b);
}

static nh_expr substitute_loop(const transform *t, nh_graph *g, nh_expr e)
{
    int index;
    nh_affine count = nh_get_affine(g, e);
    nh_op op = g->node[e].op;
    nh_expr body = apply(t, g, enter(g, e, &index));
    return op == NH_SUM ? nh_sum(g, index, count, body) : nh_prod(g, index, count, body);
}

nh_expr nh_substitute(nh_graph *g, nh_expr e, nh_replace *replace, void *context)
{
    return apply(&(transform){substitute_leaf, substitute_inner, substitute_loop, replace, context, false}, g, e);
}

/* --- writing sums out --- */

static nh_expr keep(void *context, nh_graph *g, nh_space space, nh_affine component)
{
    (void)context, (void)g, (void)space, (void)component;
    return 0;
}

/* Terms are combined pairwise, so that the result is a balanced tree. */
static nh_expr fold(nh_graph *g, nh_op op, nh_expr *terms, int count)
{
    for (; count > 1; count = (count + 1) / 2)
        for (int i = 0; i < count / 2; i++) {
            nh_expr a = terms[2 * i], b = terms[2 * i + 1];
            terms[i] = op == NH_SUM ? nh_add(g, a, b) : nh_mul(g, a, b);
            if (i == count / 2 - 1 && count % 2)
                terms[i + 1] = terms[count - 1];
        }
    return terms[0];
}

static nh_expr expand_loop(const transform *t, nh_graph *g, nh_expr e)
{
    nh_node n = g->node[e];
    nh_affine count = nh_get_affine(g, e);
    if (count.terms)
        return e; /* still depends on an open loop around e */
    if (count.constant <= 0)
        return nh_integer(g, n.op == NH_PROD);
    nh_expr *terms = malloc((size_t)count.constant * sizeof *terms);
    if (!terms)
        return nh_graph_no_memory(g);
    for (int i = 0; i < count.constant; i++)
        terms[i] = apply(t, g, nh_reindex(g, n.a, n.index, nh_affine_constant(i)));
    nh_expr result = fold(g, n.op, terms, count.constant);
    free(terms);
    return result;
}

nh_expr nh_expand(nh_graph *g, nh_expr e)
{
    return apply(&(transform){substitute_leaf, substitute_inner, expand_loop, keep, NULL, false}, g, e);
}

/* --- derivatives, forward --- */

void nh_partials(nh_graph *g, nh_expr e, nh_expr *a, nh_expr *b)
{
    nh_node n = g->node[e];
    *a = *b = 0;
    switch ((nh_op)n.op) {
    case NH_ADD:
        *a = *b = nh_integer(g, 1);
        break;
    case NH_MUL:
        *a = n.b;
        *b = n.a;
        break;
    case NH_DIV:
        *a = nh_div(g, nh_integer(g, 1), n.b);
        *b = nh_neg(g, nh_div(g, e, n.b));
        break;
    case NH_POWER:
        *a = nh_mul(g, nh_integer(g, n.exponent), nh_power(g, n.a, n.exponent - 1));
        break;
    case NH_CALL: {
        const nh_function_row *f = nh_function_get(n.function);
        *a = f->partial_a(g, e, n.a, n.b);
        *b = f->partial_b ? f->partial_b(g, e, n.a, n.b) : 0;
        break;
    }
    default:
        break;
    }
}

nh_expr nh_other_factors(nh_graph *g, nh_expr body, int index, nh_affine count)
{
    nh_affine i = nh_affine_index(index), j = nh_affine_index(index + 1), minus_i, above, shifted;
    bool good = index + 1 < NH_INDICES && nh_affine_scale(i, -1, &minus_i) && nh_affine_add(count, minus_i, &above) &&
                nh_affine_add(above, nh_affine_constant(-1), &above) && nh_affine_add(i, j, &shifted) &&
                nh_affine_add(shifted, nh_affine_constant(1), &shifted);
    if (!good)
        return nh_graph_limit(g, "sums and products are nested too deep, or an index is too large");
    nh_expr before = nh_prod(g, index + 1, i, nh_reindex(g, body, index, j));
    nh_expr after = nh_prod(g, index + 1, above, nh_reindex(g, body, index, shifted));
    return nh_mul(g, before, after);
}

static nh_expr rate_leaf(const transform *t, nh_graph *g, nh_expr e)
{
    nh_node n = g->node[e];
    nh_expr rate = n.op == NH_VARIABLE ? t->variable(t->context, g, n.space, nh_get_affine(g, e)) : 0;
    return rate ? rate : nh_integer(g, 0);
}

static nh_expr rate_term(const transform *t, nh_graph *g, nh_expr partial, nh_expr rate)
{
    if (nh_is_number(g, rate, 0))
        return rate;
    return nh_mul(g, t->sizes ? nh_call(g, NH_F_abs, partial, 0) : partial, rate);
}

static nh_expr rate_inner(const transform *t, nh_graph *g, nh_expr e, nh_expr a, nh_expr b)
{
    nh_expr pa, pb;
    if (nh_is_number(g, a, 0) && (!b || nh_is_number(g, b, 0)))
        return a;
    nh_partials(g, e, &pa, &pb);
    nh_expr term = rate_term(t, g, pa, a);
    return pb ? nh_add(g, term, rate_term(t, g, pb, b)) : term;
}

static nh_expr rate_loop(const transform *t, nh_graph *g, nh_expr e)
{
    int index;
    nh_affine count = nh_get_affine(g, e);
    nh_op op = g->node[e].op;
    nh_expr body = enter(g, e, &index), rate = apply(t, g, body);
    if (op == NH_PROD && rate && !nh_is_number(g, rate, 0))
        rate = rate_term(t, g, nh_other_factors(g, body, index, count), rate);
    return nh_sum(g, index, count, rate);
}

nh_expr nh_directional(nh_graph *g, nh_expr e, nh_replace *seed, void *context)
{
    return apply(&(transform){rate_leaf, rate_inner, rate_loop, seed, context, false}, g, e);
}

static nh_expr direction(void *context, nh_graph *g, nh_space space, nh_affine component)
{
    uint32_t spaces = *(const uint32_t *)context;
    return spaces >> space & 1 ? nh_variable(g, space + NH_D_TIME, component) : 0;
}

nh_expr nh_tangent(nh_graph *g, nh_expr e, uint32_t spaces)
{
    return nh_directional(g, e, direction, &spaces);
}

static nh_expr own_size(void *context, nh_graph *g, nh_space space, nh_affine component)
{
    uint32_t spaces = *(const uint32_t *)context;
    return spaces >> space & 1 ? nh_call(g, NH_F_abs, nh_variable(g, space, component), 0) : 0;
}

nh_expr nh_reach(nh_graph *g, nh_expr e, uint32_t spaces)
{
    return apply(&(transform){rate_leaf, rate_inner, rate_loop, own_size, &spaces, true}, g, e);
}

typedef struct axis {
    nh_space space;
    int component;
} axis;

static nh_expr along_axis(void *context, nh_graph *g, nh_space space, nh_affine component)
{
    const axis *x = context;
    bool here = space == x->space && component.terms == 0 && component.constant == x->component;
    return here ? nh_integer(g, 1) : 0;
}

nh_expr nh_partial(nh_graph *g, nh_expr e, nh_space space, int component)
{
    axis x = {space, component};
    bool indexed = space != NH_TIME && g->node[e].height > 0; /* there is one time: never a subscript of a loop */
    return nh_directional(g, indexed ? nh_expand(g, e) : e, along_axis, &x);
}

/* --- degree --- */

static int degree_of(const nh_graph *g, const nh_map *memo, nh_expr e, uint32_t spaces)
{
    nh_node n = g->node[e];
    if (!(n.spaces & spaces))
        return 0;
    int a = (int)nh_map_get(memo, n.a) - 1, b = (int)nh_map_get(memo, n.b) - 1;
    switch ((nh_op)n.op) {
    case NH_VARIABLE:
        return 1;
    case NH_ADD:
        return a < 0 || b < 0 ? -1 : a > b ? a : b;
    case NH_MUL:
        return a < 0 || b < 0 ? -1 : a + b;
    case NH_DIV:
        return g->node[n.b].spaces & spaces ? -1 : a;
    case NH_POWER:
        return a < 0 || a > INT16_MAX ? -1 : a * n.exponent;
    case NH_SUM:
        return a;
    default:
        return -1;
    }
}

int nh_degree(nh_graph *g, nh_expr e, uint32_t spaces)
{
    uint32_t length;
    nh_expr *list = nh_reachable(g, &e, 1, &length);
    nh_map memo = {0}; /* degree + 1; not a polynomial is "absent" */
    for (uint32_t i = 0; list && i < length; i++) {
        int degree = degree_of(g, &memo, list[i], spaces);
        nh_map_set(&memo, list[i], (uint32_t)((degree > INT16_MAX ? -1 : degree) + 1));
    }
    int degree = (int)nh_map_get(&memo, e) - 1;
    if (!list || memo.failed)
        nh_graph_no_memory(g);
    nh_map_free(&memo);
    free(list);
    return degree;
}
