/* SPDX-License-Identifier: MIT */
/* Figure 8.4: the energy error of three methods of second order walks at random where the motion is chaotic. */
#include "jay2009.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MEMBERS = 10, SOME = 8, MANY = 128, EVERY = 100, CURVES = 4, PRINTED = CURVES - 1, COORDINATES = 7, TEXT = 64 };

static const double STEP = 0.05;
static const double SLOPE = 8.5e-5; /* of the mean over many ensembles, from an independent program */

/* What is expected at t = 50000 of the mean over ensembles, from eight of an independent program. Single ones were
 * between LEAST and MOST: the mean square of ten walks varies much. */
typedef struct curve {
    const char *model, *method, *label;
    double low, high;
} curve;

static const curve CURVE[CURVES] = {
    {"mp-particles", "lobatto-ab(s=2)", "lobatto-ab(s=2)", 2.9, 5.5},
    {"mp-particles", "lobatto-ab-modified", "lobatto-ab-modified", 2.9, 5.5},
    {"mp-particles", "mp", "mp", 2.7, 7.7},
    {"mp-particles-printed", "lobatto-ab(s=2)", "lobatto-ab(s=2), constraint as printed", 0, 0},
};
static const double LEAST = 1.5, MOST = 11;

/* An ensemble and the texts that it points to. */
typedef struct shift {
    nh_setting initial;
    char q1[TEXT];
} shift;

typedef struct study {
    int ensembles; /* of each curve but that of the printed constraint, which has one */
    long long steps;
    int count; /* ensembles of all curves, curve by curve */
    experiment_ensemble *all;
    shift *shifts;
    unsigned long rows;
    const double *time;
    double *mean[CURVES]; /* (1/h^4) times the mean square over members and ensembles */
} study;

/* ---- Motions ---- */

static int ensembles_of(const study *s, int curve_number)
{
    return curve_number == PRINTED ? 1 : s->ensembles;
}

static const experiment_ensemble *curve_of(const study *s, int curve_number)
{
    return s->all + (size_t)curve_number * (size_t)s->ensembles;
}

static void set_ensemble(const study *s, int curve_number, int number, shift *m, experiment_ensemble *out)
{
    snprintf(m->q1, TEXT, "cos(j*pi/(2*J)) + %de-9", number);
    m->initial = (nh_setting){"q[1]", m->q1};
    *out = (experiment_ensemble){.model = CURVE[curve_number].model,
                                 .settings = {NULL, 0, &m->initial, 1},
                                 .method = CURVE[curve_number].method,
                                 .step = "0.05",
                                 .list = {"j", "0,1,2,3,4,5,6,7,8,9"},
                                 .members = MEMBERS,
                                 .steps = s->steps,
                                 .every = EVERY};
}

static bool begin(experiment *x, study *s)
{
    const experiment_effort effort = x->options.effort;
    s->ensembles = effort == EXPERIMENT_THOROUGH ? MANY : effort == EXPERIMENT_QUICK ? 1 : SOME;
    s->steps = effort == EXPERIMENT_QUICK ? 20000 : 1000000;
    s->rows = (unsigned long)(s->steps / EVERY) + 1;
    for (int c = 0; c < CURVES; c++)
        s->count += ensembles_of(s, c);
    s->all = calloc((size_t)s->count, sizeof *s->all);
    s->shifts = calloc((size_t)s->count, sizeof *s->shifts);
    bool good = s->all && s->shifts;
    for (int c = 0; c < CURVES; c++)
        good &= (s->mean[c] = experiment_numbers(x, s->rows)) != NULL;
    for (int c = 0, k = 0; good && c < CURVES; c++)
        for (int i = 0; i < ensembles_of(s, c); i++, k++)
            set_ensemble(s, c, i, &s->shifts[k], &s->all[k]);
    return good;
}

static void end(study *s)
{
    experiment_free_ensembles(s->all, s->count);
    free(s->all);
    free(s->shifts);
    for (int c = 0; c < CURVES; c++)
        free(s->mean[c]);
}

/* ---- Statistics ---- */

/* (1/h^4) times the mean of (E - E(0))^2 over some ensembles, at one time. */
static double mean_square(const experiment_ensemble *ensembles, int count, unsigned long row)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < MEMBERS; k++) {
            const double error = ensembles[i].error[row * MEMBERS + (unsigned long)k];
            sum += error * error;
        }
    return sum / (count * MEMBERS) / (STEP * STEP * STEP * STEP);
}

static double mean_of(const double *values, unsigned long from, unsigned long to)
{
    double sum = 0;
    for (unsigned long k = from; k < to; k++)
        sum += values[k];
    return sum / (double)(to - from);
}

static void average(study *s)
{
    s->time = s->all[0].time;
    for (int c = 0; c < CURVES; c++)
        for (unsigned long k = 0; k < s->rows; k++)
            s->mean[c][k] = mean_square(curve_of(s, c), ensembles_of(s, c), k);
}

/* Of single ensembles at the end: how far they are apart. */
static double deviation_at_end(const study *s, int c)
{
    const unsigned long last = s->rows - 1;
    double square = 0;
    for (int e = 0; e < s->ensembles; e++) {
        const double d = mean_square(curve_of(s, c) + e, 1, last) - s->mean[c][last];
        square += d * d;
    }
    return sqrt(square / (s->ensembles - 1));
}

/* Of the single ensembles, the part that is where single ones were elsewhere. */
static double share_within(const study *s, int c)
{
    int within = 0;
    for (int e = 0; e < s->ensembles; e++) {
        const double end = mean_square(curve_of(s, c) + e, 1, s->rows - 1);
        within += LEAST <= end && end <= MOST;
    }
    return (double)within / s->ensembles;
}

/* ---- Claims ---- */

/* A short run has one ensemble, and is not judged. */
static void judge_growth(experiment *x, const study *s, int c)
{
    const nh_comparison comparison = x->options.effort == EXPERIMENT_QUICK ? NH_COMPARE_NOTHING : NH_COMPARE_RANGE;
    const curve *k = &CURVE[c];
    const double end_time = s->time[s->rows - 1];
    char what[160];
    snprintf(what, sizeof what, "mu/h^4 at t = %g, %s", end_time, k->label);
    experiment_claim(x, (nh_claim){.what = what,
                                   .claim = "a curve without numbers; expected: eight ensembles elsewhere",
                                   .comparison = comparison,
                                   .low = k->low,
                                   .high = k->high,
                                   .ours = s->mean[c][s->rows - 1]});
    snprintf(what, sizeof what, "slope of mu/h^4 against t, %s", k->label);
    experiment_claim(x,
                     (nh_claim){.what = what,
                                .claim = "\"approximately O(t)\"; least squares, of a walk that begins at the size of "
                                         "the oscillation; expected: from 0 to the values expected at the end",
                                .comparison = comparison,
                                .low = k->low / end_time,
                                .high = k->high / end_time,
                                .ours = experiment_slope(s->time, s->mean[c], s->rows)});
}

/* How single ensembles vary. */
static void tell_spread(experiment *x, const study *s, int c)
{
    char what[160];
    snprintf(what, sizeof what, "standard deviation of the ensembles there, %s", CURVE[c].label);
    experiment_claim(x, (nh_claim){.what = what, .comparison = NH_COMPARE_NOTHING, .ours = deviation_at_end(s, c)});
    snprintf(what, sizeof what, "part of the ensembles within %g .. %g there, %s", LEAST, MOST, CURVE[c].label);
    experiment_claim(x, (nh_claim){.what = what, .comparison = NH_COMPARE_NOTHING, .ours = share_within(s, c)});
}

/* The constraint as printed is integrable: nothing walks. */
static void judge_printed(experiment *x, const study *s)
{
    const double *mean = s->mean[PRINTED];
    const unsigned long half = s->rows / 2;
    const double first = mean_of(mean, 0, half), second = mean_of(mean, half, s->rows);
    experiment_claim(x, (nh_claim){.what = "mu/h^4 with the constraint as printed, mean over the second half",
                                   .claim = "not the paper's curve: the printed constraint is integrable",
                                   .comparison = NH_COMPARE_RANGE,
                                   .low = 0.03,
                                   .high = 0.08,
                                   .ours = second});
    experiment_claim(x, (nh_claim){.what = "the same / mean over the first half",
                                   .claim = "not the paper's curve: it is flat",
                                   .comparison = NH_COMPARE_RANGE,
                                   .low = 0.8,
                                   .high = 1.2,
                                   .ours = second / first});
}

static void judge_energy(experiment *x, const study *s)
{
    double furthest = 3.06;
    for (int j = 0; j < MEMBERS; j++)
        if (fabs(s->all[0].energy[j] - 3.06) > fabs(furthest - 3.06))
            furthest = s->all[0].energy[j];
    experiment_claim(x, (nh_claim){.what = "E(0), the member furthest from 3.06",
                                   .claim = "E(0) = 3.06 for all members",
                                   .comparison = NH_COMPARE_RELATIVE,
                                   .published = 3.06,
                                   .tolerance = 1e-14,
                                   .ours = furthest});
}

/* ---- Lobatto IIIA-B and its modification ---- */

static double state_distance(const nh_sim *a, const nh_sim *b)
{
    static const nh_sim_field fields[] = {NH_SIM_POSITION, NH_SIM_VELOCITY};
    double most = 0, of_a[COORDINATES], of_b[COORDINATES];
    for (int f = 0; f < 2; f++) {
        nh_sim_get(a, fields[f], of_a);
        nh_sim_get(b, fields[f], of_b);
        for (int i = 0; i < COORDINATES; i++)
            most = fmax(most, fabs(of_a[i] - of_b[i]));
    }
    return most;
}

static nh_status compare(nh_sim *a, nh_sim *b, int steps, double *most, nh_error *error)
{
    nh_status status = NH_OK;
    for (int k = 0; status == NH_OK && k < steps; k++) {
        status = nh_sim_run(a, 1, 0, NULL, NULL, error);
        if (status == NH_OK)
            status = nh_sim_run(b, 1, 0, NULL, NULL, error);
        *most = fmax(*most, state_distance(a, b));
    }
    return status;
}

/* Here K is affine in q, and the two are one map, until chaos has made round-off large. */
static bool judge_modified(experiment *x)
{
    enum { STEPS = 200 };
    nh_model *model = NULL;
    nh_sim *plain = NULL, *modified = NULL;
    nh_sim_options options = nh_sim_options_default();
    double most = 0;
    nh_status status = nh_model_load("mp-particles", NULL, &model, &x->error);
    options.method = "lobatto-ab(s=2)";
    if (status == NH_OK)
        status = nh_sim_new(model, &options, &plain, &x->error);
    options.method = "lobatto-ab-modified";
    if (status == NH_OK)
        status = nh_sim_new(model, &options, &modified, &x->error);
    if (status == NH_OK)
        status = compare(plain, modified, STEPS, &most, &x->error);
    nh_sim_free(plain);
    nh_sim_free(modified);
    nh_model_free(model);
    experiment_claim(x, (nh_claim){.what = "IIIA-B and modified IIIA-B, largest difference of q, v in 200 steps",
                                   .claim = "\"behave very similarly\"; here they are one map",
                                   .comparison = NH_COMPARE_RANGE,
                                   .low = 0,
                                   .high = 1e-12,
                                   .ours = most});
    return status == NH_OK;
}

/* ---- Files ---- */

static bool write_table(experiment *x, const study *s)
{
    const char *names[CURVES + 1] = {"t"};
    const double *columns[CURVES + 1] = {s->time};
    for (int c = 0; c < CURVES; c++) {
        names[c + 1] = CURVE[c].label;
        columns[c + 1] = s->mean[c];
    }
    return experiment_write_table(x, names, columns, CURVES + 1, s->rows);
}

/* The straight line begins, on logarithmic axes, where it is not far below everything else. */
static void add_panel(nh_figure *figure, const study *s, const double *line, bool logarithmic)
{
    const nh_panel_options options = {.x_label = "t",
                                      .y_label = "μ((E − E(0))²) / h⁴",
                                      .log_x = logarithmic,
                                      .log_y = logarithmic,
                                      .legend = logarithmic ? NH_LEGEND_NONE : NH_LEGEND_TOP_LEFT};
    const unsigned long first = logarithmic ? s->rows / 50 : 0;
    const int panel = nh_figure_panel(figure, &options);
    for (int c = 0; c < CURVES; c++) {
        const int series = nh_figure_series(figure, panel, CURVE[c].label, s->time, s->mean[c], s->rows, NH_PLOT_LINE);
        nh_figure_width(figure, panel, series, 0.8);
    }
    nh_figure_series(figure, panel, "8.5e-5 t", s->time + first, line + first, s->rows - first, NH_PLOT_LINE);
}

static bool draw(experiment *x, const study *s)
{
    char caption[EXPERIMENT_CAPTION_MAX];
    double *line = experiment_numbers(x, s->rows);
    if (!line)
        return false;
    for (unsigned long k = 0; k < s->rows; k++)
        line[k] = SLOPE * s->time[k];
    char and_ensembles[TEXT] = "";
    if (s->ensembles > 1)
        snprintf(and_ensembles, TEXT, " and %d ensembles (q1 shifted by multiples of 1e-9)", s->ensembles);
    snprintf(caption, sizeof caption,
             "Jay, Figure 8.4: n = 7, h = 0.05, t in [0, %g], every 100 steps, mean over 10 members%s. The straight "
             "line is expected of many ensembles. The first two methods are one map here, which chaos pulls apart.",
             s->time[s->rows - 1], and_ensembles);
    nh_figure *figure = nh_figure_new("Energy error of McLachlan and Perlmutter's particles", caption, 2);
    nh_figure_panel_size(figure, 640, 480);
    add_panel(figure, s, line, false);
    add_panel(figure, s, line, true);
    free(line);
    return experiment_draw(x, figure, caption);
}

bool jay2009_mp_particles(experiment *x)
{
    study s = {0};
    bool good = begin(x, &s) && judge_modified(x) && experiment_run_ensembles(x, s.all, s.count);
    if (good) {
        average(&s);
        judge_energy(x, &s);
        for (int c = 0; c < PRINTED; c++)
            judge_growth(x, &s, c);
        for (int c = 0; c < PRINTED && s.ensembles > 1; c++)
            tell_spread(x, &s, c);
        judge_printed(x, &s);
    }
    good = good && write_table(x, &s) && draw(x, &s);
    end(&s);
    return good;
}
