/* SPDX-License-Identifier: MIT */
/* Random points near the initial data, moved onto the constraints. */
#include "analysis/sparse.h"
#include "model/initial.h"

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

enum { MOST_LARGE_TRIALS = 5 }; /* of a large system that fail: each takes its time */

enum { OF_G = 1, OF_K, OF_G_RATE };

typedef struct mover {
    nh_study *s;
    nh_probe probe;
    nh_sparse forms;
    nh_quad *b; /* values of the constraints */
} mover;

static nh_quad largest(const nh_quad *x, int count)
{
    nh_quad most = 0;
    for (int i = 0; i < count; i++)
        most = nh_quad_abs(x[i]) > most ? nh_quad_abs(x[i]) : most;
    return most;
}

static void inputs(const mover *w, const nh_sample *at, const nh_quad *x[NH_SPACES])
{
    static const nh_quad one = 1;
    nh_sample_inputs(w->s, at, x);
    x[NH_D_TIME] = &one;
    x[NH_D_Q] = at->v;
}

/* The values of g (positions) or k and g_q v + g_t (velocities); their number. */
static int evaluate(mover *w, const nh_sample *at, bool velocities)
{
    const nh_model *m = w->s->m;
    const nh_quad *x[NH_SPACES];
    int first = velocities ? m->m : 0;
    inputs(w, at, x);
    nh_probe_run(&w->probe, velocities ? OF_G_RATE : OF_G, x, w->b + first);
    if (velocities)
        nh_probe_run(&w->probe, OF_K, x, w->b);
    return first + m->holonomic;
}

/* The shortest increment that Newton's method allows. */
static bool step(mover *w, nh_sample *at, bool velocities, int rows)
{
    const nh_quad *x[NH_SPACES];
    nh_gram gram;
    int first = w->forms.pattern.rows - rows; /* rows of g come last */
    inputs(w, at, x);
    if (!nh_sparse_at(&w->forms, first, x) || !nh_gram_new(w->s, &w->forms, first, &gram))
        return false;
    for (int i = 0; i < rows; i++)
        w->b[i] = -w->b[i];
    bool good = nh_gram_add(&gram, w->b, velocities ? at->v : at->q);
    nh_gram_free(&gram);
    return good;
}

static bool move(mover *w, nh_sample *at, bool velocities)
{
    enum { ROUNDS = 60 };
    const nh_quad fine = NH_QUAD_IS_FLOAT128 ? (nh_quad)1e-30 : (nh_quad)1e-16;
    nh_quad before = 0;
    for (int round = 0; round < ROUNDS; round++) {
        int rows = evaluate(w, at, velocities);
        nh_quad now = largest(w->b, rows);
        if (!nh_quads_finite(w->b, (size_t)rows))
            return false;
        if (now <= fine || (round > 0 && now <= fine * 10000 && now >= before / 2)) /* rounding is all that is left */
            return true;
        if (!step(w, at, velocities, rows))
            return false;
        before = now;
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
        {.of = NH_OF_CONSTRAINT},
        {.of = NH_OF_HOLONOMIC, .tangent = 1u << NH_TIME | 1u << NH_Q},
    };
    mover w = {.s = s};
    w.b = NH_NEW(&s->arena, nh_quad, s->m->m + s->m->holonomic + 1);
    if (s->arena.failed)
        return nh_out_of_memory(error);
    nh_status status = nh_study_probe(s, list, OF_G_RATE, &w.probe, error);
    if (status == NH_OK && s->m->kind == NH_LAGRANGIAN)
        status = nh_sparse_forms(s, false, &w.forms, error);
    int trials = w.forms.too_many ? 0 : 40;
    for (int trial = 0; status == NH_OK && s->samples < NH_SAMPLES && trial < trials; trial++)
        if (draw(&w, &s->sample[s->samples], trial < trials / 2 ? 0.3 : 0.02))
            s->samples++;
        else if (s->c->too_large && trial >= MOST_LARGE_TRIALS)
            break;
    s->c->samples = s->samples;
    if (s->samples == 0)
        s->c->no_samples = w.forms.too_many ? "the system is too large" : "no point on the constraints was found";
    nh_probe_free(&w.probe);
    nh_sparse_free(&w.forms);
    return status == NH_OK && s->arena.failed ? nh_out_of_memory(error) : status;
}

nh_status nh_study_points(nh_study *s, nh_error *error)
{
    const nh_model *m = s->m;
    s->random = 20090317;
    s->parameters = NH_NEW(&s->arena, nh_quad, m->parameters + 1);
    s->column = NH_NEW(&s->arena, nh_quad, m->m + m->holonomic + 1);
    s->c->no_samples = "";
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
    return draw_samples(s, error);
}
