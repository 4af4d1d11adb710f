/* SPDX-License-Identifier: MIT */
/* Both analyses give every node a small number, operands first. */
#include "analysis/scaling.h"

#include "base/map.h"

#include <stdlib.h>

/* --- parity --- */

static int parity_of_call(nh_node n, int a, int b)
{
    bool two = n.b != 0;
    int parity = nh_function_get(n.function)->parity;
    if (a == 1 && (!two || b == 1))
        return 1;
    if (n.function == NH_F_atan2)
        return a == -1 && b == 1 ? -1 : 0;
    return parity < 0 ? a : parity > 0 && a != 0;
}

static int parity_of(const nh_graph *g, nh_expr e, int a, int b, nh_sign_of *sign_of, void *context)
{
    nh_node n = nh_get(g, e);
    switch ((nh_op)n.op) {
    case NH_VARIABLE:
        return sign_of(context, n.space, nh_get_affine(g, e));
    case NH_ADD:
        return a == b ? a : 0;
    case NH_MUL:
    case NH_DIV:
        return a * b;
    case NH_POWER:
        return n.exponent % 2 ? a : a * a;
    case NH_CALL:
        return parity_of_call(n, a, b);
    case NH_SUM:
        return a;
    case NH_PROD: {
        nh_affine count = nh_get_affine(g, e);
        return a != -1 ? a : count.terms ? 0 : count.constant % 2 ? -1 : 1;
    }
    default:
        return 1;
    }
}

int nh_parity(nh_graph *g, nh_expr e, nh_sign_of *sign_of, void *context)
{
    uint32_t length;
    nh_expr *list = nh_reachable(g, &e, 1, &length);
    nh_map memo = {0}; /* parity + 2 */
    for (uint32_t i = 0; list && i < length; i++) {
        nh_node n = nh_get(g, list[i]);
        int a = (int)nh_map_get(&memo, n.a) - 2, b = (int)nh_map_get(&memo, n.b) - 2;
        nh_map_set(&memo, list[i], (uint32_t)(parity_of(g, list[i], a, b, sign_of, context) + 2));
    }
    const bool good = list && !memo.failed;
    int parity = good && e ? (int)nh_map_get(&memo, e) - 2 : 0;
    if (!good)
        nh_graph_no_memory(g);
    nh_map_free(&memo);
    free(list);
    return parity;
}

/* --- scale --- */

enum { NONE = -(1 << 20) }; /* no degree */

static int64_t degree_of_call(nh_node n, int64_t a, int64_t b)
{
    switch ((nh_function)n.function) {
    case NH_F_sqrt:
        return a % 2 ? NONE : a / 2;
    case NH_F_abs:
        return a;
    case NH_F_sign:
        return 0;
    case NH_F_min:
    case NH_F_max:
        return a == b ? a : NONE;
    case NH_F_less:
    case NH_F_atan2:
        return a == b ? 0 : NONE;
    default:
        return a == 0 && (!n.b || b == 0) ? 0 : NONE;
    }
}

static int64_t degree_of(const nh_graph *g, nh_expr e, int64_t a, int64_t b, uint32_t spaces)
{
    nh_node n = nh_get(g, e);
    if (!(n.spaces & spaces))
        return 0;
    if (n.op == NH_VARIABLE)
        return NH_SCALING_UNIT;
    if (a == NONE || (n.b && b == NONE))
        return NONE;
    switch ((nh_op)n.op) {
    case NH_ADD:
        return a == b ? a : NONE;
    case NH_MUL:
        return a + b;
    case NH_DIV:
        return a - b;
    case NH_POWER:
        return a * n.exponent;
    case NH_CALL:
        return degree_of_call(n, a, b);
    case NH_SUM:
        return a;
    case NH_PROD: {
        nh_affine count = nh_get_affine(g, e);
        return a == 0 ? 0 : count.terms ? NONE : a * count.constant;
    }
    default:
        return NONE;
    }
}

bool nh_homogeneous(nh_graph *g, nh_expr e, uint32_t spaces, int *degree)
{
    uint32_t length;
    nh_expr *list = nh_reachable(g, &e, 1, &length);
    nh_map memo = {0}; /* degree − 2·NONE: never 0 */
    for (uint32_t i = 0; list && i < length; i++) {
        nh_node n = nh_get(g, list[i]);
        int64_t a = (int64_t)nh_map_get(&memo, n.a) + 2 * NONE, b = (int64_t)nh_map_get(&memo, n.b) + 2 * NONE;
        int64_t d = degree_of(g, list[i], a, b, spaces);
        nh_map_set(&memo, list[i], (uint32_t)((d > NONE && d < -NONE ? d : NONE) - 2 * NONE));
    }
    const bool good = list && !memo.failed;
    *degree = good && e ? (int)nh_map_get(&memo, e) + 2 * NONE : NONE;
    if (!good)
        nh_graph_no_memory(g);
    nh_map_free(&memo);
    free(list);
    return *degree != NONE;
}
