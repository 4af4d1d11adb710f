/* SPDX-License-Identifier: MIT */
/* What audits and observers add to a run. */
#include "clock.h"
#include "tables.h"

#include <nonholo/sim.h>

#include <stdio.h>
#include <stdlib.h>

enum { STEPS = 1000, COORDINATES = 7 };

static void end(const nh_error *error)
{
    fprintf(stderr, "mp-particles: %s\n", error->message);
    exit(1);
}

typedef struct feature {
    nh_sim *sim;
    nh_observer *observer;
    long long every;
} feature;

static int look_at_positions(const nh_sim *sim, void *user)
{
    nh_sim_get(sim, NH_SIM_POSITION, user);
    return 0;
}

static int look_at_energy(const nh_sim *sim, void *user)
{
    nh_sim_get(sim, NH_SIM_ENERGY_ERROR, user);
    return 0;
}

static void run_feature(void *context, long repeats)
{
    const feature *f = context;
    double seen[COORDINATES];
    nh_error error = {0};
    for (long i = 0; i < repeats; i++)
        if (nh_sim_run(f->sim, STEPS, f->every, f->observer, seen, &error) != NH_OK)
            end(&error);
}

static const struct {
    const char *label;
    long long audit, every;
    nh_observer *observer;
} ways[] = {
    {"audit at the ends only (0)", 0, 0, NULL},
    {"audit every step", 1, 0, NULL},
    {"audit every 100 steps", 100, 0, NULL},
    {"observer every step, reads q", 0, 1, look_at_positions},
    {"observer every 100 steps, reads q", 0, 100, look_at_positions},
    {"observer every step, reads the energy error", 0, 1, look_at_energy},
    {"observer every 100 steps, reads the energy error", 0, 100, look_at_energy},
};
enum { WAYS = sizeof ways / sizeof *ways };

static nh_sim *start(const nh_model *model, const char *method, const char *step, long long audit)
{
    nh_sim *sim = NULL;
    nh_error error = {0};
    nh_sim_options options = nh_sim_options_default();
    options.method = method;
    options.step = step;
    options.backend = NH_BACKEND_NATIVE;
    options.audit = audit;
    if (nh_sim_new(model, &options, &sim, &error) != NH_OK)
        end(&error);
    return sim;
}

static void table(const bench *b, const char *method, const char *step)
{
    feature f[WAYS];
    contender list[WAYS];
    nh_model *model = NULL;
    nh_error error = {0};
    if (nh_model_load("mp-particles", NULL, &model, &error) != NH_OK)
        end(&error);
    for (int k = 0; k < WAYS; k++) {
        f[k] = (feature){start(model, method, step, ways[k].audit), ways[k].observer, ways[k].every};
        list[k] = (contender){ways[k].label, run_feature, &f[k], 0};
    }
    clock_race(list, WAYS, b->quick ? 0.1 : 0.3);
    report_table(b->report, "features", "run|ns per step|ratio", "%s, h = %s, native, mp-particles, runs of %d steps",
                 method, step, STEPS);
    for (int k = 0; k < WAYS; k++) {
        report_text(b->report, "%s", list[k].name);
        report_number(b->report, "%.1f", list[k].nanoseconds / STEPS);
        report_number(b->report, "%.2f", list[k].nanoseconds / list[0].nanoseconds);
        nh_sim_free(f[k].sim);
    }
    nh_model_free(model);
}

static void run(const bench *b)
{
    table(b, "gauss(s=4)", "0.4");
    table(b, "mp", "0.05");
}

const bench_table table_features = {"features", "what audits and observers add to a run", run};
