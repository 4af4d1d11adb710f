/* SPDX-License-Identifier: MIT */
/* What a step costs: compiled and on the tape, one trajectory and four in lanes, against code written by hand for
 * McLachlan and Perlmutter's particles alone (hand/limits.c); how cost grows with stages and coordinates; what audits
 * and observers add. Native builds are made where the cache lacks them: 35 for the table of growth. */
#include "clock.h"
#include "hand/limits.h"
#include "trajectory.h"

#include <nonholo/sim.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define PI 3.14159265358979323846

/* --- code by hand --- */

/* The same text, tuned for any processor of the target and for this one: the faster is the limit. */
static const char *const tuning[] = {"-O3", "-O3 -mtune=native"};
enum { BUILDS = sizeof tuning / sizeof *tuning };

/* NULL where the processor is another one, or there is no compiler: that is said, and nothing is compared. */
static nh_native *build_limits(const char *flags)
{
    static const char source[] = "#include \"" NH_SOURCE_DIR "/bench/hand/limits.c\"\n";
    const nh_native_options options = {.optimisation = flags, .no_cache = true};
    nh_native *native = NULL;
    nh_error error = {0};
    if (nh_native_build(source, sizeof source - 1, &options, &native, &error) != NH_OK)
        printf("note: no code by hand (%s): %s\n", flags, error.message);
    return native;
}

typedef struct by_hand {
    hand_motion *motion;
    hand_run run;
} by_hand;

/* Member j of ten, as trajectory_open. */
static by_hand hand_start(const nh_native *native, const char *name, int j, double time, long steps)
{
    char entry[64];
    snprintf(entry, sizeof entry, "%s_motion", name);
    by_hand hand = {.motion = native ? (hand_motion *)nh_native_entry(native, entry) : NULL,
                    .run = {.h = time / (double)steps, .steps = steps}};
    for (int lane = 0; lane < HAND_LANES; lane++) {
        const double angle = (j - lane) * PI / 18;
        const double q[HAND_N] = {cos(angle), 0.6, 0.4, 0.2, 1, 1, 1};
        for (int i = 0; i < HAND_N; i++)
            hand.run.q[lane][i] = q[i];
        hand.run.v[lane][1] = sin(angle);
    }
    return hand;
}

static void race_by_hand(void *context, long repeats)
{
    by_hand *hand = context;
    for (long i = 0; i < repeats; i++)
        hand->motion(&hand->run);
}

/* --- against it --- */

typedef struct match {
    const char *label, *method, *hand;
    nh_stepper_setting setting;
    double time;
    long steps;
    int lanes;
} match;

static const match matches[] = {
    {"gauss(s=4), stages in lanes", "gauss(s=4)", "gauss_4", NH_COMPILED_STAGES, 100, 250, 1},
    {"gauss(s=8), stages in lanes", "gauss(s=8)", "gauss_8", NH_COMPILED_STAGES, 100, 250, 1},
    {"gauss(s=4), 4 trajectories", "gauss(s=4)", "gauss_4_lanes", NH_COMPILED_LANES, 100, 250, 4},
    {"gauss(s=8), 4 trajectories", "gauss(s=8)", "gauss_8_lanes", NH_COMPILED_LANES, 100, 250, 4},
    {"mp / Newton for any m", "mp", "mp_newton_any", NH_COMPILED, 100, 2000, 1},
    {"mp / Newton for m = 1", "mp", "mp_newton", NH_COMPILED, 100, 2000, 1},
    {"mp / one division", "mp", "mp_linear", NH_COMPILED, 100, 2000, 1},
    {"mp, 4 trajectories / one division", "mp", "mp_linear_lanes", NH_COMPILED_LANES, 100, 2000, 4},
};

static void print_match(const match *m, trajectory *t, by_hand *hand, double ours, double theirs)
{
    const double each = 1.0 / (double)(m->steps * m->lanes);
    trajectory_run(t, 1);
    hand->run.audit = 1;
    hand->motion(&hand->run);
    printf("| %s | %g | %.1f | %.1f | %.2f | %.2f / %.2f | %.1e / %.1e |\n", m->label, m->time / (double)m->steps,
           ours * each, theirs * each, ours / theirs, trajectory_iterations(t), hand->run.iterations / (double)m->steps,
           trajectory_energy_error(t), hand->run.energy_error);
}

static void play(const match *m, nh_native *const *native)
{
    trajectory t;
    by_hand hand[BUILDS];
    contender list[BUILDS + 1] = {{m->label, trajectory_race, &t, 0}};
    trajectory_open(&t, 3, 6, m->method, m->setting, m->time, m->steps);
    for (int k = 0; k < BUILDS; k++) {
        hand[k] = hand_start(native[k], m->hand, 6, m->time, m->steps);
        list[k + 1] = (contender){m->hand, race_by_hand, &hand[k], 0};
    }
    clock_race(list, BUILDS + 1, 0.4);
    print_match(m, &t, &hand[0], list[0].nanoseconds, fmin(list[1].nanoseconds, list[2].nanoseconds));
    trajectory_close(&t);
}

static void against_hand(void)
{
    nh_native *native[BUILDS];
    bool all = true;
    for (int k = 0; k < BUILDS; k++) {
        native[k] = build_limits(tuning[k]);
        all = all && native[k];
    }
    printf("mp-particles, m = 3, T = 100: ns per step of one trajectory (ours / by hand: iterations, energy error)\n\n"
           "| | h | ours | by hand | ratio | iterations | energy error |\n"
           "| --- | ---: | ---: | ---: | ---: | ---: | ---: |\n");
    for (size_t i = 0; i < sizeof matches / sizeof *matches && all; i++)
        play(&matches[i], native);
    for (int k = 0; k < BUILDS; k++)
        nh_native_free(native[k]);
}

/* --- backends --- */

static void backends(const char *method, double time, long steps)
{
    static const nh_stepper_setting settings[] = {NH_COMPILED_STAGES, NH_COMPILED, NH_COMPILED_LANES, NH_ON_TAPE,
                                                  NH_ON_TAPE_LANES};
    enum { COUNT = sizeof settings / sizeof *settings };
    trajectory t[COUNT];
    contender list[COUNT];
    const int first = method[0] == 'm' ? 1 : 0; /* mp has no stages */
    for (int k = first; k < COUNT; k++) {
        trajectory_open(&t[k], 3, 6, method, settings[k], time, steps);
        list[k] = (contender){method, trajectory_race, &t[k], 0};
    }
    clock_race(list + first, COUNT - first, 0.3);
    const double unit = list[first].nanoseconds / t[first].lanes;
    printf("| %s |", method);
    for (int k = 0; k < COUNT; k++) {
        const double ns = k < first ? 0 : list[k].nanoseconds / t[k].lanes;
        if (k < first)
            printf(" - |");
        else
            printf(" %.1f (%.2f) |", ns / (double)steps, ns / unit);
    }
    printf("\n");
    for (int k = first; k < COUNT; k++)
        trajectory_close(&t[k]);
}

static void all_backends(void)
{
    printf("\nns per step of one trajectory (ratio to the first); mp-particles, m = 3, T = 100; mp with h = 0.05, else "
           "0.4\n\n"
           "| method | native, stages in lanes | native | native, 4 trajectories | tape | tape, 4 trajectories |\n"
           "| --- | ---: | ---: | ---: | ---: | ---: |\n");
    backends("mp", 100, 2000);
    backends("gauss(s=2)", 100, 250);
    backends("gauss(s=4)", 100, 250);
    backends("gauss(s=8)", 100, 250);
}

/* --- growth --- */

static const int growth_stages[] = {1, 2, 3, 4, 6, 8, 12};
static const int growth_sizes[] = {2, 3, 6, 12, 24};

static void growth_cell(int m, int s, double *build)
{
    enum { STEPS = 50 };
    trajectory t[2];
    contender list[2];
    char method[32];
    snprintf(method, sizeof method, "gauss(s=%d)", s);
    const nh_stepper_setting compiled = s >= 3 ? NH_COMPILED_STAGES : NH_COMPILED;
    for (int k = 0; k < 2; k++) {
        trajectory_open(&t[k], m, 6, method, k ? compiled : NH_ON_TAPE, 10, STEPS);
        *build += trajectory_build_seconds(&t[k]);
        list[k] = (contender){method, trajectory_race, &t[k], 0};
    }
    clock_race(list, 2, 0.15);
    printf(" %.2f / %.1f |", 1e-3 * list[1].nanoseconds / STEPS, 1e-3 * list[0].nanoseconds / STEPS);
    fflush(stdout);
    for (int k = 0; k < 2; k++)
        trajectory_close(&t[k]);
}

static void growth(void)
{
    double build = 0;
    printf("\nus per step, native with stages in lanes (s < 3: without) / tape; mp-particles, n = 2m + 1, h = 0.2, "
           "T = 10\n\n| s |");
    for (size_t k = 0; k < sizeof growth_sizes / sizeof *growth_sizes; k++)
        printf(" n = %d |", 2 * growth_sizes[k] + 1);
    printf("\n| ---: | ---: | ---: | ---: | ---: | ---: |\n");
    for (size_t i = 0; i < sizeof growth_stages / sizeof *growth_stages; i++) {
        printf("| %d |", growth_stages[i]);
        for (size_t k = 0; k < sizeof growth_sizes / sizeof *growth_sizes; k++)
            growth_cell(growth_sizes[k], growth_stages[i], &build);
        printf("\n");
    }
    printf("\nnative builds for this table, made or found in the cache: %.1f s\n", build);
}

/* --- features --- */

typedef struct feature {
    nh_sim *sim;
    nh_observer *observer;
    long long every;
    long steps;
} feature;

static int look_at_positions(const nh_sim *sim, void *user)
{
    nh_sim_get(sim, NH_SIM_POSITION, user);
    return 0;
}

static int look_at_energy(const nh_sim *sim, void *user)
{
    nh_sim_get(sim, NH_SIM_ENERGY_ERROR, user);
    return 0;
}

static void run_feature(void *context, long repeats)
{
    const feature *f = context;
    double seen[HAND_N];
    nh_error error = {0};
    for (long i = 0; i < repeats; i++)
        if (nh_sim_run(f->sim, f->steps, f->every, f->observer, seen, &error) != NH_OK) {
            fprintf(stderr, "%s\n", error.message);
            exit(1);
        }
}

static void features(const char *method, const char *step)
{
    static const struct {
        const char *label;
        long long audit, every;
        nh_observer *observer;
    } way[] = {
        {"audit at the ends only (0)", 0, 0, NULL},
        {"audit every step", 1, 0, NULL},
        {"audit every 100 steps", 100, 0, NULL},
        {"observer every step, reads q", 0, 1, look_at_positions},
        {"observer every 100 steps, reads q", 0, 100, look_at_positions},
        {"observer every step, reads the energy error", 0, 1, look_at_energy},
        {"observer every 100 steps, reads the energy error", 0, 100, look_at_energy},
    };
    enum { COUNT = sizeof way / sizeof *way, STEPS = 1000 };
    feature f[COUNT];
    contender list[COUNT];
    nh_model *model = NULL;
    nh_error error = {0};
    if (nh_model_load("mp-particles", NULL, &model, &error) != NH_OK)
        exit(1);
    for (int k = 0; k < COUNT; k++) {
        nh_sim_options options = nh_sim_options_default();
        options.method = method;
        options.step = step;
        options.backend = NH_BACKEND_NATIVE;
        options.audit = way[k].audit;
        f[k] = (feature){.observer = way[k].observer, .every = way[k].every, .steps = STEPS};
        if (nh_sim_new(model, &options, &f[k].sim, &error) != NH_OK) {
            fprintf(stderr, "%s: %s\n", method, error.message);
            exit(1);
        }
        list[k] = (contender){way[k].label, run_feature, &f[k], 0};
    }
    clock_race(list, COUNT, 0.3);
    printf("\n%s, h = %s, native, mp-particles, m = 3: runs of %d steps\n\n"
           "| | ns per step | ratio |\n| --- | ---: | ---: |\n",
           method, step, STEPS);
    for (int k = 0; k < COUNT; k++) {
        printf("| %s | %.1f | %.2f |\n", list[k].name, list[k].nanoseconds / STEPS,
               list[k].nanoseconds / list[0].nanoseconds);
        nh_sim_free(f[k].sim);
    }
    nh_model_free(model);
}

int main(void)
{
    against_hand();
    all_backends();
    growth();
    features("gauss(s=4)", "0.4");
    features("mp", "0.05");
    return 0;
}
