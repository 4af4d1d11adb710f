/* SPDX-License-Identifier: MIT */
/* Which part of the plane a panel shows. Coordinates here are those of the paper: decimal logarithms on log axes. */
#ifndef NH_IO_AXIS_H
#define NH_IO_AXIS_H

#include "io/figure.h"

typedef struct nh_axis {
    bool log;
    double low, high; /* low < high */
} nh_axis;

typedef struct nh_frame {
    nh_axis x, y;
    size_t drawn;       /* points */
    const char *excuse; /* why there are none */
} nh_frame;

typedef enum nh_point_kind { NH_POINT_DRAWN, NH_POINT_GAP, NH_POINT_LEFT_OUT } nh_point_kind;

/* Where point i of a curve is on paper. */
nh_point_kind nh_point_place(const nh_panel *panel, const nh_series *series, size_t i, double *x, double *y);

/* The ranges that hold all points, with some room around them. */
nh_frame nh_frame_of(const nh_panel *panel);
/* Why nothing is to be seen of a curve; NULL if something is. */
const char *nh_series_excuse(const nh_panel *panel, const nh_series *series);

/* Significant digits by which the numbers along a linear axis differ. */
int nh_axis_digits(const nh_axis *axis);

#endif
