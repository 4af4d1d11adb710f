/* SPDX-License-Identifier: MIT */
/* What derived functions cost: McLachlan and Perlmutter's particles, m = 3, on the tape and in native code, one and
 * four points at a time, against the same functions written by hand; and the way from a file to a ready tape. */
#include "clock.h"

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

/* The hand-written source, built as generated code is built. */
static nh_native *build_by_hand(void)
{
    static char source[1 << 16];
    nh_native *native = NULL;
    nh_error error = {0};
    FILE *file = fopen(NH_SOURCE_DIR "/bench/hand/mp_particles.c", "r");
    size_t length = file ? fread(source, 1, sizeof source, file) : 0;
    if (file)
        fclose(file);
    if (!length || nh_native_build(source, length, NULL, &native, &error) != NH_OK)
        fail("bench/hand/mp_particles.c", &error);
    return native;
}

static void race(const nh_program *p)
{
    static const struct {
        const char *name;
        nh_backend backend;
        int lanes;
    } way[] = {{"native 1", NH_NATIVE, 1}, {"native 4", NH_NATIVE, 4}, {"tape 1", NH_TAPE, 1}, {"tape 4", NH_TAPE, 4}};
    nh_evaluator *e[4];
    nh_native *hand = build_by_hand();
    nh_error error = {0};
    for (int k = 0; k < 4; k++) {
        if (nh_evaluator_new(p, way[k].backend, way[k].lanes, NULL, &e[k], &error) != NH_OK)
            fail("evaluator", &error);
        if (*nh_evaluator_note(e[k]))
            printf("note: %s\n", nh_evaluator_note(e[k]));
    }
    printf("ns per evaluation of one point (ratio to scalar code by hand)\n\n");
    printf("| function   |  by hand |      native 1 |      native 4 |        tape 1 |        tape 4 |\n");
    printf("| ---------- | -------: | ------------: | ------------: | ------------: | ------------: |\n");
    for (int r = 0; r < REQUESTS; r++) {
        static call calls[5];
        contender list[5];
        for (int k = 0; k < 5; k++) {
            fill(&calls[k]);
            calls[k].number = r + 1;
            calls[k].evaluator = k ? e[k - 1] : NULL;
            calls[k].native = native_of(k ? nh_evaluator_native(e[k - 1]) : hand, r + 1);
            list[k] =
                (contender){k ? way[k - 1].name : "by hand", calls[k].native ? run_native : run_tape, &calls[k], 0};
        }
        clock_race(list, 5, 0.15);
        printf("| %-10s | %8.2f |", names[r], list[0].nanoseconds);
        for (int k = 1; k < 5; k++) {
            double ns = list[k].nanoseconds / way[k - 1].lanes;
            printf(" %5.2f (%5.2f) |", ns, ns / list[0].nanoseconds);
        }
        printf("\n");
    }
    for (int k = 0; k < 4; k++)
        nh_evaluator_free(e[k]);
    nh_native_free(hand);
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

/* Seconds to compile the seven functions, and to find them in the cache. */
static void build_times(const char *size)
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
    printf("| %s | %.2f | %.2f |\n", size, built, 1e3 * cached);
    nh_program_free(p);
    nh_model_free(m);
}

int main(void)
{
    nh_model *m = NULL;
    nh_program *p = load("mp-particles", NULL, NH_DENSE, &m);
    race(p);
    nh_program_free(p);
    nh_model_free(m);

    const char *what[][2] = {{"sleigh", NULL},        {"mp-particles", "3"},   {"mp-particles", "125"},
                             {"mp-particles", "250"}, {"mp-particles", "500"}, {"mp-particles", "1000"}};
    printf("\nms from file to ready tape (the seven functions above, matrices sparse)\n\n| model | ms |\n| --- | ---: "
           "|\n");
    for (int k = 0; k < 6; k++) {
        contender c = {what[k][0], file_to_tape, what[k], 0};
        clock_race(&c, 1, 0.5);
        printf("| %s%s%s | %.3f |\n", what[k][0], what[k][1] ? ", m = " : "", what[k][1] ? what[k][1] : "",
               1e-6 * c.nanoseconds);
    }
    printf("\nnative code of the same for mp-particles, 4 lanes\n\n| m | s to build | ms from the cache |\n");
    printf("| --- | ---: | ---: |\n");
    build_times("3");
    build_times("500");
    return 0;
}
