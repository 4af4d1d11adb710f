/* SPDX-License-Identifier: MIT */
/* What is said about the motion: invariants, exact solutions, symmetries, each against the equations of motion. */
#include "model/motion.h"
#include "report/trial.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LARGE = 400, WITH_RATES = 1u << NH_TIME | 1u << NH_Q | 1u << NH_V | 1u << NH_LAMBDA };

/* Equations of motion, with room for the rates at a point. */
typedef struct mover {
    nh_motion *motion;
    const nh_model *m;
    nh_quad *rate, *more; /* rates of v (or q) and of λ where that has one */
    nh_quad *memory;
} mover;

static nh_status mover_new(const nh_trials *t, mover *out, nh_error *error)
{
    const nh_model *m = t->r->m;
    size_t n = (size_t)m->n + 1, extra = (size_t)nh_model_space_size(m, NH_LAMBDA) + 1;
    *out = (mover){.m = m};
    out->memory = calloc(n + extra, sizeof *out->memory);
    if (!out->memory)
        return nh_fail(error, NH_MEMORY, "out of memory");
    out->rate = out->memory;
    out->more = out->memory + n;
    nh_status status = nh_motion_new(m, &out->motion, error);
    if (status == NH_OK)
        nh_motion_parameters(out->motion, t->r->parameter);
    return status;
}

static void mover_free(mover *v)
{
    nh_motion_free(v->motion);
    free(v->memory);
}

static bool too_large(const nh_trials *t)
{
    return t->r->m->n + t->r->m->m + t->r->m->holonomic > LARGE;
}

/* ---- Points on the motion, where random ones are not on the constraints ---- */

/* One step of the classical Runge-Kutta method for (q, w); w are the algebraic variables of a DAE. */
static bool step(mover *v, nh_sample *at, nh_quad h, nh_quad *work)
{
    static const double node[] = {0, 0.5, 0.5, 1}, weight[] = {1, 2, 2, 1};
    int n = v->m->n, extra = v->m->kind == NH_DAE ? v->m->algebraic : 0;
    nh_quad *x = work, *sum = x + n + extra;
    memset(sum, 0, (size_t)(n + extra) * sizeof *sum);
    for (int stage = 0; stage < 4; stage++) {
        nh_quad a = h * (nh_quad)node[stage];
        for (int i = 0; i < n; i++)
            x[i] = at->q[i] + a * v->rate[i];
        for (int i = 0; i < extra; i++)
            x[n + i] = at->lambda[i] + a * v->more[i];
        if (nh_motion_at(v->motion, at->t + a, x, x + n, v->rate, v->more, NULL) != NH_OK)
            return false;
        for (int i = 0; i < n + extra; i++)
            sum[i] += (nh_quad)weight[stage] * (i < n ? v->rate[i] : v->more[i - n]);
    }
    for (int i = 0; i < n; i++)
        at->q[i] += h * sum[i] / 6;
    for (int i = 0; i < extra; i++)
        at->lambda[i] += h * sum[n + i] / 6;
    at->t += h;
    return true;
}

/* Replaces the samples by points on the motion from the initial data. */
static bool follow(nh_trials *t, mover *v)
{
    enum { STEPS = 40 };
    const nh_model *m = t->r->m;
    nh_study *s = &t->study;
    size_t size = (size_t)m->n + (size_t)m->algebraic, bytes = (size_t)m->n * sizeof(nh_quad);
    nh_quad *work = calloc(2 * size + 1, sizeof *work);
    const nh_sample *from = &s->initial;
    bool good = work != NULL;
    for (int k = 0; good && k < NH_SAMPLES; k++) {
        nh_sample *to = &s->sample[k];
        to->t = from->t;
        memcpy(to->q, from->q, bytes);
        memcpy(to->lambda, from->lambda, (size_t)nh_model_space_size(m, NH_LAMBDA) * sizeof(nh_quad));
        for (int i = 0; good && i < STEPS; i++)
            good = step(v, to, (nh_quad)0.0005, work);
        from = to;
    }
    free(work);
    s->samples = good ? NH_SAMPLES : 0;
    return good;
}

/* ---- Invariants ---- */

/* dI/dt = ∂I·(1, q', v', λ') by the tangent; *terms is the size of what cancels in it. */
static void rate_of(nh_probe *p, const nh_trials *t, const mover *v, const nh_sample *at, nh_quad *out)
{
    const nh_quad one = 1, *x[NH_SPACES];
    bool mechanics = v->m->kind == NH_LAGRANGIAN;
    nh_sample_inputs(&t->study, at, x);
    x[NH_D_TIME] = &one;
    x[NH_D_Q] = mechanics ? at->v : v->rate;
    x[NH_D_V] = mechanics ? v->rate : at->v;
    x[NH_D_LAMBDA] = v->more; /* of a DAE; others have no λ in an invariant */
    nh_probe_run(p, 1, x, out);
}

/* The size of the parts that add up to dI/dt: each space for itself. */
static void size_of_parts(nh_probe *p, const nh_trials *t, const mover *v, const nh_sample *at, const nh_quad *zero,
                          nh_quad *part, nh_quad *out)
{
    const nh_quad one = 1, *x[NH_SPACES];
    bool mechanics = v->m->kind == NH_LAGRANGIAN;
    int rows = v->m->invariants;
    for (int i = 0; i < rows; i++)
        out[i] = (nh_quad)1e-30;
    for (int space = 0; space < 4; space++) {
        nh_sample_inputs(&t->study, at, x);
        x[NH_D_TIME] = space == 0 ? &one : zero;
        x[NH_D_Q] = space != 1 ? zero : mechanics ? at->v : v->rate;
        x[NH_D_V] = space == 2 && mechanics ? v->rate : zero;
        x[NH_D_LAMBDA] = space == 3 ? v->more : zero;
        nh_probe_run(p, 1, x, part);
        for (int i = 0; i < rows; i++)
            out[i] += nh_quad_abs(part[i]);
    }
    nh_sample_inputs(&t->study, at, x);
    nh_probe_run(p, 2, x, part);
    for (int i = 0; i < rows; i++)
        out[i] += nh_quad_abs(part[i]);
}

static void note(double *worst, nh_quad error, nh_quad scale)
{
    double figure = (double)(nh_quad_abs(error) / scale);
    if (!(figure <= *worst))
        *worst = figure;
}

/* The largest |dI/dt|, relative to its parts, over the points; false if there is no point. */
static bool measure(nh_trials *t, mover *v, nh_probe *p, double *worst)
{
    int rows = t->r->m->invariants, points = 0, spaces = t->r->m->n + t->r->m->m + t->r->m->holonomic;
    nh_quad *memory = calloc(3 * (size_t)rows + (size_t)spaces + 1, sizeof *memory);
    nh_quad *rate = memory, *part = rate + rows, *scale = part + rows;
    for (int k = -1; memory && k < t->study.samples; k++) {
        const nh_sample *at = k < 0 ? &t->study.initial : &t->study.sample[k];
        const nh_quad *w = t->r->m->kind == NH_DAE ? at->lambda : at->v;
        if ((k < 0 && !t->study.initial_good) ||
            nh_motion_at(v->motion, at->t, at->q, w, v->rate, v->more, NULL) != NH_OK)
            continue;
        points++;
        rate_of(p, t, v, at, rate);
        size_of_parts(p, t, v, at, memory + 3 * rows, part, scale);
        for (int i = 0; i < rows; i++)
            note(&worst[i], rate[i], scale[i]);
    }
    free(memory);
    return points > 0;
}

static void report_invariants(nh_trials *t, const double *worst, bool measured)
{
    for (int i = 0; i < t->r->m->invariants; i++)
        if (!measured)
            nh_trial_add(t, "invariant", t->r->m->invariant[i].name, NH_FAILED, NAN, "the motion cannot be computed");
        else
            nh_trial_add(t, "invariant", t->r->m->invariant[i].name, worst[i] <= NH_TRIAL_LIMIT ? NH_PASSED : NH_FAILED,
                         worst[i],
                         worst[i] <= NH_TRIAL_LIMIT ? "conserved (%.1g)" : "changes at the relative rate %.3g",
                         worst[i]);
}

nh_status nh_trial_invariants(nh_trials *t, nh_error *error)
{
    const nh_model *m = t->r->m;
    if (m->invariants == 0)
        return NH_OK;
    if (too_large(t)) {
        nh_trial_add(t, "invariants", "", NH_SKIPPED, NAN, "not looked at: the system is large");
        return NH_OK;
    }
    mover v = {0};
    nh_probe probe = {0};
    double *worst = calloc((size_t)m->invariants, sizeof *worst);
    const nh_request list[] = {{.of = NH_OF_INVARIANTS, .tangent = WITH_RATES}, {.of = NH_OF_INVARIANTS}};
    nh_status status = worst ? NH_OK : nh_fail(error, NH_MEMORY, "out of memory");
    if (status == NH_OK)
        status = mover_new(t, &v, error);
    if (status == NH_OK)
        status = nh_study_probe(&t->study, list, 2, &probe, error);
    if (status == NH_OK && m->kind != NH_LAGRANGIAN && t->study.initial_good)
        follow(t, &v);
    if (status == NH_OK)
        report_invariants(t, worst, measure(t, &v, &probe, worst));
    nh_probe_free(&probe);
    mover_free(&v);
    free(worst);
    return status;
}
