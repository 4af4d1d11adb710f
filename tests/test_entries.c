/* SPDX-License-Identifier: MIT */
/* Zeros of dense matrices that are left out: the right ones, and without a change of the numbers. */
#include "test.h"

#include "kernel/traits.h"
#include "motion.h"

#include <nonholo/model.h>
#include <nonholo/report.h>
#include <stdlib.h>

/* x and y share their mass; both constraints have z'. */
static const char coupled[] = "coordinates x, y, z, w\n"
                              "lagrangian (x'^2 + y'^2 + z'^2 + w'^2)/2 + cos(z)/3*x'*y'\n"
                              "constraint a: w' = x*z'\n"
                              "constraint b: x' = y*z'\n"
                              "initial x = 0.3, y = 0.2, z = 0.1, z' = 1, y' = 0.5, x' = y*z', w' = x*z'\n"
                              "step 0.05\nuntil 1\n";
/* A constraint for each of two pairs: they do not know of each other. */
static const char separate[] = "coordinates x, y, z, w\n"
                               "lagrangian (x'^2 + y'^2 + z'^2 + w'^2)/2\n"
                               "constraint a: x' = y*y'\n"
                               "constraint b: z' = w*w'\n"
                               "initial x = 0.3, y = 0.2, z = 0.1, y' = 1, w = 0.4, w' = 0.5, x' = y*y', z' = w*w'\n"
                               "step 0.05\nuntil 1\n";
/* Neighbours share a coordinate; a row is larger than the one before it, so that they are exchanged. */
static const char chained[] = "coordinates q[1..5]\n"
                              "lagrangian sum(q[i]'^2 for i = 1..5)/2 - q[1]^2*q[4]\n"
                              "constraint i^2*(q[i]' + q[i]*q[i+1]') = 0 for i = 1..4\n"
                              "initial q[i] = 1 for i = 1..5, q[5]' = 1, q[i]' = (-1)^(5 - i) for i = 1..4\n"
                              "step 0.05\nuntil 1\n";

static nh_model *parse(const char *text)
{
    nh_model *m = NULL;
    nh_error error = {0};
    if (!CHECK_EQ_INT(nh_model_parse(text, strlen(text), "text", NULL, &m, &error), NH_OK))
        printf("    %s\n", error.message);
    return m;
}

/* ---- The table ---- */

/* Rows of a matrix as a picture. */
static const char *picture(const bool *mark, int rows, int columns, char *out)
{
    char *next = out;
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < columns; j++)
            *next++ = mark[i * columns + j] ? 'x' : '.';
        *next++ = i < rows - 1 ? ' ' : '\0';
    }
    return out;
}

static const bool *open_marks(const nh_model *model, const char *method, motion *o)
{
    nh_error error = {0};
    if (!CHECK_EQ_INT(motion_open(o, model, method, NH_ON_TAPE, NULL, &error), NH_OK))
        return NULL;
    const bool *entries = nh_stepper_kernel(o->stepper)->entries;
    CHECK(entries);
    return entries;
}

static void check_pictures(const char *text, const char *const *expected)
{
    nh_model *model = parse(text);
    motion o = {0};
    char out[64];
    const bool *entries = model ? open_marks(model, "gauss(s=2)", &o) : NULL;
#define NH_ENTRY(at) entries[at]
    if (entries) {
        const int n = 4, m = 2, l = 0;
        CHECK_STR(picture(&NH_IN_MASS(0, 0), n, n, out), expected[0]);
        CHECK_STR(picture(&NH_IN_INVERSE(0, 0), n, n, out), expected[1]);
        CHECK_STR(picture(&NH_IN_ROWS(0, 0), m, n, out), expected[2]);
        CHECK_STR(picture(&NH_IN_COLUMNS(0, 0), m, n, out), expected[2]);
        CHECK_STR(picture(&NH_IN_LIFT(0, 0), m, n, out), expected[3]);
        CHECK_STR(picture(&NH_IN_GRAM(0, 0), m, m, out), expected[4]);
        CHECK_STR(picture(&NH_IN_LOWER(0, 0), m, m, out), expected[5]);
    }
    motion_close(&o);
    nh_model_free(model);
}

TEST(tables)
{
    static const char *const of_coupled[] = {
        "xx.. xx.. ..x. ...x", "xx.. xx.. ..x. ...x", "..xx x.x.", "..xx xxx.", "xx xx", "x. xx"};
    static const char *const of_separate[] = {
        "x... .x.. ..x. ...x", "x... .x.. ..x. ...x", "xx.. ..xx", "xx.. ..xx", "x. .x", "x. .x"};
    check_pictures(coupled, of_coupled);
    check_pictures(separate, of_separate);
}

/* Rows of a band that are exchanged make it wider, and no more than that. */
TEST(exchanged)
{
    static const char *const methods[] = {"mp", "extrapolation(s=2)"};
    nh_model *model = parse(chained);
    for (int i = 0; model && i < 2; i++) {
        motion o = {0};
        char out[64];
        const bool *entries = open_marks(model, methods[i], &o);
        const int n = 5, m = 4, l = 0;
        if (entries) {
            CHECK_STR(picture(&NH_IN_ROWS(0, 0), m, n, out), "xx... .xx.. ..xx. ...xx");
            CHECK_STR(picture(&NH_IN_PIVOTED(0, 0), m, m, out), "xxx. xxxx .xxx ..xx");
        }
        motion_close(&o);
    }
    nh_model_free(model);
}

/* ---- The numbers ---- */

/* After some steps all velocities and positions are what they are if nothing is left out. Whether something was. */
static bool compare(const nh_model *m, const char *method, nh_stepper_setting setting, const nh_start *from)
{
    enum { STEPS = 10 };
    const nh_stepper_wishes all = {.matrices = NH_MATRICES_DENSE};
    motion with, without;
    nh_error error = {0};
    if (motion_open(&with, m, method, setting, NULL, &error) != NH_OK)
        return false; /* the method does not fit */
    const bool marked = nh_stepper_kernel(with.stepper)->entries;
    if (marked && CHECK_EQ_INT(motion_open_with(&without, m, method, setting, &all, NULL, &error), NH_OK)) {
        bool good = CHECK(!nh_stepper_kernel(without.stepper)->entries);
        good = CHECK_EQ_INT(motion_run(&with, from, STEPS), motion_run(&without, from, STEPS)) && good;
        for (int i = 0; i < m->n; i++)
            good = good && CHECK(motion_q(&with, i) == motion_q(&without, i)) &&
                   CHECK(motion_v(&with, i) == motion_v(&without, i));
        if (!good)
            printf("    %s by %s\n", m->name, method);
        motion_close(&without);
    }
    motion_close(&with);
    return marked;
}

static int compare_all(const nh_model *m)
{
    static const char *const methods[] = {"gauss(s=2)", "lobatto-ab(s=3)", "gauss-standard(s=2)", "extrapolation(s=2)",
                                          "mp"};
    int marked = 0;
    origin *o = origin_of(m);
    if (o) {
        o->start.h = o->start.h > 0 ? o->start.h : 0x1p-6;
        for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
            marked += compare(m, methods[k], NH_ON_TAPE, &o->start);
            compare(m, methods[k], NH_IN_QUAD, &o->start);
        }
    }
    free(o);
    return marked;
}

TEST(numbers)
{
    int marked = 0;
    for (int i = 0; i < nh_catalogue_count(); i++) {
        nh_model *m = NULL;
        if (CHECK_EQ_INT(nh_model_load(nh_catalogue_name(i), NULL, &m, NULL), NH_OK) && m->kind == NH_LAGRANGIAN)
            marked += compare_all(m);
        nh_model_free(m);
    }
    CHECK(marked > 50);
    const char *const texts[] = {coupled, separate, chained};
    for (int i = 0; i < 3; i++) {
        nh_model *m = parse(texts[i]);
        CHECK_EQ_INT(m ? compare_all(m) : 0, i == 0 ? 4 : 5); /* mp has a constant mass */
        nh_model_free(m);
    }
}

/* Where no product has a factor 0, or there are many coordinates, there is no table. */
TEST(no_table)
{
    static const char full[] = "coordinates x, y\n"
                               "lagrangian (x'^2 + y'^2)/2 + cos(x)/3*x'*y'\n"
                               "constraint x' = y*y'\n"
                               "initial y = 0.2, y' = 1, x' = 0.2\nstep 0.05\nuntil 1\n";
    const nh_setting size[] = {{"m", "20"}};
    const nh_model_options options = {.set = size, .set_count = 1};
    nh_model *models[] = {parse(full), NULL};
    CHECK_EQ_INT(nh_model_load("mp-particles", &options, &models[1], NULL), NH_OK);
    for (int i = 0; i < 2; i++) {
        motion o;
        if (models[i] && CHECK_EQ_INT(motion_open(&o, models[i], "gauss(s=2)", NH_ON_TAPE, NULL, NULL), NH_OK)) {
            CHECK(!nh_stepper_kernel(o.stepper)->entries);
            motion_close(&o);
        }
        nh_model_free(models[i]);
    }
}

TEST_MAIN(RUN(tables), RUN(exchanged), RUN(numbers), RUN(no_table))
