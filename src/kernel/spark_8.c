/* SPDX-License-Identifier: MIT */
/* SPARK methods in double precision, eight trajectories in lanes. */
#define NH_LANES 8
#include "kernel/library.h"
#include "kernel/spark_table.h"

#define NH_ADVANCE nh_spark_advance_8
#include "kernel/spark_text.h"
