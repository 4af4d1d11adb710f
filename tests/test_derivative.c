/* SPDX-License-Identifier: MIT */
/* The derivative of a step by state, time, step and parameters, against differences of the step in quad precision. */
#include "method/stepper.h"
#include "model/initial.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64 };

typedef struct point {
    nh_quad parameter[MOST], q[MOST], v[MOST], t, h;
} point;

/* With a matrix of all entries, and with one of those that can be other than zero, where there is KLU. */
enum { MATRICES = 2 };
static const nh_gear_matrix matrices[MATRICES] = {NH_GEAR_MATRIX_DENSE, NH_GEAR_MATRIX_SPARSE};

typedef struct subject {
    nh_model *model;
    nh_stepper *in_double[MATRICES], *in_quad;
    int n, parameters, size, matrices;
} subject;

static bool load(const char *name, const char *method, subject *s)
{
    nh_error error;
    memset(s, 0, sizeof *s);
    s->matrices = nh_sparse_lu_name() ? 2 : 1;
    bool good = nh_model_load(name, NULL, &s->model, &error) == NH_OK &&
                nh_stepper_new(s->model, method, NH_IN_QUAD, NULL, &s->in_quad, &error) == NH_OK;
    for (int k = 0; k < s->matrices && good; k++) {
        const nh_stepper_wishes wishes = {.gear = matrices[k]};
        good = nh_stepper_new_with(s->model, method, NH_ON_TAPE, &wishes, NULL, &s->in_double[k], &error) == NH_OK &&
               nh_gear_is_sparse(nh_stepper_gear(s->in_double[k])) == (matrices[k] == NH_GEAR_MATRIX_SPARSE);
    }
    if (!good)
        return false;
    s->n = s->model->n;
    s->parameters = s->model->parameters;
    s->size = nh_stepper_size(s->in_quad);
    return true;
}

static void unload(subject *s)
{
    for (int k = 0; k < MATRICES; k++)
        nh_stepper_free(s->in_double[k]);
    nh_stepper_free(s->in_quad);
    nh_model_free(s->model);
}

static nh_start start_of(const subject *s, const point *p)
{
    return (nh_start){p->parameter, s->parameters, p->t, p->h, p->q, p->v};
}

/* (q, v) one step after p. */
static void step(const subject *s, const point *p, nh_quad *out)
{
    nh_quad *x = calloc((size_t)s->size, sizeof *x);
    const nh_start from = start_of(s, p);
    nh_stepper_start(s->in_quad, &from, x);
    x[NH_AT_TARGET] = 1;
    nh_stepper_advance(s->in_quad, x);
    CHECK(x[NH_AT_STATUS] == 0);
    for (int i = 0; i < s->n; i++) {
        out[i] = x[NH_AT_POSITION + i];
        out[s->n + i] = x[NH_AT_POSITION + 2 * s->n + i];
    }
    free(x);
}

static nh_quad *datum(const subject *s, point *p, int which)
{
    if (which < s->n)
        return &p->q[which];
    if (which < 2 * s->n)
        return &p->v[which - s->n];
    return which == 2 * s->n ? &p->t : which == 2 * s->n + 1 ? &p->h : &p->parameter[which - 2 * s->n - 2];
}

/* What the second gear says: rows of the derivative. */
static double *derive(const subject *s, int matrix, const point *at)
{
    nh_stepper *stepper = s->in_double[matrix];
    const int directions = 2 * s->n + 2 + s->parameters, unknowns = nh_gear_unknowns(nh_stepper_gear(stepper));
    double *before = calloc((size_t)s->size, sizeof *before), *after = calloc((size_t)s->size, sizeof *after);
    double *rows = calloc((size_t)(directions * (unknowns + s->n)), sizeof *rows);
    const nh_start from = start_of(s, at);
    nh_stepper_start(stepper, &from, before);
    memcpy(after, before, (size_t)s->size * sizeof *after);
    after[NH_AT_TARGET] = 1;
    nh_stepper_advance(stepper, after);
    CHECK(nh_gear_derivative(nh_stepper_gear(stepper), before, after, false, rows));
    free(before);
    free(after);
    return rows;
}

/* The derivative by one datum, by a difference: of q_1, then of v_1. */
static void differ(const subject *s, const point *at, int which, double *out)
{
    const nh_quad delta = (nh_quad)1e-11;
    nh_quad plus[2 * MOST], minus[2 * MOST];
    point p = *at;
    *datum(s, &p, which) += delta;
    step(s, &p, plus);
    *datum(s, &p, which) -= 2 * delta;
    step(s, &p, minus);
    for (int i = 0; i < 2 * s->n; i++)
        out[i] = (double)((plus[i] - minus[i]) / (2 * delta));
}

/* If an entry of a sparse matrix were missing, or two columns of a group shared a row, it would show here. */
static void worst_errors(const subject *s, const point *at, double worst[MATRICES])
{
    const int n = s->n, unknowns = nh_gear_unknowns(nh_stepper_gear(s->in_double[0]));
    double *rows[MATRICES] = {NULL}, difference[2 * MOST];
    for (int k = 0; k < s->matrices; k++)
        rows[k] = derive(s, k, at);
    for (int which = 0; which < 2 * n + 2 + s->parameters; which++) {
        differ(s, at, which, difference);
        for (int k = 0; k < s->matrices; k++)
            for (int i = 0; i < 2 * n; i++) {
                const double *row = rows[k] + which * (unknowns + n);
                const double is = i < n ? row[unknowns + i] : row[unknowns - n + (i - n)];
                worst[k] = fmax(worst[k], fabs(is - difference[i]) / fmax(1, fabs(difference[i])));
            }
    }
    for (int k = 0; k < MATRICES; k++)
        free(rows[k]);
}

/* A point on the way, so that nothing is special about it. */
static void go_there(const subject *s, point *p, nh_quad h)
{
    nh_error error;
    nh_quad *x = calloc((size_t)s->size, sizeof *x);
    memset(p, 0, sizeof *p);
    p->h = h;
    CHECK_EQ_INT(nh_model_initial(s->model, p->parameter, p->q, p->v, NULL, &error), NH_OK);
    const nh_start from = start_of(s, p);
    nh_stepper_start(s->in_quad, &from, x);
    x[NH_AT_TARGET] = 7;
    nh_stepper_advance(s->in_quad, x);
    for (int i = 0; i < s->n; i++) {
        p->q[i] = x[NH_AT_POSITION + i];
        p->v[i] = x[NH_AT_POSITION + 2 * s->n + i];
    }
    p->t = 7 * h;
    free(x);
}

static void check_model(const char *name, const char *method, double h)
{
    subject s;
    double worst[MATRICES] = {0};
    if (CHECK(load(name, method, &s))) {
        point p;
        go_there(&s, &p, (nh_quad)h);
        worst_errors(&s, &p, worst);
        if (!CHECK(worst[0] < 1e-9) || !CHECK(worst[1] < 1e-9))
            printf("%s, %s: %.2e dense, %.2e sparse\n", name, method, worst[0], worst[1]);
    }
    unload(&s);
}

TEST(derivatives_agree_with_differences)
{
    static const char *const models[] = {
        "particle",           "sleigh",     "disk",       "robot-turning", "cvt",
        "contact-oscillator", "rattleback", "isokinetic", "dry-friction",  "driven-knife-edge"};
    static const char *const methods[] = {"gauss(s=1)",      "gauss(s=3)",          "lobatto-ab(s=2)",
                                          "lobatto-ab(s=3)", "lobatto-abd(s=2)",    "lobatto-ad(s=3)",
                                          "lobatto-d(s=2)",  "radau-ia(s=2)",       "euler-1",
                                          "euler-2",         "lobatto-ab-modified", "gauss-standard(s=2)"};
    for (size_t i = 0; i < sizeof models / sizeof *models; i++)
        for (size_t j = 0; j < sizeof methods / sizeof *methods; j++)
            check_model(models[i], methods[j], strcmp(models[i], "rattleback") ? 0.0625 : 0.0078125);
}

TEST(derivatives_with_holonomic_constraints)
{
    static const char *const models[] = {"skate-in-bowl", "spherical-pendulum", "rotating-rod", "snakeboard-gait"};
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        check_model(models[i], "lobatto-ab(s=2)", 0.0625);
        check_model(models[i], "lobatto-ab(s=3)", 0.0625);
        check_model(models[i], "gauss-stabilised(s=2)", 0.0625);
    }
}

/* Coordinates that forces alone couple, and constraints that others do not see. */
TEST(derivatives_of_chains)
{
    check_model("mp-particles", "gauss(s=2)", 0.0625);
    check_model("skate-chain", "gauss(s=2)", 0.0625);
    check_model("skate-beam", "lobatto-ab(s=2)", 0.0625);
}

TEST(derivatives_of_mp)
{
    static const char *const models[] = {"particle", "robot-turning", "mp-particles", "disk", "cvt"};
    for (size_t i = 0; i < sizeof models / sizeof *models; i++)
        check_model(models[i], "mp", 0.0625);
}

TEST_MAIN(RUN(derivatives_agree_with_differences), RUN(derivatives_with_holonomic_constraints),
          RUN(derivatives_of_chains), RUN(derivatives_of_mp))
