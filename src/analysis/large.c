/* SPDX-License-Identifier: MIT */
/* The distribution of a large system. D is involutive iff all dω vanish on D×D; the rank of dω on pairs of vectors of
 * D, as a linear function of the combination of constraints, is the dimension that [D,D] adds to D. Pairs are random,
 * index ranges stay loops, and a pair costs as much as a few evaluations of the constraints. */
#include "analysis/sparse.h"

#include <stdlib.h>

enum {
    MOST_ROWS = 600,       /* up to which all pairs that the rank may need are looked at */
    FIRST_PAIRS = 6,       /* looked at of any system */
    SPARE_PAIRS = 4,       /* that must add nothing before the rank is believed */
    MOST_DIMENSIONS = 1200 /* up to which the rank of a single dω is computed */
};

typedef struct curvature {
    nh_study *s;
    nh_sparse forms; /* rows of K and g_q */
    nh_probe halves; /* the two halves of dω */
    nh_gram gram;
    nh_quad *half;  /* [2m] */
    nh_quad *u, *w; /* vectors of D: [dimension + 1], whose last entry is 0 if D is on Q */
    double *B;      /* pairs × m: values of dω */
    int pairs;      /* so many are there */
    bool closed, good;
} curvature;

static nh_status prepare(curvature *y, nh_error *error)
{
    nh_study *s = y->s;
    const nh_model *m = s->m;
    const nh_distribution *d = &s->c->distribution;
    size_t rows = (size_t)m->m + 1, pairs = m->m > MOST_ROWS ? FIRST_PAIRS : (size_t)m->m + FIRST_PAIRS;
    nh_field f[2] = {{0}};
    y->half = NH_NEW(&s->arena, nh_quad, 2 * rows);
    y->u = NH_NEW(&s->arena, nh_quad, d->dimension + 2);
    y->w = NH_NEW(&s->arena, nh_quad, d->dimension + 2);
    y->B = NH_NEW(&s->arena, double, pairs *rows);
    if (s->arena.failed)
        return nh_out_of_memory(error);
    nh_status status = nh_sparse_forms(s, d->with_time, &y->forms, error);
    if (status == NH_OK)
        status = nh_two_form(m, &f[0], &f[1], error);
    if (status == NH_OK)
        status = nh_stack(&f[0], &f[1], error);
    if (status == NH_OK)
        return nh_study_fields(s, f, 1, &y->halves, error);
    nh_field_free(&f[0]);
    nh_field_free(&f[1]);
    return status;
}

static bool draw_vector(curvature *y, nh_quad *x)
{
    for (int j = 0; j < y->s->c->distribution.dimension; j++)
        x[j] = nh_study_random(y->s);
    return nh_gram_project(&y->gram, x);
}

/* dω(u, w) of all constraints. */
static void look(curvature *y, const nh_sample *at, double *out)
{
    const nh_model *m = y->s->m;
    const nh_quad *x[NH_SPACES];
    nh_sample_inputs(y->s, at, x);
    x[NH_D_Q] = y->u;
    x[NH_D_TIME] = &y->u[m->n];
    x[NH_V] = y->w;
    x[NH_LAMBDA] = &y->w[m->n];
    nh_probe_run(&y->halves, 1, x, y->half);
    for (int c = 0; c < m->m; c++) {
        nh_quad a = y->half[c], b = y->half[m->m + c], value = a - b;
        nh_quad terms = nh_quad_abs(a) + nh_quad_abs(b) + (nh_quad)1e-3;
        bool zero = nh_negligible(value, terms);
        y->closed &= zero;
        y->good &= nh_quad_finite(value);
        out[c] = zero ? 0 : (double)value;
    }
}

/* Pairs up to this number. Each is a new one: pairs of a few vectors may have all their dω in a small space, as those
 * of vectors of a space of jets have. */
static void look_at_pairs(curvature *y, int pairs)
{
    for (; y->good && y->pairs < pairs; y->pairs++) {
        y->good = draw_vector(y, y->u) && draw_vector(y, y->w);
        if (y->good)
            look(y, &y->s->sample[0], y->B + (size_t)y->pairs * (size_t)y->s->m->m);
    }
}

/* The rank of the values of dω so far; −1 without memory. */
static int rank_of_values(const curvature *y, double *gap)
{
    size_t count = (size_t)y->pairs * (size_t)y->s->m->m;
    double *copy = malloc((count + 1) * sizeof *copy);
    for (size_t i = 0; copy && i < count; i++)
        copy[i] = y->B[i];
    int rank = copy ? nh_eliminate_double(copy, y->pairs, y->s->m->m, 1e-10, NULL, NULL, gap) : -1;
    free(copy);
    return rank;
}

/* The dimension that brackets add: pairs are drawn until the last few add nothing. −1: it needs too many. */
static int find_rank(curvature *y, double *gap)
{
    int rows = y->s->m->m, rank = rank_of_values(y, gap);
    while (y->good && rank > y->pairs - SPARE_PAIRS && rank < rows) {
        if (rows > MOST_ROWS)
            return -1;
        int more = 2 * y->pairs < rows ? 2 * y->pairs : rows;
        look_at_pairs(y, more + SPARE_PAIRS);
        rank = rank_of_values(y, gap);
    }
    return y->good ? rank : -1;
}

/* The number of independent forms: all, or by elimination where that can be afforded; −1: not decided. */
static int rank_of_forms(curvature *y)
{
    const nh_sparse *A = &y->forms;
    size_t columns = (size_t)A->pattern.columns, count = (size_t)A->pattern.rows * columns;
    if (nh_gram_independent(y->s, &y->gram) == NH_YES)
        return A->pattern.rows;
    double *dense = A->pattern.rows <= MOST_ROWS && count < 4000000 ? calloc(count + 1, sizeof *dense) : NULL;
    for (int r = 0; dense && r < A->pattern.rows; r++)
        for (size_t e = A->pattern.start[r]; e < A->pattern.start[r + 1]; e++)
            dense[(size_t)r * columns + (size_t)A->pattern.column[e]] = (double)A->value[e];
    int rank = dense ? nh_eliminate_double(dense, A->pattern.rows, A->pattern.columns, 1e-11, NULL, NULL, NULL) : -1;
    free(dense);
    return rank;
}

/* The first two entries of the growth vector. */
static void conclude(curvature *y, int forms)
{
    nh_study *s = y->s;
    nh_distribution *d = &s->c->distribution;
    nh_growth *g = &d->generic;
    double gap = 1;
    int more = y->closed ? 0 : find_rank(y, &gap);
    d->integrable.answer = y->closed ? NH_YES : NH_NO;
    d->integrals = -1;
    *g = (nh_growth){.limit = "", .clear = true};
    if (forms < 0)
        return;
    d->rank = d->dimension - forms;
    g->defined = true;
    g->dimension[g->length++] = d->rank;
    g->complete = y->closed;
    if (more > 0) {
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
        for (size_t e = 0; e < y->forms.pattern.start[1]; e++) {
            size_t i = (size_t)y->forms.pattern.column[e];
            M[i * N + D] = (double)y->forms.value[e];
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
    nh_distribution *d = &s->c->distribution;
    const nh_quad *x[NH_SPACES];
    curvature y = {.s = s, .closed = true};
    nh_status status = prepare(&y, error);
    if (status == NH_OK) {
        nh_sample_inputs(s, &s->sample[0], x);
        y.good = nh_sparse_at(&y.forms, 0, x) && nh_gram_new(s, &y.forms, 0, &y.gram);
        look_at_pairs(&y, FIRST_PAIRS);
        if (y.good)
            conclude(&y, rank_of_forms(&y));
        else
            d->reason = "vectors of the distribution cannot be computed";
        if (y.good && m->m == 1 && m->holonomic == 0 && d->dimension <= MOST_DIMENSIONS)
            status = single_form(&y, error);
    }
    nh_gram_free(&y.gram);
    nh_sparse_free(&y.forms);
    nh_probe_free(&y.halves);
    return status;
}
