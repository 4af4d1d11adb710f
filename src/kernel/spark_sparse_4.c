/* SPDX-License-Identifier: MIT */
/* SPARK methods for sparse systems in double precision, four trajectories. */
#define NH_LANES 4
#define NH_SPARSE
#include "kernel/library.h"
#include "kernel/spark_table.h"

#define NH_ADVANCE NH_NAME_OF_TARGET(nh_spark_sparse_advance_4)
#include "kernel/spark_text.h"
