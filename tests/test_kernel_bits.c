/* SPDX-License-Identifier: MIT */
/* One bit pattern of whole members, every number of them, in every setting of the kernel: interpreted and compiled, one
 * trajectory and many, in registers of any width and interleaved groups, stages one by one and in lanes, by every
 * compiler, level and target. */
#include "test.h"

#include "base/hash.h"
#include "model/consistent.h"
#include "motion.h"
#include "support.h"

#include <stdlib.h>
#include <sys/stat.h>

enum { MEMBERS = 4, STEPS = 40, MOST_METHODS = 10 };

typedef struct group {
    const char *model, *about;
    const char *method[MOST_METHODS];
    const char *hash; /* of all members by all methods; sines and cosines are the library's own */
} group;

static const group groups[] = {
    {"particle",
     "one constraint, unit mass",
     {"gauss(s=1)", "gauss(s=2)", "gauss(s=3)", "gauss(s=4)", "gauss(s=5)", "lobatto-ab(s=3)", "lobatto-abd(s=2)",
      "radau-ia(s=2)", "lobatto-ab-modified", "mp"},
     "aa46c2abaf175e2344f06e3b1a95a48d"},
    {"mp-particles",
     "seven coordinates",
     {"gauss(s=2)", "gauss(s=5)", "lobatto-ab(s=3)", "euler-1", "mp"},
     "3744ee3181859db15b27cec5b6495182"},
    {"sleigh",
     "the mass depends on q",
     {"gauss(s=1)", "gauss(s=3)", "gauss(s=4)", "lobatto-abd(s=2)", "radau-ia(s=2)"},
     "47c3c69ac79d8b6ed11952c9c43bd894"},
    {"disk",
     "two constraints",
     {"gauss(s=2)", "gauss(s=5)", "lobatto-ab(s=3)", "gauss-standard(s=3)", "mp"},
     "3630571d04ebd7750e24fe3d082021a0"},
    {"driven-knife-edge",
     "the constraint depends on time",
     {"gauss(s=2)", "lobatto-ab-modified", "mp"},
     "5eba6bbad0debf694eb7d79100f1ced3"},
    {"skate-in-bowl",
     "a holonomic constraint too",
     {"lobatto-ab(s=2)", "lobatto-ab(s=4)"},
     "88133defe98be8aa4c3f89ff06567f92"},
    {"dry-friction-incline",
     "the reaction is not ideal",
     {"gauss(s=1)", "lobatto-abd(s=3)"},
     "23f1c33259acb3e455627febd60ba391"},
    {"particle",
     "sequences of an extrapolation",
     {"extrapolation(s=1)", "extrapolation(s=4)", "extrapolation(s=5)", "extrapolation(s=6, tol=1e-9)"},
     "8bc876be8eafa57694a28ff23e9b3bf3"},
    {"mp-particles",
     "the same with seven coordinates",
     {"extrapolation(s=8)", "extrapolation(s=7, tol=1e-10)"},
     "79f698fb7d37acc9a3b7a441f9375df2"},
    {"mp-particles",
     "sequences of (7.3)",
     {"extrapolation(s=1, rule=mp)", "extrapolation(s=5, rule=mp)", "extrapolation(s=8, rule=mp)",
      "extrapolation(s=7, tol=1e-10, rule=mp)"},
     "a9e0310e539ed841f0be22bc96a08202"},
    {"appell", "a constraint that is not linear", {"extrapolation(s=5, tol=1e-8)"}, "8897f1f6358e306b804705b4b1b8fd10"},
    {"sleigh", "the mass depends on q", {"extrapolation(s=8, tol=1e-10)"}, "4e38997f38a0f9f9a7c26eecb2900c8e"},
    {"disk",
     "two constraints",
     {"extrapolation(s=5, tol=1e-9)", "extrapolation(s=3, rule=mp)"},
     "4001a4a009b648be4a2ee5a083883253"},
};

/* ---- Members ---- */

/* Four starts, steps and targets near those of the model, and what becomes of them one by one on the tape. */
typedef struct members {
    origin *from[MEMBERS];
    int steps[MEMBERS];
    int size, stages;
    double *end; /* [MEMBERS][size] */
} members;

static bool draw_members(const nh_model *m, members *all)
{
    uint64_t seed = 7;
    bool good = true;
    for (int k = 0; k < MEMBERS; k++) {
        origin *o = all->from[k] = origin_of(m);
        all->steps[k] = STEPS - 13 * k;
        for (int i = 0; o && k > 0 && i < m->n; i++) {
            o->q[i] += (nh_quad)(0.1 * next_uniform(&seed));
            o->v[i] += (nh_quad)(0.1 * next_uniform(&seed));
        }
        if (o)
            o->start.h /= 1 + k;
        good = good && o && nh_project(m, o->start.parameter, 0, o->q, o->v, NULL) == NH_OK;
    }
    return CHECK(good);
}

static void free_members(members *all)
{
    for (int k = 0; k < MEMBERS; k++)
        free(all->from[k]);
    free(all->end);
}

/* Whole batches have so many; those after the last one are the members again, each in another lane. */
static int runs_of(const motion *o)
{
    return (MEMBERS + o->lanes - 1) / o->lanes * o->lanes;
}

static int member_of(int run)
{
    return (run + run / MEMBERS) % MEMBERS;
}

/* A batch, from the start; where it does not go yet. */
static void start_batch(const members *all, motion *o, int first)
{
    for (int lane = 0; lane < o->lanes; lane++) {
        const int member = member_of(first + lane);
        motion_start(o, lane, &all->from[member]->start);
        motion_aim(o, lane, all->steps[member]);
    }
}

/* All members in a setting, [run][place], as many at a time as it takes; NULL if they do not arrive. */
static double *run_members(const members *all, motion *o)
{
    double *end = calloc((size_t)(runs_of(o) * o->size), sizeof *end);
    for (int first = 0; end && first < MEMBERS; first += o->lanes) {
        start_batch(all, o, first);
        CHECK(motion_advance(o));
        for (int lane = 0; lane < o->lanes; lane++)
            for (int i = 0; i < o->size; i++)
                end[(first + lane) * o->size + i] = (double)motion_at(o, lane, i);
    }
    return end;
}

/* ---- Builds ---- */

typedef struct build {
    nh_stepper_setting setting;
    nh_native_options options;
    nh_shape shape; /* of lanes */
} build;

static const char *const setting_name[] = {
    [NH_ON_TAPE] = "tape",
    [NH_ON_TAPE_LANES] = "tape, lanes",
    [NH_IN_QUAD] = "quad",
    [NH_COMPILED] = "compiled",
    [NH_COMPILED_LANES] = "compiled, lanes",
    [NH_COMPILED_STAGES] = "compiled, stages in lanes",
};

static const nh_native_options builds[] = {
    {.compiler = "gcc", .optimisation = "-O0"}, {.compiler = "clang", .optimisation = "-O3"},
    {.compiler = "gcc", .optimisation = "-O1"}, {.compiler = "clang", .optimisation = "-O2"},
    {.compiler = "gcc", .optimisation = "-O2"}, {.compiler = "clang", .optimisation = "-O1"},
    {.compiler = "gcc", .optimisation = "-O3"}, {.compiler = "clang", .optimisation = "-O0"},
    {.compiler = "gcc", .target = "generic"},   {.compiler = "clang", .target = "generic"},
};
enum { BUILDS = sizeof builds / sizeof *builds };

static void report(const nh_model *m, const char *method, const build *b, const char *what)
{
    printf("    %s, %s, %s (%d, %d): %s %s %s: %s\n", m->name, method, setting_name[b->setting], b->shape.width,
           b->shape.groups, b->options.compiler ? b->options.compiler : "",
           b->options.optimisation ? b->options.optimisation : "", b->options.target ? b->options.target : "", what);
}

/* The number of places, over all members, whose bits differ from those of the tape; -1 without a run. */
static int differences(const nh_model *m, const char *method, const members *all, const build *b)
{
    motion o;
    nh_error error;
    int count = 0;
    const nh_stepper_wishes wishes = {.shape = b->shape};
    if (!CHECK_EQ_INT(motion_open_with(&o, m, method, b->setting, &wishes, &b->options, &error), NH_OK)) {
        report(m, method, b, error.message);
        return -1;
    }
    double *end = run_members(all, &o);
    for (int i = 0; i < runs_of(&o) * o.size; i++)
        count += memcmp(&end[i], &all->end[member_of(i / o.size) * o.size + i % o.size], sizeof *end) != 0;
    free(end);
    motion_close(&o);
    return count;
}

static bool compare(const nh_model *m, const char *method, const members *all, const build *b)
{
    const bool same = CHECK_EQ_INT(differences(m, method, all, b), 0);
    if (!same)
        report(m, method, b, "other bits than the tape");
    return same;
}

/* ---- Groups ---- */

/* Members by one method, one by one on the tape: what everything else must be equal to. */
static bool on_tape(const nh_model *m, const char *method, members *all)
{
    motion o;
    nh_error error;
    if (!CHECK_EQ_INT(motion_open(&o, m, method, NH_ON_TAPE, NULL, &error), NH_OK)) {
        printf("    %s, %s: %s\n", m->name, method, error.message);
        return false;
    }
    free(all->end);
    all->size = o.size;
    all->stages = o.s;
    all->end = run_members(all, &o);
    motion_close(&o);
    return all->end != NULL;
}

/* The library's kernels for registers of two numbers, which every processor has: one is not chosen where there are
 * wider ones. */
static void on_narrow_registers(const nh_model *m, const char *method, const members *all, nh_stepper_setting setting)
{
    motion o;
    const nh_stepper_wishes four = {.shape = {4, 1}};
    if (!CHECK_EQ_INT(motion_open_with(&o, m, method, setting, &four, NULL, NULL), NH_OK))
        return;
    const nh_kernel *k = nh_stepper_kernel(o.stepper);
    nh_kernel_advance *const stages[] = {nh_spark_stages_advance, NULL, nh_extrapolation_stages_advance};
    nh_kernel_advance *const lanes[] = {nh_spark_advance_4, nh_mp_advance_4, nh_extrapolation_advance_4};
    nh_kernel_advance *advance = (k->call_stages ? stages : lanes)[nh_stepper_choice(o.stepper)->method->kernel];
    for (int first = 0; first < MEMBERS && (o.lanes == 4 || k->call_stages); first += o.lanes) {
        int different = 0;
        start_batch(all, &o, first);
        advance(k, o.batch);
        for (int i = 0; i < o.size * o.lanes; i++)
            different += memcmp((double *)o.batch + i, &all->end[(first + i % o.lanes) * o.size + i / o.lanes],
                                sizeof(double)) != 0;
        if (!CHECK_EQ_INT(different, 0))
            printf("    %s, %s, %s, narrow registers\n", m->name, method, setting_name[setting]);
    }
    motion_close(&o);
}

/* For any processor: registers that it does not have are several of those that it has. */
static const nh_shape shapes[] = {{2, 1}, {8, 1}, {4, 1}, {2, 2}, {8, 2}, {4, 2}, {2, 3}, {8, 3}, {4, 3}};
enum { SHAPES = sizeof shapes / sizeof *shapes };

/* How many methods have the bits of the tape in a compiled setting and a build; one stage has no lanes of stages. */
static int met[NH_COMPILED_STAGES - NH_COMPILED + 1][BUILDS];

/* Each method meets one compiled setting in one build, and the next one others, so that all settings meet all builds:
 * three and ten have no common divisor. All methods in all of them would take an hour. */
static void one_method(const nh_model *m, const char *method, const members *all, int shift)
{
    compare(m, method, all, &(build){.setting = NH_ON_TAPE_LANES});
    compare(m, method, all, &(build){.setting = NH_ON_TAPE_LANES, .shape = {4, 1}});
    on_narrow_registers(m, method, all, NH_ON_TAPE_LANES);
    on_narrow_registers(m, method, all, NH_ON_TAPE);
    const int setting = shift % 3, which = shift % BUILDS;
    build b = {(nh_stepper_setting)(NH_COMPILED + setting), builds[which], shapes[shift / 3 % SHAPES]};
    if (strcmp(method, "mp") != 0)
        b.shape.groups = 1; /* as it is; more take the compilers long */
    met[setting][which] += compare(m, method, all, &b) && (b.setting != NH_COMPILED_STAGES || all->stages > 1);
}

/* The number of its methods; `shift` is that of the methods before it. */
static int one_group(const group *g, int shift)
{
    int k = 0;
    members all = {0};
    nh_model *m = NULL;
    char hashes[MOST_METHODS * 32 + 1] = "", hash[33];
    if (CHECK_EQ_INT(nh_model_load(g->model, NULL, &m, NULL), NH_OK) && draw_members(m, &all))
        for (; k < MOST_METHODS && g->method[k]; k++) {
            if (!on_tape(m, g->method[k], &all))
                continue;
            nh_hash_hex(all.end, (size_t)(MEMBERS * all.size) * sizeof *all.end, hash);
            strcat(hashes, hash);
            one_method(m, g->method[k], &all, shift + k);
        }
    nh_hash_hex(hashes, strlen(hashes), hash);
    if (NH_QUAD_IS_FLOAT128)
        CHECK_STR(hash, g->hash);
    free_members(&all);
    nh_model_free(m);
    return k;
}

TEST(settings_have_the_bits_of_the_tape)
{
    int methods = 0;
    for (int i = 0; i < (int)(sizeof groups / sizeof *groups); i++)
        methods += one_group(&groups[i], methods);
}

/* ---- Every setting in every build ---- */

TEST(compilers_levels_and_targets)
{
    for (nh_stepper_setting s = NH_COMPILED; s <= NH_COMPILED_STAGES; s++)
        for (int k = 0; k < BUILDS; k++)
            if (!CHECK(met[s - NH_COMPILED][k] > 0))
                printf("    %s, %s %s %s: by no method\n", setting_name[s], builds[k].compiler,
                       builds[k].optimisation ? builds[k].optimisation : "", builds[k].target ? builds[k].target : "");
}

/* ---- Shapes and widths; and a build that must differ ---- */

static void with_members(const char *model, const char *method, void (*then)(const nh_model *, const char *, members *))
{
    members all = {0};
    nh_model *m = NULL;
    if (CHECK_EQ_INT(nh_model_load(model, NULL, &m, NULL), NH_OK) && draw_members(m, &all) && on_tape(m, method, &all))
        then(m, method, &all);
    free_members(&all);
    nh_model_free(m);
}

/* Every shape of batches by a method that has groups, for a processor that has such registers if this one has. */
static void all_shapes(const nh_model *m, const char *method, members *all)
{
    static const char *const target[] = {[2] = "x86-64-v2", [4] = "x86-64-v3", [8] = "x86-64-v4"};
    for (int k = 0; k < SHAPES; k++) {
        build b = {NH_COMPILED_LANES, {.compiler = k % 2 ? "clang" : "gcc", .optimisation = "-O2"}, shapes[k]};
        if (strcmp(target[b.shape.width], nh_native_target(true)) <= 0)
            b.options.target = target[b.shape.width];
        compare(m, method, all, &b);
    }
}

TEST(widths_and_groups)
{
    with_members("mp-particles", "mp", all_shapes);
    with_members("disk", "mp", all_shapes);
}

/* Eight stages in a register, and four in each of two, by one compiler each. */
static void wide_by_gcc(const nh_model *m, const char *method, members *all)
{
    compare(m, method, all, &(build){NH_COMPILED_STAGES, {.compiler = "gcc"}, {8, 1}});
    compare(m, method, all, &(build){NH_COMPILED_STAGES, {.compiler = "clang", .optimisation = "-O2"}, {4, 1}});
}

static void wide_by_clang(const nh_model *m, const char *method, members *all)
{
    compare(m, method, all, &(build){NH_COMPILED_STAGES, {.compiler = "clang", .optimisation = "-O2"}, {8, 1}});
    compare(m, method, all, &(build){NH_COMPILED_STAGES, {.compiler = "gcc"}, {4, 1}});
}

TEST(eight_stages)
{
    with_members("mp-particles", "gauss(s=8)", wide_by_gcc);
    with_members("disk", "gauss(s=7)", wide_by_clang);
    with_members("sleigh", "lobatto-abd(s=6)", wide_by_gcc);
    with_members("skate-in-bowl", "lobatto-ab(s=5)", wide_by_clang);
}

/* Flags of a build end with contraction off; a compiler that puts it on again afterwards is a script. */
static bool write_contracting_compiler(const char *path)
{
    FILE *file = fopen(path, "w");
    bool good = file && fputs("#!/bin/sh\nexec gcc \"$@\" -mavx2 -mfma -ffp-contract=fast\n", file) >= 0;
    good = file && fclose(file) == 0 && good;
    return good && chmod(path, 0755) == 0;
}

static void contracted(const nh_model *m, const char *method, members *all)
{
    static const char path[] = "./contracting-cc";
    if (!CHECK(write_contracting_compiler(path)))
        return;
    for (nh_stepper_setting s = NH_COMPILED; s <= NH_COMPILED_STAGES; s++) {
        const build b = {s, {.compiler = path, .optimisation = "-O2", .no_cache = true}, {0}};
        if (!CHECK(differences(m, method, all, &b) > 0))
            report(m, method, &b, "contraction is not noticed");
    }
    remove(path);
}

TEST(contraction_is_noticed)
{
    if (strncmp(nh_native_target(false), "x86-64-v3", 9) == 0)
        with_members("disk", "gauss(s=2)", contracted);
}

/* A number that is off by one in the last place in one lane is noticed there and nowhere else. */
static void one_ulp(const nh_model *m, const char *method, members *all)
{
    all->from[2]->q[0] = (nh_quad)nextafter((double)all->from[2]->q[0], 9);
    const int count = differences(m, method, all, &(build){.setting = NH_ON_TAPE_LANES});
    CHECK(count > 0 && count <= all->size);
}

TEST(one_unit_in_the_last_place_is_noticed)
{
    with_members("disk", "gauss(s=2)", one_ulp);
}

TEST_MAIN(RUN(settings_have_the_bits_of_the_tape), RUN(compilers_levels_and_targets), RUN(widths_and_groups),
          RUN(eight_stages), RUN(contraction_is_noticed), RUN(one_unit_in_the_last_place_is_noticed))
