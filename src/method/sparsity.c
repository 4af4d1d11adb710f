/* SPDX-License-Identifier: MIT */
#include "method/sparsity.h"

#include "base/elimination.h"
#include "base/status.h"
#include "expr/pattern.h"
#include "kernel/traits.h"
#include "model/derived.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

/* Below so many unknowns, or where it saves less than this factor, dense matrices are faster: they are compiled with
 * constant sizes, and read without indices. Measured on the chain of skates. */
enum { FEWEST_UNKNOWNS = 48, LEAST_SAVED = 8, MOST_SLOTS = INT_MAX / 64 };

typedef struct builder {
    const nh_model *m;
    unsigned traits;
    double most; /* products that a factor may take */
    int n, ml;
    nh_arena *arena;
    bool mp;
    nh_pattern mass, rows, normals, columns, slopes;
    int *block_of, *position; /* of a coordinate */
    nh_sparsity *out;
} builder;

static int *ints(builder *b, size_t count)
{
    return NH_NEW(b->arena, int, count + 1);
}

/* ---- What derived functions give ---- */

/* NH_LIMIT: it has more entries than that. */
static nh_status find(builder *b, nh_quantity of, nh_space by, size_t most, nh_pattern *out, nh_error *error)
{
    nh_field f = {0};
    nh_status status = nh_derive(b->m, (nh_request){.of = of, .order = 1, .by = {by}}, &f, error);
    if (status == NH_OK && nh_pattern_slots(&f, most) > most)
        status = nh_fail(error, NH_LIMIT, "too many entries");
    else if (status == NH_OK && !nh_pattern_new(&f, out))
        status = nh_fail(error, NH_MEMORY, "out of memory");
    nh_field_free(&f);
    return status;
}

static nh_status find_all(builder *b, nh_error *error)
{
    const size_t half = (size_t)b->n * (size_t)b->n / 2; /* not worth a look beyond that */
    nh_status status =
        find(b, NH_OF_MOMENTUM, NH_V, half < MOST_SLOTS && isfinite(b->most) ? half : MOST_SLOTS, &b->mass, error);
    if (status == NH_OK)
        status = find(b, NH_OF_CONSTRAINT, NH_V, MOST_SLOTS, &b->rows, error);
    if (status == NH_OK)
        status = find(b, NH_OF_HOLONOMIC, NH_Q, MOST_SLOTS, &b->normals, error);
    if (status == NH_OK && b->traits & NH_NONIDEAL)
        status = find(b, NH_OF_REACTION, NH_LAMBDA, MOST_SLOTS, &b->columns, error);
    if (status == NH_OK && b->mp)
        status = find(b, NH_OF_CONSTRAINT, NH_Q, MOST_SLOTS, &b->slopes, error);
    return status;
}

static void free_patterns(builder *b)
{
    nh_pattern_free(&b->mass);
    nh_pattern_free(&b->rows);
    nh_pattern_free(&b->normals);
    nh_pattern_free(&b->columns);
    nh_pattern_free(&b->slopes);
}

/* Slots go to entries that come `offset` later than in their own pattern. */
static bool take_slots(builder *b, const nh_pattern *p, int offset, nh_slots *out)
{
    *out = (nh_slots){.count = (int)p->slots, .place = ints(b, p->slots)};
    for (int i = 0; out->place && i < out->count; i++)
        out->place[i] = p->place[i] == UINT32_MAX ? -1 : (int)p->place[i] + offset;
    return out->place != NULL;
}

/* ---- Matrices by rows ---- */

/* From a list of entries (row, column), in any order: rows of ascending columns if the list is by columns. `entry`,
 * which may be NULL, is the place of each. */
static bool take_rows(builder *b, int rows, const int *row, const int *column, int count, nh_sparse_rows *out,
                      int *entry)
{
    int *next = calloc((size_t)rows + 1, sizeof *next);
    *out = (nh_sparse_rows){.start = ints(b, (size_t)rows + 1), .column = ints(b, (size_t)count)};
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
    free(next);
    return good;
}

/* D = [K; g_q]. */
static bool take_D(builder *b)
{
    nh_sparsity *S = b->out;
    const int m = b->m->m, ml = b->ml, first = (int)b->rows.start[m], count = first + (int)b->normals.start[ml - m];
    S->D = (nh_sparse_rows){.start = ints(b, (size_t)ml + 1), .column = ints(b, (size_t)count)};
    if (!S->D.start || !S->D.column || !take_slots(b, &b->rows, 0, &S->rows) ||
        !take_slots(b, &b->normals, first, &S->normals))
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

static void move_slots(nh_slots *slots, const int *where)
{
    for (int i = 0; i < slots->count; i++)
        if (slots->place[i] >= 0)
            slots->place[i] = where[slots->place[i]];
}

/* D = K + h/2 k_q, for (7.3). */
static bool take_D_with_slopes(builder *b)
{
    nh_sparsity *S = b->out;
    const size_t K = b->rows.start[b->ml], slopes = b->slopes.start[b->ml];
    int *at_K = ints(b, K), *at_slopes = ints(b, slopes);
    S->D = (nh_sparse_rows){.start = ints(b, (size_t)b->ml + 1), .column = ints(b, K + slopes)};
    if (!at_K || !at_slopes || !S->D.start || !S->D.column || !take_slots(b, &b->rows, 0, &S->rows) ||
        !take_slots(b, &b->slopes, 0, &S->slopes))
        return false;
    for (int r = 0; r < b->ml; r++)
        S->D.start[r + 1] = unite(&b->rows, &b->slopes, r, S->D.start[r], S->D.column, at_K, at_slopes);
    move_slots(&S->rows, at_K);
    move_slots(&S->slopes, at_slopes);
    return true;
}

/* C by its columns: its own pattern is by rows. */
static bool take_C(builder *b)
{
    nh_sparsity *S = b->out;
    const nh_pattern *p = &b->columns;
    if (!(b->traits & NH_NONIDEAL)) {
        S->C = S->D;
        return true;
    }
    const int count = (int)p->start[b->n];
    int *coordinate = ints(b, (size_t)count), *entry = ints(b, (size_t)count);
    if (!coordinate || !entry || !take_slots(b, p, 0, &S->columns))
        return false;
    for (int i = 0; i < b->n; i++)
        for (size_t e = p->start[i]; e < p->start[i + 1]; e++)
            coordinate[e] = i;
    if (!take_rows(b, b->ml, p->column, coordinate, count, &S->C, entry))
        return false;
    move_slots(&S->columns, entry);
    return true;
}

/* ---- Blocks of the mass ---- */

static int root_of(int *parent, int i)
{
    while (parent[i] != i)
        i = parent[i] = parent[parent[i]];
    return i;
}

/* Coordinates that L_vv couples come into one block, blocks in the order of their first coordinates. */
static void join(builder *b)
{
    int *parent = b->position, blocks = 0;
    for (int i = 0; i < b->n; i++)
        parent[i] = i;
    for (int i = 0; i < b->n; i++)
        for (size_t e = b->mass.start[i]; e < b->mass.start[i + 1]; e++) {
            const int x = root_of(parent, i), y = root_of(parent, b->mass.column[e]);
            parent[x > y ? x : y] = x > y ? y : x;
        }
    for (int i = 0; i < b->n; i++)
        b->block_of[i] = root_of(parent, i) == i ? blocks++ : b->block_of[root_of(parent, i)];
    b->out->blocks = blocks;
}

static bool take_blocks(builder *b)
{
    nh_sparsity *S = b->out;
    b->block_of = ints(b, (size_t)b->n);
    b->position = ints(b, (size_t)b->n);
    int *one = ints(b, (size_t)b->n), *at = ints(b, (size_t)b->n);
    S->inverse_at = ints(b, (size_t)b->n + 1);
    if (!b->block_of || !b->position || !one || !at || !S->inverse_at)
        return false;
    join(b);
    nh_sparse_rows rows;
    for (int i = 0; i < b->n; i++)
        one[i] = i;
    if (!take_rows(b, S->blocks, b->block_of, one, b->n, &rows, at))
        return false;
    S->block = rows.start;
    S->member = rows.column;
    for (int k = 0; k < S->blocks; k++) {
        const long long size = S->block[k + 1] - S->block[k], end = S->inverse_at[k] + size * size;
        if (end > MOST_SLOTS)
            return false;
        S->inverse_at[k + 1] = (int)end;
        S->largest_block = size > S->largest_block ? (int)size : S->largest_block;
    }
    for (int i = 0; i < b->n; i++)
        b->position[i] = at[i] - S->block[b->block_of[i]];
    return true;
}

static bool take_mass(builder *b)
{
    nh_sparsity *S = b->out;
    if (b->traits & NH_MASS_DIAGONAL)
        return true; /* its diagonal is derived as a vector */
    int *where = ints(b, b->mass.start[b->n]);
    if (!where || !take_slots(b, &b->mass, 0, &S->mass))
        return false;
    for (int i = 0; i < b->n; i++)
        for (size_t e = b->mass.start[i]; e < b->mass.start[i + 1]; e++) {
            const int k = b->block_of[i], size = S->block[k + 1] - S->block[k];
            where[e] = S->inverse_at[k] + b->position[i] * size + b->position[b->mass.column[e]];
        }
    move_slots(&S->mass, where);
    return true;
}

/* ---- The lift ---- */

/* Entries of W, if every block that a constraint has a coordinate of is counted once. */
static long long count_lift(const builder *b, int *seen)
{
    const nh_sparsity *S = b->out;
    long long count = 0;
    for (int k = 0; k < S->blocks; k++)
        seen[k] = -1;
    for (int c = 0; c < b->ml; c++)
        for (int e = S->C.start[c]; e < S->C.start[c + 1]; e++) {
            const int k = b->block_of[S->C.column[e]];
            count += seen[k] == c ? 0 : S->block[k + 1] - S->block[k];
            seen[k] = c;
        }
    return count;
}

static void fill_lift(builder *b, int *at)
{
    nh_sparsity *S = b->out;
    int next = 0;
    for (int k = 0; k < S->blocks; k++)
        at[k] = -1;
    for (int c = 0; c < b->ml; c++) {
        S->W.start[c] = next;
        for (int e = S->C.start[c]; e < S->C.start[c + 1]; e++) {
            const int i = S->C.column[e], k = b->block_of[i], size = S->block[k + 1] - S->block[k];
            if (at[k] < S->W.start[c]) {
                at[k] = next;
                for (int j = 0; j < size; j++)
                    S->W.column[next++] = S->member[S->block[k] + j];
            }
            S->lift_at[e] = at[k];
            S->from[e] = S->inverse_at[k] + b->position[i];
            S->size[e] = size;
        }
    }
    S->W.start[b->ml] = next;
}

static bool take_lift(builder *b)
{
    nh_sparsity *S = b->out;
    int *scratch = ints(b, (size_t)S->blocks);
    const size_t entries = (size_t)S->C.start[b->ml];
    const long long count = scratch ? count_lift(b, scratch) : 0;
    if (!scratch || count > MOST_SLOTS)
        return false;
    S->W = (nh_sparse_rows){.start = ints(b, (size_t)b->ml + 1), .column = ints(b, (size_t)count)};
    S->lift_at = ints(b, entries);
    S->from = ints(b, entries);
    S->size = ints(b, entries);
    if (!S->W.start || !S->W.column || !S->lift_at || !S->from || !S->size)
        return false;
    fill_lift(b, scratch);
    int *constraint = ints(b, (size_t)count), *place = ints(b, (size_t)count);
    S->entry = ints(b, (size_t)count);
    if (!constraint || !place || !S->entry)
        return false;
    for (int c = 0; c < b->ml; c++)
        for (int e = S->W.start[c]; e < S->W.start[c + 1]; e++)
            constraint[e] = c;
    if (!take_rows(b, b->n, S->W.column, constraint, (int)count, &S->by_coordinate, place))
        return false;
    for (int e = 0; e < (int)count; e++)
        S->entry[place[e]] = e;
    return true;
}

/* ---- The Gram matrix ---- */

/* Calls for every product D[left] W[right] that adds to entry (r, c) of D W, row by row. */
#define FOR_PRODUCTS(b, r, left, right)                                                                                \
    for (int left = (b)->out->D.start[r]; left < (b)->out->D.start[(r) + 1]; left++)                                   \
        for (int right = (b)->out->by_coordinate.start[(b)->out->D.column[left]];                                      \
             right < (b)->out->by_coordinate.start[(b)->out->D.column[left] + 1]; right++)

static long long count_products(const builder *b)
{
    long long count = 0;
    for (int e = 0; e < b->out->D.start[b->ml]; e++) {
        const int i = b->out->D.column[e];
        count += b->out->by_coordinate.start[i + 1] - b->out->by_coordinate.start[i];
    }
    return count;
}

/* Constraints that D W or its transpose couples. */
static bool take_neighbours(builder *b, nh_sparse_rows *near)
{
    size_t capacity = 0, count = 0;
    int *pair = NULL, *mark = ints(b, (size_t)b->ml);
    bool good = mark != NULL;
    for (int r = 0; good && r < b->ml; r++)
        FOR_PRODUCTS(b, r, left, right)
        {
            const int c = b->out->by_coordinate.column[right];
            if (c == r || mark[c] == r + 1 || !good)
                continue;
            mark[c] = r + 1;
            good = nh_grow(&pair, &capacity, count + 3, sizeof *pair);
            if (good) {
                pair[count++] = r;
                pair[count++] = c;
            }
        }
    good = good && count < MOST_SLOTS;
    int *from = good ? ints(b, count) : NULL, *to = good ? ints(b, count) : NULL;
    good = good && from && to;
    for (size_t e = 0; good && e < count; e++) { /* both ways */
        from[e] = pair[e];
        to[e] = pair[e ^ 1];
    }
    free(pair);
    return good && take_rows(b, b->ml, from, to, (int)count, near, NULL);
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
static bool take_factors(builder *b, const nh_elimination *e)
{
    nh_sparsity *S = b->out;
    const int upper = e->start[b->ml], count = 2 * upper + b->ml;
    int *row = ints(b, (size_t)count), *column = ints(b, (size_t)count), at = 0;
    S->order = e->order;
    S->diagonal = ints(b, (size_t)b->ml);
    if (!row || !column || !S->diagonal)
        return false;
    for (int k = 0; k < b->ml; k++) /* by columns of L … */
        for (int j = e->start[k]; j < e->start[k + 1]; j++) {
            row[at] = e->later[j];
            column[at++] = k;
        }
    for (int k = 0; k < b->ml; k++) { /* … then by rows */
        row[at] = column[at] = k;
        at++;
        for (int j = e->start[k]; j < e->start[k + 1]; j++) {
            row[at] = k;
            column[at++] = e->later[j];
        }
    }
    if (!take_rows(b, b->ml, row, column, count, &S->LU, NULL))
        return false;
    for (int k = 0; k < b->ml; k++)
        S->diagonal[k] = S->LU.start[k + 1] - 1 - (e->start[k + 1] - e->start[k]);
    return true;
}

/* Where the products go: entry by entry. */
static bool take_terms(builder *b, long long products)
{
    nh_sparsity *S = b->out;
    const int entries = S->LU.start[b->ml];
    int *place = ints(b, (size_t)b->ml), *where = ints(b, (size_t)b->ml), *target = ints(b, (size_t)products);
    int *left_of = ints(b, (size_t)products), *right_of = ints(b, (size_t)products), *at = ints(b, (size_t)products);
    nh_sparse_rows terms;
    int count = 0;
    if (!place || !where || !target || !left_of || !right_of || !at)
        return false;
    for (int k = 0; k < b->ml; k++)
        place[S->order[k]] = k;
    for (int k = 0; k < b->ml; k++) {
        for (int e = S->LU.start[k]; e < S->LU.start[k + 1]; e++)
            where[S->LU.column[e]] = e;
        FOR_PRODUCTS(b, S->order[k], left, right)
        {
            target[count] = where[place[b->out->by_coordinate.column[right]]];
            left_of[count] = left;
            right_of[count++] = S->entry[right];
        }
    }
    S->left = ints(b, (size_t)products);
    S->right = ints(b, (size_t)products);
    if (!S->left || !S->right || !take_rows(b, entries, target, left_of, count, &terms, at))
        return false;
    S->term = terms.start;
    for (int t = 0; t < count; t++) {
        S->left[at[t]] = left_of[t];
        S->right[at[t]] = right_of[t];
    }
    return true;
}

static bool take_gram(builder *b, long long products, size_t most)
{
    nh_sparse_rows near;
    nh_elimination e;
    int *mark = ints(b, (size_t)b->ml);
    if (!mark || !take_neighbours(b, &near))
        return false;
    drop_doubles(b->ml, &near, mark);
    const nh_neighbours graph = {b->ml, b->ml, near.start, near.column};
    return nh_eliminate_by_degree(&graph, most, b->arena, &e) && take_factors(b, &e) && take_terms(b, products);
}

/* ---- The choice ---- */

/* Products of a saddle-point factor with dense matrices, and of gamma's; of a correction of (7.3). */
static double dense_work(const builder *b)
{
    const double n = b->n, ml = b->ml;
    if (b->mp)
        return 4 * n * ml + ml * ml * ml / 3;
    const double mass = b->traits & NH_MASS_CONSTANT ? 0 : 2 * n * n * n;
    const double lift = b->traits & NH_MASS_DIAGONAL ? n * ml : n * n * ml;
    return mass + lift + n * ml * ml + 2 * ml * ml * ml + n;
}

static double blocks_work(const builder *b)
{
    const nh_sparsity *S = b->out;
    double work = 0;
    for (int k = 0; k < S->blocks; k++) {
        const double size = S->block[k + 1] - S->block[k];
        work += b->traits & NH_MASS_CONSTANT ? size * size : 2 * size * size * size;
    }
    return work;
}

static double factors_work(const builder *b)
{
    const nh_sparsity *S = b->out;
    double work = 0;
    for (int k = 0; k < b->ml; k++) {
        const double row = S->LU.start[k + 1] - S->diagonal[k];
        work += row * row;
    }
    return work;
}

/* Everything, as long as it stays far below what dense matrices cost; false: it does not, or there is no memory. */
static bool build(builder *b)
{
    const double most = b->most;
    if (!(b->mp ? take_D_with_slopes : take_D)(b) || !take_C(b) || !take_blocks(b) || blocks_work(b) > most ||
        !take_mass(b) || !take_lift(b))
        return false;
    const long long products = count_products(b);
    const double work = blocks_work(b) + (double)products;
    const size_t fill = most < MOST_SLOTS ? (size_t)most : MOST_SLOTS;
    return work <= most && products < MOST_SLOTS && take_gram(b, products, fill) && work + factors_work(b) <= most;
}

nh_status nh_sparsity_new(const nh_model *m, nh_kernel_family family, unsigned traits, bool forced, nh_arena *arena,
                          nh_sparsity **out, nh_error *error)
{
    builder b = {.m = m, .traits = traits, .n = m->n, .ml = m->m + m->holonomic, .arena = arena};
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
