/* SPDX-License-Identifier: MIT */
#include "sim/sim.h"

#include "base/status.h"

#include <math.h>
#include <string.h>

/* Starts anew from where the motion is, the other way. */
static nh_status turn_round(nh_sim *s, nh_error *error)
{
    const size_t n = (size_t)s->model->n;
    nh_quad *state = NH_NEW(&s->arena, nh_quad, 2 * n + 1);
    if (!state)
        return nh_fail(error, NH_MEMORY, "out of memory");
    memcpy(state, nh_sim_read(s, NH_SIM_POSITION), n * sizeof *state);
    const nh_quad *v = nh_sim_read(s, NH_SIM_VELOCITY);
    for (size_t i = 0; i < n; i++)
        state[n + i] = -v[i];
    s->start.q = state;
    s->start.v = state + n;
    nh_sim_restart(s, 0);
    return NH_OK;
}

static double distance(const nh_sim *s, const nh_quad *q, const nh_quad *v)
{
    const nh_quad *q1 = nh_sim_read(s, NH_SIM_POSITION), *v1 = nh_sim_read(s, NH_SIM_VELOCITY);
    double most = 0;
    for (int i = 0; i < s->model->n; i++)
        most = fmax(most, fmax(fabs((double)(q1[i] - q[i])), fabs((double)(v1[i] + v[i]))));
    return most;
}

nh_status nh_sim_reversal(const nh_model *model, const nh_sim_options *options, long long steps, double *defect,
                          nh_error *error)
{
    nh_sim *s = NULL;
    *defect = NAN;
    nh_status status = nh_sim_new(model, options, &s, error);
    if (status != NH_OK)
        return status;
    const nh_start first = s->start;
    status = nh_sim_run(s, steps, 0, NULL, NULL, error);
    if (status == NH_OK)
        status = turn_round(s, error);
    if (status == NH_OK)
        status = nh_sim_run(s, steps, 0, NULL, NULL, error);
    if (status == NH_OK)
        *defect = distance(s, first.q, first.v);
    nh_sim_free(s);
    return status;
}
