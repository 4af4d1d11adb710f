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

typedef struct subject {
    nh_model *model;
    nh_stepper *in_double, *in_quad;
    int n, parameters, size;
} subject;

static bool load(const char *name, const char *method, nh_gear_matrix matrix, subject *s)
{
    nh_error error;
    const nh_stepper_wishes wishes = {.gear = matrix};
    memset(s, 0, sizeof *s);
    bool good = nh_model_load(name, NULL, &s->model, &error) == NH_OK &&
                nh_stepper_new_with(s->model, method, NH_ON_TAPE, &wishes, NULL, &s->in_double, &error) == NH_OK &&
                nh_stepper_new(s->model, method, NH_IN_QUAD, NULL, &s->in_quad, &error) == NH_OK;
    if (!good)
        return false;
    s->n = s->model->n;
    s->parameters = s->model->parameters;
    s->size = nh_stepper_size(s->in_quad);
    return true;
}

static void unload(subject *s)
{
    nh_stepper_free(s->in_double);
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

static double worst_error(const subject *s, const point *at)
{
    const int n = s->n, unknowns = nh_gear_unknowns(nh_stepper_gear(s->in_double));
    const int directions = 2 * n + 2 + s->parameters;
    double *before = calloc((size_t)s->size, sizeof *before), *after = calloc((size_t)s->size, sizeof *after);
    double *rows = calloc((size_t)(directions * (unknowns + n)), sizeof *rows), worst = 0;
    const nh_start from = start_of(s, at);
    nh_stepper_start(s->in_double, &from, before);
    memcpy(after, before, (size_t)s->size * sizeof *after);
    after[NH_AT_TARGET] = 1;
    nh_stepper_advance(s->in_double, after);
    CHECK(nh_gear_derivative(nh_stepper_gear(s->in_double), before, after, false, rows));
    for (int which = 0; which < directions; which++) {
        const nh_quad delta = (nh_quad)1e-11;
        nh_quad plus[2 * MOST], minus[2 * MOST];
        point p = *at;
        *datum(s, &p, which) += delta;
        step(s, &p, plus);
        *datum(s, &p, which) -= 2 * delta;
        step(s, &p, minus);
        const double *row = rows + which * (unknowns + n);
        for (int i = 0; i < n; i++) {
            const double q = (double)((plus[i] - minus[i]) / (2 * delta));
            const double v = (double)((plus[n + i] - minus[n + i]) / (2 * delta));
            worst = fmax(worst, fabs(row[unknowns + i] - q) / fmax(1, fabs(q)));
            worst = fmax(worst, fabs(row[unknowns - n + i] - v) / fmax(1, fabs(v)));
        }
    }
    free(before);
    free(after);
    free(rows);
    return worst;
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

static void check_matrix(const char *name, const char *method, double h, nh_gear_matrix matrix)
{
    const bool sparse = matrix == NH_GEAR_MATRIX_SPARSE;
    subject s;
    if (!load(name, method, matrix, &s)) {
        unload(&s);
        CHECK(false);
        return;
    }
    point p;
    CHECK(nh_gear_is_sparse(nh_stepper_gear(s.in_double)) == sparse);
    go_there(&s, &p, (nh_quad)h);
    const double worst = worst_error(&s, &p);
    if (!(worst < 1e-9))
        printf("%s, %s, %s: %.2e\n", name, method, sparse ? "sparse" : "dense", worst);
    CHECK(worst < 1e-9);
    unload(&s);
}

/* With a matrix of all entries, and with one of those that can be other than zero: if one were missing, or two columns
 * of a group shared a row, derivatives would be wrong. */
static void check_model(const char *name, const char *method, double h)
{
    check_matrix(name, method, h, NH_GEAR_MATRIX_DENSE);
    if (nh_sparse_lu_name())
        check_matrix(name, method, h, NH_GEAR_MATRIX_SPARSE);
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
