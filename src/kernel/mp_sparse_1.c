/* SPDX-License-Identifier: MIT */
/* McLachlan and Perlmutter's method for sparse systems in double precision, one trajectory. */
#define NH_SPARSE
#include "kernel/library.h"

#define NH_ADVANCE nh_mp_sparse_advance_1
#include "kernel/mp.h"

#include "kernel/advance.h" /* after the method that it steps */

NH_FRAME_WORK(nh_mp_sparse_work)
