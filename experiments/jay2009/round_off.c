/* SPDX-License-Identifier: MIT */
/* In the spirit of section 8: with a method whose own energy error is below round-off, what is left walks at random,
 * like the square root of the number of steps, provided that no step has a bias. */
#include "jay2009.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MEMBERS = 10, ROWS = 10000, POINTS = 61, TEXT = 32 };

typedef struct walk {
    long long steps;
    double t[POINTS], rms[POINTS], line[POINTS]; /* at times that grow by a factor, over three decades */
    double bias;                                 /* mean over members at the end, in standard errors of it */
    double slope;                                /* of log rms against log t */
} walk;

static long long steps_of(experiment_effort effort)
{
    return effort == EXPERIMENT_QUICK ? 100000 : effort == EXPERIMENT_USUAL ? 1000000 : 10000000;
}

static double rms_at(const experiment_motion *motions, unsigned long k)
{
    double sum = 0;
    for (int j = 0; j < MEMBERS; j++)
        sum += motions[j].error[k] * motions[j].error[k];
    return sqrt(sum / MEMBERS);
}

static double bias_at(const experiment_motion *motions, unsigned long k)
{
    double mean = 0, square = 0;
    for (int j = 0; j < MEMBERS; j++)
        mean += motions[j].error[k] / MEMBERS;
    for (int j = 0; j < MEMBERS; j++)
        square += (motions[j].error[k] - mean) * (motions[j].error[k] - mean);
    return mean / sqrt(square / (MEMBERS - 1) / MEMBERS);
}

static void measure(const experiment_motion *motions, walk *w)
{
    double log_t[POINTS], log_rms[POINTS];
    for (int i = 0; i < POINTS; i++) {
        const unsigned long k = (unsigned long)lround(ROWS * pow(10, 3.0 * (i - POINTS + 1) / (POINTS - 1)));
        w->t[i] = motions[0].time[k];
        w->rms[i] = rms_at(motions, k);
        log_t[i] = log(w->t[i]);
        log_rms[i] = log(w->rms[i]);
    }
    w->slope = experiment_slope(log_t, log_rms, POINTS);
    w->bias = bias_at(motions, ROWS);
    for (int i = 0; i < POINTS; i++)
        w->line[i] = w->rms[0] * sqrt(w->t[i] / w->t[0]);
}

static void judge(experiment *x, const walk *w, double energy)
{
    const bool judged = x->options.effort != EXPERIMENT_QUICK;
    char what[160];
    snprintf(what, sizeof what, "exponent of rms(E - E(0)) in t, gauss(s=8), particle, %.0e steps", (double)w->steps);
    experiment_claim(x, (nh_claim){.what = what,
                                   .claim = "not in the paper; a random walk has 1/2, a drift 1",
                                   .comparison = judged ? NH_COMPARE_RANGE : NH_COMPARE_NOTHING,
                                   .low = 0.35,
                                   .high = 0.65,
                                   .ours = w->slope});
    experiment_claim(x, (nh_claim){.what = "mean of E - E(0) at the end, in its standard errors",
                                   .claim = "not in the paper; no bias",
                                   .comparison = judged ? NH_COMPARE_RANGE : NH_COMPARE_NOTHING,
                                   .low = -4,
                                   .high = 4,
                                   .ours = w->bias});
    experiment_claim(
        x,
        (nh_claim){.what = "rms(E - E(0)) at the end", .comparison = NH_COMPARE_NOTHING, .ours = w->rms[POINTS - 1]});
    experiment_claim(x, (nh_claim){.what = "the same, in E(0) epsilon sqrt(steps)",
                                   .comparison = NH_COMPARE_NOTHING,
                                   .ours = w->rms[POINTS - 1] / (energy * DBL_EPSILON * sqrt((double)w->steps))});
}

static bool write_table(experiment *x, const experiment_motion *motions)
{
    char labels[MEMBERS][TEXT];
    const char *names[MEMBERS + 1] = {"t"};
    const double *columns[MEMBERS + 1] = {motions[0].time};
    for (int j = 0; j < MEMBERS; j++) {
        snprintf(labels[j], TEXT, "member %d", j);
        names[j + 1] = labels[j];
        columns[j + 1] = motions[j].error;
    }
    return experiment_write_table(x, names, columns, MEMBERS + 1, motions[0].count);
}

static bool draw(experiment *x, const walk *w)
{
    char caption[400];
    snprintf(caption, sizeof caption,
             "Not in the paper. Gauss SPARK with s = 8 stages, h = 0.4, %.0e steps; rms over %d members whose x(0) "
             "differs by 1e-9. Measured exponent over three decades: %.3f.",
             (double)w->steps, MEMBERS, w->slope);
    nh_figure *figure = nh_figure_new("Round-off in the energy of the nonholonomic particle", caption, 1);
    nh_figure_panel_size(figure, 720, 460);
    const nh_panel_options options = {
        .x_label = "t", .y_label = "rms of E − E(0)", .log_x = 1, .log_y = 1, .legend = NH_LEGEND_TOP_LEFT};
    const int panel = nh_figure_panel(figure, &options);
    nh_figure_series(figure, panel, "gauss(s=8)", w->t, w->rms, POINTS, NH_PLOT_LINE_POINTS);
    nh_figure_series(figure, panel, "random walk: slope 1/2", w->t, w->line, POINTS, NH_PLOT_LINE);
    return experiment_draw(x, figure, caption);
}

bool jay2009_round_off(experiment *x)
{
    experiment_motion motions[MEMBERS];
    nh_setting initial[MEMBERS];
    char texts[MEMBERS][TEXT];
    walk w = {.steps = steps_of(x->options.effort)};
    for (int j = 0; j < MEMBERS; j++) {
        snprintf(texts[j], TEXT, "1 + %de-9", j); /* still on the constraint: y = 0 */
        initial[j] = (nh_setting){"x", texts[j]};
        motions[j] = (experiment_motion){.model = "particle",
                                         .settings = {.initial = &initial[j], .initial_count = 1},
                                         .method = "gauss(s=8)",
                                         .step = "0.4",
                                         .steps = w.steps,
                                         .every = w.steps / ROWS};
    }
    bool good = experiment_run_motions(x, motions, MEMBERS);
    if (good) {
        measure(motions, &w);
        judge(x, &w, motions[0].audit.energy_initial);
    }
    good = good && write_table(x, motions) && draw(x, &w);
    experiment_free_motions(motions, MEMBERS);
    return good;
}
