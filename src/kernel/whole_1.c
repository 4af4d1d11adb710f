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

#define NUMBER     double
#define ABS        fabs
#define SQRT       sqrt
#define EPSILON    0x1p-52
#define LU         nh_lu_double
#define SOLVE      nh_lu_solve_double
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

size_t nh_whole_work(const nh_kernel *k, bool mp, int parameters)
{
    const size_t size = (size_t)nh_whole_size(k, mp);
    return (size_t)(2 * NH_WHOLE_SPOTS(k) * spot_size(k) + 3 * (k->m + k->l) + k->n + 2 * parameters) + 7 * size +
           size * size;
}
