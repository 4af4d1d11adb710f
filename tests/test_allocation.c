/* SPDX-License-Identifier: MIT */
/* Stepping takes no memory: calls of malloc and its kin are counted. And whatever takes memory survives that there is
 * none: one call after the other fails, alone or with all later ones. The calls are replaced by these, which hand on to
 * the C library's own; where it has no second names for them, nothing is counted and the test says so. */
#include "test.h"

#include "model/initial.h"

#include <errno.h>
#include <nonholo/nonholo.h>
#include <stdlib.h>

#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__ 1 /* as gcc says it */
#endif
#endif
#if defined __GLIBC__ && !defined __SANITIZE_ADDRESS__
#define COUNTS 1
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void __libc_free(void *memory);

static long calls, alive; /* alive: taken and not given back */
static long fail_at;      /* the call that fails; 0: none */
static bool all_later;    /* and so do those that follow */

static bool fails(void)
{
    calls++;
    const bool now = fail_at > 0 && (all_later ? calls >= fail_at : calls == fail_at);
    errno = now ? ENOMEM : errno;
    return now;
}

static void *taken(void *memory)
{
    alive += memory != NULL;
    return memory;
}

void *malloc(size_t size)
{
    return fails() ? NULL : taken(__libc_malloc(size));
}

void *calloc(size_t count, size_t size)
{
    return fails() ? NULL : taken(__libc_calloc(count, size));
}

void *realloc(void *old, size_t size)
{
    if (fails())
        return NULL;
    void *memory = __libc_realloc(old, size);
    return old ? memory : taken(memory);
}

void free(void *memory)
{
    alive -= memory != NULL;
    __libc_free(memory);
}
#else
#define COUNTS 0
static long calls, alive, fail_at;
static bool all_later;
#endif

static int look(const nh_sim *sim, void *user)
{
    nh_sim_get(sim, NH_SIM_POSITION, user);
    nh_sim_get(sim, NH_SIM_CONSTRAINT, user);
    nh_sim_get(sim, NH_SIM_INVARIANT, user);
    return 0;
}

static void count(const char *name, const char *method, nh_precision precision, nh_backend_choice backend)
{
    nh_sim_options options = nh_sim_options_default();
    options.method = method;
    options.precision = precision;
    options.backend = backend;
    nh_model *model = NULL;
    nh_sim *sim = NULL;
    nh_error error = {0};
    double room[64];
    if (CHECK(nh_model_load(name, NULL, &model, &error) == NH_OK) &&
        CHECK(nh_sim_new(model, &options, &sim, &error) == NH_OK)) {
        const long before = calls;
        CHECK(before > 0 || !COUNTS);
        CHECK(nh_sim_run(sim, 100, 3, look, room, &error) == NH_OK);
        CHECK_EQ_INT(calls - before, 0);
    }
    nh_sim_free(sim);
    nh_model_free(model);
}

static int look_at_all(nh_ensemble *e, void *user)
{
    *(double *)user += nh_ensemble_statistics(e, 0)->mean;
    return nh_ensemble_member(e, 0) == NULL;
}

static void count_ensemble(nh_precision precision, int at_a_time)
{
    static const nh_setting list = {"j", "0,1,2,3,4,5,6"};
    nh_ensemble_options options = nh_ensemble_options_default();
    options.sim.precision = precision;
    options.sim.backend = NH_BACKEND_TAPE;
    options.at_a_time = at_a_time;
    options.list = &list;
    options.lists = 1;
    nh_model *model = NULL;
    nh_ensemble *e = NULL;
    nh_error error = {0};
    double sum = 0;
    if (CHECK(nh_model_load("mp-particles", NULL, &model, &error) == NH_OK) &&
        CHECK(nh_ensemble_new(model, &options, &e, &error) == NH_OK)) {
        const long before = calls;
        CHECK(nh_ensemble_run(e, 50, 3, 1, look_at_all, &sum, &error) == NH_OK);
        CHECK_EQ_INT(calls - before, 0);
        CHECK_EQ_INT(nh_ensemble_step(e), 50);
    }
    nh_ensemble_free(e);
    nh_model_free(model);
}

TEST(ensembles)
{
    count_ensemble(NH_PRECISION_DOUBLE, 4);
    count_ensemble(NH_PRECISION_DOUBLE, 1);
    count_ensemble(NH_PRECISION_QUAD, 1);
}

TEST(stepping)
{
    if (!COUNTS)
        printf("allocations cannot be counted here\n");
    count("particle", "gauss(s=3)", NH_PRECISION_DOUBLE, NH_BACKEND_TAPE);
    count("particle", "gauss(s=3)", NH_PRECISION_DOUBLE, NH_BACKEND_NATIVE);
    count("particle", "gauss(s=2)", NH_PRECISION_QUAD, NH_BACKEND_TAPE);
    count("sleigh", "extrapolation(s=5, tol=1e-8)", NH_PRECISION_DOUBLE, NH_BACKEND_NATIVE);
    count("spherical-pendulum", "lobatto-ab(s=4)", NH_PRECISION_DOUBLE, NH_BACKEND_AUTO);
    count("rattleback", NULL, NH_PRECISION_DOUBLE, NH_BACKEND_TAPE);
}

static long calls_for_initial_values(const char *size)
{
    const nh_setting set[] = {{"m", size}};
    nh_model *model = NULL;
    nh_error error = {0};
    long made = 0;
    if (CHECK(nh_model_load("mp-particles", &(nh_model_options){.set = set, .set_count = 1}, &model, &error) ==
              NH_OK)) {
        const long before = calls;
        CHECK(nh_model_initial(model, NULL, NULL, NULL, NULL, &error) == NH_OK);
        made = calls - before;
    }
    nh_model_free(model);
    return made;
}

/* All but two are numbers there, whatever the size. */
TEST(initial_values)
{
    CHECK_EQ_INT(calls_for_initial_values("1000"), calls_for_initial_values("10"));
}

/* ---- No memory ---- */

/* What is done under lack of memory; what it gives, as a text to be freed, is the same with and without. */
typedef nh_status scenario(char **out, nh_error *error);

static const char MODEL[] = "parameters m = 2, a = 1/3\n"
                            "coordinates x, y, phi\n"
                            "lagrangian m/2*(x'^2 + y'^2) + a*phi'^2/2 - x*y^2\n"
                            "constraint sin(phi)*x' - cos(phi)*y' = 0\n"
                            "initial phi' = 1, x' = 1\n"
                            "observable speed = sqrt(x'^2 + y'^2)\n"
                            "symmetry none: phi = x\n"
                            "step 0.1\nuntil 1\n";

static nh_status with_model(nh_status (*then)(const nh_model *, char **, nh_error *), char **out, nh_error *error)
{
    nh_model *model = NULL;
    nh_status status = nh_model_parse(MODEL, strlen(MODEL), "model", NULL, &model, error);
    if (status == NH_OK)
        status = then(model, out, error);
    nh_model_free(model);
    return status;
}

static nh_status describe_model(const nh_model *model, char **out, nh_error *error)
{
    return nh_describe(model, NH_FORMAT_JSON, out, error);
}

static nh_status check_model(const nh_model *model, char **out, nh_error *error)
{
    int well_posed;
    return nh_check(model, NH_FORMAT_TEXT, &well_posed, out, error);
}

static nh_status run_model(const nh_model *model, const nh_sim_options *options, char **out, nh_error *error)
{
    nh_sim *sim = NULL;
    double room[64], reversal;
    nh_status status = nh_sim_new(model, options, &sim, error);
    if (status == NH_OK)
        status = nh_sim_run(sim, 3, 1, look, room, error);
    if (status == NH_OK)
        status = nh_sim_reversal(model, options, 2, &reversal, error);
    if (status == NH_OK)
        status = nh_sim_report(sim, NH_FORMAT_JSON, &reversal, out, error);
    nh_sim_free(sim);
    if (status == NH_OK) /* without the seconds, which vary */
        *strstr(*out, "\"seconds\"") = '\0';
    return status;
}

static nh_status run_double(const nh_model *model, char **out, nh_error *error)
{
    nh_sim_options options = nh_sim_options_default();
    options.backend = NH_BACKEND_TAPE;
    return run_model(model, &options, out, error);
}

static nh_status run_quad(const nh_model *model, char **out, nh_error *error)
{
    nh_sim_options options = nh_sim_options_default();
    options.method = "lobatto-ab(s=2)";
    options.precision = NH_PRECISION_QUAD;
    return run_model(model, &options, out, error);
}

static nh_status measure_model(const nh_model *model, char **out, nh_error *error)
{
    nh_sim_options options = nh_sim_options_default();
    nh_measurements *list = NULL;
    options.backend = NH_BACKEND_TAPE;
    nh_status status = nh_measure(model, &options, NULL, 1, 2, 1, &list, error);
    if (status == NH_OK)
        status = nh_measurements_print(list, NH_TABLE_OF_ORDERS, NH_FORMAT_TEXT, out, error);
    nh_measurements_free(list);
    return status;
}

static nh_status describe(char **out, nh_error *error)
{
    return with_model(describe_model, out, error);
}

static nh_status check(char **out, nh_error *error)
{
    return with_model(check_model, out, error);
}

static nh_status step_in_double(char **out, nh_error *error)
{
    return with_model(run_double, out, error);
}

static nh_status step_in_quad(char **out, nh_error *error)
{
    return with_model(run_quad, out, error);
}

/* So long that the second gear makes the steps. */
static nh_status run_long_steps(const nh_model *model, char **out, nh_error *error)
{
    nh_sim_options options = nh_sim_options_default();
    options.backend = NH_BACKEND_TAPE;
    options.method = "gauss(s=2)";
    options.step = "2";
    return run_model(model, &options, out, error);
}

/* Sparse matrices: by blocks of the mass, with a coupled mass, and those of the second gear. */
static nh_status step_large(const char *name, nh_status (*run)(const nh_model *, char **, nh_error *), char **out,
                            nh_error *error)
{
    const nh_setting set[] = {{"n", "16"}};
    nh_model *model = NULL;
    nh_status status = nh_model_load(name, &(nh_model_options){.set = set, .set_count = 1}, &model, error);
    if (status == NH_OK)
        status = run(model, out, error);
    nh_model_free(model);
    return status;
}

static nh_status step_chain(char **out, nh_error *error)
{
    return step_large("skate-chain", run_double, out, error);
}

static nh_status step_far(char **out, nh_error *error)
{
    return step_large("skate-chain", run_long_steps, out, error);
}

static nh_status step_beam(char **out, nh_error *error)
{
    return step_large("skate-beam", run_double, out, error);
}

static nh_status measure(char **out, nh_error *error)
{
    return with_model(measure_model, out, error);
}

static nh_status run_ensemble(const nh_model *model, char **out, nh_error *error)
{
    static const nh_setting list = {"m", "1, 2"};
    static const char *const draws[] = {"x = uniform(0, 1)", "energy(2)"};
    const long long mark[NH_MARKS] = {0};
    long long read[NH_MARKS];
    nh_ensemble_options options = nh_ensemble_options_default();
    options.sim.backend = NH_BACKEND_TAPE;
    options.list = &list;
    options.lists = 1;
    options.draw = draws;
    options.draws = 2;
    nh_ensemble *e = NULL;
    nh_status status = nh_ensemble_new(model, &options, &e, error);
    if (status == NH_OK)
        status = nh_ensemble_run(e, 3, 1, 0, NULL, NULL, error);
    if (status == NH_OK)
        status = nh_ensemble_save(e, "allocation.check", mark, error);
    if (status == NH_OK)
        status = nh_ensemble_resume(e, "allocation.check", read, error);
    if (status == NH_OK)
        status = nh_ensemble_report(e, NH_FORMAT_JSON, out, error);
    nh_ensemble_free(e);
    if (status == NH_OK)
        *strstr(*out, "\"seconds\"") = '\0';
    return status;
}

static nh_status ensemble(char **out, nh_error *error)
{
    return with_model(run_ensemble, out, error);
}

static nh_status draw(char **out, nh_error *error)
{
    const double x[] = {1, 2, 3, 4}, y[] = {3, 1e-3, 2, 5};
    nh_figure *figure = nh_figure_new("title", "caption", 2);
    const int panel = nh_figure_panel(figure, &(nh_panel_options){.x_label = "x", .log_y = 1});
    nh_figure_series(figure, panel, "curve", x, y, 4, NH_PLOT_LINE);
    nh_status status = nh_figure_write(figure, "allocation.gp", error);
    if (status == NH_OK)
        status = nh_figure_preview(figure, NH_PREVIEW_BRAILLE, 60, 5, out, error);
    nh_figure_free(figure);
    return status;
}

static nh_status list(char **out, nh_error *error)
{
    return nh_method_list(NULL, NH_FORMAT_TEXT, out, error);
}

static nh_status tabulate(char **out, nh_error *error)
{
    const char *const names[] = {"a", "b"}, *const cells[] = {"1", "2.5"};
    nh_table_writer *writer = NULL;
    nh_table *table = NULL;
    nh_status status = nh_table_create("allocation.csv", names, 2, &writer, error);
    if (status == NH_OK) {
        (void)nh_table_row(writer, cells); /* told at the end */
        status = nh_table_close(writer, error);
    }
    if (status == NH_OK)
        status = nh_table_read("allocation.csv", &table, error);
    if (status == NH_OK)
        CHECK(nh_table_rows(table) == 1 && nh_table_column(table, 1)[0] == 2.5);
    nh_table_free(table);
    *out = NULL;
    return status;
}

/* True: the call number `number` was made, and failed. */
static bool survives(const char *name, scenario *run, long number, bool later, const char *expected)
{
    char *out = NULL;
    nh_error error = {0};
    const long before = alive;
    calls = 0;
    fail_at = number;
    all_later = later;
    const nh_status status = run(&out, &error);
    const bool failed = calls >= fail_at;
    fail_at = 0;
    const bool same = status == NH_OK && (expected ? out && !strcmp(out, expected) : !out);
    const bool told = status == NH_MEMORY && !out && error.status == NH_MEMORY && error.message[0];
    if (!CHECK(same || told))
        printf("    %s, call %ld%s: %s\n", name, number, later ? " and later" : "", error.message);
    if (status == NH_OK)
        nh_text_release(out);
    if (!CHECK(alive == before))
        printf("    %s, call %ld%s: %ld are left\n", name, number, later ? " and later" : "", alive - before);
    return failed;
}

static void starve(const char *name, scenario *run)
{
    enum { ALL = 300, SOME = 40 }; /* the first so many calls, then every so manyth: they come from the same places */
    char *expected = NULL;
    nh_error error = {0};
    if (!COUNTS)
        return;
    for (int i = 0; i < 2; i++) { /* the first time also for what the C library keeps */
        nh_text_release(expected);
        expected = NULL;
        if (!CHECK(run(&expected, &error) == NH_OK)) {
            printf("    %s: %s\n", name, error.message);
            return;
        }
    }
    long number = 1;
    while (survives(name, run, number, false, expected) && survives(name, run, number, true, expected))
        number += number < ALL ? 1 : 1 + number / SOME;
    CHECK(number > 1);
    nh_text_release(expected);
}

TEST(no_memory)
{
    starve("describe", describe);
    starve("check", check);
    starve("run", step_in_double);
    starve("run in quad", step_in_quad);
    starve("run a chain", step_chain);
    starve("run a beam", step_beam);
    starve("run in long steps", step_far);
    starve("measure", measure);
    starve("ensemble", ensemble);
    starve("draw", draw);
    starve("list", list);
    starve("tabulate", tabulate);
}

TEST_MAIN(RUN(stepping), RUN(initial_values), RUN(ensembles), RUN(no_memory))
