/* SPDX-License-Identifier: MIT */
/* McLachlan and Perlmutter's method for sparse systems in double precision, one trajectory. */
#define NH_SPARSE
#include "kernel/library.h"

#define NH_ADVANCE nh_mp_sparse_advance_1
#include "kernel/mp.h"

#include "kernel/advance.h" /* after the method that it steps */

size_t nh_mp_sparse_work(const nh_kernel *k)
{
    NH_SIZES;
    size_t total = 0;
    NH_FRAME_ARRAYS(NH_FRAME_ADD)
    return total;
}
