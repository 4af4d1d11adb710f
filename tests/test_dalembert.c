/* SPDX-License-Identifier: MIT */
/* Theorem 6.1 of Jay (2009) in quad precision: along a trajectory the discrete Lagrangian and forces of a SPARK step,
 *     L_d   =  h sum_i b_i L(T_i,Q_i,V_i)
 *     f_d+  =  h sum_i b_i (h sum_j (b_j - a~_ij) R_j) dV_i/dq_1
 *     f_d-  = -h sum_i b_i (h sum_j a~_ij R_j) dV_i/dq_0
 * (R = -K^T Psi; in f_d+ with b~_j - a~_ij, as its proof has it) as functions of (q_0,q_1), obey
 *     dL_d/dq_0 = -p_0 - f_d-,  dL_d/dq_1 = p_1 - f_d+,
 * and hence (4.5a). The step is extended off the constraints by keeping their values: else Lobatto IIIA-B has no v_0
 * for given (q_0,q_1). */
#include "base/linear.h"
#include "method/stepper.h"
#include "model/derived.h"
#include "model/initial.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 16, STAGES = 9 };
enum { L_VALUE = 1, L_Q, L_V, REACTION, CONSTRAINT, NORMALS };

typedef struct subject {
    nh_model *model;
    nh_stepper *stepper;
    const nh_triple *triple;
    nh_program *program;
    nh_quad *constants, *work, *rows;
    nh_quad parameter[MOST];
    int n, ml, s, size, unknowns;
} subject;

/* A step as a discrete Lagrangian system. */
typedef struct discrete {
    nh_quad L, by_q0[MOST], by_q1[MOST], minus[MOST], plus[MOST], p0[MOST], p1[MOST], k1[MOST];
} discrete;

static void set_up(const char *name, const char *method, subject *s)
{
    const nh_request list[] = {{.of = NH_OF_LAGRANGIAN}, {.of = NH_OF_LAGRANGIAN, .order = 1, .by = {NH_Q}},
                               {.of = NH_OF_MOMENTUM},   {.of = NH_OF_REACTION},
                               {.of = NH_OF_CONSTRAINT}, {.of = NH_OF_HOLONOMIC, .order = 1, .by = {NH_Q}}};
    nh_error error;
    memset(s, 0, sizeof *s);
    CHECK_EQ_INT(nh_model_load(name, NULL, &s->model, &error), NH_OK);
    CHECK_EQ_INT(nh_stepper_new(s->model, method, NH_IN_QUAD, NULL, &s->stepper, &error), NH_OK);
    CHECK_EQ_INT(nh_derive_program(s->model, list, 6, &s->program, &error), NH_OK);
    s->triple = &nh_stepper_choice(s->stepper)->triple;
    s->n = s->model->n;
    s->ml = s->model->m + s->model->holonomic;
    s->s = nh_stepper_choice(s->stepper)->stages;
    s->size = nh_stepper_size(s->stepper);
    s->unknowns = nh_gear_unknowns(nh_stepper_gear(s->stepper));
    s->constants = calloc((size_t)nh_program_constants(s->program) + 1, sizeof *s->constants);
    s->work = calloc(nh_program_work(s->program) + 1, sizeof *s->work);
    s->rows = calloc((size_t)((2 * s->n + 2 + s->model->parameters) * (s->unknowns + s->n)), sizeof *s->rows);
    nh_tape_prepare_quad(s->program, s->work);
    nh_model_parameters(s->model, s->parameter, &error);
    const nh_quad *x[NH_SPACES] = {[NH_PARAMETER] = s->parameter};
    nh_tape_run_quad(s->program, 0, s->constants, x, s->constants, s->work);
}

static void tear_down(subject *s)
{
    free(s->constants);
    free(s->work);
    free(s->rows);
    nh_program_free(s->program);
    nh_stepper_free(s->stepper);
    nh_model_free(s->model);
}

static void call(const subject *s, int function, const nh_quad *t, const nh_quad *q, const nh_quad *v,
                 const nh_quad *lambda, nh_quad *y)
{
    const nh_quad *x[NH_SPACES] = {[NH_TIME] = t, [NH_Q] = q, [NH_V] = v, [NH_LAMBDA] = lambda};
    nh_tape_run_quad(s->program, function, s->constants, x, y, s->work);
}

/* A fresh start at (t,q,v). */
static nh_quad *start(const subject *s, nh_quad t, nh_quad h, const nh_quad *q, const nh_quad *v)
{
    nh_quad *x = calloc((size_t)s->size, sizeof *x);
    const nh_start from = {s->parameter, s->model->parameters, t, h, q, v};
    nh_stepper_start(s->stepper, &from, x);
    return x;
}

static const nh_quad *position(const nh_quad *x)
{
    return x + NH_AT_POSITION;
}

static const nh_quad *velocity(const subject *s, const nh_quad *x)
{
    return x + NH_AT_POSITION + 2 * s->n;
}

/* x = A^+ b for A [n × n]. */
static void solve(const nh_quad *A, int n, const nh_quad *b, nh_quad *x)
{
    nh_quad left[MOST * MOST], right[MOST * MOST], sigma[MOST];
    memcpy(left, A, (size_t)(n * n) * sizeof *A);
    nh_svd_quad(left, n, n, sigma, right);
    for (int i = 0; i < n; i++)
        x[i] = 0;
    for (int k = 0; k < n && sigma[k] > sigma[0] * (nh_quad)1e-18; k++) {
        nh_quad part = 0;
        for (int i = 0; i < n; i++)
            part += left[i * n + k] * b[i];
        for (int i = 0; i < n; i++)
            x[i] += right[i * n + k] * part / (sigma[k] * sigma[k]);
    }
}

/* How V [s][n] and q_1 [n] move with (dq, dv) at t_0. */
static void push(const subject *s, const nh_quad *dq, const nh_quad *dv, nh_quad *dV, nh_quad *dq1)
{
    const int n = s->n, length = s->unknowns + n;
    for (int i = 0; i < s->s * n; i++) {
        dV[i] = 0;
        for (int j = 0; j < n; j++)
            dV[i] += s->rows[j * length + i] * dq[j] + s->rows[(n + j) * length + i] * dv[j];
    }
    for (int i = 0; i < n; i++) {
        dq1[i] = 0;
        for (int j = 0; j < n; j++)
            dq1[i] +=
                s->rows[j * length + s->unknowns + i] * dq[j] + s->rows[(n + j) * length + s->unknowns + i] * dv[j];
    }
}

/* dV for a move of q_0 by dq0 and of q_1 by dq1: the v_0 that does it is found first. */
static void move_ends(const subject *s, const nh_quad *dq0, const nh_quad *dq1, nh_quad *dV)
{
    const int n = s->n, length = s->unknowns + n;
    nh_quad A[MOST * MOST], zero[MOST] = {0}, there[MOST], missing[MOST], dv[MOST] = {0};
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            A[i * n + j] = s->rows[(n + j) * length + s->unknowns + i];
    push(s, dq0, zero, dV, there);
    for (int i = 0; i < n; i++)
        missing[i] = dq1[i] - there[i];
    solve(A, n, missing, dv);
    push(s, dq0, dv, dV, there);
    for (int i = 0; i < n; i++)
        CHECK(nh_quad_abs(there[i] - dq1[i]) < (nh_quad)1e-24 * (1 + nh_quad_abs(dq1[i])));
}

typedef struct stages {
    nh_quad T[STAGES], Q[STAGES * MOST], V[STAGES * MOST], P[STAGES * MOST], F[STAGES * MOST], R[STAGES * MOST];
} stages;

static void look(const subject *s, const nh_quad *before, const nh_quad *after, stages *at)
{
    const int n = s->n;
    const nh_quad h = before[NH_AT_STEP], t = before[NH_AT_START] + before[NH_AT_COUNT] * h;
    const nh_quad *V = after + NH_AT_POSITION + 5 * n, *lambda = V + s->s * n;
    memcpy(at->V, V, (size_t)(s->s * n) * sizeof *V);
    for (int i = 0; i < s->s; i++) {
        at->T[i] = t + s->triple->position.c[i] * h;
        for (int c = 0; c < n; c++) {
            nh_quad sum = 0;
            for (int j = 0; j < s->s; j++)
                sum += s->triple->position.A[i * s->s + j] * V[j * n + c];
            at->Q[i * n + c] = position(before)[c] + h * sum;
        }
        call(s, L_Q, &at->T[i], at->Q + i * n, V + i * n, NULL, at->F + i * n);
        call(s, L_V, &at->T[i], at->Q + i * n, V + i * n, NULL, at->P + i * n);
        call(s, REACTION, &at->T[i], at->Q + i * n, V + i * n, lambda + i * s->ml, at->R + i * n);
    }
}

/* The change of L_d, and the work of f_d- (end 0) or f_d+ (end 1), for a move dV, where q_0 moves by dq0. */
static void vary(const subject *s, const stages *at, nh_quad h, const nh_quad *dq0, const nh_quad *dV, int end,
                 nh_quad *dL, nh_quad *work)
{
    const int n = s->n;
    const nh_tableau *a = &s->triple->position, *r = &s->triple->reaction;
    *dL = *work = 0;
    for (int i = 0; i < s->s; i++)
        for (int c = 0; c < n; c++) {
            nh_quad dQ = dq0[c], sum = 0;
            for (int j = 0; j < s->s; j++) {
                dQ += h * a->A[i * s->s + j] * dV[j * n + c];
                sum += (end ? a->b[j] - r->A[i * s->s + j] : -r->A[i * s->s + j]) * at->R[j * n + c];
            }
            *dL += h * a->b[i] * (at->F[i * n + c] * dQ + at->P[i * n + c] * dV[i * n + c]);
            *work += h * a->b[i] * h * sum * dV[i * n + c];
        }
}

/* One step of x, which goes on. */
static void step(const subject *s, nh_quad *x, discrete *d)
{
    const int n = s->n;
    const nh_quad h = x[NH_AT_STEP];
    nh_quad *before = malloc((size_t)s->size * sizeof *before), dV[STAGES * MOST], t1, zero[MOST] = {0};
    stages at;
    memcpy(before, x, (size_t)s->size * sizeof *before);
    x[NH_AT_TARGET] = x[NH_AT_COUNT] + 1;
    nh_stepper_advance(s->stepper, x);
    CHECK(x[NH_AT_STATUS] == 0);
    CHECK(nh_gear_derivative(nh_stepper_gear(s->stepper), before, x, true, s->rows));
    look(s, before, x, &at);
    d->L = 0;
    for (int i = 0; i < s->s; i++) {
        nh_quad L;
        call(s, L_VALUE, &at.T[i], at.Q + i * n, at.V + i * n, NULL, &L);
        d->L += h * s->triple->position.b[i] * L;
    }
    for (int c = 0; c < n && s->model->holonomic == 0; c++) {
        nh_quad unit[MOST] = {0};
        unit[c] = 1;
        move_ends(s, unit, zero, dV);
        vary(s, &at, h, unit, dV, 0, &d->by_q0[c], &d->minus[c]);
        move_ends(s, zero, unit, dV);
        vary(s, &at, h, zero, dV, 1, &d->by_q1[c], &d->plus[c]);
    }
    memcpy(d->p0, before + NH_AT_POSITION + n, (size_t)n * sizeof *before);
    memcpy(d->p1, x + NH_AT_POSITION + n, (size_t)n * sizeof *before);
    t1 = x[NH_AT_START] + x[NH_AT_COUNT] * h;
    call(s, CONSTRAINT, &t1, position(x), velocity(s, x), NULL, d->k1);
    free(before);
}

static nh_quad *start_of_model(const subject *s, nh_quad h)
{
    nh_quad parameter[MOST], q[MOST], v[MOST];
    nh_error error;
    CHECK_EQ_INT(nh_model_initial(s->model, parameter, q, v, NULL, &error), NH_OK);
    return start(s, 0, h, q, v);
}

/* Largest violation of the theorem and of (4.5a), (4.5b) over a few steps. */
static double violation(const char *model, const char *method, double h)
{
    subject s;
    set_up(model, method, &s);
    nh_quad *x = start_of_model(&s, (nh_quad)h);
    discrete last, now;
    double worst = 0;
    for (int k = 0; k < 6; k++) {
        step(&s, x, &now);
        for (int c = 0; c < s.n; c++) {
            worst = fmax(worst, fabs((double)(now.by_q0[c] + now.p0[c] + now.minus[c])));
            worst = fmax(worst, fabs((double)(now.by_q1[c] - now.p1[c] + now.plus[c])));
            if (k > 0) /* (4.5a) */
                worst = fmax(worst, fabs((double)(last.by_q1[c] + now.by_q0[c] + last.plus[c] + now.minus[c])));
        }
        for (int c = 0; c < s.model->m && k > 0; c++) /* (4.5b) */
            worst = fmax(worst, fabs((double)(last.k1[c] - now.k1[c])));
        last = now;
    }
    free(x);
    tear_down(&s);
    return worst;
}

static const char *const models[] = {"particle", "sleigh", "disk-potential", "robot-turning", "isokinetic", "cvt"};

TEST(lagrange_dalembert_methods_obey_the_theorem)
{
    static const char *const methods[] = {"gauss(s=1)",      "gauss(s=2)",       "gauss(s=3)",       "lobatto-ab(s=2)",
                                          "lobatto-ab(s=3)", "lobatto-abd(s=2)", "lobatto-abd(s=3)", "lobatto-d(s=2)",
                                          "euler-1",         "euler-2"};
    for (size_t i = 0; i < sizeof models / sizeof *models; i++)
        for (size_t j = 0; j < sizeof methods / sizeof *methods; j++) {
            const double worst = violation(models[i], methods[j], 0.0625);
            if (!(worst < 1e-24))
                printf("%s, %s: %.2e\n", models[i], methods[j], worst);
            CHECK(worst < 1e-24);
        }
}

TEST(other_methods_do_not)
{
    static const char *const methods[] = {"radau-ia(s=2)", "radau-ia(s=3)", "lobatto-ad(s=2)", "lobatto-ad(s=3)"};
    for (size_t j = 0; j < sizeof methods / sizeof *methods; j++) {
        const double worst = violation("particle", methods[j], 0.25);
        CHECK(worst > 1e-9);
        CHECK(violation("cvt", methods[j], 0.25) > 1e-9);
    }
}

/* L_d(t_1,q_1,t_0,q_0) = -L_d(t_0,q_0,t_1,q_1), f_d+ = -f_d- of the step back, for symmetric methods. */
static double asymmetry(const char *model, const char *method)
{
    subject s;
    set_up(model, method, &s);
    const nh_quad h = (nh_quad)0.125;
    nh_quad *x = start_of_model(&s, h);
    discrete there, back;
    step(&s, x, &there);
    step(&s, x, &there);
    nh_quad *y = start(&s, 2 * h, -h, position(x), velocity(&s, x));
    step(&s, y, &back);
    double worst = fabs((double)(there.L + back.L));
    for (int c = 0; c < s.n; c++) {
        worst = fmax(worst, fabs((double)(there.plus[c] + back.minus[c])));
        worst = fmax(worst, fabs((double)(there.minus[c] + back.plus[c])));
    }
    free(x);
    free(y);
    tear_down(&s);
    return worst;
}

TEST(symmetric_methods_are_antisymmetric_in_time)
{
    static const char *const methods[] = {"gauss(s=2)", "lobatto-ab(s=3)", "lobatto-abd(s=2)"};
    for (size_t i = 0; i < sizeof models / sizeof *models; i++)
        for (size_t j = 0; j < sizeof methods / sizeof *methods; j++)
            CHECK(asymmetry(models[i], methods[j]) < 1e-24);
    CHECK(asymmetry("particle", "euler-1") > 1e-6);
}

/* Section 5: the exact discrete Lagrangian and forces, by a method whose error is below round-off at this step. */
static void errors(const char *model, const char *method, double h, double *L, double *force)
{
    subject s, exact;
    discrete ours, theirs;
    set_up(model, method, &s);
    set_up(model, "gauss(s=8)", &exact);
    nh_quad *x = start_of_model(&s, (nh_quad)h), *y = start_of_model(&exact, (nh_quad)h);
    step(&s, x, &ours);
    step(&exact, y, &theirs);
    *L = fabs((double)(ours.L - theirs.L));
    *force = 0;
    for (int c = 0; c < s.n; c++) {
        *force = fmax(*force, fabs((double)(ours.minus[c] - theirs.minus[c])));
        *force = fmax(*force, fabs((double)(ours.plus[c] - theirs.plus[c])));
    }
    free(x);
    free(y);
    tear_down(&s);
    tear_down(&exact);
}

TEST(discrete_quantities_approach_the_exact_ones)
{
    static const struct {
        const char *method;
        int order;
    } rows[] = {
        {"gauss(s=1)", 2}, {"gauss(s=2)", 4}, {"lobatto-ab(s=2)", 2}, {"lobatto-ab(s=3)", 4}, {"lobatto-abd(s=3)", 4}};
    static const char *const some[] = {"disk-potential", "robot-turning", "cvt"};
    for (size_t i = 0; i < sizeof some / sizeof *some; i++)
        for (size_t j = 0; j < sizeof rows / sizeof *rows; j++) {
            double L[2], force[2];
            errors(some[i], rows[j].method, 1.0 / 64, &L[0], &force[0]);
            errors(some[i], rows[j].method, 1.0 / 128, &L[1], &force[1]);
            const double slope_L = log2(L[0] / L[1]), slope_f = log2(force[0] / force[1]);
            CHECK_NEAR(slope_L, rows[j].order + 1, 0.25); /* an integral over a step */
            CHECK_NEAR(slope_f, rows[j].order, 0.25);
        }
}

/* The part of f_d- along the surface that an integrable constraint, or g, confines q_0 to; q_1 stays. */
static double tangential_force(const char *model, const char *method, double h)
{
    subject s;
    discrete d;
    set_up(model, method, &s);
    const int n = s.n, function = s.model->holonomic > 0 ? NORMALS : REACTION;
    nh_quad *x = start_of_model(&s, (nh_quad)h), *before = malloc((size_t)s.size * sizeof *before);
    nh_quad normal[MOST], unit = 1, zero[MOST] = {0}, dV[STAGES * MOST], size = 0;
    double worst = 0;
    stages at;
    step(&s, x, &d);
    memcpy(before, x, (size_t)s.size * sizeof *before);
    step(&s, x, &d);
    look(&s, before, x, &at);
    call(&s, function, &unit, position(before), velocity(&s, before), &unit, normal);
    for (int c = 0; c < n; c++)
        size += normal[c] * normal[c];
    for (int c = 0; c < n; c++) {
        nh_quad along[MOST], dL, work;
        for (int i = 0; i < n; i++)
            along[i] = (i == c) - normal[c] * normal[i] / size;
        move_ends(&s, along, zero, dV);
        vary(&s, &at, (nh_quad)h, along, dV, 0, &dL, &work);
        worst = fmax(worst, fabs((double)work));
    }
    free(before);
    free(x);
    tear_down(&s);
    return worst;
}

/* 5.1: of exact discrete forces nothing is left; discretely nothing only where g(Q_i) = 0 holds at the stages. */
TEST(holonomic_constraints_do_no_discrete_work)
{
    CHECK(tangential_force("spherical-pendulum", "lobatto-ab(s=2)", 0.0625) < 1e-24);
    CHECK(tangential_force("spherical-pendulum", "lobatto-ab(s=3)", 0.0625) < 1e-24);
    for (int s = 1; s <= 2; s++) {
        char method[32];
        snprintf(method, sizeof method, "gauss(s=%d)", s);
        const double coarse = tangential_force("differentiated-pendulum", method, 1.0 / 64);
        const double fine = tangential_force("differentiated-pendulum", method, 1.0 / 128);
        CHECK_NEAR(log2(coarse / fine), 2 * s, 0.25);
    }
}

TEST_MAIN(RUN(lagrange_dalembert_methods_obey_the_theorem), RUN(other_methods_do_not),
          RUN(symmetric_methods_are_antisymmetric_in_time), RUN(discrete_quantities_approach_the_exact_ones),
          RUN(holonomic_constraints_do_no_discrete_work))
