/* SPDX-License-Identifier: MIT */
/* A figure as text. */
#include "base/status.h"
#include "io/axis.h"
#include "io/letters.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    WIDTH_LEAST = 24,
    WIDTH_MOST = 1000,
    HEIGHT_LEAST = 3,
    LABEL_LEAST = 9, /* characters for the numbers of the y axis */
    LABEL_MOST = 18,
    BRAILLE_FIRST = 0x2800
};

static const char MARKS[] = "*+ox#@%&";

typedef struct canvas {
    bool braille;
    int width, label;     /* of all, and of the numbers of the y axis; characters */
    int columns, rows;    /* of the picture; characters */
    int across, down;     /* dots */
    unsigned char *cells; /* braille: eight dots; else a mark, 0 where there is none */
    nh_axis x, y;
} canvas;

/* ---- Dots ---- */

static void dot(canvas *c, int x, int y, char mark)
{
    static const unsigned char bits[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    if (x < 0 || x >= c->across || y < 0 || y >= c->down)
        return;
    if (c->braille)
        c->cells[(y / 4) * c->columns + x / 2] |= bits[y % 4][x % 2];
    else
        c->cells[y * c->columns + x] = (unsigned char)mark;
}

static int dot_on(const nh_axis *axis, double place, int count)
{
    return (int)lround((place - axis->low) / (axis->high - axis->low) * (count - 1));
}

static void line(canvas *c, int x0, int y0, int x1, int y1, char mark)
{
    int steps = abs(x1 - x0) > abs(y1 - y0) ? abs(x1 - x0) : abs(y1 - y0);
    for (int i = 0; i <= steps; i++) {
        double share = steps ? (double)i / steps : 0;
        dot(c, x0 + (int)lround(share * (x1 - x0)), y0 + (int)lround(share * (y1 - y0)), mark);
    }
}

static void curve(canvas *c, const nh_panel *panel, const nh_series *series, char mark)
{
    bool pen_down = false;
    int last_x = 0, last_y = 0, ground = c->down - 1 - dot_on(&c->y, fmin(fmax(0, c->y.low), c->y.high), c->down);
    for (size_t i = 0; i < series->count; i++) {
        double x, y;
        nh_point_kind kind = nh_point_place(panel, series, i, &x, &y);
        if (kind == NH_POINT_GAP)
            pen_down = false;
        if (kind != NH_POINT_DRAWN)
            continue;
        int at_x = dot_on(&c->x, x, c->across), at_y = c->down - 1 - dot_on(&c->y, y, c->down);
        if (series->style == NH_PLOT_IMPULSES)
            line(c, at_x, panel->log_y ? c->down - 1 : ground, at_x, at_y, mark);
        else if (series->style == NH_PLOT_POINTS || !pen_down)
            dot(c, at_x, at_y, mark);
        else
            line(c, last_x, last_y, at_x, at_y, mark);
        last_x = at_x;
        last_y = at_y;
        pen_down = true;
    }
}

/* Makes a unit as long in x as in y. Dots of braille are as far apart in both directions, those of text are twice as
 * far apart in y. */
static void equalise(canvas *c)
{
    double across = c->across, down = c->down * (c->braille ? 1.0 : 2.0);
    double unit = fmax((c->x.high - c->x.low) / across, (c->y.high - c->y.low) / down);
    double more_x = (unit * across - (c->x.high - c->x.low)) / 2, more_y = (unit * down - (c->y.high - c->y.low)) / 2;
    c->x.low -= more_x;
    c->x.high += more_x;
    c->y.low -= more_y;
    c->y.high += more_y;
}

/* ---- Texts ---- */

/* At most so many characters; what is longer ends in an ellipsis. */
static void add_cut(nh_text *out, const char *text, int width, bool braille)
{
    nh_text clean = {0};
    nh_letters_add(&clean, text, '\0');
    const char *ellipsis = braille ? "\xE2\x80\xA6" : "~", *rest = nh_text_get(&clean);
    bool cut = nh_letters(rest) > width;
    for (int left = cut ? width - 1 : width; left > 0 && *rest; left--) {
        size_t length = nh_letter_length(rest);
        nh_text_bytes(out, rest, length);
        rest += length;
    }
    if (cut && width > 0)
        nh_text_add(out, "%s", ellipsis);
    nh_text_drop(&clean, out);
}

static void add_line(nh_text *out, const char *text, int width, bool braille)
{
    if (!*text)
        return;
    add_cut(out, text, width, braille);
    nh_text_add(out, "\n");
}

/* The number at a place of an axis, with as many digits as there is room for. */
static const char *label_at(char buffer[40], const nh_axis *axis, double share, int room)
{
    double width = axis->high - axis->low, place = axis->low + share * width;
    if (axis->log)
        return nh_digits(buffer, 2, pow(10, place));
    if (fabs(place) < 1e-9 * width)
        place = 0;
    int digits = nh_axis_digits(axis) + 1;
    nh_digits(buffer, digits < 4 ? 4 : digits, place);
    while ((int)strlen(buffer) > room && --digits > 0)
        nh_digits(buffer, digits, place);
    return buffer;
}

/* Room for numbers of which the last digits differ, but not more than half of the line. */
static int label_width(const canvas *c)
{
    int half = c->width / 2 - 2, widest = LABEL_LEAST, most = half < LABEL_MOST ? half : LABEL_MOST;
    for (int i = 0; i <= 1; i++) {
        char label[40];
        int length = (int)strlen(label_at(label, &c->y, i, most));
        widest = length > widest ? length : widest;
    }
    return widest;
}

static void add_cell(nh_text *out, const canvas *c, int index)
{
    unsigned char cell = c->cells[index];
    if (!c->braille || !cell) {
        nh_text_add(out, "%c", cell ? cell : ' ');
        return;
    }
    unsigned code = BRAILLE_FIRST + cell;
    char bytes[3] = {(char)(0xE0 | code >> 12), (char)(0x80 | (code >> 6 & 0x3F)), (char)(0x80 | (code & 0x3F))};
    nh_text_bytes(out, bytes, sizeof bytes);
}

static void add_picture(nh_text *out, const canvas *c)
{
    char label[40];
    for (int row = 0; row < c->rows; row++) {
        int last = c->columns;
        while (last > 0 && !c->cells[row * c->columns + last - 1])
            last--;
        bool numbered = row == 0 || row == c->rows - 1 || (c->rows > 6 && 2 * row == c->rows - 1);
        double share = 1 - (double)row / (c->rows - 1);
        nh_text_add(out, "%*s %s", c->label, numbered ? label_at(label, &c->y, share, c->label) : "",
                    c->braille ? "\xE2\x94\x82" : "|");
        for (int column = 0; column < last; column++)
            add_cell(out, c, row * c->columns + column);
        nh_text_add(out, "\n");
    }
}

/* The numbers at both ends of the x axis (at one, if they would meet), and between them what it is. */
static void add_x_axis(nh_text *out, const canvas *c, const char *name)
{
    char left[40], right[40];
    label_at(left, &c->x, 0, LABEL_LEAST);
    label_at(right, &c->x, 1, LABEL_LEAST);
    if ((int)(strlen(left) + strlen(right)) + 2 > c->columns)
        right[0] = '\0';
    nh_text_add(out, "%*s%s", c->label + 1, "", c->braille ? "\xE2\x94\x94" : "+");
    for (int i = 0; i < c->columns; i++)
        nh_text_add(out, "%s", c->braille ? "\xE2\x94\x80" : "-");
    int room = c->columns - (int)strlen(left) - (int)strlen(right) - 2;
    int letters = nh_letters(name) < room ? nh_letters(name) : room > 0 ? room : 0;
    int before = room > letters ? (room - letters) / 2 : 0;
    nh_text_add(out, "\n%*s%s %*s", c->label + 2, "", left, before, "");
    add_cut(out, name, letters, c->braille);
    nh_text_add(out, "%*s %s\n", room > letters ? room - letters - before : 0, "", right);
}

static void add_legend(nh_text *out, const nh_panel *panel, const canvas *c)
{
    nh_text list = {0};
    for (size_t i = 0; i < panel->count; i++) {
        const nh_series *series = &panel->series[i];
        const char *excuse = nh_series_excuse(panel, series);
        if (!series->label[0] && !excuse)
            continue;
        nh_text_add(&list, "%s", list.length ? "  " : "");
        if (!c->braille)
            nh_text_add(&list, "%c ", MARKS[i % (sizeof MARKS - 1)]);
        nh_text_add(&list, "%s%s%s%s", series->label, excuse ? " (" : "", excuse ? excuse : "", excuse ? ")" : "");
        nh_text_add(&list, "%s", c->braille && i + 1 < panel->count ? "," : "");
    }
    out->failed = out->failed || list.failed;
    if (list.length) {
        nh_text_add(out, "%*s", c->label + 2, "");
        add_line(out, nh_text_get(&list), c->columns, c->braille);
    }
    nh_text_free(&list);
}

/* The part of the plane, and how many characters are left for it beside its numbers. */
static void set_up(canvas *c, const nh_panel *panel, const nh_frame *frame)
{
    c->x = frame->x;
    c->y = frame->y;
    c->label = label_width(c);
    c->columns = c->width - c->label - 2;
    c->across = c->columns * (c->braille ? 2 : 1);
    c->down = c->rows * (c->braille ? 4 : 1);
    if (panel->equal_aspect)
        equalise(c);
    memset(c->cells, 0, (size_t)c->columns * (size_t)c->rows);
}

static void add_panel(nh_text *out, const nh_panel *panel, canvas *c)
{
    nh_frame frame = nh_frame_of(panel);
    set_up(c, panel, &frame);
    add_line(out, panel->title, c->width, c->braille);
    add_line(out, panel->y_label, c->width, c->braille);
    if (frame.excuse) {
        int room = c->width - nh_letters(frame.excuse);
        nh_text_add(out, "%*s%s\n", room < c->label + 2 ? room : c->label + 2, "", frame.excuse);
    } else {
        for (size_t i = 0; i < panel->count; i++)
            curve(c, panel, &panel->series[i], MARKS[i % (sizeof MARKS - 1)]);
        add_picture(out, c);
        add_x_axis(out, c, panel->x_label);
    }
    add_legend(out, panel, c);
}

nh_status nh_figure_preview(const nh_figure *figure, nh_preview_style style, int width, int height, char **out,
                            nh_error *error)
{
    *out = NULL;
    nh_status status = nh_figure_status(figure, error);
    if (status != NH_OK)
        return status;
    if (width < WIDTH_LEAST || width > WIDTH_MOST || height < HEIGHT_LEAST || height > WIDTH_MOST)
        return nh_fail(error, NH_USAGE, "a preview is from %d to %d characters wide and from %d to %d lines high",
                       WIDTH_LEAST, WIDTH_MOST, HEIGHT_LEAST, WIDTH_MOST);
    canvas c = {.braille = style == NH_PREVIEW_BRAILLE, .width = width, .rows = height};
    c.cells = malloc((size_t)width * (size_t)height);
    if (!c.cells)
        return nh_fail(error, NH_MEMORY, "out of memory");
    nh_text text = {0};
    add_line(&text, figure->title, width, c.braille);
    for (size_t i = 0; i < figure->count; i++) {
        nh_text_add(&text, "%s", text.length ? "\n" : "");
        add_panel(&text, &figure->panels[i], &c);
    }
    free(c.cells);
    return nh_text_hand_over(&text, NH_OK, out, error);
}
