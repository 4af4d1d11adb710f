/* SPDX-License-Identifier: MIT */
/* Every elementary function: value, derivative, spelling in C; one row each. */
#include "test.h"

#include "expr/derive.h"
#include "expr/math.h"
#include "native/evaluator.h"
#include "support.h"

typedef struct row {
    nh_function f;
    double a, b;
    const char *value; /* 30 digits, by an independent computation */
} row;

static const row rows[] = {
    {NH_F_sqrt, 0.7, 0, "0.836660026534075547978172025785"},
    {NH_F_exp, 0.7, 0, "2.01375270747047652162454938858"},
    {NH_F_log, 0.7, 0, "-0.356674943938732378912638711241"},
    {NH_F_sin, 0.7, 0, "0.644217687237691053672614351399"},
    {NH_F_cos, 0.7, 0, "0.764842187284488426255859990192"},
    {NH_F_tan, 0.7, 0, "0.842288380463079448128135002213"},
    {NH_F_asin, 0.7, 0, "0.775397496610753063740353352715"},
    {NH_F_acos, 0.7, 0, "0.795398830184143555490968338925"},
    {NH_F_atan, 0.7, 0, "0.610725964389208616543758876491"},
    {NH_F_sinh, 0.7, 0, "0.758583701839533503459874647592"},
    {NH_F_cosh, 0.7, 0, "1.25516900563094301816467474099"},
    {NH_F_tanh, 0.7, 0, "0.604367777117163496308687183104"},
    {NH_F_abs, -0.7, 0, "0.7"},
    {NH_F_sign, -0.7, 0, "-1"},
    {NH_F_atan2, 0.7, -1.3, "2.64765128467021202084258715889"},
    {NH_F_min, 0.7, 1.3, "0.7"},
    {NH_F_max, 0.7, 1.3, "1.3"},
    {NH_F_less, 0.7, 1.3, "1"},
    {NH_F_pow, 0.7, 1.3, "0.628966409253447833105544343779"},
};
enum { ROWS = sizeof rows / sizeof *rows };

static nh_expr decimal(nh_graph *g, double x)
{
    char text[32];
    int length = snprintf(text, sizeof text, "%g", fabs(x));
    nh_expr e = nh_constant(g, nh_number_parse(text, (size_t)length));
    return x < 0 ? nh_neg(g, e) : e;
}

/* f(a + x, b + y) at x = y = 0: the arguments are decimals, exact in quad. */
static nh_expr call(nh_graph *g, const row *r)
{
    nh_expr a = nh_add(g, decimal(g, r->a), nh_component(g, NH_Q, 0));
    nh_expr b = nh_add(g, decimal(g, r->b), nh_component(g, NH_Q, 1));
    return nh_call(g, r->f, a, nh_function_get(r->f)->arguments == 2 ? b : 0);
}

TEST(every_function_has_a_row)
{
    CHECK_EQ_INT(ROWS, NH_FUNCTIONS);
    for (int i = 0; i < ROWS; i++) {
        CHECK_EQ_INT(rows[i].f, i);
        CHECK_EQ_INT(nh_function_find(nh_function_get(rows[i].f)->name), i);
    }
    CHECK_EQ_INT(nh_function_find("sine"), NH_FUNCTIONS);
}

TEST(values)
{
    for (int i = 0; i < ROWS; i++) {
        nh_graph *g = nh_graph_new();
        nh_quad q[2] = {0, 0}, want = nh_quad_parse(rows[i].value, NULL);
        const nh_quad *x[NH_SPACES] = {[NH_Q] = q};
        CHECK_NEAR((double)(value_at(g, call(g, &rows[i]), x, 0) - want), 0, 1e-29);
        nh_graph_free(g);
    }
}

TEST(derivatives)
{
    for (int i = 0; i < ROWS; i++)
        for (int k = 0; k < nh_function_get(rows[i].f)->arguments; k++) {
            nh_graph *g = nh_graph_new();
            nh_expr f = call(g, &rows[i]), df = nh_partial(g, f, NH_Q, k);
            nh_quad q[2] = {0, 0};
            nh_quad *x[NH_SPACES] = {[NH_Q] = q};
            nh_quad symbolic = value_at(g, df, (const nh_quad *const *)x, 0);
            CHECK_NEAR((double)(symbolic - difference_at(g, f, x, NH_Q, k, 0)), 0, 1e-23);
            nh_expr ddf = nh_partial(g, df, NH_Q, k);
            nh_quad second = value_at(g, ddf, (const nh_quad *const *)x, 0);
            CHECK_NEAR((double)(second - difference_at(g, df, x, NH_Q, k, 0)), 0, 1e-21);
            nh_graph_free(g);
        }
}

/* All functions in one program; the four lanes have different arguments. */
static nh_program *all_functions(nh_graph *g)
{
    nh_field f = {.rows = ROWS, .columns = 1};
    nh_program *p = NULL;
    for (int i = 0; i < ROWS; i++)
        nh_field_set(&f, i, 0, call(g, &rows[i]));
    CHECK_EQ_INT(nh_program_new(g, &f, NULL, 1, 0, &p, NULL), NH_OK);
    nh_field_free(&f);
    return p;
}

TEST(spelling_in_c)
{
    nh_graph *g = nh_graph_new();
    nh_program *p = all_functions(g);
    double q4[8] = {0, 0.01, 0.02, 0.03, 0, -0.01, 0.04, 0.02}, y[3][ROWS * 4], q1[2], y1[ROWS], c[4 * 64];
    const double *x[NH_SPACES] = {[NH_Q] = q4}, *x1[NH_SPACES] = {[NH_Q] = q1};
    const char *compiler[] = {NULL, "gcc", "clang"};
    for (int k = 0; k < 3; k++) {
        nh_evaluator *e = NULL;
        nh_native_options o = {.compiler = compiler[k]};
        CHECK_EQ_INT(nh_evaluator_new(p, k ? NH_NATIVE : NH_TAPE, 4, &o, &e, NULL), NH_OK);
        CHECK_STR(nh_evaluator_note(e), "");
        nh_evaluate(e, 0, c, x, c);
        nh_evaluate(e, 1, c, x, y[k]);
        nh_evaluator_free(e);
    }
    CHECK(memcmp(y[0], y[1], sizeof y[0]) == 0);
    CHECK(memcmp(y[0], y[2], sizeof y[0]) == 0);
    nh_evaluator *one = NULL;
    CHECK_EQ_INT(nh_evaluator_new(p, NH_TAPE, 1, NULL, &one, NULL), NH_OK);
    for (int lane = 0; lane < 4; lane++) {
        q1[0] = q4[lane], q1[1] = q4[4 + lane];
        nh_evaluate(one, 0, c, x1, c);
        nh_evaluate(one, 1, c, x1, y1);
        for (int i = 0; i < ROWS; i++)
            CHECK(memcmp(&y1[i], &y[0][4 * i + lane], sizeof(double)) == 0);
    }
    for (int i = 0; i < ROWS; i++)
        CHECK_NEAR(y[0][4 * i], (double)nh_quad_parse(rows[i].value, NULL), 4e-16);
    nh_evaluator_free(one);
    nh_program_free(p);
    nh_graph_free(g);
}

TEST_MAIN(RUN(every_function_has_a_row), RUN(values), RUN(derivatives), RUN(spelling_in_c))
