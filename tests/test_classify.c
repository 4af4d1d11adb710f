/* SPDX-License-Identifier: MIT */
/* Classification: the catalogue against what is known of it, and small systems made for one question each. */
#include "classify.h"

#include "base/resource.h"

/* ---- The catalogue ---- */

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
    {"skate-beam", "(16,24)", 0, 2, NH_YES, NH_YES},
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

/* ---- Constraints one by one ---- */

TEST(forms_of_constraints)
{
    nh_classification *c = classify_text("coordinates x, y, z, w, u\nlagrangian (x'^2 + y'^2 + z'^2 + w'^2 + u'^2)/2\n"
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
    nh_classification *c = classify_text("coordinates x, y, z\nlagrangian (x'^2 + y'^2 + z'^2)/2\n"
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
    nh_classification *c = classify_text("coordinates x, y\nlagrangian (x'^2 + y'^2)/2\nconstraint x' - x*y^2*y' = 0\n"
                                         "initial x = 1, y = 1, x' = 1, y' = 1\n");
    CHECK_EQ_INT(c->constraint[0].integrable.answer, NH_YES);
    CHECK(c->constraint[0].integrable.proved);
    CHECK_EQ_INT(c->constraint[0].exact.answer, NH_NO);
    CHECK_EQ_INT(c->distribution.integrals, 1);
    nh_classification_free(c);
}

/* ---- Points that cannot be evaluated ---- */

TEST(not_finite)
{
    nh_classification *c = classify_text("coordinates x, y, z\nlagrangian (x'^2 + y'^2 + z'^2)/2\n"
                                         "constraint z' - y*x' = 0\ninitial x = 1/y\n");
    CHECK_STR(c->not_finite, "initial data");
    CHECK(!c->regularity.evaluated);
    check_growth(&c->distribution.generic, "(2,3)");
    check_growth(&c->distribution.initial, "-");
    nh_classification_free(c);
    c = classify_text("coordinates x, y, z\nlagrangian (x'^2 + y'^2 + z'^2)/2\nconstraint z' - y*x'/z = 0\n");
    CHECK_STR(c->not_finite, "K");
    check_growth(&c->distribution.initial, "-");
    nh_classification_free(c);
    c = classify_text("coordinates x, y, z\nlagrangian (x'^2 + y'^2 + z'^2)/sqrt(x^2 + y^2 + z^2)\n"
                      "constraint z' - y*x' = 0\n");
    CHECK_STR(c->not_finite, "L_vv");
    nh_classification_free(c);
    c = classify_text("coordinates x, y\nlagrangian (x'^2 + y'^2)/2 - sqrt(x)\nconstraint y' = x*x'\ninitial x = -1\n");
    CHECK_STR(c->not_finite, "L_q + f");
    CHECK(!c->regularity.evaluated);
    nh_classification_free(c);
    c = classify_text(
        "coordinates x, y\nparameters b = 0, a = 1/b\nlagrangian a*(x'^2 + y'^2)/2\nconstraint a*x' + y*y' = 0\n");
    CHECK_STR(c->not_finite, "initial data");
    CHECK_EQ_INT(c->samples, 0);
    CHECK(!c->distribution.defined && c->distribution.reason[0]);
    nh_classification_free(c);
}

/* ---- Regularity ---- */

TEST(regularity)
{
    nh_classification *c = classify_text("coordinates x, y\nlagrangian 2*x'^2 + y'^2/2\n");
    CHECK_EQ_INT(c->regularity.index, 0);
    CHECK_NEAR(c->regularity.mass_condition, 4, 1e-15);
    CHECK_STR(c->distribution.reason, "no constraints");
    nh_classification_free(c);
    c = classify_text("coordinates x, y\nlagrangian x'^2/2 - y^2\nconstraint x' + y' = 0\n");
    CHECK(!c->regularity.mass_regular && isinf(c->regularity.mass_condition));
    CHECK(c->regularity.saddle_regular); /* the constraint makes up for the missing mass */
    CHECK_EQ_INT(c->regularity.index, 2);
    nh_classification_free(c);
    c = classify_text("coordinates x, y, a\nparameters u = 1e-12\n" /* small things: no units make them singular */
                      "lagrangian u*(x'^2 + y'^2)/2 + u^3*a'^2/4\nconstraint x'*sin(a) = y'*cos(a)\n");
    CHECK(c->regularity.mass_regular && c->regularity.saddle_regular && c->regularity.saddle_condition < 10);
    CHECK_EQ_INT(c->regularity.index, 2);
    nh_classification_free(c);
    c = classify_text("coordinates x, y, a\nparameters u = 1e-12\n"
                      "lagrangian u*(x'^2 + y'^2)/2 + u^3*a'^2/4\nconstraint x'*sin(a) = y'*cos(a)\n"
                      "constraint 3*x'*sin(a) = 3*y'*cos(a)\n");
    CHECK(!c->regularity.saddle_regular && isinf(c->regularity.saddle_condition));
    CHECK_EQ_INT(c->regularity.rank, 1);
    nh_classification_free(c);
    c = classify_text("coordinates x, y, z\nparameters u = 1e-12\nlagrangian u*x'^2/2 + u^3*y'^2\n"
                      "constraint sin(pi)*x' + x*z' = 0\n");
    CHECK(!c->regularity.saddle_regular);
    nh_classification_free(c);
    c = classify_text("states a, b\nalgebraic z\npart f: a' = b, b' = z\nconstraint a = 0\n");
    CHECK(c->regularity.evaluated && !c->regularity.saddle_regular);
    CHECK_EQ_INT(c->regularity.index, -1);
    nh_classification_free(c);
    c = classify_text("variables x, p\nhamiltonian (x^2 + p^2)/2\nstructure J[x, p] = -1\n");
    CHECK_EQ_INT(c->regularity.index, 0);
    nh_classification_free(c);
    c = classify_text("variables x, p, w\nhamiltonian (x^2 + p^2)/2 + w*x\nstructure J[x, p] = -1\n");
    CHECK_EQ_INT(c->regularity.index, -1);
    nh_classification_free(c);
}

/* A reaction of its own may take away what K^T gives, or make up for it. */
TEST(regularity_with_a_nonideal_reaction)
{
#define CONTACT "coordinates x, y, z\nlagrangian (x'^2 + y'^2 + z'^2)/2\nconstraint z' = y*x'\n"
    nh_classification *c = classify_text(CONTACT "reaction x = y*lambda[1], z = -lambda[1]\ninitial x' = 1, y' = 1\n");
    CHECK(c->regularity.evaluated && c->regularity.mass_regular && !c->regularity.saddle_regular);
    CHECK(isinf(c->regularity.saddle_condition) && !c->regularity.no_multipliers);
    CHECK_EQ_INT(c->regularity.rank, 1);
    CHECK_EQ_INT(c->regularity.index, -1);
    nh_classification_free(c);
    c = classify_text(CONTACT "reaction z = -lambda[1]\ninitial y = 1\n"); /* R_lambda = (-y, 0, 0): D R_lambda = y^2 */
    CHECK(c->regularity.saddle_regular);
    nh_classification_free(c);
    c = classify_text(CONTACT "reaction z = -lambda[1]\n");
    CHECK(!c->regularity.saddle_regular);
    nh_classification_free(c);
    /* z'' = x'y' = lambda - lambda^2/2, which is never 1, however regular the matrix is at lambda = 0 */
    c = classify_text(CONTACT "reaction z = -lambda[1]^2/2\ninitial x' = 1, y' = 1\n");
    CHECK(!c->regularity.saddle_regular && c->regularity.no_multipliers);
    CHECK_EQ_INT(c->regularity.index, -1);
    nh_classification_free(c);
    c = classify_text(CONTACT "reaction z = -lambda[1]^2/2\ninitial x' = 3/8, y' = 1\n"); /* lambda = 1/2 */
    CHECK(c->regularity.saddle_regular);
    nh_classification_free(c);
#undef CONTACT
}

/* ---- Energy and reversal ---- */

static void check_energy(const char *text, unsigned energy, unsigned reversal)
{
    nh_classification *c = classify_text(text);
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
    nh_classification *c =
        classify_text("coordinates x, y, z, w\nlagrangian (x'^2 + y'^2 + z'^2 + w'^2)/2\n"
                      "constraint z' - y*x' = 0\nconstraint w'^2 = x'^2 + y'^2\nholonomic x^2 + y = 1\n"
                      "reaction x = lambda[2]*x', y = abs(lambda[2])\n"
                      "initial y = 1, x' = 1, z' = 1, w' = 1\n");
    const int want[3] = {1, -1, 1};
    for (int i = 0; i < 3; i++)
        CHECK_EQ_INT(c->reversal.sign[i], want[i]);
    CHECK(c->reversal.reversible.answer == NH_YES && c->reversal.reversible.proved);
    nh_classification_free(c);
}

/* ---- Symmetries ---- */

TEST(symmetries)
{
    nh_model *m = load_model("skate-rotor", NULL);
    nh_classification *c = classify(m);
    CHECK(c->symmetry[0].conserved.answer == NH_NO && c->symmetry[0].horizontal.answer == NH_NO);
    CHECK(c->symmetry[1].conserved.answer == NH_YES && c->symmetry[1].conserved.proved);
    nh_classification_free(c);
    nh_model_free(m);
    c = classify_text("coordinates x, y\nlagrangian (x'^2 + y'^2)/2 - x*y\nforce y = 1\n"
                      "symmetry shift: x = 1\nsymmetry boost: x = y\nsymmetry hyperbolic: x = x, y = -y\n");
    for (int i = 0; i < 3; i++) {
        CHECK_EQ_INT(c->symmetry[i].lagrangian.answer, NH_NO);
        CHECK_EQ_INT(c->symmetry[i].unforced.answer, i == 2 ? NH_NO : NH_YES);
        CHECK_EQ_INT(c->symmetry[i].conserved.answer, NH_NO);
    }
    nh_classification_free(c);
    c = classify_text("coordinates x, y, z\nlagrangian (x'^2 + y'^2 + z'^2)/2\nconstraint z' - y*x' = 0\n"
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
    nh_classification *c =
        classify_text("coordinates x, y, phi, theta\nlagrangian (x'^2 + y'^2 + phi'^2 + theta'^2)/2\n"
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

TEST_MAIN(RUN(catalogue), RUN(brackets_agree_with_forms), RUN(forms_of_constraints), RUN(forms_seen_at_points),
          RUN(two_dimensions_are_integrable), RUN(not_finite), RUN(regularity),
          RUN(regularity_with_a_nonideal_reaction), RUN(energy_and_reversal), RUN(signs_of_multipliers),
          RUN(symmetries), RUN(chaplygin_systems))
