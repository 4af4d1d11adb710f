/* SPDX-License-Identifier: MIT */
/* Measured errors show the orders that methods claim, against exact solutions and against runs in quad precision. */
#include "test.h"

#include <nonholo/nonholo.h>

static nh_measurements *measure(const char *name, const nh_sim_options *options, const char *const *methods, int count,
                                long long steps, int halvings)
{
    nh_model *model = NULL;
    nh_measurements *list = NULL;
    nh_error error = {0};
    if (!CHECK(nh_model_load(name, NULL, &model, &error) == NH_OK) ||
        !CHECK(nh_measure(model, options, methods, count, steps, halvings, &list, &error) == NH_OK))
        printf("%s\n", error.message);
    nh_model_free(model);
    return list;
}

TEST(orders)
{
    static const char *const methods[] = {"gauss(s=1)", "gauss(s=2)", "lobatto-ab(s=3)", "radau-ia(s=2)"};
    static const double order[] = {2, 4, 4, 3};
    nh_sim_options options = nh_sim_options_default();
    options.step = "1/10";
    nh_measurements *list = measure("skate", &options, methods, 4, 20, 3);
    if (!list)
        return;
    CHECK_EQ_INT(nh_measurements_count(list), 16);
    CHECK_STR(nh_measurements_reference(list), "the exact solution");
    for (int i = 0; i < 16; i++) {
        const nh_measurement *row = nh_measurements_get(list, i);
        CHECK_STR(row->method, methods[i / 4]);
        CHECK_EQ_INT(row->status, NH_OK);
        CHECK_EQ_INT(row->steps, 20 << i % 4);
        CHECK_NEAR(row->step * (double)row->steps, 2, 1e-15);
        CHECK(i % 4 ? fabs(row->q_order - order[i / 4]) < 0.2 : isnan(row->q_order));
        CHECK(i % 4 ? fabs(row->v_order - order[i / 4]) < 0.2 : isnan(row->v_order));
        CHECK(row->constraint_max < 1e-14 && row->energy_max_error > 0 && row->seconds > 0);
    }
    CHECK(nh_measurements_get(list, 16) == NULL && nh_measurements_get(list, -1) == NULL);
    nh_measurements_free(list);
}

/* The exact solution and a run of high order are the same reference: without the first the errors stay. */
TEST(references)
{
    nh_sim_options options = nh_sim_options_default();
    options.method = "gauss(s=2)";
    options.precision = NH_PRECISION_QUAD;
    options.step = "1/5";
    nh_measurements *exact = measure("skate", &options, NULL, 0, 10, 1);
    options.start = "1"; /* the exact solution starts at 0; the equations do not depend on time */
    nh_measurements *run = measure("skate", &options, NULL, 0, 10, 1);
    if (exact && run) {
        const nh_measurement *a = nh_measurements_get(exact, 1), *b = nh_measurements_get(run, 1);
        CHECK_STR(nh_measurements_reference(exact), "the exact solution");
        CHECK(strstr(nh_measurements_reference(run), "gauss(s=6) in quad precision, h = ") != NULL);
        CHECK_NEAR(a->q_error, b->q_error, 1e-20);
        CHECK_NEAR(a->v_error, b->v_error, 1e-20);
    }
    nh_measurements_free(exact);
    nh_measurements_free(run);
}

static nh_measurements *measure_text(const char *text, long long steps, int halvings)
{
    nh_model *model = NULL;
    nh_measurements *list = NULL;
    nh_error error = {0};
    if (!CHECK(nh_model_parse(text, strlen(text), "test", NULL, &model, &error) == NH_OK) ||
        !CHECK(nh_measure(model, &(nh_sim_options){.audit = 1}, NULL, 0, steps, halvings, &list, &error) == NH_OK))
        printf("%s\n", error.message);
    nh_model_free(model);
    return list;
}

/* A declared solution that does not hold for these data is not used. */
TEST(wrong_solution)
{
    nh_measurements *list = measure_text(
        "coordinates x\nlagrangian (x'^2 - x^2)/2\ninitial x = 1\nexact x = x*cos(2*t)\nstep 0.1\n", 10, 0);
    if (list)
        CHECK(strstr(nh_measurements_reference(list), "quad precision") &&
              nh_measurements_get(list, 0)->q_error < 1e-5);
    nh_measurements_free(list);
}

/* Steps of many periods gain nothing when they are halved. This does not end the search for a reference. */
TEST(steps_that_are_far_too_large)
{
#define FAST "coordinates x\nlagrangian (x'^2 - 300^2*x^2)/2\ninitial x = 1\nstep 0.1\n"
    nh_measurements *exact = measure_text(FAST "exact x = cos(300*t)\n", 10, 2), *run = measure_text(FAST, 10, 2);
    for (int i = 0; i < 3 && exact && run; i++)
        CHECK_NEAR(nh_measurements_get(run, i)->q_error, nh_measurements_get(exact, i)->q_error, 1e-12);
    nh_measurements_free(exact);
    nh_measurements_free(run);
}

/* Where forces jump there is no order 12, and no error that could be told from it. */
TEST(forces_that_jump)
{
    nh_measurements *list =
        measure_text("coordinates x\nlagrangian x'^2/2 - abs(x)\ninitial x = 1\nstep 0.1\n", 100, 3);
    if (list)
        CHECK(strstr(nh_measurements_reference(list), ", known to ") != NULL);
    for (int i = 0; i < 4 && list; i++)
        CHECK(nh_measurements_get(list, i)->q_error > 1e-6);
    nh_measurements_free(list);
}

/* A reference that fails at large steps is made with small ones. */
TEST(a_reference_that_fails)
{
    nh_measurements *list = measure_text("coordinates x\nlagrangian x'^2/2 - 50*x^4\ninitial x = 2\nstep 1\n", 2, 0);
    if (list)
        CHECK(strstr(nh_measurements_reference(list), ", error about ") != NULL);
    nh_measurements_free(list);
}

TEST(failures)
{
    nh_sim_options options = nh_sim_options_default();
    nh_model *model = NULL;
    nh_measurements *list = NULL;
    nh_error error = {0};
    options.step = "2";
    list = measure("spherical-pendulum", &options, NULL, 0, 10, 1);
    if (list) {
        char *text = NULL;
        CHECK_EQ_INT(nh_measurements_get(list, 0)->status, NH_CONVERGENCE);
        CHECK(isnan(nh_measurements_get(list, 0)->q_error));
        CHECK_EQ_INT(nh_measurements_get(list, 1)->status, NH_OK);
        CHECK(nh_measurements_print(list, NH_TABLE_OF_WORK, NH_FORMAT_TEXT, &text, &error) == NH_OK);
        CHECK(strstr(text, "a step did not converge") != NULL);
        nh_text_release(text);
        nh_measurements_free(list);
    }
    if (!CHECK(nh_model_load("skate", NULL, &model, &error) == NH_OK))
        return;
    CHECK_EQ_INT(nh_measure(model, &options, NULL, 0, 0, 1, &list, &error), NH_VALUE);
    CHECK_EQ_INT(nh_measure(model, &options, NULL, 0, 1, 99, &list, &error), NH_VALUE);
    CHECK_EQ_INT(nh_measure(model, &options, &options.method, -1, 1, 1, &list, &error), NH_VALUE);
    CHECK_STR(error.message, "-1 methods cannot be measured: their number is 0 or more");
    options.divide = -3;
    CHECK_EQ_INT(nh_measure(model, &options, NULL, 0, 1, 1, &list, &error), NH_USAGE);
    options.divide = 0;
    options.method = "nosuch";
    CHECK_EQ_INT(nh_measure(model, &options, NULL, 0, 1, 1, &list, &error), NH_NAME);
    CHECK(list == NULL);
    nh_model_free(model);
}

TEST_MAIN(RUN(orders), RUN(references), RUN(wrong_solution), RUN(steps_that_are_far_too_large), RUN(forces_that_jump),
          RUN(a_reference_that_fails), RUN(failures))
