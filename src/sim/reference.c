/* SPDX-License-Identifier: MIT */
#include "sim/reference.h"

#include "base/status.h"
#include "model/evaluate.h"
#include "model/motion.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static double largest_difference(const nh_quad *a, const nh_quad *b, int count)
{
    double most = 0;
    for (int i = 0; i < count; i++) {
        const double off = fabs((double)(a[i] - b[i]));
        if (!(off <= most)) /* also what is not a number */
            most = off;
    }
    return most;
}

void nh_reference_distance(const nh_reference *r, const nh_sim *s, double *q, double *v)
{
    *q = largest_difference(r->q, nh_sim_read(s, NH_SIM_POSITION), s->model->n);
    *v = largest_difference(r->v, nh_sim_read(s, NH_SIM_VELOCITY), s->model->n);
}

void nh_reference_free(nh_reference *r)
{
    nh_arena_free(&r->arena);
}

/* ---- The exact solution ---- */

enum { POSITION = 1, RATE, SECOND, FUNCTIONS = SECOND };

static nh_status derive_exact(const nh_model *m, nh_probe *out, nh_error *error)
{
    nh_field f[FUNCTIONS] = {{.rows = m->n, .columns = 1}};
    bool good = true;
    for (int i = 0; good && i < m->n; i++)
        good = nh_field_set(&f[0], i, 0, m->exact_q[i]);
    nh_status status = good ? NH_OK : nh_fail(error, NH_MEMORY, "out of memory");
    for (int i = 1; status == NH_OK && i < FUNCTIONS; i++)
        status = nh_field_tangent(m->graph, &f[i - 1], 1u << NH_TIME, &f[i], error);
    if (status == NH_OK)
        status = nh_probe_new(m->graph, f, FUNCTIONS, m->parameters, out, error);
    for (int i = 0; i < FUNCTIONS; i++)
        nh_field_free(&f[i]);
    return status;
}

static void evaluate_exact(nh_probe *probe, const nh_start *start, nh_quad t, nh_quad *q, nh_quad *v, nh_quad *a)
{
    const nh_quad one = 1;
    const nh_quad *x[NH_SPACES] = {[NH_TIME] = &t, [NH_Q] = start->q, [NH_V] = start->v, [NH_D_TIME] = &one};
    nh_probe_run(probe, POSITION, x, q);
    nh_probe_run(probe, RATE, x, v);
    nh_probe_run(probe, SECOND, x, a);
}

/* It may be one for other parameters or initial data only: it has to start where the motion does, and to obey the
 * equations at the end. */
static nh_status try_exact(const nh_sim *s, nh_quad end, nh_reference *r, bool *found, nh_error *error)
{
    const double fine = NH_QUAD_IS_FLOAT128 ? 1e-20 : 1e-12;
    const nh_model *m = s->model;
    nh_probe probe = {0};
    nh_motion *motion = NULL;
    nh_quad *a = NH_NEW(&r->arena, nh_quad, m->n + 1), *expected = NH_NEW(&r->arena, nh_quad, m->n + 1);
    nh_status status = a && expected ? derive_exact(m, &probe, error) : nh_fail(error, NH_MEMORY, "out of memory");
    if (status == NH_OK)
        status = nh_motion_new(m, &motion, error);
    if (status == NH_OK) {
        nh_probe_parameters(&probe, s->start.parameter);
        nh_motion_parameters(motion, s->start.parameter);
        evaluate_exact(&probe, &s->start, 0, r->q, r->v, a);
        *found = largest_difference(r->q, s->start.q, m->n) < fine && largest_difference(r->v, s->start.v, m->n) < fine;
        evaluate_exact(&probe, &s->start, end, r->q, r->v, a);
        *found = *found && nh_motion_at(motion, end, r->q, r->v, expected, NULL, NULL) == NH_OK &&
                 largest_difference(a, expected, m->n) < fine * (1 + fabs((double)end));
    }
    nh_motion_free(motion);
    nh_probe_free(&probe);
    snprintf(r->source, sizeof r->source, "the exact solution");
    return status;
}

/* ---- A run of order 12 ---- */

#define REFERENCE_GAIN 4096.0 /* half the step divides the error by this */

static nh_status run_reference(nh_sim_options options, const nh_model *m, long long steps, nh_sim **out,
                               nh_error *error)
{
    options.method = m->holonomic > 0 ? "lobatto-ab(s=7)" : "gauss(s=6)";
    options.precision = NH_PRECISION_QUAD;
    options.backend = NH_BACKEND_TAPE;
    options.audit = 0;
    nh_status status = nh_sim_new(m, &options, out, error);
    return status == NH_OK ? nh_sim_run(*out, steps, 0, NULL, NULL, error) : status;
}

static void copy_state(const nh_sim *s, nh_reference *r)
{
    const size_t bytes = (size_t)s->model->n * sizeof(nh_quad);
    memcpy(r->q, nh_sim_read(s, NH_SIM_POSITION), bytes);
    memcpy(r->v, nh_sim_read(s, NH_SIM_VELOCITY), bytes);
}

/* A run whose result replaces that of the run with twice the step; *moved is how far they are apart. */
static nh_status refine(const nh_model *m, const nh_sim_options *options, long long steps, nh_reference *r,
                        double *moved, nh_error *error)
{
    nh_sim *s = NULL;
    double q, v;
    nh_status status = run_reference(*options, m, steps, &s, error);
    if (status == NH_OK) {
        nh_reference_distance(r, s, &q, &v);
        *moved = fmax(q, v);
        copy_state(s, r);
    }
    if (s)
        snprintf(r->source, sizeof r->source, "%s in quad precision, h = %.6g", nh_stepper_choice(s->stepper)->spelling,
                 (double)s->start.h);
    nh_sim_free(s);
    return status;
}

/* What successive halvings of the step have told. */
typedef struct ladder {
    int runs, in_vain; /* runs, and halvings in turn that have gained nothing */
    double before, moved;
} ladder;

static void climb(ladder *l, double moved)
{
    l->before = l->moved;
    l->moved = moved;
    l->runs++;
    if (l->runs > 2)
        l->in_vain = moved > l->before / 2 ? l->in_vain + 1 : 0;
}

/* Of the last run: the next halving would move it by so much less as this one has, but not by more than the order says.
 * Two halvings have to be seen: before, or where nothing is gained, it is only known how far the last one went. */
static double error_of(const ladder *l)
{
    const double gain = l->runs > 2 && l->in_vain == 0 ? fmin(l->before / l->moved, REFERENCE_GAIN) : 1;
    return l->moved > 0 ? l->moved / gain : 0;
}

/* The step is halved until the result is good enough for the precision of the runs. Large steps may gain nothing, or
 * fail, before small ones do better, but not for ever: where forces have jumps there is no order 12, and the last
 * digits are of round-off. */
static bool is_enough(const ladder *l, double goal, bool finest)
{
    enum { MOST_IN_VAIN = 6 };
    const double round_off = 1e-22;
    return l->runs > 2 &&
           (error_of(l) <= goal || (l->in_vain > 0 && l->moved < round_off) || (l->in_vain >= MOST_IN_VAIN && finest));
}

static nh_status run_and_refine(const nh_model *m, nh_sim_options options, long long steps, long long finest,
                                nh_reference *r, nh_error *error)
{
    enum { MOST_STEPS = 1 << 16 };
    const double goal = options.precision == NH_PRECISION_QUAD ? 1e-28 : 1e-17;
    const long long most = 4 * steps > MOST_STEPS ? 4 * steps : MOST_STEPS;
    ladder l = {0};
    nh_status status = NH_OK;
    nh_error reason = {0};
    options.divide = options.divide > 0 ? options.divide : 1;
    for (; steps <= most && !is_enough(&l, goal, steps > finest); steps *= 2, options.divide *= 2) {
        double moved = 0;
        status = refine(m, &options, steps, r, &moved, &reason);
        if (status == NH_OK)
            climb(&l, moved);
        else if (status == NH_CONVERGENCE)
            l = (ladder){0};
        else
            break;
    }
    if (status == NH_CONVERGENCE)
        return nh_fail(error, status, "the run to compare with, by %s: %.300s", r->source, reason.message);
    if (status != NH_OK && error)
        *error = reason;
    if (status != NH_OK)
        return status;
    const size_t length = strlen(r->source);
    snprintf(r->source + length, sizeof r->source - length,
             l.runs > 2 && l.in_vain == 0 ? ", error about %.1e" : ", known to %.1e only", error_of(&l));
    return NH_OK;
}

nh_status nh_reference_make(const nh_model *m, const nh_sim_options *options, long long steps, long long finest,
                            nh_reference *out, nh_error *error)
{
    nh_sim *s = NULL;
    nh_sim_options first = *options;
    bool found = false;
    *out = (nh_reference){0};
    first.backend = NH_BACKEND_TAPE;
    nh_status status = nh_sim_new(m, &first, &s, error);
    if (status != NH_OK)
        return status;
    out->q = NH_NEW(&out->arena, nh_quad, m->n + 1);
    out->v = NH_NEW(&out->arena, nh_quad, m->n + 1);
    if (out->arena.failed)
        status = nh_fail(error, NH_MEMORY, "out of memory");
    if (status == NH_OK && m->exact_q && s->start.t == 0)
        status = try_exact(s, (nh_quad)steps * s->start.h, out, &found, error);
    nh_sim_free(s);
    return status == NH_OK && !found ? run_and_refine(m, *options, steps, finest, out, error) : status;
}
