/* SPDX-License-Identifier: MIT */
#include "sim/sim.h"

#include <math.h>

static void raise_to(nh_sim *s, int place, nh_quad value)
{
    if (!(value <= nh_numbers_get(s->member, place))) /* also what is not a number */
        nh_numbers_set(s->member, place, value);
}

/* The figures go into the member, where the stepper keeps its own. */
void nh_sim_look(nh_sim *s)
{
    nh_numbers_set(s->member, NH_AT_ENERGY_LAST, nh_sim_read(s, NH_SIM_ENERGY)[0]);
    raise_to(s, NH_AT_ENERGY_MAX, nh_quad_abs(nh_sim_read(s, NH_SIM_ENERGY_ERROR)[0]));
    raise_to(s, NH_AT_CONSTRAINT_MAX, nh_sim_read(s, NH_SIM_RESIDUAL)[0]);
}

/* x - x is 0 for finite x only. Asked after every observed step: four sums do not wait for each other. */
static bool finite_doubles(const double *x, int count)
{
    double sum[4] = {0};
    int i = 0;
    for (; i + 4 <= count; i += 4) {
        sum[0] += x[i] - x[i];
        sum[1] += x[i + 1] - x[i + 1];
        sum[2] += x[i + 2] - x[i + 2];
        sum[3] += x[i + 3] - x[i + 3];
    }
    for (; i < count; i++)
        sum[0] += x[i] - x[i];
    return sum[0] + sum[1] + sum[2] + sum[3] == 0;
}

static bool finite_quads(const nh_quad *x, int count)
{
    bool finite = true;
    for (int i = 0; i < count; i++)
        finite &= x[i] - x[i] == 0;
    return finite;
}

/* But for the squares of energy errors: they overflow where energies, and all of the motion, are far from it. */
bool nh_sim_finite(const nh_sim *s)
{
    const int next = NH_AT_ERROR_ERROR + 1, rest = s->at_constants - next;
    if (s->member.quad) {
        const nh_quad *x = s->member.data;
        return finite_quads(x, NH_AT_ERROR_ERROR) && finite_quads(x + next, rest);
    }
    const double *x = s->member.data;
    return finite_doubles(x, NH_AT_ERROR_ERROR) && finite_doubles(x + next, rest);
}

/* The audit has the figures of this state where it has looked at it. */
static bool is_audited(const nh_sim *s)
{
    const double stride = nh_numbers_double(s->member, NH_AT_STRIDE);
    return stride > 0 &&
           nh_numbers_double(s->member, NH_AT_NEXT_AUDIT) == nh_numbers_double(s->member, NH_AT_COUNT) + stride;
}

bool nh_sim_good(const nh_sim *s)
{
    if (!nh_sim_finite(s))
        return false;
    if (is_audited(s))
        return true;
    const nh_quad error = nh_sim_read(s, NH_SIM_ENERGY_ERROR)[0], residual = nh_sim_read(s, NH_SIM_RESIDUAL)[0];
    return error - error == 0 && residual - residual == 0;
}

long long nh_sim_step_count(const nh_sim *sim)
{
    return (long long)nh_numbers_double(sim->member, NH_AT_COUNT);
}

static double at(const nh_sim *s, int place)
{
    return nh_numbers_double(s->member, place);
}

/* Least squares from the running moments of step number and energy error. */
static void find_drift(const nh_sim *s, nh_audit *out)
{
    const double count = at(s, NH_AT_AUDITS), steps = at(s, NH_AT_STEP_STEP), both = at(s, NH_AT_STEP_ERROR);
    if (count < 3 || !(steps > 0))
        return;
    const double slope = both / steps, square = at(s, NH_AT_ERROR_ERROR);
    const double rest = isfinite(square) ? fmax(square - slope * both, 0) : (double)INFINITY;
    out->energy_drift = slope / out->step;
    out->energy_drift_error = sqrt(rest / (count - 2) / steps) / fabs(out->step);
}

void nh_sim_audit(const nh_sim *sim, nh_audit *out)
{
    const nh_native *native = nh_stepper_native(sim->stepper);
    const double steps = at(sim, NH_AT_COUNT);
    *out = (nh_audit){
        .steps = nh_sim_step_count(sim),
        .audited = (long long)at(sim, NH_AT_AUDITS),
        .step = at(sim, NH_AT_STEP),
        .time = (double)nh_sim_time(sim),
        .energy_initial = at(sim, NH_AT_ENERGY),
        .energy_final = at(sim, NH_AT_ENERGY_LAST),
        .energy_max_error = at(sim, NH_AT_ENERGY_MAX),
        .constraint_max = at(sim, NH_AT_CONSTRAINT_MAX),
        .iterations_mean = steps > 0 ? at(sim, NH_AT_ITERATIONS) / steps : 0,
        .iterations_max = at(sim, NH_AT_ITERATIONS_MAX),
        .newton_steps = (long long)at(sim, NH_AT_NEWTON),
        .seconds = sim->seconds,
        .build_seconds = sim->build_seconds,
        .title = sim->model->name,
        .method = nh_stepper_choice(sim->stepper)->spelling,
        .backend = native ? "native" : "tape",
        .note = sim->note,
        .precision = sim->member.quad ? "quad" : "double",
        .moved = sim->moved,
        .reversible = nh_stepper_classification(sim->stepper)->reversal.reversible.answer == NH_YES,
    };
    find_drift(sim, out);
}
