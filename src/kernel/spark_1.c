/* SPDX-License-Identifier: MIT */
/* SPARK methods in double precision, one trajectory. */
#include "kernel/library.h"
#include "kernel/spark_table.h"

#define NH_ADVANCE nh_spark_advance_1
#include "kernel/spark_text.h"

size_t nh_spark_work(const nh_kernel *k)
{
    NH_SIZES;
    const int G = s;
    size_t total = 0;
    NH_FRAME_ARRAYS(NH_FRAME_ADD)
    return total;
}

size_t nh_member_size(const nh_kernel *k)
{
    NH_SIZES;
    return (size_t)NH_MEMBER_SIZE;
}
