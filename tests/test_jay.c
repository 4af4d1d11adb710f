/* SPDX-License-Identifier: MIT */
/* What Jay (2009) says of single methods in section 7. */
#include "method/stepper.h"
#include "model/initial.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 8 };

typedef struct state {
    int n;
    nh_quad t, q[MOST], v[MOST];
} state;

/* `steps` steps of a method; the stage velocity V_1 of the last one into *V, if wanted. */
static state go(const char *name, const char *method, state from, nh_quad h, int steps, nh_quad *V)
{
    nh_model *model;
    nh_stepper *s;
    nh_error error;
    nh_quad parameters[MOST];
    CHECK_EQ_INT(nh_model_load(name, NULL, &model, &error), NH_OK);
    CHECK_EQ_INT(nh_stepper_new(model, method, NH_IN_QUAD, NULL, &s, &error), NH_OK);
    nh_quad *x = calloc((size_t)nh_stepper_size(s), sizeof *x);
    nh_model_parameters(model, parameters, &error);
    if (from.n == 0) {
        from.n = model->n;
        CHECK_EQ_INT(nh_model_initial(model, NULL, from.q, from.v, NULL, &error), NH_OK);
    }
    const nh_start start = {parameters, model->parameters, from.t, h, from.q, from.v};
    nh_stepper_start(s, &start, x);
    x[NH_AT_TARGET] = steps;
    nh_stepper_advance(s, x);
    CHECK(x[NH_AT_STATUS] == NH_STATUS_GOOD);
    const int n = from.n;
    state to = {.n = n, .t = from.t + h * steps};
    memcpy(to.q, x + NH_AT_POSITION, (size_t)n * sizeof *x);
    memcpy(to.v, x + NH_AT_VELOCITY, (size_t)n * sizeof *x);
    if (V)
        memcpy(V, x + NH_AT_STAGES, (size_t)n * sizeof *V);
    free(x);
    nh_stepper_free(s);
    nh_model_free(model);
    return to;
}

static double distance(state a, state b)
{
    double most = 0;
    for (int i = 0; i < a.n; i++) {
        most = fmax(most, fabs((double)(a.q[i] - b.q[i])));
        most = fmax(most, fabs((double)(a.v[i] - b.v[i])));
    }
    return most;
}

/* How far one step is from Euler I, then Euler II with half the step, and from the other order. */
static void compare_with_eulers(const char *model, const char *method, double *first, double *second)
{
    const nh_quad h = (nh_quad)0.125;
    const state from = go(model, "gauss(s=3)", (state){0}, h, 3, NULL); /* somewhere */
    const state one = go(model, method, from, h, 1, NULL);
    *first = distance(one, go(model, "euler-2", go(model, "euler-1", from, h / 2, 1, NULL), h / 2, 1, NULL));
    *second = distance(one, go(model, "euler-1", go(model, "euler-2", from, h / 2, 1, NULL), h / 2, 1, NULL));
}

/* 7.5: two-stage Lobatto IIIA-B is no composition of Euler I and II, as it would be without constraints. But the first
 * one is the modified method of 8.4, whose extra condition is the constraint at the end of Euler I; where K is affine
 * in q, as for the particle, the two are one map. */
TEST(lobatto_ab_is_no_composition_of_eulers)
{
    static const char *const models[] = {"robot-turning", "disk-potential", "cvt"};
    double first, second;
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        compare_with_eulers(models[i], "lobatto-ab(s=2)", &first, &second);
        CHECK(first > 1e-6 && first < 1e-2);
        CHECK(second > 1e-6 && second < 1e-2);
        compare_with_eulers(models[i], "lobatto-ab-modified", &first, &second);
        CHECK(first < 1e-30);
        CHECK(second > 1e-6);
    }
    compare_with_eulers("particle", "lobatto-ab(s=2)", &first, &second);
    CHECK(first < 1e-30);
    CHECK(second > 1e-6);
}

/* K(q) = (-q_2, 0, 1) of the particle. */
static nh_quad along_K(const nh_quad *q, const nh_quad *v)
{
    return v[2] - q[1] * v[0];
}

/* 7.5, the staggered form: v_(k+1/2) = v_(k-1/2) + h (-grad U(q_k) + K(q_k)^T lambda), q_(k+1) = q_k + h v_(k+1/2),
 * 0 = (K(q_k) + K(q_(k+1))) v_(k+1/2); one gradient a step, and q_2 feels no reaction, so lambda is explicit. */
static void staggered_step(nh_quad h, nh_quad *q, nh_quad *v)
{
    const nh_quad K[3] = {-q[1], 0, 1};
    nh_quad next[3] = {0};
    v[0] -= h * 2 * q[0]; /* U = q_1^2 + q_2^2 */
    v[1] -= h * 2 * q[1];
    next[1] = q[1] + h * v[1];
    const nh_quad lambda = -(along_K(q, v) + along_K(next, v)) / (along_K(q, K) + along_K(next, K));
    for (int i = 0; i < 3; i++) {
        v[i] += lambda * K[i];
        q[i] += h * v[i];
    }
}

TEST(lobatto_ab_has_a_staggered_form)
{
    const nh_quad h = (nh_quad)0.2;
    nh_quad v[MOST];
    state walker =
        go("particle", "lobatto-ab(s=2)", (state){0}, h, 1, v); /* q_1, and v_(1/2) = V_1 of the first step */
    for (int k = 2; k <= 50; k++)
        staggered_step(h, walker.q, v);
    const state ab = go("particle", "lobatto-ab(s=2)", (state){0}, h, 50, NULL);
    for (int i = 0; i < 3; i++)
        CHECK(nh_quad_abs(ab.q[i] - walker.q[i]) < (nh_quad)1e-29);
}

TEST_MAIN(RUN(lobatto_ab_is_no_composition_of_eulers), RUN(lobatto_ab_has_a_staggered_form))
