/* SPDX-License-Identifier: MIT */
/* Putting a figure together. */
#include "io/figure.h"

#include "base/status.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { PANEL_WIDTH = 640, PANEL_HEIGHT = 400, PANEL_LEAST = 100, PANEL_MOST = 10000, COLUMNS_MOST = 16 };

static const double LINE_WIDTH = 1.5;

static void keep_failure(nh_figure *figure, nh_status status, const char *message)
{
    if (figure->error.status == NH_OK)
        nh_error_set(&figure->error, status, "%s", message);
}

static bool failed(const nh_figure *figure)
{
    return !figure || figure->error.status != NH_OK;
}

nh_status nh_figure_status(const nh_figure *figure, nh_error *error)
{
    if (!figure)
        return nh_fail(error, NH_MEMORY, "out of memory");
    if (figure->error.status != NH_OK && error)
        *error = figure->error;
    return figure->error.status;
}

static const char *copied(nh_figure *figure, const char *text)
{
    const char *copy = text ? nh_arena_text(&figure->arena, text, strlen(text)) : "";
    if (!copy)
        keep_failure(figure, NH_MEMORY, "out of memory");
    return copy;
}

nh_figure *nh_figure_new(const char *title, const char *caption, int columns)
{
    nh_figure *figure = calloc(1, sizeof *figure);
    if (!figure)
        return NULL;
    figure->title = copied(figure, title);
    figure->caption = copied(figure, caption);
    figure->columns = (size_t)columns;
    figure->panel_width = PANEL_WIDTH;
    figure->panel_height = PANEL_HEIGHT;
    if (columns < 1 || columns > COLUMNS_MOST)
        keep_failure(figure, NH_USAGE, "a figure has from 1 to 16 columns");
    return figure;
}

void nh_figure_free(nh_figure *figure)
{
    if (!figure)
        return;
    for (size_t i = 0; i < figure->count; i++)
        free(figure->panels[i].series);
    free(figure->panels);
    nh_arena_free(&figure->arena);
    free(figure);
}

void nh_figure_panel_size(nh_figure *figure, int width, int height)
{
    if (failed(figure))
        return;
    if (width < PANEL_LEAST || width > PANEL_MOST || height < PANEL_LEAST || height > PANEL_MOST) {
        keep_failure(figure, NH_USAGE, "a panel is from 100 to 10000 pixels wide and high");
        return;
    }
    figure->panel_width = width;
    figure->panel_height = height;
}

int nh_figure_panel(nh_figure *figure, const nh_panel_options *options)
{
    static const nh_panel_options plain = {0};
    if (failed(figure))
        return -1;
    const nh_panel_options *o = options ? options : &plain;
    nh_panel panel = {
        .title = copied(figure, o->title),
        .x_label = copied(figure, o->x_label),
        .y_label = copied(figure, o->y_label),
        .log_x = o->log_x != 0,
        .log_y = o->log_y != 0,
        .equal_aspect = o->equal_aspect != 0,
        .legend = o->legend,
    };
    if (panel.equal_aspect && (panel.log_x || panel.log_y))
        keep_failure(figure, NH_USAGE, "a panel with a logarithmic axis cannot have equal units");
    else if (figure->count == INT_MAX || !nh_grow(&figure->panels, &figure->capacity, figure->count, sizeof panel))
        keep_failure(figure, NH_MEMORY, "out of memory");
    if (failed(figure))
        return -1;
    figure->panels[figure->count] = panel;
    return (int)figure->count++;
}

static nh_panel *panel_number(nh_figure *figure, int number)
{
    if (failed(figure))
        return NULL;
    if (number < 0 || (size_t)number >= figure->count) {
        keep_failure(figure, NH_USAGE, "the figure has no such panel");
        return NULL;
    }
    return &figure->panels[number];
}

static const double *copied_numbers(nh_figure *figure, const double *numbers, size_t count)
{
    double *copy = NH_NEW(&figure->arena, double, count);
    if (!copy)
        keep_failure(figure, NH_MEMORY, "out of memory");
    else if (count > 0)
        memcpy(copy, numbers, count * sizeof *copy);
    return copy;
}

int nh_figure_series(nh_figure *figure, int number, const char *label, const double *x, const double *y,
                     unsigned long count, nh_plot_style style)
{
    nh_panel *panel = panel_number(figure, number);
    if (!panel)
        return -1;
    nh_series series = {
        .label = copied(figure, label),
        .x = copied_numbers(figure, x, count),
        .y = copied_numbers(figure, y, count),
        .count = count,
        .style = style,
        .width = LINE_WIDTH,
    };
    if (panel->count == INT_MAX || !nh_grow(&panel->series, &panel->capacity, panel->count, sizeof series))
        keep_failure(figure, NH_MEMORY, "out of memory");
    if (failed(figure))
        return -1;
    panel->series[panel->count] = series;
    return (int)panel->count++;
}

void nh_figure_width(nh_figure *figure, int number, int series, double width)
{
    nh_panel *panel = panel_number(figure, number);
    if (!panel)
        return;
    if (series < 0 || (size_t)series >= panel->count || !(width > 0 && width <= 100))
        keep_failure(figure, NH_USAGE, "no such curve, or a width that is not from 0 to 100");
    else
        panel->series[series].width = width;
}
