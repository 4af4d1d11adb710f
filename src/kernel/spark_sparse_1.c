/* SPDX-License-Identifier: MIT */
/* SPARK methods for sparse systems in double precision, one trajectory. */
#define NH_SPARSE
#include "kernel/library.h"
#include "kernel/spark_table.h"

#define NH_ADVANCE nh_spark_sparse_advance_1
#include "kernel/spark_text.h"

size_t nh_spark_sparse_work(const nh_kernel *k)
{
    NH_SIZES;
    const int G = s;
    size_t total = 0;
    NH_FRAME_ARRAYS(NH_FRAME_ADD)
    return total;
}
