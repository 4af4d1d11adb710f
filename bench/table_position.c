/* SPDX-License-Identifier: MIT */
/* Time to an error of the positions at the end. References are made here, in quad precision. */
#include "sweep.h"

#include <nonholo/sim.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 3 };

static const struct {
    const char *title;
    const char *model;
    peer_number problem;
    double time;
    const char *step; /* of the reference */
    double known[N];  /* by extrapolation in quad precision of the ordinary differential equation */
} cases[] = {
    {"particle, T = 100, error of position",
     "particle",
     PEER_PARTICLE,
     100,
     "1/10",
     {-0.2294600573642495687, -0.03511943690920884073, -3.246437701413382418}},
    {"contact oscillator, T = 100, error of position",
     "contact-oscillator",
     PEER_CONTACT,
     100,
     "1/10",
     {-1.102565553755858362, 0.8623188722876839341, -0.5086108908508754449}},
    {"sleigh, T = 30, error of position",
     "sleigh",
     PEER_SLEIGH,
     30,
     "1/20",
     {-993.7756205134591208, -2202.448954502070477, -1.840932123212809344}},
};
enum { CASES = sizeof cases / sizeof *cases };

static void require(nh_status status, const char *model, const nh_error *error)
{
    if (status == NH_OK)
        return;
    fprintf(stderr, "%s: %s\n", model, error->message);
    exit(1);
}

/* Order 20, at a step where it is below the last digit of a double. */
static void make_reference(int k, double *q)
{
    char until[16];
    long long steps = 0;
    nh_model *model = NULL;
    nh_sim *sim = NULL;
    nh_error error = {0};
    nh_sim_options options = nh_sim_options_default();
    options.method = "gauss(s=10)";
    options.step = cases[k].step;
    options.precision = NH_PRECISION_QUAD;
    options.audit = 0;
    snprintf(until, sizeof until, "%g", cases[k].time);
    require(nh_model_load(cases[k].model, NULL, &model, &error), cases[k].model, &error);
    require(nh_sim_new(model, &options, &sim, &error), cases[k].model, &error);
    require(nh_sim_steps_until(sim, until, &steps, &error), cases[k].model, &error);
    require(nh_sim_run(sim, steps, 0, NULL, NULL, &error), cases[k].model, &error);
    nh_sim_get(sim, NH_SIM_POSITION, q);
    nh_sim_free(sim);
    nh_model_free(model);
}

/* A wrong reference would make every figure wrong: another way has to lead there, too. */
static void check_reference(int k, const double *q)
{
    for (int i = 0; i < N; i++)
        if (!(fabs(q[i] - cases[k].known[i]) <= 4e-16 * fmax(1, fabs(cases[k].known[i])))) {
            fprintf(stderr, "%s: the reference is %.17g, not %.17g\n", cases[k].title, q[i], cases[k].known[i]);
            exit(1);
        }
}

static void run(const bench *b)
{
    for (int k = 0; k < CASES; k++) {
        double reference[N];
        make_reference(k, reference);
        check_reference(k, reference);
        const contest c = {cases[k].title, {.model = cases[k].model}, cases[k].problem, cases[k].time, reference,
                           {1.5, 2.5, 4}};
        sweep_contest(b, "position", &c);
    }
}

const bench_table table_position = {"position", "time to an error of position, against integrators of others", run};
