/* SPDX-License-Identifier: MIT */
/* What a kernel knows of its method: numbers, rounded to double and as they are. */
#ifndef NH_METHOD_TABLE_H
#define NH_METHOD_TABLE_H

#include "base/arena.h"
#include "base/quad.h"

typedef struct nh_table {
    int size; /* 0: there is nothing to know */
    const double *in_double;
    const nh_quad *in_quad;
} nh_table;

#endif
