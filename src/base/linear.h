/* SPDX-License-Identifier: MIT */
/* Small dense linear algebra in quad precision, and the same in double for what is large.
 * Matrices are flat and row-major. Functions allocate nothing. */
#ifndef NH_BASE_LINEAR_H
#define NH_BASE_LINEAR_H

#include "base/quad.h"

#include <stdbool.h>
#include <stddef.h>

/* Relative size below which a singular value counts as zero, and above which it clearly does not. */
#define NH_RANK_ZERO  (NH_QUAD_IS_FLOAT128 ? 1e-23 : 1e-13)
#define NH_RANK_CLEAR (NH_QUAD_IS_FLOAT128 ? 1e-14 : 1e-8)

/* How many of `count` singular values, in descending order, are larger than NH_RANK_ZERO times `scale` (0: the first
 * one). *clear, if not NULL: none lies between zero and clearly not zero. */
int nh_rank(const nh_quad *sigma, int count, nh_quad scale, bool *clear);

/* Singular values of a, rows × columns, in descending order: sigma [columns], those beyond `rows` zero. One-sided
 * Jacobi: small ones are as accurate as large ones. Overwrites a by the left singular vectors times sigma. `right`, if
 * not NULL, gets the right singular vectors as its columns, columns × columns: from the rank on they span the kernel.
 */
void nh_svd_quad(nh_quad *a, int rows, int columns, nh_quad *sigma, nh_quad *right);

/* a = P L U in place, with row pivoting; pivot [n]. False if a pivot is zero or not finite. */
bool nh_lu_quad(nh_quad *a, int n, int *pivot);
bool nh_lu_double(double *a, int n, int *pivot);
/* Solves a x = b, or aᵀ x = b, in place with the factors. */
void nh_lu_solve_quad(const nh_quad *lu, int n, const int *pivot, nh_quad *b);
void nh_lu_solve_double(const double *lu, int n, const int *pivot, double *b);
void nh_lu_solve_transposed_quad(const nh_quad *lu, int n, const int *pivot, nh_quad *b);
void nh_lu_solve_transposed_double(const double *lu, int n, const int *pivot, double *b);

/* Rank of a, rows × columns, by elimination with complete pivoting, which overwrites a: the number of pivots larger
 * than `zero` times the first. row [rows] and column [columns], if not NULL, get the places of the pivots in their
 * order, then the others. *gap, if not NULL: the last pivot that counts, divided by the first. */
int nh_eliminate_quad(nh_quad *a, int rows, int columns, double zero, int *row, int *column, double *gap);
int nh_eliminate_double(double *a, int rows, int columns, double zero, int *row, int *column, double *gap);

/* Estimates the 2-norm condition number by power iteration with a [n × n] and its factors; work [2n]. */
double nh_condition_estimate(const double *a, const double *lu, int n, const int *pivot, double *work);

#endif
