/* SPDX-License-Identifier: MIT */
/* In the spirit of section 8: with a method whose own energy error is at round-off, what is left walks at random, like
 * the square root of the number of steps, provided that no step has a bias. Members that differ by 1e-9 share the
 * method's error and a bias, but not their luck: their spread is the walk alone. Every bias wins in the end; what
 * counts is that after all these steps it hardly shows. */
#include "jay2009.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

enum { MEMBERS = 16, ROWS = 10000, POINTS = 61, FITTED = 41, TEXT = 32 };
enum { QUICK_STEPS = 100000, USUAL_STEPS = 1000000, THOROUGH_STEPS = 10000000 };

/* At times that grow by a factor, over three decades. */
typedef struct walk {
    long long steps;
    double t[POINTS], rms[POINTS], spread[POINTS], line[POINTS];
    double unit;                        /* E(0) epsilon: one unit in the last place of the energy */
    double bias;                        /* mean over members at the end, per step, in units */
    double rms_exponent, walk_exponent; /* over the last two decades: before, the method's own error shows */
} walk;

static long long steps_of(experiment_effort effort)
{
    return effort == EXPERIMENT_QUICK ? QUICK_STEPS : effort == EXPERIMENT_USUAL ? USUAL_STEPS : THOROUGH_STEPS;
}

static double mean_at(const experiment_motion *motions, unsigned long k)
{
    double sum = 0;
    for (int j = 0; j < MEMBERS; j++)
        sum += motions[j].error[k];
    return sum / MEMBERS;
}

/* The mean square about a value. */
static double square_at(const experiment_motion *motions, unsigned long k, double about)
{
    double sum = 0;
    for (int j = 0; j < MEMBERS; j++)
        sum += (motions[j].error[k] - about) * (motions[j].error[k] - about);
    return sum / MEMBERS;
}

static double exponent(const double *t, const double *y)
{
    double log_t[FITTED], log_y[FITTED];
    for (int i = 0; i < FITTED; i++) {
        log_t[i] = log(t[POINTS - FITTED + i]);
        log_y[i] = log(y[POINTS - FITTED + i]);
    }
    return experiment_slope(log_t, log_y, FITTED);
}

static void measure(const experiment_motion *motions, walk *w)
{
    const double unbiased = sqrt((double)MEMBERS / (MEMBERS - 1));
    for (int i = 0; i < POINTS; i++) {
        const unsigned long k = (unsigned long)lround(ROWS * pow(10, 3.0 * (i - POINTS + 1) / (POINTS - 1)));
        w->t[i] = motions[0].time[k];
        w->rms[i] = sqrt(square_at(motions, k, 0));
        w->spread[i] = unbiased * sqrt(square_at(motions, k, mean_at(motions, k)));
    }
    w->unit = motions[0].audit.energy_initial * DBL_EPSILON;
    w->bias = mean_at(motions, ROWS) / (w->unit * (double)w->steps);
    w->rms_exponent = exponent(w->t, w->rms);
    w->walk_exponent = exponent(w->t, w->spread);
    for (int i = 0; i < POINTS; i++)
        w->line[i] = w->unit * sqrt((double)w->steps * w->t[i] / w->t[POINTS - 1]);
}

/* A figure that must lie in a range, in runs of at least so many steps. */
static void judge_one(experiment *x, const walk *w, long long enough, const char *what, const char *claim, double low,
                      double high, double ours)
{
    char text[160];
    snprintf(text, sizeof text, "%s; gauss(s=8), particle, %.0e steps", what, (double)w->steps);
    experiment_claim(x, (nh_claim){.what = text,
                                   .claim = claim,
                                   .comparison = w->steps < enough ? NH_COMPARE_NOTHING : NH_COMPARE_RANGE,
                                   .low = low,
                                   .high = high,
                                   .ours = ours});
}

static void judge(experiment *x, const walk *w)
{
    judge_one(x, w, USUAL_STEPS, "exponent of the members' spread in t",
              "not in the paper; a random walk has 1/2, a drift 1", 0.35, 0.65, w->walk_exponent);
    judge_one(x, w, USUAL_STEPS, "rms(E - E(0)) at the end, in E(0) epsilon sqrt(steps)",
              "not in the paper; a walk by one unit in the last place a step has 1", 0, 1,
              w->rms[POINTS - 1] / (w->unit * sqrt((double)w->steps)));
    judge_one(x, w, USUAL_STEPS, "mean of E - E(0) at the end, per step, in E(0) epsilon", "not in the paper; no bias",
              -1e-4, 1e-4, w->bias);
    judge_one(x, w, THOROUGH_STEPS, "exponent of rms(E - E(0)) in t",
              "not in the paper; until the method's own error is passed, 0", 0.35, 0.65, w->rms_exponent);
    experiment_claim(
        x,
        (nh_claim){.what = "rms(E - E(0)) at the end", .comparison = NH_COMPARE_NOTHING, .ours = w->rms[POINTS - 1]});
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
             "Not in the paper. Gauss SPARK with s = 8 stages, h = 0.4, %.0e steps; %d members whose x(0) differs by "
             "1e-9. Exponents over the last two decades: rms %.3f, spread %.3f.",
             (double)w->steps, MEMBERS, w->rms_exponent, w->walk_exponent);
    nh_figure *figure = nh_figure_new("Round-off in the energy of the nonholonomic particle", caption, 1);
    nh_figure_panel_size(figure, 720, 460);
    const nh_panel_options options = {
        .x_label = "t", .y_label = "E − E(0)", .log_x = 1, .log_y = 1, .legend = NH_LEGEND_TOP_LEFT};
    const int panel = nh_figure_panel(figure, &options);
    nh_figure_series(figure, panel, "rms of the members", w->t, w->rms, POINTS, NH_PLOT_LINE_POINTS);
    nh_figure_series(figure, panel, "spread about their mean", w->t, w->spread, POINTS, NH_PLOT_LINE_POINTS);
    nh_figure_series(figure, panel, "walk by one unit in the last place a step", w->t, w->line, POINTS, NH_PLOT_LINE);
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
        judge(x, &w);
    }
    good = good && write_table(x, motions) && draw(x, &w);
    experiment_free_motions(motions, MEMBERS);
    return good;
}
