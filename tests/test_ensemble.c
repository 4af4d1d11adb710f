/* SPDX-License-Identifier: MIT */
/* Ensembles: a member is the same bits whatever is computed beside it, and the same as a run; one that fails changes no
 * other. */
#include "ensembles.h"

enum { STEPS = 230, EVERY = 20 };

/* ---- One result ---- */

static uint64_t run_chaotic(const nh_model *model, const nh_ensemble_options *o)
{
    uint64_t hash = 1;
    nh_ensemble *e = make_ensemble(model, o);
    if (e && CHECK(nh_ensemble_run(e, STEPS, EVERY, 0, hash_output, &hash, NULL) == NH_OK)) {
        CHECK_EQ_INT(nh_ensemble_failures(e), 0);
        CHECK_EQ_INT(nh_ensemble_members(e), 14);
        CHECK_EQ_INT(nh_ensemble_step(e), STEPS);
        hash = hash_members(e, hash);
    }
    nh_ensemble_free(e);
    return hash;
}

/* Members go from the tape to native code for a target, and to other lanes with it. */
static uint64_t run_on_target(const nh_model *model, const char *method, const char *target)
{
    uint64_t hash = 1;
    const nh_ensemble_options o = chaotic(method, 2, 0, NH_BACKEND_TAPE);
    const nh_native_options native = {.target = target};
    nh_ensemble *e = make_ensemble(model, &o);
    if (e && CHECK(nh_ensemble_run(e, 5 * EVERY, EVERY, 0, hash_output, &hash, NULL) == NH_OK)) {
        for (int i = 0; i < e->threads; i++)
            CHECK(nh_stepper_compile(e->worker[i].stepper, NH_COMPILED_LANES, true, &native, NULL) == NH_OK);
        CHECK_EQ_INT(nh_stepper_lanes(e->worker[0].stepper) % nh_native_width(&native), 0);
        CHECK(nh_ensemble_run(e, STEPS, EVERY, 0, hash_output, &hash, NULL) == NH_OK);
        hash = hash_members(e, hash);
    }
    nh_ensemble_free(e);
    return hash;
}

/* Those that this machine runs. */
static void same_in_every_width(const nh_model *model, const char *method, uint64_t expected)
{
    static const char *const targets[] = {"generic", "x86-64-v2", "x86-64-v3", "x86-64-v4"};
    for (int i = 0; i < 4 && (i == 0 || strcmp(targets[i], nh_native_target(true)) <= 0); i++)
        if (!CHECK(run_on_target(model, method, targets[i]) == expected))
            printf("    %s, %s\n", method, targets[i]);
}

static void same_everywhere(const nh_model *model, const char *method, const char *golden)
{
    static const int threads[] = {1, 2, 3}, at_a_time[] = {0, 1, 4, 8};
    nh_ensemble_options o = chaotic(method, 1, 1, NH_BACKEND_TAPE);
    const uint64_t expected = run_chaotic(model, &o);
    char hex[32];
    snprintf(hex, sizeof hex, "%016llx", (unsigned long long)expected);
    if (NH_QUAD_IS_FLOAT128)
        CHECK_STR(hex, golden);
    for (int backend = NH_BACKEND_TAPE; backend <= NH_BACKEND_NATIVE; backend++)
        for (int i = 0; i < 12; i++) {
            o = chaotic(method, threads[i / 4], at_a_time[i % 4], (nh_backend_choice)backend);
            if (!CHECK(run_chaotic(model, &o) == expected))
                printf("    %s, %d threads, %d at a time\n", method, o.threads, o.at_a_time);
        }
    same_in_every_width(model, method, expected);
    o.seed++;
    CHECK(run_chaotic(model, &o) != expected); /* the hash sees what it should */
}

TEST(threads_lanes_and_backends)
{
    nh_model *model = load_model("mp-particles", NULL);
    if (!model)
        return;
    same_everywhere(model, "mp", "72ca2514d978c404");
    same_everywhere(model, "gauss(s=3)", "defd888a05b40702");
    nh_model_free(model);
}

/* Outputs may fall on a last step of their own, into one window or into many. */
TEST(windows)
{
    nh_model *model = load_model("mp-particles", NULL);
    nh_ensemble_options o = chaotic("mp", 2, 4, NH_BACKEND_TAPE);
    uint64_t whole = 1, parts = 1, states = 1;
    nh_ensemble *a = make_ensemble(model, &o), *b = make_ensemble(model, &o), *c = make_ensemble(model, &o);
    if (a && b && c) {
        CHECK(nh_ensemble_run(a, 200, EVERY, 0, hash_output, &whole, NULL) == NH_OK);
        for (int step = EVERY; step <= 200; step += EVERY) {
            b->chunk = step % 3 + 1;
            CHECK(nh_ensemble_run(b, step, EVERY, 0, hash_output, &parts, NULL) == NH_OK);
        }
        CHECK(nh_ensemble_run(c, 200, EVERY, 1, hash_output, &states, NULL) == NH_OK);
        CHECK(whole == parts && whole == states);
        CHECK(hash_members(a, 1) == hash_members(b, 1) && hash_members(a, 1) == hash_members(c, 1));
        CHECK(nh_ensemble_run(a, 100, EVERY, 0, NULL, NULL, NULL) == NH_USAGE); /* not backwards */
        const int none[] = {-1, nh_ensemble_quantities(a), 99};
        for (int i = 0; i < 3; i++)
            CHECK(!nh_ensemble_quantity(a, none[i]) && !nh_ensemble_statistics(a, none[i]) &&
                  !nh_ensemble_values(a, none[i]));
    }
    nh_ensemble_free(a);
    nh_ensemble_free(b);
    nh_ensemble_free(c);
    nh_model_free(model);
}

TEST(order_of_members)
{
    static const nh_setting up = {"j", "0,1,2,3,4,5,6,7,8,9"}, down = {"j", "9,8,7,6,5,4,3,2,1,0"};
    nh_model *model = load_model("mp-particles", NULL);
    nh_ensemble_options o = nh_ensemble_options_default();
    o.sim.backend = NH_BACKEND_TAPE;
    o.lists = 1;
    o.list = &up;
    nh_ensemble *a = make_ensemble(model, &o);
    o.list = &down;
    nh_ensemble *b = make_ensemble(model, &o);
    if (a && b) {
        CHECK(nh_ensemble_run(a, STEPS, 0, 0, NULL, NULL, NULL) == NH_OK);
        CHECK(nh_ensemble_run(b, STEPS, 0, 0, NULL, NULL, NULL) == NH_OK);
        for (int k = 0; k < 10; k++)
            CHECK(!memcmp(nh_ensemble_row(a, k), nh_ensemble_row(b, 9 - k), a->bytes));
    }
    nh_ensemble_free(a);
    nh_ensemble_free(b);
    nh_model_free(model);
}

/* ---- A member is a run ---- */

/* Splits what nh_ensemble_member_options writes, in place. */
static void read_settings(char *text, nh_model_options *out, nh_setting *set, nh_setting *initial, nh_sim_options *sim)
{
    *out = (nh_model_options){.set = set, .initial = initial};
    for (char *word = strtok(text, " "); word; word = strtok(NULL, " ")) {
        if (!strcmp(word, "--project")) {
            sim->project = 1;
            continue;
        }
        const bool parameter = !strcmp(word, "--set");
        char *name = strtok(NULL, " ") + 1, *equals = strchr(name, '=');
        *equals = '\0';
        equals[strlen(equals + 1)] = '\0'; /* the last quote */
        nh_setting *to = parameter ? &set[out->set_count++] : &initial[out->initial_count++];
        *to = (nh_setting){name, equals + 1};
    }
}

static void compare_with_run(const char *name, nh_ensemble *e, long long member, const nh_sim_options *options,
                             long long steps)
{
    char text[4096];
    nh_setting set[32], initial[64];
    nh_model_options given;
    nh_sim_options single = *options;
    nh_sim *sim = NULL;
    nh_error error = {0};
    CHECK(nh_ensemble_member_options(e, member, text, sizeof text) < (int)sizeof text);
    read_settings(text, &given, set, initial, &single);
    nh_model *model = load_model(name, &given);
    if (model && CHECK(nh_sim_new(model, &single, &sim, &error) == NH_OK) &&
        CHECK(nh_sim_run(sim, steps, 0, NULL, NULL, &error) == NH_OK)) {
        nh_sim_take(e->reader, nh_ensemble_row(e, member));
        nh_sim_look(e->reader);
        CHECK(!memcmp(sim->member.data, e->reader->member.data, e->bytes));
    } else {
        printf("    %s\n", error.message);
    }
    nh_sim_free(sim);
    nh_model_free(model);
}

static void every_member_is_a_run(const char *name, const nh_ensemble_options *o)
{
    nh_model *model = load_model(name, NULL);
    nh_ensemble *e = model ? make_ensemble(model, o) : NULL;
    if (e && CHECK(nh_ensemble_run(e, 50, 7, 0, NULL, NULL, NULL) == NH_OK))
        for (long long k = 0; k < nh_ensemble_members(e); k++)
            compare_with_run(name, e, k, &o->sim, 50);
    nh_ensemble_free(e);
    nh_model_free(model);
}

TEST(a_member_is_a_run)
{
    static const nh_setting list = {"I", "1, sqrt(2)"}, grid = {"beta", "pi/6 : pi/2 : 3"};
    static const char *const spread[] = {"theta = normal(0, 1)", "x' = uniform(-1, 1)"}, *const energy[] = {
                                                                                             "energy(2)"};
    nh_ensemble_options o = nh_ensemble_options_default();
    o.list = &list;
    o.lists = 1;
    o.grid = &grid;
    o.grids = 1;
    o.draw = spread;
    o.draws = 2;
    o.sim.method = "lobatto-ab(s=3)";
    o.sim.backend = NH_BACKEND_NATIVE;
    every_member_is_a_run("skate", &o);
    o.sim.precision = NH_PRECISION_QUAD;
    o.sim.method = "gauss(s=2)";
    every_member_is_a_run("skate", &o);
    o = chaotic("gauss(s=4)", 2, 4, NH_BACKEND_NATIVE);
    every_member_is_a_run("mp-particles", &o);
    o = nh_ensemble_options_default();
    o.draw = energy;
    o.draws = 1;
    o.count = 3;
    o.sim.audit = 3;
    every_member_is_a_run("skate-in-bowl", &o);
}

/* A value brings numbers into the graph of --set that the graph of an ensemble has not: sums keep their order. */
TEST(values_do_not_change_the_order_of_sums)
{
    static const nh_setting inertia = {"I1", "1, 1.113, 3/10, sqrt(2)"}, mass = {"m", "6, 6.613, 0.02, 2*pi"};
    nh_ensemble_options o = nh_ensemble_options_default();
    o.sim.backend = NH_BACKEND_TAPE;
    o.lists = 1;
    o.list = &inertia;
    every_member_is_a_run("suslov", &o);
    o.list = &mass;
    every_member_is_a_run("snakeboard", &o);
}

/* ---- Failures ---- */

/* x runs away in finite time for a > 0. */
static const char runaway[] = "parameters a = 1, b = 1\ncoordinates x, y\nlagrangian b*x'^2/2 + y'^2/2 + a*x^8/8\n"
                              "constraint y' = x*x'\ninitial x = 1, y = 0, x' = 1, y' = 1\nstep 1/10\nuntil 10\n";

static const double *last_errors(nh_ensemble *e)
{
    CHECK(nh_ensemble_run(e, 100, 10, 0, NULL, NULL, NULL) == NH_OK);
    return nh_ensemble_values(e, 0);
}

TEST(failures_stay_single)
{
    static const nh_setting mixed = {"a", "-1, 3, -2, 1/sqrt(2), -3"}, good = {"a", "-1, -2, -3"};
    nh_model *model = parse_model(runaway);
    nh_ensemble_options o = nh_ensemble_options_default();
    nh_failure failure;
    o.lists = 1;
    o.list = &mixed;
    nh_ensemble *a = make_ensemble(model, &o);
    o.list = &good;
    nh_ensemble *b = make_ensemble(model, &o);
    if (a && b) {
        const double *of_a = last_errors(a), *of_b = last_errors(b);
        CHECK_EQ_INT(nh_ensemble_failures(b), 0);
        CHECK_EQ_INT(nh_ensemble_failures(a), 2);
        for (int k = 0; k < 3; k++) {
            CHECK(of_a[2 * k] == of_b[k]);
            CHECK(!memcmp(nh_ensemble_row(a, 2 * k), nh_ensemble_row(b, k), a->bytes));
        }
        CHECK(isnan(of_a[1]) && isnan(of_a[3]));
        CHECK_EQ_INT(nh_ensemble_statistics(a, 0)->count, 3);
        CHECK(nh_ensemble_statistics(a, 0)->mean == nh_ensemble_statistics(b, 0)->mean);
        CHECK(nh_ensemble_failure(a, 1, &failure, NULL) == NH_OK);
        CHECK_EQ_INT(failure.member, 3);
        CHECK(failure.step > 0 && failure.step < 100 && failure.time == (double)failure.step * 0.1);
        CHECK(strstr(failure.reason, "did not converge") || strstr(failure.reason, "finite"));
        CHECK(nh_ensemble_failure(a, 2, &failure, NULL) == NH_USAGE);
    }
    nh_ensemble_free(a);
    nh_ensemble_free(b);
    nh_model_free(model);
}

/* The energy of x = 1 overflows at step 9: it is left where a run leaves it, and is not in the summary. */
static void one_breaks_down(const nh_model *model, const char *values, int good, long long every)
{
    const nh_setting list = {"x", values};
    nh_ensemble_options o = nh_ensemble_options_default();
    nh_failure failure;
    nh_error error = {0}, alone = {0};
    char *text = NULL;
    nh_sim *sim = NULL;
    o.sim.method = "euler-1";
    o.lists = 1;
    o.list = &list;
    nh_ensemble *e = make_ensemble(model, &o);
    if (e && CHECK(nh_sim_new(model, &o.sim, &sim, &error) == NH_OK)) {
        CHECK(nh_ensemble_run(e, 12, every, 0, NULL, NULL, NULL) == NH_OK);
        CHECK(nh_ensemble_failure(e, 0, &failure, &error) == NH_OK);
        CHECK(nh_sim_run(sim, 12, 0, NULL, NULL, &alone) == NH_VALUE);
        CHECK_EQ_INT(failure.member, 1 - good);
        CHECK_EQ_INT(failure.step, 8);
        CHECK_STR(failure.reason, alone.message);
        CHECK(!memcmp((double *)nh_ensemble_row(e, 1 - good) + NH_AT_POSITION,
                      (double *)sim->member.data + NH_AT_POSITION, e->bytes - NH_AT_POSITION * sizeof(double)));
        CHECK(nh_ensemble_report(e, NH_FORMAT_JSON, &text, &error) == NH_OK);
        CHECK(strstr(text, good ? "\"max_error\": 10.969684663957509,\n    \"member\": 1"
                                : "\"max_error\": 10.969684663957509,\n    \"member\": 0"));
        nh_text_release(text);
    }
    nh_sim_free(sim);
    nh_ensemble_free(e);
}

TEST(errors_are_of_members_that_have_not_failed)
{
    nh_model *model = parse_model("coordinates x, y\nlagrangian x'^2/2 + y'^2/2 + x^6\nconstraint y' = x'\n"
                                  "initial x = 1, x' = 1, y' = 1\nstep 1/10\n");
    for (long long every = 0; every <= 12; every += 4) {
        one_breaks_down(model, "1, 0.03", 1, every);
        one_breaks_down(model, "0.03, 1", 0, every);
    }
    nh_model_free(model);
}

/* Without an audit, nothing but an output looks at the energy; windows are cut after steps 1, 3, 7, …, 511. */
static void as_a_run(const char *text, long long steps, long long every, long long reached)
{
    nh_model *model = parse_model(text);
    nh_ensemble_options o = nh_ensemble_options_default();
    nh_failure failure = {.step = steps};
    nh_error alone = {0};
    nh_sim *sim = NULL;
    o.sim.audit = 0;
    nh_ensemble *e = make_ensemble(model, &o);
    if (e && CHECK(nh_sim_new(model, &o.sim, &sim, NULL) == NH_OK)) {
        const bool good = nh_sim_run(sim, steps, 0, NULL, NULL, &alone) == NH_OK;
        CHECK(nh_ensemble_run(e, steps, every, 0, NULL, NULL, NULL) == NH_OK);
        CHECK_EQ_INT(nh_ensemble_failures(e), !good);
        nh_ensemble_failure(e, 0, &failure, NULL);
        CHECK_EQ_INT(failure.step, reached);
        CHECK_STR(failure.reason, alone.message);
        CHECK(!memcmp((double *)nh_ensemble_row(e, 0) + NH_AT_POSITION, (double *)sim->member.data + NH_AT_POSITION,
                      e->bytes - NH_AT_POSITION * sizeof(double)));
    }
    nh_sim_free(sim);
    nh_ensemble_free(e);
    nh_model_free(model);
}

TEST(states_of_no_energy)
{
    /* e^(2t) overflows long before e^t. */
    as_a_run("coordinates x\nlagrangian x'^2/2 + x^2/2\ninitial x = 1\nstep 1\n", 2000, 1000, 356);
    as_a_run("coordinates x\nlagrangian x'^2/2 + x^2/2\ninitial x = 1\nstep 1\n", 2000, 10, 356);
    /* The energy is there at the ends alone, where x > 0. */
    as_a_run("coordinates x\nlagrangian x'^2/2 - x^2/2 - log(x)/10^6\ninitial x = 1\nstep 1/10\n", 60, 60, 60);
}

TEST(members_without_a_start)
{
    static const nh_setting list = {"b", "1, log(-1 + b), 2"}, some = {"x", "1, 2, 3"};
    static const char text[] = "coordinates x, y\nlagrangian (x'^2 + y'^2)/2\nconstraint y' = log(2 - x)*x'\n"
                               "initial x' = 1\nstep 1/10\nuntil 1\n";
    nh_model *model = parse_model(runaway), *partly = parse_model(text);
    nh_ensemble_options o = nh_ensemble_options_default();
    nh_ensemble *e = NULL;
    nh_error error;
    nh_failure failure;
    o.lists = 1;
    o.list = &list;
    CHECK(nh_ensemble_new(model, &o, &e, &error) == NH_VALUE); /* an option, not a member */
    o.list = &some;
    e = make_ensemble(partly, &o);
    if (e) {
        CHECK(nh_ensemble_run(e, 5, 1, 0, NULL, NULL, NULL) == NH_OK);
        CHECK_EQ_INT(nh_ensemble_failures(e), 2); /* log 0 and log -1 */
        CHECK(nh_ensemble_failure(e, 0, &failure, NULL) == NH_OK);
        CHECK_EQ_INT(failure.member, 1);
        CHECK(strstr(failure.reason, "no start") != NULL);
        CHECK(!nh_ensemble_member(e, 1) && nh_ensemble_member(e, 0));
        CHECK_EQ_INT(nh_ensemble_statistics(e, 0)->count, 1);
    }
    nh_ensemble_free(e);
    nh_model_free(model);
    nh_model_free(partly);
}

TEST(a_member_whose_constraints_vanish)
{
    static const nh_setting list = {"x", "1, 0, 2"};
    nh_model *model = parse_model("coordinates x, y, z\nlagrangian (x'^2 + y'^2 + z'^2)/2\n"
                                  "constraint x*x' + y*z' = 0\ninitial y' = 1\nstep 1/10\nuntil 1\n");
    nh_ensemble_options o = nh_ensemble_options_default();
    nh_failure failure;
    o.lists = 1;
    o.list = &list;
    nh_ensemble *e = make_ensemble(model, &o);
    if (e) {
        CHECK_EQ_INT(nh_ensemble_failures(e), 1);
        CHECK(nh_ensemble_failure(e, 0, &failure, NULL) == NH_OK);
        CHECK_EQ_INT(failure.member, 1);
        CHECK(strstr(failure.reason, "no start: the constraints have rank 0 of 1") != NULL);
    }
    nh_ensemble_free(e);
    nh_model_free(model);
}

/* Step and end are for all members: where the model's depend on what these differ in, they must be given. */
TEST(a_step_that_depends_on_members)
{
    static const char text[] = "parameters w = 3, half = w/2\ncoordinates x\nlagrangian x'^2/2 - w^2*x^2/2\n"
                               "initial x = 1\nstep 1/half/20\nuntil 10/half\n";
    static const nh_setting of_w = {"w", "3, 30"}, of_x = {"x", "1, 2"};
    nh_model *model = parse_model(text);
    nh_ensemble_options o = nh_ensemble_options_default();
    nh_ensemble *e = NULL;
    nh_error error = {0};
    long long steps = 0;
    o.lists = 1;
    o.list = &of_w;
    CHECK(nh_ensemble_new(model, &o, &e, &error) == NH_USAGE);
    CHECK_STR(error.message,
              "the model's 'step' depends on w, of which each member has its own; give one for all by --step");
    o.sim.step = "half/100";
    CHECK(nh_ensemble_new(model, &o, &e, &error) == NH_USAGE);
    CHECK_STR(error.message, "--step: 'half/100' depends on w, of which each member has its own; give a number");
    o.sim.step = "1/100";
    e = make_ensemble(model, &o);
    CHECK(nh_ensemble_steps_until(e, NULL, &steps, &error) == NH_USAGE);
    CHECK(strstr(error.message, "the model's 'until' depends on w") && strstr(error.message, "--until or --steps"));
    CHECK(nh_ensemble_steps_until(e, "10/w", &steps, &error) == NH_USAGE);
    CHECK(nh_ensemble_steps_until(e, "10/3", &steps, &error) == NH_OK && steps == 333);
    nh_ensemble_free(e);
    o.sim.step = NULL;
    o.list = &of_x;
    e = make_ensemble(model, &o);
    CHECK(nh_ensemble_steps_until(e, "10/w", &steps, &error) == NH_OK && steps == 100);
    nh_ensemble_free(e);
    nh_model_free(model);
}

TEST_MAIN(RUN(threads_lanes_and_backends), RUN(windows), RUN(order_of_members), RUN(a_member_is_a_run),
          RUN(values_do_not_change_the_order_of_sums), RUN(failures_stay_single),
          RUN(errors_are_of_members_that_have_not_failed), RUN(states_of_no_energy), RUN(members_without_a_start),
          RUN(a_member_whose_constraints_vanish), RUN(a_step_that_depends_on_members))
