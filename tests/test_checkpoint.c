/* SPDX-License-Identifier: MIT */
/* Checkpoints: what is saved goes on as if nothing had happened; what is damaged, or of something else, is refused. */
#define _XOPEN_SOURCE 700 /* mkdtemp */

#include "ensembles.h"

#include <stdlib.h>

enum { STEPS = 230, EVERY = 20 };

static char directory[] = "test_checkpoint_XXXXXX";

static const char *in_directory(const char *name, char path[64])
{
    snprintf(path, 64, "%s/%s", directory, name);
    return path;
}

static const long long marks[NH_MARKS] = {17, -4, 300, 1, 1LL << 62};

/* ---- Ensembles ---- */

static void interrupted(const nh_model *model, const nh_ensemble_options *before, const nh_ensemble_options *after)
{
    char path[64];
    uint64_t whole = 1, parts = 1;
    long long mark[NH_MARKS];
    nh_error error = {0};
    in_directory("ensemble", path);
    nh_ensemble *a = make_ensemble(model, before), *b = make_ensemble(model, before), *c = make_ensemble(model, after);
    if (a && b && c) {
        CHECK(nh_ensemble_run(a, STEPS, EVERY, 0, hash_output, &whole, NULL) == NH_OK);
        CHECK(nh_ensemble_run(b, 100, EVERY, 0, hash_output, &parts, NULL) == NH_OK);
        CHECK(nh_ensemble_save(b, path, marks, &error) == NH_OK);
        if (!CHECK(nh_ensemble_resume(c, path, mark, &error) == NH_OK))
            printf("    %s\n", error.message);
        CHECK(!memcmp(mark, marks, sizeof mark));
        CHECK(nh_ensemble_run(c, STEPS, EVERY, 0, hash_output, &parts, NULL) == NH_OK);
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

static const char growing[] = "coordinates x\nlagrangian x'^2/2 + x^2/2\ninitial x = 1\nstep 1\n";

static int save_late(nh_ensemble *e, void *path)
{
    const bool late = nh_ensemble_steps(e) > 500;
    if (late)
        CHECK(nh_ensemble_save(e, path, marks, NULL) == NH_OK);
    return late;
}

/* Without an audit, nobody sees that the energy has overflowed at step 357 before the output of step 1000 is made. */
TEST(states_of_no_energy)
{
    char path[64];
    long long mark[NH_MARKS];
    nh_model *model = parse_model(growing);
    nh_ensemble_options o = nh_ensemble_options_default();
    nh_failure failure = {0};
    o.sim.audit = 0;
    in_directory("ensemble", path);
    nh_ensemble *a = make_ensemble(model, &o), *b = make_ensemble(model, &o);
    if (a && b) {
        nh_ensemble_set_pulse(a, save_late, path);
        CHECK(nh_ensemble_run(a, 1000, 1000, 0, NULL, NULL, NULL) == NH_OK);
        CHECK(nh_ensemble_resume(b, path, mark, NULL) == NH_OK);
        CHECK_EQ_INT(nh_ensemble_failures(b), 0);
        CHECK(nh_ensemble_steps(b) > 500);
        CHECK(nh_ensemble_run(b, 1000, 1000, 0, NULL, NULL, NULL) == NH_OK);
        CHECK(nh_ensemble_failure(b, 0, &failure, NULL) == NH_OK);
        CHECK_EQ_INT(failure.step, 356);
    }
    nh_ensemble_free(a);
    nh_ensemble_free(b);
    nh_model_free(model);
}

/* ---- Single runs ---- */

typedef struct watch {
    int from, calls;
    uint64_t hash; /* of the states that are observed from this step on */
} watch;

static int note(const nh_sim *sim, void *user)
{
    watch *w = user;
    double q[8];
    nh_sim_get(sim, NH_SIM_POSITION, q);
    if (nh_sim_step_count(sim) >= w->from)
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

static int save_and_stop(const nh_sim *sim, void *path)
{
    const bool late = nh_sim_step_count(sim) > 500;
    if (late)
        CHECK(nh_sim_save(sim, path, marks, NULL) == NH_OK);
    return late;
}

/* The same of one run: what is saved while nobody looks at the energy is a good state before. */
TEST(run_of_no_energy)
{
    char path[64];
    long long mark[NH_MARKS];
    nh_model *model = parse_model(growing);
    nh_sim_options o = nh_sim_options_default();
    nh_sim *a = NULL, *b = NULL;
    o.audit = 0;
    in_directory("run", path);
    if (CHECK(nh_sim_new(model, &o, &a, NULL) == NH_OK && nh_sim_new(model, &o, &b, NULL) == NH_OK)) {
        CHECK_EQ_INT(nh_sim_run(a, 600, 501, save_and_stop, path, NULL), NH_VALUE);
        CHECK(nh_sim_resume(b, path, mark, NULL) == NH_OK);
        CHECK(nh_sim_step_count(b) <= 356);
        CHECK_EQ_INT(nh_sim_run(b, 1000, 0, NULL, NULL, NULL), NH_VALUE);
        CHECK_EQ_INT(nh_sim_step_count(b), 356);
    }
    nh_sim_free(a);
    nh_sim_free(b);
    nh_model_free(model);
}

static void interrupted_run(const nh_model *model, const nh_sim_options *options, int step)
{
    char path[64];
    long long mark[NH_MARKS];
    watch whole = {step, 0, 1}, parts = whole;
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
    CHECK(whole.hash == parts.hash);
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

/* ---- Files that do not fit ---- */

static void refused_file(nh_ensemble *e, const char *path, const char *message)
{
    long long mark[NH_MARKS];
    nh_error error = {0};
    CHECK_EQ_INT(nh_ensemble_resume(e, path, mark, &error), NH_FILE);
    if (!CHECK(strstr(error.message, message) != NULL))
        printf("    %s\n", error.message);
}

static void refused_by(const nh_model *model, const nh_ensemble_options *options, const char *path, const char *message)
{
    nh_ensemble *e = make_ensemble(model, options);
    refused_file(e, path, message);
    nh_ensemble_free(e);
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
    nh_ensemble *e = make_ensemble(model, &o);
    in_directory("fit", path);
    CHECK(nh_ensemble_save(e, path, marks, NULL) == NH_OK);
    refused_by(other, &o, path, "of another model");
    o.seed++;
    refused_by(model, &o, path, "other initial data");
    o.count++;
    refused_by(model, &o, path, "number of members");
    o.sim.method = "gauss(s=1)";
    refused_by(model, &o, path, "of another method (mp, not gauss(s=1))");
    refused_file(e, "no/such/file", "cannot read no/such/file");
    damage(e, path);
    nh_ensemble_free(e);
    nh_model_free(model);
    nh_model_free(other);
}

/* A triple of one stage; its node and matrices are these. */
static void write_triple(const char *path, const char *node, const char *matrix)
{
    char text[256];
    const int count =
        snprintf(text, sizeof text, "stages 1\nc %s\nb 1\nA %s\nAhat %s\nAtilde %s\n", node, matrix, matrix, matrix);
    write_bytes(path, text, (size_t)count);
}

/* The same name of a file is not the same method. */
TEST(checkpoints_of_other_coefficients)
{
    char path[64], triple[64], method[96];
    long long mark[NH_MARKS];
    nh_error error = {0};
    nh_model *model = load_model("mp-particles", NULL);
    in_directory("fit", path);
    snprintf(method, sizeof method, "spark(file=\"%s\")", in_directory("triple", triple));
    write_triple(triple, "1/2", "1/2");
    nh_ensemble_options o = chaotic(method, 1, 4, NH_BACKEND_TAPE);
    nh_sim *before = NULL, *after = NULL;
    nh_ensemble *e = make_ensemble(model, &o);
    CHECK(nh_ensemble_save(e, path, marks, NULL) == NH_OK);
    CHECK(nh_ensemble_resume(e, path, mark, NULL) == NH_OK);
    write_triple(triple, "1", "1");
    refused_by(model, &o, path, "it is of a method with other coefficients (a checkpoint of mp-particles)");
    CHECK(nh_sim_new(model, &o.sim, &before, NULL) == NH_OK && nh_sim_save(before, path, marks, NULL) == NH_OK);
    write_triple(triple, "1", "1.0000000000000000000000000000001");
    CHECK(nh_sim_new(model, &o.sim, &after, NULL) == NH_OK);
    CHECK_EQ_INT(nh_sim_resume(after, path, mark, &error), NH_FILE);
    CHECK(strstr(error.message, "other coefficients") != NULL);
    write_triple(triple, "1.0", "2/2"); /* the same numbers */
    nh_sim_free(after);
    CHECK(nh_sim_new(model, &o.sim, &after, NULL) == NH_OK && nh_sim_resume(after, path, mark, NULL) == NH_OK);
    nh_sim_free(before);
    nh_sim_free(after);
    nh_ensemble_free(e);
    nh_model_free(model);
}

TEST(clean_up)
{
    char path[64];
    static const char *const names[] = {"ensemble", "fit", "run", "triple"};
    for (int i = 0; i < 4; i++)
        remove(in_directory(names[i], path));
    CHECK(remove(directory) == 0); /* nothing else is left in it */
}

int main(int argc, char **argv)
{
    if (!mkdtemp(directory))
        return 1;
    RUN(resumed_ensembles);
    RUN(states_of_no_energy);
    RUN(run_of_no_energy);
    RUN(resumed_runs);
    RUN(checkpoints_that_do_not_fit);
    RUN(checkpoints_of_other_coefficients);
    test_one(1, argv, "clean_up", test_clean_up);
    return test_end();
}
