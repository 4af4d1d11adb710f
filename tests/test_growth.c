/* SPDX-License-Identifier: MIT */
/* Growth vectors of distributions: where they change, and where systems are large. */
#include "classify.h"

/* ---- Growth at singular points ---- */

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
    nh_classification *c = classify_text("coordinates x, y, z\nlagrangian (x'^2 + y'^2 + z'^2)/2\n"
                                         "constraint z' - y^4*x' = 0\n");
    check_growth(&c->distribution.generic, "(2,3)");
    check_growth(&c->distribution.initial, "(2,2,2,2,3)");
    nh_classification_free(c);
}

/* The plane z = 0 is an integral surface, although D is not integrable elsewhere. */
TEST(growth_on_a_leaf)
{
    nh_classification *c = classify_text("coordinates x, y, z\nlagrangian (x'^2 + y'^2 + z'^2)/2\n"
                                         "constraint z' - x*z*y' = 0\n");
    check_growth(&c->distribution.generic, "(2,3)");
    check_growth(&c->distribution.initial, "(2)");
    CHECK_EQ_INT(c->distribution.integrable.answer, NH_NO);
    nh_classification_free(c);
}

/* z = 0 is a leaf again, but the brackets never close: a cap is met, and must be told. */
TEST(growth_that_is_not_decided)
{
    nh_classification *c = classify_text("coordinates x, y, z\nlagrangian (x'^2 + y'^2 + z'^2)/2\n"
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
    nh_classification *c = classify_text("coordinates x, y, z\nlagrangian (x'^2 + y'^2 + z'^2)/2\n"
                                         "constraint x*z' - y*x' = 0\n");
    CHECK_EQ_INT(c->regularity.rank, 0);
    CHECK(!c->regularity.saddle_regular && isinf(c->regularity.saddle_condition));
    CHECK_EQ_INT(c->regularity.index, -1);
    check_growth(&c->distribution.generic, "(2,3)");
    check_growth(&c->distribution.initial, "-");
    nh_classification_free(c);
    c = classify_text("coordinates x, y, z\nlagrangian (x'^2 + y'^2 + z'^2)/2\n" /* zero up to rounding */
                      "constraint cos(x)*z' - y*x' = 0\ninitial x = pi/2\n");
    CHECK_EQ_INT(c->regularity.rank, 0);
    check_growth(&c->distribution.initial, "-");
    nh_classification_free(c);
    c = classify_text("coordinates x, y, z\nlagrangian (x'^2 + y'^2 + z'^2)/2\n"
                      "constraint z' - y*x' = 0\nconstraint 2*z' - 2*y*x' = 0\n");
    CHECK_EQ_INT(c->regularity.rank, 1);
    CHECK_EQ_INT(c->regularity.rows, 2);
    check_growth(&c->distribution.generic, "(2,3)");
    check_growth(&c->distribution.initial, "(2,3)");
    nh_classification_free(c);
}

/* ---- Large systems ---- */

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
    check_large("skate-beam", "n", "20", "(40,60)", -1);
    nh_classification *c = classify_text("sizes n = 40\ncoordinates q[1..n]\nlagrangian sum(q[i]'^2 for i = 1..n)/2\n"
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
    nh_classification *c = classify_text("sizes n = 1500\ncoordinates q[1..n], r[1..n]\n"
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
    nh_classification *c = classify_text("sizes m = 30\ncoordinates x, y[1..m], z[1..m]\n"
                                         "lagrangian (x'^2 + sum(y[i]'^2 + z[i]'^2 for i = 1..m))/2\n"
                                         "constraint y[i]' - z[i]*x' = 0 for i = 1..m\n");
    check_growth(&c->distribution.generic, "(31,61)");
    nh_classification_free(c);
}

/* Redundant rows, and holonomic ones that move. */
TEST(large_with_redundant_rows)
{
    nh_classification *c = classify_text("sizes n = 40\ncoordinates q[1..n]\nlagrangian sum(q[i]'^2 for i = 1..n)/2\n"
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
    nh_classification *c = classify_text("coordinates x, y, z\nlagrangian (x'^2 + y'^2 + z'^2)/2 + x'\n"
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

TEST_MAIN(RUN(growth_at_singular_points), RUN(growth_with_trailers), RUN(growth_of_high_degree), RUN(growth_on_a_leaf),
          RUN(growth_that_is_not_decided), RUN(constraints_that_lose_rank), RUN(large_systems), RUN(very_large_systems),
          RUN(very_large_and_coupled), RUN(brackets_with_one_vector), RUN(large_with_redundant_rows),
          RUN(many_trailers), RUN(undecided))
