/* SPDX-License-Identifier: MIT */
/* SPARK methods for sparse systems in quad precision. */
#define NH_QUAD
#define NH_SPARSE
#include "kernel/library.h"
#include "kernel/spark_table.h"

#define NH_ADVANCE nh_spark_sparse_advance_quad
#include "kernel/spark_text.h"
