/* SPDX-License-Identifier: MIT */
/* JSON, pages, descriptions, checks that find what is wrong, consistent initial data. */
#include "test.h"

#include "base/json.h"
#include "base/page.h"
#include "model/consistent.h"
#include "model/initial.h"

#include <nonholo/nonholo.h>
#include <stdlib.h>

static nh_model *parse(const char *text)
{
    nh_model *m = NULL;
    nh_error error = {0};
    if (!CHECK_EQ_INT(nh_model_parse(text, strlen(text), "test", NULL, &m, &error), NH_OK))
        printf("    line %d: %s\n", error.line, error.message);
    return m;
}

/* ---- JSON ---- */

TEST(json)
{
    nh_text text = {0};
    nh_json j = {.out = &text};
    nh_json_object(&j, NULL);
    nh_json_text(&j, "text", "a \"b\" \\ \n\t \u03b8 \xff");
    nh_json_number(&j, "tenth", 0.1);
    nh_json_number(&j, "third", 1.0 / 3);
    nh_json_number(&j, "infinite", INFINITY);
    nh_json_quad(&j, "quad", (nh_quad)0.5);
    nh_json_row(&j, "row");
    nh_json_integer(&j, NULL, 1);
    nh_json_bool(&j, NULL, true);
    nh_json_end(&j);
    nh_json_array(&j, "empty");
    nh_json_end(&j);
    nh_json_array(&j, "objects");
    nh_json_object(&j, NULL);
    nh_json_text(&j, "none", NULL);
    nh_json_end(&j);
    nh_json_end(&j);
    nh_json_end(&j);
    CHECK_STR(nh_text_get(&text), "{\n"
                                  "  \"text\": \"a \\\"b\\\" \\\\ \\n\\u0009 \u03b8 \\ufffd\",\n"
                                  "  \"tenth\": 0.1,\n"
                                  "  \"third\": 0.3333333333333333,\n"
                                  "  \"infinite\": null,\n"
                                  "  \"quad\": \"5e-01\",\n"
                                  "  \"row\": [1, true],\n"
                                  "  \"empty\": [],\n"
                                  "  \"objects\": [\n"
                                  "    {\n"
                                  "      \"none\": null\n"
                                  "    }\n"
                                  "  ]\n"
                                  "}\n");
    nh_text_free(&text);
}

TEST(json_mistakes_are_failures)
{
    nh_text text = {0};
    nh_json j = {.out = &text};
    nh_json_end(&j);
    CHECK(text.failed);
    nh_text_free(&text);
    j = (nh_json){.out = &text};
    for (int i = 0; i <= NH_JSON_DEPTH; i++)
        nh_json_array(&j, NULL);
    CHECK(text.failed);
    nh_text_free(&text);
}

/* ---- Pages ---- */

static int widest(const char *text)
{
    int most = 0, width = 0;
    for (; *text; text++) {
        width = *text == '\n' ? 0 : width + ((*text & 0xc0) != 0x80);
        most = width > most ? width : most;
    }
    return most;
}

TEST(pages)
{
    nh_text text = {0};
    nh_page_line(&text, "label", "short");
    nh_page_line(&text, "a label that is long", "short");
    CHECK_STR(nh_text_get(&text), "  label         short\n  a label that is long\n                short\n");
    nh_text_free(&text);
    nh_text line = {0};
    for (int i = 0; i < 60; i++)
        nh_text_add(&line, "word%d ", i);
    nh_page_line(&text, "label", nh_text_get(&line));
    CHECK(widest(nh_text_get(&text)) <= NH_PAGE_WIDTH);
    nh_text_free(&text);
    nh_text_free(&line);
    for (int i = 0; i < 300; i++)
        nh_text_add(&line, "x");
    nh_page_wrap(&text, 2, nh_text_get(&line)); /* no place to break: nothing is lost */
    CHECK_EQ_INT(text.length, 303);
    nh_text_free(&text);
    nh_text_free(&line);
}

/* ---- Descriptions ---- */

static char *describe(nh_model *m, nh_format format)
{
    char *text = NULL;
    if (m)
        CHECK_EQ_INT(nh_describe(m, format, &text, NULL), NH_OK);
    return text;
}

static void check_contains(const char *text, const char *part)
{
    if (!CHECK(text && strstr(text, part)))
        printf("    no '%s'\n", part);
}

static void check_description(const char *name, nh_format format, const char *const *parts)
{
    nh_model *m = NULL;
    CHECK_EQ_INT(nh_model_load(name, NULL, &m, NULL), NH_OK);
    char *text = describe(m, format);
    for (; *parts; parts++)
        check_contains(text, *parts);
    if (format == NH_FORMAT_TEXT)
        CHECK(widest(text) <= 100);
    nh_text_release(text);
    nh_model_free(m);
}

TEST(description_of_the_sleigh)
{
    check_description("sleigh", NH_FORMAT_TEXT,
                      (const char *const[]){"Chaplygin sleigh", "3 coordinates, 1 velocity constraint", "x, y, theta",
                                            "nonholonomic: the constraints cannot be integrated", "(2, 3)",
                                            "d/dt(m*x' - m*a*sin(theta)*theta') = -sin(theta)*lambda[1]",
                                            "cos(theta)*y' - sin(theta)*x' = 0", "Chaplygin system", NULL});
    check_description("sleigh", NH_FORMAT_LATEX,
                      (const char *const[]){"\\begin{align*}", "\\dot{y} \\cos \\theta - \\dot{x} \\sin \\theta &= 0",
                                            "\\lambda_{1}", "\\end{align*}", NULL});
    check_description("sleigh", NH_FORMAT_JSON,
                      (const char *const[]){"\"coordinates\": [\"x\", \"y\", \"theta\"]", "\"m\": 0.001",
                                            "\"class\": \"linear\"", "\"growth_vector\": [2, 3]",
                                            "\"integrable\": false", "\"regular\": true", "\"index\": 2", NULL});
}

TEST(words_for_other_systems)
{
    check_description("isokinetic", NH_FORMAT_TEXT,
                      (const char *const[]){"nonlinear in the velocities", "its reaction does work", "not conserved",
                                            "along the motion dE/dt = lambda.Kv\n", NULL});
    check_description("dry-friction", NH_FORMAT_TEXT, (const char *const[]){"along the motion dE/dt = N.v\n", NULL});
    check_description("differentiated-pendulum", NH_FORMAT_TEXT,
                      (const char *const[]){"holonomic in disguise", "the constraints can be integrated", NULL});
    check_description("dae-spark", NH_FORMAT_TEXT, (const char *const[]){"index-2", "y2' =", "y1^2*y2 - 1 = 0", NULL});
    check_description("vehicle-hamiltonian", NH_FORMAT_TEXT,
                      (const char *const[]){"-px' = 0", "phi' = pphi/beta", "index         1", NULL});
}

/* A thousand coordinates take no more lines than ten. */
TEST(families_stay_families)
{
    nh_setting set = {"n", "300"};
    nh_model_options options = {.set = &set, .set_count = 1};
    nh_model *m = NULL;
    CHECK_EQ_INT(nh_model_load("skate-chain", &options, &m, NULL), NH_OK);
    char *text = describe(m, NH_FORMAT_TEXT);
    check_contains(text, "L_v = m*x[i]'    (i = 1..300)");
    check_contains(text, "cos(theta[i])*y[i]' - sin(theta[i])*x[i]' = 0    (i = 1..300)");
    CHECK(text && strlen(text) < 8000);
    nh_text_release(text);
    nh_model_free(m);
}

/* What is not known is not told as "no". */
TEST(words_for_what_is_not_decided)
{
    static const char *const words[] = {"form in the velocities not decided",
                                        "integrable    not decided: no point",
                                        "energy        not decided: no point",
                                        "reversible    not decided: no point",
                                        "leaves L invariant; the constraints not looked at",
                                        "momentum is conserved is not",
                                        "not looked at whether this is a Chaplygin system"};
    static const char *const data[] = {"\"class\": null",      "\"homogeneous\": null", "\"integrable\": null",
                                       "\"conserved\": null",  "\"reversible\": null",  "\"constraints\": null",
                                       "\"horizontal\": null", "\"answer\": null",      "\"growth_complete\": null"};
    nh_model *m = parse("coordinates x, y, z\nlagrangian (x'^2 + y'^2 + z'^2)/2 + x'\n"
                        "constraint z' - y*x' + sin(x)^2 + cos(x)^2 = 1\nholonomic x^2 + y^2 = -1\n"
                        "force x = -y'\nsymmetry shift: x = 1\n");
    char *text = describe(m, NH_FORMAT_TEXT), *json = describe(m, NH_FORMAT_JSON);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        check_contains(text, words[i]);
    for (size_t i = 0; i < sizeof data / sizeof *data; i++)
        check_contains(json, data[i]);
    CHECK(text && !strstr(text, "NOT a symmetry") && !strstr(text, "not conserved"));
    nh_text_release(text);
    nh_text_release(json);
    nh_model_free(m);
}

TEST(words_for_very_large_systems)
{
    nh_setting set = {"n", "1000"};
    nh_model_options options = {.set = &set, .set_count = 1};
    nh_model *m = NULL;
    int well_posed = 0;
    char *checked = NULL;
    CHECK_EQ_INT(nh_model_load("skate-chain", &options, &m, NULL), NH_OK);
    char *text = describe(m, NH_FORMAT_TEXT), *json = describe(m, NH_FORMAT_JSON);
    check_contains(text, "leaves L and the constraints invariant");
    check_contains(text, "nonholonomic: the constraints cannot be integrated");
    check_contains(text, "regular       not looked at: ");
    check_contains(text, "index         not looked at: ");
    check_contains(json, "\"regular\": null");
    check_contains(json, "\"rank\": null");
    CHECK(text && !strstr(text, "NOT a symmetry"));
    CHECK_EQ_INT(nh_check(m, NH_FORMAT_TEXT, &well_posed, &checked, NULL), NH_OK);
    CHECK_EQ_INT(well_posed, 1);
    check_contains(checked, "note    regular");
    check_contains(checked, "well posed, as far as was looked at");
    nh_text_release(checked);
    nh_text_release(text);
    nh_text_release(json);
    nh_model_free(m);
}

/* ---- Checks ---- */

/* Checks a model and whether this line is in its report. */
static void check_verdict(const char *model, int want, const char *part)
{
    int well_posed = -1;
    char *text = NULL;
    nh_model *m = parse(model);
    if (!m)
        return;
    CHECK_EQ_INT(nh_check(m, NH_FORMAT_TEXT, &well_posed, &text, NULL), NH_OK);
    bool good = CHECK_EQ_INT(well_posed, want);
    check_contains(text, part);
    if (!good)
        printf("%s", text);
    nh_text_release(text);
    nh_model_free(m);
}

#define SKATE                                                                                                          \
    "coordinates x, y, theta\nlagrangian (x'^2 + y'^2 + theta'^2)/2\n"                                                 \
    "constraint cos(theta)*y' - sin(theta)*x' = 0\n"

TEST(what_is_right_passes)
{
    check_verdict(SKATE "initial x' = 1, theta' = 1\ninvariant w = theta'\nsymmetry shift: x = 1\n", 1, "well posed");
    check_verdict("coordinates x\nlagrangian x'^2/2 - x^2/2\ninitial x = 1\nexact x = x*cos(t) + x'*sin(t)\n", 1,
                  "exact solution");
    check_verdict("coordinates x\nlagrangian x'^2/2\nforce x = -x'\nexact x = x + x'*(1 - exp(-t))\n", 1,
                  "exact solution");
}

TEST(what_is_wrong_fails)
{
    check_verdict(SKATE "initial y' = 1\n", 0, "violate the velocity constraints by 1");
    check_verdict(SKATE "initial y' = 1\n", 0, "consistent data near them: y'=0");
    check_verdict(SKATE "initial x' = 1, theta' = 1\ninvariant p = x'\n", 0, "FAILED  invariant p");
    check_verdict(SKATE "symmetry slide: theta = 1\n", 0, "FAILED  symmetry slide");
    check_verdict(SKATE "constraint 2*cos(theta)*y' - 2*sin(theta)*x' = 0\n", 0, "rank 1 of 2");
    check_verdict("coordinates x, y\nlagrangian x'^2/2 + y\n", 0, "FAILED  regular");
    check_verdict(SKATE "reaction x = sin(theta)*lambda[1], y = -cos(theta)*lambda[1]\n", 0,
                  "-R_lambda], [D, 0]] is singular");
    check_verdict("coordinates x\nlagrangian x'^2/2 - x^2/2\ninitial x = 1\nexact x = x*cosh(t) + x'*sinh(t)\n", 0,
                  "FAILED  exact solution");
    check_verdict("coordinates x\nlagrangian x'^2/2 - x^2/2\ninitial x = 1\nexact x = 2*x*cos(t) + x'*sin(t)\n", 0,
                  "initial data 1");
    check_verdict("coordinates x, y\nlagrangian (x'^2 + y'^2)/2\nholonomic x^2 + y^2 = 1\ninitial x = 2\n", 0,
                  "violate the constraints on positions by 3");
    check_verdict("coordinates x\nlagrangian x'^2/2\ninitial x = log(-1)\n", 0, "FAILED  finite");
}

TEST(check_as_json)
{
    int well_posed = -1;
    char *text = NULL;
    nh_model *m = parse(SKATE "initial y' = 1\n");
    CHECK_EQ_INT(nh_check(m, NH_FORMAT_JSON, &well_posed, &text, NULL), NH_OK);
    CHECK_EQ_INT(well_posed, 0);
    check_contains(text, "\"well_posed\": false");
    check_contains(text, "\"outcome\": \"failed\"");
    check_contains(text, "\"y'\": 0");
    nh_text_release(text);
    nh_model_free(m);
}

/* ---- Consistent data ---- */

/* The projection is orthogonal in the metric of the kinetic energy: K M^-1 moves along Kᵀ only. */
TEST(projection_in_the_metric)
{
    nh_model *m = parse("parameters a = 4\ncoordinates x, y\nlagrangian x'^2/2 + a*y'^2/2\n"
                        "constraint x' + y' = 0\ninitial x' = 1, y' = 0\n");
    nh_quad parameters[1], q[2], v[2];
    CHECK_EQ_INT(nh_model_initial(m, parameters, q, v, NULL, NULL), NH_OK);
    CHECK_EQ_INT(nh_project(m, parameters, 0, q, v, NULL), NH_OK);
    CHECK_NEAR((double)v[0], 0.2, 1e-15); /* v − M⁻¹Kᵀ(K M⁻¹Kᵀ)⁻¹k = (1, 0) − (1, 1/4)·4/5 */
    CHECK_NEAR((double)v[1], -0.2, 1e-15);
    nh_model_free(m);
}

TEST(projection_onto_positions)
{
    nh_model *m = parse("coordinates x, y\nlagrangian (x'^2 + y'^2)/2\nholonomic x^2 + y^2 = 1 + t\n"
                        "initial x = 3, y = 4, x' = 1\n");
    nh_quad q[2], v[2];
    nh_violation off;
    CHECK_EQ_INT(nh_model_initial(m, NULL, q, v, NULL, NULL), NH_OK);
    CHECK_EQ_INT(nh_project(m, NULL, 0, q, v, NULL), NH_OK);
    CHECK_NEAR((double)q[0], 0.6, 1e-15);
    CHECK_NEAR((double)q[1], 0.8, 1e-15);
    CHECK_EQ_INT(nh_violation_at(m, NULL, 0, q, v, &off, NULL), NH_OK);
    CHECK(off.holonomic.by < 1e-25);
    CHECK(off.hidden.by < 1e-25);
    nh_model_free(m);
}

/* x has large numbers, because its unit is small; it need not be in a constraint. */
#define OTHER_UNITS                                                                                                    \
    "coordinates x, y, z\nparameters u = 1e13\nlagrangian (x'/u)^2/2 + y'^2/2 + z'^2/2\ninitial x = u, x' = u, "

TEST(other_units_hide_no_violation)
{
    check_verdict(OTHER_UNITS "y' = 2, z' = 1\nconstraint y'^2 + z'^2 = 1\n", 0, "velocity constraints by 4");
    check_verdict(OTHER_UNITS "y' = 1 + 1e-7\nconstraint y'^2 + z'^2 = 1\n", 0, "velocity constraints by 2e-07");
    check_verdict(OTHER_UNITS "y = 1, z = 0.5\nholonomic y^2 + z^2 = 1\n", 0, "constraints on positions by 0.25");
    check_verdict(OTHER_UNITS "y = 1, y' = 2\nholonomic y^2 + z^2 = 1\n", 0, "differentiated constraints by 4");
    check_verdict(OTHER_UNITS "y' = 1, z' = 4\nconstraint x'/u = y'\nconstraint z' = 0\n", 0,
                  "velocity constraints by 4");
    check_verdict("states x, y\nalgebraic z\npart f: x' = z, y' = 1\nconstraint x = 0\ninitial x = 1, y = 1e13\n", 0,
                  "constraints on positions by 1");
}

/* What enters a constraint counts: these data are as near as doubles can be. */
TEST(large_numbers_in_a_constraint)
{
    check_verdict(OTHER_UNITS "y' = 1\nconstraint x'*(1 + 1e-14) = u*y'\n", 1, "satisfy the constraints");
    check_verdict(OTHER_UNITS "y' = 1\nconstraint x'*(1 + 1e-10) = u*y'\n", 0, "velocity constraints by 1e+03");
    check_verdict(SKATE "initial x' = 1e6, theta = 3.1415926535897931\n", 1, "satisfy the constraints");
}

/* sqrt has no slope at 0. */
TEST(scales_that_are_not_finite)
{
    check_verdict("coordinates x, y\nlagrangian (x'^2 + y'^2)/2\nconstraint sqrt(x) + y' = 0\ninitial y' = 1\n", 0,
                  "velocity constraints by 1");
    check_verdict("coordinates x, y\nlagrangian (x'^2 + y'^2)/2\nconstraint sqrt(x) + y' = 0\n", 1,
                  "satisfy the constraints");
}

TEST(projection_in_other_units)
{
    nh_model *m = parse(OTHER_UNITS "y = 3, z = 4, y' = 1\nholonomic y^2 + z^2 = 1\n");
    nh_quad u = 1e15, q[3] = {u, 3, 4}, v[3] = {u, 1, 0};
    CHECK_EQ_INT(nh_project(m, &u, 0, q, v, NULL), NH_OK);
    CHECK_NEAR((double)q[1], 0.6, 1e-15);
    CHECK_NEAR((double)q[2], 0.8, 1e-15);
    CHECK_NEAR((double)v[1], 0.64, 1e-15);
    CHECK_NEAR((double)v[2], -0.48, 1e-15);
    CHECK(q[0] == u && v[0] == u);
    nh_model_free(m);
    m = parse(OTHER_UNITS "y' = 2, z' = 1\nconstraint y'^2 + z'^2 = 1\n");
    nh_quad w[3] = {u, 2, 1};
    CHECK_EQ_INT(nh_project(m, &u, 0, q, w, NULL), NH_OK);
    CHECK(nh_quad_abs(w[1] * w[1] + w[2] * w[2] - 1) < 1e-30);
    nh_model_free(m);
}

TEST(projection_that_is_not_possible)
{
    nh_error error = {0};
    nh_model *m = parse("coordinates x, y\nlagrangian (x'^2 + y'^2)/2\nholonomic x^2 + y^2 + 1 = 0\n");
    nh_quad q[2] = {1, 1}, v[2] = {0, 0};
    CHECK_EQ_INT(nh_project(m, NULL, 0, q, v, &error), NH_MODEL);
    CHECK(strstr(error.message, "no consistent positions") != NULL);
    nh_model_free(m);
}

TEST(nearest_words)
{
    const char *const words[] = {"describe", "check", "models"};
    CHECK_STR(nh_nearest("descirbe", words, 3), "describe");
    CHECK(nh_nearest("xyz", words, 3) == NULL);
}

TEST_MAIN(RUN(json), RUN(json_mistakes_are_failures), RUN(pages), RUN(description_of_the_sleigh),
          RUN(words_for_other_systems), RUN(families_stay_families), RUN(words_for_what_is_not_decided),
          RUN(words_for_very_large_systems), RUN(what_is_right_passes), RUN(what_is_wrong_fails), RUN(check_as_json),
          RUN(projection_in_the_metric), RUN(projection_onto_positions), RUN(projection_in_other_units),
          RUN(other_units_hide_no_violation), RUN(large_numbers_in_a_constraint), RUN(scales_that_are_not_finite),
          RUN(projection_that_is_not_possible), RUN(nearest_words))
