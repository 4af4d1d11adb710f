/* SPDX-License-Identifier: MIT */
/* The distribution of a large system. D is involutive iff all dω vanish on D×D; the rank of dω on pairs of vectors of
 * D, as a linear function of the combination of constraints, is the dimension that [D,D] adds to D. Pairs are random,
 * index ranges stay loops, and a pair costs as much as a few evaluations of the constraints. */
#include "analysis/study.h"

#include <stdlib.h>

enum { MOST_ROWS = 600, FEW_PAIRS = 4 };

typedef struct curvature {
    nh_study *s;
    nh_probe forms, halves; /* rows of K and g_q; the two halves of dω */
    nh_gram gram;
    nh_quad *A, *first, *second;
    nh_quad *vector; /* random vectors of D, each [dimension + 1], whose last entry is 0 if D is on Q */
    int vectors;
    double *B; /* pairs × m: values of dω */
    bool closed;
} curvature;

/* So many vectors have at least this many pairs. */
static int vectors_for(int pairs)
{
    int count = 2;
    while (count * (count - 1) / 2 < pairs)
        count++;
    return count;
}

static nh_status prepare(curvature *y, int pairs, nh_error *error)
{
    nh_study *s = y->s;
    const nh_model *m = s->m;
    const nh_distribution *d = &s->c->distribution;
    size_t rows = (size_t)(m->m + m->holonomic) + 1, columns = (size_t)d->dimension + 2;
    nh_field f[2] = {{0}};
    y->A = NH_NEW(&s->arena, nh_quad, rows * columns);
    y->first = NH_NEW(&s->arena, nh_quad, rows);
    y->second = NH_NEW(&s->arena, nh_quad, rows);
    y->vectors = vectors_for(pairs);
    y->vector = NH_NEW(&s->arena, nh_quad, (size_t)y->vectors * columns);
    y->B = NH_NEW(&s->arena, double, (size_t)pairs *rows);
    if (s->arena.failed)
        return nh_out_of_memory(error);
    nh_status status = nh_form_matrix(s, &y->forms, error);
    if (status == NH_OK)
        status = nh_two_form(m, &f[0], &f[1], error);
    if (status == NH_OK)
        return nh_study_fields(s, f, 2, &y->halves, error);
    nh_field_free(&f[0]);
    nh_field_free(&f[1]);
    return status;
}

static nh_quad *vector_at(const curvature *y, int i)
{
    return y->vector + (size_t)i * ((size_t)y->s->c->distribution.dimension + 2);
}

static void draw_vectors(curvature *y)
{
    for (int i = 0; i < y->vectors; i++) {
        nh_quad *x = vector_at(y, i);
        for (int j = 0; j < y->s->c->distribution.dimension; j++)
            x[j] = nh_study_random(y->s);
        nh_gram_project(&y->gram, x);
    }
}

/* dω(u, w) of all constraints. */
static void look(curvature *y, const nh_sample *at, const nh_quad *u, const nh_quad *w, double *out)
{
    const nh_model *m = y->s->m;
    const nh_quad *x[NH_SPACES];
    nh_sample_inputs(y->s, at, x);
    x[NH_D_Q] = u;
    x[NH_D_TIME] = &u[m->n];
    x[NH_V] = w;
    x[NH_LAMBDA] = &w[m->n];
    nh_probe_run(&y->halves, 1, x, y->first);
    nh_probe_run(&y->halves, 2, x, y->second);
    for (int c = 0; c < m->m; c++) {
        nh_quad value = y->first[c] - y->second[c];
        nh_quad terms = nh_quad_abs(y->first[c]) + nh_quad_abs(y->second[c]) + (nh_quad)1e-3;
        bool zero = nh_negligible(value, terms);
        y->closed &= zero;
        out[c] = zero ? 0 : (double)value;
    }
}

static void look_at_pairs(curvature *y, int pairs)
{
    int done = 0;
    draw_vectors(y);
    for (int i = 0; i < y->vectors; i++)
        for (int j = i + 1; j < y->vectors && done < pairs; j++, done++)
            look(y, &y->s->sample[0], vector_at(y, i), vector_at(y, j), y->B + (size_t)done * (size_t)y->s->m->m);
}

static int rank_of_forms(curvature *y)
{
    const nh_distribution *d = &y->s->c->distribution;
    int rows = y->s->m->m + y->s->m->holonomic;
    size_t count = (size_t)rows * (size_t)d->dimension;
    double *copy = malloc((count + 1) * sizeof *copy);
    for (size_t i = 0; copy && i < count; i++)
        copy[i] = (double)y->A[i];
    int rank = copy ? nh_eliminate_double(copy, rows, d->dimension, 1e-11, NULL, NULL, NULL) : -1;
    free(copy);
    return rank;
}

/* The first two entries of the growth vector. */
static void conclude(curvature *y, int pairs, int forms)
{
    nh_study *s = y->s;
    nh_distribution *d = &s->c->distribution;
    nh_growth *g = &d->generic;
    double gap = 1;
    d->rank = d->dimension - forms;
    d->integrable.answer = y->closed ? NH_YES : NH_NO;
    *g = (nh_growth){.defined = true, .length = 1, .dimension = {d->rank}, .limit = "", .clear = true};
    g->complete = y->closed;
    if (!y->closed && pairs > s->m->m) {
        int more = nh_eliminate_double(y->B, pairs, s->m->m, 1e-10, NULL, NULL, &gap);
        g->dimension[g->length++] = d->rank + more;
        g->complete = d->rank + more == d->dimension;
        g->clear = gap > 1e-7;
    }
    if (!g->complete)
        g->limit = "the dimension of the system";
    else
        d->integrals = d->dimension - g->dimension[g->length - 1] - s->m->holonomic;
    d->integrals = g->complete && d->integrals < 0 ? 0 : d->integrals;
}

/* --- one constraint: the rank of dω on D --- */

/* ∂ω/∂(q, t) as a matrix: row j is component j of ω. */
static nh_status derivative_of_form(nh_study *s, nh_probe *out, nh_error *error)
{
    const nh_model *m = s->m;
    nh_field f[4] = {{0}}, form = {0};
    nh_expr k = m->constraint[0].value, one_form = nh_one_form(m->graph, k);
    nh_status status = nh_gradient(m->graph, one_form, NH_V, m->n, &form, error);
    if (status == NH_OK)
        status = nh_field_jacobian(m->graph, &form, NH_Q, m->n, &f[0], error);
    if (status == NH_OK)
        status = nh_field_jacobian(m->graph, &form, NH_TIME, 1, &f[1], error);
    nh_field_free(&form);
    if (status == NH_OK)
        status = nh_gradient(m->graph, one_form, NH_LAMBDA, 1, &form, error);
    if (status == NH_OK)
        status = nh_field_jacobian(m->graph, &form, NH_Q, m->n, &f[2], error);
    nh_field_free(&form);
    if (status == NH_OK)
        return nh_study_fields(s, f, 3, out, error);
    for (int i = 0; i < 3; i++)
        nh_field_free(&f[i]);
    return status;
}

/* dω on ker ω has the rank of [[dω, ωᵀ], [−ω, 0]], less 2. */
static int bordered_rank(curvature *y, nh_probe *p, const nh_sample *at)
{
    const nh_distribution *d = &y->s->c->distribution;
    size_t n = (size_t)y->s->m->n, D = (size_t)d->dimension, N = D + 1;
    nh_quad *by_q = malloc((n * n + 2 * n + 1) * sizeof *by_q), *by_t = by_q + n * n, *time_by_q = by_t + n;
    double *M = calloc(N * N, sizeof *M);
    int rank = -1;
    if (by_q && M) {
        const nh_quad *x[NH_SPACES];
        nh_sample_inputs(y->s, at, x);
        nh_probe_run(p, 1, x, by_q);
        nh_probe_run(p, 2, x, by_t);
        nh_probe_run(p, 3, x, time_by_q);
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++)
                M[i * N + j] = (double)(by_q[j * n + i] - by_q[i * n + j]);
        for (size_t i = 0; i < n && D > n; i++) {
            M[i * N + n] = (double)(time_by_q[i] - by_t[i]);
            M[n * N + i] = -M[i * N + n];
        }
        for (size_t i = 0; i < D; i++) {
            M[i * N + D] = (double)y->A[i];
            M[D * N + i] = -M[i * N + D];
        }
        rank = nh_eliminate_double(M, (int)N, (int)N, 1e-10, NULL, NULL, NULL) - 2;
    }
    free(by_q);
    free(M);
    return rank;
}

static nh_status single_form(curvature *y, nh_error *error)
{
    nh_probe p;
    nh_status status = derivative_of_form(y->s, &p, error);
    if (status != NH_OK)
        return status;
    y->s->c->distribution.form_rank = bordered_rank(y, &p, &y->s->sample[0]);
    nh_probe_free(&p);
    return NH_OK;
}

nh_status nh_study_large(nh_study *s, nh_error *error)
{
    const nh_model *m = s->m;
    const nh_distribution *d = &s->c->distribution;
    curvature y = {.s = s, .closed = true};
    int pairs = m->m > MOST_ROWS ? FEW_PAIRS : m->m + FEW_PAIRS;
    nh_status status = prepare(&y, pairs, error);
    if (status == NH_OK) {
        nh_form_matrix_at(s, &y.forms, &s->sample[0], d->with_time, y.A);
        bool good = nh_gram_new(y.A, m->m + m->holonomic, d->dimension, &y.gram);
        if (good)
            look_at_pairs(&y, pairs);
        int forms = good ? rank_of_forms(&y) : -1;
        if (forms >= 0)
            conclude(&y, pairs, forms);
        if (forms >= 0 && m->m == 1 && m->holonomic == 0)
            status = single_form(&y, error);
    }
    nh_gram_free(&y.gram);
    nh_probe_free(&y.forms);
    nh_probe_free(&y.halves);
    return status;
}
