/* SPDX-License-Identifier: MIT */
/* How the cost of a step grows with stages and coordinates. Native builds are made where the cache lacks them. */
#include "clock.h"
#include "tables.h"
#include "trajectory.h"

#include <stdio.h>

enum { STEPS = 50, SIZES = 6, MOST_STAGES = 12, QUICK_SIZES = 3 };
static const int sizes[SIZES] = {3, 5, 7, 13, 25, 49};

/* mp-particles have 2 m + 1 coordinates, m from 2 on. */
static subject of_size(int n)
{
    return n == 3 ? (subject){.model = "particle"} : subject_particles((n - 1) / 2);
}

static void cell(const bench *b, int n, int s, double *build)
{
    trajectory t[2];
    contender list[2];
    char method[32];
    const subject particles = of_size(n);
    snprintf(method, sizeof method, "gauss(s=%d)", s);
    for (int k = 0; k < 2; k++) {
        trajectory_open(&t[k], &particles, method, k ? trajectory_setting(method) : NH_ON_TAPE, 10, STEPS);
        *build += trajectory_build_seconds(&t[k]);
        list[k] = (contender){method, trajectory_race, &t[k], 0};
    }
    clock_race(list, 2, b->quick ? 0.05 : 0.15);
    report_text(b->report, "%.2f / %.1f", 1e-3 * list[1].nanoseconds / STEPS, 1e-3 * list[0].nanoseconds / STEPS);
    for (int k = 0; k < 2; k++)
        trajectory_close(&t[k]);
}

static void run(const bench *b)
{
    double build = 0;
    report_table(b->report, "growth", b->quick ? "s|n = 3|n = 5|n = 7" : "s|n = 3|n = 5|n = 7|n = 13|n = 25|n = 49",
                 "us per step, native / tape; particle (n = 3) and mp-particles, gauss(s), h = 0.2, T = 10");
    for (int s = 1; s <= MOST_STAGES; s++) {
        report_number(b->report, "%.0f", s);
        for (int k = 0; k < (b->quick ? QUICK_SIZES : SIZES); k++)
            cell(b, sizes[k], s, &build);
    }
    report_note(b->report, "native builds for this table, made or found in the cache: %.1f s", build);
}

const bench_table table_growth = {"growth", "how a step grows with stages and coordinates", run};
