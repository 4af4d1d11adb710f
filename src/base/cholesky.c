/* SPDX-License-Identifier: MIT */
#include "base/cholesky.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct nh_cholesky {
    nh_arena arena;
    int rows;
    nh_elimination order;
    double *diagonal, *upper; /* U by rows, entries as order.later */
    double *work;             /* [rows] */
};

/* A by columns: which rows, and which entries. */
typedef struct column_list {
    size_t *start;
    int *row;
    size_t *entry;
} column_list;

static bool by_columns(const nh_row_list *A, nh_arena *arena, column_list *out)
{
    const size_t first = A->start[0], count = A->start[A->rows] - first;
    out->start = NH_NEW(arena, size_t, A->columns + 2);
    out->row = NH_NEW(arena, int, count + 1);
    out->entry = NH_NEW(arena, size_t, count + 1);
    if (!out->start || !out->row || !out->entry)
        return false;
    for (size_t e = first; e < first + count; e++)
        out->start[A->column[e] + 2]++;
    for (int j = 0; j < A->columns; j++)
        out->start[j + 2] += out->start[j + 1];
    for (int r = 0; r < A->rows; r++)
        for (size_t e = A->start[r]; e < A->start[r + 1]; e++) {
            const size_t at = out->start[A->column[e] + 1]++;
            out->row[at] = r;
            out->entry[at] = e;
        }
    return true;
}

double nh_cholesky_products(const nh_row_list *A)
{
    int *count = calloc((size_t)A->columns + 1, sizeof *count);
    double products = count ? 0 : INFINITY;
    for (size_t e = A->start[0]; count && e < A->start[A->rows]; e++)
        products += 2 * count[A->column[e]]++ + 1;
    free(count);
    return products;
}

/* Rows with a common column. */
static bool find_neighbours(const nh_row_list *A, const column_list *at, nh_arena *arena, nh_neighbours *out)
{
    int *start = NH_NEW(arena, int, A->rows + 1), *mark = NH_NEW(arena, int, A->rows), *near = NULL;
    size_t capacity = 0, count = 0;
    bool good = start && mark;
    for (int r = 0; good && r < A->rows; r++) {
        start[r] = (int)count;
        for (size_t e = A->start[r]; e < A->start[r + 1]; e++)
            for (size_t k = at->start[A->column[e]]; good && k < at->start[A->column[e] + 1]; k++)
                if (at->row[k] != r && mark[at->row[k]] != r + 1) {
                    mark[at->row[k]] = r + 1;
                    good = nh_grow(&near, &capacity, count, sizeof *near);
                    if (good)
                        near[count++] = at->row[k];
                }
    }
    arena->failed = arena->failed || !good;
    int *kept = good ? NH_NEW(arena, int, count + 1) : NULL;
    if (kept && count > 0)
        memcpy(kept, near, count * sizeof *near);
    if (good)
        start[A->rows] = (int)count;
    *out = (nh_neighbours){A->rows, A->rows, start, kept};
    free(near);
    return kept != NULL;
}

/* A Aᵀ into the places of U. */
static void fill(nh_cholesky *f, const nh_row_list *A, const double *value, const column_list *at, const int *place)
{
    const nh_elimination *o = &f->order;
    for (int k = 0; k < f->rows; k++) {
        const int r = o->order[k];
        for (size_t e = A->start[r]; e < A->start[r + 1]; e++)
            for (size_t j = at->start[A->column[e]]; j < at->start[A->column[e] + 1]; j++)
                f->work[place[at->row[j]]] += value[e] * value[at->entry[j]];
        f->diagonal[k] = f->work[k];
        for (int p = o->start[k]; p < o->start[k + 1]; p++)
            f->upper[p] = f->work[o->later[p]];
        for (size_t e = A->start[r]; e < A->start[r + 1]; e++)
            for (size_t j = at->start[A->column[e]]; j < at->start[A->column[e] + 1]; j++)
                f->work[place[at->row[j]]] = 0;
    }
}

/* Row by row. A row acts on those of its later places in turn: `next` links the rows that act on the same one, `at` is
 * how far each has come. */
static void factorize(nh_cholesky *f, int *head, int *next, int *at)
{
    const double least = 1e-14;
    const nh_elimination *o = &f->order;
    for (int k = 0; k < f->rows; k++)
        head[k] = -1;
    for (int k = 0; k < f->rows; k++) {
        for (int p = o->start[k]; p < o->start[k + 1]; p++)
            f->work[o->later[p]] = f->upper[p];
        for (int j = head[k], then; j >= 0; j = then) {
            const double factor = f->upper[at[j]];
            then = next[j];
            f->diagonal[k] -= factor * factor;
            for (int p = ++at[j]; p < o->start[j + 1]; p++)
                f->work[o->later[p]] -= factor * f->upper[p];
            if (at[j] < o->start[j + 1]) {
                next[j] = head[o->later[at[j]]];
                head[o->later[at[j]]] = j;
            }
        }
        f->diagonal[k] = sqrt(f->diagonal[k] > least ? f->diagonal[k] : least);
        for (int p = o->start[k]; p < o->start[k + 1]; p++)
            f->upper[p] = f->work[o->later[p]] / f->diagonal[k];
        at[k] = o->start[k];
        if (at[k] < o->start[k + 1]) {
            next[k] = head[o->later[at[k]]];
            head[o->later[at[k]]] = k;
        }
    }
}

static bool make(nh_cholesky *f, const nh_row_list *A, const double *value, size_t most, nh_arena *scratch)
{
    column_list at;
    nh_neighbours graph;
    if (!by_columns(A, scratch, &at) || !find_neighbours(A, &at, scratch, &graph) ||
        !nh_eliminate_by_degree(&graph, most, &f->arena, &f->order))
        return false;
    int *place = NH_NEW(scratch, int, f->rows), *head = NH_NEW(scratch, int, f->rows);
    int *next = NH_NEW(scratch, int, f->rows), *reached = NH_NEW(scratch, int, f->rows);
    f->diagonal = NH_NEW(&f->arena, double, f->rows);
    f->upper = NH_NEW(&f->arena, double, f->order.start[f->rows] + 1);
    f->work = NH_NEW(&f->arena, double, f->rows);
    if (!place || !head || !next || !reached || !f->diagonal || !f->upper || !f->work)
        return false;
    for (int k = 0; k < f->rows; k++)
        place[f->order.order[k]] = k;
    fill(f, A, value, &at, place);
    factorize(f, head, next, reached);
    return true;
}

nh_cholesky *nh_cholesky_new(const nh_row_list *A, const double *value, size_t most, bool *failed)
{
    nh_arena scratch = {0};
    nh_cholesky *f = calloc(1, sizeof *f);
    if (f)
        f->rows = A->rows;
    const bool good = f && make(f, A, value, most, &scratch);
    *failed = !f || scratch.failed || f->arena.failed;
    if (!good) {
        nh_cholesky_free(f);
        f = NULL;
    }
    nh_arena_free(&scratch);
    return f;
}

void nh_cholesky_free(nh_cholesky *f)
{
    if (!f)
        return;
    nh_arena_free(&f->arena);
    free(f);
}

void nh_cholesky_solve(const nh_cholesky *f, double *x)
{
    const nh_elimination *o = &f->order;
    double *y = f->work;
    for (int k = 0; k < f->rows; k++)
        y[k] = x[o->order[k]];
    for (int k = 0; k < f->rows; k++) {
        y[k] /= f->diagonal[k];
        for (int p = o->start[k]; p < o->start[k + 1]; p++)
            y[o->later[p]] -= f->upper[p] * y[k];
    }
    for (int k = f->rows - 1; k >= 0; k--) {
        for (int p = o->start[k]; p < o->start[k + 1]; p++)
            y[k] -= f->upper[p] * y[o->later[p]];
        y[k] /= f->diagonal[k];
    }
    for (int k = 0; k < f->rows; k++)
        x[o->order[k]] = y[k];
}
