/* SPDX-License-Identifier: MIT */
/* SPARK methods in quad precision. */
#define NH_QUAD
#include "kernel/library.h"
#include "kernel/spark_table.h"

#define NH_ADVANCE nh_spark_advance_quad
#include "kernel/spark_text.h"
