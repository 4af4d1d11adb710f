/* SPDX-License-Identifier: MIT */
/* The tape against native code, one trajectory and several in lanes. */
#include "clock.h"
#include "tables.h"
#include "trajectory.h"

static const struct {
    subject of;
    const char *label, *method;
    double time;
    long steps;
} cases[] = {
    {{"mp-particles", {{"j", 6}}, 1, true}, "mp-particles", "mp", 20, 400},
    {{"mp-particles", {{"j", 6}}, 1, true}, "mp-particles", "gauss(s=2)", 20, 50},
    {{"mp-particles", {{"j", 6}}, 1, true}, "mp-particles", "gauss(s=4)", 20, 50},
    {{"mp-particles", {{"j", 6}}, 1, true}, "mp-particles", "gauss(s=8)", 20, 50},
    {{"contact-oscillator", {{"k", 7}}, 1, true}, "contact-oscillator", "gauss(s=3)", 20, 100},
    {{"sleigh", {{0}}, 0, false}, "sleigh", "gauss(s=3)", 20, 100},
    {{"disk", {{0}}, 0, false}, "disk", "lobatto-ab(s=3)", 20, 100},
    {{"skate-in-bowl", {{0}}, 0, false}, "skate-in-bowl", "lobatto-ab(s=3)", 2, 100},
};
enum { CASES = sizeof cases / sizeof *cases, WAYS = 4 };

/* One trajectory: as simulations choose. */
static void compare(const bench *b, int k)
{
    trajectory t[WAYS];
    contender list[WAYS];
    const nh_stepper_setting way[WAYS] = {trajectory_setting(cases[k].method), NH_ON_TAPE, NH_COMPILED_LANES,
                                          NH_ON_TAPE_LANES};
    for (int i = 0; i < WAYS; i++) {
        trajectory_open(&t[i], &cases[k].of, cases[k].method, way[i], cases[k].time, cases[k].steps);
        list[i] = (contender){cases[k].method, trajectory_race, &t[i], 0};
    }
    clock_race(list, WAYS, b->quick ? 0.1 : 0.4);
    for (int i = 0; i < WAYS; i++) /* of one step of one trajectory */
        list[i].nanoseconds /= (double)(cases[k].steps * t[i].lanes);
    for (int i = 0; i < WAYS; i += 2) {
        report_text(b->report, "%s, %s%s", cases[k].label, cases[k].method, i ? ", in lanes" : "");
        report_number(b->report, "%.1f", list[i + 1].nanoseconds);
        report_number(b->report, "%.1f", list[i].nanoseconds);
        report_verdict(b->report, list[i + 1].nanoseconds / list[i].nanoseconds, REPORT_AT_MOST, i ? 10 : 15);
    }
    for (int i = 0; i < WAYS; i++)
        trajectory_close(&t[i]);
}

static void run(const bench *b)
{
    report_table(b->report, "tape", "case|tape|native|ratio|aim|verdict", "ns per step of one trajectory");
    for (int k = 0; k < CASES; k++)
        compare(b, k);
}

const bench_table table_tape = {"tape", "the tape against native code, per step", run};
