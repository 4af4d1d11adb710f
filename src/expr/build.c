/* SPDX-License-Identifier: MIT */
/* Constructors of expressions, with light simplification. Every rule is local and looks at most one level down. */
#include "expr/store.h"

#include <stdlib.h>

nh_expr nh_integer(nh_graph *g, int64_t x)
{
    return nh_constant(g, nh_number_integer(x));
}

nh_expr nh_ratio(nh_graph *g, int64_t num, int64_t den)
{
    return nh_div(g, nh_integer(g, num), nh_integer(g, den));
}

nh_expr nh_pi(nh_graph *g)
{
    return nh_intern(g, &(nh_node){.op = NH_PI});
}

nh_expr nh_variable(nh_graph *g, nh_space space, nh_affine component)
{
    return nh_intern(g, &(nh_node){.op = NH_VARIABLE,
                                   .space = (uint8_t)space,
                                   .spaces = (uint16_t)(1u << space),
                                   .data = nh_intern_affine(g, &component),
                                   .free = nh_affine_indices(component)});
}

nh_expr nh_component(nh_graph *g, nh_space space, int64_t component)
{
    return nh_variable(g, space, nh_affine_constant(component));
}

nh_expr nh_index_value(nh_graph *g, nh_affine value)
{
    if (value.terms == 0)
        return nh_integer(g, value.constant);
    return nh_intern(g,
                     &(nh_node){.op = NH_INDEX, .data = nh_intern_affine(g, &value), .free = nh_affine_indices(value)});
}

static nh_expr combine(nh_graph *g, nh_op op, nh_expr a, nh_expr b)
{
    nh_node x = g->node[a], y = g->node[b];
    return nh_intern(g, &(nh_node){.op = (uint8_t)op,
                                   .a = a,
                                   .b = b,
                                   .height = x.height > y.height ? x.height : y.height,
                                   .spaces = x.spaces | y.spaces,
                                   .free = x.free | y.free});
}

static nh_expr commute(nh_graph *g, nh_op op, nh_expr a, nh_expr b)
{
    return g->order[a] < g->order[b] ? combine(g, op, a, b) : combine(g, op, b, a);
}

static bool rational(const nh_graph *g, nh_expr e)
{
    return g->node[e].op == NH_NUMBER && nh_number_is_rational(nh_get_number(g, e));
}

nh_number nh_factor(nh_graph *g, nh_expr e, nh_expr *rest)
{
    if (rational(g, e)) {
        *rest = nh_integer(g, 1);
        return nh_get_number(g, e);
    }
    nh_node n = g->node[e];
    if (n.op == NH_MUL && rational(g, n.a)) {
        *rest = n.b;
        return nh_get_number(g, n.a);
    }
    if (n.op == NH_MUL && rational(g, n.b)) {
        *rest = n.a;
        return nh_get_number(g, n.b);
    }
    *rest = e;
    return nh_number_integer(1);
}

static nh_expr scale(nh_graph *g, nh_number factor, nh_expr rest)
{
    if (nh_number_is(factor, 0))
        return nh_integer(g, 0);
    if (nh_number_is(factor, 1))
        return rest;
    if (nh_is_number(g, rest, 1))
        return nh_constant(g, factor);
    return commute(g, NH_MUL, nh_constant(g, factor), rest);
}

/* a + b where both are multiples of one expression; 0 if they are not. */
static nh_expr add_multiples(nh_graph *g, nh_expr a, nh_expr b)
{
    nh_expr x, y;
    nh_number sum, p = nh_factor(g, a, &x), q = nh_factor(g, b, &y);
    return x == y && nh_number_add(p, q, &sum) ? scale(g, sum, x) : 0;
}

/* (p + q) + b where p or q is a multiple of what b is; 0 if not. */
static nh_expr add_into(nh_graph *g, nh_expr sum, nh_expr b)
{
    nh_node n = g->node[sum];
    if (n.op != NH_ADD)
        return 0;
    nh_expr merged = add_multiples(g, n.a, b);
    if (merged)
        return nh_add(g, merged, n.b);
    merged = add_multiples(g, n.b, b);
    return merged ? nh_add(g, n.a, merged) : 0;
}

nh_expr nh_add(nh_graph *g, nh_expr a, nh_expr b)
{
    if (!a || !b)
        return 0;
    if (nh_is_number(g, a, 0))
        return b;
    if (nh_is_number(g, b, 0))
        return a;
    nh_expr e = add_multiples(g, a, b);
    if (!e)
        e = add_into(g, a, b);
    if (!e)
        e = add_into(g, b, a);
    return e ? e : commute(g, NH_ADD, a, b);
}

nh_expr nh_neg(nh_graph *g, nh_expr a)
{
    return nh_mul(g, nh_integer(g, -1), a);
}

nh_expr nh_sub(nh_graph *g, nh_expr a, nh_expr b)
{
    return nh_add(g, a, nh_neg(g, b));
}

static nh_expr base_of(const nh_graph *g, nh_expr e, int64_t *exponent)
{
    nh_node n = g->node[e];
    *exponent = n.op == NH_POWER ? n.exponent : 1;
    return n.op == NH_POWER ? n.a : e;
}

/* a·b where both are powers of one base, or one divides the other's denominator; 0 if not. */
static nh_expr mul_powers(nh_graph *g, nh_expr a, nh_expr b)
{
    int64_t p, q;
    nh_expr x = base_of(g, a, &p), y = base_of(g, b, &q);
    return x == y && g->node[x].op != NH_NUMBER ? nh_power(g, x, p + q) : 0;
}

static nh_expr mul_into(nh_graph *g, nh_expr product, nh_expr b)
{
    nh_node n = g->node[product];
    if (n.op == NH_DIV && n.b == b)
        return n.a;
    if (n.op == NH_DIV && nh_is_number(g, n.a, 1))
        return nh_div(g, b, n.b);
    if (n.op != NH_MUL)
        return 0;
    nh_expr merged = mul_powers(g, n.a, b);
    if (merged)
        return nh_mul(g, merged, n.b);
    merged = mul_powers(g, n.b, b);
    return merged ? nh_mul(g, n.a, merged) : 0;
}

/* a·b for expressions without numeric factors. */
static nh_expr mul_rest(nh_graph *g, nh_expr a, nh_expr b)
{
    if (nh_is_number(g, a, 1))
        return b;
    if (nh_is_number(g, b, 1))
        return a;
    nh_expr e = mul_powers(g, a, b);
    if (!e)
        e = mul_into(g, a, b);
    if (!e)
        e = mul_into(g, b, a);
    return e ? e : commute(g, NH_MUL, a, b);
}

nh_expr nh_mul(nh_graph *g, nh_expr a, nh_expr b)
{
    if (!a || !b)
        return 0;
    nh_expr x, y;
    nh_number product, p = nh_factor(g, a, &x), q = nh_factor(g, b, &y);
    if (!nh_number_mul(p, q, &product))
        return commute(g, NH_MUL, a, b);
    if (nh_number_is(product, 0))
        return nh_integer(g, 0);
    nh_expr rest = mul_rest(g, x, y), r;
    nh_number more = nh_factor(g, rest, &r), total; /* powers may have cancelled to a number */
    return nh_number_mul(product, more, &total) ? scale(g, total, r)
                                                : commute(g, NH_MUL, nh_constant(g, product), rest);
}

/* x^n/√x = x^(n-1)·√x, also where x^n is a factor of a; 0 if b is no such root. It keeps x^(3/2) differentiable at 0.
 */
static nh_expr div_root(nh_graph *g, nh_expr a, nh_expr b)
{
    nh_node x = g->node[a], y = g->node[b];
    int64_t p;
    if (y.op != NH_CALL || y.function != NH_F_sqrt)
        return 0;
    if (base_of(g, a, &p) == y.a)
        return nh_mul(g, nh_power(g, y.a, p - 1), b);
    if (x.op == NH_MUL && base_of(g, x.a, &p) == y.a)
        return nh_mul(g, x.b, nh_mul(g, nh_power(g, y.a, p - 1), b));
    if (x.op == NH_MUL && base_of(g, x.b, &p) == y.a)
        return nh_mul(g, x.a, nh_mul(g, nh_power(g, y.a, p - 1), b));
    return 0;
}

/* a/b for expressions without numeric factors. */
static nh_expr div_rest(nh_graph *g, nh_expr a, nh_expr b)
{
    if (a == b)
        return nh_integer(g, 1);
    if (nh_is_number(g, b, 1))
        return a;
    nh_node x = g->node[a], y = g->node[b];
    if (y.op == NH_DIV)
        return nh_div(g, nh_mul(g, a, y.b), y.a);
    if (x.op == NH_DIV)
        return nh_div(g, x.a, nh_mul(g, x.b, b));
    int64_t p, q;
    nh_expr u = base_of(g, a, &p), v = base_of(g, b, &q);
    if (u == v)
        return nh_power(g, u, p - q);
    nh_expr root = div_root(g, a, b);
    if (root)
        return root;
    if (x.op == NH_MUL && (x.a == b || x.b == b))
        return x.a == b ? x.b : x.a;
    return combine(g, NH_DIV, a, b);
}

nh_expr nh_div(nh_graph *g, nh_expr a, nh_expr b)
{
    if (!a || !b)
        return 0;
    if (nh_is_number(g, b, 0))
        return combine(g, NH_DIV, a, b);
    if (nh_is_number(g, a, 0))
        return a;
    nh_expr x, y;
    nh_number quotient, p = nh_factor(g, a, &x), q = nh_factor(g, b, &y);
    if (!nh_number_div(p, q, &quotient))
        return combine(g, NH_DIV, a, b);
    nh_expr rest = div_rest(g, x, y);
    return nh_mul(g, nh_constant(g, quotient), rest);
}

static nh_expr raise(nh_graph *g, nh_expr a, int64_t exponent)
{
    nh_node x = g->node[a];
    if (exponent > INT16_MAX)
        return nh_call(g, NH_F_pow, a, nh_integer(g, exponent));
    return nh_intern(g, &(nh_node){.op = NH_POWER,
                                   .a = a,
                                   .exponent = (int32_t)exponent,
                                   .height = x.height,
                                   .spaces = x.spaces,
                                   .free = x.free});
}

nh_expr nh_power(nh_graph *g, nh_expr a, int64_t exponent)
{
    if (!a)
        return 0;
    if (exponent == 0)
        return nh_integer(g, 1);
    if (exponent == 1 || nh_is_number(g, a, 1))
        return a;
    if (exponent < 0)
        return exponent < -INT16_MAX ? nh_call(g, NH_F_pow, a, nh_integer(g, exponent))
                                     : nh_div(g, nh_integer(g, 1), nh_power(g, a, -exponent));
    nh_node n = g->node[a];
    if (n.op == NH_POWER)
        return nh_power(g, n.a, n.exponent * exponent);
    if (n.op == NH_CALL && n.function == NH_F_sqrt && exponent % 2 == 0)
        return nh_power(g, n.a, exponent / 2);
    if (n.op == NH_CALL && n.function == NH_F_abs && exponent % 2 == 0)
        return nh_power(g, n.a, exponent);
    nh_expr rest;
    nh_number power, factor = nh_factor(g, a, &rest);
    if (nh_number_is(factor, 1) || !nh_number_pow(factor, exponent, &power))
        return raise(g, a, exponent);
    return nh_is_number(g, rest, 1) ? nh_constant(g, power) : scale(g, power, nh_power(g, rest, exponent));
}

nh_expr nh_pow(nh_graph *g, nh_expr a, nh_expr b)
{
    if (!a || !b)
        return 0;
    int64_t twice;
    nh_number doubled;
    if (!rational(g, b) || !nh_number_mul(nh_get_number(g, b), nh_number_integer(2), &doubled) ||
        !nh_number_is_integer(doubled, &twice) || llabs(twice) > 2 * (int64_t)INT16_MAX)
        return nh_call(g, NH_F_pow, a, b);
    if (twice % 2 == 0)
        return nh_power(g, a, twice / 2);
    return nh_power(g, nh_call(g, NH_F_sqrt, a, 0), twice);
}
