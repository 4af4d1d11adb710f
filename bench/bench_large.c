/* SPDX-License-Identifier: MIT */
/* How a step of large systems grows with their size: McLachlan and Perlmutter's particles against code by hand
 * (hand/large.c); chains of skates and of trailers. */
#include "clock.h"
#include "hand/large.h"
#include "trajectory.h"

#include <nonholo/sim.h>

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

/* ---- Particles ---- */

static void against_hand(const nh_native *native, const char *method, const char *entry, int m, double time, long steps)
{
    trajectory t;
    const nh_stepper_setting setting = method[0] == 'm' ? NH_COMPILED : NH_COMPILED_STAGES;
    const int n = 2 * m + 1;
    trajectory_open(&t, m, 6, method, setting, time, steps);
    by_hand hand = {.motion = native ? (hand_large_motion *)nh_native_entry(native, entry) : NULL,
                    .run = {.m = m,
                            .h = time / (double)steps,
                            .steps = steps,
                            .q = t.fresh + NH_AT_POSITION,
                            .v = t.fresh + NH_AT_VELOCITY,
                            .work = aligned_alloc(64, (size_t)HAND_LARGE_WORK(m) / 8 * 64 + 64)}};
    contender list[2] = {{method, trajectory_race, &t, 0}, {"by hand", race_by_hand, &hand, 0}};
    if (hand.motion && hand.run.work) {
        const double each = 1.0 / (double)(steps * n);
        clock_race(list, 2, 0.5);
        printf("| %s | %d | %.2f | %.2f | %.2f | %.2f / %.2f | %.2f |\n", method, n, list[0].nanoseconds * each,
               list[1].nanoseconds * each, list[0].nanoseconds / list[1].nanoseconds, trajectory_iterations(&t),
               hand.run.iterations / (double)steps, trajectory_build_seconds(&t));
        fflush(stdout);
    }
    free(hand.run.work);
    trajectory_close(&t);
}

static void particles(void)
{
    nh_native *native = build_by_hand();
    printf("mp-particles: ns per coordinate and step (ours / by hand: iterations)\n\n"
           "| method | n | ours | by hand | ratio | iterations | build, s |\n"
           "| --- | ---: | ---: | ---: | ---: | ---: | ---: |\n");
    for (int m = 50; m <= 5000; m *= 10)
        against_hand(native, "mp", "large_mp", m, 2, 40);
    for (int m = 50; m <= 5000; m *= 10)
        against_hand(native, "gauss(s=4)", "large_gauss_4", m, 2, 10);
    nh_native_free(native);
}

/* ---- Chains ---- */

typedef struct chain {
    nh_sim *sim;
    long steps;
} chain;

static void run_chain(void *context, long repeats)
{
    const chain *c = context;
    nh_error error = {0};
    for (long i = 0; i < repeats; i++)
        if (nh_sim_run(c->sim, c->steps, 0, NULL, NULL, &error) != NH_OK) {
            fprintf(stderr, "%s\n", error.message);
            exit(1);
        }
}

/* ns per coordinate and step. */
static double cost_of(const nh_model *model, const char *method, nh_backend_choice backend, int n, double *build)
{
    nh_sim_options options = nh_sim_options_default();
    chain c = {.steps = 4};
    nh_error error = {0};
    options.method = method;
    options.backend = backend;
    options.audit = 0;
    if (nh_sim_new(model, &options, &c.sim, &error) != NH_OK) {
        fprintf(stderr, "%s: %s\n", method, error.message);
        exit(1);
    }
    contender one = {method, run_chain, &c, 0};
    clock_race(&one, 1, 0.3);
    nh_audit audit;
    nh_sim_audit(c.sim, &audit);
    *build = audit.build_seconds;
    nh_sim_free(c.sim);
    return one.nanoseconds / (double)(c.steps * n);
}

static void grow(const char *name, const char *size, const char *method)
{
    for (int value = 10; value <= 1000; value *= 10) {
        char text[16];
        snprintf(text, sizeof text, "%d", value);
        nh_model *model = NULL;
        nh_error error = {0};
        double build, unused;
        if (nh_model_load(name, &(nh_model_options){.set = &(nh_setting){size, text}, .set_count = 1}, &model,
                          &error) != NH_OK)
            exit(1);
        const int n = model->n;
        const double native = cost_of(model, method, NH_BACKEND_NATIVE, n, &build);
        const double tape = cost_of(model, method, NH_BACKEND_TAPE, n, &unused);
        printf("| %s, %s = %d | %s | %d | %d | %.0f | %.0f | %.2f |\n", name, size, value, method, n,
               model->m + model->holonomic, native, tape, build);
        fflush(stdout);
        nh_model_free(model);
    }
}

static void chains(void)
{
    printf("\nchains: ns per coordinate and step\n\n"
           "| model | method | coordinates | constraints | native | tape | build, s |\n"
           "| --- | --- | ---: | ---: | ---: | ---: | ---: |\n");
    grow("skate-chain", "n", "mp");
    grow("skate-chain", "n", "gauss(s=2)");
    grow("skate-chain", "n", "gauss(s=4)");
    grow("trailer-train", "k", "lobatto-ab(s=3)");
}

int main(void)
{
    particles();
    chains();
    return 0;
}
