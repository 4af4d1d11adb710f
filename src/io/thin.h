/* SPDX-License-Identifier: MIT */
/* Curves with more points than can be seen. */
#ifndef NH_IO_THIN_H
#define NH_IO_THIN_H

#include "io/axis.h"

enum { NH_THIN_ABOVE = 8192 }; /* shorter curves stay as they are */

/* The points of a curve that are drawn, in order. Gaps are (NaN, NaN): one between points, none at the ends. */
typedef struct nh_stroke {
    double *x, *y;
    size_t count, capacity_x, capacity_y;
    bool failed;
} nh_stroke; /* all zero is the empty one */

/* Adds what is seen of a curve: what cannot be drawn is left out, points beyond what the panel resolves too. */
void nh_stroke_of(const nh_panel *panel, const nh_series *series, const nh_frame *frame, nh_stroke *out);
void nh_stroke_free(nh_stroke *stroke);

#endif
