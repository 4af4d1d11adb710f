/* SPDX-License-Identifier: MIT */
/* The expression graph: sharing, simplification, loops, depth. */
#include "test.h"

#include "expr/derive.h"
#include "support.h"

typedef struct variables {
    nh_graph *g;
    nh_expr x, y, z;
} variables;

static variables begin(void)
{
    nh_graph *g = nh_graph_new();
    return (variables){g, nh_component(g, NH_Q, 0), nh_component(g, NH_Q, 1), nh_component(g, NH_Q, 2)};
}

TEST(equal_expressions_are_one_node)
{
    variables v = begin();
    nh_graph *g = v.g;
    CHECK_EQ_INT(nh_add(g, v.x, v.y), nh_add(g, v.y, v.x));
    CHECK_EQ_INT(nh_mul(g, v.x, v.y), nh_mul(g, v.y, v.x));
    CHECK_EQ_INT(nh_call(g, NH_F_sin, v.x, 0), nh_call(g, NH_F_sin, nh_component(g, NH_Q, 0), 0));
    CHECK(nh_div(g, v.x, v.y) != nh_div(g, v.y, v.x));
    uint32_t size = nh_graph_size(g);
    nh_add(g, nh_mul(g, v.x, v.y), nh_call(g, NH_F_sin, v.x, 0));
    nh_add(g, nh_call(g, NH_F_sin, v.x, 0), nh_mul(g, v.y, v.x));
    CHECK(nh_graph_size(g) <= size + 2); /* the sum, and perhaps the number one */
    nh_graph_free(g);
}

TEST(numbers_stay_exact)
{
    variables v = begin();
    nh_graph *g = v.g;
    nh_expr tenth = nh_constant(g, nh_number_parse("0.1", 3));
    CHECK_EQ_INT(nh_add(g, tenth, nh_add(g, tenth, tenth)), nh_ratio(g, 3, 10));
    CHECK_EQ_INT(nh_mul(g, nh_ratio(g, 1, 3), nh_integer(g, 3)), nh_integer(g, 1));
    CHECK_EQ_INT(nh_power(g, nh_ratio(g, -2, 3), 3), nh_ratio(g, -8, 27));
    CHECK_EQ_INT(nh_call(g, NH_F_sqrt, nh_ratio(g, 9, 4), 0), nh_ratio(g, 3, 2));
    nh_expr big = nh_constant(g, nh_number_parse("1e40", 4));
    CHECK(nh_get(g, nh_mul(g, big, big)).op == NH_MUL); /* not representable exactly: stays an operation */
    CHECK(nh_get(g, nh_div(g, v.x, nh_integer(g, 0))).op == NH_DIV);
    nh_graph_free(g);
}

TEST(simplification)
{
    variables v = begin();
    nh_graph *g = v.g;
    nh_expr zero = nh_integer(g, 0), one = nh_integer(g, 1), two = nh_integer(g, 2);
    CHECK_EQ_INT(nh_add(g, v.x, zero), v.x);
    CHECK_EQ_INT(nh_mul(g, v.x, zero), zero);
    CHECK_EQ_INT(nh_mul(g, v.x, one), v.x);
    CHECK_EQ_INT(nh_sub(g, v.x, v.x), zero);
    CHECK_EQ_INT(nh_div(g, v.x, v.x), one);
    CHECK_EQ_INT(nh_neg(g, nh_neg(g, v.x)), v.x);
    CHECK_EQ_INT(nh_add(g, v.x, v.x), nh_mul(g, two, v.x));
    CHECK_EQ_INT(nh_mul(g, v.x, v.x), nh_power(g, v.x, 2));
    CHECK_EQ_INT(nh_mul(g, nh_power(g, v.x, 2), nh_power(g, v.x, 3)), nh_power(g, v.x, 5));
    CHECK_EQ_INT(nh_div(g, nh_power(g, v.x, 5), nh_power(g, v.x, 3)), nh_power(g, v.x, 2));
    CHECK_EQ_INT(nh_sub(g, nh_add(g, v.x, v.y), v.y), v.x);
    CHECK_EQ_INT(nh_mul(g, nh_div(g, v.x, v.y), v.y), v.x);
    CHECK_EQ_INT(nh_div(g, nh_mul(g, v.x, v.y), v.y), v.x);
    CHECK_EQ_INT(nh_mul(g, nh_div(g, v.x, two), two), v.x);
    CHECK_EQ_INT(nh_call(g, NH_F_sin, nh_neg(g, v.x), 0), nh_neg(g, nh_call(g, NH_F_sin, v.x, 0)));
    CHECK_EQ_INT(nh_call(g, NH_F_cos, nh_neg(g, v.x), 0), nh_call(g, NH_F_cos, v.x, 0));
    CHECK_EQ_INT(nh_power(g, nh_call(g, NH_F_sqrt, v.x, 0), 2), v.x);
    CHECK_EQ_INT(nh_call(g, NH_F_sqrt, nh_power(g, v.x, 2), 0), nh_call(g, NH_F_abs, v.x, 0));
    CHECK_EQ_INT(nh_pow(g, v.x, nh_ratio(g, 1, 2)), nh_call(g, NH_F_sqrt, v.x, 0));
    CHECK_EQ_INT(nh_pow(g, v.x, nh_integer(g, -2)), nh_div(g, one, nh_power(g, v.x, 2)));
    nh_graph_free(g);
}

TEST(sums_over_an_index)
{
    variables v = begin();
    nh_graph *g = v.g;
    nh_expr qi = nh_variable(g, NH_Q, subscript(0, 1)), square = nh_power(g, qi, 2);
    nh_expr sum = nh_sum(g, NH_OPEN, nh_affine_constant(5), square);
    CHECK_EQ_INT(nh_get(g, sum).op, NH_SUM);
    CHECK_EQ_INT(nh_get(g, sum).free, 0);
    /* the name of the open index does not matter */
    nh_expr qj = nh_reindex(g, square, NH_OPEN, nh_affine_index(NH_OPEN + 3));
    CHECK_EQ_INT(nh_sum(g, NH_OPEN + 3, nh_affine_constant(5), qj), sum);
    /* what does not vary comes out; empty and single ranges vanish */
    CHECK_EQ_INT(nh_sum(g, NH_OPEN, nh_affine_constant(5), nh_mul(g, v.x, square)), nh_mul(g, v.x, sum));
    CHECK_EQ_INT(nh_sum(g, NH_OPEN, nh_affine_constant(0), square), nh_integer(g, 0));
    CHECK_EQ_INT(nh_sum(g, NH_OPEN, nh_affine_constant(1), square), nh_power(g, v.x, 2));
    CHECK_EQ_INT(nh_sum(g, NH_OPEN, nh_affine_constant(5), v.x), nh_mul(g, nh_integer(g, 5), v.x));
    CHECK_EQ_INT(nh_prod(g, NH_OPEN, nh_affine_constant(3), v.x), nh_power(g, v.x, 3));
    CHECK_EQ_INT(nh_prod(g, NH_OPEN, nh_affine_constant(0), qi), nh_integer(g, 1));
    nh_expr written = nh_expand(g, nh_sum(g, NH_OPEN, nh_affine_constant(3), qi));
    CHECK_EQ_INT(written, nh_add(g, nh_add(g, v.x, v.y), v.z));
    nh_graph_free(g);
}

TEST(nested_sums_keep_their_indices_apart)
{
    variables v = begin();
    nh_graph *g = v.g;
    /* Σ_i q_i Σ_{j≤i} q_j, i < 3 */
    nh_expr qi = nh_variable(g, NH_Q, nh_affine_index(NH_OPEN)),
            qj = nh_variable(g, NH_Q, nh_affine_index(NH_OPEN + 1));
    nh_expr inner = nh_sum(g, NH_OPEN + 1, subscript(1, 1), qj);
    nh_expr outer = nh_sum(g, NH_OPEN, nh_affine_constant(3), nh_mul(g, qi, inner));
    nh_quad q[3] = {2, 3, 5}, want = 2 * 2 + 3 * (2 + 3) + 5 * (2 + 3 + 5);
    const nh_quad *x[NH_SPACES] = {[NH_Q] = q};
    CHECK(value_at(g, outer, x, 0) == want);
    CHECK(value_at(g, nh_expand(g, outer), x, 0) == want);
    nh_expr square = nh_mul(g, outer, outer);
    CHECK(value_at(g, square, x, 0) == want * want);
    /* Σ_i Σ_{j<i} q_j/i: the sum that is empty, at i = 0, is not 0/0 */
    nh_expr quotient = nh_div(g, qj, nh_index_value(g, nh_affine_index(NH_OPEN)));
    nh_expr below = nh_sum(g, NH_OPEN + 1, nh_affine_index(NH_OPEN), quotient);
    CHECK(value_at(g, nh_sum(g, NH_OPEN, nh_affine_constant(3), below), x, 0) == 2 + (nh_quad)(2 + 3) / 2);
    nh_graph_free(g);
}

TEST(depth_is_no_limit)
{
    variables v = begin();
    nh_graph *g = v.g;
    nh_expr e = v.x;
    enum { DEPTH = 200000 };
    for (int i = 0; i < DEPTH; i++)
        e = nh_add(g, nh_call(g, NH_F_sin, e, 0), v.y);
    CHECK_EQ_INT(nh_graph_status(g, NULL), NH_OK);
    CHECK(nh_size(g, e) >= 2 * DEPTH);
    nh_expr d = nh_partial(g, e, NH_Q, 0);
    CHECK(d != 0);
    CHECK(nh_size(g, d) < 8u * DEPTH);
    nh_quad q[2] = {0.5, 0.25};
    const nh_quad *x[NH_SPACES] = {[NH_Q] = q};
    nh_quad value = value_at(g, e, x, 0);
    CHECK(value > 0 && value < 2);
    nh_graph_free(g);
}

TEST(degree)
{
    variables v = begin();
    nh_graph *g = v.g;
    nh_expr u = nh_component(g, NH_V, 0), w = nh_component(g, NH_V, 1);
    uint32_t in_v = 1u << NH_V;
    CHECK_EQ_INT(nh_degree(g, v.x, in_v), 0);
    CHECK_EQ_INT(nh_degree(g, nh_mul(g, nh_call(g, NH_F_sin, v.x, 0), u), in_v), 1);
    CHECK_EQ_INT(nh_degree(g, nh_add(g, nh_mul(g, u, w), nh_power(g, w, 3)), in_v), 3);
    CHECK_EQ_INT(nh_degree(g, nh_div(g, u, v.x), in_v), 1);
    CHECK_EQ_INT(nh_degree(g, nh_div(g, v.x, u), in_v), -1);
    CHECK_EQ_INT(nh_degree(g, nh_call(g, NH_F_sqrt, u, 0), in_v), -1);
    nh_graph_free(g);
}

TEST_MAIN(RUN(equal_expressions_are_one_node), RUN(numbers_stay_exact), RUN(simplification), RUN(sums_over_an_index),
          RUN(nested_sums_keep_their_indices_apart), RUN(depth_is_no_limit), RUN(degree))
