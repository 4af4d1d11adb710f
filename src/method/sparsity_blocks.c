/* SPDX-License-Identifier: MIT */
/* Saddle-point factors by blocks of the mass: each is inverted, and D W = L U is what is left. */
#include "kernel/traits.h"
#include "method/sparsity_build.h"

#include <stdlib.h>

/* ---- Blocks of the mass ---- */

static int root_of(int *parent, int i)
{
    while (parent[i] != i)
        i = parent[i] = parent[parent[i]];
    return i;
}

/* Coordinates that L_vv couples come into one block, blocks in the order of their first coordinates. */
static void join(nh_sparsity_builder *b)
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

bool nh_sparsity_find_blocks(nh_sparsity_builder *b)
{
    nh_sparsity *S = b->out;
    b->block_of = nh_sparsity_ints(b, (size_t)b->n);
    b->position = nh_sparsity_ints(b, (size_t)b->n);
    int *one = nh_sparsity_ints(b, (size_t)b->n), *at = nh_sparsity_ints(b, (size_t)b->n);
    if (!b->block_of || !b->position || !one || !at)
        return false;
    join(b);
    nh_sparse_rows rows;
    for (int i = 0; i < b->n; i++)
        one[i] = i;
    if (!nh_sparsity_rows(b, S->blocks, b->block_of, one, b->n, &rows, at))
        return false;
    S->block = rows.start;
    S->member = rows.column;
    for (int k = 0; k < S->blocks; k++) {
        const int size = S->block[k + 1] - S->block[k];
        S->largest_block = size > S->largest_block ? size : S->largest_block;
    }
    for (int i = 0; i < b->n; i++)
        b->position[i] = at[i] - S->block[b->block_of[i]];
    return true;
}

/* Where inverses are. */
static bool take_inverses(nh_sparsity_builder *b)
{
    nh_sparsity *S = b->out;
    S->inverse_at = nh_sparsity_ints(b, (size_t)S->blocks + 1);
    for (int k = 0; S->inverse_at && k < S->blocks; k++) {
        const long long size = S->block[k + 1] - S->block[k], end = S->inverse_at[k] + size * size;
        if (end > NH_MOST_SLOTS)
            return false;
        S->inverse_at[k + 1] = (int)end;
    }
    S->inverse_size = S->inverse_at ? S->inverse_at[S->blocks] : 0;
    return S->inverse_at != NULL;
}

static bool take_mass(nh_sparsity_builder *b)
{
    nh_sparsity *S = b->out;
    if (b->traits & NH_MASS_DIAGONAL)
        return true; /* its diagonal is derived as a vector */
    int *where = nh_sparsity_ints(b, b->mass.start[b->n]);
    if (!where || !nh_sparsity_slots(b, &b->mass, 0, &S->mass))
        return false;
    for (int i = 0; i < b->n; i++)
        for (size_t e = b->mass.start[i]; e < b->mass.start[i + 1]; e++) {
            const int k = b->block_of[i], size = S->block[k + 1] - S->block[k];
            where[e] = S->inverse_at[k] + b->position[i] * size + b->position[b->mass.column[e]];
        }
    nh_sparsity_move_slots(&S->mass, where);
    return true;
}

/* ---- The lift ---- */

/* Entries of W, if every block that a constraint has a coordinate of is counted once. */
static long long count_lift(const nh_sparsity_builder *b, int *seen)
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

static void fill_lift(nh_sparsity_builder *b, int *at)
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

static bool take_lift(nh_sparsity_builder *b, double most)
{
    nh_sparsity *S = b->out;
    int *scratch = nh_sparsity_ints(b, (size_t)S->blocks);
    const size_t entries = (size_t)S->C.start[b->ml];
    const long long count = scratch ? count_lift(b, scratch) : 0;
    if (!scratch || count > NH_MOST_SLOTS || (double)count > most)
        return false;
    S->lift_size = (int)count;
    S->W =
        (nh_sparse_rows){.start = nh_sparsity_ints(b, (size_t)b->ml + 1), .column = nh_sparsity_ints(b, (size_t)count)};
    S->lift_at = nh_sparsity_ints(b, entries);
    S->from = nh_sparsity_ints(b, entries);
    S->size = nh_sparsity_ints(b, entries);
    if (!S->W.start || !S->W.column || !S->lift_at || !S->from || !S->size)
        return false;
    fill_lift(b, scratch);
    int *constraint = nh_sparsity_ints(b, (size_t)count), *place = nh_sparsity_ints(b, (size_t)count);
    S->entry = nh_sparsity_ints(b, (size_t)count);
    if (!constraint || !place || !S->entry)
        return false;
    for (int c = 0; c < b->ml; c++)
        for (int e = S->W.start[c]; e < S->W.start[c + 1]; e++)
            constraint[e] = c;
    if (!nh_sparsity_rows(b, b->n, S->W.column, constraint, (int)count, &S->by_coordinate, place))
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

static long long count_products(const nh_sparsity_builder *b)
{
    long long count = 0;
    for (int e = 0; e < b->out->D.start[b->ml]; e++) {
        const int i = b->out->D.column[e];
        count += b->out->by_coordinate.start[i + 1] - b->out->by_coordinate.start[i];
    }
    return count;
}

/* Constraints that D W couples, as pairs in memory of malloc: the caller frees it. */
static bool find_pairs(nh_sparsity_builder *b, int **pair, size_t *pairs)
{
    size_t capacity = 0, count = 0;
    int *mark = nh_sparsity_ints(b, (size_t)b->ml);
    bool good = mark != NULL;
    for (int r = 0; good && r < b->ml; r++)
        FOR_PRODUCTS(b, r, left, right)
        {
            const int c = b->out->by_coordinate.column[right];
            if (c == r || mark[c] == r + 1 || !good)
                continue;
            mark[c] = r + 1;
            good = nh_grow(pair, &capacity, count + 3, sizeof **pair);
            if (good) {
                (*pair)[count++] = r;
                (*pair)[count++] = c;
            }
        }
    b->arena->failed = b->arena->failed || !good;
    *pairs = count / 2;
    return good;
}

/* Where the products go: entry by entry. */
static bool take_terms(nh_sparsity_builder *b, long long products)
{
    nh_sparsity *S = b->out;
    const int entries = S->factors.LU.start[b->ml];
    int *place = nh_sparsity_ints(b, (size_t)b->ml), *where = nh_sparsity_ints(b, (size_t)b->ml),
        *target = nh_sparsity_ints(b, (size_t)products);
    int *left_of = nh_sparsity_ints(b, (size_t)products), *right_of = nh_sparsity_ints(b, (size_t)products),
        *at = nh_sparsity_ints(b, (size_t)products);
    nh_sparse_rows terms;
    int count = 0;
    if (!place || !where || !target || !left_of || !right_of || !at)
        return false;
    for (int k = 0; k < b->ml; k++)
        place[S->factors.order[k]] = k;
    for (int k = 0; k < b->ml; k++) {
        for (int e = S->factors.LU.start[k]; e < S->factors.LU.start[k + 1]; e++)
            where[S->factors.LU.column[e]] = e;
        FOR_PRODUCTS(b, S->factors.order[k], left, right)
        {
            target[count] = where[place[b->out->by_coordinate.column[right]]];
            left_of[count] = left;
            right_of[count++] = S->entry[right];
        }
    }
    S->left = nh_sparsity_ints(b, (size_t)products);
    S->right = nh_sparsity_ints(b, (size_t)products);
    if (!S->left || !S->right || !nh_sparsity_rows(b, entries, target, left_of, count, &terms, at))
        return false;
    S->term = terms.start;
    for (int t = 0; t < count; t++) {
        S->left[at[t]] = left_of[t];
        S->right[at[t]] = right_of[t];
    }
    return true;
}

static bool take_gram(nh_sparsity_builder *b, long long products, size_t most)
{
    int *pair = NULL;
    size_t pairs;
    const bool good = find_pairs(b, &pair, &pairs) &&
                      nh_sparsity_factors(b, b->ml, b->ml, pair, pairs, most, &b->out->factors) &&
                      take_terms(b, products);
    free(pair);
    return good;
}

/* ---- All of it ---- */

static double blocks_work(const nh_sparsity_builder *b)
{
    const nh_sparsity *S = b->out;
    double work = 0;
    for (int k = 0; k < S->blocks; k++) {
        const double size = S->block[k + 1] - S->block[k];
        work += b->traits & NH_MASS_CONSTANT ? size * size : 2 * size * size * size;
    }
    return work;
}

bool nh_sparsity_take_blocks(nh_sparsity_builder *b, double most)
{
    if (blocks_work(b) > most || !take_inverses(b) || !take_mass(b) || !take_lift(b, most))
        return false;
    const long long products = count_products(b);
    const double work = blocks_work(b) + (double)products;
    const size_t fill = most < NH_MOST_SLOTS ? (size_t)most : NH_MOST_SLOTS;
    return work <= most && products < NH_MOST_SLOTS && take_gram(b, products, fill) &&
           work + nh_sparsity_factors_work(&b->out->factors) <= most;
}
