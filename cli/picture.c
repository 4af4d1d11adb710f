/* SPDX-License-Identifier: MIT */
#include "picture.h"

#include "tool.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_POINTS = 100000, PREVIEW_WIDTH = 78, PREVIEW_HEIGHT = 10 };

bool tool_picture_accepts(const char *path)
{
    if (tool_ends_in(path, ".svg") || tool_ends_in(path, ".png") || tool_ends_in(path, ".pdf") ||
        tool_ends_in(path, ".gp"))
        return true;
    tool_complain("--plot %s: a picture's name ends in .svg, .png, .pdf or .gp", path);
    return false;
}

/* ---- What is shown ---- */

static bool find(const nh_sim *sim, const char *name, struct tool_choice *out)
{
    for (int f = 0; f < NH_SIM_FIELDS; f++)
        for (int i = 0; i < nh_sim_size(sim, (nh_sim_field)f); i++)
            if (!strcmp(nh_sim_name(sim, (nh_sim_field)f, i), name)) {
                *out = (struct tool_choice){(nh_sim_field)f, i};
                return true;
            }
    tool_complain("there is nothing to plot with the name '%s'; t, coordinates like x, velocities like x', "
                  "observables and invariants can be plotted",
                  name);
    return false;
}

static bool choose(tool_picture *p, const nh_sim *sim, const char *x, const char *y)
{
    const bool plane = nh_sim_size(sim, NH_SIM_POSITION) > 1;
    p->choice[0] = (struct tool_choice){plane ? NH_SIM_POSITION : NH_SIM_TIME, 0};
    p->choice[1] = (struct tool_choice){NH_SIM_POSITION, plane ? 1 : 0};
    p->choice[2] = (struct tool_choice){NH_SIM_TIME, 0};
    p->choice[3] = (struct tool_choice){NH_SIM_ENERGY_ERROR, 0};
    p->choice[4] = (struct tool_choice){NH_SIM_RESIDUAL, 0};
    return (!x || find(sim, x, &p->choice[0])) && (!y || find(sim, y, &p->choice[1]));
}

bool tool_picture_begin(tool_picture *p, const nh_sim *sim, const char *x, const char *y, long long every,
                        long long steps)
{
    int largest = 1;
    *p = (tool_picture){.stride = every * (steps / every / MOST_POINTS + 1)};
    for (int f = 0; f < NH_SIM_FIELDS; f++)
        if (nh_sim_size(sim, (nh_sim_field)f) > largest)
            largest = nh_sim_size(sim, (nh_sim_field)f);
    p->room = calloc((size_t)largest, sizeof *p->room);
    p->failed = !p->room;
    return choose(p, sim, x, y);
}

/* ---- Points ---- */

static bool grow(tool_picture *p)
{
    const unsigned long capacity = 2 * p->capacity + 1024;
    for (int i = 0; i < PICTURE_SERIES; i++) {
        double *larger = realloc(p->series[i], capacity * sizeof *larger);
        if (!larger)
            return false;
        p->series[i] = larger;
    }
    p->capacity = capacity;
    return true;
}

void tool_picture_point(tool_picture *p, const nh_sim *sim)
{
    if (!p->failed && p->count == p->capacity)
        p->failed = !grow(p);
    if (p->failed)
        return;
    for (int i = 0; i < PICTURE_SERIES; i++) {
        nh_sim_get(sim, p->choice[i].field, p->room);
        p->series[i][p->count] = p->room[p->choice[i].component];
    }
    p->count++;
}

void tool_picture_free(tool_picture *p)
{
    for (int i = 0; i < PICTURE_SERIES; i++)
        free(p->series[i]);
    free(p->room);
}

/* ---- The picture ---- */

static double extent(const double *x, unsigned long count)
{
    double low = x[0], high = x[0];
    for (unsigned long i = 1; i < count; i++) {
        low = fmin(low, x[i]);
        high = fmax(high, x[i]);
    }
    return high - low;
}

/* Lengths of one kind get one scale, unless that would leave a thin line of the picture. */
static bool to_scale(const tool_picture *p)
{
    enum { THIN = 8 };
    if (p->choice[0].field != NH_SIM_POSITION || p->choice[1].field != NH_SIM_POSITION)
        return false;
    const double x = extent(p->series[0], p->count), y = extent(p->series[1], p->count);
    return x < THIN * y && y < THIN * x;
}

static nh_figure *draw(const tool_picture *p, const nh_sim *sim)
{
    nh_audit audit;
    nh_sim_audit(sim, &audit);
    const char *x = nh_sim_name(sim, p->choice[0].field, p->choice[0].component);
    const char *y = nh_sim_name(sim, p->choice[1].field, p->choice[1].component);
    char caption[256];
    snprintf(caption, sizeof caption, "%s, %lld steps of h = %g, %s precision", audit.method, audit.steps, audit.step,
             audit.precision);
    nh_figure *figure = nh_figure_new(*audit.title ? audit.title : audit.method, caption, 1);
    int panel = nh_figure_panel(figure, &(nh_panel_options){.x_label = x, .y_label = y, .equal_aspect = to_scale(p)});
    nh_figure_series(figure, panel, NULL, p->series[0], p->series[1], p->count, NH_PLOT_LINE);
    panel = nh_figure_panel(figure, &(nh_panel_options){.x_label = "t", .y_label = "E - E(0)"});
    nh_figure_series(figure, panel, NULL, p->series[2], p->series[3], p->count, NH_PLOT_LINE);
    if (nh_sim_size(sim, NH_SIM_CONSTRAINT) > 0) {
        panel = nh_figure_panel(figure, &(nh_panel_options){.x_label = "t", .y_label = "constraint", .log_y = 1});
        nh_figure_series(figure, panel, NULL, p->series[2], p->series[4], p->count, NH_PLOT_POINTS);
    }
    return figure;
}

static bool shows_unicode(void)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (int i = 0; i < 3; i++) {
        const char *value = getenv(names[i]);
        if (value && *value)
            return strstr(value, "UTF-8") || strstr(value, "utf8");
    }
    return false;
}

static bool show(const nh_figure *figure)
{
    char *text = NULL;
    nh_error error = {0};
    const nh_preview_style style = shows_unicode() ? NH_PREVIEW_BRAILLE : NH_PREVIEW_ASCII;
    if (nh_figure_preview(figure, style, PREVIEW_WIDTH, PREVIEW_HEIGHT, &text, &error) == NH_OK)
        return tool_output(text) == TOOL_DONE;
    tool_error(&error);
    return false;
}

bool tool_picture_end(tool_picture *p, const nh_sim *sim, const char *path, bool preview)
{
    nh_error error = {0};
    if (p->failed) {
        tool_complain("out of memory for the picture");
        return false;
    }
    nh_figure *figure = draw(p, sim);
    bool good = nh_figure_write(figure, path, &error) == NH_OK;
    if (!good)
        tool_error(&error);
    if (preview)
        good &= show(figure);
    nh_figure_free(figure);
    return good;
}
