/* SPDX-License-Identifier: MIT */
/* Initial data and equations of motion of the whole catalogue, against what the models say about themselves: a short
 * motion by the classical Runge-Kutta method in quad precision keeps constraints and invariants and follows the exact
 * solution. */
#include "base/resource.h"
#include "model/derived.h"
#include "model/evaluate.h"
#include "model/initial.h"
#include "model/motion.h"

#include "test.h"

#include <stdlib.h>

enum { STEPS = 40 };
static const double fine = NH_QUAD_IS_FLOAT128 ? 1e-30 : 1e-14;

/* A motion: t, q, then v (Lagrangian) or z (DAE). */
typedef struct path {
    const nh_model *m;
    nh_motion *motion;
    nh_quad *parameters, *q, *w; /* q and w are one piece of memory */
    int size;                    /* of q and w together */
    nh_quad t;
} path;

static bool rate_of(path *p, nh_quad t, const nh_quad *state, nh_quad *rate)
{
    const nh_model *m = p->m;
    const nh_quad *w = state + m->n;
    nh_error error;
    if (m->kind != NH_LAGRANGIAN)
        return nh_motion_at(p->motion, t, state, w, rate, rate + m->n, &error) == NH_OK;
    for (int i = 0; i < m->n; i++)
        rate[i] = w[i];
    return nh_motion_at(p->motion, t, state, w, rate + m->n, NULL, &error) == NH_OK;
}

static bool step(path *p, nh_quad h)
{
    static const int weight[4] = {1, 2, 2, 1};
    static const double node[4] = {0, 0.5, 0.5, 1};
    size_t size = (size_t)p->size;
    nh_quad *k = calloc(3 * size + 1, sizeof *k), *sum = k + size, *at = sum + size;
    bool good = k != NULL;
    for (int stage = 0; good && stage < 4; stage++) {
        for (size_t i = 0; i < size; i++)
            at[i] = p->q[i] + (nh_quad)node[stage] * h * k[i];
        good = rate_of(p, p->t + (nh_quad)node[stage] * h, at, k);
        for (size_t i = 0; i < size; i++)
            sum[i] += (nh_quad)weight[stage] * k[i];
    }
    for (size_t i = 0; good && i < size; i++)
        p->q[i] += h / 6 * sum[i];
    p->t += h;
    free(k);
    return good;
}

/* Values of a quantity along the path; the caller frees them. */
static nh_quad *values(const path *p, nh_quantity of, int count)
{
    nh_field f;
    nh_probe probe;
    nh_error error;
    nh_quad *out = calloc((size_t)count + 1, sizeof *out);
    if (!CHECK(out && nh_derive(p->m, (nh_request){.of = of}, &f, &error) == NH_OK))
        return out;
    if (CHECK(nh_probe_new(p->m->graph, &f, 1, p->m->parameters, &probe, &error) == NH_OK)) {
        const nh_quad *x[NH_SPACES] = {[NH_TIME] = &p->t, [NH_Q] = p->q};
        x[p->m->kind == NH_DAE ? NH_LAMBDA : NH_V] = p->w;
        nh_probe_parameters(&probe, p->parameters);
        nh_probe_run(&probe, 1, x, out);
        nh_probe_free(&probe);
    }
    nh_field_free(&f);
    return out;
}

static bool start(path *p, nh_model *m)
{
    nh_error error;
    *p = (path){.m = m, .size = m->n + (m->kind == NH_LAGRANGIAN ? m->n : m->kind == NH_DAE ? m->algebraic : 0)};
    p->parameters = calloc((size_t)m->parameters + 1, sizeof *p->parameters);
    p->q = calloc((size_t)(2 * m->n + m->algebraic) + 1, sizeof *p->q);
    p->w = p->q + m->n;
    bool dae = m->kind == NH_DAE;
    nh_status status = nh_model_initial(m, p->parameters, p->q, dae ? NULL : p->w, dae ? p->w : NULL, &error);
    if (status == NH_OK)
        status = nh_motion_new(m, &p->motion, &error);
    if (!CHECK_EQ_INT(status, NH_OK)) {
        printf("    %s: %s\n", m->name, error.message);
        return false;
    }
    nh_motion_parameters(p->motion, p->parameters);
    return true;
}

static void end(path *p)
{
    nh_motion_free(p->motion);
    free(p->parameters);
    free(p->q);
}

static void check_constraints(const path *p, double tolerance)
{
    nh_quad *k = values(p, NH_OF_CONSTRAINT, p->m->m), *g = values(p, NH_OF_HOLONOMIC, p->m->holonomic);
    for (int i = 0; i < p->m->m; i++)
        if (!CHECK_NEAR((double)k[i], 0, tolerance))
            printf("    %s: constraint %d\n", p->m->file, i);
    for (int i = 0; i < p->m->holonomic; i++)
        if (!CHECK_NEAR((double)g[i], 0, tolerance))
            printf("    %s: holonomic constraint %d\n", p->m->file, i);
    free(k);
    free(g);
}

/* The exact solution at the time of the path, from the initial values `from` (q, then v or z). */
static void check_exact(const path *p, const nh_quad *from, double tolerance)
{
    const nh_model *m = p->m;
    if (!m->exact_q)
        return;
    nh_quad *out = calloc((size_t)m->n, sizeof *out);
    const nh_quad *x[NH_SPACES] = {[NH_TIME] = &p->t, [NH_PARAMETER] = p->parameters, [NH_Q] = from};
    x[m->kind == NH_DAE ? NH_LAMBDA : NH_V] = from + m->n;
    nh_error error;
    CHECK_EQ_INT(nh_evaluate_quad(m, m->exact_q, m->n, x, out, &error), NH_OK);
    for (int i = 0; i < m->n; i++)
        if (!CHECK_NEAR((double)(out[i] - p->q[i]), 0, tolerance))
            printf("    %s: exact solution of coordinate %d\n", m->file, i);
    free(out);
}

static void check_motion(nh_model *m)
{
    path p;
    if (!start(&p, m))
        return;
    check_constraints(&p, fine);
    nh_quad *from = calloc((size_t)p.size + 1, sizeof *from), *before = values(&p, NH_OF_INVARIANTS, m->invariants);
    memcpy(from, p.q, (size_t)p.size * sizeof *from);
    bool good = true;
    for (int i = 0; good && i < STEPS; i++)
        good = step(&p, (nh_quad)0.0005);
    if (!CHECK(good))
        printf("    %s\n", m->file);
    check_constraints(&p, 1e-11);
    nh_quad *after = values(&p, NH_OF_INVARIANTS, m->invariants);
    for (int i = 0; i < m->invariants; i++)
        if (!CHECK_NEAR((double)(after[i] - before[i]), 0, 1e-11))
            printf("    %s: invariant %s\n", m->file, m->invariant[i].name);
    check_exact(&p, from, 1e-11);
    free(from);
    free(before);
    free(after);
    end(&p);
}

TEST(catalogue)
{
    int count;
    const nh_resource *row = nh_resource_models(&count);
    for (int i = 0; i < count; i++) {
        nh_model *m;
        nh_error error;
        if (!CHECK_EQ_INT(nh_model_load(row[i].name, NULL, &m, &error), NH_OK)) {
            printf("    %s: %s\n", row[i].name, error.message);
            continue;
        }
        check_motion(m);
        nh_model_free(m);
    }
}

static nh_model *parse(const char *text)
{
    nh_model *m;
    nh_error error;
    if (!CHECK_EQ_INT(nh_model_parse(text, strlen(text), "test", NULL, &m, &error), NH_OK))
        printf("    %d:%d: %s\n", error.line, error.column, error.message);
    return m;
}

TEST(initial_values_in_order)
{
    nh_model *m = parse("coordinates x, y, q[1..3]\n"
                        "parameters  a = 2, b = a^2, d[i] = b/i for i = 1..3, e = sum(d[i] for i = 1..3)\n"
                        "lagrangian  x'^2 + y'^2 + sum(q[i]'^2 for i = 1..3) + e*x\n"
                        "initial     y = b + 1, x = y/2, q[1] = x, q[2] = q[1] + d[2], q[3] = sum(q[i] for i = 1..2)\n"
                        "initial     y' = x, x' = y'*y\n");
    double parameters[6], q[5], v[5];
    nh_error error;
    if (!m)
        return;
    CHECK_EQ_INT(nh_model_initial_double(m, parameters, q, v, NULL, &error), NH_OK);
    CHECK_NEAR(parameters[5], 4 + 2 + 4.0 / 3, 1e-15);
    const double want_q[5] = {2.5, 5, 2.5, 4.5, 7}, want_v[2] = {12.5, 2.5};
    for (int i = 0; i < 5; i++)
        CHECK_NEAR(q[i], want_q[i], 0);
    for (int i = 0; i < 2; i++)
        CHECK_NEAR(v[i], want_v[i], 0);
    nh_model_free(m);
}

TEST(initial_values_not_finite)
{
    nh_model *m = parse("coordinates x, y\nparameters a = 0\nlagrangian x'^2 + y'^2 + a*x\ninitial x = 3, y = 1/a\n");
    nh_quad q[2];
    nh_error error;
    if (!m)
        return;
    CHECK_EQ_INT(nh_model_initial(m, NULL, q, NULL, NULL, &error), NH_VALUE);
    CHECK_STR(error.message, "the initial value of y is not finite");
    CHECK(q[0] == 3);
    nh_model_free(m);
}

/* The multiplier of the skate at rest on its edge: p' = f + Kᵀλ with K = (-sin, cos, 0). */
TEST(multipliers)
{
    nh_model *m = parse("coordinates x, y, a\nlagrangian (x'^2 + y'^2 + a'^2)/2 - 3*y\n"
                        "constraint  cos(a)*y' - sin(a)*x' = 0\ninitial a' = 2, x' = 5\n");
    nh_motion *s = NULL;
    nh_error error;
    nh_quad q[3], v[3], a[3], lambda[1];
    if (!m || !CHECK_EQ_INT(nh_motion_new(m, &s, &error), NH_OK))
        return;
    nh_motion_parameters(s, NULL);
    CHECK_EQ_INT(nh_model_initial(m, NULL, q, v, NULL, &error), NH_OK);
    CHECK_EQ_INT(nh_motion_at(s, 0, q, v, a, lambda, &error), NH_OK);
    CHECK_NEAR((double)a[0], 0, fine);
    CHECK_NEAR((double)a[1], 10, fine); /* turning while moving: y'' = a' x' */
    CHECK_NEAR((double)lambda[0], 13, fine);
    nh_motion_free(s);
    nh_model_free(m);
}

TEST(singular_motion)
{
    nh_model *m = parse("coordinates x, y\nlagrangian x*x'^2 + y'^2\n");
    nh_motion *s = NULL;
    nh_error error;
    const nh_quad zero[2] = {0, 0};
    nh_quad a[2];
    if (!m || !CHECK_EQ_INT(nh_motion_new(m, &s, &error), NH_OK))
        return;
    nh_motion_parameters(s, NULL);
    CHECK_EQ_INT(nh_motion_at(s, 0, zero, zero, a, NULL, &error), NH_VALUE);
    nh_motion_free(s);
    nh_model_free(m);
}

TEST_MAIN(RUN(initial_values_in_order), RUN(initial_values_not_finite), RUN(multipliers), RUN(singular_motion),
          RUN(catalogue))
