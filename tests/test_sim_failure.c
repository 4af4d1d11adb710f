/* SPDX-License-Identifier: MIT */
/* Simulations that cannot be made, or cannot go on: what they say, and what is left of them. */
#include "sims.h"

/* ---- Mistakes ---- */

static void refuse(const nh_model *model, const nh_sim_options *options, nh_status status, const char *message)
{
    nh_sim *sim = NULL;
    nh_error error = {0};
    CHECK_EQ_INT(nh_sim_new(model, options, &sim, &error), status);
    CHECK_STR(error.message, message);
    CHECK(sim == NULL);
    nh_sim_free(sim);
}

TEST(bad_options)
{
    nh_model *model = load_model("particle", NULL), *pendulum = load_model("spherical-pendulum", NULL);
    nh_sim_options options = nh_sim_options_default();
    options.method = "gaus(s=2)";
    refuse(model, &options, NH_NAME, "there is no method 'gaus'; did you mean 'gauss'?");
    options.method = "gauss(s=2)";
    options.step = "0";
    refuse(model, &options, NH_VALUE, "the step is 0; a step leads on in time: give one like 0.01");
    options.step = "1/0";
    refuse(model, &options, NH_VALUE, "division by zero");
    options.step = "exp(1e6)";
    refuse(model, &options, NH_VALUE, "the value of --step is not finite");
    options.step = "-1e-320";
    refuse(model, &options, NH_VALUE, "the step is too small for a double: 1/h is not finite");
    options.step = "0.1";
    options.start = "1e20";
    refuse(model, &options, NH_VALUE, "at t = 1e+20, a step of 0.1 is lost in rounding");
    options.start = NULL;
    options.audit = -1;
    refuse(model, &options, NH_USAGE, "an audit every -1 steps is not possible; 0 looks at the ends only");
    options.audit = 1;
    options.divide = -3;
    refuse(model, &options, NH_USAGE, "a step divided by -3 is not possible; 0 does not divide it");
    options.divide = 0;
    options.backend = (nh_backend_choice)7;
    refuse(model, &options, NH_USAGE, "there is no backend 7; NH_BACKEND_... are 0 to 2");
    options.backend = NH_BACKEND_AUTO;
    options.precision = (nh_precision)9;
    refuse(model, &options, NH_USAGE, "there is no precision 9; NH_PRECISION_... are 0 to 1");
    options.precision = NH_PRECISION_DOUBLE;
    refuse(pendulum, &options, NH_USAGE,
           "gauss does not take holonomic constraints; lobatto-ab does, with any number of stages");
    nh_model_free(model);
    nh_model_free(pendulum);
    model = parse_model("coordinates q[1..2900]\nlagrangian sum(q[i]' for i = 1..2900)^2/2\n");
    options.method = "gauss(s=64)";
    refuse(model, &options, NH_LIMIT,
           "a step with 2900 coordinates, 0 constraints and 64 stages has matrices of up to 5.39e+08 numbers; 5.37e+08 "
           "are possible: fewer coordinates or stages are needed");
    nh_model_free(model);
    model = parse_model("coordinates x\nlagrangian x'^2/2\n");
    refuse(model, NULL, NH_USAGE, "the model does not say which step to take; use --step");
    nh_model_free(model);
}

TEST(inconsistent)
{
    nh_model *model = parse_model("coordinates x, y, z\nlagrangian (x'^2 + y'^2 + z'^2)/2\nconstraint z' - y*x' = 0\n"
                                  "initial y = 1, x' = 1\nstep 0.1\n");
    nh_sim_options options = nh_sim_options_default();
    refuse(model, &options, NH_MODEL,
           "the initial data violate the velocity constraints by 1; --project moves them onto the constraints");
    options.project = 1;
    nh_sim *sim = make_sim(model, &options);
    double v[3];
    nh_audit audit;
    if (sim) {
        nh_sim_get(sim, NH_SIM_VELOCITY, v);
        nh_sim_audit(sim, &audit);
        CHECK_NEAR(v[0], 0.5, 0);
        CHECK_NEAR(v[2], 0.5, 0);
        CHECK_NEAR(audit.moved, 0.5, 0);
    }
    nh_sim_free(sim);
    nh_model_free(model);
}

/* The units of x, which no constraint looks at, hide nothing. */
TEST(inconsistent_in_other_units)
{
    nh_model *model = parse_model("coordinates x, y, z\nlagrangian (x'/1e15)^2/2 + y'^2/2 + z'^2/2\n"
                                  "constraint y'^2 + z'^2 = 1\ninitial x' = 1e15, y' = 2, z' = 1\nstep 0.1\n");
    nh_sim_options options = nh_sim_options_default();
    refuse(model, &options, NH_MODEL,
           "the initial data violate the velocity constraints by 4; --project moves them onto the constraints");
    options.project = 1;
    nh_sim *sim = make_sim(model, &options);
    double v[3];
    if (sim) {
        nh_sim_get(sim, NH_SIM_VELOCITY, v);
        CHECK(v[0] == 1e15);
        CHECK_NEAR(v[1], 2 / sqrt(5), 1e-15);
        CHECK_NEAR(v[2], 1 / sqrt(5), 1e-15);
    }
    nh_sim_free(sim);
    nh_model_free(model);
}

/* Constraints that vanish at the start, or say the same there, do not tell where the motion goes. */
TEST(dependent_constraints)
{
    static const char begin[] = "coordinates x, y, z\nlagrangian (x'^2 + y'^2 + z'^2)/2 - x^2 - y^2\nstep 0.1\n";
    static const struct {
        const char *constraints, *message;
    } cases[] = {
        {"constraint x*x' + y*z' = 0\ninitial x' = 1, y' = 1\n", "rank 0 of 1"},
        {"constraint x' + y*z' = 0\nconstraint 1e9*x' + 1e9*y*z' = 0\n", "rank 1 of 2"},
        {"holonomic x = 0\nconstraint x' = sin(z)*y'\n", "rank 1 of 2"},
    };
    for (int i = 0; i < 3; i++) {
        char text[400], message[200];
        snprintf(text, sizeof text, "%s%s", begin, cases[i].constraints);
        snprintf(message, sizeof message,
                 "the constraints have %s at the initial data: the equations do not determine the motion there; "
                 "'nonholo check' says more",
                 cases[i].message);
        nh_model *model = parse_model(text);
        refuse(model, NULL, NH_MODEL, message);
        nh_model_free(model);
    }
}

/* A pendulum cannot be followed with a step of many of its periods. */
TEST(failure)
{
    nh_model *model = load_model("spherical-pendulum", NULL);
    nh_sim_options options = nh_sim_options_default();
    options.step = "30";
    nh_sim *sim = make_sim(model, &options);
    nh_error error = {0}, again = {0};
    double q[3], q0[3];
    if (sim) {
        nh_sim_get(sim, NH_SIM_POSITION, q0);
        CHECK(nh_sim_run(sim, 100, 0, NULL, NULL, &error) == NH_CONVERGENCE);
        CHECK_STR(error.message, "step 1, from t = 0, did not converge; a smaller --step or more stages may help; the "
                                 "state is that of step 0");
        nh_sim_get(sim, NH_SIM_POSITION, q);
        CHECK(!memcmp(q, q0, sizeof q));
        CHECK(nh_sim_run(sim, 100, 0, NULL, NULL, &again) == NH_CONVERGENCE);
        CHECK_STR(again.message, error.message);
    }
    nh_sim_free(sim);
    nh_model_free(model);
}

/* The energy of this motion does not exist beyond x = 1; the force, which is its derivative, does. */
TEST(not_finite)
{
    nh_model *model = parse_model("coordinates x\nlagrangian x'^2/2 + log(1 - x)/1000000\ninitial x' = 1\nstep 0.3\n");
    nh_sim *sim = model ? make_sim(model, NULL) : NULL;
    nh_error error = {0};
    if (sim) {
        CHECK(nh_sim_run(sim, 20, 0, NULL, NULL, &error) == NH_VALUE);
        CHECK_STR(error.message, "the motion, its energy or a constraint is no longer finite at step 4, t = 1.2; a "
                                 "smaller --step may help; the state is that of step 3");
    }
    nh_sim_free(sim);
    nh_model_free(model);
}

TEST(force_that_is_not_finite)
{
    nh_model *model = parse_model("coordinates x\nlagrangian x'^2/2\nforce x = log(1 - x)\ninitial x = 2\nstep 0.1\n");
    nh_sim *sim = make_sim(model, NULL);
    nh_error error = {0};
    CHECK(nh_sim_run(sim, 10, 0, NULL, NULL, &error) == NH_CONVERGENCE);
    CHECK_STR(error.message, "step 1, from t = 0, cannot be made: the force L_q + f is not finite there; the state is "
                             "that of step 0");
    nh_sim_free(sim);
    nh_model_free(model);
}

/* Without mass nothing tells where the skate slides: a step that solves its equations is one of many. */
TEST(undetermined)
{
    nh_setting massless = {.name = "m", .expression = "0"};
    const nh_model_options settings = {.set = &massless, .set_count = 1};
    nh_sim_options options = nh_sim_options_default();
    nh_model *model = NULL;
    nh_error error = {0};
    if (!CHECK(nh_model_load("skate", &settings, &model, &error) == NH_OK))
        return;
    for (int i = 0; i < 2; i++) {
        options.precision = i ? NH_PRECISION_QUAD : NH_PRECISION_DOUBLE;
        nh_sim *sim = make_sim(model, &options);
        CHECK(nh_sim_run(sim, 10, 0, NULL, NULL, &error) == NH_CONVERGENCE);
        CHECK(strstr(error.message, "step 1, from t = 0, cannot be made: the equations do not determine the motion "
                                    "there; 'nonholo check' says more; the state is that of step 0") != NULL);
        CHECK(nh_sim_step_count(sim) == 0);
        nh_sim_free(sim);
    }
    nh_model_free(model);
}

/* A coordinate without mass, whose velocity the constraint tells. */
TEST(massless)
{
    nh_model *model = parse_model("coordinates x, z\nlagrangian x'^2/2 - x^2/2 - z\nconstraint z' - (1 + x)*x' = 0\n"
                                  "initial x = 1\nstep 0.1\n");
    nh_sim *sim = make_sim(model, NULL);
    nh_error error = {0};
    CHECK(nh_sim_run(sim, 10, 0, NULL, NULL, &error) == NH_CONVERGENCE);
    if (!CHECK(strstr(error.message, "L_vv is singular there, and this method needs its inverse") != NULL))
        printf("%s\n", error.message);
    nh_sim_free(sim);
    nh_model_free(model);
}

/* Forces go on where the logarithm does not: nobody looks at the energy before the end. */
TEST(not_finite_at_end)
{
    nh_model *model = parse_model("coordinates x\nlagrangian x'^2/2 - 1e-9*log(x)\ninitial x = 1, x' = -1\nstep 0.3\n");
    nh_sim_options options = nh_sim_options_default();
    nh_error error = {0};
    options.audit = 0;
    nh_sim *sim = make_sim(model, &options);
    CHECK(nh_sim_run(sim, 3, 0, NULL, NULL, &error) == NH_OK);
    CHECK(nh_sim_run(sim, 4, 0, NULL, NULL, &error) == NH_VALUE);
    CHECK(nh_sim_step_count(sim) == 3);
    nh_sim_free(sim);
    nh_model_free(model);
}

/* ---- Motions that break down ---- */

/* x runs away, and its energy overflows at step 8, while positions and velocities do not. */
static const char runaway[] = "coordinates x, y\nlagrangian x'^2/2 + y'^2/2 + x^6\nconstraint y' = x'\n"
                              "initial x = 1, x' = 1, y' = 1\nstep 1/10\n";

static int see_finite(const nh_sim *sim, void *user)
{
    double energy;
    nh_sim_get(sim, NH_SIM_ENERGY, &energy);
    CHECK(isfinite(energy));
    ++*(int *)user;
    return 0;
}

static int count_calls(const nh_sim *sim, void *user)
{
    ++*(int *)user;
    return nh_sim_step_count(sim) < 0;
}

/* What is left is the last good state, however often somebody looks, and the audit is of the good part. */
static void break_down(const nh_model *model, long long stride, long long every, int calls)
{
    nh_sim_options options = nh_sim_options_default();
    nh_error error = {0}, again = {0};
    nh_audit audit;
    int seen = 0;
    options.method = "mp";
    options.audit = stride;
    nh_sim *sim = make_sim(model, &options);
    CHECK(nh_sim_run(sim, 100, every, see_finite, &seen, &error) == NH_VALUE);
    CHECK(strstr(error.message, "at step 8, t = 0.8;") != NULL);
    CHECK_EQ_INT(seen, calls);
    nh_sim_audit(sim, &audit);
    CHECK_EQ_INT(audit.steps, 7);
    CHECK(isfinite(audit.energy_final) && isfinite(audit.energy_drift) && isfinite(audit.energy_drift_error));
    CHECK(audit.energy_max_error == fabs(audit.energy_final - audit.energy_initial));
    CHECK_EQ_INT(audit.audited, stride > 0 ? 7 / stride + 1 : 1);
    CHECK(nh_sim_run(sim, 100, 0, NULL, NULL, &again) == NH_VALUE);
    CHECK_STR(again.message, error.message);
    nh_sim_free(sim);
}

TEST(the_last_good_state)
{
    nh_model *model = parse_model(runaway);
    break_down(model, 1, 1, 8);
    break_down(model, 1, 0, 2);
    break_down(model, 3, 0, 2);
    break_down(model, 0, 1, 8);
    break_down(model, 0, 5, 3); /* 0, 5, 7 */
    break_down(model, 0, 0, 2);
    nh_model_free(model);
}

/* The energy is no number for -1 < x < 0: an observer who does not read it may go there. */
TEST(a_gap_that_nobody_sees)
{
    nh_model *model = parse_model("coordinates x\nlagrangian x'^2/2 + 1e-9*log(x*(x + 1))\ninitial x = 1, x' = -1\n"
                                  "step 0.3\n");
    nh_sim_options options = nh_sim_options_default();
    nh_error error = {0};
    int seen = 0;
    options.audit = 0;
    nh_sim *sim = make_sim(model, &options);
    go(sim, 9);
    nh_sim_free(sim);
    sim = make_sim(model, &options);
    CHECK(nh_sim_run(sim, 9, 1, count_calls, &seen, &error) == NH_OK);
    CHECK_EQ_INT(seen, 10);
    nh_sim_free(sim);
    seen = 0;
    sim = make_sim(model, &options);
    CHECK(nh_sim_run(sim, 9, 5, see_finite, &seen, &error) == NH_VALUE);
    CHECK_EQ_INT(seen, 2);
    CHECK_EQ_INT(nh_sim_step_count(sim), 3);
    nh_sim_free(sim);
    nh_model_free(model);
}

TEST_MAIN(RUN(bad_options), RUN(inconsistent), RUN(inconsistent_in_other_units), RUN(dependent_constraints),
          RUN(failure), RUN(not_finite), RUN(force_that_is_not_finite), RUN(undetermined), RUN(massless),
          RUN(not_finite_at_end), RUN(the_last_good_state), RUN(a_gap_that_nobody_sees))
