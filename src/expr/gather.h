/* SPDX-License-Identifier: MIT */
/* From "entry c gains a" to "entry c is a": merging the pieces that reverse accumulation leaves. */
#ifndef NH_EXPR_GATHER_H
#define NH_EXPR_GATHER_H

#include "expr/field.h"

/* Appends to `out` the pieces of `raw`, merged. The first `base` loops of every piece number rows and stay as they are.
 */
bool nh_gather(nh_graph *g, nh_field *raw, int base, nh_field *out);
/* Sets `accumulate` on every piece that touches an entry twice, or one that a piece before it sets. */
bool nh_mark_overlaps(nh_field *f);

#endif
