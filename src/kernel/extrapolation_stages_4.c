/* SPDX-License-Identifier: MIT */
/* Extrapolation in double precision, one trajectory, four of its sequences in lanes. */
#define NH_BLOCK 4
#include "kernel/library.h"

#define NH_ADVANCE NH_NAME_OF_TARGET(nh_extrapolation_stages_advance)
#include "kernel/extrapolation_text.h"

#ifndef NH_AVX2 /* once will do */
size_t nh_extrapolation_stages_work(const nh_kernel *k)
{
    NH_SIZES;
    const int G = (s + NH_BLOCK - 1) / NH_BLOCK;
    size_t total = 0;
    NH_FRAME_ARRAYS(NH_FRAME_ADD)
    return total;
}
#endif
