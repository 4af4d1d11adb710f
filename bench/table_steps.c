/* SPDX-License-Identifier: MIT */
/* What a step costs, one trajectory and several in lanes, against code written by hand for McLachlan and Perlmutter's
 * particles alone (hand/limits.c). */
#include "clock.h"
#include "hand/limits.h"
#include "hand_code.h"
#include "tables.h"
#include "trajectory.h"

#include <math.h>
#include <stdio.h>

#define PI 3.14159265358979323846

/* The same text, tuned for any processor of the target and for this one: the faster is the limit. */
static const char *const tuning[] = {"-O3", "-O3 -mtune=native"};
enum { BUILDS = sizeof tuning / sizeof *tuning };

typedef struct by_hand {
    hand_motion *motion;
    hand_run run;
} by_hand;

/* The members of subject_particles in lanes, again and again. */
static by_hand hand_start(const nh_native *native, const char *name, double time, long steps)
{
    char entry[64];
    snprintf(entry, sizeof entry, "%s_motion", name);
    by_hand hand = {.motion = (hand_motion *)nh_native_entry(native, entry),
                    .run = {.h = time / (double)steps, .steps = steps}};
    for (int lane = 0; lane < HAND_MEMBERS; lane++) {
        const double angle = (6 - lane % TRAJECTORY_FAMILY) * PI / 18;
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

typedef struct match {
    const char *label, *method, *hand;
    long steps;
    int hand_lanes;
    double aim; /* 0: none */
    bool further;
} match;

/* Code by hand stops at a rounding error, as such code does; or as far below it as ours. */
static double tolerance_of(const match *m)
{
    return m->further ? 0x1p-70 : 1e-16;
}

static const match alone[] = {
    {"mp / Newton for any m", "mp", "mp_newton_any", 2000, 1, 0, false},
    {"mp / Newton, m = 1 compiled in", "mp", "mp_newton", 2000, 1, 1.1, false},
    {"mp / one division", "mp", "mp_linear", 2000, 1, 1.5, false},
    {"gauss(s=4)", "gauss(s=4)", "gauss_4", 250, 1, 1.2, false},
    {"gauss(s=8)", "gauss(s=8)", "gauss_8", 250, 1, 1.2, false},
    {"gauss(s=4) / iterated as far as ours", "gauss(s=4)", "gauss_4", 250, 1, 0, true},
    {"gauss(s=8) / iterated as far as ours", "gauss(s=8)", "gauss_8", 250, 1, 0, true},
};
static const match in_lanes[] = {
    {"mp / one division, 4 by hand", "mp", "mp_linear_lanes", 2000, 4, 0, false},
    {"mp / one division, 8 by hand", "mp", "mp_linear_pair", 2000, 8, 1.8, false},
    {"gauss(s=4) / 4 by hand", "gauss(s=4)", "gauss_4_lanes", 250, 4, 0, false},
    {"gauss(s=8) / 4 by hand", "gauss(s=8)", "gauss_8_lanes", 250, 4, 0, false},
};
#define TIME 100.0

static void print(const bench *b, const match *m, trajectory *t, by_hand *hand, double ours, double theirs)
{
    report *r = b->report;
    trajectory_run(t, 1);
    hand->run.audit = 1;
    hand->motion(&hand->run);
    report_text(r, "%s", m->label);
    report_number(r, "%g", TIME / (double)m->steps);
    report_number(r, "%.1f", ours);
    report_number(r, "%.1f", theirs);
    report_verdict(r, ours / theirs, m->aim > 0 ? REPORT_AT_MOST : REPORT_NO_AIM, m->aim);
    report_text(r, "%.2f / %.2f", trajectory_iterations(t), hand->run.iterations / (double)m->steps);
    report_text(r, "%.1e / %.1e", trajectory_energy_error(t), hand->run.energy_error);
}

static void play(const bench *b, const match *m, nh_stepper_setting setting, nh_native *const *native)
{
    trajectory t;
    by_hand hand[BUILDS];
    contender list[BUILDS + 1] = {{m->label, trajectory_race, &t, 0}};
    const subject particles = subject_particles(3);
    trajectory_open(&t, &particles, m->method, setting, TIME, m->steps);
    for (int k = 0; k < BUILDS; k++) {
        hand[k] = hand_start(native[k], m->hand, TIME, m->steps);
        hand[k].run.tolerance = tolerance_of(m);
        list[k + 1] = (contender){m->hand, race_by_hand, &hand[k], 0};
    }
    clock_race(list, BUILDS + 1, b->quick ? 0.1 : 0.5);
    print(b, m, &t, &hand[0], list[0].nanoseconds / (double)(m->steps * t.lanes),
          fmin(list[1].nanoseconds, list[2].nanoseconds) / (double)(m->steps * m->hand_lanes));
    trajectory_close(&t);
}

static void table(const bench *b, const char *name, const char *title, const match *list, int count, bool lanes)
{
    nh_native *native[BUILDS] = {NULL};
    nh_error error = {0};
    bool all = true;
    report_table(b->report, name, "ours / by hand|h|ours|by hand|ratio|aim|verdict|iterations|energy error",
                 "ns per step of one trajectory, %s; mp-particles, n = 7, T = 100", title);
    for (int k = 0; k < BUILDS && all; k++)
        all = (native[k] = hand_code_build("limits.c", tuning[k], &error)) != NULL;
    if (!all)
        report_note(b->report, "no code by hand: %s", error.message);
    for (int i = 0; i < count && all; i++)
        play(b, &list[i], lanes ? NH_COMPILED_LANES : trajectory_setting(list[i].method), native);
    for (int k = 0; k < BUILDS; k++)
        nh_native_free(native[k]);
}

static void run_steps(const bench *b)
{
    table(b, "steps", "one at a time", alone, sizeof alone / sizeof *alone, false);
}

static void run_lanes(const bench *b)
{
    table(b, "lanes", "several in lanes", in_lanes, sizeof in_lanes / sizeof *in_lanes, true);
}

const bench_table table_steps = {"steps", "a step of one trajectory against code by hand", run_steps};
const bench_table table_lanes = {"lanes", "a step in lanes, per trajectory, against code by hand", run_lanes};
