/* SPDX-License-Identifier: MIT */
#include "method/sparsity.h"

#include "base/status.h"
#include "kernel/traits.h"
#include "method/sparsity_build.h"
#include "model/derived.h"

#include <math.h>
#include <stdlib.h>

/* Below so many unknowns, or where it saves less than this factor, dense matrices are faster: they are compiled with
 * constant sizes, and read without indices. Measured on chains of skates. Nor is a mass that is coupled eliminated
 * where inverses of blocks take less than twice the products: these have fewer indices, and serve all stages better. */
enum { FEWEST_UNKNOWNS = 36, LEAST_SAVED = 8, LEAST_SAVED_BY_COUPLED = 2 };

int *nh_sparsity_ints(nh_sparsity_builder *b, size_t count)
{
    return NH_NEW(b->arena, int, count + 1);
}

/* ---- What derived functions give ---- */

nh_status nh_sparsity_find(const nh_model *m, nh_quantity of, nh_space by, size_t most, nh_pattern *out,
                           nh_error *error)
{
    nh_field f = {0};
    nh_status status = nh_derive(m, (nh_request){.of = of, .order = 1, .by = {by}}, &f, error);
    if (status == NH_OK && nh_pattern_slots(&f, most) > most)
        status = nh_fail(error, NH_LIMIT, "too many entries");
    else if (status == NH_OK && !nh_pattern_new(&f, out))
        status = nh_fail(error, NH_MEMORY, "out of memory");
    nh_field_free(&f);
    return status;
}

static nh_status find_all(nh_sparsity_builder *b, nh_error *error)
{
    const size_t half = (size_t)b->n * (size_t)b->n / 2; /* not worth a look beyond that */
    nh_status status = nh_sparsity_find(
        b->m, NH_OF_MOMENTUM, NH_V, half < NH_MOST_SLOTS && isfinite(b->most) ? half : NH_MOST_SLOTS, &b->mass, error);
    if (status == NH_OK)
        status = nh_sparsity_find(b->m, NH_OF_CONSTRAINT, NH_V, NH_MOST_SLOTS, &b->rows, error);
    if (status == NH_OK)
        status = nh_sparsity_find(b->m, NH_OF_HOLONOMIC, NH_Q, NH_MOST_SLOTS, &b->normals, error);
    if (status == NH_OK && b->traits & NH_NONIDEAL)
        status = nh_sparsity_find(b->m, NH_OF_REACTION, NH_LAMBDA, NH_MOST_SLOTS, &b->columns, error);
    if (status == NH_OK && b->mp)
        status = nh_sparsity_find(b->m, NH_OF_CONSTRAINT, NH_Q, NH_MOST_SLOTS, &b->slopes, error);
    return status;
}

static void free_patterns(nh_sparsity_builder *b)
{
    nh_pattern_free(&b->mass);
    nh_pattern_free(&b->rows);
    nh_pattern_free(&b->normals);
    nh_pattern_free(&b->columns);
    nh_pattern_free(&b->slopes);
}

bool nh_sparsity_slots(nh_sparsity_builder *b, const nh_pattern *p, int offset, nh_slots *out)
{
    *out = (nh_slots){.count = (int)p->slots, .place = nh_sparsity_ints(b, p->slots)};
    for (int i = 0; out->place && i < out->count; i++)
        out->place[i] = p->place[i] == UINT32_MAX ? -1 : (int)p->place[i] + offset;
    return out->place != NULL;
}

/* ---- Matrices by rows ---- */

bool nh_sparsity_rows(nh_sparsity_builder *b, int rows, const int *row, const int *column, int count,
                      nh_sparse_rows *out, int *entry)
{
    int *next = calloc((size_t)rows + 1, sizeof *next);
    *out =
        (nh_sparse_rows){.start = nh_sparsity_ints(b, (size_t)rows + 1), .column = nh_sparsity_ints(b, (size_t)count)};
    const bool good = next && out->start && out->column;
    for (int e = 0; good && e < count; e++)
        out->start[row[e] + 1]++;
    for (int r = 0; good && r < rows; r++) {
        out->start[r + 1] += out->start[r];
        next[r] = out->start[r];
    }
    for (int e = 0; good && e < count; e++) {
        const int at = next[row[e]]++;
        out->column[at] = column[e];
        if (entry)
            entry[e] = at;
    }
    b->arena->failed = b->arena->failed || !next; /* no memory is no reason for other matrices */
    free(next);
    return good;
}

/* D = [K; g_q]. */
static bool take_D(nh_sparsity_builder *b)
{
    nh_sparsity *S = b->out;
    const int m = b->m->m, ml = b->ml, first = (int)b->rows.start[m], count = first + (int)b->normals.start[ml - m];
    S->D = (nh_sparse_rows){.start = nh_sparsity_ints(b, (size_t)ml + 1), .column = nh_sparsity_ints(b, (size_t)count)};
    if (!S->D.start || !S->D.column || !nh_sparsity_slots(b, &b->rows, 0, &S->rows) ||
        !nh_sparsity_slots(b, &b->normals, first, &S->normals))
        return false;
    for (int r = 0; r <= ml; r++)
        S->D.start[r] = r <= m ? (int)b->rows.start[r] : first + (int)b->normals.start[r - m];
    for (int e = 0; e < count; e++)
        S->D.column[e] = e < first ? b->rows.column[e] : b->normals.column[e - first];
    return true;
}

/* Row r of two patterns as one: its columns, and at which of them the entries of each are. */
static int unite(const nh_pattern *a, const nh_pattern *b, int r, int first, int *column, int *at_a, int *at_b)
{
    size_t i = a->start[r], j = b->start[r];
    int next = first;
    while (i < a->start[r + 1] || j < b->start[r + 1]) {
        const int x = i < a->start[r + 1] ? a->column[i] : INT_MAX, y = j < b->start[r + 1] ? b->column[j] : INT_MAX;
        column[next] = x < y ? x : y;
        if (x <= y)
            at_a[i++] = next;
        if (y <= x)
            at_b[j++] = next;
        next++;
    }
    return next;
}

void nh_sparsity_move_slots(nh_slots *slots, const int *where)
{
    for (int i = 0; i < slots->count; i++)
        if (slots->place[i] >= 0)
            slots->place[i] = where[slots->place[i]];
}

/* D = K + h/2 k_q, for (7.3). */
static bool take_D_with_slopes(nh_sparsity_builder *b)
{
    nh_sparsity *S = b->out;
    const size_t K = b->rows.start[b->ml], slopes = b->slopes.start[b->ml];
    int *at_K = nh_sparsity_ints(b, K), *at_slopes = nh_sparsity_ints(b, slopes);
    S->D = (nh_sparse_rows){.start = nh_sparsity_ints(b, (size_t)b->ml + 1), .column = nh_sparsity_ints(b, K + slopes)};
    if (!at_K || !at_slopes || !S->D.start || !S->D.column || !nh_sparsity_slots(b, &b->rows, 0, &S->rows) ||
        !nh_sparsity_slots(b, &b->slopes, 0, &S->slopes))
        return false;
    for (int r = 0; r < b->ml; r++)
        S->D.start[r + 1] = unite(&b->rows, &b->slopes, r, S->D.start[r], S->D.column, at_K, at_slopes);
    nh_sparsity_move_slots(&S->rows, at_K);
    nh_sparsity_move_slots(&S->slopes, at_slopes);
    return true;
}

/* C by its columns: its own pattern is by rows. */
static bool take_C(nh_sparsity_builder *b)
{
    nh_sparsity *S = b->out;
    const nh_pattern *p = &b->columns;
    if (!(b->traits & NH_NONIDEAL)) {
        S->C = S->D;
        return true;
    }
    const int count = (int)p->start[b->n];
    int *coordinate = nh_sparsity_ints(b, (size_t)count), *entry = nh_sparsity_ints(b, (size_t)count);
    if (!coordinate || !entry || !nh_sparsity_slots(b, p, 0, &S->columns))
        return false;
    for (int i = 0; i < b->n; i++)
        for (size_t e = p->start[i]; e < p->start[i + 1]; e++)
            coordinate[e] = i;
    if (!nh_sparsity_rows(b, b->ml, p->column, coordinate, count, &S->C, entry))
        return false;
    nh_sparsity_move_slots(&S->columns, entry);
    return true;
}

/* ---- Factors ---- */

bool nh_sparsity_neighbours(nh_sparsity_builder *b, int nodes, const int *pair, size_t pairs, nh_sparse_rows *near)
{
    if (2 * pairs >= NH_MOST_SLOTS)
        return false;
    int *from = nh_sparsity_ints(b, 2 * pairs), *to = nh_sparsity_ints(b, 2 * pairs);
    for (size_t e = 0; from && to && e < 2 * pairs; e++) {
        from[e] = pair[e];
        to[e] = pair[e ^ 1];
    }
    return from && to && nh_sparsity_rows(b, nodes, from, to, (int)(2 * pairs), near, NULL);
}

/* A pair that is coupled in both directions was counted twice. */
static void drop_doubles(int rows, nh_sparse_rows *near, int *mark)
{
    int kept = 0, begin = 0;
    for (int r = 0; r < rows; r++)
        mark[r] = -1;
    for (int r = 0; r < rows; r++) {
        const int end = near->start[r + 1];
        for (int e = begin; e < end; e++)
            if (mark[near->column[e]] != r) {
                mark[near->column[e]] = r;
                near->column[kept++] = near->column[e];
            }
        begin = end;
        near->start[r + 1] = kept;
    }
}

/* Rows of L, then the diagonal, then rows of U: L has the transposed pattern of U. */
static bool take_factors(nh_sparsity_builder *b, int nodes, const nh_elimination *e, nh_factors *out)
{
    const int upper = e->start[nodes], count = 2 * upper + nodes;
    int *row = nh_sparsity_ints(b, (size_t)count), *column = nh_sparsity_ints(b, (size_t)count), at = 0;
    *out = (nh_factors){.count = nodes, .order = e->order, .diagonal = nh_sparsity_ints(b, (size_t)nodes)};
    if (!row || !column || !out->diagonal)
        return false;
    for (int k = 0; k < nodes; k++) /* by columns of L … */
        for (int j = e->start[k]; j < e->start[k + 1]; j++) {
            row[at] = e->later[j];
            column[at++] = k;
        }
    for (int k = 0; k < nodes; k++) { /* … then by rows */
        row[at] = column[at] = k;
        at++;
        for (int j = e->start[k]; j < e->start[k + 1]; j++) {
            row[at] = k;
            column[at++] = e->later[j];
        }
    }
    if (!nh_sparsity_rows(b, nodes, row, column, count, &out->LU, NULL))
        return false;
    for (int k = 0; k < nodes; k++)
        out->diagonal[k] = out->LU.start[k + 1] - 1 - (e->start[k + 1] - e->start[k]);
    return true;
}

bool nh_sparsity_factors(nh_sparsity_builder *b, int nodes, int late, const int *pair, size_t pairs, size_t most,
                         nh_factors *out)
{
    nh_sparse_rows near;
    nh_elimination e;
    int *mark = nh_sparsity_ints(b, (size_t)nodes);
    if (!mark || !nh_sparsity_neighbours(b, nodes, pair, pairs, &near))
        return false;
    drop_doubles(nodes, &near, mark);
    const nh_neighbours graph = {nodes, late, near.start, near.column};
    return nh_eliminate_by_degree(&graph, most, b->arena, &e) && take_factors(b, nodes, &e, out);
}

double nh_sparsity_factors_work(const nh_factors *of)
{
    double work = 0;
    for (int k = 0; k < of->count; k++) {
        const double row = of->LU.start[k + 1] - of->diagonal[k];
        work += row * row;
    }
    return work;
}

/* ---- The choice ---- */

/* Products of a saddle-point factor with dense matrices, of a division by the mass, and of gamma's; of W and a
 * correction of (7.3). */
static double dense_work(const nh_sparsity_builder *b)
{
    const double n = b->n, ml = b->ml, divide = b->traits & NH_MASS_DIAGONAL ? 0 : n * n;
    const double lift = b->traits & NH_MASS_DIAGONAL ? n * ml : n * n * ml;
    if (b->mp)
        return divide + lift + n * ml * ml + ml * ml * ml / 3;
    const double mass = b->traits & NH_MASS_CONSTANT ? 0 : 2 * n * n * n;
    return mass + divide + lift + n * ml * ml + 2 * ml * ml * ml + n;
}

/* Everything, as long as it stays far below what dense matrices cost; false: it does not, or there is no memory. */
static bool build(nh_sparsity_builder *b)
{
    nh_sparsity_whole whole = {.work = INFINITY};
    if (!(b->mp ? take_D_with_slopes : take_D)(b) || !take_C(b) || !nh_sparsity_find_blocks(b))
        return false;
    if (b->out->largest_block > 1)
        nh_sparsity_find_coupled(b, &whole);
    if (nh_sparsity_take_blocks(b, fmin(b->most, LEAST_SAVED_BY_COUPLED * whole.work)))
        return true;
    return whole.work <= b->most && isfinite(whole.work) && nh_sparsity_take_coupled(b, &whole);
}

nh_status nh_sparsity_new(const nh_model *m, nh_kernel_family family, unsigned traits, bool forced, nh_arena *arena,
                          nh_sparsity **out, nh_error *error)
{
    nh_sparsity_builder b = {.m = m, .traits = traits, .n = m->n, .ml = m->m + m->holonomic, .arena = arena};
    b.mp = family == NH_KERNEL_MP;
    b.most = forced ? INFINITY : dense_work(&b) / LEAST_SAVED;
    *out = NULL;
    if (!forced && b.n + b.ml < FEWEST_UNKNOWNS)
        return NH_OK;
    b.out = NH_NEW(arena, nh_sparsity, 1);
    nh_error reason = {0};
    nh_status status = b.out ? find_all(&b, &reason) : nh_fail(&reason, NH_MEMORY, "out of memory");
    if (status == NH_OK && build(&b))
        *out = b.out;
    free_patterns(&b);
    if (arena->failed)
        return nh_fail(error, NH_MEMORY, "out of memory");
    if (status == NH_OK || status == NH_LIMIT)
        return NH_OK;
    if (error)
        *error = reason;
    return status;
}
