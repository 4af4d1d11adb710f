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

#define NUMBER     nh_quad
#define ABS        nh_quad_abs
#define SQRT       nh_quad_sqrt
#define EPSILON    0x1p-112
#define LU         nh_lu_quad
#define SOLVE      nh_lu_solve_quad
#define STEP       nh_whole_step_quad
#define DERIVATIVE nh_whole_derivative_quad
#include "kernel/whole_equations.h"
#include "kernel/whole_measure.h"
#include "kernel/whole_solve.h"
