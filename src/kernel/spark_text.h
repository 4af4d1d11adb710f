/* SPDX-License-Identifier: MIT */
/* The text of a SPARK step in the library, in the order of method/source.c. */
#include "kernel/spark_frame.h"

#include "kernel/spark_gamma.h"

#include "kernel/spark_positions.h"

#include "kernel/spark_progress.h"

#include "kernel/spark_settle.h"

#include "kernel/spark.h"

#include "kernel/advance.h" /* after the method that it steps */
