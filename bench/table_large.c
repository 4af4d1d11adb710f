/* SPDX-License-Identifier: MIT */
/* How a step of a large system grows with its size: McLachlan and Perlmutter's particles against code by hand
 * (hand/large.c); chains of skates, also on a beam, and of trailers. */
#include "clock.h"
#include "hand/large.h"
#include "hand_code.h"
#include "tables.h"
#include "trajectory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static double growth(double now, double before)
{
    return before > 0 ? now / before : NAN;
}

/* ---- Particles ---- */

#define TIME 10.0

static const struct {
    const char *method, *hand;
    long steps;
} methods[] = {{"mp", "large_mp", 200}, {"gauss(s=4)", "large_gauss_4", 50}};
enum { METHODS = sizeof methods / sizeof *methods };

typedef struct by_hand {
    hand_large_motion *motion;
    hand_large run;
} by_hand;

static void race_by_hand(void *context, long repeats)
{
    by_hand *hand = context;
    for (long i = 0; i < repeats; i++)
        hand->motion(&hand->run);
}

/* Times the trajectory and its twin by hand: us per step of each, and iterations of the latter. */
static void race(const bench *b, int k, int m, trajectory *t, const nh_native *native, double *us, double *iterations)
{
    const int n = 2 * m + 1;
    by_hand hand = {.motion = (hand_large_motion *)nh_native_entry(native, methods[k].hand),
                    .run = {.m = m,
                            .h = TIME / (double)methods[k].steps,
                            .steps = methods[k].steps,
                            .q = t->fresh + NH_AT_POSITION,
                            .v = t->fresh + NH_AT_VELOCITY,
                            .work = aligned_alloc(64, (size_t)HAND_LARGE_WORK(m) / 8 * 64 + 64)}};
    contender list[2] = {{methods[k].method, trajectory_race, t, 0}, {"by hand", race_by_hand, &hand, 0}};
    if (hand.run.work)
        clock_race(list, 2, b->quick ? 0.2 : 1);
    for (int i = 0; i < 2; i++)
        us[i] = 1e-3 * list[i].nanoseconds / (double)methods[k].steps;
    *iterations = hand.run.iterations / (double)methods[k].steps;
    free(hand.run.work);
}

/* Returns our us per step. */
static double particles_row(const bench *b, int k, int m, const nh_native *native, double before)
{
    trajectory t;
    const subject particles = subject_particles(m);
    double us[2], iterations;
    trajectory_open(&t, &particles, methods[k].method, trajectory_setting(methods[k].method), TIME, methods[k].steps);
    race(b, k, m, &t, native, us, &iterations);
    report_text(b->report, "%s, n = %d", methods[k].method, 2 * m + 1);
    report_number(b->report, "%.2f", us[0]);
    report_number(b->report, "%.2f", us[1]);
    report_verdict(b->report, us[0] / us[1], REPORT_AT_MOST, 2);
    report_number(b->report, "%.1f", growth(us[0], before));
    report_text(b->report, "%.2f / %.2f", trajectory_iterations(&t), iterations);
    report_number(b->report, "%.2f", trajectory_build_seconds(&t));
    trajectory_close(&t);
    return us[0];
}

static void particles_table(const bench *b)
{
    nh_error error = {0};
    nh_native *native = hand_code_build("large.c", "-O3 -fopenmp-simd", &error);
    report_table(b->report, "large",
                 "case|ours|by hand|ratio|aim|verdict|growth for 10 n|iterations|s to build or find",
                 "us per step, mp-particles; mp with h = 0.05, gauss(s=4) with h = 0.2");
    if (!native)
        report_note(b->report, "no code by hand: %s", error.message);
    for (int k = 0; k < METHODS && native; k++) {
        double before = 0;
        for (int m = 50; m <= (b->quick ? 500 : 5000); m *= 10)
            before = particles_row(b, k, m, native, before);
    }
    nh_native_free(native);
}

/* ---- Chains ---- */

static const struct {
    const char *model, *size, *method;
    double h;
} chains[] = {
    {"skate-chain", "n", "mp", 0.05},
    {"skate-chain", "n", "gauss(s=2)", 0.05},
    {"skate-chain", "n", "gauss(s=4)", 0.05},
    {"skate-beam", "n", "mp", 0.05},
    {"skate-beam", "n", "gauss(s=2)", 0.05},
    {"skate-beam", "n", "gauss(s=4)", 0.05},
    {"trailer-train", "k", "lobatto-ab(s=3)", 0.02},
};
enum { CHAINS = sizeof chains / sizeof *chains, CHAIN_STEPS = 4 };

/* Returns us per step of native code. */
static double chain_row(const bench *b, int k, int size, double before)
{
    trajectory t[2];
    contender list[2];
    const subject chain = {chains[k].model, {{chains[k].size, size}}, 1, false};
    for (int i = 0; i < 2; i++) {
        trajectory_open(&t[i], &chain, chains[k].method, i ? NH_ON_TAPE : trajectory_setting(chains[k].method),
                        chains[k].h * CHAIN_STEPS, CHAIN_STEPS);
        list[i] = (contender){chains[k].method, trajectory_race, &t[i], 0};
    }
    clock_race(list, 2, b->quick ? 0.1 : 0.3);
    const double us = 1e-3 * list[0].nanoseconds / CHAIN_STEPS;
    report_text(b->report, "%s, %s = %d, %s", chains[k].model, chains[k].size, size, chains[k].method);
    report_number(b->report, "%.0f", t[0].model[0]->n);
    report_number(b->report, "%.0f", t[0].model[0]->m + t[0].model[0]->holonomic);
    report_number(b->report, "%.2f", us);
    report_number(b->report, "%.2f", 1e-3 * list[1].nanoseconds / CHAIN_STEPS);
    report_number(b->report, "%.1f", growth(us, before));
    report_number(b->report, "%.2f", trajectory_build_seconds(&t[0]));
    for (int i = 0; i < 2; i++)
        trajectory_close(&t[i]);
    return us;
}

static void chains_table(const bench *b)
{
    report_table(b->report, "large", "case|coordinates|constraints|native|tape|growth for 10 n|s to build or find",
                 "us per step, chains; skates with h = 0.05, trailers with h = 0.02");
    for (int k = 0; k < CHAINS; k++) {
        double before = 0;
        for (int size = 10; size <= (b->quick ? 100 : 1000); size *= 10)
            before = chain_row(b, k, size, before);
    }
}

static void run(const bench *b)
{
    particles_table(b);
    chains_table(b);
}

const bench_table table_large = {"large", "how a step grows up to n = 10001, against code by hand", run};
