/* SPDX-License-Identifier: MIT */
/* Every model of the catalogue is well posed, and is what the literature says it is. */
#include "test.h"

#include "analysis/classify.h"

#include <nonholo/nonholo.h>
#include <stdlib.h>

typedef struct expected {
    const char *name;
    int n, m, holonomic;
    int integrable; /* 1, 0; -1: not defined */
    int integrals;  /* hidden ones; -1: not defined */
    int energy;     /* conserved: 1, 0; -1: there is none */
    int reversible;
    int index;
    int growth[6]; /* generic growth vector; 0: the end */
} expected;

static const expected table[] = {
    {"appell", 3, 1, 0, -1, -1, 1, 1, 2, {0}},
    {"ball-in-cylinder", 5, 2, 0, 0, 0, 1, 1, 2, {3, 5}},
    {"ball-on-turntable", 5, 2, 0, 0, 0, 0, 0, 2, {4, 6}}, /* with time */
    {"car-with-trailers", 6, 4, 0, 0, 0, 1, 1, 2, {2, 3, 4, 5, 6}},
    {"chaotic-particle", 5, 1, 0, 0, 0, 1, 1, 2, {4, 5}},
    {"chaplygin-ball", 5, 2, 0, 0, 0, 1, 1, 2, {3, 5}},
    {"contact-oscillator", 3, 1, 0, 0, 0, 1, 1, 2, {2, 3}},
    {"cvt", 3, 1, 0, 0, 0, 1, 1, 2, {2, 3}},
    {"cvt-perturbed", 3, 1, 0, 0, 0, 1, 1, 2, {2, 3}},
    {"dae-spark", 2, 1, 0, -1, -1, -1, -1, 2, {0}},
    {"dae-srk", 2, 1, 0, -1, -1, -1, -1, 2, {0}},
    {"differential-drive", 5, 3, 0, 0, 1, 1, 1, 2, {2, 3, 4}},
    {"differentiated-pendulum", 2, 1, 0, 1, 1, 1, 1, 2, {1}},
    {"disk", 4, 2, 0, 0, 0, 1, 1, 2, {2, 3, 4}},
    {"disk-potential", 4, 2, 0, 0, 0, 1, 1, 2, {2, 3, 4}},
    {"driven-knife-edge", 2, 1, 0, 0, 0, 1, 0, 2, {2, 3}}, /* with time */
    {"dry-friction", 3, 1, 0, 0, 0, 0, 0, 2, {2, 3}},
    {"dry-friction-incline", 3, 1, 0, 0, 0, 0, 0, 2, {2, 3}},
    {"falling-disk", 5, 2, 0, 0, 0, 1, 1, 2, {3, 4, 5}},
    {"free-particle", 3, 1, 0, 0, 0, 1, 1, 2, {2, 3}},
    {"heisenberg", 3, 1, 0, 0, 0, 1, 1, 2, {2, 3}},
    {"heisenberg-hamiltonian", 7, 0, 0, -1, -1, 1, -1, 1, {0}},
    {"heisenberg-oscillator", 3, 1, 0, 0, 0, 1, 1, 2, {2, 3}},
    {"isokinetic", 2, 1, 0, -1, -1, 0, 1, 2, {0}},
    {"mp-particles", 7, 1, 0, 0, 0, 1, 1, 2, {6, 7}},
    {"mp-particles-printed", 7, 1, 0, 1, 1, 1, 1, 2, {6}},
    {"parallel-particles", 4, 1, 0, -1, -1, 1, 1, 2, {0}},
    {"particle", 3, 1, 0, 0, 0, 1, 1, 2, {2, 3}},
    {"particle-channel", 3, 1, 0, 0, 0, 1, 1, 2, {2, 3}},
    {"rattleback", 5, 2, 0, 0, 0, 1, 1, 2, {3, 5}},
    {"robot", 4, 2, 0, 0, 0, 1, 1, 2, {2, 3, 4}},
    {"robot-turning", 4, 2, 0, 0, 0, 1, 1, 2, {2, 3, 4}},
    {"roller-racer", 4, 2, 0, 0, 0, 1, 1, 2, {2, 3, 4}},
    {"rolling-ball", 5, 2, 0, 0, 0, 1, 1, 2, {3, 5}},
    {"rotating-rod", 2, 0, 1, 1, 0, 0, 0, 3, {2}}, /* with time */
    {"skate", 3, 1, 0, 0, 0, 1, 1, 2, {2, 3}},
    {"skate-beam", 24, 8, 0, 0, 0, 1, 1, 2, {16, 24}},
    {"skate-chain", 24, 8, 0, 0, 0, 1, 1, 2, {16, 24}},
    {"skate-in-bowl", 4, 1, 1, 0, 0, 1, 1, 3, {2, 3}},
    {"skate-rotor", 4, 1, 0, 0, 0, 1, 1, 2, {3, 4}},
    {"sleigh", 3, 1, 0, 0, 0, 1, 1, 2, {2, 3}},
    {"snakeboard", 6, 2, 0, 0, 0, 1, 1, 2, {4, 6}},
    {"snakeboard-gait", 6, 2, 3, 0, 0, 0, 0, 3, {2, 3, 4}}, /* with time */
    {"spherical-pendulum", 3, 0, 1, 1, 0, 1, 1, 3, {2}},
    {"suslov", 3, 1, 0, 0, 0, 1, 1, 2, {2, 3}},
    {"trailer-train", 10, 4, 4, 0, 0, 1, 1, 3, {2, 3, 4, 5, 6}},
    {"vehicle", 4, 2, 0, 0, 0, 1, 1, 2, {2, 3, 4}},
    {"vehicle-bowl", 4, 2, 0, 0, 0, 1, 1, 2, {2, 3, 4}},
    {"vehicle-hamiltonian", 10, 0, 0, -1, -1, 1, -1, 1, {0}},
    {"veselova", 3, 1, 0, 0, 0, 1, 1, 2, {2, 3}},
};
enum { ROWS = sizeof table / sizeof table[0] };

static nh_model *load(const char *name)
{
    nh_model *m = NULL;
    nh_error error = {0};
    if (nh_model_load(name, NULL, &m, &error) != NH_OK)
        printf("%s: %s\n", name, error.message);
    return m;
}

static int as_number(nh_answer a)
{
    return a == NH_YES ? 1 : a == NH_NO ? 0 : -1;
}

static bool check_growth(const nh_growth *growth, const int *want)
{
    int length = 0;
    while (length < 6 && want[length])
        length++;
    bool good = length == 0 ? !growth->defined : CHECK_EQ_INT(growth->length, length);
    for (int i = 0; good && i < length; i++)
        good = CHECK_EQ_INT(growth->dimension[i], want[i]);
    return good;
}

static bool check_class(const nh_classification *c, const expected *want)
{
    const nh_distribution *d = &c->distribution;
    bool good = CHECK_EQ_INT(c->n, want->n);
    good &= CHECK_EQ_INT(c->m, want->m);
    good &= CHECK_EQ_INT(c->holonomic, want->holonomic);
    good &= CHECK_EQ_INT(as_number(d->integrable.answer), want->integrable);
    good &= CHECK_EQ_INT(d->defined ? d->integrals : -1, want->integrals);
    good &= CHECK_EQ_INT(as_number(c->energy.conserved.answer), want->energy);
    good &= CHECK_EQ_INT(as_number(c->reversal.reversible.answer), want->reversible);
    good &= CHECK_EQ_INT(c->regularity.index, want->index);
    good &= CHECK(c->regularity.saddle_regular);
    good &= CHECK(c->regularity.residual < 1e-25);
    good &= check_growth(&d->generic, want->growth);
    return good;
}

TEST(properties)
{
    for (int i = 0; i < ROWS; i++) {
        nh_classification *c = NULL;
        nh_model *m = load(table[i].name);
        if (CHECK(m != NULL) && CHECK_EQ_INT(nh_classify(m, &c, NULL), NH_OK) && !check_class(c, &table[i]))
            printf("    of %s\n", table[i].name);
        nh_classification_free(c);
        nh_model_free(m);
    }
}

/* A model that is added needs its row above. */
TEST(table_is_complete)
{
    CHECK_EQ_INT(nh_catalogue_count(), ROWS);
    for (int i = 0; i < ROWS; i++)
        if (!CHECK(nh_catalogue_text(table[i].name) != NULL))
            printf("    no model %s\n", table[i].name);
}

TEST(all_are_well_posed)
{
    for (int i = 0; i < nh_catalogue_count(); i++) {
        int well_posed = 0;
        char *text = NULL;
        nh_model *m = load(nh_catalogue_name(i));
        if (CHECK(m != NULL) && CHECK_EQ_INT(nh_check(m, NH_FORMAT_TEXT, &well_posed, &text, NULL), NH_OK) &&
            !CHECK(well_posed))
            printf("%s", text);
        nh_text_release(text);
        nh_model_free(m);
    }
}

/* Reports of every kind can be written about every model. */
TEST(all_can_be_described)
{
    for (int i = 0; i < nh_catalogue_count(); i++)
        for (nh_format format = NH_FORMAT_TEXT; format <= NH_FORMAT_LATEX; format++) {
            char *text = NULL;
            nh_model *m = load(nh_catalogue_name(i));
            CHECK_EQ_INT(nh_describe(m, format, &text, NULL), NH_OK);
            CHECK(text && strlen(text) > 100);
            nh_text_release(text);
            nh_model_free(m);
        }
}

/* Names and titles, once each. */
TEST(list)
{
    char *text = NULL;
    CHECK_EQ_INT(nh_catalogue_list(NH_FORMAT_TEXT, &text, NULL), NH_OK);
    for (int i = 0; text && i < nh_catalogue_count(); i++) {
        char line[80];
        snprintf(line, sizeof line, "\n%s ", nh_catalogue_name(i));
        CHECK(strstr(text, line) != NULL);
    }
    nh_text_release(text);
    CHECK(nh_catalogue_name(-1) == NULL);
    CHECK(nh_catalogue_name(nh_catalogue_count()) == NULL);
    CHECK(nh_catalogue_text("no such model") == NULL);
}

TEST_MAIN(RUN(properties), RUN(table_is_complete), RUN(all_are_well_posed), RUN(all_can_be_described), RUN(list))
