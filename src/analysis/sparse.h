/* SPDX-License-Identifier: MIT */
/* Sparse matrices of a study: products, the forms of the constraints, and least-norm solutions. */
#ifndef NH_ANALYSIS_SPARSE_H
#define NH_ANALYSIS_SPARSE_H

#include "analysis/study.h"
#include "base/cholesky.h"
#include "model/sparse.h"

/* Row r times x: as nh_dot. `size` is Σ|x_i|. Columns beyond `columns` are left out. */
nh_quad nh_sparse_dot(const nh_sparse *a, int r, int columns, const nh_quad *x, nh_quad size, nh_quad *terms);
/* Σ|x_i| */
nh_quad nh_size_of(const nh_quad *x, int n);

/* Rows of K and of g_q, with the dt column, as column n, if `with_time`. */
nh_status nh_sparse_forms(nh_study *s, bool with_time, nh_sparse *out, nh_error *error);

/* A Aᵀ for the rows of A from `first` on, scaled so that its diagonal is 1. Systems are solved by conjugate gradients
 * in quad precision; where rows are few, or it is slow, with a factorization in double as a preconditioner. Redundant
 * rows do no harm. */
typedef struct nh_gram {
    const nh_sparse *A; /* of the caller, with its values */
    int first, rows;
    nh_quad *scale, *y, *r, *z, *p, *q, *b, *t; /* [rows]; t [columns] */
    nh_cholesky *factor;                        /* NULL if there is none */
    double *work;
} nh_gram;

/* False, with nothing to free, if there is no memory, which is marked in the study's arena. */
bool nh_gram_new(nh_study *s, const nh_sparse *A, int first, nh_gram *out);
void nh_gram_free(nh_gram *f);
/* The shortest x with A x = b, in the least-squares sense, is added to x. False if that does not succeed. */
bool nh_gram_add(nh_gram *f, const nh_quad *b, nh_quad *x);
/* Removes from u what is not in ker A. */
bool nh_gram_project(nh_gram *f, nh_quad *u);
/* Are the rows independent? Unknown where they may be dependent, or nearly so. */
nh_answer nh_gram_independent(nh_study *s, nh_gram *f);

#endif
