/* SPDX-License-Identifier: MIT */
/* Which entries a matrix field has: its rows, and where among them each number of a sparse function (NH_SPARSE) goes.
 */
#ifndef NH_EXPR_PATTERN_H
#define NH_EXPR_PATTERN_H

#include "expr/field.h"

typedef struct nh_pattern {
    int rows, columns;
    size_t *start;   /* [rows + 1] */
    int *column;     /* ascending in every row */
    size_t slots;    /* what the function gives: several slots may add up to one entry */
    uint32_t *place; /* of each slot among the entries; UINT32_MAX: nowhere */
} nh_pattern;        /* all zero is an empty one */

/* The number of slots, at most `most` + 1. */
size_t nh_pattern_slots(const nh_field *f, size_t most);
/* False, with nothing to free, when out of memory. */
bool nh_pattern_new(const nh_field *f, nh_pattern *out);
void nh_pattern_free(nh_pattern *p);

#endif
