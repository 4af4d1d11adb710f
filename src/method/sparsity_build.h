/* SPDX-License-Identifier: MIT */
/* How the pattern of saddle-point matrices is found (sparsity.c), in parts: a mass by blocks (sparsity_blocks.c), a
 * mass that is eliminated with the constraints (sparsity_coupled.c). */
#ifndef NH_METHOD_SPARSITY_BUILD_H
#define NH_METHOD_SPARSITY_BUILD_H

#include "base/arena.h"
#include "base/elimination.h"
#include "expr/pattern.h"
#include "kernel/sparsity.h"
#include "model/derived.h"
#include "model/model.h"

#include <limits.h>

enum { NH_MOST_SLOTS = INT_MAX / 64 };

typedef struct nh_sparsity_builder {
    const nh_model *m;
    unsigned traits;
    double most; /* products that a factor may take */
    int n, ml;
    nh_arena *arena;
    bool mp;
    nh_pattern mass, rows, normals, columns, slopes;
    int *block_of, *position; /* of a coordinate */
    nh_sparsity *out;
} nh_sparsity_builder;

/* Where a derivative has entries; NH_LIMIT: in more slots than `most`. */
nh_status nh_sparsity_find(const nh_model *m, nh_quantity of, nh_space by, size_t most, nh_pattern *out,
                           nh_error *error);

/* ---- sparsity.c: what both parts do. False: out of memory ---- */

int *nh_sparsity_ints(nh_sparsity_builder *b, size_t count);
/* Slots go to entries that come `offset` later than in their own pattern. */
bool nh_sparsity_slots(nh_sparsity_builder *b, const nh_pattern *p, int offset, nh_slots *out);
void nh_sparsity_move_slots(nh_slots *slots, const int *where);
/* From a list of entries (row, column), in any order: rows of ascending columns if the list is by columns. `entry`,
 * which may be NULL, is the place of each. */
bool nh_sparsity_rows(nh_sparsity_builder *b, int rows, const int *row, const int *column, int count,
                      nh_sparse_rows *out, int *entry);
/* Pairs of nodes both ways; what is there twice stays so. */
bool nh_sparsity_neighbours(nh_sparsity_builder *b, int nodes, const int *pair, size_t pairs, nh_sparse_rows *near);
/* Factors of a matrix whose entries beside the diagonal are `pairs` pairs (row, column) of `nodes` unknowns, those from
 * `late` on after all that they are coupled to; false also if U has more than `most` entries. */
bool nh_sparsity_factors(nh_sparsity_builder *b, int nodes, int late, const int *pair, size_t pairs, size_t most,
                         nh_factors *out);
double nh_sparsity_factors_work(const nh_factors *of);

/* ---- sparsity_blocks.c ---- */

/* Which coordinates L_vv couples. */
bool nh_sparsity_find_blocks(nh_sparsity_builder *b);
/* The rest, as long as a factor takes `most` products or fewer; false: it does not, or there is no memory. */
bool nh_sparsity_take_blocks(nh_sparsity_builder *b, double most);

/* ---- sparsity_coupled.c ---- */

/* Factors of a coupled mass, and of the whole matrix; INFINITY products: there are too many, or no memory. */
typedef struct nh_sparsity_whole {
    nh_factors of_M, whole;
    double work;
} nh_sparsity_whole;

void nh_sparsity_find_coupled(nh_sparsity_builder *b, nh_sparsity_whole *out);
bool nh_sparsity_take_coupled(nh_sparsity_builder *b, const nh_sparsity_whole *of);

#endif
