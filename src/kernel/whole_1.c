/* SPDX-License-Identifier: MIT */
/* The whole system of a step in double precision. */
#include "kernel/whole.h"

#include "base/linear.h"
#include "base/space.h"
#include "kernel/functions.h"
#include "kernel/member.h"
#include "kernel/spark_table.h"
#include "kernel/traits.h"

#include <math.h>
#include <string.h>

static bool factor_matrix(const nh_whole *w, double *matrix, int size)
{
    return w->pattern ? nh_sparse_lu_factor(w->lu, matrix) : nh_lu_double(matrix, size, w->pivot);
}

static void solve_matrix(const nh_whole *w, const double *matrix, int size, double *b)
{
    if (w->pattern)
        nh_sparse_lu_solve(w->lu, b);
    else
        nh_lu_solve_double(matrix, size, w->pivot, b);
}

#define NUMBER     double
#define ABS        fabs
#define SQRT       sqrt
#define EPSILON    0x1p-52
#define STEP       nh_whole_step_1
#define DERIVATIVE nh_whole_derivative_1
#include "kernel/whole_equations.h"
#include "kernel/whole_measure.h"
#include "kernel/whole_solve.h"

int nh_whole_size(const nh_kernel *k, bool mp)
{
    const int extra = k->traits & NH_STABILISED ? k->s * k->l : 0;
    return mp ? k->m + k->n : k->s * (k->n + k->m + k->l) + extra + k->n;
}

size_t nh_whole_work(const nh_kernel *k, bool mp, int parameters, const nh_whole_pattern *pattern)
{
    const size_t size = (size_t)nh_whole_size(k, mp);
    const size_t entries = pattern ? (size_t)pattern->entries.start[size] : size * size;
    return (size_t)(2 * NH_WHOLE_SPOTS(k) * spot_size(k) + 3 * (k->m + k->l) + k->n + 2 * parameters) + 7 * size +
           entries;
}
