/* SPDX-License-Identifier: MIT */
/* Figures 8.1 to 8.3: the energy error of symmetric methods stays bounded. */
#include "jay2009.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { CURVES_MAX = 6, LABEL = 64 };

/* Digits of the expected values: they are from an independent program with solves to round-off. The paper has none. */
static const double TOLERANCE = 1e-3;

typedef struct curve {
    const char *model, *method;
    double expected; /* largest |E - E(0)|; 0: of a motion that the paper does not have */
} curve;

typedef struct study {
    const char *title, *caption, *step;
    long long steps;
    int columns; /* of panels */
    int count;
    curve curves[CURVES_MAX];
} study;

/* ---- Is it bounded? ---- */

static double largest(const double *values, unsigned long from, unsigned long to)
{
    double most = 0;
    for (unsigned long k = from; k < to; k++)
        most = fmax(most, fabs(values[k]));
    return most;
}

static void judge(experiment *x, const curve *c, const experiment_motion *m)
{
    char what[160];
    const unsigned long half = m->count / 2;
    const nh_audit *audit = &m->audit;
    snprintf(what, sizeof what, "max |E - E(0)|, %s, %s", c->model, c->method);
    experiment_claim(x, (nh_claim){.what = what,
                                   .claim = c->expected > 0 ? "a curve without numbers; expected: independent program"
                                                            : "not in the paper: there the constraint never turns",
                                   .comparison = c->expected > 0 ? NH_COMPARE_RELATIVE : NH_COMPARE_NOTHING,
                                   .published = c->expected,
                                   .tolerance = TOLERANCE,
                                   .ours = audit->energy_max_error});
    snprintf(what, sizeof what, "the same, second half / first half of the time, %s, %s", c->model, c->method);
    experiment_claim(x, (nh_claim){.what = what,
                                   .claim = "\"clearly remain bounded\"",
                                   .comparison = NH_COMPARE_RANGE,
                                   .low = 0,
                                   .high = 1.1,
                                   .ours = largest(m->error, half, m->count) / largest(m->error, 0, half)});
    snprintf(what, sizeof what, "slope of E - E(0) in its standard errors, %s, %s", c->model, c->method);
    experiment_claim(x, (nh_claim){.what = what,
                                   .claim = "\"clearly remain bounded\"",
                                   .comparison = NH_COMPARE_RANGE,
                                   .low = -3,
                                   .high = 3,
                                   .ours = audit->energy_drift / audit->energy_drift_error});
}

/* ---- Files ---- */

static bool write_table(experiment *x, const study *s, const experiment_motion *motions)
{
    char labels[CURVES_MAX][LABEL];
    const char *names[CURVES_MAX + 1] = {"t"};
    const double *columns[CURVES_MAX + 1] = {motions[0].time};
    for (int i = 0; i < s->count; i++) {
        snprintf(labels[i], LABEL, "%s %s", s->curves[i].model, s->curves[i].method);
        names[i + 1] = labels[i];
        columns[i + 1] = motions[i].error;
    }
    return experiment_write_table(x, names, columns, s->count + 1, motions[0].count);
}

/* The power of ten by which a panel is scaled, so that its axis has short numbers; 0: by none. */
static int scale_of(const experiment_motion *m)
{
    const int power = (int)floor(log10(m->audit.energy_max_error));
    return power >= -2 ? 0 : power;
}

static bool add_panel(experiment *x, nh_figure *figure, const curve *c, const experiment_motion *m)
{
    char title[LABEL], label[LABEL] = "E − E(0)";
    const int power = scale_of(m);
    double *scaled = experiment_numbers(x, m->count);
    if (!scaled)
        return false;
    for (unsigned long k = 0; k < m->count; k++)
        scaled[k] = m->error[k] * pow(10, -power);
    snprintf(title, sizeof title, "%s, %s", c->model, c->method);
    if (power)
        snprintf(label, sizeof label, "(E − E(0)) / 1e%d", power);
    const int panel = nh_figure_panel(
        figure, &(nh_panel_options){.title = title, .x_label = "t", .y_label = label, .legend = NH_LEGEND_NONE});
    nh_figure_width(figure, panel, nh_figure_series(figure, panel, NULL, m->time, scaled, m->count, NH_PLOT_LINE), 0.8);
    free(scaled);
    return true;
}

static bool draw(experiment *x, const study *s, const experiment_motion *motions)
{
    nh_figure *figure = nh_figure_new(s->title, s->caption, s->columns);
    nh_figure_panel_size(figure, s->columns > 1 ? 620 : 900, 230);
    for (int i = 0; i < s->count; i++)
        if (!add_panel(x, figure, &s->curves[i], &motions[i])) {
            nh_figure_free(figure);
            return false;
        }
    return experiment_draw(x, figure, s->caption);
}

static bool make(experiment *x, const study *s)
{
    experiment_motion motions[CURVES_MAX] = {0};
    for (int i = 0; i < s->count; i++)
        motions[i] = (experiment_motion){.model = s->curves[i].model,
                                         .method = s->curves[i].method,
                                         .step = s->step,
                                         .steps = s->steps,
                                         .every = 1,
                                         .audit_all = true};
    bool good = experiment_run_motions(x, motions, s->count);
    for (int i = 0; good && i < s->count; i++)
        judge(x, &s->curves[i], &motions[i]);
    good = good && write_table(x, s, motions) && draw(x, s, motions);
    experiment_free_motions(motions, s->count);
    return good;
}

/* ---- The figures ---- */

bool jay2009_particle(experiment *x)
{
    static const study s = {
        .title = "Energy error of Gauss SPARK methods, nonholonomic particle",
        .caption = "Jay, Figure 8.1: s = 1, 2, 3 stages, h = 0.2, t in [0, 250], q = (1,0,0), v = (0,1,0).",
        .step = "0.2",
        .steps = 1250,
        .columns = 1,
        .count = 3,
        .curves = {{"particle", "gauss(s=1)", 6.636e-3},
                   {"particle", "gauss(s=2)", 2.700e-5},
                   {"particle", "gauss(s=3)", 1.610e-7}},
    };
    return make(x, &s);
}

bool jay2009_skate(experiment *x)
{
    static const study s = {
        .title = "Energy error of Lobatto IIIA-B SPARK methods, skate on an inclined plane",
        .caption = "Jay, Figure 8.2: s = 2, 3, 4 stages, h = 0.1, t in [0, 100], m = I = g = 1, slope pi/2.",
        .step = "0.1",
        .steps = 1000,
        .columns = 1,
        .count = 3,
        .curves = {{"skate", "lobatto-ab(s=2)", 2.503e-3},
                   {"skate", "lobatto-ab(s=3)", 6.955e-7},
                   {"skate", "lobatto-ab(s=4)", 9.28e-11}},
    };
    return make(x, &s);
}

bool jay2009_robot(experiment *x)
{
    static const study s = {
        .title = "Energy error of Lobatto IIIA-B-D SPARK methods, mobile robot",
        .caption = "Jay, Figure 8.3: s = 2, 3, 4 stages, h = 0.2, t in [0, 150]. Left: the paper's data, with which "
                   "q3(t) = 0 and the constraint never turns. Right, not in the paper: v3 = 1/2, it turns.",
        .step = "0.2",
        .steps = 750,
        .columns = 2,
        .count = 6,
        .curves = {{"robot", "lobatto-abd(s=2)", 2.428e-1},
                   {"robot-turning", "lobatto-abd(s=2)", 0},
                   {"robot", "lobatto-abd(s=3)", 4.657e-4},
                   {"robot-turning", "lobatto-abd(s=3)", 0},
                   {"robot", "lobatto-abd(s=4)", 1.011e-6},
                   {"robot-turning", "lobatto-abd(s=4)", 0}},
    };
    return make(x, &s);
}
