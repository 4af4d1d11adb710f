/* SPDX-License-Identifier: MIT */
/* What a figure is inside. */
#ifndef NH_IO_FIGURE_H
#define NH_IO_FIGURE_H

#include "base/arena.h"

#include <nonholo/plot.h>

typedef struct nh_series {
    const char *label; /* "": not in the legend */
    const double *x, *y;
    size_t count;
    nh_plot_style style;
    double width;
} nh_series;

typedef struct nh_panel {
    const char *title, *x_label, *y_label; /* never NULL */
    bool log_x, log_y, equal_aspect;
    nh_plot_legend legend;
    nh_series *series;
    size_t count, capacity;
} nh_panel;

struct nh_figure {
    nh_arena arena;
    const char *title, *caption; /* never NULL */
    size_t columns;
    int panel_width, panel_height;
    nh_panel *panels;
    size_t count, capacity;
    nh_error error; /* the first failure */
};

/* NH_OK, or the first failure while the figure was put together, copied to `error`. */
nh_status nh_figure_status(const nh_figure *figure, nh_error *error);

#endif
