/* SPDX-License-Identifier: MIT */
#include "base/columns.h"

bool nh_columns_transpose(const nh_columns *of, int rows, nh_arena *arena, nh_columns *out)
{
    int *next = NH_NEW(arena, int, rows + 1);
    *out = (nh_columns){rows, NH_NEW(arena, int, rows + 1), NH_NEW(arena, int, of->start[of->count] + 1)};
    if (!next || !out->start || !out->row)
        return false;
    for (int e = 0; e < of->start[of->count]; e++)
        out->start[of->row[e] + 1]++;
    for (int i = 0; i < rows; i++)
        next[i + 1] = out->start[i + 1] += out->start[i];
    for (int j = 0; j < of->count; j++)
        for (int e = of->start[j]; e < of->start[j + 1]; e++)
            out->row[next[of->row[e]]++] = j;
    return true;
}
