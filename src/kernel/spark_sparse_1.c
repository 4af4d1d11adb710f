/* SPDX-License-Identifier: MIT */
/* SPARK methods for sparse systems in double precision, one trajectory. */
#define NH_SPARSE
#include "kernel/library.h"
#include "kernel/spark_table.h"

#define NH_ADVANCE nh_spark_sparse_advance_1
#include "kernel/spark_text.h"

NH_FRAME_WORK(nh_spark_sparse_work)
