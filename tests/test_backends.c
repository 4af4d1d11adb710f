/* SPDX-License-Identifier: MIT */
/* One bit pattern for every backend, number of lanes, compiler and optimisation level. */
#include "test.h"

#include "base/hash.h"
#include "base/resource.h"
#include "model/derived.h"
#include "native/evaluator.h"
#include "support.h"

#include <nonholo/report.h>
#include <stdlib.h>

enum { POINTS = 8 };

/* Everything that methods ask of a Lagrangian model, values, tangents and matrices. */
static const nh_request lagrangian[] = {
    {.of = NH_OF_LAGRANGIAN},
    {.of = NH_OF_MOMENTUM},
    {.of = NH_OF_FORCE},
    {.of = NH_OF_CONSTRAINT},
    {.of = NH_OF_HOLONOMIC},
    {.of = NH_OF_REACTION},
    {.of = NH_OF_ENERGY},
    {.of = NH_OF_POWER},
    {.of = NH_OF_OBSERVABLES},
    {.of = NH_OF_MOMENTUM, .order = 1, .by = {NH_V}},
    {.of = NH_OF_MOMENTUM, .order = 1, .by = {NH_Q}, .layout = NH_SPARSE},
    {.of = NH_OF_CONSTRAINT, .order = 1, .by = {NH_V}},
    {.of = NH_OF_FORCE, .order = 1, .by = {NH_Q}},
    {.of = NH_OF_MOMENTUM, .tangent = 1u << NH_Q | 1u << NH_V | 1u << NH_TIME},
    {.of = NH_OF_FORCE, .tangent = 1u << NH_Q | 1u << NH_V | 1u << NH_PARAMETER},
    {.of = NH_OF_CONSTRAINT, .tangent = 1u << NH_Q | 1u << NH_V},
    {.of = NH_OF_REACTION, .tangent = 1u << NH_Q | 1u << NH_LAMBDA},
};
static const nh_request dae[] = {
    {.of = NH_OF_FORCE}, {.of = NH_OF_CONSTRAINT}, {.of = NH_OF_FORCE, .order = 1, .by = {NH_LAMBDA}}};
static const nh_request hamiltonian[] = {
    {.of = NH_OF_LAGRANGIAN}, {.of = NH_OF_LAGRANGIAN, .order = 1, .by = {NH_Q}}, {.of = NH_OF_STRUCTURE}};

static nh_program *program_of(const nh_model *m)
{
    nh_program *p = NULL;
    nh_error error = {0};
    const nh_request *r = m->kind == NH_LAGRANGIAN ? lagrangian : m->kind == NH_DAE ? dae : hamiltonian;
    int count = m->kind == NH_LAGRANGIAN ? sizeof lagrangian / sizeof *lagrangian
                : m->kind == NH_DAE      ? sizeof dae / sizeof *dae
                                         : sizeof hamiltonian / sizeof *hamiltonian;
    if (!CHECK_EQ_INT(nh_derive_program(m, r, count, &p, &error), NH_OK))
        printf("%s: %s\n", m->file, error.message);
    return p;
}

static int outputs_of(const nh_program *p)
{
    int total = 0;
    for (int f = 1; f < nh_program_functions(p); f++)
        total += nh_program_outputs(p, f);
    return total;
}

/* All outputs of all functions at POINTS points, [point][output], evaluated `lanes` at a time. */
static double *evaluate(const nh_model *m, const nh_program *p, nh_backend backend, int lanes,
                        const nh_native_options *options)
{
    int total = outputs_of(p);
    double *result = calloc((size_t)total * POINTS + 1, sizeof *result);
    double *c = malloc((size_t)(nh_program_constants(p) + 1) * (size_t)lanes * sizeof *c);
    double *y = malloc((size_t)(total + 1) * (size_t)lanes * sizeof *y), *x[NH_SPACES];
    nh_evaluator *e = NULL;
    CHECK_EQ_INT(nh_evaluator_new(p, backend, lanes, options, &e, NULL), NH_OK);
    CHECK_STR(nh_evaluator_note(e), "");
    for (int s = 0; s < NH_SPACES; s++)
        x[s] = malloc((size_t)(nh_model_space_size(m, (nh_space)s) + 1) * (size_t)lanes * sizeof *x[s]);
    for (int first = 0; first < POINTS; first += lanes) {
        for (int s = 0; s < NH_SPACES; s++)
            for (int l = 0; l < lanes; l++) {
                uint64_t seed = (uint64_t)(1000 * s + first + l);
                for (int k = 0; k < nh_model_space_size(m, (nh_space)s); k++)
                    x[s][k * lanes + l] = 0.1 + 0.8 * next_uniform(&seed);
            }
        nh_evaluate(e, 0, c, (const double *const *)x, c);
        for (int f = 1, at = 0; f < nh_program_functions(p); at += nh_program_outputs(p, f++)) {
            nh_evaluate(e, f, c, (const double *const *)x, y);
            for (int k = 0; k < nh_program_outputs(p, f); k++)
                for (int l = 0; l < lanes; l++)
                    result[(first + l) * total + at + k] = y[k * lanes + l];
        }
    }
    for (int s = 0; s < NH_SPACES; s++)
        free(x[s]);
    free(c);
    free(y);
    nh_evaluator_free(e);
    return result;
}

static void compare(const nh_model *m, const nh_program *p, const double *want, nh_backend backend, int lanes,
                    const nh_native_options *options)
{
    double *is = evaluate(m, p, backend, lanes, options);
    if (!CHECK(memcmp(want, is, (size_t)outputs_of(p) * POINTS * sizeof *is) == 0))
        printf("    %s: %s %s, %d lanes\n", m->name, backend == NH_TAPE ? "tape" : options->compiler,
               backend == NH_TAPE ? "" : options->optimisation, lanes);
    free(is);
}

TEST(every_model)
{
    static const nh_native_options usual = {.compiler = "gcc", .optimisation = "-O3"};
    int count;
    const nh_resource *models = nh_resource_models(&count);
    for (int i = 0; i < count; i++) {
        nh_model *m = NULL;
        CHECK_EQ_INT(nh_model_load(models[i].name, NULL, &m, NULL), NH_OK);
        nh_program *p = m ? program_of(m) : NULL;
        if (p) {
            double *one = evaluate(m, p, NH_TAPE, 1, NULL);
            compare(m, p, one, NH_TAPE, 4, NULL);
            compare(m, p, one, NH_TAPE, 8, NULL);
            compare(m, p, one, NH_NATIVE, 1, &usual);
            compare(m, p, one, NH_NATIVE, 4, &usual);
            free(one);
        }
        nh_program_free(p);
        nh_model_free(m);
    }
}

/* Hashes of all outputs: any change of the graph's simplification, of lowering or of arithmetic shows here. Of
 * elementary functions there are sine and cosine, which are the library's own. */
typedef struct golden {
    const char *model, *hash;
} golden;

static const golden goldens[] = {
    {"mp-particles", "e2b3d068155d40ce0646ae9b7c05062a"}, {"chaotic-particle", "2f37a42ca932c48f2d438e6b77f55c7f"},
    {"sleigh", "5956d5589175a77ed65403839d729ca2"},       {"car-with-trailers", "c326ddc7f3de58877d2872efb9f6488a"},
    {"rattleback", "2bb10cfe1fb6d5ff0fb9a946e30a990b"},   {"dry-friction", "f72bd375b1ac1f1532aa191dbd6ddc30"},
};

/* There are twelve builds; each is met by every third model. */
static void one_model(const golden *want, int turn)
{
    static const char *const compilers[] = {"gcc", "clang"}, *const levels[] = {"-O0", "-O3"};
    nh_model *m = NULL;
    if (!CHECK_EQ_INT(nh_model_load(want->model, NULL, &m, NULL), NH_OK))
        return;
    nh_program *p = program_of(m);
    size_t bytes = (size_t)outputs_of(p) * POINTS * sizeof(double);
    double *tape = evaluate(m, p, NH_TAPE, 1, NULL);
    char hash[33];
    nh_hash_hex(tape, bytes, hash);
    CHECK_STR(hash, want->hash);
    for (int k = turn % 3; k < 12; k += 3) {
        int lanes = 1 << (k / 4 ? k / 4 + 1 : 0); /* 1, 4, 8 */
        nh_native_options o = {.compiler = compilers[k % 2], .optimisation = levels[k / 2 % 2]};
        compare(m, p, tape, NH_NATIVE, lanes, &o);
    }
    free(tape);
    nh_program_free(p);
    nh_model_free(m);
}

TEST(native_code_has_the_bits_of_the_tape)
{
    for (size_t i = 0; i < sizeof goldens / sizeof *goldens; i++)
        one_model(&goldens[i], (int)i);
}

/* What else was derived before, or is derived along with it, does not change a function's bits. */
TEST(bits_do_not_depend_on_history)
{
    for (size_t i = 0; i < sizeof goldens / sizeof *goldens; i++) {
        nh_model *fresh = NULL, *used = NULL;
        CHECK_EQ_INT(nh_model_load(goldens[i].model, NULL, &fresh, NULL), NH_OK);
        CHECK_EQ_INT(nh_model_load(goldens[i].model, NULL, &used, NULL), NH_OK);
        char *text = NULL;
        CHECK_EQ_INT(nh_describe(used, NH_FORMAT_JSON, &text, NULL), NH_OK);
        nh_text_release(text);
        int count = sizeof lagrangian / sizeof *lagrangian;
        for (int r = count - 1; r >= 0; r--) { /* alone and in reverse order, against all together */
            nh_program *alone = NULL;
            CHECK_EQ_INT(nh_derive_program(used, &lagrangian[r], 1, &alone, NULL), NH_OK);
            nh_program_free(alone);
        }
        nh_program *a = program_of(fresh), *b = program_of(used);
        double *x = evaluate(fresh, a, NH_TAPE, 1, NULL);
        compare(used, b, x, NH_TAPE, 1, NULL);
        for (int r = 0, at = 0; r < count; at += nh_program_outputs(a, ++r)) {
            nh_program *alone = NULL;
            CHECK_EQ_INT(nh_derive_program(used, &lagrangian[r], 1, &alone, NULL), NH_OK);
            double *y = evaluate(used, alone, NH_TAPE, 1, NULL);
            int size = outputs_of(alone);
            for (int k = 0; k < POINTS; k++)
                CHECK(memcmp(&x[k * outputs_of(a) + at], &y[k * size], (size_t)size * sizeof *y) == 0);
            free(y);
            nh_program_free(alone);
        }
        free(x);
        nh_program_free(a);
        nh_program_free(b);
        nh_model_free(fresh);
        nh_model_free(used);
    }
}

/* The C for a large family is as long as for a small one. (With m = 3 two ranges have length one, and are no loops.) */
TEST(source_does_not_grow_with_the_family)
{
    size_t lines[2] = {0, 0};
    const char *size[2] = {"4", "500"};
    for (int k = 0; k < 2; k++) {
        nh_setting set = {"m", size[k]};
        nh_model *m = NULL;
        nh_text source = {0};
        CHECK_EQ_INT(nh_model_load("mp-particles", &(nh_model_options){&set, 1, NULL, 0}, &m, NULL), NH_OK);
        nh_program *p = program_of(m);
        nh_program_emit(p, 4, &source);
        for (const char *s = nh_text_get(&source); *s; s++)
            lines[k] += *s == '\n';
        nh_text_free(&source);
        nh_program_free(p);
        nh_model_free(m);
    }
    CHECK_EQ_INT(lines[0], lines[1]);
}

static void falls_back(const nh_program *p, const nh_native_options *options, const char *because)
{
    nh_evaluator *e = NULL;
    CHECK_EQ_INT(nh_evaluator_new(p, NH_NATIVE, 1, options, &e, NULL), NH_OK);
    CHECK_EQ_INT(nh_evaluator_backend(e), NH_TAPE);
    if (!CHECK(strstr(nh_evaluator_note(e), because) != NULL))
        printf("    note: %s\n", nh_evaluator_note(e));
    nh_evaluator_free(e);
}

TEST(what_native_code_lacks_falls_back_to_the_tape)
{
    nh_model *m = NULL;
    CHECK_EQ_INT(nh_model_load("sleigh", NULL, &m, NULL), NH_OK);
    nh_program *p = program_of(m);
    falls_back(p, &(nh_native_options){.compiler = "no-such-compiler-anywhere"}, "no-such-compiler-anywhere");
    falls_back(p, &(nh_native_options){.cache = NH_SOURCE_DIR "/README.md/cache"}, "README.md/cache");
    nh_program_free(p);
    nh_model_free(m);
}

TEST_MAIN(RUN(every_model), RUN(native_code_has_the_bits_of_the_tape), RUN(bits_do_not_depend_on_history),
          RUN(source_does_not_grow_with_the_family), RUN(what_native_code_lacks_falls_back_to_the_tape))
