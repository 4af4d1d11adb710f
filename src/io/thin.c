/* SPDX-License-Identifier: MIT */
#include "io/thin.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

enum { CELLS = 2048 }; /* in each direction of a panel; printed panels have fewer pixels */

/* ---- Strokes ---- */

static void push(nh_stroke *stroke, double x, double y)
{
    if (stroke->failed || !nh_grow(&stroke->x, &stroke->capacity_x, stroke->count, sizeof *stroke->x) ||
        !nh_grow(&stroke->y, &stroke->capacity_y, stroke->count, sizeof *stroke->y)) {
        stroke->failed = true;
        return;
    }
    stroke->x[stroke->count] = x;
    stroke->y[stroke->count++] = y;
}

static bool ends_in_gap(const nh_stroke *stroke)
{
    return stroke->count == 0 || isnan(stroke->x[stroke->count - 1]);
}

static void push_gap(nh_stroke *stroke)
{
    if (!ends_in_gap(stroke))
        push(stroke, NAN, NAN);
}

void nh_stroke_free(nh_stroke *stroke)
{
    free(stroke->x);
    free(stroke->y);
    *stroke = (nh_stroke){0};
}

static void drop_last_gap(nh_stroke *stroke)
{
    if (stroke->count > 0 && ends_in_gap(stroke))
        stroke->count--;
}

/* ---- Cells ---- */

static uint64_t cell_at(double place)
{
    return (uint64_t)fmin(fmax(place, 0), CELLS - 1);
}

static uint64_t cell_on(const nh_axis *axis, double value)
{
    return cell_at((value - axis->low) / (axis->high - axis->low) * CELLS);
}

/* A set of numbers, as large as it will ever get. */
typedef struct set {
    uint64_t *slots; /* 0: free */
    size_t mask;
} set;

static bool set_new(set *s, size_t count)
{
    size_t capacity = 64;
    while (capacity / 2 < count && capacity < SIZE_MAX / 2)
        capacity *= 2;
    s->slots = calloc(capacity, sizeof *s->slots);
    s->mask = capacity - 1;
    return s->slots != NULL;
}

/* Was the number not yet there? */
static bool set_insert(set *s, uint64_t number)
{
    size_t at = (size_t)((number + 1) * 0x9E3779B97F4A7C15U >> 20) & s->mask;
    while (s->slots[at] != 0) {
        if (s->slots[at] == number + 1)
            return false;
        at = (at + 1) & s->mask;
    }
    s->slots[at] = number + 1;
    return true;
}

/* ---- Neighbours in one column ---- */

/* Points that follow each other in one column: drawn, they are the line from the lowest to the highest. */
typedef struct column {
    uint64_t cell;
    size_t first, lowest, highest, last;
    bool open;
} column;

static void push_point(const nh_series *series, size_t i, nh_stroke *out)
{
    push(out, series->x[i], series->y[i]);
}

static void close_column(const nh_series *series, column *c, nh_stroke *out)
{
    if (!c->open)
        return;
    size_t early = c->lowest < c->highest ? c->lowest : c->highest;
    size_t late = c->lowest < c->highest ? c->highest : c->lowest;
    push_point(series, c->first, out);
    if (early > c->first)
        push_point(series, early, out);
    if (late > early)
        push_point(series, late, out);
    if (c->last > late)
        push_point(series, c->last, out);
    c->open = false;
}

static void add_to_column(const nh_series *series, column *c, uint64_t cell, size_t i, nh_stroke *out)
{
    if (c->open && c->cell != cell)
        close_column(series, c, out);
    if (!c->open)
        *c = (column){.cell = cell, .first = i, .lowest = i, .highest = i, .open = true};
    if (series->y[i] < series->y[c->lowest])
        c->lowest = i;
    if (series->y[i] > series->y[c->highest])
        c->highest = i;
    c->last = i;
}

static void merge_columns(const nh_panel *panel, const nh_series *series, const nh_frame *frame, nh_stroke *out)
{
    column c = {0};
    for (size_t i = 0; i < series->count; i++) {
        double x, y;
        nh_point_kind kind = nh_point_place(panel, series, i, &x, &y);
        if (kind == NH_POINT_DRAWN)
            add_to_column(series, &c, cell_on(&frame->x, x), i, out);
        if (kind == NH_POINT_GAP) {
            close_column(series, &c, out);
            push_gap(out);
        }
    }
    close_column(series, &c, out);
}

/* ---- Points on straight lines ---- */

typedef struct place {
    double x, y; /* in cells */
} place;

static place place_of(const nh_panel *panel, const nh_frame *frame, const nh_stroke *stroke, size_t i)
{
    double x = panel->log_x ? log10(stroke->x[i]) : stroke->x[i];
    double y = panel->log_y ? log10(stroke->y[i]) : stroke->y[i];
    return (place){(x - frame->x.low) / (frame->x.high - frame->x.low) * CELLS,
                   (y - frame->y.low) / (frame->y.high - frame->y.low) * CELLS};
}

/* The lines from an anchor that pass all points since then within half a cell. */
typedef struct cone {
    place anchor;
    bool open;                /* is there a direction yet? */
    double middle, low, high; /* angles; the last two relative to the first */
    double reach;             /* distance of the farthest point */
} cone;

/* Takes a point into the cone; false if no line is left, or if the path has turned back, whose end must be kept. */
static bool narrow(cone *c, place p)
{
    double dx = p.x - c->anchor.x, dy = p.y - c->anchor.y, distance = hypot(dx, dy), half = 0.5;
    if (distance <= half)
        return c->reach <= 2 * half;
    double slack = asin(half / distance), angle = atan2(dy, dx);
    if (!c->open)
        *c = (cone){.anchor = c->anchor, .open = true, .middle = angle, .low = -slack, .high = slack};
    double turn = remainder(angle - c->middle, 2 * acos(-1));
    bool fits = turn >= c->low && turn <= c->high && distance >= c->reach - half;
    c->low = fmax(c->low, turn - slack);
    c->high = fmin(c->high, turn + slack);
    c->reach = fmax(c->reach, distance);
    return fits;
}

/* Leaves out points that the line through the kept ones passes within half a cell. */
static void straighten(const nh_panel *panel, const nh_frame *frame, nh_stroke *stroke)
{
    cone c = {0};
    size_t kept = 0;
    bool pen_down = false;
    for (size_t i = 0; i < stroke->count; i++) {
        bool gap = isnan(stroke->x[i]), ends = i + 1 == stroke->count || isnan(stroke->x[i + 1]);
        bool keep = gap || ends || !pen_down;
        if (!keep) {
            place next = place_of(panel, frame, stroke, i + 1);
            keep = !narrow(&c, next);
        }
        pen_down = !gap;
        if (!keep)
            continue;
        if (!gap)
            c = (cone){.anchor = place_of(panel, frame, stroke, i)};
        if (!gap && !ends)
            narrow(&c, place_of(panel, frame, stroke, i + 1));
        stroke->x[kept] = stroke->x[i];
        stroke->y[kept++] = stroke->y[i];
    }
    stroke->count = kept;
}

/* ---- What was already drawn ---- */

static uint64_t cell_of(const nh_panel *panel, const nh_frame *frame, const nh_stroke *stroke, size_t i)
{
    place p = place_of(panel, frame, stroke, i);
    return cell_at(p.x) * CELLS + cell_at(p.y);
}

/* Keeps the strokes from cell to cell (of marks: the cells) that are new. A path that goes round and round on the same
 * ring is drawn once. */
static void drop_repeated(const nh_panel *panel, const nh_frame *frame, bool marks, nh_stroke *stroke)
{
    nh_stroke kept = {0};
    set seen;
    if (stroke->failed || !set_new(&seen, stroke->count))
        return; /* thinner is better, but not needed */
    uint64_t last = 0;
    bool pen_down = false; /* is there a point before this one, at `last`? */
    for (size_t i = 0; i < stroke->count; i++) {
        if (isnan(stroke->x[i])) {
            push_gap(&kept);
            pen_down = false;
            continue;
        }
        uint64_t cell = cell_of(panel, frame, stroke, i);
        bool fresh = set_insert(&seen, marks || !pen_down ? cell : (last + 1) * CELLS * CELLS + cell);
        if (fresh && pen_down && !marks && ends_in_gap(&kept))
            push(&kept, stroke->x[i - 1], stroke->y[i - 1]);
        if (fresh)
            push(&kept, stroke->x[i], stroke->y[i]);
        else if (!marks)
            push_gap(&kept);
        last = cell;
        pen_down = true;
    }
    free(seen.slots);
    nh_stroke_free(stroke);
    *stroke = kept;
}

static void copy_drawn(const nh_panel *panel, const nh_series *series, nh_stroke *out)
{
    for (size_t i = 0; i < series->count; i++) {
        double x, y;
        nh_point_kind kind = nh_point_place(panel, series, i, &x, &y);
        if (kind == NH_POINT_DRAWN)
            push_point(series, i, out);
        if (kind == NH_POINT_GAP)
            push_gap(out);
    }
}

void nh_stroke_of(const nh_panel *panel, const nh_series *series, const nh_frame *frame, nh_stroke *out)
{
    bool marks = series->style == NH_PLOT_POINTS || series->style == NH_PLOT_IMPULSES;
    if (series->count <= NH_THIN_ABOVE || series->style == NH_PLOT_POINTS)
        copy_drawn(panel, series, out);
    else
        merge_columns(panel, series, frame, out);
    if (out->count > NH_THIN_ABOVE && !marks)
        straighten(panel, frame, out);
    if (out->count > NH_THIN_ABOVE)
        drop_repeated(panel, frame, marks, out);
    drop_last_gap(out);
}
