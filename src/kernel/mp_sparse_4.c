/* SPDX-License-Identifier: MIT */
/* McLachlan and Perlmutter's method for sparse systems in double precision, four trajectories. */
#define NH_LANES 4
#define NH_SPARSE
#include "kernel/library.h"

#define NH_ADVANCE NH_NAME_OF_TARGET(nh_mp_sparse_advance_4)
#include "kernel/mp.h"

#include "kernel/advance.h" /* after the method that it steps */
