/* SPDX-License-Identifier: MIT */
/* Derivatives and spellings of the elementary functions. */
#include "expr/function.h"

#include "expr/graph.h"

#include <stddef.h>
#include <string.h>

#define PARTIAL(name) static nh_expr name(nh_graph *g, nh_expr f, nh_expr a, nh_expr b)
#define UNUSED(x)     ((void)(x))

PARTIAL(d_sqrt) /* 1/(2√a) */
{
    UNUSED(a), UNUSED(b);
    return nh_div(g, nh_ratio(g, 1, 2), f);
}

PARTIAL(d_exp)
{
    UNUSED(g), UNUSED(a), UNUSED(b);
    return f;
}

PARTIAL(d_log)
{
    UNUSED(f), UNUSED(b);
    return nh_div(g, nh_integer(g, 1), a);
}

PARTIAL(d_sin)
{
    UNUSED(f), UNUSED(b);
    return nh_call(g, NH_F_cos, a, 0);
}

PARTIAL(d_cos)
{
    UNUSED(f), UNUSED(b);
    return nh_neg(g, nh_call(g, NH_F_sin, a, 0));
}

PARTIAL(d_tan) /* 1 + tan² */
{
    UNUSED(a), UNUSED(b);
    return nh_add(g, nh_integer(g, 1), nh_power(g, f, 2));
}

static nh_expr one_minus_square(nh_graph *g, nh_expr a)
{
    return nh_sub(g, nh_integer(g, 1), nh_power(g, a, 2));
}

PARTIAL(d_asin)
{
    UNUSED(f), UNUSED(b);
    return nh_div(g, nh_integer(g, 1), nh_call(g, NH_F_sqrt, one_minus_square(g, a), 0));
}

PARTIAL(d_acos)
{
    return nh_neg(g, d_asin(g, f, a, b));
}

PARTIAL(d_atan)
{
    UNUSED(f), UNUSED(b);
    return nh_div(g, nh_integer(g, 1), nh_add(g, nh_integer(g, 1), nh_power(g, a, 2)));
}

PARTIAL(d_sinh)
{
    UNUSED(f), UNUSED(b);
    return nh_call(g, NH_F_cosh, a, 0);
}

PARTIAL(d_cosh)
{
    UNUSED(f), UNUSED(b);
    return nh_call(g, NH_F_sinh, a, 0);
}

PARTIAL(d_tanh)
{
    UNUSED(a), UNUSED(b);
    return one_minus_square(g, f);
}

PARTIAL(d_abs)
{
    UNUSED(f), UNUSED(b);
    return nh_call(g, NH_F_sign, a, 0);
}

PARTIAL(d_zero) /* piecewise constant functions: the derivative at a jump is taken as 0 */
{
    UNUSED(f), UNUSED(a), UNUSED(b);
    return nh_integer(g, 0);
}

static nh_expr square_sum(nh_graph *g, nh_expr a, nh_expr b)
{
    return nh_add(g, nh_power(g, a, 2), nh_power(g, b, 2));
}

PARTIAL(d_atan2_y)
{
    UNUSED(f);
    return nh_div(g, b, square_sum(g, a, b));
}

PARTIAL(d_atan2_x)
{
    UNUSED(f);
    return nh_neg(g, nh_div(g, a, square_sum(g, a, b)));
}

PARTIAL(d_min_a) /* min(a,b) is a where a < b, else b */
{
    UNUSED(f);
    return nh_call(g, NH_F_less, a, b);
}

PARTIAL(d_min_b)
{
    UNUSED(f);
    return nh_sub(g, nh_integer(g, 1), nh_call(g, NH_F_less, a, b));
}

PARTIAL(d_max_a) /* max(a,b) is a where b < a, else b */
{
    return d_min_a(g, f, b, a);
}

PARTIAL(d_max_b)
{
    return d_min_b(g, f, b, a);
}

PARTIAL(d_pow_a) /* b a^(b-1) */
{
    UNUSED(f);
    return nh_mul(g, b, nh_pow(g, a, nh_sub(g, b, nh_integer(g, 1))));
}

PARTIAL(d_pow_b) /* a^b log a */
{
    UNUSED(b);
    return nh_mul(g, f, nh_call(g, NH_F_log, a, 0));
}

const nh_function_row *nh_function_get(nh_function f)
{
    static const nh_function_row row[NH_FUNCTIONS] = {
        [NH_F_sqrt] = {"sqrt", "\\sqrt", 1, 0, 0, d_sqrt, NULL},
        [NH_F_exp] = {"exp", "\\exp", 1, 0, 1, d_exp, NULL},
        [NH_F_log] = {"log", "\\log", 1, 0, -1, d_log, NULL},
        [NH_F_sin] = {"sin", "\\sin", 1, -1, 0, d_sin, NULL},
        [NH_F_cos] = {"cos", "\\cos", 1, 1, 1, d_cos, NULL},
        [NH_F_tan] = {"tan", "\\tan", 1, -1, 0, d_tan, NULL},
        [NH_F_asin] = {"asin", "\\arcsin", 1, -1, 0, d_asin, NULL},
        [NH_F_acos] = {"acos", "\\arccos", 1, 0, -1, d_acos, NULL},
        [NH_F_atan] = {"atan", "\\arctan", 1, -1, 0, d_atan, NULL},
        [NH_F_sinh] = {"sinh", "\\sinh", 1, -1, 0, d_sinh, NULL},
        [NH_F_cosh] = {"cosh", "\\cosh", 1, 1, 1, d_cosh, NULL},
        [NH_F_tanh] = {"tanh", "\\tanh", 1, -1, 0, d_tanh, NULL},
        [NH_F_abs] = {"abs", "\\operatorname{abs}", 1, 1, 0, d_abs, NULL},
        [NH_F_sign] = {"sign", "\\operatorname{sign}", 1, -1, 0, d_zero, NULL},
        [NH_F_atan2] = {"atan2", "\\operatorname{atan2}", 2, 0, -1, d_atan2_y, d_atan2_x},
        [NH_F_min] = {"min", "\\min", 2, 0, -1, d_min_a, d_min_b},
        [NH_F_max] = {"max", "\\max", 2, 0, -1, d_max_a, d_max_b},
        [NH_F_less] = {"less", "\\operatorname{less}", 2, 0, -1, d_zero, d_zero},
        [NH_F_pow] = {"pow", "\\operatorname{pow}", 2, 0, -1, d_pow_a, d_pow_b},
    };
    return &row[f];
}

nh_function nh_function_find(const char *name)
{
    nh_function f = 0;
    while (f < NH_FUNCTIONS && strcmp(nh_function_get(f)->name, name) != 0)
        f++;
    return f;
}
