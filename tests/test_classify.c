/* SPDX-License-Identifier: MIT */
/* Classification: the catalogue against what is known of it, and small systems made for one question each. */
#include "analysis/scaling.h"
#include "analysis/study.h"
#include "base/resource.h"

#include "models.h"

#include <stdio.h>
#include <stdlib.h>

/* --- helpers --- */

static nh_classification *classify(const nh_model *m)
{
    nh_classification *c = NULL;
    nh_error error;
    if (m && !CHECK_EQ_INT(nh_classify(m, &c, &error), NH_OK))
        printf("    %s: %s\n", m->file, error.message);
    return c;
}

static nh_classification *of_text(const char *text)
{
    nh_model *m = NULL;
    nh_error error;
    if (!CHECK_EQ_INT(nh_model_parse(text, strlen(text), "test", NULL, &m, &error), NH_OK))
        printf("    %d:%d: %s\n", error.line, error.column, error.message);
    nh_classification *c = classify(m);
    for (int i = 0; c && i < c->constraints; i++) /* the model's texts end with the model */
        c->constraint[i].label = NULL;
    for (int i = 0; c && i < c->symmetries; i++)
        c->symmetry[i].name = NULL;
    nh_model_free(m);
    if (!c)
        exit(1); /* nothing of the test would make sense */
    return c;
}

/* "(2,3)", with what was not decided as "(2,3,...)"; "-" where it is not defined. */
static const char *growth_text(const nh_growth *g, char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, g->defined ? "(" : "-");
    for (int i = 0; g->defined && i < g->length; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%d", i ? "," : "", g->dimension[i]);
    if (g->defined)
        snprintf(text + used, size - used, "%s", g->complete ? ")" : ",...)");
    return text;
}

static void check_growth(const nh_growth *g, const char *want)
{
    char text[400];
    CHECK_STR(growth_text(g, text, sizeof text), want);
    CHECK(!g->defined || g->clear);
}

/* --- the catalogue --- */

typedef struct expectation {
    const char *name, *growth; /* "-": not defined */
    int integrals, index;
    nh_answer energy, reversible;
} expectation;

static const expectation expected[] = {
    {"appell", "-", -1, 2, NH_YES, NH_YES},
    {"ball-in-cylinder", "(3,5)", 0, 2, NH_YES, NH_YES},
    {"ball-on-turntable", "(4,6)", 0, 2, NH_NO, NH_NO},
    {"car-with-trailers", "(2,3,4,5,6)", 0, 2, NH_YES, NH_YES},
    {"chaotic-particle", "(4,5)", 0, 2, NH_YES, NH_YES},
    {"chaplygin-ball", "(3,5)", 0, 2, NH_YES, NH_YES},
    {"contact-oscillator", "(2,3)", 0, 2, NH_YES, NH_YES},
    {"cvt", "(2,3)", 0, 2, NH_YES, NH_YES},
    {"cvt-perturbed", "(2,3)", 0, 2, NH_YES, NH_YES},
    {"dae-spark", "-", -1, 2, NH_UNKNOWN, NH_UNKNOWN},
    {"dae-srk", "-", -1, 2, NH_UNKNOWN, NH_UNKNOWN},
    {"differential-drive", "(2,3,4)", 1, 2, NH_YES, NH_YES},
    {"differentiated-pendulum", "(1)", 1, 2, NH_YES, NH_YES},
    {"disk", "(2,3,4)", 0, 2, NH_YES, NH_YES},
    {"disk-potential", "(2,3,4)", 0, 2, NH_YES, NH_YES},
    {"driven-knife-edge", "(2,3)", 0, 2, NH_YES, NH_NO},
    {"dry-friction", "(2,3)", 0, 2, NH_NO, NH_NO},
    {"dry-friction-incline", "(2,3)", 0, 2, NH_NO, NH_NO},
    {"falling-disk", "(3,4,5)", 0, 2, NH_YES, NH_YES},
    {"free-particle", "(2,3)", 0, 2, NH_YES, NH_YES},
    {"heisenberg", "(2,3)", 0, 2, NH_YES, NH_YES},
    {"heisenberg-hamiltonian", "-", -1, 1, NH_YES, NH_UNKNOWN},
    {"heisenberg-oscillator", "(2,3)", 0, 2, NH_YES, NH_YES},
    {"isokinetic", "-", -1, 2, NH_NO, NH_YES},
    {"mp-particles", "(6,7)", 0, 2, NH_YES, NH_YES},
    {"mp-particles-printed", "(6)", 1, 2, NH_YES, NH_YES},
    {"parallel-particles", "-", -1, 2, NH_YES, NH_YES},
    {"particle", "(2,3)", 0, 2, NH_YES, NH_YES},
    {"particle-channel", "(2,3)", 0, 2, NH_YES, NH_YES},
    {"rattleback", "(3,5)", 0, 2, NH_YES, NH_YES},
    {"robot", "(2,3,4)", 0, 2, NH_YES, NH_YES},
    {"robot-turning", "(2,3,4)", 0, 2, NH_YES, NH_YES},
    {"roller-racer", "(2,3,4)", 0, 2, NH_YES, NH_YES},
    {"rolling-ball", "(3,5)", 0, 2, NH_YES, NH_YES},
    {"rotating-rod", "(2)", 0, 3, NH_NO, NH_NO},
    {"skate", "(2,3)", 0, 2, NH_YES, NH_YES},
    {"skate-chain", "(16,24)", 0, 2, NH_YES, NH_YES},
    {"skate-in-bowl", "(2,3)", 0, 3, NH_YES, NH_YES},
    {"skate-rotor", "(3,4)", 0, 2, NH_YES, NH_YES},
    {"sleigh", "(2,3)", 0, 2, NH_YES, NH_YES},
    {"snakeboard", "(4,6)", 0, 2, NH_YES, NH_YES},
    {"snakeboard-gait", "(2,3,4)", 0, 3, NH_NO, NH_NO},
    {"spherical-pendulum", "(2)", 0, 3, NH_YES, NH_YES},
    {"suslov", "(2,3)", 0, 2, NH_YES, NH_YES},
    {"trailer-train", "(2,3,4,5,6)", 0, 3, NH_YES, NH_YES},
    {"vehicle", "(2,3,4)", 0, 2, NH_YES, NH_YES},
    {"vehicle-bowl", "(2,3,4)", 0, 2, NH_YES, NH_YES},
    {"vehicle-hamiltonian", "-", -1, 1, NH_YES, NH_UNKNOWN},
    {"veselova", "(2,3)", 0, 2, NH_YES, NH_YES},
};

static void check_expectation(const expectation *e)
{
    nh_model *m = load_model(e->name, NULL);
    nh_classification *c = classify(m);
    int failed = test_state.failed;
    if (c) {
        check_growth(&c->distribution.generic, e->growth);
        check_growth(&c->distribution.initial, e->growth); /* no model of the catalogue starts at a singular point */
        CHECK_EQ_INT(c->distribution.integrals, e->integrals);
        CHECK_EQ_INT(c->regularity.index, e->index);
        CHECK_EQ_INT(c->regularity.rank, c->kind == NH_HAMILTONIAN ? c->regularity.rank : c->regularity.rows);
        CHECK(c->regularity.residual < (NH_QUAD_IS_FLOAT128 ? 1e-30 : 1e-14));
        CHECK_EQ_INT(c->energy.conserved.answer, e->energy);
        CHECK_EQ_INT(c->reversal.reversible.answer, e->reversible);
        CHECK_EQ_INT(c->samples, NH_SAMPLES);
        CHECK_STR(c->not_finite, "");
        for (int i = 0; i < c->symmetries; i++) /* what a file calls a symmetry is one */
            CHECK(c->symmetry[i].lagrangian.answer == NH_YES && c->symmetry[i].constraints.answer == NH_YES);
    }
    if (test_state.failed > failed)
        printf("    %s\n", e->name);
    nh_classification_free(c);
    nh_model_free(m);
}

TEST(catalogue)
{
    int count;
    const nh_resource *row = nh_resource_models(&count);
    for (int i = 0; i < count; i++) {
        const expectation *found = NULL;
        for (size_t k = 0; k < sizeof expected / sizeof *expected; k++)
            if (!strcmp(expected[k].name, row[i].name))
                found = &expected[k];
        if (found)
            check_expectation(found);
        else
            printf("test_classify: nothing is expected of the model %s\n", row[i].name);
    }
}

/* The second entry of the growth vector from brackets and from dω on D×D: two ways that share no code. */
TEST(brackets_agree_with_forms)
{
    for (size_t k = 0; k < sizeof expected / sizeof *expected; k++) {
        nh_model *m = load_model(expected[k].name, NULL);
        nh_classification *c = classify(m);
        if (c && c->distribution.defined && c->m > 0) {
            nh_growth by_brackets = c->distribution.generic;
            int rank = c->distribution.rank;
            nh_study s = {.m = m, .c = c};
            nh_error error;
            CHECK_EQ_INT(nh_study_points(&s, &error), NH_OK);
            CHECK_EQ_INT(nh_study_large(&s, &error), NH_OK);
            CHECK_EQ_INT(c->distribution.rank, rank);
            CHECK_EQ_INT(c->distribution.integrable.answer, by_brackets.length > 1 ? NH_NO : NH_YES);
            if (by_brackets.length > 1 && !CHECK_EQ_INT(c->distribution.generic.dimension[1], by_brackets.dimension[1]))
                printf("    %s\n", expected[k].name);
            nh_arena_free(&s.arena);
        }
        nh_classification_free(c);
        nh_model_free(m);
    }
}

/* --- growth at singular points --- */

static void check_initial_growth(const char *name, const nh_model_options *options, const char *generic,
                                 const char *initial)
{
    nh_model *m = load_model(name, options);
    nh_classification *c = classify(m);
    if (c) {
        check_growth(&c->distribution.generic, generic);
        check_growth(&c->distribution.initial, initial);
    }
    nh_classification_free(c);
    nh_model_free(m);
}

TEST(growth_at_singular_points)
{
    const nh_setting upright = {"xi", "pi/2"};
    check_initial_growth("cvt", &(nh_model_options){.initial = &upright, .initial_count = 1}, "(2,3)", "(2,2,3)");
    const nh_setting jackknife[3] = {{"theta[0]", "0"}, {"theta[1]", "-pi/2"}, {"theta[2]", "-pi/4"}};
    check_initial_growth("car-with-trailers", &(nh_model_options){.initial = jackknife, .initial_count = 3},
                         "(2,3,4,5,6)", "(2,3,4,5,5,6)");
}

TEST(growth_with_trailers)
{
    static const char *const want[] = {"(2,3,4)", "(2,3,4,5)", "(2,3,4,5,6)", "(2,3,4,5,6,7)", "(2,3,4,5,6,7,8)"};
    for (int k = 0; k < 5; k++) {
        char number[16];
        snprintf(number, sizeof number, "%d", k);
        const nh_setting trailers = {"k", number};
        check_initial_growth("car-with-trailers", &(nh_model_options){.set = &trailers, .set_count = 1}, want[k],
                             want[k]);
    }
}

/* z' = y^4 x': the plane y = 0 needs brackets of length 5. */
TEST(growth_of_high_degree)
{
    nh_classification *c = of_text("coordinates x, y, z\nlagrangian (x'^2 + y'^2 + z'^2)/2\n"
                                   "constraint z' - y^4*x' = 0\n");
    check_growth(&c->distribution.generic, "(2,3)");
    check_growth(&c->distribution.initial, "(2,2,2,2,3)");
    nh_classification_free(c);
}

/* The plane z = 0 is an integral surface, although D is not integrable elsewhere. */
TEST(growth_on_a_leaf)
{
    nh_classification *c = of_text("coordinates x, y, z\nlagrangian (x'^2 + y'^2 + z'^2)/2\n"
                                   "constraint z' - x*z*y' = 0\n");
    check_growth(&c->distribution.generic, "(2,3)");
    check_growth(&c->distribution.initial, "(2)");
    CHECK_EQ_INT(c->distribution.integrable.answer, NH_NO);
    nh_classification_free(c);
}

/* z = 0 is a leaf again, but the brackets never close: a cap is met, and must be told. */
TEST(growth_that_is_not_decided)
{
    nh_classification *c = of_text("coordinates x, y, z\nlagrangian (x'^2 + y'^2 + z'^2)/2\n"
                                   "constraint z' - x*z*sin(x + z + y)*y' = 0\n");
    check_growth(&c->distribution.generic, "(2,3)");
    CHECK(c->distribution.initial.defined);
    CHECK(!c->distribution.initial.complete);
    CHECK(c->distribution.initial.limit[0] != '\0');
    for (int i = 0; i < c->distribution.initial.length; i++)
        CHECK_EQ_INT(c->distribution.initial.dimension[i], 2);
    nh_classification_free(c);
}

TEST(constraints_that_lose_rank)
{
    nh_classification *c = of_text("coordinates x, y, z\nlagrangian (x'^2 + y'^2 + z'^2)/2\n"
                                   "constraint x*z' - y*x' = 0\n");
    CHECK_EQ_INT(c->regularity.rank, 0);
    CHECK(!c->regularity.saddle_regular && isinf(c->regularity.saddle_condition));
    CHECK_EQ_INT(c->regularity.index, -1);
    check_growth(&c->distribution.generic, "(2,3)");
    check_growth(&c->distribution.initial, "-");
    nh_classification_free(c);
    c = of_text("coordinates x, y, z\nlagrangian (x'^2 + y'^2 + z'^2)/2\n" /* zero up to rounding */
                "constraint cos(x)*z' - y*x' = 0\ninitial x = pi/2\n");
    CHECK_EQ_INT(c->regularity.rank, 0);
    check_growth(&c->distribution.initial, "-");
    nh_classification_free(c);
    c = of_text("coordinates x, y, z\nlagrangian (x'^2 + y'^2 + z'^2)/2\n"
                "constraint z' - y*x' = 0\nconstraint 2*z' - 2*y*x' = 0\n");
    CHECK_EQ_INT(c->regularity.rank, 1);
    CHECK_EQ_INT(c->regularity.rows, 2);
    check_growth(&c->distribution.generic, "(2,3)");
    check_growth(&c->distribution.initial, "(2,3)");
    nh_classification_free(c);
}

/* --- large systems --- */

static void check_large(const char *name, const char *size, const char *value, const char *growth, int form_rank)
{
    const nh_setting set = {size, value};
    nh_model *m = load_model(name, &(nh_model_options){.set = &set, .set_count = 1});
    nh_classification *c = classify(m);
    if (c) {
        CHECK(c->distribution.large);
        check_growth(&c->distribution.generic, growth);
        CHECK_EQ_INT(c->distribution.form_rank, form_rank);
        CHECK(c->regularity.saddle_regular);
        CHECK_EQ_INT(c->regularity.index, 2);
    }
    nh_classification_free(c);
    nh_model_free(m);
}

TEST(large_systems)
{
    check_large("mp-particles", "m", "50", "(100,101)", 100);
    check_large("mp-particles-printed", "m", "50", "(100)", 0);
    check_large("skate-chain", "n", "20", "(40,60)", -1);
    nh_classification *c = of_text("sizes n = 40\ncoordinates q[1..n]\nlagrangian sum(q[i]'^2 for i = 1..n)/2\n"
                                   "constraint q[1]' + sum(q[i]*q[i+1]' for i = 2..n-1) = sin(t)*q[2]\n");
    CHECK(c->distribution.with_time);
    check_growth(&c->distribution.generic, "(40,41)");
    CHECK_EQ_INT(c->distribution.form_rank, 40);
    nh_classification_free(c);
}

/* Beyond the size where dense matrices are made. */
static nh_classification *very_large(const char *name, const char *size, const char *value, const char *growth,
                                     nh_model **m)
{
    const nh_setting set = {size, value};
    *m = load_model(name, &(nh_model_options){.set = &set, .set_count = 1});
    nh_classification *c = classify(*m);
    if (!c)
        exit(1);
    CHECK(c->too_large && !c->regularity.evaluated);
    CHECK_EQ_INT(c->samples, NH_SAMPLES);
    check_growth(&c->distribution.generic, growth);
    return c;
}

TEST(very_large_systems)
{
    nh_model *m;
    nh_classification *c = very_large("mp-particles", "m", "20000", "(40000,40001)", &m);
    CHECK_EQ_INT(c->distribution.integrable.answer, NH_NO);
    CHECK_EQ_INT(c->distribution.integrals, 0);
    CHECK_EQ_INT(c->constraint[0].integrable.answer, NH_NO);
    nh_classification_free(c);
    nh_model_free(m);
    c = very_large("mp-particles-printed", "m", "5000", "(10000)", &m);
    CHECK_EQ_INT(c->distribution.integrable.answer, NH_YES);
    CHECK_EQ_INT(c->distribution.integrals, 1);
    nh_classification_free(c);
    nh_model_free(m);
    c = very_large("skate-chain", "n", "2000", "(4000,...)", &m);
    CHECK_EQ_INT(c->distribution.integrable.answer, NH_NO);
    CHECK_EQ_INT(c->distribution.integrals, -1);
    for (int i = 0; i < c->symmetries; i++) {
        CHECK(c->symmetry[i].lagrangian.answer == NH_YES && c->symmetry[i].constraints.answer == NH_YES);
        CHECK_EQ_INT(c->symmetry[i].conserved.answer, NH_NO);
    }
    nh_classification_free(c);
    nh_model_free(m);
}

/* Rows that touch their neighbours, an affine term, and a symmetry that is none. */
TEST(very_large_and_coupled)
{
    nh_classification *c = of_text("sizes n = 1500\ncoordinates q[1..n], r[1..n]\n"
                                   "lagrangian sum(q[i]'^2 + r[i]'^2 - q[i]^2 for i = 1..n)/2\n"
                                   "constraint q[i]' - 0.4*q[i+1]' + r[i]*r[i+1]' = sin(t)*q[i] for i = 1..n-1\n"
                                   "initial r[i] = i/n for i = 1..n\nsymmetry shift: q[1] = 1\n");
    CHECK(c->too_large && c->distribution.with_time);
    check_growth(&c->distribution.generic, "(1502,...)");
    CHECK_EQ_INT(c->distribution.integrable.answer, NH_NO);
    CHECK_EQ_INT(c->constraint[0].form, NH_FORM_AFFINE);
    CHECK_EQ_INT(c->symmetry[0].lagrangian.answer, NH_NO);
    CHECK_EQ_INT(c->symmetry[0].constraints.answer, NH_NO);
    CHECK_EQ_INT(c->chaplygin.answer, NH_NO);
    nh_classification_free(c);
}

/* All brackets with one vector: pairs of a few vectors would miss most of them. */
TEST(brackets_with_one_vector)
{
    nh_classification *c = of_text("sizes m = 30\ncoordinates x, y[1..m], z[1..m]\n"
                                   "lagrangian (x'^2 + sum(y[i]'^2 + z[i]'^2 for i = 1..m))/2\n"
                                   "constraint y[i]' - z[i]*x' = 0 for i = 1..m\n");
    check_growth(&c->distribution.generic, "(31,61)");
    nh_classification_free(c);
}

/* Redundant rows, and holonomic ones that move. */
TEST(large_with_redundant_rows)
{
    nh_classification *c = of_text("sizes n = 40\ncoordinates q[1..n]\nlagrangian sum(q[i]'^2 for i = 1..n)/2\n"
                                   "constraint q[1]' - q[2]*q[3]' = 0\nconstraint 2*q[2]*q[3]' - 2*q[1]' = 0\n"
                                   "holonomic sum(q[i]^2 for i = 1..n) = 1 + t\ninitial q[1] = 1, q[1]' = 0.5\n");
    check_growth(&c->distribution.generic, "(39,40,...)");
    CHECK(c->distribution.with_time);
    CHECK_EQ_INT(c->samples, NH_SAMPLES);
    nh_classification_free(c);
}

/* The rank of the brackets is small, and the constraints are badly conditioned. */
TEST(many_trailers)
{
    const nh_setting trailers = {"k", "60"};
    nh_model *m = load_model("car-with-trailers", &(nh_model_options){.set = &trailers, .set_count = 1});
    nh_classification *c = classify(m);
    check_growth(&c->distribution.generic, "(2,3,...)");
    CHECK_EQ_INT(c->symmetry[2].constraints.answer, NH_YES);
    nh_classification_free(c);
    nh_model_free(m);
}

/* Without a point on the constraints nothing is answered that numbers would have to tell. */
TEST(undecided)
{
    nh_classification *c = of_text("coordinates x, y, z\nlagrangian (x'^2 + y'^2 + z'^2)/2 + x'\n"
                                   "constraint z' - y*x' + sin(x)^2 + cos(x)^2 = 1\nholonomic x^2 + y^2 = -1\n"
                                   "force x = -y'\nsymmetry shift: x = 1\n");
    CHECK_EQ_INT(c->samples, 0);
    CHECK(c->no_samples[0] != '\0');
    CHECK(!c->constraint[0].form_known && !c->constraint[0].form_proved);
    CHECK_EQ_INT(c->constraint[0].homogeneous.answer, NH_UNKNOWN);
    CHECK_EQ_INT(c->constraint[0].integrable.answer, NH_UNKNOWN);
    CHECK_EQ_INT(c->distribution.integrable.answer, NH_UNKNOWN);
    CHECK_EQ_INT(c->energy.conserved.answer, NH_UNKNOWN);
    CHECK_EQ_INT(c->reversal.reversible.answer, NH_UNKNOWN);
    CHECK_EQ_INT(c->symmetry[0].constraints.answer, NH_UNKNOWN);
    CHECK_EQ_INT(c->symmetry[0].conserved.answer, NH_UNKNOWN);
    CHECK_EQ_INT(c->chaplygin.answer, NH_UNKNOWN);
    nh_classification_free(c);
}

/* --- constraints one by one --- */

TEST(forms_of_constraints)
{
    nh_classification *c = of_text("coordinates x, y, z, w, u\nlagrangian (x'^2 + y'^2 + z'^2 + w'^2 + u'^2)/2\n"
                                   "constraint x*x' + y*y' = 0\n"      /* exact */
                                   "constraint y*z' - z*y' = 2*y^2\n"  /* affine, integrable: d(z/y) = 2 dt */
                                   "constraint w'^2 + u'^2*t = z'^2\n" /* nonlinear */
                                   "initial y = 1, z = 1\n");
    CHECK_EQ_INT(c->constraint[0].form, NH_FORM_LINEAR);
    CHECK(c->constraint[0].exact.answer == NH_YES && c->constraint[0].exact.proved);
    CHECK_EQ_INT(c->constraint[1].form, NH_FORM_AFFINE);
    CHECK_EQ_INT(c->constraint[1].homogeneous.answer, NH_NO);
    CHECK_EQ_INT(c->constraint[1].integrable.answer, NH_YES);
    CHECK_EQ_INT(c->constraint[1].exact.answer, NH_NO);
    CHECK_EQ_INT(c->constraint[2].form, NH_FORM_NONLINEAR);
    CHECK(c->constraint[2].time_dependent && !c->constraint[1].time_dependent);
    CHECK(c->constraint[2].homogeneous.answer == NH_YES && c->constraint[2].homogeneous.proved);
    CHECK_EQ_INT(c->constraint[2].integrable.answer, NH_UNKNOWN);
    CHECK(!c->distribution.defined);
    nh_classification_free(c);
}

/* What is linear in numbers but not in expressions. */
TEST(forms_seen_at_points)
{
    nh_classification *c = of_text("coordinates x, y, z\nlagrangian (x'^2 + y'^2 + z'^2)/2\n"
                                   "constraint z' - y*x' + sin(x)^2 + cos(x)^2 = 1\n"
                                   "constraint (x' + y)^2 - x'^2 + z' = y^2\n");
    for (int i = 0; i < 2; i++) {
        CHECK_EQ_INT(c->constraint[i].form, NH_FORM_LINEAR);
        CHECK(!c->constraint[i].form_proved);
        CHECK_EQ_INT(c->constraint[i].homogeneous.answer, NH_YES);
        CHECK_EQ_INT(c->constraint[i].integrable.answer, NH_NO);
    }
    CHECK(c->energy.conserved.answer == NH_YES && !c->energy.conserved.proved);
    CHECK(!c->traits.constraints_linear && !c->traits.constraints_affine);
    nh_classification_free(c);
}

TEST(two_dimensions_are_integrable)
{
    nh_classification *c = of_text("coordinates x, y\nlagrangian (x'^2 + y'^2)/2\nconstraint x' - x*y^2*y' = 0\n"
                                   "initial x = 1, y = 1, x' = 1, y' = 1\n");
    CHECK_EQ_INT(c->constraint[0].integrable.answer, NH_YES);
    CHECK(c->constraint[0].integrable.proved);
    CHECK_EQ_INT(c->constraint[0].exact.answer, NH_NO);
    CHECK_EQ_INT(c->distribution.integrals, 1);
    nh_classification_free(c);
}

/* --- points that cannot be evaluated --- */

TEST(not_finite)
{
    nh_classification *c = of_text("coordinates x, y, z\nlagrangian (x'^2 + y'^2 + z'^2)/2\n"
                                   "constraint z' - y*x' = 0\ninitial x = 1/y\n");
    CHECK_STR(c->not_finite, "initial data");
    CHECK(!c->regularity.evaluated);
    check_growth(&c->distribution.generic, "(2,3)");
    check_growth(&c->distribution.initial, "-");
    nh_classification_free(c);
    c = of_text("coordinates x, y, z\nlagrangian (x'^2 + y'^2 + z'^2)/2\nconstraint z' - y*x'/z = 0\n");
    CHECK_STR(c->not_finite, "K");
    check_growth(&c->distribution.initial, "-");
    nh_classification_free(c);
    c = of_text("coordinates x, y, z\nlagrangian (x'^2 + y'^2 + z'^2)/sqrt(x^2 + y^2 + z^2)\n"
                "constraint z' - y*x' = 0\n");
    CHECK_STR(c->not_finite, "L_vv");
    nh_classification_free(c);
    c = of_text(
        "coordinates x, y\nparameters b = 0, a = 1/b\nlagrangian a*(x'^2 + y'^2)/2\nconstraint a*x' + y*y' = 0\n");
    CHECK_STR(c->not_finite, "initial data");
    CHECK_EQ_INT(c->samples, 0);
    CHECK(!c->distribution.defined && c->distribution.reason[0]);
    nh_classification_free(c);
}

/* --- regularity --- */

TEST(regularity)
{
    nh_classification *c = of_text("coordinates x, y\nlagrangian 2*x'^2 + y'^2/2\n");
    CHECK_EQ_INT(c->regularity.index, 0);
    CHECK_NEAR(c->regularity.mass_condition, 4, 1e-15);
    CHECK_STR(c->distribution.reason, "no constraints");
    nh_classification_free(c);
    c = of_text("coordinates x, y\nlagrangian x'^2/2 - y^2\nconstraint x' + y' = 0\n");
    CHECK(!c->regularity.mass_regular && isinf(c->regularity.mass_condition));
    CHECK(c->regularity.saddle_regular); /* the constraint makes up for the missing mass */
    CHECK_EQ_INT(c->regularity.index, 2);
    nh_classification_free(c);
    c = of_text("states a, b\nalgebraic z\npart f: a' = b, b' = z\nconstraint a = 0\n");
    CHECK(c->regularity.evaluated && !c->regularity.saddle_regular);
    CHECK_EQ_INT(c->regularity.index, -1);
    nh_classification_free(c);
    c = of_text("variables x, p\nhamiltonian (x^2 + p^2)/2\nstructure J[x, p] = -1\n");
    CHECK_EQ_INT(c->regularity.index, 0);
    nh_classification_free(c);
    c = of_text("variables x, p, w\nhamiltonian (x^2 + p^2)/2 + w*x\nstructure J[x, p] = -1\n");
    CHECK_EQ_INT(c->regularity.index, -1);
    nh_classification_free(c);
}

/* --- energy and reversal --- */

static void check_energy(const char *text, unsigned energy, unsigned reversal)
{
    nh_classification *c = of_text(text);
    CHECK_EQ_INT(c->energy.reasons, energy);
    CHECK_EQ_INT(c->energy.conserved.answer, energy ? NH_NO : NH_YES);
    CHECK_EQ_INT(c->reversal.reasons, reversal);
    CHECK_EQ_INT(c->reversal.reversible.answer, reversal ? NH_NO : NH_YES);
    nh_classification_free(c);
}

TEST(energy_and_reversal)
{
    const char *plain = "coordinates x, y\nlagrangian (x'^2 + y'^2)/2\n";
    char text[400];
    check_energy(plain, 0, 0);
    snprintf(text, sizeof text, "%s%s", plain, "force x = y', y = -x'\n"); /* magnetic */
    check_energy(text, 0, NH_REVERSAL_FORCE);
    snprintf(text, sizeof text, "%s%s", plain, "force x = -x'\n");
    check_energy(text, NH_ENERGY_FORCE, NH_REVERSAL_FORCE);
    snprintf(text, sizeof text, "%s%s", plain, "force x = -x'^2\n");
    check_energy(text, NH_ENERGY_FORCE, 0);
    snprintf(text, sizeof text, "%s%s", plain, "constraint y' - 2*x' = 1\n");
    check_energy(text, NH_ENERGY_CONSTRAINT, NH_REVERSAL_CONSTRAINT);
    snprintf(text, sizeof text, "%s%s", plain, "holonomic y = x*t\n");
    check_energy(text, NH_ENERGY_HOLONOMIC, NH_REVERSAL_TIME);
    check_energy("coordinates x\nlagrangian x'^2/2 - x*t\n", NH_ENERGY_TIME, NH_REVERSAL_TIME);
    check_energy("coordinates x, y\nlagrangian (x'^2 + y'^2)/2 + y*x'\n", 0, NH_REVERSAL_LAGRANGIAN);
    /* even, but the expression does not show it */
    check_energy("coordinates x\nlagrangian (x' + 1)^2 + (x' - 1)^2\n", 0, 0);
    check_energy(
        "coordinates x, y\nlagrangian (x'^2 + y'^2)/2\nconstraint y' - x*x' = 0\nreaction x = -lambda[1]^2*x'\n",
        NH_ENERGY_REACTION, NH_REVERSAL_REACTION);
}

TEST(signs_of_multipliers)
{
    nh_classification *c = of_text("coordinates x, y, z, w\nlagrangian (x'^2 + y'^2 + z'^2 + w'^2)/2\n"
                                   "constraint z' - y*x' = 0\nconstraint w'^2 = x'^2 + y'^2\nholonomic x^2 + y = 1\n"
                                   "reaction x = lambda[2]*x', y = abs(lambda[2])\n"
                                   "initial y = 1, x' = 1, z' = 1, w' = 1\n");
    const int want[3] = {1, -1, 1};
    for (int i = 0; i < 3; i++)
        CHECK_EQ_INT(c->reversal.sign[i], want[i]);
    CHECK(c->reversal.reversible.answer == NH_YES && c->reversal.reversible.proved);
    nh_classification_free(c);
}

/* --- symmetries --- */

TEST(symmetries)
{
    nh_model *m = load_model("skate-rotor", NULL);
    nh_classification *c = classify(m);
    CHECK(c->symmetry[0].conserved.answer == NH_NO && c->symmetry[0].horizontal.answer == NH_NO);
    CHECK(c->symmetry[1].conserved.answer == NH_YES && c->symmetry[1].conserved.proved);
    nh_classification_free(c);
    nh_model_free(m);
    c = of_text("coordinates x, y\nlagrangian (x'^2 + y'^2)/2 - x*y\nforce y = 1\n"
                "symmetry shift: x = 1\nsymmetry boost: x = y\nsymmetry hyperbolic: x = x, y = -y\n");
    for (int i = 0; i < 3; i++) {
        CHECK_EQ_INT(c->symmetry[i].lagrangian.answer, NH_NO);
        CHECK_EQ_INT(c->symmetry[i].unforced.answer, i == 2 ? NH_NO : NH_YES);
        CHECK_EQ_INT(c->symmetry[i].conserved.answer, NH_NO);
    }
    nh_classification_free(c);
    c = of_text("coordinates x, y, z\nlagrangian (x'^2 + y'^2 + z'^2)/2\nconstraint z' - y*x' = 0\n"
                "symmetry shift_y: y = 1\nsymmetry sheared: y = 1, z = x\n");
    CHECK_EQ_INT(c->symmetry[0].lagrangian.answer, NH_YES);
    CHECK_EQ_INT(c->symmetry[0].constraints.answer, NH_NO);
    CHECK_EQ_INT(c->symmetry[1].lagrangian.answer, NH_NO);
    CHECK_EQ_INT(c->symmetry[1].constraints.answer, NH_YES);
    CHECK_EQ_INT(c->chaplygin.answer, NH_NO);
    nh_classification_free(c);
}

static void check_chaplygin(const char *name, const char *first, const char *second, int shape)
{
    nh_model *m = load_model(name, NULL);
    nh_classification *c = classify(m);
    const char *want[2] = {first, second};
    int count = first == NULL ? 0 : second ? 2 : 1;
    CHECK_EQ_INT(c->chaplygin.answer, count ? NH_YES : NH_NO);
    CHECK_EQ_INT(c->chaplygin.count, count);
    for (int i = 0; i < count && i < c->chaplygin.count; i++)
        CHECK_STR(c->symmetry[c->chaplygin.symmetry[i]].name, want[i]);
    CHECK_EQ_INT(c->chaplygin.shape_dimension, shape);
    CHECK_EQ_INT(c->chaplygin.at_initial, count > 0);
    nh_classification_free(c);
    nh_model_free(m);
}

TEST(chaplygin_systems)
{
    check_chaplygin("disk", "shift_x", "shift_y", 2);
    check_chaplygin("robot", "shift_x", "shift_y", 2);
    check_chaplygin("particle", "shift_z", NULL, 2);
    check_chaplygin("skate-in-bowl", "turn", NULL, 2);
    check_chaplygin("car-with-trailers", NULL, NULL, 0);
    /* a shift and a turn are no algebra without the other shift */
    nh_classification *c = of_text("coordinates x, y, phi, theta\nlagrangian (x'^2 + y'^2 + phi'^2 + theta'^2)/2\n"
                                   "constraint x' - cos(phi)*theta' = 0\nconstraint y' - sin(phi)*theta' = 0\n"
                                   "symmetry shift_x: x = 1\nsymmetry turn: x = -y, y = x, phi = 1\ninitial x = 1\n");
    CHECK_EQ_INT(c->chaplygin.answer, NH_NO);
    nh_classification_free(c);
    /* a shift along the blade is not transversal to it */
    nh_model *m =
        load_model("skate", &(nh_model_options){.initial = &(nh_setting){"theta", "pi/2"}, .initial_count = 1});
    c = classify(m);
    CHECK_EQ_INT(c->chaplygin.answer, NH_YES);
    CHECK(!c->chaplygin.at_initial);
    nh_classification_free(c);
    nh_model_free(m);
}

/* --- traits --- */

TEST(traits)
{
    nh_model *m = load_model("mp-particles", NULL);
    nh_classification *c = classify(m);
    const nh_traits *t = &c->traits;
    CHECK(t->autonomous && t->mass_constant && t->mass_diagonal && t->lagrangian_quadratic && t->lagrangian_split);
    CHECK(t->constraints_linear && t->K_affine_in_q && !t->K_constant && !t->potential_separable);
    CHECK_EQ_INT(t->mass_entries, 7);
    CHECK_EQ_INT(t->K_entries, 4);
    CHECK_EQ_INT(t->L_qq_entries, 7 + 2 * 3 + 2);
    CHECK_EQ_INT(t->L_qv_entries, 0);
    for (int i = 0; i < 7; i++) {
        CHECK_EQ_INT(t->no_reaction[i], i >= 1 && i <= 3);
        CHECK_EQ_INT(t->K_depends_on[i], i >= 1 && i <= 3);
    }
    nh_classification_free(c);
    nh_model_free(m);
    m = load_model("sleigh", NULL);
    c = classify(m);
    t = &c->traits;
    CHECK(!t->mass_constant && t->mass_depends_on_q && !t->mass_depends_on_v && !t->mass_diagonal);
    CHECK(!t->lagrangian_split && t->constraints_linear && !t->K_affine_in_q);
    CHECK_EQ_INT(t->mass_entries, 7);
    CHECK_EQ_INT(t->K_entries, 2);
    nh_classification_free(c);
    nh_model_free(m);
}

static bool unit_mass(const char *text)
{
    nh_classification *c = of_text(text);
    const bool unit = c->traits.mass_unit;
    nh_classification_free(c);
    return unit;
}

/* Ones on the diagonal, each said once; a parameter that happens to be 1 proves nothing. */
TEST(unit_mass_is_told)
{
    CHECK(unit_mass("coordinates x, y\nlagrangian (x'^2 + y'^2)/2 - x^4\n"));
    CHECK(unit_mass("coordinates q[1..5]\nlagrangian sum(q[i]'^2 for i = 1..5)/2\n"));
    CHECK(!unit_mass("coordinates q[1..5]\nlagrangian sum(q[i]'^2 for i = 1..5)/2 + q[2]'^2/2\n"));
    CHECK(!unit_mass("coordinates q[1..5]\nlagrangian sum(q[i]'^2 for i = 1..5)/2 + q[1]'*q[2]'\n"));
    CHECK(!unit_mass("coordinates x, y\nlagrangian x'^2/2 + y'^2\n"));
    CHECK(!unit_mass("coordinates x, y\nparameters M = 1\nlagrangian M*(x'^2 + y'^2)/2\n"));
}

/* A parameter that happens to be 0 proves nothing. */
TEST(traits_hold_for_all_parameters)
{
    nh_classification *c = of_text("coordinates x, y\nparameters e = 0\nlagrangian (x'^2 + y'^2)/2 + e*x^2*x'*y'\n"
                                   "constraint x' + e*y*y' = 0\nreaction x = e*lambda[1]^2\n");
    CHECK(!c->traits.mass_constant && !c->traits.mass_diagonal && !c->traits.K_constant);
    CHECK(!c->traits.reaction_affine && c->traits.reaction && !c->traits.no_reaction[1]);
    CHECK_EQ_INT(c->traits.mass_entries, 4);
    CHECK_EQ_INT(c->traits.K_entries, 2);
    nh_classification_free(c);
}

/* --- signs and scales --- */

static int minus_velocity(void *context, nh_space space, nh_affine component)
{
    (void)context, (void)component;
    return space == NH_V ? -1 : 1;
}

static void check_scaling(const char *expression, int parity, int degree)
{
    char text[200];
    nh_model *m;
    nh_error error;
    int found;
    snprintf(text, sizeof text, "coordinates x, y\nlagrangian x'^2 + y'^2\nobservable e = %s\n", expression);
    if (!CHECK_EQ_INT(nh_model_parse(text, strlen(text), "test", NULL, &m, &error), NH_OK))
        return;
    nh_expr e = m->observable[0].value;
    bool good = CHECK_EQ_INT(nh_parity(m->graph, e, minus_velocity, NULL), parity);
    bool homogeneous = nh_homogeneous(m->graph, e, 1u << NH_V, &found);
    good &= CHECK_EQ_INT(homogeneous, degree >= 0);
    if (homogeneous)
        good &= CHECK_EQ_INT(found, degree);
    if (!good)
        printf("    %s\n", expression);
    nh_model_free(m);
}

TEST(signs_and_scales)
{
    check_scaling("x*y", 1, 0);
    check_scaling("x' + y'*cos(x)", -1, 4);
    check_scaling("x' + 1", 0, -1);
    check_scaling("x'^2 - 3*x'*y'", 1, 8);
    check_scaling("x'^3/y'", 1, 8);
    check_scaling("sqrt(x'^2 + y'^2)", 1, 4);
    check_scaling("sqrt(sqrt(x'^2 + y'^2))", 1, 2);
    check_scaling("sin(x')", -1, -1);
    check_scaling("cos(x' - y')", 1, -1);
    check_scaling("abs(x')*x'", -1, 8);
    check_scaling("atan2(x', y')", 0, 0);
    check_scaling("atan2(x', y)", -1, -1);
    check_scaling("max(x', y')", 0, 4);
    check_scaling("exp(x'/y')", 1, 0);
    check_scaling("exp(x')", 0, -1);
    check_scaling("sum(x'^2*i for i = 1..3)", 1, 8);
    check_scaling("prod(x' + i*y' for i = 1..3)", -1, 12);
}

TEST_MAIN(RUN(catalogue), RUN(brackets_agree_with_forms), RUN(growth_at_singular_points), RUN(growth_with_trailers),
          RUN(growth_of_high_degree), RUN(growth_on_a_leaf), RUN(growth_that_is_not_decided),
          RUN(constraints_that_lose_rank), RUN(large_systems), RUN(very_large_systems), RUN(very_large_and_coupled),
          RUN(brackets_with_one_vector), RUN(large_with_redundant_rows), RUN(many_trailers), RUN(undecided),
          RUN(forms_of_constraints), RUN(forms_seen_at_points), RUN(two_dimensions_are_integrable), RUN(not_finite),
          RUN(regularity), RUN(energy_and_reversal), RUN(signs_of_multipliers), RUN(symmetries), RUN(chaplygin_systems),
          RUN(traits), RUN(unit_mass_is_told), RUN(traits_hold_for_all_parameters), RUN(signs_and_scales))
