/* SPDX-License-Identifier: MIT */
/* What is known of a model for all values of its parameters: traits, signs and scales. */
#include "classify.h"

#include "analysis/scaling.h"

/* ---- Traits ---- */

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
    nh_classification *c = classify_text(text);
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
    nh_classification *c =
        classify_text("coordinates x, y\nparameters e = 0\nlagrangian (x'^2 + y'^2)/2 + e*x^2*x'*y'\n"
                      "constraint x' + e*y*y' = 0\nreaction x = e*lambda[1]^2\n");
    CHECK(!c->traits.mass_constant && !c->traits.mass_diagonal && !c->traits.K_constant);
    CHECK(!c->traits.reaction_affine && c->traits.reaction && !c->traits.no_reaction[1]);
    CHECK_EQ_INT(c->traits.mass_entries, 4);
    CHECK_EQ_INT(c->traits.K_entries, 2);
    nh_classification_free(c);
}

/* ---- Signs and scales ---- */

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

TEST_MAIN(RUN(traits), RUN(unit_mass_is_told), RUN(traits_hold_for_all_parameters), RUN(signs_and_scales))
