/* SPDX-License-Identifier: MIT */
/* A sparse Cholesky factor of A Aᵀ in double precision: a preconditioner. */
#ifndef NH_BASE_CHOLESKY_H
#define NH_BASE_CHOLESKY_H

#include "base/elimination.h"

/* A by rows; columns of a row ascend. */
typedef struct nh_row_list {
    int rows, columns;
    const size_t *start; /* [rows + 1], of entries */
    const int *column;
} nh_row_list;

typedef struct nh_cholesky nh_cholesky;

/* How many products A Aᵀ takes. */
double nh_cholesky_products(const nh_row_list *A);
/* value[e] is that of entry e. Pivots that rounding has spoiled are made larger. NULL: more than `most`
 * entries, or out of memory, and then `failed` is set. */
nh_cholesky *nh_cholesky_new(const nh_row_list *A, const double *value, size_t most, bool *failed);
void nh_cholesky_free(nh_cholesky *f);
/* x becomes (A Aᵀ)⁻¹ x. */
void nh_cholesky_solve(const nh_cholesky *f, double *x);

#endif
