/* SPDX-License-Identifier: MIT */
/* How a step of large systems grows with their size: McLachlan and Perlmutter's particles against code by hand
 * (hand/large.c). */
#include "clock.h"
#include "hand/large.h"
#include "trajectory.h"

#include <stdio.h>
#include <stdlib.h>

static nh_native *build_by_hand(void)
{
    static const char source[] = "#include \"" NH_SOURCE_DIR "/bench/hand/large.c\"\n";
    const nh_native_options options = {.optimisation = "-O3 -fopenmp-simd", .no_cache = true};
    nh_native *native = NULL;
    nh_error error = {0};
    if (nh_native_build(source, sizeof source - 1, &options, &native, &error) != NH_OK)
        printf("note: no code by hand: %s\n", error.message);
    return native;
}

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

static void particles(const nh_native *native, const char *method, const char *entry, int m, double time, long steps)
{
    trajectory t;
    const nh_stepper_setting setting = method[0] == 'm' ? NH_COMPILED : NH_COMPILED_STAGES;
    trajectory_open(&t, m, 6, method, setting, time, steps);
    const int n = 2 * m + 1;
    by_hand hand = {.motion = native ? (hand_large_motion *)nh_native_entry(native, entry) : NULL,
                    .run = {.m = m,
                            .h = time / (double)steps,
                            .steps = steps,
                            .q = t.fresh + NH_AT_POSITION,
                            .v = t.fresh + NH_AT_VELOCITY}};
    hand.run.work = aligned_alloc(64, (size_t)HAND_LARGE_WORK(m) / 8 * 64 + 64);
    contender list[2] = {{method, trajectory_race, &t, 0}, {"by hand", race_by_hand, &hand, 0}};
    if (hand.motion && hand.run.work)
        clock_race(list, 2, 0.5);
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += t.batch[NH_AT_POSITION + i];
    const double each = 1.0 / (double)(steps * n);
    printf("| %s | %d | %.2f | %.2f | %.2f | %.2f / %.2f | %.1f | %.2f | %.12f %.12f\n", method, n,
           list[0].nanoseconds * each, list[1].nanoseconds * each, list[0].nanoseconds / list[1].nanoseconds,
           trajectory_iterations(&t), hand.run.iterations / (double)steps,
           (double)(t.bytes + sizeof(double) * (nh_spark_work)(nh_stepper_kernel(t.stepper))) / n,
           trajectory_build_seconds(&t), sum, hand.run.q_sum);
    free(hand.run.work);
    trajectory_close(&t);
}

int main(void)
{
    nh_native *native = build_by_hand();
    for (int m = 50; m <= 5000; m *= 10) {
        particles(native, "mp", "large_mp", m, 2, 40);
        particles(native, "gauss(s=4)", "large_gauss_4", m, 2, 10);
        fflush(stdout);
    }
    nh_native_free(native);
    return 0;
}
