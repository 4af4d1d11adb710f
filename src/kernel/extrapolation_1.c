/* SPDX-License-Identifier: MIT */
/* Extrapolation in double precision, one trajectory. */
#include "kernel/library.h"

#define NH_ADVANCE nh_extrapolation_advance_1
#include "kernel/extrapolation_text.h"

size_t nh_extrapolation_work(const nh_kernel *k)
{
    NH_SIZES;
    const int G = s;
    size_t total = 0;
    NH_FRAME_ARRAYS(NH_FRAME_ADD)
    return total;
}
