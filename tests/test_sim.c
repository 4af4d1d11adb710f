/* SPDX-License-Identifier: MIT */
/* Simulations by the public API. The numbers of the nonholonomic particle are from an independent implementation in
 * arbitrary precision. */
#include "sims.h"

#include <stdlib.h>

static nh_sim_options particle_options(nh_backend_choice backend)
{
    nh_sim_options options = nh_sim_options_default();
    options.method = "gauss(s=1)";
    options.step = "1/5";
    options.backend = backend;
    return options;
}

/* ---- Numbers ---- */

static void check_particle(nh_backend_choice backend, const char *expected)
{
    const nh_sim_options options = particle_options(backend);
    nh_model *model = load_model("particle", NULL);
    nh_sim *sim = make_sim(model, &options);
    double q[3], t, residual[1];
    nh_audit audit;
    if (sim && go(sim, 50)) {
        nh_sim_get(sim, NH_SIM_POSITION, q);
        nh_sim_get(sim, NH_SIM_TIME, &t);
        nh_sim_get(sim, NH_SIM_CONSTRAINT, residual);
        nh_sim_audit(sim, &audit);
        CHECK_NEAR(q[0], 0.99163329340335797988823695070071, 1e-14);
        CHECK_NEAR(q[1], 0.70435838847425282255771590472607, 1e-14);
        CHECK_NEAR(q[2], -3.02684618416618818, 1e-14);
        CHECK_NEAR(audit.energy_max_error, 6.5679208646966659e-3, 1e-14);
        CHECK_NEAR(t, 10, 0);
        CHECK_NEAR(residual[0], 0, 1e-15);
        CHECK_EQ_INT(audit.steps, 50);
        CHECK_EQ_INT(audit.audited, 51);
        CHECK_STR(audit.method, "gauss(s=1)");
        CHECK_STR(audit.backend, expected);
        CHECK_STR(audit.note, "");
        CHECK(audit.constraint_max < 1e-14 && audit.iterations_mean > 1 && audit.iterations_max < 50);
        CHECK(audit.reversible == 1);
    }
    nh_sim_free(sim);
    nh_model_free(model);
}

TEST(particle)
{
    check_particle(NH_BACKEND_TAPE, "tape");
    check_particle(NH_BACKEND_NATIVE, "native");
    check_particle(NH_BACKEND_AUTO, "native"); /* now in the cache */
}

TEST(quad)
{
    static const char *const expected[] = {"9.916332934033579798882369507007", "7.043583884742528225577159047260"};
    nh_sim_options options = particle_options(NH_BACKEND_NATIVE);
    options.precision = NH_PRECISION_QUAD;
    nh_model *model = load_model("particle", NULL);
    nh_sim *sim = make_sim(model, &options);
    char text[64];
    nh_audit audit;
    if (sim && go(sim, 50)) {
        for (int i = 0; i < 2; i++) {
            CHECK(nh_sim_print(sim, NH_SIM_POSITION, i, text, sizeof text) > 30);
            text[strlen(expected[i])] = '\0';
            CHECK_STR(text, expected[i]);
        }
        nh_sim_audit(sim, &audit);
        CHECK_STR(audit.backend, "tape");
        CHECK_STR(audit.precision, "quad");
        CHECK_STR(audit.note, "quad precision runs on the tape");
        CHECK(audit.constraint_max < 1e-32);
    }
    nh_sim_free(sim);
    nh_model_free(model);
}

/* ---- Reading ---- */

/* The skate's path does not depend on its mass and inertia, and lengths may have any unit: x over that unit. */
static double skate_x(const char *method, const char *mass, const char *inertia, const char *gravity, double unit)
{
    const nh_setting set[] = {{"m", mass}, {"I", inertia}, {"g", gravity}};
    const nh_model_options change = {.set = set, .set_count = 3};
    nh_sim_options options = nh_sim_options_default();
    options.method = method;
    options.step = "1/2";
    options.backend = NH_BACKEND_TAPE;
    nh_model *model = load_model("skate", &change);
    nh_sim *sim = model ? make_sim(model, &options) : NULL;
    double q[3] = {0};
    if (sim && go(sim, 10))
        nh_sim_get(sim, NH_SIM_POSITION, q);
    nh_sim_free(sim);
    nh_model_free(model);
    return q[0] / unit;
}

/* Iterations end by the size of velocities, which must not let small ones go: of another unit, or of a light body. */
TEST(units)
{
    static const char *const methods[] = {"gauss(s=3)", "lobatto-ab(s=3)", "radau-ia(s=2)", "mp"};
    for (int i = 0; i < 4; i++) {
        const double x = skate_x(methods[i], "1", "1", "9", 1);
        CHECK(x > 1);
        CHECK_NEAR(skate_x(methods[i], "1", "1e-24", "9e-12", 1e-12), x, 1e-14);
        CHECK_NEAR(skate_x(methods[i], "1", "1e24", "9e12", 1e12), x, 1e-14);
        CHECK_NEAR(skate_x(methods[i], "1e-24", "1", "9", 1), x, 1e-14);
        CHECK_NEAR(skate_x(methods[i], "1e24", "1", "9", 1), x, 1e-14);
    }
}

/* A fast sleigh whose turning is damped several times within a step: corrections shrink slowly, to a half and less.
 * That they do is no end yet. */
TEST(slow_corrections)
{
    const nh_setting set[] = {{"a", "0.763157894736842"}};
    const nh_model_options change = {.set = set, .set_count = 1};
    nh_sim_options options = nh_sim_options_default();
    options.step = "1/100";
    options.backend = NH_BACKEND_TAPE;
    nh_model *model = load_model("sleigh", &change);
    nh_sim *sim = model ? make_sim(model, &options) : NULL;
    nh_audit audit = {0};
    if (sim && go(sim, 30000)) {
        nh_sim_audit(sim, &audit);
        CHECK_EQ_INT(audit.newton_steps, 0);
        CHECK(audit.constraint_max < 1e-11); /* at 2900 units of length a second */
        double v[3];
        nh_sim_get(sim, NH_SIM_VELOCITY, v); /* beside quad */
        CHECK_NEAR(v[0], -11.9831567551415548710, 1e-10);
        CHECK_NEAR(v[2], 1.37647114551286151e-5, 1e-13);
    }
    nh_sim_free(sim);
    nh_model_free(model);
}

/* Corrections of the size of round-off shrink at no rate: what they seem to tell does not make an iteration go on until
 * it is given up. Exported code has no other. */
TEST(no_rate_in_round_off)
{
    nh_sim_options options = nh_sim_options_default();
    options.backend = NH_BACKEND_TAPE;
    const char *const angle[] = {"0.3", "0.6", "3.3"};
    for (int i = 0; i < 3; i++) {
        const nh_setting initial[] = {{"theta", angle[i]}};
        const nh_model_options change = {.initial = initial, .initial_count = 1};
        nh_model *model = load_model("skate-in-bowl", &change);
        nh_sim *sim = model ? make_sim(model, &options) : NULL;
        nh_audit audit = {0};
        if (sim && go(sim, 4000)) {
            nh_sim_audit(sim, &audit);
            CHECK_EQ_INT(audit.newton_steps, 0);
            CHECK(audit.iterations_max < 25);
        }
        nh_sim_free(sim);
        nh_model_free(model);
    }
}

TEST(fields)
{
    nh_model *model = load_model("spherical-pendulum", NULL);
    nh_sim *sim = make_sim(model, NULL);
    double values[16], multiplier[4], later[4];
    nh_audit audit;
    if (sim) {
        const int l = nh_sim_size(sim, NH_SIM_MULTIPLIER);
        CHECK_EQ_INT(nh_sim_size(sim, NH_SIM_CONSTRAINT), 2 * l);
        nh_sim_audit(sim, &audit);
        CHECK_STR(audit.method, "lobatto-ab(s=3)");
        nh_sim_get(sim, NH_SIM_MULTIPLIER, multiplier);
        if (go(sim, 1)) {
            nh_sim_get(sim, NH_SIM_MULTIPLIER, later);
            CHECK_NEAR(later[0], multiplier[0], 0.1 * fabs(multiplier[0]));
            nh_sim_get(sim, NH_SIM_CONSTRAINT, values);
            for (int i = 0; i < 2 * l; i++)
                CHECK_NEAR(values[i], 0, 1e-14);
        }
    }
    nh_sim_free(sim);
    nh_model_free(model);
}

TEST(fields_that_there_are_not)
{
    static const int fields[] = {-1, NH_SIM_FIELDS, 99}, components[] = {-1, 2, 99};
    nh_model *model = load_model("skate", NULL);
    nh_sim *sim = make_sim(model, NULL);
    double value = 7;
    char text[8];
    for (int i = 0; sim && i < 3; i++) {
        const nh_sim_field none = (nh_sim_field)fields[i];
        CHECK_EQ_INT(nh_sim_size(sim, none), 0);
        CHECK(nh_sim_name(sim, none, 0) == NULL);
        CHECK(nh_sim_name(sim, NH_SIM_ENERGY, components[i]) == NULL);
        nh_sim_get(sim, none, &value);
        CHECK(value == 7);
        nh_sim_print(sim, none, 0, text, sizeof text);
        CHECK_STR(text, "nan");
        nh_sim_print(sim, NH_SIM_ENERGY, components[i], text, sizeof text);
        CHECK_STR(text, "nan");
    }
    nh_sim_free(sim);
    nh_model_free(model);
}

TEST(names)
{
    nh_model *model = load_model("particle", NULL);
    nh_sim *sim = make_sim(model, NULL);
    if (sim) {
        double momentum, v[3], energy[2];
        CHECK_STR(nh_sim_name(sim, NH_SIM_TIME, 0), "t");
        CHECK_STR(nh_sim_name(sim, NH_SIM_POSITION, 1), "y");
        CHECK_STR(nh_sim_name(sim, NH_SIM_VELOCITY, 2), "z'");
        CHECK_STR(nh_sim_name(sim, NH_SIM_MULTIPLIER, 0), "lambda[1]");
        CHECK_STR(nh_sim_name(sim, NH_SIM_CONSTRAINT, 0), "k[1]");
        CHECK_STR(nh_sim_name(sim, NH_SIM_INVARIANT, 0), "y_energy");
        CHECK_STR(nh_sim_name(sim, NH_SIM_MOMENTUM, 0), "shift_z");
        CHECK_EQ_INT(nh_sim_size(sim, NH_SIM_OBSERVABLE), 0);
        nh_sim_get(sim, NH_SIM_ENERGY, energy);
        CHECK_NEAR(energy[0], 1.5, 0);
        if (go(sim, 10)) {
            nh_sim_get(sim, NH_SIM_MOMENTUM, &momentum);
            nh_sim_get(sim, NH_SIM_VELOCITY, v);
            CHECK_NEAR(momentum, v[2], 0);
        }
    }
    nh_sim_free(sim);
    nh_model_free(model);
}

/* ---- Running ---- */

typedef struct record {
    long long calls, last;
    int stop_at;
    double q;
} record;

static int observe(const nh_sim *sim, void *user)
{
    record *r = user;
    double q[3];
    nh_sim_get(sim, NH_SIM_POSITION, q);
    r->q = q[0];
    r->calls++;
    r->last = nh_sim_step_count(sim);
    return r->stop_at > 0 && r->last >= r->stop_at;
}

/* Steps in one call, or cut into pieces, are the same to the bit. */
TEST(observers)
{
    nh_sim_options options = particle_options(NH_BACKEND_TAPE);
    options.method = "gauss(s=3)";
    nh_model *model = load_model("particle", NULL);
    nh_error error = {0};
    double q[3];
    nh_sim *whole = make_sim(model, &options), *cut = make_sim(model, &options);
    if (whole && cut && go(whole, 100)) {
        record all = {0}, some = {0}, ends = {0};
        nh_sim_get(whole, NH_SIM_POSITION, q);
        CHECK(nh_sim_run(cut, 51, 1, observe, &all, &error) == NH_OK);
        CHECK_EQ_INT(all.calls, 52);
        CHECK(nh_sim_run(cut, 40, 15, observe, &some, &error) == NH_OK);
        CHECK_EQ_INT(some.calls, 4); /* 0, 15, 30, 40 */
        CHECK(nh_sim_run(cut, 9, 0, observe, &ends, &error) == NH_OK);
        CHECK_EQ_INT(ends.calls, 2);
        CHECK_EQ_INT(ends.last, 100);
        CHECK_NEAR(ends.q, q[0], 0);
    }
    nh_sim_free(whole);
    nh_sim_free(cut);
    nh_model_free(model);
}

TEST(stop)
{
    const nh_sim_options options = particle_options(NH_BACKEND_TAPE);
    nh_model *model = load_model("particle", NULL);
    nh_error error = {0};
    nh_sim *sim = make_sim(model, &options);
    if (sim) {
        record early = {.stop_at = 6}, beat = {.stop_at = 1};
        nh_audit audit;
        CHECK(nh_sim_run(sim, 1000, 3, observe, &early, &error) == NH_OK);
        CHECK_EQ_INT(nh_sim_step_count(sim), 6);
        CHECK(nh_sim_run(sim, 9223372036854775807, 0, NULL, NULL, &error) == NH_LIMIT);
        CHECK(nh_sim_run(sim, -1, 0, NULL, NULL, &error) == NH_USAGE);
        CHECK_EQ_INT(nh_sim_step_count(sim), 6);
        nh_sim_set_pulse(sim, observe, &beat);
        CHECK(nh_sim_run(sim, 1000000000, 0, NULL, NULL, &error) == NH_OK);
        CHECK_EQ_INT(beat.calls, 1);
        nh_sim_audit(sim, &audit);
        CHECK_EQ_INT(audit.steps, beat.last);
        record every = {.stop_at = -1}, again = {.stop_at = 1};
        nh_sim_set_pulse(sim, observe, &again);
        CHECK(nh_sim_run(sim, 1000000000, 1, observe, &every, &error) == NH_OK); /* looks at the clock now and then */
        CHECK_EQ_INT(again.calls, 1);
        CHECK_EQ_INT(every.calls, every.last - audit.steps + 1);
    }
    nh_sim_free(sim);
    nh_model_free(model);
}

/* Steps by both gears: the mean is over the steps that were made, by what has made them. */
TEST(iterations)
{
    nh_sim_options options = nh_sim_options_default();
    options.step = "3";
    options.backend = NH_BACKEND_TAPE;
    for (int i = 0; i < 2; i++) {
        nh_model *model = load_model(i == 0 ? "sleigh" : "rattleback", NULL);
        nh_sim *sim = make_sim(model, &options);
        nh_audit audit;
        nh_error error = {0};
        if (sim && CHECK(nh_sim_run(sim, 20, 0, NULL, NULL, &error) == NH_OK)) {
            nh_sim_audit(sim, &audit);
            CHECK(audit.newton_steps > 0 && (i == 1 || audit.newton_steps < 20));
            CHECK(audit.iterations_mean > 1 && audit.iterations_mean <= audit.iterations_max);
        }
        nh_sim_free(sim);
        nh_model_free(model);
        options.step = "0.5";
    }
}

TEST(audit)
{
    nh_sim_options options = particle_options(NH_BACKEND_TAPE);
    nh_model *model = load_model("particle", NULL);
    nh_audit ends, some;
    options.audit = 0;
    nh_sim *a = make_sim(model, &options);
    options.audit = 10;
    nh_sim *b = make_sim(model, &options);
    if (a && b && go(a, 55) && go(b, 55)) {
        nh_sim_audit(a, &ends);
        nh_sim_audit(b, &some);
        CHECK_EQ_INT(ends.audited, 1);
        CHECK_EQ_INT(some.audited, 6);
        CHECK_NEAR(ends.energy_final, some.energy_final, 0);
        CHECK(ends.energy_final != ends.energy_initial);
        CHECK_NEAR(ends.energy_max_error, fabs(ends.energy_final - ends.energy_initial), 1e-17);
        CHECK(some.energy_max_error >= ends.energy_max_error && some.energy_max_error < 6.6e-3);
        CHECK(ends.energy_drift == 0 && some.energy_drift_error > 0);
        CHECK(ends.constraint_max > 0 || some.constraint_max >= 0);
    }
    nh_sim_free(a);
    nh_sim_free(b);
    nh_model_free(model);
}

/* A friction that takes energy at a known rate: E' = -c v² with v nearly constant. */
TEST(drift)
{
    nh_model *model =
        parse_model("coordinates x\nlagrangian x'^2/2\nforce x = -1/1000000\ninitial x' = 1\nstep 0.01\n");
    nh_sim *sim = model ? make_sim(model, NULL) : NULL;
    nh_audit audit;
    if (sim && go(sim, 1000)) {
        nh_sim_audit(sim, &audit);
        CHECK_NEAR(audit.energy_drift, -1e-6, 1e-10);
        CHECK(audit.energy_drift_error < 1e-10);
        CHECK(audit.reversible == 1);
    }
    nh_sim_free(sim);
    nh_model_free(model);
}

TEST(steps_until)
{
    nh_sim_options options = particle_options(NH_BACKEND_TAPE);
    nh_model *model = load_model("particle", NULL);
    nh_error error = {0};
    long long steps;
    nh_sim *sim = make_sim(model, &options);
    CHECK(nh_sim_steps_until(sim, NULL, &steps, &error) == NH_OK);
    CHECK_EQ_INT(steps, 1250);
    CHECK(nh_sim_steps_until(sim, "1/3", &steps, &error) == NH_OK);
    CHECK_EQ_INT(steps, 1);
    CHECK(nh_sim_steps_until(sim, "-1", &steps, &error) == NH_VALUE);
    CHECK_STR(error.message, "from t = 0, steps of 0.2 do not lead to t = -1");
    CHECK(nh_sim_steps_until(sim, "1e20", &steps, &error) == NH_LIMIT);
    nh_sim_free(sim);
    options.start = "1";
    options.step = "1/3";
    sim = make_sim(model, &options);
    CHECK(nh_sim_steps_until(sim, "2", &steps, &error) == NH_OK);
    CHECK_EQ_INT(steps, 3);
    nh_sim_free(sim);
    nh_model_free(model);
}

/* ---- Reversal ---- */

TEST(reversal)
{
    nh_sim_options options = particle_options(NH_BACKEND_TAPE);
    nh_model *model = load_model("particle", NULL);
    nh_error error = {0};
    double defect;
    CHECK(nh_sim_reversal(model, &options, 100, &defect, &error) == NH_OK);
    CHECK(defect < 1e-12);
    options.method = "radau-ia(s=2)";
    CHECK(nh_sim_reversal(model, &options, 100, &defect, &error) == NH_OK);
    CHECK(defect > 1e-6);
    nh_model_free(model);
}

/* ---- Texts ---- */

TEST(reports)
{
    const nh_sim_options options = particle_options(NH_BACKEND_TAPE);
    nh_model *model = load_model("particle", NULL);
    nh_sim *sim = make_sim(model, &options);
    nh_error error = {0};
    const double reversal = 0.25;
    char *text = NULL;
    if (sim && go(sim, 50)) {
        CHECK(nh_sim_report(sim, NH_FORMAT_JSON, &reversal, &text, &error) == NH_OK);
        CHECK(strstr(text, "\"steps\": 50") && strstr(text, "\"reversal\": 0.25") && strstr(text, "\"t\": 10,"));
        nh_text_release(text);
        CHECK(nh_sim_report(sim, NH_FORMAT_TEXT, NULL, &text, &error) == NH_OK);
        CHECK(strstr(text, "energy error") && !strstr(text, "reversal"));
        nh_text_release(text);
    }
    nh_sim_free(sim);
    nh_model_free(model);
}

TEST(methods)
{
    nh_error error = {0};
    char *text = NULL;
    CHECK(nh_method_count() >= 11);
    CHECK_STR(nh_method_name(0), "gauss");
    CHECK(nh_method_name(nh_method_count()) == NULL);
    CHECK(nh_method_list(NULL, NH_FORMAT_TEXT, &text, &error) == NH_OK);
    for (int i = 0; i < nh_method_count(); i++)
        CHECK(strstr(text, nh_method_name(i)) != NULL);
    nh_text_release(text);
    CHECK(nh_method_list("gauss", NH_FORMAT_JSON, &text, &error) == NH_OK);
    CHECK(strstr(text, "\"order\": 4") != NULL);
    nh_text_release(text);
    CHECK(nh_method_list("gauss(s=3)", NH_FORMAT_JSON, &text, &error) == NH_OK);
    CHECK(strstr(text, "\"order\": 6") != NULL && strstr(text, "\"order_conditions\": 6") != NULL);
    nh_text_release(text);
    CHECK(nh_method_list("gaus", NH_FORMAT_JSON, &text, &error) == NH_NAME && !text);
    CHECK(nh_method_list("gauss(s=0)", NH_FORMAT_TEXT, &text, &error) != NH_OK && !text);
    CHECK(nh_method_list("spark(file=no/such/file)", NH_FORMAT_TEXT, &text, &error) == NH_FILE && !text);
}

TEST_MAIN(RUN(particle), RUN(quad), RUN(units), RUN(slow_corrections), RUN(no_rate_in_round_off), RUN(fields),
          RUN(fields_that_there_are_not), RUN(names), RUN(observers), RUN(stop), RUN(iterations), RUN(audit),
          RUN(drift), RUN(steps_until), RUN(reversal), RUN(reports), RUN(methods))
