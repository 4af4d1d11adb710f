/* SPDX-License-Identifier: MIT */
/* Saddle-point factors where the mass couples coordinates in chains: orders for the mass alone and for the whole
 * matrix, kernel/saddle_coupled.h. */
#include "kernel/traits.h"
#include "method/sparsity_build.h"

#include <math.h>

/* ---- Orders ---- */

/* Calls for every entry beside the diagonal, as a pair of unknowns: those of M, then those of D and C. */
static size_t list_pairs(const nh_sparsity_builder *b, int *pair, bool whole)
{
    const nh_sparse_rows *parts[] = {&b->out->D, &b->out->C};
    size_t count = 0;
    for (int i = 0; i < b->n; i++)
        for (size_t e = b->mass.start[i]; e < b->mass.start[i + 1]; e++)
            if (b->mass.column[e] != i) {
                pair[2 * count] = i;
                pair[2 * count++ + 1] = b->mass.column[e];
            }
    for (int part = 0; whole && part < 2; part++)
        for (int c = 0; c < b->ml; c++)
            for (int e = parts[part]->start[c]; e < parts[part]->start[c + 1]; e++) {
                pair[2 * count] = b->n + c;
                pair[2 * count++ + 1] = parts[part]->column[e];
            }
    return count;
}

void nh_sparsity_find_coupled(nh_sparsity_builder *b, nh_sparsity_whole *out)
{
    const nh_sparsity *S = b->out;
    const size_t most = b->most < NH_MOST_SLOTS ? (size_t)b->most : NH_MOST_SLOTS;
    const size_t entries = b->mass.start[b->n] + (size_t)S->D.start[b->ml] + (size_t)S->C.start[b->ml];
    int *pair = nh_sparsity_ints(b, 2 * entries);
    const int unknowns = b->ml > 0 ? b->n + b->ml : 0; /* nothing else is asked of M alone */
    *out = (nh_sparsity_whole){.work = INFINITY};
    if (pair && nh_sparsity_factors(b, b->n, b->n, pair, list_pairs(b, pair, false), most, &out->of_M) &&
        nh_sparsity_factors(b, unknowns, b->n, pair, unknowns ? list_pairs(b, pair, true) : 0, most, &out->whole)) {
        const double divide = 2.0 * out->of_M.LU.start[b->n];
        const double mass = b->traits & NH_MASS_CONSTANT ? 0 : nh_sparsity_factors_work(&out->of_M);
        out->work = divide + mass + nh_sparsity_factors_work(&out->whole);
    }
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
