/* SPDX-License-Identifier: MIT */
/* SPARK methods in double precision, four trajectories in lanes. */
#define NH_LANES 4
#include "kernel/library.h"
#include "kernel/spark_table.h"

#define NH_ADVANCE NH_NAME_OF_TARGET(nh_spark_advance_4)
#include "kernel/spark_text.h"
