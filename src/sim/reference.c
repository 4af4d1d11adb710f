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
        snprintf(r->source, sizeof r->source, "%s in quad precision, h = %.6g, error about %.1e",
                 nh_stepper_choice(s->stepper)->spelling, (double)s->start.h, *moved / REFERENCE_GAIN);
    }
    nh_sim_free(s);
    return status;
}

/* The step is halved until the result is good enough for the precision of the runs, or is so no longer the better. */
static nh_status run_and_refine(const nh_model *m, nh_sim_options options, long long steps, nh_reference *r,
                                nh_error *error)
{
    enum { MOST_STEPS = 1 << 15 };
    const double goal = options.precision == NH_PRECISION_QUAD ? 1e-28 : 1e-17;
    double moved = 0, before;
    nh_status status = refine(m, &options, steps, r, &moved, error);
    do {
        options.divide = 2 * (options.divide > 0 ? options.divide : 1);
        steps *= 2;
        before = moved;
        if (status == NH_OK)
            status = refine(m, &options, steps, r, &moved, error);
    } while (status == NH_OK && moved > goal * REFERENCE_GAIN && moved < before && steps <= MOST_STEPS);
    return status;
}

nh_status nh_reference_make(const nh_model *m, const nh_sim_options *options, long long steps, nh_reference *out,
                            nh_error *error)
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
    return status == NH_OK && !found ? run_and_refine(m, *options, steps, out, error) : status;
}
