/* SPDX-License-Identifier: MIT */
/* Calls of elementary functions, with the values and symmetries that are exact. */
#include "expr/store.h"

#include <math.h>

static bool negative(nh_number x)
{
    return nh_number_is_rational(x) && x.num < 0;
}

/* √(p/q) where both are squares. */
static nh_expr exact_root(nh_graph *g, nh_expr a)
{
    nh_node n = g->node[a];
    if (n.op == NH_POWER && n.exponent == 2)
        return nh_call(g, NH_F_abs, n.a, 0);
    if (n.op != NH_NUMBER || !nh_number_is_rational(nh_get_number(g, a)) || negative(nh_get_number(g, a)))
        return 0;
    nh_number x = nh_get_number(g, a);
    int64_t p = (int64_t)llround(sqrt((double)x.num)), q = (int64_t)llround(sqrt((double)x.den));
    bool small = p < INT32_MAX && q < INT32_MAX;
    return small && p * p == x.num && q * q == x.den ? nh_ratio(g, p, q) : 0;
}

/* Odd and even functions of -x. */
static nh_expr reflect(nh_graph *g, nh_function f, nh_expr a)
{
    nh_expr rest;
    int parity = nh_function_get(f)->parity;
    if (!parity || !negative(nh_factor(g, a, &rest)))
        return 0;
    nh_expr mirrored = nh_call(g, f, nh_neg(g, a), 0);
    return parity > 0 ? mirrored : nh_neg(g, mirrored);
}

static nh_expr simplify_one(nh_graph *g, nh_function f, nh_expr a)
{
    int at_zero = nh_function_get(f)->at_zero;
    if (nh_is_number(g, a, 0))
        return at_zero < 0 ? 0 : nh_integer(g, at_zero);
    nh_node n = g->node[a];
    bool known_sign = n.op == NH_NUMBER;
    if (f == NH_F_sqrt)
        return exact_root(g, a);
    if (f == NH_F_log && nh_is_number(g, a, 1))
        return nh_integer(g, 0);
    nh_expr e = reflect(g, f, a);
    if (e || !known_sign)
        return e;
    return f == NH_F_abs ? a : f == NH_F_sign ? nh_integer(g, 1) : 0; /* negative numbers were reflected */
}

static nh_expr simplify_two(nh_graph *g, nh_function f, nh_expr a, nh_expr b)
{
    if ((f == NH_F_min || f == NH_F_max) && a == b)
        return a;
    if (f == NH_F_less && a == b)
        return nh_integer(g, 0);
    nh_number x, y, minus, difference;
    if (f == NH_F_pow || f == NH_F_atan2 || g->node[a].op != NH_NUMBER || g->node[b].op != NH_NUMBER)
        return 0;
    x = nh_get_number(g, a), y = nh_get_number(g, b);
    if (!nh_number_mul(y, nh_number_integer(-1), &minus) || !nh_number_add(x, minus, &difference))
        return 0;
    bool less = negative(difference);
    return f == NH_F_less ? nh_integer(g, less) : (f == NH_F_min) == less ? a : b;
}

nh_expr nh_call(nh_graph *g, nh_function f, nh_expr a, nh_expr b)
{
    int arguments = nh_function_get(f)->arguments;
    if (!a || (arguments == 2 && !b))
        return 0;
    nh_expr e = arguments == 1 ? simplify_one(g, f, a) : simplify_two(g, f, a, b);
    if (e || g->status)
        return e;
    nh_node x = g->node[a], y = g->node[arguments == 2 ? b : 0];
    return nh_intern(g, &(nh_node){.op = NH_CALL,
                                   .function = (uint8_t)f,
                                   .a = a,
                                   .b = arguments == 2 ? b : 0,
                                   .height = x.height > y.height ? x.height : y.height,
                                   .spaces = x.spaces | y.spaces,
                                   .free = x.free | y.free});
}
