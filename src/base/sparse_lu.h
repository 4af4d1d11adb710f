/* SPDX-License-Identifier: MIT */
/* Large sparse linear systems by KLU of SuiteSparse: a pattern is analysed once, then numbers in it are factored with
 * exchange of rows, which depends on these numbers alone and not on those before. */
#ifndef NH_BASE_SPARSE_LU_H
#define NH_BASE_SPARSE_LU_H

#include <stdbool.h>

/* Where a matrix has entries: rows of column j are row[start[j]] … row[start[j + 1] - 1], in any order. */
typedef struct nh_columns {
    int count, *start, *row;
} nh_columns;

typedef struct nh_sparse_lu nh_sparse_lu;

/* Whether this build has KLU. */
bool nh_sparse_lu_is_here(void);
/* The pattern, of as many rows as columns, must outlive it; it is analysed at the first factorisation. NULL: out of
 * memory, or no KLU. */
nh_sparse_lu *nh_sparse_lu_new(const nh_columns *pattern);
void nh_sparse_lu_free(nh_sparse_lu *lu);
/* False: singular, a number that is not finite, or out of memory. */
bool nh_sparse_lu_factor(nh_sparse_lu *lu, double *values);
/* Solves for b in place, after a factorisation that was good. */
void nh_sparse_lu_solve(nh_sparse_lu *lu, double *b);

#endif
