/* SPDX-License-Identifier: MIT */
/* SPARK methods for sparse systems in double precision, eight trajectories. */
#define NH_LANES 8
#define NH_SPARSE
#include "kernel/library.h"
#include "kernel/spark_table.h"

#define NH_ADVANCE nh_spark_sparse_advance_8
#include "kernel/spark_text.h"
