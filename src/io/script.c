/* SPDX-License-Identifier: MIT */
#include "io/script.h"

#include "io/axis.h"
#include "io/letters.h"
#include "io/thin.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Colours that all of us can tell apart: Okabe and Ito's, without yellow, which is lost on white. */
static const char *const COLOURS[] = {"#0072B2", "#D55E00", "#009E73", "#E69F00", "#CC79A7", "#56B4E9", "#000000"};
static const int MARKS[] = {7, 5, 9, 11, 13, 6, 4}; /* gnuplot's point types */
enum { COLOUR_COUNT = sizeof COLOURS / sizeof *COLOURS };

enum {
    TITLE_LINE = 26, /* pixels */
    CAPTION_LINE = 19,
    EDGE = 12,
    TITLE_LETTER = 9, /* mean width of a letter in pixels */
    CAPTION_LETTER = 7,
    PIXELS_PER_INCH = 96,
    LINES_MOST = 40, /* of a title or caption */
};

/* ---- Texts ---- */

/* gnuplot leaves single-quoted text alone, but for the quote itself. */
static void quote(nh_text *out, const char *text)
{
    nh_text_add(out, "'");
    nh_letters_add(out, text, '\'');
    nh_text_add(out, "'");
}

static void number(nh_text *out, double value)
{
    char digits[40];
    nh_text_add(out, "%s", nh_digits(digits, 17, value));
}

/* The bytes of the first line of a text, at most `width` characters wide if there is a blank to break it at. */
static size_t line_length(const char *text, int width)
{
    size_t end = strcspn(text, "\n"), best = 0;
    int column = 0;
    for (size_t at = 0; at < end && (column < width || best == 0); at++) {
        if (text[at] == ' ' && at > 0)
            best = at;
        column += ((unsigned char)text[at] & 0xC0) != 0x80;
        if (at + 1 == end && column <= width)
            return end;
    }
    return best ? best : end;
}

static const char *next_line(const char *text, size_t length)
{
    text += length;
    text += *text == '\n';
    return text + strspn(text, " ");
}

static int line_count(const char *text, int width)
{
    int lines = 0;
    for (; *text && lines < LINES_MOST; lines++)
        text = next_line(text, line_length(text, width));
    return lines;
}

/* ---- The page ---- */

typedef struct page {
    const nh_figure *figure;
    nh_text *out;
    int width, height, top, bottom; /* pixels; top and bottom: of title and caption */
    int title_width, caption_width; /* characters */
    const char *title_font, *caption_font;
    size_t rows;
    int left_margin; /* in characters; panels below each other have the same one */
} page;

static int left_margin(const nh_figure *figure)
{
    int widest = 0;
    for (size_t i = 0; i < figure->count; i++) {
        nh_frame frame = nh_frame_of(&figure->panels[i]);
        int digits = frame.y.log ? 0 : nh_axis_digits(&frame.y);
        widest = digits > widest ? digits : widest;
    }
    return widest > 6 ? widest + 6 : 11;
}

/* Terminals count letters in different units. */
static void choose_fonts(page *p, nh_picture picture)
{
    p->title_font = picture == NH_PICTURE_PNG ? ",14" : picture == NH_PICTURE_PDF ? ",10.5" : ",15";
    p->caption_font = picture == NH_PICTURE_PNG ? ",10" : picture == NH_PICTURE_PDF ? ",7.5" : ",11";
}

static page lay_out(const nh_figure *figure, nh_picture picture, nh_text *out)
{
    page p = {.figure = figure, .out = out};
    choose_fonts(&p, picture);
    size_t columns = figure->count < figure->columns ? figure->count : figure->columns;
    p.rows = columns ? (figure->count + columns - 1) / columns : 1;
    p.width = figure->panel_width * (int)(columns ? columns : 1);
    p.title_width = (p.width - 2 * EDGE) / TITLE_LETTER;
    p.caption_width = (p.width - 2 * EDGE) / CAPTION_LETTER;
    int title_lines = line_count(figure->title, p.title_width);
    int caption_lines = line_count(figure->caption, p.caption_width);
    p.top = title_lines ? title_lines * TITLE_LINE + EDGE : EDGE / 2;
    p.bottom = caption_lines ? caption_lines * CAPTION_LINE + EDGE : EDGE / 2;
    p.height = figure->panel_height * (int)p.rows + p.top + p.bottom;
    p.left_margin = left_margin(figure);
    return p;
}

static void terminal(const page *p, nh_picture picture)
{
    char width[40], height[40];
    if (picture == NH_PICTURE_PNG)
        nh_text_add(p->out,
                    "set terminal pngcairo size %d,%d enhanced font 'sans,11' fontscale 2 linewidth 2 pointscale 2 "
                    "rounded background '#FFFFFF'\n",
                    2 * p->width, 2 * p->height);
    else if (picture == NH_PICTURE_PDF)
        nh_text_add(p->out,
                    "set terminal pdfcairo size %sin,%sin enhanced font 'sans,8' fontscale 1 linewidth 1 rounded\n",
                    nh_digits(width, 6, (double)p->width / PIXELS_PER_INCH),
                    nh_digits(height, 6, (double)p->height / PIXELS_PER_INCH));
    else
        nh_text_add(p->out,
                    "set terminal svg size %d,%d enhanced font 'sans-serif,12' linewidth 1 rounded "
                    "background '#FFFFFF'\n",
                    p->width, p->height);
}

/* One line of title or caption. */
static void page_label(const page *p, int number_of, const char *text, size_t length, const char *place)
{
    nh_text row = {0};
    nh_text_bytes(&row, text, length);
    nh_text_add(p->out, "set label %d ", number_of);
    quote(p->out, nh_text_get(&row));
    nh_text_add(p->out, " noenhanced %s\n", place);
    nh_text_drop(&row, p->out);
}

/* The title above and the caption below the panels are labels of the first plot. */
static void page_texts(const page *p)
{
    char place[128], x[40], y[40];
    const char *text = p->figure->title;
    for (int line = 0; *text && line < LINES_MOST; line++) {
        size_t length = line_length(text, p->title_width);
        int down = EDGE + (2 * line + 1) * TITLE_LINE / 2;
        snprintf(place, sizeof place, "at screen 0.5,%s center font '%s'",
                 nh_digits(y, 5, 1 - (double)down / p->height), p->title_font);
        page_label(p, line + 1, text, length, place);
        text = next_line(text, length);
    }
    text = p->figure->caption;
    for (int line = 0; *text && line < LINES_MOST; line++) {
        size_t length = line_length(text, p->caption_width);
        int up = p->bottom - (2 * line + 1) * CAPTION_LINE / 2;
        snprintf(place, sizeof place, "at screen %s,%s left font '%s' textcolor rgb '#404040'",
                 nh_digits(x, 5, (double)EDGE / p->width), nh_digits(y, 5, (double)up / p->height), p->caption_font);
        page_label(p, LINES_MOST + line + 1, text, length, place);
        text = next_line(text, length);
    }
}

static void preamble(const page *p, nh_picture picture)
{
    if (picture == NH_PICTURE_SCRIPT) {
        nh_text_add(p->out, "# gnuplot THIS_FILE > picture.svg\n"
                            "# Curves of more than 8192 points hold what can be seen of them.\n"
                            "# For other pictures replace the terminal by one of these:\n# ");
        terminal(p, NH_PICTURE_PNG);
        nh_text_add(p->out, "# ");
        terminal(p, NH_PICTURE_PDF);
    }
    terminal(p, picture);
    nh_text_add(p->out, "set encoding utf8\n"
                        "set border 3 linewidth 0.75 linecolor rgb '#404040'\n"
                        "set tics nomirror out scale 0.6 textcolor rgb '#202020'\n"
                        "set grid linetype 1 linewidth 0.4 linecolor rgb '#DDDDDD'\n"
                        "set minussign\n");
}

/* ---- Data ---- */

static void data_line(nh_text *out, double x, double y)
{
    number(out, x);
    nh_text_add(out, " ");
    number(out, y);
    nh_text_add(out, "\n");
}

/* A line through one point would not be seen: it is written twice, and the round end of the pen makes a dot. */
static bool alone(const nh_stroke *stroke, size_t i)
{
    bool first = i == 0 || isnan(stroke->x[i - 1]), last = i + 1 == stroke->count || isnan(stroke->x[i + 1]);
    return first && last;
}

static void data_block(nh_text *out, const nh_panel *panel, const nh_frame *frame, size_t panel_number,
                       size_t number_in)
{
    const nh_series *series = &panel->series[number_in];
    nh_stroke stroke = {0};
    nh_stroke_of(panel, series, frame, &stroke);
    nh_text_add(out, "$panel%zu_%zu << EOD\n", panel_number + 1, number_in + 1);
    for (size_t i = 0; i < stroke.count; i++) {
        if (isnan(stroke.x[i])) {
            nh_text_add(out, "\n"); /* lifts the pen */
            continue;
        }
        data_line(out, stroke.x[i], stroke.y[i]);
        if (alone(&stroke, i) && series->style == NH_PLOT_LINE)
            data_line(out, stroke.x[i], stroke.y[i]);
    }
    nh_text_add(out, "EOD\n");
    out->failed = out->failed || stroke.failed;
    nh_stroke_free(&stroke);
}

/* ---- Panels ---- */

static void range(nh_text *out, const char *name, const nh_axis *axis)
{
    nh_text_add(out, "set %srange [", name);
    number(out, axis->log ? pow(10, axis->low) : axis->low);
    nh_text_add(out, ":");
    number(out, axis->log ? pow(10, axis->high) : axis->high);
    nh_text_add(out, "] noextend\n");
}

/* Powers of ten along a log axis: all of them, with nine parts each, or every second, third, ... The first one has to
 * be said: gnuplot 5.4 counts from where the axis begins, and labels what is no power as one. */
static void log_tics(nh_text *out, const char *name, const nh_axis *axis)
{
    double powers = fmax(1, ceil((axis->high - axis->low) / 8));
    double first = fmax(-300, powers * floor(axis->low / powers));
    nh_text_add(out, "set %stics 1e%.0f,1e%.0f\nset m%stics %d\n", name, first, powers, name, powers > 1 ? 1 : 10);
    nh_text_add(out, "set format %s '10^{%%T}'\n", name);
}

/* "0.02", or "2·10^{−7}" with a minus sign, as gnuplot has for its own. */
static void log_label(nh_text *out, int part, int power)
{
    char digits[40];
    if (power >= -3 && power <= 3) {
        nh_text_add(out, "%s", nh_digits(digits, 6, part * pow(10, power)));
        return;
    }
    if (part > 1)
        nh_text_add(out, "%d·", part);
    nh_text_add(out, "10^{%s%d}", power < 0 ? "−" : "", abs(power));
}

/* A short log axis has few powers of ten, maybe one: 2 and 5 times a power have a number too. */
static void short_log_tics(nh_text *out, const char *name, const nh_axis *axis)
{
    const char *separator = "";
    nh_text_add(out, "set %stics (", name);
    for (int power = (int)floor(axis->low); power <= (int)ceil(axis->high); power++)
        for (int part = 1; part < 10; part++) {
            const double place = power + log10(part);
            const bool numbered = part == 1 || part == 2 || part == 5;
            if (place < axis->low || place > axis->high)
                continue;
            nh_text_add(out, "%s'", separator);
            if (numbered)
                log_label(out, part, power);
            nh_text_add(out, "' %de%d %d", part, power, !numbered);
            separator = ", ";
        }
    nh_text_add(out, ")\nunset m%stics\n", name);
}

/* Without the format neighbouring numbers along the axis could look the same. */
static void linear_tics(nh_text *out, const char *name, const nh_axis *axis)
{
    int digits = nh_axis_digits(axis);
    nh_text_add(out, "set %stics autofreq\nunset m%stics\n", name, name);
    if (digits > 6)
        nh_text_add(out, "set format %s '%%.%dg'\n", name, digits);
    else
        nh_text_add(out, "set format %s '%%h'\n", name);
}

static void axis_lines(nh_text *out, const char *name, const nh_axis *axis, const char *label)
{
    range(out, name, axis);
    nh_text_add(out, "%s logscale %s\n", axis->log ? "set" : "unset", name);
    if (axis->log && axis->high - axis->low < 2)
        short_log_tics(out, name, axis);
    else if (axis->log)
        log_tics(out, name, axis);
    else
        linear_tics(out, name, axis);
    nh_text_add(out, "set %slabel ", name);
    quote(out, label);
    nh_text_add(out, " noenhanced%s\n", *name == 'x' ? " offset 0,0.4" : "");
}

static bool has_legend(const nh_panel *panel)
{
    bool named = false;
    for (size_t i = 0; i < panel->count; i++)
        named = named || panel->series[i].label[0];
    return named && panel->legend != NH_LEGEND_NONE;
}

static void legend(nh_text *out, const nh_panel *panel)
{
    static const char *const places[] = {
        [NH_LEGEND_BELOW] = "outside bottom center horizontal height 0.8",
        [NH_LEGEND_RIGHT] = "outside top right vertical",
        [NH_LEGEND_TOP_LEFT] = "inside top left vertical",
        [NH_LEGEND_TOP_RIGHT] = "inside top right vertical",
        [NH_LEGEND_BOTTOM_LEFT] = "inside bottom left vertical",
        [NH_LEGEND_BOTTOM_RIGHT] = "inside bottom right vertical",
    };
    if (has_legend(panel) && (size_t)panel->legend < sizeof places / sizeof *places)
        nh_text_add(out, "set key default\nset key noenhanced samplen 2.5 spacing 1.15 %s Left reverse\n",
                    places[panel->legend]);
    else
        nh_text_add(out, "unset key\n");
    /* Room for half of the last number of the x axis; a legend there makes its own. */
    nh_text_add(out, has_legend(panel) && panel->legend == NH_LEGEND_RIGHT ? "unset rmargin\n" : "set rmargin 4\n");
}

static void style(nh_text *out, const nh_series *series, size_t i)
{
    char width[40];
    const char *colour = COLOURS[i % COLOUR_COUNT];
    int dash = 1 + (int)(i / COLOUR_COUNT) % 4, mark = MARKS[i % COLOUR_COUNT];
    nh_digits(width, 4, series->width);
    if (series->style == NH_PLOT_POINTS)
        nh_text_add(out, "with points pt %d ps %s", mark, series->count > 200 ? "0.35" : "0.6");
    else if (series->style == NH_PLOT_LINE_POINTS)
        nh_text_add(out, "with linespoints lw %s dt %d pt %d ps 0.6", width, dash, mark);
    else
        nh_text_add(out, "with %s lw %s dt %d", series->style == NH_PLOT_LINE ? "lines" : "impulses", width, dash);
    nh_text_add(out, " lc rgb '%s'", colour);
}

/* A curve of which nothing is to be seen still has its line in the legend, with the reason unless that is the panel's.
 */
static void curve(nh_text *out, const nh_panel *panel, const nh_frame *frame, size_t panel_number, size_t i)
{
    const nh_series *series = &panel->series[i];
    const char *excuse = nh_series_excuse(panel, series);
    nh_text label = {0};
    nh_text_add(&label, "%s", series->label);
    if (excuse && !frame->excuse)
        nh_text_add(&label, " (%s)", excuse);
    if (excuse)
        nh_text_add(out, "NaN ");
    else
        nh_text_add(out, "$panel%zu_%zu using 1:2 ", panel_number + 1, i + 1);
    style(out, series, i);
    nh_text_add(out, series->label[0] ? " title " : " notitle");
    if (series->label[0])
        quote(out, nh_text_get(&label));
    nh_text_drop(&label, out);
}

static void curves(nh_text *out, const nh_panel *panel, const nh_frame *frame, size_t panel_number)
{
    if (frame->excuse) {
        nh_text_add(out, "set label 100 '%s' at graph 0.5,0.5 center textcolor rgb '#606060'\n", frame->excuse);
        nh_text_add(out, "unset xtics\nunset ytics\n");
    }
    nh_text_add(out, "plot ");
    for (size_t i = 0; i < panel->count; i++) {
        nh_text_add(out, i ? ", \\\n     " : "");
        curve(out, panel, frame, panel_number, i);
    }
    nh_text_add(out, "%s\n", panel->count ? "" : "NaN notitle");
    if (frame->excuse)
        nh_text_add(out, "unset label 100\n");
}

static void place_panel(const page *p, const nh_panel *panel, size_t i)
{
    const nh_figure *figure = p->figure;
    double width = (double)figure->panel_width / p->width, height = (double)figure->panel_height / p->height;
    size_t row = i / figure->columns, column = i % figure->columns;
    double up = (double)p->bottom / p->height + (double)(p->rows - 1 - row) * height;
    char a[40], b[40];
    nh_text_add(p->out, "set origin %s,%s\n", nh_digits(a, 6, (double)column * width), nh_digits(b, 6, up));
    nh_text_add(p->out, "set size noratio %s,%s\n", nh_digits(a, 6, width), nh_digits(b, 6, height));
    if (panel->equal_aspect)
        nh_text_add(p->out, "set size ratio -1\n");
    if (p->rows > 1 && !panel->equal_aspect)
        nh_text_add(p->out, "set lmargin %d\n", p->left_margin);
    else
        nh_text_add(p->out, "unset lmargin\n");
    nh_text_add(p->out, "set title ");
    quote(p->out, panel->title);
    nh_text_add(p->out, " noenhanced\n");
}

static void panel_lines(const page *p, size_t i)
{
    const nh_panel *panel = &p->figure->panels[i];
    nh_frame frame = nh_frame_of(panel);
    nh_text_add(p->out, "\n# panel %zu\n", i + 1);
    for (size_t j = 0; j < panel->count; j++)
        data_block(p->out, panel, &frame, i, j);
    place_panel(p, panel, i);
    axis_lines(p->out, "x", &frame.x, panel->x_label);
    axis_lines(p->out, "y", &frame.y, panel->y_label);
    legend(p->out, panel);
    curves(p->out, panel, &frame, i);
}

void nh_script_write(const nh_figure *figure, nh_picture picture, nh_text *out)
{
    page p = lay_out(figure, picture, out);
    preamble(&p, picture);
    nh_text_add(out, "set multiplot\n");
    page_texts(&p);
    for (size_t i = 0; i < figure->count; i++) {
        panel_lines(&p, i);
        if (i == 0)
            nh_text_add(out, "unset label\n");
    }
    nh_text_add(out, "unset multiplot\n");
}
