/* SPDX-License-Identifier: MIT */
/* Exact solutions: differentiated symbolically and put into the equations. Symmetries: as classified. */
#include "model/consistent.h"
#include "model/motion.h"
#include "report/trial.h"

#include <math.h>
#include <stdlib.h>

enum { POSITION = 1, RATE, SECOND, ALGEBRAIC, FUNCTIONS = ALGEBRAIC };

typedef struct solution {
    const nh_trials *t;
    nh_probe probe;
    nh_motion *motion;
    nh_quad *memory, *q, *rate, *second, *z, *expected, *more; /* at a time; what the equations say */
    double start, equation, constraint;                        /* the largest errors */
} solution;

/* ---- Making it ---- */

static bool set_all(nh_field *f, const nh_expr *list, int count)
{
    *f = (nh_field){.rows = count, .columns = 1};
    bool good = true;
    for (int i = 0; good && i < count; i++)
        good = nh_field_set(f, i, 0, list[i]);
    return good;
}

static nh_status derive(solution *s, nh_study *study, nh_error *error)
{
    const nh_model *m = s->t->r->m;
    nh_field f[FUNCTIONS] = {{0}};
    bool good =
        set_all(&f[0], m->exact_q, m->n) && set_all(&f[ALGEBRAIC - 1], m->exact_z, m->exact_z ? m->algebraic : 0);
    nh_status status = good ? NH_OK : nh_fail(error, NH_MEMORY, "out of memory");
    for (int i = 1; status == NH_OK && i < SECOND; i++)
        status = nh_field_tangent(m->graph, &f[i - 1], 1u << NH_TIME, &f[i], error);
    if (status == NH_OK)
        return nh_study_fields(study, f, FUNCTIONS, &s->probe, error);
    for (int i = 0; i < FUNCTIONS; i++)
        nh_field_free(&f[i]);
    return status;
}

static nh_status make(solution *s, nh_study *study, nh_error *error)
{
    const nh_model *m = s->t->r->m;
    size_t n = (size_t)m->n + 1, extra = (size_t)nh_model_space_size(m, NH_LAMBDA) + 1;
    s->memory = calloc(4 * n + 2 * extra, sizeof *s->memory);
    if (!s->memory)
        return nh_fail(error, NH_MEMORY, "out of memory");
    s->q = s->memory;
    s->rate = s->q + n;
    s->second = s->rate + n;
    s->expected = s->second + n;
    s->z = s->expected + n;
    s->more = s->z + extra;
    nh_status status = derive(s, study, error);
    if (status == NH_OK)
        status = nh_motion_new(m, &s->motion, error);
    if (status == NH_OK)
        nh_motion_parameters(s->motion, s->t->r->parameter);
    return status;
}

static void release(solution *s)
{
    nh_probe_free(&s->probe);
    nh_motion_free(s->motion);
    free(s->memory);
}

/* ---- Looking at it ---- */

static void note(double *worst, const nh_quad *is, const nh_quad *want, int count)
{
    nh_quad scale = 1, error = 0;
    for (int i = 0; i < count; i++) {
        nh_quad size = nh_quad_abs(want[i]), off = nh_quad_abs(is[i] - want[i]);
        scale = size > scale ? size : scale;
        if (!(off <= error))
            error = off;
    }
    double figure = (double)(error / scale);
    if (!(figure <= *worst))
        *worst = figure;
}

static nh_status look_at(solution *s, nh_quad t, nh_error *error)
{
    const nh_report *r = s->t->r;
    const nh_model *m = r->m;
    const nh_quad one = 1;
    const nh_quad *x[NH_SPACES] = {
        [NH_TIME] = &t, [NH_Q] = r->q, [NH_V] = r->v, [NH_LAMBDA] = r->z, [NH_D_TIME] = &one};
    bool mechanics = m->kind == NH_LAGRANGIAN;
    nh_quad *state[] = {s->q, s->rate, s->second, s->z};
    for (int f = POSITION; f <= FUNCTIONS; f++)
        nh_probe_run(&s->probe, f, x, state[f - 1]);
    const nh_quad *w = mechanics ? s->rate : s->z;
    nh_status status = nh_motion_at(s->motion, t, s->q, w, s->expected, s->more, error);
    if (status != NH_OK) {
        s->equation = NAN;
        return status == NH_VALUE ? NH_OK : status;
    }
    note(&s->equation, mechanics ? s->second : s->rate, s->expected, m->n);
    if (t == 0) {
        note(&s->start, s->q, r->q, m->n);
        if (mechanics)
            note(&s->start, s->rate, r->v, m->n);
        if (m->kind == NH_DAE)
            note(&s->start, s->z, r->z, m->algebraic);
    }
    nh_violation off;
    status = nh_violation_at(m, r->parameter, t, s->q, w, &off, error);
    s->constraint = fmax(s->constraint, nh_violation_worst(&off));
    return status;
}

/* The time over which to look: what the model suggests, if that is not too long. */
static nh_quad span(const nh_report *r)
{
    const nh_quad *x[NH_SPACES] = {[NH_PARAMETER] = r->parameter};
    nh_quad until = 1;
    if (r->m->until && nh_evaluate_quad(r->m, &r->m->until, 1, x, &until, NULL) != NH_OK)
        until = 1;
    return until > 0 && until < 10 ? until : 10;
}

static void report(nh_trials *t, const solution *s)
{
    double worst = fmax(s->equation, fmax(s->constraint, s->start));
    bool good = s->equation <= NH_TRIAL_LIMIT && s->constraint <= NH_TRIAL_LIMIT && s->start <= NH_TRIAL_LIMIT;
    nh_trial_add(t, "exact solution", "", good ? NH_PASSED : NH_FAILED, worst,
                 "errors: equations %.1g, constraints %.1g, initial data %.1g", s->equation, s->constraint, s->start);
}

nh_status nh_trial_exact(nh_trials *t, nh_error *error)
{
    static const double part[] = {0, 0.13, 0.5, 1};
    const nh_model *m = t->r->m;
    solution s = {.t = t};
    if (!m->exact_q || !t->r->initial_finite)
        return NH_OK;
    nh_status status = make(&s, &t->study, error);
    nh_quad until = span(t->r);
    for (int i = 0; status == NH_OK && i < 4; i++)
        status = look_at(&s, (nh_quad)part[i] * until, error);
    if (status == NH_OK)
        report(t, &s);
    release(&s);
    return status;
}

/* ---- Symmetries ---- */

void nh_trial_symmetries(nh_trials *t)
{
    for (int i = 0; i < t->r->c->symmetries; i++) {
        const nh_symmetry_class *s = &t->r->c->symmetry[i];
        bool changes_L = s->lagrangian.answer == NH_NO, changes_k = s->constraints.answer == NH_NO;
        bool open = s->lagrangian.answer == NH_UNKNOWN || s->constraints.answer == NH_UNKNOWN;
        if (changes_L || changes_k)
            nh_trial_add(t, "symmetry", s->name, NH_FAILED, NAN, "changes %s%s%s", changes_L ? "the Lagrangian" : "",
                         changes_L && changes_k ? " and " : "", changes_k ? "the constraints" : "");
        else if (open)
            nh_trial_add(t, "symmetry", s->name, NH_SKIPPED, NAN, "not looked at: %s",
                         *t->r->c->no_samples ? t->r->c->no_samples : "the system is too large");
        else
            nh_trial_add(t, "symmetry", s->name, NH_PASSED, NAN, "leaves the Lagrangian and the constraints invariant");
    }
}
