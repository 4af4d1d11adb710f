/* SPDX-License-Identifier: MIT */
/* Gradients, Jacobians and tangents of families, entry by entry against differences in quad precision. */
#include "test.h"

#include "native/evaluator.h"
#include "support.h"

#include <stdlib.h>

enum { SIZE = 12 };

typedef struct point {
    nh_quad q[SIZE], v[SIZE], dq[SIZE], dv[SIZE], lambda[SIZE];
    nh_quad *x[NH_SPACES];
} point;

static void random_point(point *p, uint64_t seed)
{
    *p = (point){0};
    for (int i = 0; i < SIZE; i++) {
        p->q[i] = 0.2 + next_uniform(&seed);
        p->v[i] = next_uniform(&seed) - 0.5;
        p->dq[i] = next_uniform(&seed) - 0.5;
        p->dv[i] = next_uniform(&seed) - 0.5;
        p->lambda[i] = next_uniform(&seed);
    }
    p->x[NH_Q] = p->q, p->x[NH_V] = p->v, p->x[NH_D_Q] = p->dq, p->x[NH_D_V] = p->dv, p->x[NH_LAMBDA] = p->lambda;
}

static nh_expr q_at(nh_graph *g, nh_affine a)
{
    return nh_variable(g, NH_Q, a);
}

static nh_expr power_sum(nh_graph *g) /* Σ_{i<n} q_i² */
{
    return nh_sum(g, NH_OPEN, nh_affine_constant(SIZE), nh_power(g, q_at(g, subscript(0, 1)), 2));
}

static nh_expr chain(nh_graph *g) /* Σ cos(q_{i+1} − q_i): neighbours */
{
    nh_expr d = nh_sub(g, q_at(g, subscript(1, 1)), q_at(g, subscript(0, 1)));
    return nh_sum(g, NH_OPEN, nh_affine_constant(SIZE - 1), nh_call(g, NH_F_cos, d, 0));
}

static nh_expr mirrored(nh_graph *g) /* Σ q_i q_{n-1-i}² over half the range, and single entries */
{
    nh_expr e = nh_sum(g, NH_OPEN, nh_affine_constant(SIZE / 2),
                       nh_mul(g, q_at(g, subscript(0, 1)), nh_power(g, q_at(g, subscript(SIZE - 1, -1)), 2)));
    return nh_add(g, e, nh_mul(g, nh_component(g, NH_Q, 3), nh_call(g, NH_F_exp, nh_component(g, NH_Q, 0), 0)));
}

static nh_expr strided(nh_graph *g) /* Σ q_{2i} q_{2i+1} q_i */
{
    nh_expr e = nh_mul(g, q_at(g, subscript(0, 2)), q_at(g, subscript(1, 2)));
    return nh_sum(g, NH_OPEN, nh_affine_constant(SIZE / 2), nh_mul(g, e, q_at(g, subscript(0, 1))));
}

static nh_expr triangular(nh_graph *g) /* Σ_i v_i (Σ_{j≤i} sin q_j)² */
{
    nh_expr inner =
        nh_sum(g, NH_OPEN + 1, subscript(1, 1), nh_call(g, NH_F_sin, q_at(g, nh_affine_index(NH_OPEN + 1)), 0));
    return nh_sum(g, NH_OPEN, nh_affine_constant(SIZE),
                  nh_mul(g, nh_variable(g, NH_V, subscript(0, 1)), nh_power(g, inner, 2)));
}

static nh_expr pairs(nh_graph *g) /* Σ_i Σ_j sqrt(1 + (q_i − q_j)²) */
{
    nh_expr d = nh_sub(g, q_at(g, nh_affine_index(NH_OPEN)), q_at(g, nh_affine_index(NH_OPEN + 1)));
    nh_expr e = nh_call(g, NH_F_sqrt, nh_add(g, nh_integer(g, 1), nh_power(g, d, 2)), 0);
    e = nh_sum(g, NH_OPEN + 1, nh_affine_constant(SIZE), e);
    return nh_sum(g, NH_OPEN, nh_affine_constant(SIZE), e);
}

static nh_expr nonlinear(nh_graph *g) /* sin(Σ q) · (Σ q²)²  / (1 + q_2²) */
{
    nh_expr sum = nh_sum(g, NH_OPEN, nh_affine_constant(SIZE), q_at(g, subscript(0, 1)));
    nh_expr e = nh_mul(g, nh_call(g, NH_F_sin, sum, 0), nh_power(g, power_sum(g), 2));
    return nh_div(g, e, nh_add(g, nh_integer(g, 1), nh_power(g, nh_component(g, NH_Q, 2), 2)));
}

static nh_expr product(nh_graph *g) /* Π cos(q_i − q_{i+1}) · Σ v */
{
    nh_expr d = nh_sub(g, q_at(g, subscript(0, 1)), q_at(g, subscript(1, 1)));
    nh_expr p = nh_prod(g, NH_OPEN, nh_affine_constant(SIZE - 1), nh_call(g, NH_F_cos, d, 0));
    return nh_mul(g, p, nh_sum(g, NH_OPEN, nh_affine_constant(SIZE), nh_variable(g, NH_V, subscript(0, 1))));
}

static nh_expr outer_factor(nh_graph *g) /* Σ_i cos(q_0) q_i i: a factor from outside, an index as a number */
{
    nh_expr i = nh_index_value(g, subscript(1, 1));
    nh_expr angle = nh_mul(g, nh_component(g, NH_Q, 0), q_at(g, subscript(0, 1)));
    return nh_sum(g, NH_OPEN, nh_affine_constant(SIZE), nh_mul(g, i, nh_call(g, NH_F_cos, angle, 0)));
}

typedef nh_expr function_of(nh_graph *g);
static function_of *const functions[] = {power_sum, chain,   mirrored,  strided,     triangular,
                                         pairs,     product, nonlinear, outer_factor};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

static double relative(nh_quad a, nh_quad b)
{
    nh_quad scale = nh_quad_abs(b) > 1 ? nh_quad_abs(b) : 1;
    return (double)(nh_quad_abs(a - b) / scale);
}

/* Runs a field's tape in quad at a point. */
static void field_at(nh_graph *g, const nh_field *f, const point *p, nh_quad *y)
{
    nh_program *program = NULL;
    nh_error error;
    if (!CHECK_EQ_INT(nh_program_new(g, f, NULL, 1, 0, &program, &error), NH_OK))
        return;
    nh_quad *work = malloc((nh_program_work(program) + 1) * sizeof *work), c[64];
    CHECK(nh_program_constants(program) <= 64);
    nh_tape_prepare_quad(program, work);
    nh_tape_run_quad(program, 0, c, (const nh_quad *const *)p->x, c, work);
    nh_tape_run_quad(program, 1, c, (const nh_quad *const *)p->x, y, work);
    free(work);
    nh_program_free(program);
}

TEST(gradients)
{
    for (int k = 0; k < FUNCTIONS; k++) {
        nh_graph *g = nh_graph_new();
        nh_expr e = functions[k](g);
        nh_field f;
        CHECK_EQ_INT(nh_gradient(g, e, NH_Q, SIZE, &f, NULL), NH_OK);
        point p;
        nh_quad y[SIZE];
        random_point(&p, (uint64_t)k);
        field_at(g, &f, &p, y);
        for (int i = 0; i < SIZE; i++) {
            nh_quad want = difference_at(g, e, p.x, NH_Q, i, 0);
            CHECK_NEAR(relative(y[i], want), 0, 1e-22);
            nh_expr entry = nh_field_entry(g, &f, i, 0);
            CHECK_NEAR(relative(value_at(g, entry, (const nh_quad *const *)p.x, 0), y[i]), 0, 1e-30);
        }
        nh_field_free(&f);
        nh_graph_free(g);
    }
}

TEST(second_derivatives)
{
    static nh_quad y[SIZE * SIZE];
    for (int k = 0; k < FUNCTIONS; k++) {
        nh_graph *g = nh_graph_new();
        nh_field f, d;
        CHECK_EQ_INT(nh_gradient(g, functions[k](g), NH_Q, SIZE, &f, NULL), NH_OK);
        CHECK_EQ_INT(nh_field_jacobian(g, &f, NH_Q, SIZE, &d, NULL), NH_OK);
        point p;
        random_point(&p, (uint64_t)k + 100);
        field_at(g, &d, &p, y);
        for (int i = 0; i < SIZE; i++)
            for (int j = 0; j < SIZE; j++) {
                nh_quad want = difference_at(g, nh_field_entry(g, &f, i, 0), p.x, NH_Q, j, 0);
                CHECK_NEAR(relative(y[i * SIZE + j], want), 0, 1e-22);
                CHECK_NEAR(relative(y[i * SIZE + j], y[j * SIZE + i]), 0, 1e-30);
            }
        nh_field_free(&f);
        nh_field_free(&d);
        nh_graph_free(g);
    }
}

TEST(tangents)
{
    for (int k = 0; k < FUNCTIONS; k++) {
        nh_graph *g = nh_graph_new();
        nh_expr e = functions[k](g), tangent = nh_tangent(g, e, 1u << NH_Q | 1u << NH_V);
        nh_expr third = nh_tangent(g, nh_tangent(g, tangent, 1u << NH_Q), 1u << NH_Q);
        point p;
        random_point(&p, (uint64_t)k + 200);
        nh_quad want = 0, want_third = 0;
        nh_expr second = nh_tangent(g, tangent, 1u << NH_Q);
        for (int i = 0; i < SIZE; i++) {
            want += p.dq[i] * difference_at(g, e, p.x, NH_Q, i, 0) + p.dv[i] * difference_at(g, e, p.x, NH_V, i, 0);
            want_third += p.dq[i] * difference_at(g, second, p.x, NH_Q, i, 0);
        }
        CHECK_NEAR(relative(value_at(g, tangent, (const nh_quad *const *)p.x, 0), want), 0, 1e-21);
        CHECK_NEAR(relative(value_at(g, third, (const nh_quad *const *)p.x, 0), want_third), 0, 1e-20);
        nh_graph_free(g);
    }
}

/* No less than the derivatives say, and no more where all terms have one sign. */
TEST(reaches)
{
    for (int k = 0; k < FUNCTIONS; k++) {
        nh_graph *g = nh_graph_new();
        nh_expr e = functions[k](g), reach = nh_reach(g, e, 1u << NH_Q | 1u << NH_V);
        point p;
        random_point(&p, (uint64_t)k + 300);
        nh_quad least = 0;
        for (int i = 0; i < SIZE; i++)
            least += nh_quad_abs(p.q[i] * difference_at(g, e, p.x, NH_Q, i, 0)) +
                     nh_quad_abs(p.v[i] * difference_at(g, e, p.x, NH_V, i, 0));
        const nh_quad is = value_at(g, reach, (const nh_quad *const *)p.x, 0);
        CHECK(is > least * (nh_quad)(1 - 1e-15));
        if (functions[k] == power_sum || functions[k] == strided || functions[k] == mirrored)
            CHECK_NEAR(relative(is, least), 0, 1e-21);
        nh_graph_free(g);
    }
}

/* A family's derivative is as long for 400 entries as for 999, on the tape and in C. */
TEST(length_does_not_grow_with_the_range)
{
    uint32_t lines[2], pieces[2];
    size_t source[2];
    for (int k = 0; k < 2; k++) {
        int n = k ? 999 : 400;
        nh_graph *g = nh_graph_new();
        nh_expr d = nh_sub(g, q_at(g, subscript(1, 1)), q_at(g, subscript(0, 1)));
        nh_expr e = nh_sum(g, NH_OPEN, nh_affine_constant(n - 1), nh_call(g, NH_F_cos, d, 0));
        nh_field f[3] = {{.rows = 1, .columns = 1}};
        nh_text text = {0};
        CHECK(nh_field_set(&f[0], 0, 0, e));
        CHECK_EQ_INT(nh_gradient(g, e, NH_Q, n, &f[1], NULL), NH_OK);
        CHECK_EQ_INT(nh_field_jacobian(g, &f[1], NH_Q, n, &f[2], NULL), NH_OK);
        nh_program *p = NULL;
        CHECK_EQ_INT(nh_program_new(g, f, (nh_layout[]){NH_DENSE, NH_DENSE, NH_SPARSE}, 3, 0, &p, NULL), NH_OK);
        lines[k] = nh_program_length(p, 1) + nh_program_length(p, 2) + nh_program_length(p, 3);
        pieces[k] = f[2].pieces;
        nh_program_emit(p, 1, &text);
        source[k] = 0;
        for (const char *s = nh_text_get(&text); *s; s++)
            source[k] += *s == '\n';
        nh_text_free(&text);
        nh_program_free(p);
        for (int i = 0; i < 3; i++)
            nh_field_free(&f[i]);
        nh_graph_free(g);
    }
    CHECK_EQ_INT(lines[0], lines[1]);
    CHECK_EQ_INT(pieces[0], pieces[1]);
    CHECK_EQ_INT(source[0], source[1]);
}

/* Loops of every shape: kept in C, written out on the tape; kept on the tape too where the range is long. */
TEST(tape_and_c_agree)
{
    enum { LONG = 300 };
    nh_graph *g = nh_graph_new();
    nh_field f[2 * FUNCTIONS + 2];
    for (int k = 0; k < FUNCTIONS; k++) {
        CHECK_EQ_INT(nh_gradient(g, functions[k](g), NH_Q, SIZE, &f[2 * k], NULL), NH_OK);
        CHECK_EQ_INT(nh_field_jacobian(g, &f[2 * k], NH_Q, SIZE, &f[2 * k + 1], NULL), NH_OK);
    }
    nh_expr inner = nh_sum(g, NH_OPEN + 1, subscript(0, 1), nh_power(g, q_at(g, nh_affine_index(NH_OPEN + 1)), 3));
    nh_expr deep = nh_sum(g, NH_OPEN, nh_affine_constant(LONG), nh_mul(g, q_at(g, subscript(0, 1)), inner));
    CHECK_EQ_INT(nh_gradient(g, deep, NH_Q, LONG, &f[2 * FUNCTIONS], NULL), NH_OK);
    CHECK_EQ_INT(nh_field_jacobian(g, &f[2 * FUNCTIONS], NH_Q, LONG, &f[2 * FUNCTIONS + 1], NULL), NH_OK);
    nh_program *p = NULL;
    CHECK_EQ_INT(nh_program_new(g, f, NULL, 2 * FUNCTIONS + 2, 0, &p, NULL), NH_OK);
    nh_evaluator *tape = NULL, *native = NULL;
    CHECK_EQ_INT(nh_evaluator_new(p, NH_TAPE, 1, NULL, &tape, NULL), NH_OK);
    CHECK_EQ_INT(nh_evaluator_new(p, NH_NATIVE, 1, NULL, &native, NULL), NH_OK);
    CHECK_STR(nh_evaluator_note(native), "");
    double q[LONG], v[SIZE], c[16],
        *y[2] = {malloc(LONG * LONG * sizeof(double)), malloc(LONG * LONG * sizeof(double))};
    uint64_t seed = 5;
    for (int i = 0; i < LONG; i++)
        q[i] = 0.1 + next_uniform(&seed);
    for (int i = 0; i < SIZE; i++)
        v[i] = next_uniform(&seed);
    const double *x[NH_SPACES] = {[NH_Q] = q, [NH_V] = v};
    nh_evaluate(tape, 0, c, x, c);
    for (int k = 1; k < nh_program_functions(p); k++) {
        nh_evaluate(tape, k, c, x, y[0]);
        nh_evaluate(native, k, c, x, y[1]);
        CHECK(memcmp(y[0], y[1], (size_t)nh_program_outputs(p, k) * sizeof(double)) == 0);
    }
    free(y[0]);
    free(y[1]);
    nh_evaluator_free(tape);
    nh_evaluator_free(native);
    nh_program_free(p);
    for (int k = 0; k < 2 * FUNCTIONS + 2; k++)
        nh_field_free(&f[k]);
    nh_graph_free(g);
}

TEST_MAIN(RUN(gradients), RUN(second_derivatives), RUN(tangents), RUN(reaches),
          RUN(length_does_not_grow_with_the_range), RUN(tape_and_c_agree))
