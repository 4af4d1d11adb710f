/* SPDX-License-Identifier: MIT */
/* The whole system of a step in quad precision. */
#include "kernel/whole.h"

#include "base/linear.h"
#include "base/space.h"
#include "kernel/functions.h"
#include "kernel/member.h"
#include "kernel/spark_table.h"
#include "kernel/traits.h"

#include <string.h>

static bool factor_matrix(const nh_whole *w, nh_quad *matrix, int size)
{
    return nh_lu_quad(matrix, size, w->pivot);
}

static void solve_matrix(const nh_whole *w, const nh_quad *matrix, int size, nh_quad *b)
{
    nh_lu_solve_quad(matrix, size, w->pivot, b);
}

#define NUMBER     nh_quad
#define ABS        nh_quad_abs
#define SQRT       nh_quad_sqrt
#define EPSILON    0x1p-112
#define STEP       nh_whole_step_quad
#define DERIVATIVE nh_whole_derivative_quad
#include "kernel/whole_equations.h"
#include "kernel/whole_measure.h"
#include "kernel/whole_solve.h"
