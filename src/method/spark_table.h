/* SPDX-License-Identifier: MIT */
/* The table of a SPARK kernel (kernel/spark_table.h) from the coefficients of a triple. */
#ifndef NH_METHOD_SPARK_TABLE_H
#define NH_METHOD_SPARK_TABLE_H

#include "kernel/spark_table.h"
#include "method/table.h"
#include "tableau/triple.h"

typedef struct nh_spark_tables {
    nh_table numbers;
    bool same_matrices; /* A^ = A~ */
    bool holonomic;     /* the first row of A is zero, and the others determine all stages but one: g(Q_i) = 0 */
} nh_spark_tables;

/* `collocated`: constraints hold at the stages, not at the end. NH_VALUE if the triple does not determine multipliers:
 * two nodes are equal, a weight is zero, or [A~; b] is singular. The numbers belong to the arena. */
nh_status nh_spark_table_make(nh_arena *arena, const nh_triple *triple, bool collocated, nh_spark_tables *out,
                              nh_error *error);

#endif
