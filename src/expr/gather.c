/* SPDX-License-Identifier: MIT */
/* Merging pieces.
 *
 * 1. A loop that the column does not depend on is a sum over that loop.
 * 2. Without row loops, a piece whose column runs through an interval (column = c ± i) is rewritten in terms of the
 *    column. The ends of all intervals cut the columns into segments; on each segment the entry is the sum of the
 *    pieces that cover it. The number of segments does not depend on the lengths of the ranges.
 * 3. Other pieces with equal loops and places are added. */
#include "expr/gather.h"

#include <stdlib.h>
#include <string.h>

static bool count_depends(const nh_piece *p, int index)
{
    for (int l = 0; l < p->loops; l++)
        if (nh_affine_factor(p->count[l], index))
            return true;
    return false;
}

/* Removes loop l, which has been closed or fixed; inner loops move one place out. */
static void drop_loop(nh_graph *g, nh_piece *p, int l)
{
    for (int k = l + 1; k < p->loops; k++) {
        nh_affine by = nh_affine_index(NH_OPEN + k - 1);
        p->value = nh_reindex(g, p->value, NH_OPEN + k, by);
        nh_affine_replace(p->column, NH_OPEN + k, by, &p->column);
        for (int j = k + 1; j < p->loops; j++)
            nh_affine_replace(p->count[j], NH_OPEN + k, by, &p->count[j]);
        p->count[k - 1] = p->count[k];
    }
    p->count[--p->loops] = (nh_affine){0};
}

static void close_loops(nh_graph *g, nh_piece *p, int base)
{
    for (int l = p->loops - 1; l >= base; l--) {
        int index = NH_OPEN + l;
        if (nh_affine_factor(p->column, index) || count_depends(p, index))
            continue;
        p->value = nh_sum(g, index, p->count[l], p->value); /* may reuse the index: it is closed */
        drop_loop(g, p, l);
    }
    for (int l = p->loops; l < NH_MAX_NEST; l++)
        p->count[l] = (nh_affine){0};
}

/* A run of columns lo … hi; the entry in column c is value at open index NH_OPEN = c − lo. */
typedef struct run {
    int64_t lo, hi;
    nh_expr value;
} run;

static bool as_run(nh_graph *g, const nh_piece *p, run *r)
{
    if (p->loops == 0) {
        *r = (run){p->column.constant, p->column.constant, p->value};
        return true;
    }
    int factor = nh_affine_factor(p->column, NH_OPEN);
    if (p->loops > 1 || p->column.terms != 1 || abs(factor) != 1 || p->count[0].terms)
        return false;
    int64_t length = p->count[0].constant, first = p->column.constant;
    nh_affine back = {.constant = (int32_t)(length - 1), .terms = 1, .term = {{NH_OPEN, -1}}};
    *r = factor > 0 ? (run){first, first + length - 1, p->value}
                    : (run){first - length + 1, first, nh_reindex(g, p->value, NH_OPEN, back)};
    return true;
}

static int ascending(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

static size_t unique(int64_t *x, size_t count)
{
    size_t kept = 0;
    qsort(x, count, sizeof *x, ascending);
    for (size_t i = 0; i < count; i++)
        if (!kept || x[i] != x[kept - 1])
            x[kept++] = x[i];
    return kept;
}

/* The value of a run on the segment that starts at `start`, at open index NH_OPEN = column − start. */
static nh_expr part_of(nh_graph *g, const run *r, int64_t start, int64_t length)
{
    if (r->lo == r->hi)
        return r->value;
    nh_affine shifted = {.constant = (int32_t)(start - r->lo)};
    if (length > 1)
        nh_affine_add(shifted, nh_affine_index(NH_OPEN), &shifted);
    return nh_reindex(g, r->value, NH_OPEN, shifted);
}

static bool add_segments(nh_graph *g, const nh_expr *value, const int64_t *cut, size_t segments, nh_affine row,
                         nh_field *out)
{
    for (size_t s = 0; s < segments; s++) {
        int64_t length = cut[s + 1] - cut[s];
        if (!value[s] || nh_is_number(g, value[s], 0))
            continue;
        nh_piece p = {.row = row, .column = nh_affine_constant(cut[s]), .value = value[s], .loops = length > 1};
        if (p.loops) {
            p.count[0] = nh_affine_constant(length);
            nh_affine_add(p.column, nh_affine_index(NH_OPEN), &p.column);
        }
        if (!nh_field_add(out, &p))
            return false;
    }
    return true;
}

static bool merge_runs(nh_graph *g, const run *r, size_t runs, nh_affine row, nh_field *out)
{
    int64_t *cut = malloc((2 * runs + 1) * sizeof *cut);
    nh_expr *value = calloc(2 * runs + 1, sizeof *value);
    bool good = cut && value;
    size_t cuts = 0;
    for (size_t i = 0; good && i < runs; i++) {
        cut[cuts++] = r[i].lo;
        cut[cuts++] = r[i].hi + 1;
    }
    cuts = good ? unique(cut, cuts) : 0;
    for (size_t i = 0; good && i < runs; i++) {
        const int64_t *first = bsearch(&r[i].lo, cut, cuts, sizeof *cut, ascending);
        for (size_t s = first ? (size_t)(first - cut) : cuts; s + 1 < cuts && cut[s] <= r[i].hi; s++) {
            nh_expr gain = part_of(g, &r[i], cut[s], cut[s + 1] - cut[s]);
            value[s] = value[s] ? nh_add(g, value[s], gain) : gain;
        }
    }
    good = good && (cuts == 0 || add_segments(g, value, cut, cuts - 1, row, out));
    free(cut);
    free(value);
    return good;
}

static bool same_place(const nh_piece *a, const nh_piece *b)
{
    bool same = a->loops == b->loops && nh_affine_equal(a->row, b->row) && nh_affine_equal(a->column, b->column);
    for (int l = 0; same && l < a->loops; l++)
        same = nh_affine_equal(a->count[l], b->count[l]);
    return same;
}

/* Adds a piece to an equal one among those from `from` on, or appends it. */
static bool merge_equal(nh_graph *g, const nh_piece *p, uint32_t from, nh_field *out)
{
    for (uint32_t i = from; i < out->pieces; i++)
        if (same_place(&out->piece[i], p)) {
            out->piece[i].value = nh_add(g, out->piece[i].value, p->value);
            return true;
        }
    return nh_field_add(out, p);
}

bool nh_gather(nh_graph *g, nh_field *raw, int base, nh_field *out)
{
    run *runs = malloc((raw->pieces + 1) * sizeof *runs);
    size_t count = 0;
    uint32_t from = out->pieces;
    bool good = runs != NULL;
    for (uint32_t i = 0; good && i < raw->pieces; i++) {
        nh_piece *p = &raw->piece[i];
        close_loops(g, p, base);
        p->accumulate = false;
        if (base == 0 && as_run(g, p, &runs[count]))
            count++;
        else
            good = merge_equal(g, p, from, out);
    }
    good = good && (count == 0 || merge_runs(g, runs, count, raw->piece[0].row, out));
    free(runs);
    return good;
}

static void swap_places(nh_field *f)
{
    for (uint32_t i = 0; i < f->pieces; i++) {
        nh_affine row = f->piece[i].row;
        f->piece[i].row = f->piece[i].column;
        f->piece[i].column = row;
    }
}

bool nh_field_merge(nh_graph *g, nh_field *f)
{
    nh_field merged = {.rows = f->rows, .columns = f->columns};
    swap_places(f);
    bool good = f->pieces == 0 || nh_gather(g, f, 0, &merged);
    nh_field_free(f);
    *f = merged;
    swap_places(f);
    return good && nh_mark_overlaps(f);
}

/* The rows of a column vector as runs; NULL if memory runs out or a piece is not a run. */
static run *runs_of(nh_graph *g, const nh_field *f)
{
    run *list = malloc((f->pieces + 1) * sizeof *list);
    for (uint32_t i = 0; list && i < f->pieces; i++) {
        nh_piece p = f->piece[i];
        p.column = p.row;
        if (!as_run(g, &p, &list[i])) {
            free(list);
            list = NULL;
        }
    }
    return list;
}

/* Σ over the rows that two runs have in common. */
static nh_expr common(nh_graph *g, const run *a, const run *b)
{
    int64_t lo = a->lo > b->lo ? a->lo : b->lo, hi = a->hi < b->hi ? a->hi : b->hi;
    if (lo > hi)
        return nh_integer(g, 0);
    nh_expr product = nh_mul(g, part_of(g, a, lo, hi - lo + 1), part_of(g, b, lo, hi - lo + 1));
    return nh_sum(g, NH_OPEN, nh_affine_constant(hi - lo + 1), product);
}

nh_expr nh_field_inner(nh_graph *g, const nh_field *a, const nh_field *b)
{
    run *x = runs_of(g, a), *y = runs_of(g, b);
    nh_expr sum = nh_integer(g, 0);
    for (uint32_t i = 0; x && y && i < a->pieces; i++)
        for (uint32_t j = 0; j < b->pieces; j++)
            if (x[i].lo <= y[j].hi && y[j].lo <= x[i].hi)
                sum = nh_add(g, sum, common(g, &x[i], &y[j]));
    for (int row = 0; !(x && y) && row < a->rows; row++) /* rows that are no runs: one by one */
        sum = nh_add(g, sum, nh_mul(g, nh_field_entry(g, a, row, 0), nh_field_entry(g, b, row, 0)));
    free(x);
    free(y);
    return sum;
}

typedef struct touch {
    int64_t entry;
    uint32_t piece;
} touch;

typedef struct touches {
    touch *list;
    size_t count, capacity;
    int64_t columns;
    bool mixed; /* entries do not ascend, or some are there twice */
    bool failed;
} touches;

static void record(void *context, uint32_t piece, int64_t row, int64_t column, const int64_t *values)
{
    (void)values;
    touches *t = context;
    const int64_t entry = row * t->columns + column;
    if (t->failed || !nh_grow(&t->list, &t->capacity, t->count + 1, sizeof *t->list)) {
        t->failed = true;
        return;
    }
    t->mixed = t->mixed || (t->count && entry <= t->list[t->count - 1].entry);
    t->list[t->count++] = (touch){entry, piece};
}

static int by_entry(const void *a, const void *b)
{
    const touch *x = a, *y = b;
    int order = ascending(&x->entry, &y->entry);
    return order ? order : (x->piece > y->piece) - (x->piece < y->piece);
}

/* Does a loop of the piece run without moving its place? Then it touches entries again and again. */
static bool repeats(const nh_piece *p)
{
    uint64_t moved = nh_affine_indices(p->row) | nh_affine_indices(p->column);
    for (int l = 0; l < p->loops; l++)
        if (!(moved >> (NH_OPEN + l) & 1))
            return true;
    return false;
}

/* Pieces that accumulate come after all that set, so only among the latter need overlaps be found. */
bool nh_mark_overlaps(nh_field *f)
{
    touches t = {.columns = f->columns};
    for (uint32_t i = 0; i < f->pieces; i++) {
        f->piece[i].accumulate = repeats(&f->piece[i]);
        if (!f->piece[i].accumulate)
            nh_field_visit_piece(f, i, record, &t);
    }
    if (t.mixed && !t.failed)
        qsort(t.list, t.count, sizeof *t.list, by_entry);
    for (size_t i = 1; t.mixed && !t.failed && i < t.count; i++)
        if (t.list[i].entry == t.list[i - 1].entry)
            f->piece[t.list[i].piece].accumulate = true;
    free(t.list);
    return !t.failed;
}
