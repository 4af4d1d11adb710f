/* SPDX-License-Identifier: MIT */
#include "io/axis.h"

#include <math.h>

/* Beyond this gnuplot's own arithmetic overflows. */
static const double LARGEST = 1e300, LEAST_POSITIVE = 1e-300;

/* Counts of what a curve is made of. */
typedef struct census {
    size_t drawn, zeros, negative;
} census;

static nh_point_kind place_on_axis(bool log, double value, double *out)
{
    if (!(fabs(value) <= LARGEST))
        return NH_POINT_GAP;
    if (log && value < LEAST_POSITIVE)
        return NH_POINT_LEFT_OUT;
    *out = log ? log10(value) : value;
    return NH_POINT_DRAWN;
}

nh_point_kind nh_point_place(const nh_panel *panel, const nh_series *series, size_t i, double *x, double *y)
{
    nh_point_kind kind_x = place_on_axis(panel->log_x, series->x[i], x);
    nh_point_kind kind_y = place_on_axis(panel->log_y, series->y[i], y);
    if (kind_x == NH_POINT_GAP || kind_y == NH_POINT_GAP)
        return NH_POINT_GAP;
    return kind_x == NH_POINT_DRAWN ? kind_y : kind_x;
}

static void include(nh_axis *axis, double value)
{
    axis->low = fmin(axis->low, value);
    axis->high = fmax(axis->high, value);
}

static void visit(const nh_panel *panel, const nh_series *series, nh_frame *frame, census *seen)
{
    for (size_t i = 0; i < series->count; i++) {
        double x, y;
        nh_point_kind kind = nh_point_place(panel, series, i, &x, &y);
        seen->drawn += kind == NH_POINT_DRAWN;
        seen->zeros += kind == NH_POINT_LEFT_OUT;
        seen->negative += kind == NH_POINT_LEFT_OUT && (series->y[i] < 0 || (panel->log_x && !(series->x[i] > 0)));
        if (kind == NH_POINT_DRAWN) {
            include(&frame->x, x);
            include(&frame->y, y);
        }
    }
    if (seen->drawn > 0 && series->style == NH_PLOT_IMPULSES && !panel->log_y)
        include(&frame->y, 0);
}

static const char *excuse_of(const census *seen)
{
    if (seen->drawn > 0)
        return NULL;
    return seen->zeros == 0 ? "no data" : seen->negative > 0 ? "nothing positive" : "0 to round-off";
}

const char *nh_series_excuse(const nh_panel *panel, const nh_series *series)
{
    nh_frame frame = {.x = {.low = HUGE_VAL, .high = -HUGE_VAL}, .y = {.low = HUGE_VAL, .high = -HUGE_VAL}};
    census seen = {0};
    visit(panel, series, &frame, &seen);
    return excuse_of(&seen);
}

/* Room around the data. A range that doubles can hardly resolve, or a single value, becomes one that can be drawn; a
 * log axis shows a power of ten or two at least. */
static void widen(nh_axis *axis, double share)
{
    double size = fmax(fabs(axis->low), fabs(axis->high)), width = axis->high - axis->low;
    double least = axis->log ? 1 : fmax(1e-12 * size, 1e-290);
    if (width < least) {
        double middle = axis->low + width / 2;
        double half = axis->log || width > 0 ? least / 2 : size > 0 ? fmax(size / 10, least) : 1;
        axis->low = middle - half;
        axis->high = middle + half;
    }
    double room = share * (axis->high - axis->low);
    axis->low -= room;
    axis->high += room;
    if (axis->log) { /* 10^low must not be 0 */
        axis->low = fmax(axis->low, -305);
        axis->high = fmin(axis->high, 305);
    }
}

/* Curves over time fill the width; marks and paths keep off the border. */
static double room_beside(const nh_panel *panel)
{
    for (size_t i = 0; i < panel->count; i++)
        if (panel->series[i].style != NH_PLOT_LINE)
            return 0.03;
    return panel->equal_aspect ? 0.05 : 0;
}

nh_frame nh_frame_of(const nh_panel *panel)
{
    nh_frame frame = {.x = {panel->log_x, HUGE_VAL, -HUGE_VAL}, .y = {panel->log_y, HUGE_VAL, -HUGE_VAL}};
    census seen = {0};
    for (size_t i = 0; i < panel->count; i++)
        visit(panel, &panel->series[i], &frame, &seen);
    frame.drawn = seen.drawn;
    frame.excuse = excuse_of(&seen);
    if (seen.drawn == 0) {
        frame.x.low = frame.y.low = 0;
        frame.x.high = frame.y.high = 1;
    }
    widen(&frame.x, room_beside(panel));
    widen(&frame.y, 0.05);
    return frame;
}

int nh_axis_digits(const nh_axis *axis)
{
    double step = (axis->high - axis->low) / 5, size = fmax(fabs(axis->low), fabs(axis->high));
    int digits = (int)(floor(log10(size)) - floor(log10(step))) + 1;
    return digits < 1 ? 1 : digits > 16 ? 16 : digits;
}
