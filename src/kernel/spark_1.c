/* SPDX-License-Identifier: MIT */
/* SPARK methods in double precision, one trajectory. */
#include "kernel/library.h"
#include "kernel/spark_table.h"

#define NH_ADVANCE nh_spark_advance_1
#include "kernel/spark_text.h"

NH_FRAME_WORK(nh_spark_work)

size_t nh_member_size(const nh_kernel *k)
{
    NH_SIZES;
    return (size_t)NH_MEMBER_SIZE;
}
