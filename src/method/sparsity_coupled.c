/* SPDX-License-Identifier: MIT */
/* Saddle-point factors where the mass couples coordinates in chains: orders for the mass alone and for the whole
 * matrix, kernel/saddle_coupled.h. */
#include "kernel/traits.h"
#include "method/sparsity_build.h"

#include <math.h>

/* ---- Orders ---- */

/* Entries beside the diagonal, as pairs of unknowns: those of M, then those of D and C. */
typedef struct pairs {
    int *pair;
    size_t of_M, all;
} pairs;

static pairs list_pairs(nh_sparsity_builder *b)
{
    const nh_sparse_rows *parts[] = {&b->out->D, &b->out->C};
    const size_t rows = (size_t)b->out->D.start[b->ml], columns = (size_t)b->out->C.start[b->ml];
    pairs p = {.pair = nh_sparsity_ints(b, 2 * (b->mass.start[b->n] + rows + columns))};
    for (int i = 0; p.pair && i < b->n; i++)
        for (size_t e = b->mass.start[i]; e < b->mass.start[i + 1]; e++)
            if (b->mass.column[e] != i) {
                p.pair[2 * p.of_M] = i;
                p.pair[2 * p.of_M++ + 1] = b->mass.column[e];
            }
    p.all = p.of_M;
    for (int part = 0; p.pair && part < 2; part++)
        for (int c = 0; c < b->ml; c++)
            for (int e = parts[part]->start[c]; e < parts[part]->start[c + 1]; e++) {
                p.pair[2 * p.all] = b->n + c;
                p.pair[2 * p.all++ + 1] = parts[part]->column[e];
            }
    return p;
}

/* Adds to a list of coordinates those that u is coupled to, by M or by a constraint, and that are not there yet. */
static int add_neighbours(const nh_sparse_rows *near, int n, int u, int *list, int count, int *seen)
{
    for (int e = near->start[u]; e < near->start[u + 1]; e++) {
        const int v = near->column[e];
        if (seen[v])
            continue;
        seen[v] = 1;
        if (v < n)
            list[count++] = v;
        else
            count = add_neighbours(near, n, v, list, count, seen);
    }
    return count;
}

/* Numbers coordinates anew, in pairs too: neighbours get numbers near each other, so that elimination, which takes the
 * first of equals, goes along a chain and leaves no holes in it. Returns the old number of each; NULL: out of memory.
 */
static int *number_by_nearness(nh_sparsity_builder *b, const pairs *p)
{
    const int unknowns = b->n + b->ml;
    nh_sparse_rows near;
    int *list = nh_sparsity_ints(b, (size_t)b->n), *number = nh_sparsity_ints(b, (size_t)unknowns);
    if (!list || !number || !nh_sparsity_neighbours(b, unknowns, p->pair, p->all, &near))
        return NULL;
    int count = 0;
    for (int i = 0, next = 0; i < b->n; i++) {
        if (!number[i])
            number[list[count++] = i] = 1;
        for (; next < count; next++)
            count = add_neighbours(&near, b->n, list[next], list, count, number);
    }
    for (int k = 0; k < b->n; k++)
        number[list[k]] = k;
    for (size_t e = 0; e < 2 * p->all; e++)
        p->pair[e] = p->pair[e] < b->n ? number[p->pair[e]] : p->pair[e];
    return list;
}

void nh_sparsity_find_coupled(nh_sparsity_builder *b, nh_sparsity_whole *out)
{
    const size_t most = b->most < NH_MOST_SLOTS ? (size_t)b->most : NH_MOST_SLOTS;
    const pairs p = list_pairs(b);
    const int unknowns = b->ml > 0 ? b->n + b->ml : 0; /* nothing else is asked of M alone */
    const int *old = p.pair ? number_by_nearness(b, &p) : NULL;
    *out = (nh_sparsity_whole){.work = INFINITY};
    if (!old || !nh_sparsity_factors(b, b->n, b->n, p.pair, p.of_M, most, &out->of_M) ||
        !nh_sparsity_factors(b, unknowns, b->n, p.pair, unknowns ? p.all : 0, most, &out->whole))
        return;
    nh_factors *both[] = {&out->of_M, &out->whole};
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < both[i]->count; k++)
            both[i]->order[k] = both[i]->order[k] < b->n ? old[both[i]->order[k]] : both[i]->order[k];
    const double divide = 2.0 * out->of_M.LU.start[b->n];
    const double mass = b->traits & NH_MASS_CONSTANT ? 0 : nh_sparsity_factors_work(&out->of_M);
    out->work = divide + mass + nh_sparsity_factors_work(&out->whole);
}

/* ---- Places ---- */

/* Places of unknowns in an order; NULL: out of memory. */
static int *places(nh_sparsity_builder *b, const nh_factors *of)
{
    int *place = nh_sparsity_ints(b, (size_t)of->count);
    for (int k = 0; place && k < of->count; k++)
        place[of->order[k]] = k;
    return place;
}

/* Entry (row, column) of factors, in the order of these. */
static int entry_at(const nh_factors *of, int row, int column)
{
    int low = of->LU.start[row], high = of->LU.start[row + 1] - 1;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (of->LU.column[middle] < column)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Where entries of a part are in factors: those of row r, from `row` on, and of column c, from `column` on; or of its
 * transpose. */
typedef struct part {
    const nh_sparse_rows *of;
    int rows, row, column;
    bool transposed;
} part;

static int *find_part(nh_sparsity_builder *b, const nh_factors *of, const int *place, part p)
{
    int *at = nh_sparsity_ints(b, (size_t)p.of->start[p.rows]);
    for (int r = 0; at && r < p.rows; r++)
        for (int e = p.of->start[r]; e < p.of->start[r + 1]; e++) {
            const int row = place[p.row + r], column = place[p.column + p.of->column[e]];
            at[e] = p.transposed ? entry_at(of, column, row) : entry_at(of, row, column);
        }
    return at;
}

/* M by its rows. */
static bool take_M(nh_sparsity_builder *b, nh_coupled *out)
{
    const size_t count = b->mass.start[b->n];
    out->M = (nh_sparse_rows){.start = nh_sparsity_ints(b, (size_t)b->n + 1), .column = nh_sparsity_ints(b, count)};
    if (!out->M.start || !out->M.column || !nh_sparsity_slots(b, &b->mass, 0, &b->out->mass))
        return false;
    for (int i = 0; i <= b->n; i++)
        out->M.start[i] = (int)b->mass.start[i];
    for (size_t e = 0; e < count; e++)
        out->M.column[e] = b->mass.column[e];
    return true;
}

static bool take_places(nh_sparsity_builder *b, const nh_sparsity_whole *of, nh_coupled *out)
{
    const nh_sparsity *S = b->out;
    const int n = b->n, ml = b->ml, *in_M = places(b, &of->of_M), *in_whole = places(b, &of->whole);
    if (!in_M || !in_whole)
        return false;
    out->in_M = find_part(b, &of->of_M, in_M, (part){&out->M, n, 0, 0, false});
    out->at_M = find_part(b, &of->whole, in_whole, (part){&out->M, ml > 0 ? n : 0, 0, 0, false});
    out->at_D = find_part(b, &of->whole, in_whole, (part){&S->D, ml, n, 0, false});
    out->at_C = find_part(b, &of->whole, in_whole, (part){&S->C, ml, n, 0, true});
    return out->in_M && out->at_M && out->at_D && out->at_C;
}

bool nh_sparsity_take_coupled(nh_sparsity_builder *b, const nh_sparsity_whole *of)
{
    nh_sparsity *S = b->out;
    nh_coupled *coupled = NH_NEW(b->arena, nh_coupled, 1);
    if (!coupled || !take_M(b, coupled) || !take_places(b, of, coupled))
        return false;
    coupled->of_M = of->of_M;
    S->coupled = coupled;
    S->factors = of->whole;
    S->inverse_size = coupled->M.start[b->n] + of->of_M.LU.start[b->n] + b->n;
    S->lift_size = b->n + S->C.start[b->ml];
    S->blocks = S->largest_block = 0;
    return true;
}
