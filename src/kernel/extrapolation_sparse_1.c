/* SPDX-License-Identifier: MIT */
/* Extrapolation for sparse systems in double precision, one trajectory. */
#define NH_SPARSE
#include "kernel/library.h"

#define NH_ADVANCE nh_extrapolation_sparse_advance_1
#include "kernel/extrapolation_text.h"

size_t nh_extrapolation_sparse_work(const nh_kernel *k)
{
    NH_SIZES;
    const int G = s;
    size_t total = 0;
    NH_FRAME_ARRAYS(NH_FRAME_ADD)
    return total;
}
