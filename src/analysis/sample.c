/* SPDX-License-Identifier: MIT */
/* Random points near the initial data, moved onto the constraints. */
#include "analysis/study.h"
#include "model/initial.h"

#include <stdlib.h>
#include <string.h>

nh_quad nh_study_random(nh_study *s)
{
    uint64_t z = s->random += 0x9e3779b97f4a7c15u; /* splitmix64 */
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    return ((nh_quad)(z >> 11) + (nh_quad)0.5) * (nh_quad)0x1p-52 - 1;
}

void nh_sample_inputs(const nh_study *s, const nh_sample *at, const nh_quad *x[NH_SPACES])
{
    memset(x, 0, NH_SPACES * sizeof *x);
    x[NH_TIME] = &at->t;
    x[NH_PARAMETER] = s->parameters;
    x[NH_Q] = at->q;
    x[NH_V] = at->v;
    x[NH_LAMBDA] = at->lambda;
}

bool nh_negligible(nh_quad sum, nh_quad terms)
{
    return nh_quad_abs(sum) <= terms * (nh_quad)(NH_QUAD_IS_FLOAT128 ? 1e-24 : 1e-13);
}

nh_quad nh_dot(const nh_quad *a, const nh_quad *x, int n, nh_quad *terms)
{
    nh_quad sum = 0, sum_a = 0, sum_x = 0;
    for (int i = 0; i < n; i++) {
        nh_quad term = a[i] * x[i];
        sum += term;
        *terms += nh_quad_abs(term);
        sum_a += nh_quad_abs(a[i]);
        sum_x += nh_quad_abs(x[i]);
    }
    *terms += sum_a * sum_x * (nh_quad)1e-6;
    return sum;
}

nh_status nh_study_copy(const nh_field *f, int rows, nh_field *out, nh_error *error)
{
    *out = (nh_field){.rows = rows, .columns = 1};
    for (uint32_t i = 0; i < f->pieces; i++)
        if (!nh_field_add(out, &f->piece[i])) {
            nh_field_free(out);
            return nh_out_of_memory(error);
        }
    return NH_OK;
}

nh_status nh_out_of_memory(nh_error *error)
{
    return nh_fail(error, NH_MEMORY, "out of memory while classifying");
}

void nh_study_not_finite(nh_study *s, const char *quantity)
{
    if (!s->c->not_finite[0])
        s->c->not_finite = quantity;
}

nh_status nh_study_fields(nh_study *s, nh_field *fields, int count, nh_probe *out, nh_error *error)
{
    nh_status status = nh_probe_new(s->m->graph, fields, count, s->m->parameters, out, error);
    if (status == NH_OK)
        nh_probe_parameters(out, s->parameters);
    for (int i = 0; i < count; i++)
        nh_field_free(&fields[i]);
    return status;
}

nh_status nh_study_probe(nh_study *s, const nh_request *list, int count, nh_probe *out, nh_error *error)
{
    nh_field fields[12] = {{0}};
    nh_status status = NH_OK;
    *out = (nh_probe){0};
    for (int i = 0; status == NH_OK && i < count; i++)
        status = nh_derive(s->m, list[i], &fields[i], error);
    if (status == NH_OK)
        return nh_study_fields(s, fields, count, out, error);
    for (int i = 0; i < count; i++)
        nh_field_free(&fields[i]);
    return status;
}

/* --- moving onto constraints --- */

/* A row of A Aᵀ; A is often mostly zeros. */
static void gram_row(const nh_quad *A, int rows, int columns, int i, nh_quad *out)
{
    size_t C = (size_t)columns;
    for (int k = 0; k < rows; k++)
        out[k] = 0;
    for (size_t j = 0; j < C; j++) {
        nh_quad x = A[(size_t)i * C + j];
        for (int k = 0; x != 0 && k < rows; k++)
            if (A[(size_t)k * C + j] != 0)
                out[k] += x * A[(size_t)k * C + j];
    }
}

bool nh_gram_new(const nh_quad *A, int rows, int columns, nh_gram *out)
{
    size_t R = (size_t)rows;
    *out = (nh_gram){.A = A, .rows = rows, .columns = columns};
    out->lu = malloc((R * R + 1) * sizeof *out->lu);
    out->b = malloc((R + 1) * sizeof *out->b);
    out->pivot = malloc((R + 1) * sizeof *out->pivot);
    bool good = out->lu && out->b && out->pivot;
    nh_quad trace = 0;
    for (int i = 0; good && i < rows; i++) {
        gram_row(A, rows, columns, i, out->lu + (size_t)i * R);
        trace += out->lu[(size_t)i * R + (size_t)i];
    }
    for (size_t i = 0; good && i < R; i++) /* a little of the identity, so that redundant rows do not matter */
        out->lu[i * R + i] += trace * (nh_quad)(NH_QUAD_IS_FLOAT128 ? 1e-26 : 1e-15);
    good = good && nh_lu_quad(out->lu, rows, out->pivot);
    if (!good)
        nh_gram_free(out);
    return good;
}

void nh_gram_free(nh_gram *f)
{
    free(f->lu);
    free(f->b);
    free(f->pivot);
    *f = (nh_gram){0};
}

void nh_gram_add(nh_gram *f, nh_quad *b, nh_quad *x)
{
    nh_lu_solve_quad(f->lu, f->rows, f->pivot, b);
    for (int i = 0; i < f->rows; i++)
        for (int j = 0; j < f->columns; j++)
            if (f->A[(size_t)i * (size_t)f->columns + (size_t)j] != 0)
                x[j] += f->A[(size_t)i * (size_t)f->columns + (size_t)j] * b[i];
}

void nh_gram_project(nh_gram *f, nh_quad *u)
{
    for (int round = 0; round < 2; round++) { /* the second one removes what rounding left */
        for (int i = 0; i < f->rows; i++) {
            f->b[i] = 0;
            for (int j = 0; j < f->columns; j++)
                if (f->A[(size_t)i * (size_t)f->columns + (size_t)j] != 0)
                    f->b[i] -= f->A[(size_t)i * (size_t)f->columns + (size_t)j] * u[j];
        }
        nh_gram_add(f, f->b, u);
    }
}

enum { OF_G = 1, OF_G_Q, OF_K, OF_K_V, OF_G_RATE };

typedef struct mover {
    nh_study *s;
    nh_probe probe;
    nh_quad *A, *b; /* rows of constraints, and their values */
} mover;

static nh_quad largest(const nh_quad *x, int count)
{
    nh_quad most = 0;
    for (int i = 0; i < count; i++)
        most = nh_quad_abs(x[i]) > most ? nh_quad_abs(x[i]) : most;
    return most;
}

/* Evaluates g (positions) or k and g_q v + g_t (velocities), with their derivatives. */
static int evaluate(mover *w, const nh_sample *at, bool velocities)
{
    const nh_model *m = w->s->m;
    const nh_quad *x[NH_SPACES], one = 1;
    nh_sample_inputs(w->s, at, x);
    x[NH_D_TIME] = &one;
    x[NH_D_Q] = at->v;
    int first = velocities ? m->m : 0;
    nh_probe_run(&w->probe, velocities ? OF_G_RATE : OF_G, x, w->b + first);
    nh_probe_run(&w->probe, OF_G_Q, x, w->A + (size_t)first * (size_t)m->n);
    if (velocities) {
        nh_probe_run(&w->probe, OF_K, x, w->b);
        nh_probe_run(&w->probe, OF_K_V, x, w->A);
    }
    return first + m->holonomic;
}

/* Newton's method with the shortest increments. */
static bool move(mover *w, nh_sample *at, bool velocities)
{
    enum { ROUNDS = 60 };
    const nh_model *m = w->s->m;
    const nh_quad fine = NH_QUAD_IS_FLOAT128 ? (nh_quad)1e-30 : (nh_quad)1e-16;
    for (int round = 0; round < ROUNDS; round++) {
        int rows = evaluate(w, at, velocities);
        if (!nh_quads_finite(w->b, (size_t)rows) || !nh_quads_finite(w->A, (size_t)rows * (size_t)m->n))
            return false;
        if (largest(w->b, rows) <= fine)
            return true;
        for (int i = 0; i < rows; i++)
            w->b[i] = -w->b[i];
        nh_gram gram;
        if (!nh_gram_new(w->A, rows, m->n, &gram))
            return false;
        nh_gram_add(&gram, w->b, velocities ? at->v : at->q);
        nh_gram_free(&gram);
    }
    return largest(w->b, evaluate(w, at, velocities)) <= fine * 1000000;
}

static bool draw(mover *w, nh_sample *at, double radius)
{
    nh_study *s = w->s;
    const nh_model *m = s->m;
    at->t = (nh_quad)(radius / 2) * (1 + nh_study_random(s));
    for (int i = 0; i < m->n; i++) {
        at->q[i] = (s->initial_good ? s->initial.q[i] : 0) + (nh_quad)radius * nh_study_random(s);
        at->v[i] = (s->initial_good ? s->initial.v[i] : 0) + nh_study_random(s);
    }
    for (int i = 0; i < nh_model_space_size(m, NH_LAMBDA); i++)
        at->lambda[i] = nh_study_random(s) + (m->kind == NH_DAE && s->initial_good ? s->initial.lambda[i] : 0);
    return m->kind != NH_LAGRANGIAN || (move(w, at, false) && move(w, at, true));
}

static bool sample_alloc(nh_study *s, nh_sample *at)
{
    at->q = NH_NEW(&s->arena, nh_quad, s->m->n + 1);
    at->v = NH_NEW(&s->arena, nh_quad, s->m->n + 1);
    at->lambda = NH_NEW(&s->arena, nh_quad, nh_model_space_size(s->m, NH_LAMBDA) + 1);
    return !s->arena.failed;
}

static nh_status draw_samples(nh_study *s, nh_error *error)
{
    static const nh_request list[] = {
        {.of = NH_OF_HOLONOMIC},
        {.of = NH_OF_HOLONOMIC, .order = 1, .by = {NH_Q}},
        {.of = NH_OF_CONSTRAINT},
        {.of = NH_OF_CONSTRAINT, .order = 1, .by = {NH_V}},
        {.of = NH_OF_HOLONOMIC, .tangent = 1u << NH_TIME | 1u << NH_Q},
    };
    mover w = {.s = s};
    size_t rows = (size_t)(s->m->m + s->m->holonomic) + 1;
    w.A = NH_NEW(&s->arena, nh_quad, rows * (size_t)(s->m->n + 1));
    w.b = NH_NEW(&s->arena, nh_quad, rows);
    if (s->arena.failed)
        return nh_out_of_memory(error);
    nh_status status = nh_study_probe(s, list, OF_G_RATE, &w.probe, error);
    for (int trial = 0; status == NH_OK && s->samples < NH_SAMPLES && trial < 40; trial++)
        if (draw(&w, &s->sample[s->samples], trial < 20 ? 0.3 : 0.02))
            s->samples++;
    nh_probe_free(&w.probe);
    s->c->samples = s->samples;
    return status;
}

nh_status nh_study_points(nh_study *s, nh_error *error)
{
    const nh_model *m = s->m;
    s->random = 20090317;
    s->parameters = NH_NEW(&s->arena, nh_quad, m->parameters + 1);
    s->column = NH_NEW(&s->arena, nh_quad, m->m + m->holonomic + 1);
    bool good = sample_alloc(s, &s->initial);
    for (int i = 0; i < NH_SAMPLES; i++)
        good = good && sample_alloc(s, &s->sample[i]);
    if (!good)
        return nh_out_of_memory(error);
    nh_status status = nh_model_initial(m, s->parameters, s->initial.q, s->initial.v,
                                        m->kind == NH_DAE ? s->initial.lambda : NULL, error);
    s->initial_good = status == NH_OK;
    if (status == NH_VALUE)
        nh_study_not_finite(s, "initial data");
    else if (status != NH_OK)
        return status;
    double rows = m->m + m->holonomic, columns = m->n + 1;
    s->c->too_large = rows * columns > 4e6 || rows + columns > 2000;
    return s->c->too_large ? NH_OK : draw_samples(s, error);
}
