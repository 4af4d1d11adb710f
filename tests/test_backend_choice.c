/* SPDX-License-Identifier: MIT */
/* Tape or native code: when a run changes from one to the other. */
#define _XOPEN_SOURCE 700 /* mkdtemp, setenv */

#include "models.h"

#include "base/text.h"
#include "sim/backend.h"

#include <nonholo/nonholo.h>
#include <stdlib.h>

static nh_sim *make(const nh_model *model, const nh_sim_options *options)
{
    nh_sim *sim = NULL;
    nh_error error = {0};
    if (!CHECK(nh_sim_new(model, options, &sim, &error) == NH_OK))
        printf("%s\n", error.message);
    return sim;
}

static bool go(nh_sim *sim, long long steps)
{
    return CHECK(nh_sim_run(sim, steps, 0, NULL, NULL, NULL) == NH_OK);
}

/* A million steps, or as many as take the tape four seconds where it is slow: enough for a build to pay. */
static long long many_steps(const nh_model *model, const nh_sim_options *options)
{
    enum { SAMPLE = 1000, MOST = 1000000 };
    nh_sim *sim = make(model, options);
    nh_audit audit = {0};
    if (go(sim, SAMPLE))
        nh_sim_audit(sim, &audit);
    nh_sim_free(sim);
    return audit.seconds * MOST < 4.0 * SAMPLE ? MOST : (long long)(4.0 * SAMPLE / audit.seconds);
}

/* Native code that comes late gives the numbers of the tape. */
TEST(automatic)
{
    char directory[] = "test_backend_choice-XXXXXX", command[80], cache[4096];
    const nh_sim_options options = {.method = "gauss(s=1)", .step = "1/5"};
    const nh_sim_options slow = {.method = "gauss(s=1)", .step = "1/5", .backend = NH_BACKEND_TAPE};
    nh_model *model = load_model("particle", NULL);
    const long long steps = many_steps(model, &slow);
    nh_audit audit;
    double late[3], tape[3];
    if (!CHECK(mkdtemp(directory) != NULL))
        return;
    CHECK(realpath(directory, cache) != NULL);
    setenv("XDG_CACHE_HOME", cache, 1);
    nh_sim *sim = make(model, &options);
    nh_sim_audit(sim, &audit);
    CHECK_STR(audit.backend, "tape");
    if (go(sim, steps)) {
        nh_sim_audit(sim, &audit);
        CHECK_STR(audit.backend, "native");
        CHECK(audit.build_seconds > 0);
        nh_sim_get(sim, NH_SIM_POSITION, late);
    }
    nh_sim_free(sim);
    sim = make(model, &slow);
    if (go(sim, steps)) {
        nh_sim_get(sim, NH_SIM_POSITION, tape);
        CHECK(!memcmp(late, tape, sizeof tape));
    }
    nh_sim_free(sim);
    nh_model_free(model);
    snprintf(command, sizeof command, "rm -rf '%s'", directory);
    CHECK_EQ_INT(system(command), 0);
}

/* A stepper for sums of so many different terms. */
static nh_stepper *stepper_of(int terms, nh_model **model)
{
    nh_text text = {0};
    nh_stepper *stepper = NULL;
    nh_error error = {0};
    nh_text_add(&text, "coordinates x\nlagrangian x'^2/2");
    for (int i = 1; i <= terms; i++)
        nh_text_add(&text, " - cos(%d*x)/%d", i, i);
    nh_text_add(&text, "\ninitial x = 1\nstep 0.1\n");
    if (!CHECK(nh_model_parse(nh_text_get(&text), text.length, "test", NULL, model, &error) == NH_OK) ||
        !CHECK(nh_stepper_new(*model, "gauss(s=2)", NH_ON_TAPE, NULL, &stepper, &error) == NH_OK))
        printf("%s\n", error.message);
    nh_text_free(&text);
    return stepper;
}

/* Ten steps took a tenth of a second: a hundred more take one, a thousand ten. */
TEST(long_formulas_take_long_to_compile)
{
    nh_model *few = NULL, *many = NULL;
    nh_stepper *a = stepper_of(3, &few), *b = stepper_of(2000, &many);
    if (a && b) {
        CHECK(!nh_sim_is_worth_a_build(a, 0.01, 10, 1000000)); /* too soon to tell */
        CHECK(!nh_sim_is_worth_a_build(a, 0.1, 10, 90));
        CHECK(nh_sim_is_worth_a_build(a, 0.1, 10, 110));
        CHECK(!nh_sim_is_worth_a_build(b, 0.1, 10, 110));
        CHECK(nh_sim_is_worth_a_build(b, 0.1, 10, 10000));
    }
    nh_stepper_free(a);
    nh_stepper_free(b);
    nh_model_free(few);
    nh_model_free(many);
}

TEST_MAIN(RUN(automatic), RUN(long_formulas_take_long_to_compile))
