/* SPDX-License-Identifier: MIT */
/* Arrays of double or of quad, as a run has chosen. Reading as quad is exact for both. */
#ifndef NH_SIM_NUMBER_H
#define NH_SIM_NUMBER_H

#include "base/quad.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct nh_numbers {
    void *data;
    bool quad;
} nh_numbers;

static inline nh_quad nh_numbers_get(nh_numbers a, int i)
{
    return a.quad ? ((const nh_quad *)a.data)[i] : (nh_quad)((const double *)a.data)[i];
}

static inline void nh_numbers_set(nh_numbers a, int i, nh_quad value)
{
    if (a.quad)
        ((nh_quad *)a.data)[i] = value;
    else
        ((double *)a.data)[i] = (double)value;
}

/* The same for counts, which are exact in double too: a tenth of the instructions. */
static inline double nh_numbers_double(nh_numbers a, int i)
{
    return a.quad ? (double)((const nh_quad *)a.data)[i] : ((const double *)a.data)[i];
}

static inline void nh_numbers_set_double(nh_numbers a, int i, double value)
{
    if (a.quad)
        ((nh_quad *)a.data)[i] = value;
    else
        ((double *)a.data)[i] = value;
}

static inline nh_numbers nh_numbers_from(nh_numbers a, int i)
{
    return (nh_numbers){(char *)a.data + (size_t)i * (a.quad ? sizeof(nh_quad) : sizeof(double)), a.quad};
}

#endif
