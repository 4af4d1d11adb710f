/* SPDX-License-Identifier: MIT */
/* A step in the second gear, full Newton for all its unknowns: with a sparse matrix, by KLU, and with a dense one. */
#include "clock.h"
#include "tables.h"
#include "trajectory.h"

#include <math.h>
#include <string.h>

static const struct {
    subject of;
    const char *label, *method;
} cases[] = {
    {{"skate-chain", {{"n", 10}}, 1, false}, "skate-chain, n = 10", "gauss(s=2)"},
    {{"skate-chain", {{"n", 30}}, 1, false}, "skate-chain, n = 30", "gauss(s=2)"},
    {{"skate-chain", {{"n", 100}}, 1, false}, "skate-chain, n = 100", "gauss(s=2)"},
    {{"skate-chain", {{"n", 1000}}, 1, false}, "skate-chain, n = 1000", "gauss(s=2)"},
    {{"skate-beam", {{"n", 100}}, 1, false}, "skate-beam, n = 100", "gauss(s=2)"},
    {{"skate-beam", {{"n", 1000}}, 1, false}, "skate-beam, n = 1000", "gauss(s=2)"},
    {{"trailer-train", {{"k", 10}}, 1, false}, "trailer-train, k = 10", "lobatto-ab(s=3)"},
    {{"trailer-train", {{"k", 100}}, 1, false}, "trailer-train, k = 100", "lobatto-ab(s=3)"},
    {{"mp-particles", {{"m", 20}}, 1, false}, "mp-particles, m = 20", "gauss(s=4)"},
    {{"mp-particles", {{"m", 200}}, 1, false}, "mp-particles, m = 200", "gauss(s=4)"},
};
enum { CASES = sizeof cases / sizeof *cases };

/* The first step, the least of some times. */
static double milliseconds(const bench *b, trajectory *t)
{
    double least = INFINITY;
    for (int i = 0; i < (b->quick ? 2 : 5); i++) {
        memcpy(t->batch, t->fresh, t->bytes);
        const double start = clock_seconds();
        if (!nh_gear_step(nh_stepper_gear(t->stepper), t->batch))
            return NAN;
        least = fmin(least, clock_seconds() - start);
    }
    return 1e3 * least;
}

static void measure(const bench *b, int k)
{
    const nh_gear_matrix matrix[2] = {NH_GEAR_MATRIX_SPARSE, NH_GEAR_MATRIX_DENSE};
    double time[2] = {NAN, NAN}, unknowns = NAN, iterations = NAN;
    for (int i = 0; i < 2; i++) {
        trajectory t;
        trajectory_open_with(&t, &cases[k].of, cases[k].method, NH_ON_TAPE, &(nh_stepper_wishes){.gear = matrix[i]},
                             0.01, 1);
        nh_gear *gear = nh_stepper_gear(t.stepper);
        if (gear && nh_gear_is_sparse(gear) == (matrix[i] == NH_GEAR_MATRIX_SPARSE)) {
            unknowns = nh_gear_unknowns(gear);
            time[i] = milliseconds(b, &t);
            iterations = trajectory_iterations(&t);
        }
        trajectory_close(&t);
    }
    report_text(b->report, "%s, %s", cases[k].label, cases[k].method);
    report_number(b->report, "%.0f", unknowns);
    report_number(b->report, "%.0f", iterations);
    report_number(b->report, "%.2f", time[0]);
    report_number(b->report, "%.2f", time[1]);
    report_number(b->report, "%.3f", time[0] / time[1]);
}

static void run(const bench *b)
{
    report_table(b->report, "newton", "case|unknowns|iterations|sparse, KLU|dense|ratio",
                 "ms per step by full Newton for all unknowns, on the tape, h = 0.01");
    for (int k = 0; k < CASES; k++)
        measure(b, k);
    if (!nh_sparse_lu_name())
        report_note(b->report, "this build has no KLU (Debian: libsuitesparse-dev)");
}

const bench_table table_newton = {"newton", "a step by full Newton, with sparse and with dense matrices", run};
