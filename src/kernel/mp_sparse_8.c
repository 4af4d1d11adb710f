/* SPDX-License-Identifier: MIT */
/* McLachlan and Perlmutter's method for sparse systems in double precision, eight trajectories. */
#define NH_LANES 8
#define NH_SPARSE
#include "kernel/library.h"

#define NH_ADVANCE nh_mp_sparse_advance_8
#include "kernel/mp.h"

#include "kernel/advance.h" /* after the method that it steps */
