/* SPDX-License-Identifier: MIT */
/* What derived functions cost: McLachlan and Perlmutter's particles, m = 3, on the tape and in native code, one and
 * four points at a time, against the same functions written by hand; and the way from a file to a ready tape. */
#include "clock.h"
#include "hand_code.h"
#include "tables.h"

#include "model/derived.h"
#include "native/evaluator.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 7, LANES = 4 };

static const nh_request requests[] = {
    {.of = NH_OF_MOMENTUM},
    {.of = NH_OF_FORCE},
    {.of = NH_OF_CONSTRAINT},
    {.of = NH_OF_CONSTRAINT, .order = 1, .by = {NH_V}},
    {.of = NH_OF_REACTION},
    {.of = NH_OF_MOMENTUM, .order = 1, .by = {NH_V}},
    {.of = NH_OF_FORCE, .order = 1, .by = {NH_Q}},
};
enum { REQUESTS = sizeof requests / sizeof *requests };
static const char *const names[REQUESTS] = {"L_v", "L_q", "k", "K", "K^T lambda", "L_vv", "L_qq"};

/* --- contenders --- */

typedef void native_function(const double *c, const double *const *x, double *y);

typedef struct call {
    nh_evaluator *evaluator;
    native_function *native;
    int number;
    /* aligned alike: stores that cross cache lines would be timed otherwise */
    _Alignas(64) double q[N * LANES];
    _Alignas(64) double v[N * LANES];
    _Alignas(64) double lambda[LANES];
    _Alignas(64) double c[64 * LANES];
    _Alignas(64) double y[N * N * LANES];
} call;

static void run_native(void *context, long repeats)
{
    call *c = context;
    const double *x[NH_SPACES] = {[NH_Q] = c->q, [NH_V] = c->v, [NH_LAMBDA] = c->lambda};
    for (long i = 0; i < repeats; i++) {
        c->native(c->c, x, c->y);
        __asm__ volatile("" : : "r"(c->y) : "memory");
    }
}

static void run_tape(void *context, long repeats)
{
    call *c = context;
    const double *x[NH_SPACES] = {[NH_Q] = c->q, [NH_V] = c->v, [NH_LAMBDA] = c->lambda};
    for (long i = 0; i < repeats; i++) {
        nh_evaluate(c->evaluator, c->number, c->c, x, c->y);
        __asm__ volatile("" : : "r"(c->y) : "memory");
    }
}

static void fill(call *c)
{
    for (int i = 0; i < N * LANES; i++) {
        c->q[i] = 0.3 + 0.01 * i;
        c->v[i] = 0.2 - 0.01 * i;
    }
    for (int i = 0; i < LANES; i++)
        c->lambda[i] = 0.5;
}

static void fail(const char *what, const nh_error *error)
{
    fprintf(stderr, "%s: %s\n", what, error->message);
    exit(1);
}

/* The seven functions of a model; matrices dense, or as sparse entries. */
static nh_program *load(const char *model, const char *size, nh_layout layout, nh_model **m)
{
    nh_request list[REQUESTS];
    memcpy(list, requests, sizeof list);
    for (int i = 0; i < REQUESTS; i++)
        list[i].layout = layout;
    nh_setting set = {"m", size};
    nh_model_options options = {&set, 1, NULL, 0};
    nh_program *p = NULL;
    nh_error error = {0};
    if (nh_model_load(model, size ? &options : NULL, m, &error) != NH_OK ||
        nh_derive_program(*m, list, REQUESTS, &p, &error) != NH_OK)
        fail(model, &error);
    return p;
}

static native_function *native_of(const nh_native *native, int function)
{
    char name[32];
    snprintf(name, sizeof name, "nh_f%d", function);
    return native ? (native_function *)nh_native_entry(native, name) : NULL;
}

static const struct {
    const char *name;
    nh_backend backend;
    int lanes;
} ways[] = {{"native 1", NH_NATIVE, 1}, {"native 4", NH_NATIVE, 4}, {"tape 1", NH_TAPE, 1}, {"tape 4", NH_TAPE, 4}};
enum { WAYS = sizeof ways / sizeof *ways };

static void race(const bench *b, nh_evaluator *const *e, const nh_native *hand, int function)
{
    static call calls[WAYS + 1];
    contender list[WAYS + 1];
    for (int k = 0; k <= WAYS; k++) {
        call *c = &calls[k];
        fill(c);
        c->number = function + 1;
        c->evaluator = k ? e[k - 1] : NULL;
        c->native = native_of(k ? nh_evaluator_native(e[k - 1]) : hand, function + 1);
        list[k] = (contender){k ? ways[k - 1].name : "by hand", c->native ? run_native : run_tape, c, 0};
    }
    clock_race(list, WAYS + 1, b->quick ? 0.05 : 0.15);
    report_text(b->report, "%s", names[function]);
    report_number(b->report, "%.2f", list[0].nanoseconds);
    for (int k = 1; k <= WAYS; k++) {
        const double ns = list[k].nanoseconds / ways[k - 1].lanes;
        report_text(b->report, "%.2f (%.2f)", ns, ns / list[0].nanoseconds);
    }
}

static void evaluations(const bench *b)
{
    nh_model *m = NULL;
    nh_program *p = load("mp-particles", NULL, NH_DENSE, &m);
    nh_evaluator *e[WAYS];
    nh_error error = {0};
    nh_native *hand = hand_code_build("mp_particles.c", "-O3", &error);
    report_table(b->report, "functions", "function|by hand|native 1|native 4|tape 1|tape 4",
                 "ns per evaluation of one point (ratio to scalar code by hand); mp-particles, n = 7");
    if (!hand)
        report_note(b->report, "no code by hand: %s", error.message);
    for (int k = 0; k < WAYS; k++) {
        if (nh_evaluator_new(p, ways[k].backend, ways[k].lanes, NULL, &e[k], &error) != NH_OK)
            fail("evaluator", &error);
        if (*nh_evaluator_note(e[k]))
            report_note(b->report, "%s", nh_evaluator_note(e[k]));
    }
    for (int i = 0; i < REQUESTS && hand; i++)
        race(b, e, hand, i);
    for (int k = 0; k < WAYS; k++)
        nh_evaluator_free(e[k]);
    nh_native_free(hand);
    nh_program_free(p);
    nh_model_free(m);
}

static void file_to_tape(void *context, long repeats)
{
    const char *const *what = context;
    for (long i = 0; i < repeats; i++) {
        nh_model *m = NULL;
        nh_program_free(load(what[0], what[1], NH_SPARSE, &m));
        nh_model_free(m);
    }
}

static void ways_to_tape(const bench *b)
{
    const char *what[][2] = {{"sleigh", NULL},        {"mp-particles", "3"},   {"mp-particles", "125"},
                             {"mp-particles", "250"}, {"mp-particles", "500"}, {"mp-particles", "1000"}};
    report_table(b->report, "functions", "model|ms",
                 "ms from file to ready tape (the seven functions above, matrices sparse)");
    for (size_t k = 0; k < sizeof what / sizeof *what; k++) {
        contender c = {what[k][0], file_to_tape, what[k], 0};
        clock_race(&c, 1, b->quick ? 0.1 : 0.5);
        report_text(b->report, "%s%s%s", what[k][0], what[k][1] ? ", m = " : "", what[k][1] ? what[k][1] : "");
        report_number(b->report, "%.3f", 1e-6 * c.nanoseconds);
    }
}

/* Seconds to compile the seven functions, and to find them in the cache. */
static void build_times(const bench *b, const char *size)
{
    nh_model *m = NULL;
    nh_program *p = load("mp-particles", size, NH_SPARSE, &m);
    nh_evaluator *e = NULL;
    nh_error error = {0};
    double built = 0, cached = 0;
    for (int k = 0; k < 3; k++) { /* built apart from the cache, perhaps put there, found there */
        nh_native_options options = {.no_cache = k == 0};
        if (nh_evaluator_new(p, NH_NATIVE, 4, &options, &e, &error) != NH_OK || !nh_evaluator_native(e))
            fail("native build", &error);
        *(k == 0 ? &built : &cached) = nh_native_seconds(nh_evaluator_native(e));
        nh_evaluator_free(e);
    }
    report_text(b->report, "m = %s", size);
    report_number(b->report, "%.2f", built);
    report_number(b->report, "%.2f", 1e3 * cached);
    nh_program_free(p);
    nh_model_free(m);
}

static void run(const bench *b)
{
    evaluations(b);
    ways_to_tape(b);
    report_table(b->report, "functions", "mp-particles|s to build|ms from the cache",
                 "native code of the same, 4 lanes");
    build_times(b, "3");
    build_times(b, "500");
}

const bench_table table_functions = {"functions", "derived functions against code by hand; how long they take to make",
                                     run};
