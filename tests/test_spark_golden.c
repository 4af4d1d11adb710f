/* SPDX-License-Identifier: MIT */
/* Whole motions against values that were computed independently to 28 digits and more, in double and in quad
 * precision: states, energy errors, and the multipliers of the first step. */
#include "test.h"

#include "golden.h"
#include "motion.h"

#include <stdlib.h>

enum { MOST_RUNS = 24, MOST_NUMBERS = 8, MOST_STAGES = 4 };

typedef struct problem {
    const char *file, *model;
    nh_setting set[4];
    int sets;
    nh_setting initial[1];
    int initials;
    bool varying_mass;
} problem;

static const problem problems[] = {
    {.file = "motion_particle.json", .model = "particle"},
    {.file = "motion_skate.json", .model = "skate"},
    {.file = "motion_robot-turning.json", .model = "robot-turning"},
    {.file = "motion_mp-particles.json", .model = "mp-particles"},
    {.file = "motion_disk.json", .model = "disk"},
    {.file = "motion_sleigh.json",
     .model = "sleigh",
     .set = {{"m", "1"}, {"a", "1"}, {"I", "1"}, {"g", "0.1"}},
     .sets = 4,
     .initial = {{"theta", "0"}},
     .initials = 1,
     .varying_mass = true},
    {.file = "motion_contact-oscillator.json", .model = "contact-oscillator"},
    {.file = "motion_cvt.json", .model = "cvt"},
};

/* What the files call a method, and we. Two members of the Newmark family are Lobatto methods where the mass is
 * constant, and only there; the files' McLachlan-Perlmutter method is a generalisation elsewhere. */
typedef struct spelling {
    const char *golden, *spec;
    bool constant_mass;
} spelling;

static const spelling spellings[] = {
    {"spark_gauss1", "gauss(s=1)", false},
    {"spark_gauss2", "gauss(s=2)", false},
    {"spark_gauss3", "gauss(s=3)", false},
    {"spark_gauss4", "gauss(s=4)", false},
    {"spark_lobattoAB2", "lobatto-ab(s=2)", false},
    {"spark_lobattoAB3", "lobatto-ab(s=3)", false},
    {"spark_lobattoAB4", "lobatto-ab(s=4)", false},
    {"spark_lobattoABD2", "lobatto-abd(s=2)", false},
    {"spark_lobattoABD3", "lobatto-abd(s=3)", false},
    {"spark_lobattoABD4", "lobatto-abd(s=4)", false},
    {"spark_lobattoAB2_modified", "lobatto-ab-modified", false},
    {"spark_seuler1", "euler-1", false},
    {"spark_seuler2", "euler-2", false},
    {"spark_radauIA2", "radau-ia(s=2)", false},
    {"spark_radauIA3", "radau-ia(s=3)", false},
    {"mp", "mp", true},
    {"newmark_b0_bp0_a0.5_d15", "lobatto-ab-modified", true},
    {"newmark_b0_bp0_a0.5_d16", "lobatto-ab(s=2)", true},
};

/* ---- Reading ---- */

/* Cuts the text into what comes before the first run, and the runs. */
static int split_runs(char *text, const char **run)
{
    static const char mark[] = "\"method\": \"";
    int count = 0;
    for (char *at = strstr(text, mark); at && count < MOST_RUNS; at = strstr(at, mark)) {
        *at = '\0';
        at += sizeof mark - 1;
        run[count++] = at;
    }
    return count;
}

static const spelling *find_spelling(const char *run)
{
    for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++) {
        const size_t length = strlen(spellings[i].golden);
        if (!strncmp(run, spellings[i].golden, length) && run[length] == '"')
            return &spellings[i];
    }
    return NULL;
}

static int steps_of(const char *run)
{
    const char *at = strstr(run, "\"steps\": ");
    return at ? atoi(at + strlen("\"steps\": ")) : 0;
}

/* ---- Comparing ---- */

typedef struct precision {
    nh_stepper_setting setting;
    nh_quad tolerance, round_off;
} precision;

static const precision in_double = {NH_ON_TAPE, (nh_quad)1e-12, (nh_quad)1e-15};
static const precision in_quad = {NH_IN_QUAD, NH_QUAD_IS_FLOAT128 ? (nh_quad)1e-25 : (nh_quad)1e-14,
                                  NH_QUAD_IS_FLOAT128 ? (nh_quad)1e-32 : (nh_quad)1e-17};

static bool near(const precision *p, nh_quad is, nh_quad want)
{
    const nh_quad size = nh_quad_abs(want);
    return nh_quad_abs(is - want) <= p->tolerance * (size > 1 ? size : 1);
}

static void compare(const precision *p, const char *run, const char *key, const nh_quad *is, int count)
{
    nh_quad want[MOST_NUMBERS * MOST_STAGES];
    if (!CHECK(count <= MOST_NUMBERS * MOST_STAGES && golden_numbers(run, key, want, count) != NULL)) {
        printf("    %.20s: no %s\n", run, key);
        return;
    }
    for (int i = 0; i < count; i++)
        if (!CHECK(near(p, is[i], want[i])))
            printf("    %.20s: %s, number %d is off by %.3g\n", run, key, i + 1, (double)(is[i] - want[i]));
}

static void compare_state(const precision *p, const char *run, const char *q_key, const char *v_key, const motion *o)
{
    nh_quad q[MOST_NUMBERS], v[MOST_NUMBERS];
    for (int i = 0; i < o->n; i++) {
        q[i] = motion_q(o, i);
        v[i] = motion_v(o, i);
    }
    compare(p, run, q_key, q, o->n);
    compare(p, run, v_key, v, o->n);
}

/* The files have Jay's sign, minus ours; Newmark's and the McLachlan-Perlmutter method have no stages there. */
static void compare_multipliers(const precision *p, const char *run, const motion *o)
{
    nh_quad lambda[MOST_NUMBERS * MOST_STAGES];
    if (strncmp(run, "spark_", 6) != 0)
        return;
    for (int j = 0; j < o->s; j++)
        for (int i = 0; i < o->m; i++)
            lambda[j * o->m + i] = -motion_lambda(o, j, i);
    compare(p, run, "Psi_stages_step1", lambda, o->s * o->m);
}

static void compare_audit(const precision *p, const char *run, const motion *o)
{
    const nh_quad largest = motion_at(o, 0, NH_AT_ENERGY_MAX);
    const nh_quad last = motion_at(o, 0, NH_AT_ENERGY_LAST) - motion_at(o, 0, NH_AT_ENERGY);
    compare(p, run, "max_abs_E_minus_E0", &largest, 1);
    compare(p, run, "E_final_minus_E0", &last, 1);
    const nh_quad violation = motion_at(o, 0, NH_AT_CONSTRAINT_MAX);
    const int iterated = strncmp(run, "mp", 2) != 0; /* that method does one Newton step where that is exact */
    if (!CHECK(violation <= p->round_off * (iterated ? 1 : 4)))
        printf("    %.20s: the constraint is off by %.3g\n", run, (double)violation);
}

/* ---- Running ---- */

static void check_run(const precision *p, const nh_model *m, const char *run, const char *spec)
{
    motion o;
    nh_error error;
    origin *from = origin_of(m);
    if (!CHECK(from != NULL))
        return;
    if (!CHECK_EQ_INT(motion_open(&o, m, spec, p->setting, NULL, &error), NH_OK)) {
        printf("    %s: %s\n", spec, error.message);
        free(from);
        return;
    }
    CHECK(o.n <= MOST_NUMBERS && o.s <= MOST_STAGES);
    CHECK(golden_numbers(run, "h", &from->start.h, 1) != NULL);
    CHECK(motion_run(&o, &from->start, 1));
    compare_state(p, run, "q_after_1_step", "v_after_1_step", &o);
    compare_multipliers(p, run, &o);
    motion_aim(&o, 0, steps_of(run));
    CHECK(motion_advance(&o));
    CHECK(steps_of(run) >= 50);
    compare_state(p, run, "q", "v", &o);
    compare_audit(p, run, &o);
    motion_close(&o);
    free(from);
}

static void check_initial(const nh_model *m, const char *head)
{
    origin *from = origin_of(m);
    if (CHECK(from != NULL)) {
        compare(&in_quad, head, "q0", from->q, m->n);
        compare(&in_quad, head, "v0", from->v, m->n);
    }
    free(from);
}

static void check_problem(const precision *digits, const problem *p)
{
    const nh_model_options options = {p->set, p->sets, p->initial, p->initials};
    const char *run[MOST_RUNS];
    nh_model *m = NULL;
    char *text = golden_text(p->file);
    if (CHECK(text != NULL) && CHECK_EQ_INT(nh_model_load(p->model, &options, &m, NULL), NH_OK)) {
        const int runs = split_runs(text, run);
        CHECK(runs >= 16);
        check_initial(m, text);
        for (int i = 0; i < runs; i++) {
            const spelling *s = find_spelling(run[i]);
            if (!CHECK(s != NULL) || (s->constant_mass && p->varying_mass))
                continue;
            const int failed = test_state.failed;
            check_run(digits, m, run[i], s->spec);
            if (test_state.failed > failed)
                printf("    problem: %s\n", p->model);
        }
    }
    nh_model_free(m);
    free(text);
}

static void check_all(const precision *digits)
{
    for (size_t i = 0; i < sizeof problems / sizeof *problems; i++)
        check_problem(digits, &problems[i]);
}

TEST(motions_in_double)
{
    check_all(&in_double);
}

TEST(motions_in_quad)
{
    check_all(&in_quad);
}

TEST_MAIN(RUN(motions_in_double), RUN(motions_in_quad))
