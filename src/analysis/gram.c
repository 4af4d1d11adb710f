/* SPDX-License-Identifier: MIT */
/* Least-norm solutions and projections with sparse rows. */
#include "analysis/sparse.h"

#include <math.h>
#include <stdlib.h>

enum {
    FEW_PRODUCTS = 4000000,    /* a factorization costs nothing */
    MOST_PRODUCTS = 600000000, /* it can be afforded */
    MOST_ENTRIES = 4000000,    /* of its factor */
    MOST_ROUNDS = 400,         /* of conjugate gradients */
    LEAST_ROUNDS = 10,         /* … of the largest matrices, so that a solution takes seconds at most */
    MOST_WORK = 5000000
};

/* A little of the identity is added, so that redundant rows do not matter. */
static const double little = NH_QUAD_IS_FLOAT128 ? 1e-26 : 1e-15;

void nh_gram_free(nh_gram *f)
{
    free(f->scale);
    free(f->t);
    free(f->work);
    nh_cholesky_free(f->factor);
    *f = (nh_gram){0};
}

/* --- the factorization in double --- */

/* Where it takes no more than so many products; false: out of memory. */
static bool factorize(nh_gram *f, double most)
{
    const nh_pattern *A = &f->A->pattern;
    const nh_row_list rows = {f->rows, A->columns, A->start + f->first, A->column};
    if (nh_cholesky_products(&rows) > most)
        return true;
    double *value = calloc(A->start[A->rows] + 1, sizeof *value);
    bool failed = !value;
    for (int i = 0; value && i < f->rows; i++)
        for (size_t e = rows.start[i]; e < rows.start[i + 1]; e++)
            value[e] = (double)(f->A->value[e] * f->scale[i]);
    f->factor = value ? nh_cholesky_new(&rows, value, MOST_ENTRIES, &failed) : NULL;
    free(value);
    return !failed;
}

/* z = (A A^T)^-1 r, with r scaled to a size that a double can have. */
static void precondition(nh_gram *f, nh_quad size)
{
    for (int i = 0; i < f->rows; i++) {
        f->z[i] = f->r[i];
        if (f->factor)
            f->work[i] = (double)(f->r[i] / size);
    }
    if (!f->factor)
        return;
    nh_cholesky_solve(f->factor, f->work);
    for (int i = 0; i < f->rows; i++)
        f->z[i] = (nh_quad)f->work[i] * size;
}

/* --- conjugate gradients --- */

static bool no_memory(nh_study *s, nh_gram *f)
{
    nh_gram_free(f);
    s->arena.failed = true;
    return false;
}

bool nh_gram_new(nh_study *s, const nh_sparse *A, int first, nh_gram *out)
{
    int rows = A->pattern.rows - first;
    size_t R = (size_t)rows;
    nh_quad largest = 0;
    *out = (nh_gram){.A = A, .first = first, .rows = rows};
    out->scale = calloc(7 * R + 1, sizeof *out->scale);
    out->t = calloc((size_t)A->pattern.columns + 1, sizeof *out->t);
    out->work = calloc(R + 1, sizeof *out->work);
    if (!out->scale || !out->t || !out->work)
        return no_memory(s, out);
    out->y = out->scale + R;
    out->r = out->y + R;
    out->z = out->r + R;
    out->p = out->z + R;
    out->q = out->p + R;
    out->b = out->q + R;
    for (size_t i = 0; i < R; i++) {
        for (size_t e = A->pattern.start[i + (size_t)first]; e < A->pattern.start[i + (size_t)first + 1]; e++)
            out->scale[i] += A->value[e] * A->value[e];
        largest = out->scale[i] > largest ? out->scale[i] : largest;
    }
    for (size_t i = 0; i < R; i++) { /* what is zero up to rounding stays small */
        nh_quad least = largest > 0 ? largest * (nh_quad)1e-40 : 1;
        out->scale[i] = 1 / nh_quad_sqrt(out->scale[i] > least ? out->scale[i] : least);
    }
    return factorize(out, FEW_PRODUCTS) || no_memory(s, out);
}

/* t = Aᵀ y */
static void transposed(nh_gram *f, const nh_quad *y)
{
    const nh_sparse *A = f->A;
    for (int j = 0; j < A->pattern.columns; j++)
        f->t[j] = 0;
    for (int i = 0; i < f->rows; i++) {
        nh_quad weight = f->scale[i] * y[i];
        for (size_t e = A->pattern.start[i + f->first]; e < A->pattern.start[i + f->first + 1]; e++)
            f->t[A->pattern.column[e]] += weight * A->value[e];
    }
}

static nh_quad dot(const nh_quad *a, const nh_quad *b, int n)
{
    nh_quad sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* q = (A Aᵀ + little) p */
static void apply(nh_gram *f)
{
    const nh_sparse *A = f->A;
    transposed(f, f->p);
    for (int i = 0; i < f->rows; i++) {
        nh_quad sum = 0;
        for (size_t e = A->pattern.start[i + f->first]; e < A->pattern.start[i + f->first + 1]; e++)
            sum += A->value[e] * f->t[A->pattern.column[e]];
        f->q[i] = sum * f->scale[i] + (nh_quad)little * f->p[i];
    }
}

/* y with A Aᵀ y = r, which is overwritten. */
static bool iterate(nh_gram *f)
{
    const nh_quad fine = NH_QUAD_IS_FLOAT128 ? (nh_quad)1e-60 : (nh_quad)1e-32; /* of squares */
    int R = f->rows, most = (int)(MOST_WORK / (f->A->pattern.start[f->A->pattern.rows] + 1));
    most = most > MOST_ROUNDS ? MOST_ROUNDS : most < LEAST_ROUNDS ? LEAST_ROUNDS : most;
    nh_quad start = dot(f->r, f->r, R), left = start, old = 1;
    for (int i = 0; i < R; i++)
        f->y[i] = f->p[i] = 0;
    for (int round = 0; round < most && left > start * fine; round++) {
        precondition(f, nh_quad_sqrt(left));
        nh_quad now = dot(f->r, f->z, R), ratio = round ? now / old : 0;
        for (int i = 0; i < R; i++)
            f->p[i] = f->z[i] + ratio * f->p[i];
        apply(f);
        nh_quad step = now / dot(f->p, f->q, R);
        if (!nh_quad_finite(step))
            return false;
        for (int i = 0; i < R; i++) {
            f->y[i] += step * f->p[i];
            f->r[i] -= step * f->q[i];
        }
        left = dot(f->r, f->r, R);
        old = now;
    }
    return left <= start * fine;
}

static void load(nh_gram *f, const nh_quad *b)
{
    for (int i = 0; i < f->rows; i++)
        f->r[i] = f->scale[i] * b[i];
}

static bool solve(nh_gram *f, const nh_quad *b)
{
    load(f, b);
    if (iterate(f))
        return true;
    if (f->factor || !factorize(f, MOST_PRODUCTS) || !f->factor)
        return false;
    load(f, b);
    return iterate(f);
}

bool nh_gram_add(nh_gram *f, const nh_quad *b, nh_quad *x)
{
    if (!solve(f, b))
        return false;
    transposed(f, f->y);
    for (int j = 0; j < f->A->pattern.columns; j++)
        x[j] += f->t[j];
    return true;
}

bool nh_gram_project(nh_gram *f, nh_quad *u)
{
    const nh_sparse *A = f->A;
    bool good = true;
    for (int round = 0; good && round < 2; round++) { /* the second one removes what rounding left */
        for (int i = 0; i < f->rows; i++) {
            f->b[i] = 0;
            for (size_t e = A->pattern.start[i + f->first]; e < A->pattern.start[i + f->first + 1]; e++)
                f->b[i] -= A->value[e] * u[A->pattern.column[e]];
        }
        good = nh_gram_add(f, f->b, u) || round > 0;
    }
    return good;
}

nh_answer nh_gram_independent(nh_study *s, nh_gram *f)
{
    nh_quad *b = calloc((size_t)f->rows + 1, sizeof *b);
    for (int i = 0; b && i < f->rows; i++)
        b[i] = nh_study_random(s) / f->scale[i];
    bool good = b && solve(f, b);
    free(b);
    /* a random right-hand side has a part in every direction, which a small singular value makes large */
    return good && dot(f->y, f->y, f->rows) * (nh_quad)(little * little) < (nh_quad)1e-8 * (f->rows + 1) ? NH_YES
                                                                                                         : NH_UNKNOWN;
}
