/* SPDX-License-Identifier: MIT */
#include "method/extrapolation_table.h"

#include "base/line.h"
#include "base/status.h"
#include "kernel/extrapolation_table.h"

#include <math.h>

/* The weight of sequence j in the value at 0 of the polynomial in 1/i^2 through the sequences i = first … s. */
static nh_quad weight(int first, int s, int j)
{
    nh_quad w = j >= first;
    for (int i = first; i <= s && j >= first; i++)
        w *= i == j ? 1 : (nh_quad)(j * j) / (j * j - i * i);
    return w;
}

/* What fills up the last block does as the longest sequence does, and has no weight and no end. */
static void fill(nh_quad *table, int s, nh_quad tol)
{
    nh_quad *pairs = table + NH_EXTRAPOLATION_AT_VECTOR(s, NH_EXTRAPOLATION_PAIRS);
    nh_quad *end = table + NH_EXTRAPOLATION_AT_VECTOR(s, NH_EXTRAPOLATION_END);
    for (int g = 0; g < NH_EXTRAPOLATION_PADDED(s); g++) {
        const int j = g < s ? NH_EXTRAPOLATION_PAIRS_OF(s, g) : s;
        pairs[g] = j;
        end[g] = g >= s ? 0 : g < 4 ? j : end[g - 4] + j;
        table[NH_EXTRAPOLATION_AT_VECTOR(s, NH_EXTRAPOLATION_WEIGHT) + g] = g < s ? weight(1, s, j) : 0;
        table[NH_EXTRAPOLATION_AT_VECTOR(s, NH_EXTRAPOLATION_DOUBT) + g] =
            g < s ? weight(1, s, j) - weight(2, s, j) : 0;
        table[NH_EXTRAPOLATION_AT_VECTOR(s, NH_EXTRAPOLATION_DEMAND) + g] = tol > 0 ? 1 / tol : 0;
        table[NH_EXTRAPOLATION_AT_VECTOR(s, NH_EXTRAPOLATION_RUNG) + g] = exp2((2 * s - 1) / 4.0);
    }
}

nh_status nh_extrapolation_table_make(nh_arena *arena, int s, nh_quad tol, nh_table *out, nh_error *error)
{
    const int size = NH_EXTRAPOLATION_TABLE_SIZE(s);
    nh_quad *table = NH_NEW(arena, nh_quad, size);
    char *memory = NH_NEW(arena, char, (size_t)size * sizeof(double) + NH_LINE);
    if (!table || !memory)
        return nh_fail(error, NH_MEMORY, "out of memory");
    double *rounded = nh_line_in(memory);
    fill(table, s, tol);
    for (int i = 0; i < size; i++)
        rounded[i] = (double)table[i];
    *out = (nh_table){.size = size, .in_double = rounded, .in_quad = table};
    return NH_OK;
}
