/* SPDX-License-Identifier: MIT */
/* What it saves to leave out zeros of dense matrices. */
#include "clock.h"
#include "tables.h"
#include "trajectory.h"

static const struct {
    subject of;
    const char *label, *method;
} cases[] = {
    {{"sleigh", {{0}}, 0, false}, "sleigh", "gauss(s=3)"},
    {{"sleigh", {{0}}, 0, false}, "sleigh", "extrapolation(s=4)"},
    {{"disk", {{0}}, 0, false}, "disk", "lobatto-ab(s=3)"},
    {{"falling-disk", {{0}}, 0, false}, "falling-disk", "gauss(s=2)"},
    {{"rolling-ball", {{0}}, 0, false}, "rolling-ball", "gauss(s=3)"},
    {{"car-with-trailers", {{0}}, 0, false}, "car-with-trailers", "gauss(s=2)"},
    {{"skate-chain", {{"n", 5}}, 1, false}, "skate-chain, n = 5", "mp"},
    {{"skate-chain", {{"n", 5}}, 1, false}, "skate-chain, n = 5", "extrapolation(s=4)"},
    {{"skate-chain", {{"n", 5}}, 1, false}, "skate-chain, n = 5", "gauss(s=2)"},
    {{"skate-chain", {{"n", 10}}, 1, false}, "skate-chain, n = 10", "gauss(s=2)"},
    {{"skate-beam", {{"n", 8}}, 1, false}, "skate-beam, n = 8", "gauss(s=2)"},
};
enum { CASES = sizeof cases / sizeof *cases, STEPS = 200 };

static void compare(const bench *b, int k)
{
    const nh_stepper_setting setting = trajectory_setting(cases[k].method);
    const nh_stepper_wishes wishes[2] = {{.matrices = NH_MATRICES_CHOSEN}, {.matrices = NH_MATRICES_DENSE}};
    trajectory t[2];
    contender list[2];
    for (int i = 0; i < 2; i++) {
        trajectory_open_with(&t[i], &cases[k].of, cases[k].method, setting, &wishes[i], 0.01 * STEPS, STEPS);
        list[i] = (contender){cases[k].method, trajectory_race, &t[i], 0};
    }
    clock_race(list, 2, b->quick ? 0.1 : 0.4);
    report_text(b->report, "%s, %s", cases[k].label, cases[k].method);
    for (int i = 0; i < 2; i++)
        report_number(b->report, "%.0f", list[i].nanoseconds / STEPS);
    report_number(b->report, "%.2f", list[0].nanoseconds / list[1].nanoseconds);
    for (int i = 0; i < 2; i++) {
        report_number(b->report, "%.1f", trajectory_build_seconds(&t[i]));
        trajectory_close(&t[i]);
    }
}

static void run(const bench *b)
{
    report_table(b->report, "zeros", "case|zeros left out|all entries|ratio|s to build or find|all entries, s",
                 "ns per step of one trajectory, native, h = 0.01; dense matrices");
    for (int k = 0; k < CASES; k++)
        compare(b, k);
}

const bench_table table_zeros = {"zeros", "what it saves to leave out zeros of dense matrices, per step", run};
