/* SPDX-License-Identifier: MIT */
/* Ensembles: a member is the same bits whatever is computed beside it, and the same as a run; draws have the
 * distribution that they claim; what is saved goes on as if nothing had happened. */
#define _XOPEN_SOURCE 700 /* mkdtemp */

#include "models.h"

#include "base/hash.h"
#include "base/random.h"
#include "ensemble/ensemble.h"
#include "ensemble/statistics.h"

#include <stdlib.h>

enum { STEPS = 230, EVERY = 20 };

static nh_ensemble *make(const nh_model *model, const nh_ensemble_options *options)
{
    nh_ensemble *e = NULL;
    nh_error error = {0};
    if (!CHECK(nh_ensemble_new(model, options, &e, &error) == NH_OK))
        printf("%s\n", error.message);
    return e;
}

/* ---- One result ---- */

/* All outputs, as a chain of hashes. */
static int add_to_hash(nh_ensemble *e, void *user)
{
    uint64_t *hash = user;
    const double where[] = {(double)nh_ensemble_step(e), nh_ensemble_time(e)};
    *hash = nh_hash64(where, sizeof where, *hash);
    for (int k = 0; k < nh_ensemble_quantities(e); k++) {
        const nh_statistics *s = nh_ensemble_statistics(e, k);
        const double number[] = {(double)s->count, s->mean,        s->variance,    s->mean_square, s->smallest,
                                 s->largest,       s->quantile[0], s->quantile[2], s->quantile[4]};
        *hash = nh_hash64(number, sizeof number, *hash);
    }
    return 0;
}

static uint64_t hash_members(const nh_ensemble *e, uint64_t hash)
{
    return nh_hash64(e->store, (size_t)e->plan.members * e->bytes, hash);
}

/* Initial data by arithmetic alone: the hash holds for every compiler, level and machine with binary64 and binary128.
 */
static const char *const draws[] = {"q[1] = uniform(-1/2, 1/2)", "q[3] = normal(0.4, 0.05)", "energy(3)"};
static const nh_setting lists[] = {{"q[5]", "1, 9/10"}};

static nh_ensemble_options chaotic(const char *method, int threads, int at_a_time, nh_backend_choice backend)
{
    nh_ensemble_options o = nh_ensemble_options_default();
    o.sim.method = method;
    o.sim.backend = backend;
    o.draw = draws;
    o.draws = 3;
    o.list = lists;
    o.lists = 1;
    o.count = 7;
    o.seed = 11;
    o.threads = threads;
    o.at_a_time = at_a_time;
    return o;
}

static uint64_t run_chaotic(const nh_model *model, const nh_ensemble_options *o)
{
    uint64_t hash = 1;
    nh_ensemble *e = make(model, o);
    if (e && CHECK(nh_ensemble_run(e, STEPS, EVERY, 0, add_to_hash, &hash, NULL) == NH_OK)) {
        CHECK_EQ_INT(nh_ensemble_failures(e), 0);
        CHECK_EQ_INT(nh_ensemble_members(e), 14);
        CHECK_EQ_INT(nh_ensemble_step(e), STEPS);
        hash = hash_members(e, hash);
    }
    nh_ensemble_free(e);
    return hash;
}

static void same_everywhere(const nh_model *model, const char *method, const char *golden)
{
    static const int threads[] = {1, 2, 3}, at_a_time[] = {1, 4, 8};
    nh_ensemble_options o = chaotic(method, 1, 1, NH_BACKEND_TAPE);
    const uint64_t expected = run_chaotic(model, &o);
    char hex[32];
    snprintf(hex, sizeof hex, "%016llx", (unsigned long long)expected);
    if (NH_QUAD_IS_FLOAT128)
        CHECK_STR(hex, golden);
    for (int backend = NH_BACKEND_TAPE; backend <= NH_BACKEND_NATIVE; backend++)
        for (int i = 0; i < 9; i++) {
            o = chaotic(method, threads[i / 3], at_a_time[i % 3], (nh_backend_choice)backend);
            if (!CHECK(run_chaotic(model, &o) == expected))
                printf("    %s, %d threads, %d at a time\n", method, o.threads, o.at_a_time);
        }
    o.seed++;
    CHECK(run_chaotic(model, &o) != expected); /* the hash sees what it should */
}

TEST(threads_lanes_and_backends)
{
    nh_model *model = load_model("mp-particles", NULL);
    if (!model)
        return;
    same_everywhere(model, "mp", "5d6dceb402f94892");
    same_everywhere(model, "gauss(s=3)", "0882dd0f93b9f850");
    nh_model_free(model);
}

/* Outputs may fall on a last step of their own, into one window or into many. */
TEST(windows)
{
    nh_model *model = load_model("mp-particles", NULL);
    nh_ensemble_options o = chaotic("mp", 2, 4, NH_BACKEND_TAPE);
    uint64_t whole = 1, parts = 1, states = 1;
    nh_ensemble *a = make(model, &o), *b = make(model, &o), *c = make(model, &o);
    if (a && b && c) {
        CHECK(nh_ensemble_run(a, 200, EVERY, 0, add_to_hash, &whole, NULL) == NH_OK);
        for (int step = EVERY; step <= 200; step += EVERY) {
            b->chunk = step % 3 + 1;
            CHECK(nh_ensemble_run(b, step, EVERY, 0, add_to_hash, &parts, NULL) == NH_OK);
        }
        CHECK(nh_ensemble_run(c, 200, EVERY, 1, add_to_hash, &states, NULL) == NH_OK);
        CHECK(whole == parts && whole == states);
        CHECK(hash_members(a, 1) == hash_members(b, 1) && hash_members(a, 1) == hash_members(c, 1));
        CHECK(nh_ensemble_run(a, 100, EVERY, 0, NULL, NULL, NULL) == NH_USAGE); /* not backwards */
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
    nh_ensemble *a = make(model, &o);
    o.list = &down;
    nh_ensemble *b = make(model, &o);
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
    nh_ensemble *e = model ? make(model, o) : NULL;
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
    nh_ensemble *a = make(model, &o);
    o.list = &good;
    nh_ensemble *b = make(model, &o);
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
    e = make(partly, &o);
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

/* ---- Options that are wrong ---- */

static void refused(const char *list, const char *grid, const char *draw, nh_status expected, const char *message)
{
    nh_model *model = load_model("skate", NULL);
    nh_ensemble *e = NULL;
    nh_error error = {0};
    char name[64] = "", *equals;
    nh_setting setting = {name, NULL};
    nh_ensemble_options o = nh_ensemble_options_default();
    snprintf(name, sizeof name, "%s", list ? list : grid ? grid : "=");
    equals = strchr(name, '=');
    *equals = '\0';
    setting.expression = equals + 1;
    o.list = o.grid = &setting;
    o.lists = list != NULL;
    o.grids = grid != NULL;
    o.draw = &draw;
    o.draws = draw != NULL;
    CHECK_EQ_INT(nh_ensemble_new(model, &o, &e, &error), expected);
    if (!CHECK(strstr(error.message, message) != NULL))
        printf("    %s\n", error.message);
    nh_ensemble_free(e);
    nh_model_free(model);
}

TEST(wrong_options)
{
    refused("thta=1,2", NULL, NULL, NH_NAME, "did you mean 'theta'?");
    refused("m=1,,2", NULL, NULL, NH_SYNTAX, "");
    refused(NULL, "m=0:1", NULL, NH_USAGE, "FIRST:LAST:COUNT");
    refused(NULL, "m=0:1:1", NULL, NH_USAGE, "2 or more");
    refused(NULL, "m=0:1:2.5", NULL, NH_USAGE, "2 or more");
    refused("m=1,2", "m=0:1:2", NULL, NH_USAGE, "given twice");
    refused(NULL, NULL, "m=cauchy(0,1)", NH_SYNTAX, "uniform(LOW,HIGH)");
    refused(NULL, NULL, "m=uniform(1)", NH_SYNTAX, "uniform(LOW,HIGH)");
    refused(NULL, NULL, "m=uniform(2,1)", NH_VALUE, "wrong order");
    refused(NULL, NULL, "m=normal(2,-1)", NH_VALUE, "negative");
    refused(NULL, NULL, "enrgy(1)", NH_SYNTAX, "energy(E)");
    refused("x'=1,2", NULL, "energy(1)", NH_USAGE, "energy surface");
    refused(NULL, NULL, "energy(-1)", NH_MODEL, "below");
}

/* ---- Draws ---- */

TEST(philox)
{
    /* known answers of Random123 */
    static const uint32_t zero[4] = {0}, ones[4] = {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX};
    static const uint32_t of_zero[4] = {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8};
    static const uint32_t of_ones[4] = {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd};
    uint32_t out[4];
    nh_philox(zero, zero, out);
    CHECK(!memcmp(out, of_zero, sizeof out));
    nh_philox(ones, ones, out);
    CHECK(!memcmp(out, of_ones, sizeof out));
}

static void check_moments(double (*draw)(nh_draw_key), double mean, double variance, double fourth)
{
    enum { COUNT = 200000 };
    double sum[4] = {0}, neighbours = 0, last = 0;
    for (int i = 0; i < COUNT; i++) {
        const double x = draw((nh_draw_key){5, (uint64_t)i, 0, 3}) - mean;
        sum[0] += x;
        sum[1] += x * x;
        sum[2] += x * x * x;
        sum[3] += x * x * x * x;
        neighbours += x * last;
        last = x;
    }
    const double four = 4 / sqrt(COUNT); /* standard deviations */
    CHECK_NEAR(sum[0] / COUNT, 0, four * sqrt(variance));
    CHECK_NEAR(sum[1] / COUNT, variance, four * sqrt(fourth - variance * variance));
    CHECK_NEAR(sum[2] / COUNT, 0, four * 4 * variance * sqrt(variance));
    CHECK_NEAR(sum[3] / COUNT, fourth, four * 10 * fourth);
    CHECK_NEAR(neighbours / COUNT, 0, four * variance);
}

TEST(distributions)
{
    check_moments(nh_random_uniform, 0.5, 1.0 / 12, 1.0 / 80);
    check_moments(nh_random_normal, 0, 1, 3);
    const nh_draw_key key = {1, 2, 3, 4};
    CHECK(nh_random_normal(key) == nh_random_normal(key));
    CHECK(nh_random_uniform(key) != nh_random_uniform((nh_draw_key){1, 2, 3, 5}));
    CHECK(nh_random_uniform(key) != nh_random_uniform((nh_draw_key){1, 2, 4, 4}));
    CHECK(nh_random_uniform(key) != nh_random_uniform((nh_draw_key){1, 3, 3, 4}));
    CHECK(nh_random_uniform(key) != nh_random_uniform((nh_draw_key){2, 2, 3, 4}));
}

/* In the plane of directions that y' = z' leaves, (x', sqrt(8) y') lies on a circle of radius 2. */
TEST(energy_surface)
{
    static const char text[] = "coordinates x, y, z\nlagrangian (x'^2 + 3*y'^2 + 5*z'^2)/2\nconstraint y' = z'\n"
                               "step 1\nuntil 1\n";
    enum { COUNT = 4000 };
    static const char *const draw[] = {"energy(2)"};
    nh_model *model = parse_model(text);
    nh_ensemble_options o = nh_ensemble_options_default();
    double v[3], energy, square = 0, fourth = 0, product = 0, mean = 0;
    o.draw = draw;
    o.draws = 1;
    o.count = COUNT;
    nh_ensemble *e = make(model, &o);
    for (int k = 0; e && k < COUNT; k++) {
        const nh_sim *sim = nh_ensemble_member(e, k);
        nh_sim_get(sim, NH_SIM_VELOCITY, v);
        nh_sim_get(sim, NH_SIM_ENERGY, &energy);
        if (!CHECK_NEAR(energy, 2, 1e-14) || !CHECK_NEAR(v[1], v[2], 1e-15))
            break;
        const double a = v[0] / 2, b = sqrt(8) * v[1] / 2;
        mean += a + b;
        product += a * b;
        square += a * a;
        fourth += a * a * a * a;
    }
    CHECK_NEAR(square / COUNT, 0.5, 4 * sqrt(0.125 / COUNT));
    CHECK_NEAR(fourth / COUNT, 0.375, 4 * sqrt(0.14 / COUNT));
    CHECK_NEAR(product / COUNT, 0, 4 * sqrt(0.125 / COUNT));
    CHECK_NEAR(mean / COUNT, 0, 4 / sqrt(COUNT));
    nh_ensemble_free(e);
    nh_model_free(model);
}

/* Positions above the energy are drawn again: x is uniform where x^2 <= 1. */
TEST(energy_surface_draws_again)
{
    static const char text[] = "coordinates x, y\nlagrangian (x'^2 + y'^2 - x^2)/2\nconstraint y' = x*x'\nstep 1\n";
    static const char *const draw[] = {"x = uniform(-2, 2)", "energy(1/2)"};
    enum { COUNT = 2000 };
    nh_model *model = parse_model(text);
    nh_ensemble_options o = nh_ensemble_options_default();
    double q[2], square = 0;
    o.draw = draw;
    o.draws = 2;
    o.count = COUNT;
    nh_ensemble *e = make(model, &o);
    for (int k = 0; e && k < COUNT; k++) {
        nh_sim_get(nh_ensemble_member(e, k), NH_SIM_POSITION, q);
        CHECK(fabs(q[0]) <= 1);
        square += q[0] * q[0];
    }
    CHECK_NEAR(square / COUNT, 1.0 / 3, 4 * sqrt(4.0 / 45 / COUNT));
    CHECK_NEAR(e ? (double)e->redrawn / COUNT : 0, 1, 0.15); /* as often as not */
    nh_ensemble_free(e);
    nh_model_free(model);
}

/* ---- Statistics ---- */

TEST(statistics)
{
    const double x[] = {3, (double)NAN, 1, 2, 5, 4};
    double room[6];
    nh_statistics s;
    nh_statistics_of(x, 6, room, &s);
    CHECK_EQ_INT(s.count, 5);
    CHECK_NEAR(s.mean, 3, 0);
    CHECK_NEAR(s.variance, 2.5, 0);
    CHECK_NEAR(s.mean_square, 11, 0);
    CHECK(s.smallest == 1 && s.largest == 5);
    CHECK_NEAR(s.quantile[0], 1.2, 1e-15);
    CHECK_NEAR(s.quantile[1], 2, 0);
    CHECK_NEAR(s.quantile[2], 3, 0);
    CHECK_NEAR(s.quantile[4], 4.8, 1e-15);
    nh_statistics_of(x + 1, 1, room, &s);
    CHECK_EQ_INT(s.count, 0);
    CHECK(isnan(s.mean) && isnan(s.quantile[2]));
    double many[1000], space[1000];
    for (int i = 0; i < 1000; i++)
        many[i] = (double)(i * 617 % 1000); /* all numbers below 1000 */
    nh_statistics_of(many, 1000, space, &s);
    for (int i = 0; i < 1000; i++)
        CHECK(space[i] == i);
}

/* ---- Checkpoints ---- */

static char directory[] = "test_ensemble_XXXXXX";

static const char *in_directory(const char *name, char path[64])
{
    snprintf(path, 64, "%s/%s", directory, name);
    return path;
}

static const long long marks[NH_MARKS] = {17, 4};

static void interrupted(const nh_model *model, const nh_ensemble_options *before, const nh_ensemble_options *after)
{
    char path[64];
    uint64_t whole = 1, parts = 1;
    long long mark[NH_MARKS];
    nh_error error = {0};
    in_directory("ensemble", path);
    nh_ensemble *a = make(model, before), *b = make(model, before), *c = make(model, after);
    if (a && b && c) {
        CHECK(nh_ensemble_run(a, STEPS, EVERY, 0, add_to_hash, &whole, NULL) == NH_OK);
        CHECK(nh_ensemble_run(b, 100, EVERY, 0, add_to_hash, &parts, NULL) == NH_OK);
        CHECK(nh_ensemble_save(b, path, marks, &error) == NH_OK);
        if (!CHECK(nh_ensemble_resume(c, path, mark, &error) == NH_OK))
            printf("    %s\n", error.message);
        CHECK(!memcmp(mark, marks, sizeof mark));
        CHECK(nh_ensemble_run(c, STEPS, EVERY, 0, add_to_hash, &parts, NULL) == NH_OK);
        CHECK(whole == parts);
        CHECK(hash_members(a, 1) == hash_members(c, 1));
    }
    nh_ensemble_free(a);
    nh_ensemble_free(b);
    nh_ensemble_free(c);
}

TEST(resumed_ensembles)
{
    nh_model *model = load_model("mp-particles", NULL);
    nh_ensemble_options before = chaotic("gauss(s=2)", 1, 4, NH_BACKEND_TAPE);
    nh_ensemble_options after = chaotic("gauss(s=2)", 2, 1, NH_BACKEND_NATIVE);
    interrupted(model, &before, &after);
    before = after = chaotic("lobatto-ab(s=3)", 2, 4, NH_BACKEND_TAPE);
    before.sim.precision = after.sim.precision = NH_PRECISION_QUAD;
    after.threads = 1;
    interrupted(model, &before, &after);
    nh_model_free(model);
}

static void refused_file(nh_ensemble *e, const char *path, const char *message)
{
    long long mark[NH_MARKS];
    nh_error error = {0};
    CHECK_EQ_INT(nh_ensemble_resume(e, path, mark, &error), NH_FILE);
    if (!CHECK(strstr(error.message, message) != NULL))
        printf("    %s\n", error.message);
}

static void write_bytes(const char *path, const char *bytes, size_t count)
{
    FILE *file = fopen(path, "wb");
    CHECK(file && fwrite(bytes, 1, count, file) == count && fclose(file) == 0);
}

/* One bit, one byte less, one more. */
static void damage(nh_ensemble *e, const char *path)
{
    char bytes[1 << 16];
    FILE *file = fopen(path, "rb");
    const size_t count = file ? fread(bytes, 1, sizeof bytes - 1, file) : 0;
    if (file)
        fclose(file);
    CHECK(count > 1000 && count < sizeof bytes - 1);
    bytes[count - 500] ^= 1;
    write_bytes(path, bytes, count);
    refused_file(e, path, "damaged");
    bytes[count - 500] ^= 1;
    write_bytes(path, bytes, count - 1);
    refused_file(e, path, "cut off");
    bytes[count] = 'x';
    write_bytes(path, bytes, count + 1);
    refused_file(e, path, "behind it");
    write_bytes(path, bytes, 100);
    refused_file(e, path, "not a checkpoint");
    write_bytes(path, "", 0);
    refused_file(e, path, "not a checkpoint");
}

TEST(checkpoints_that_do_not_fit)
{
    char path[64];
    nh_model *model = load_model("mp-particles", NULL), *other = load_model("mp-particles-printed", NULL);
    nh_ensemble_options o = chaotic("mp", 1, 4, NH_BACKEND_TAPE);
    nh_ensemble *e = make(model, &o), *f = make(other, &o);
    in_directory("fit", path);
    CHECK(nh_ensemble_save(e, path, marks, NULL) == NH_OK);
    refused_file(f, path, "of another model");
    nh_ensemble_free(f);
    o.seed++;
    f = make(model, &o);
    refused_file(f, path, "other initial data");
    nh_ensemble_free(f);
    o.count++;
    f = make(model, &o);
    refused_file(f, path, "number of members");
    nh_ensemble_free(f);
    o.sim.method = "gauss(s=1)";
    f = make(model, &o);
    refused_file(f, path, "of another method (mp, not gauss(s=1))");
    nh_ensemble_free(f);
    refused_file(e, "no/such/file", "cannot read no/such/file");
    damage(e, path);
    nh_ensemble_free(e);
    nh_model_free(model);
    nh_model_free(other);
}

/* ---- Single runs ---- */

typedef struct watch {
    uint64_t hash;
    int calls;
} watch;

static int note(const nh_sim *sim, void *user)
{
    watch *w = user;
    double q[8];
    nh_sim_get(sim, NH_SIM_POSITION, q);
    w->hash = nh_hash64(q, (size_t)nh_sim_size(sim, NH_SIM_POSITION) * sizeof *q, w->hash);
    w->calls++;
    return 0;
}

/* Before the last look of the audit, and before the last state is observed, as where a process is killed. */
static int save(const nh_sim *sim, void *user)
{
    char path[64];
    if (nh_sim_step_count(sim) == *(const int *)user)
        CHECK(nh_sim_save(sim, in_directory("run", path), marks, NULL) == NH_OK);
    return 0;
}

static void interrupted_run(const nh_model *model, const nh_sim_options *options, int step)
{
    char path[64];
    long long mark[NH_MARKS];
    watch whole = {1, 0}, parts = {1, 0};
    nh_sim *a = NULL, *b = NULL, *c = NULL;
    nh_error error = {0};
    CHECK(nh_sim_new(model, options, &a, NULL) == NH_OK && nh_sim_new(model, options, &b, NULL) == NH_OK &&
          nh_sim_new(model, options, &c, NULL) == NH_OK);
    CHECK(nh_sim_run(a, 101, 10, note, &whole, NULL) == NH_OK);
    nh_sim_set_pulse(b, save, &step);
    CHECK(nh_sim_run(b, step, 10, NULL, NULL, NULL) == NH_OK);
    if (!CHECK(nh_sim_resume(c, in_directory("run", path), mark, &error) == NH_OK))
        printf("    %s\n", error.message);
    CHECK_EQ_INT(nh_sim_step_count(c), step);
    CHECK(nh_sim_run(c, 101 - step, 10, note, &parts, NULL) == NH_OK);
    CHECK(!memcmp(a->member.data, c->member.data,
                  (size_t)nh_stepper_size(a->stepper) * (a->member.quad ? sizeof(nh_quad) : sizeof(double))));
    CHECK_EQ_INT(whole.calls, 12);
    CHECK_EQ_INT(parts.calls, 12 - ((step - 1) / 10 + 1)); /* those before the step have been observed */
    nh_sim_free(a);
    nh_sim_free(b);
    nh_sim_free(c);
}

TEST(resumed_runs)
{
    nh_model *model = load_model("skate", NULL);
    nh_sim_options options = nh_sim_options_default();
    options.backend = NH_BACKEND_TAPE;
    options.audit = 7;
    static const int steps[] = {1, 10, 15, 40, 99};
    for (int i = 0; i < 5; i++)
        interrupted_run(model, &options, steps[i]);
    options.method = "lobatto-ab(s=3)";
    options.precision = NH_PRECISION_QUAD;
    interrupted_run(model, &options, 33);
    nh_model_free(model);
}

TEST(clean_up)
{
    char path[64];
    static const char *const names[] = {"ensemble", "fit", "run"};
    for (int i = 0; i < 3; i++)
        remove(in_directory(names[i], path));
    CHECK(remove(directory) == 0); /* nothing else is left in it */
}

int main(int argc, char **argv)
{
    if (!mkdtemp(directory))
        return 1;
    RUN(threads_lanes_and_backends);
    RUN(windows);
    RUN(order_of_members);
    RUN(a_member_is_a_run);
    RUN(failures_stay_single);
    RUN(members_without_a_start);
    RUN(wrong_options);
    RUN(philox);
    RUN(distributions);
    RUN(energy_surface);
    RUN(energy_surface_draws_again);
    RUN(statistics);
    RUN(resumed_ensembles);
    RUN(checkpoints_that_do_not_fit);
    RUN(resumed_runs);
    test_one(1, argv, "clean_up", test_clean_up);
    return test_end();
}
