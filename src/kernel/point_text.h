/* SPDX-License-Identifier: MIT */
/* What the library's kernels do at one point, in order: once for a trajectory and, with stages in lanes, once more for
 * a block of them. */
#include "kernel/dense.h"

#include "kernel/point.h"

#ifdef NH_SPARSE
#include "kernel/factors.h"

#include "kernel/saddle_coupled.h"

#include "kernel/saddle_sparse.h"
#else
#include "kernel/saddle.h"
#endif

#include "kernel/correction.h" /* after the division by L_vv */

#include "kernel/landing.h"
