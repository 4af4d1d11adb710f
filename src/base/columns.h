/* SPDX-License-Identifier: MIT */
/* Where a matrix has entries, by columns. */
#ifndef NH_BASE_COLUMNS_H
#define NH_BASE_COLUMNS_H

#include "base/arena.h"

/* Rows of column j are row[start[j]] … row[start[j + 1] - 1], in any order, each once. */
typedef struct nh_columns {
    int count, *start, *row;
} nh_columns;

/* The same by rows, of which there are `rows`: columns of a row ascend. Memory is from the arena; false: there is none.
 */
bool nh_columns_transpose(const nh_columns *of, int rows, nh_arena *arena, nh_columns *out);

#endif
