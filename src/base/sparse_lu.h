/* SPDX-License-Identifier: MIT */
/* Large sparse linear systems by KLU of SuiteSparse: a pattern is analysed once, then numbers in it are factored with
 * exchange of rows, which depends on these numbers alone and not on those before. */
#ifndef NH_BASE_SPARSE_LU_H
#define NH_BASE_SPARSE_LU_H

#include "base/columns.h"

typedef struct nh_sparse_lu nh_sparse_lu;

/* KLU and its version; NULL: this build has none. */
const char *nh_sparse_lu_name(void);
/* The pattern, of as many rows as columns, must outlive it; it is analysed at the first factorisation. NULL: out of
 * memory, or no KLU. */
nh_sparse_lu *nh_sparse_lu_new(const nh_columns *pattern);
void nh_sparse_lu_free(nh_sparse_lu *lu);
/* False: singular, a number that is not finite, or out of memory: factors are as large as numbers make them. */
bool nh_sparse_lu_factor(nh_sparse_lu *lu, double *values);
/* Whether the last factorisation has failed for lack of memory. */
bool nh_sparse_lu_lacks_memory(const nh_sparse_lu *lu);
/* Solves for b in place, after a factorisation that was good. */
void nh_sparse_lu_solve(nh_sparse_lu *lu, double *b);

#endif
