/* SPDX-License-Identifier: MIT */
/* SPARK methods for sparse systems in double precision, one trajectory, four of its stages in lanes. */
#define NH_BLOCK 4
#define NH_SPARSE
#include "kernel/library.h"
#include "kernel/spark_table.h"

#define NH_ADVANCE NH_NAME_OF_TARGET(nh_spark_sparse_stages_advance)
#include "kernel/spark_text.h"

#ifndef NH_AVX2 /* once will do */
NH_FRAME_WORK(nh_spark_sparse_stages_work)
#endif
