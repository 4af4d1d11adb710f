/* SPDX-License-Identifier: MIT */
/** Figures: panels of curves, drawn by gnuplot or as text on a terminal.
 *
 *     nh_figure *figure = nh_figure_new("Chaplygin sleigh", NULL, 1);
 *     int panel = nh_figure_panel(figure, &(nh_panel_options){.x_label = "t [s]", .y_label = "|E - E(0)|", .log_y =
 * 1}); nh_figure_series(figure, panel, "gauss(s=2)", t, error, count, NH_PLOT_LINE); status = nh_figure_write(figure,
 * "energy.svg", &error); nh_figure_free(figure);
 *
 * Mistakes and lack of memory while a figure is put together are kept, and reported when it is written. Texts are UTF-8
 * and are drawn as they are: no character has a special meaning. */
#ifndef NONHOLO_PLOT_H
#define NONHOLO_PLOT_H

#include <nonholo/text.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct nh_figure nh_figure;

typedef enum nh_plot_style {
    NH_PLOT_LINE,
    NH_PLOT_POINTS,
    NH_PLOT_LINE_POINTS,
    NH_PLOT_IMPULSES /**< a vertical line from 0 to each point */
} nh_plot_style;

typedef enum nh_plot_legend {
    NH_LEGEND_BELOW, /**< outside of the data, below the x axis */
    NH_LEGEND_RIGHT, /**< outside of the data */
    NH_LEGEND_TOP_LEFT,
    NH_LEGEND_TOP_RIGHT,
    NH_LEGEND_BOTTOM_LEFT,
    NH_LEGEND_BOTTOM_RIGHT,
    NH_LEGEND_NONE
} nh_plot_legend;

/** All zero: linear axes, no texts, legend below. Texts are copied. */
typedef struct nh_panel_options {
    const char *title, *x_label, *y_label; /**< NULL: none */
    int log_x, log_y;                      /**< logarithmic axes; what is not positive there is left out */
    int equal_aspect;                      /**< one unit is as long in x as in y */
    nh_plot_legend legend;
} nh_panel_options;

/** A figure whose panels fill rows of so many columns, in the order in which they are added. Title and caption may be
 * NULL. NULL if there is no memory, which every function here takes for a figure that failed. */
NH_API nh_figure *nh_figure_new(const char *title, const char *caption, int columns);
NH_API void nh_figure_free(nh_figure *figure);

/** The size of each panel in pixels of 1/96 inch; 640 by 400 if not set. PNG has twice as many in each direction. */
NH_API void nh_figure_panel_size(nh_figure *figure, int width, int height);

/** Adds a panel and returns its number, from 0; -1 on failure. NULL options are all zero. */
NH_API int nh_figure_panel(nh_figure *figure, const nh_panel_options *options);

/** Adds a curve through `count` points, which are copied, and returns its number in the panel, from 0; -1 on failure.
 * A label of NULL or "" is not in the legend. Numbers that are not finite (or beyond 1e300) are gaps. */
NH_API int nh_figure_series(nh_figure *figure, int panel, const char *label, const double *x, const double *y,
                            unsigned long count, nh_plot_style style);

/** The width of a curve; 1.5 if not set. */
NH_API void nh_figure_width(nh_figure *figure, int panel, int series, double width);

/** Writes the figure to a file that ends in .svg, .png or .pdf, by gnuplot, or in .gp: the script that gnuplot would
 * get, with the data in it, to be edited. The file is there completely or not at all.
 *
 * Curves of more than 8192 points are thinned to what can be seen: of all neighbouring points in one of 2048 columns
 * of the panel the first, the lowest, the highest and the last are kept. Of a path that is still longer, points within
 * 1/4096 of the panel of a straight line are left out, and strokes or dots that fall on earlier ones (to 1/2048 of the
 * panel). A log axis without a positive value gives a panel that says so.
 *
 * NH_FILE: the file cannot be written, gnuplot is missing, or it failed. */
NH_API nh_status nh_figure_write(const nh_figure *figure, const char *path, nh_error *error);

typedef enum nh_preview_style {
    NH_PREVIEW_BRAILLE, /**< Unicode's braille dots, eight to a character */
    NH_PREVIEW_ASCII    /**< a mark of its own for every curve */
} nh_preview_style;

/** The figure as text for a terminal, panels below each other: no line is longer than `width` characters (at least 24),
 * each panel has `height` lines (at least 3) of picture. The caller frees *out with nh_text_release. */
NH_API nh_status nh_figure_preview(const nh_figure *figure, nh_preview_style style, int width, int height, char **out,
                                   nh_error *error);

#ifdef __cplusplus
}
#endif
#endif
