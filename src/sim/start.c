/* SPDX-License-Identifier: MIT */
/* Where a simulation starts: step, time, and initial data that satisfy the constraints. */
#include "base/status.h"
#include "language/value.h"
#include "model/consistent.h"
#include "model/initial.h"
#include "sim/sim.h"

#include <math.h>
#include <string.h>

static nh_status read_step(nh_sim *s, const nh_sim_options *options, nh_error *error)
{
    const char *expression = options->step;
    nh_quad until;
    bool has_step, has_until;
    nh_quad *h = &s->start.h;
    nh_status status = expression ? nh_model_value(s->model, expression, "--step", h, error)
                                  : nh_model_step_and_until(s->model, h, &has_step, &until, &has_until, error);
    if (status != NH_OK)
        return status;
    if (!expression && !has_step)
        return nh_fail(error, NH_USAGE, "the model does not say which step to take; use --step");
    if (options->divide > 1)
        *h /= (nh_quad)options->divide;
    if (*h == 0)
        return nh_fail(error, NH_VALUE, "the step is 0; a step leads on in time: give one like 0.01");
    if ((double)*h == 0)
        return nh_fail(error, NH_VALUE, "the step is too small for a double");
    if (!s->member.quad && !isfinite((double)*h))
        return nh_fail(error, NH_VALUE, "the step is too large for a double");
    if (!s->member.quad && !isfinite(1 / (double)*h)) /* by which steps multiply */
        return nh_fail(error, NH_VALUE, "the step is too small for a double: 1/h is not finite");
    return NH_OK;
}

/* Does a step lead to another time, in the numbers of the run? */
static nh_status check_time(const nh_sim *s, nh_error *error)
{
    const nh_quad t = s->start.t, h = s->start.h;
    const bool moves = s->member.quad ? t + h != t : (double)t + (double)h != (double)t;
    return moves ? NH_OK
                 : nh_fail(error, NH_VALUE, "at t = %.9g, a step of %.9g is lost in rounding", (double)t, (double)h);
}

static nh_status project(nh_sim *s, nh_consistency *c, nh_error *error)
{
    const size_t n = (size_t)s->model->n;
    nh_quad *before = NH_NEW(&s->arena, nh_quad, 2 * n + 1);
    if (!before)
        return nh_fail(error, NH_MEMORY, "out of memory");
    memcpy(before, s->q, n * sizeof *s->q);
    memcpy(before + n, s->v, n * sizeof *s->v);
    nh_status status = nh_consistency_project(c, s->start.t, s->q, s->v, error);
    for (size_t i = 0; status == NH_OK && i < n; i++)
        s->moved = fmax(s->moved, fmax(fabs((double)(s->q[i] - before[i])), fabs((double)(s->v[i] - before[n + i]))));
    return status;
}

static nh_status refuse(const nh_violation *is, nh_error *error)
{
    double by;
    const char *which = nh_violation_which(is, &by);
    return nh_fail(error, NH_MODEL,
                   "the initial data violate the %s by %.3g; --project moves them onto the constraints", which, by);
}

static nh_status check_data(nh_sim *s, nh_consistency *c, bool may_move, nh_error *error)
{
    nh_violation is;
    nh_status status = NH_OK;
    nh_consistency_parameters(c, s->start.parameter);
    nh_consistency_violation(c, s->start.t, s->q, s->v, &is);
    if (!nh_violation_is_none(&is))
        status = may_move ? project(s, c, error) : refuse(&is, error);
    return status == NH_OK ? nh_consistency_independent(c, s->start.t, s->q, s->v, error) : status;
}

static nh_status make_consistent(nh_sim *s, bool may_move, nh_error *error)
{
    nh_consistency *c;
    nh_status status = nh_consistency_new(s->model, &c, error);
    if (status == NH_OK)
        status = check_data(s, c, may_move, error);
    nh_consistency_free(c);
    return status;
}

nh_status nh_sim_read_times(nh_sim *s, const nh_sim_options *options, nh_error *error)
{
    const nh_model *m = s->model;
    s->parameter = NH_NEW(&s->arena, nh_quad, m->parameters + 1);
    s->q = NH_NEW(&s->arena, nh_quad, m->n + 1);
    s->v = NH_NEW(&s->arena, nh_quad, m->n + 1);
    if (s->arena.failed)
        return nh_fail(error, NH_MEMORY, "out of memory");
    s->start = (nh_start){.parameter = s->parameter, .parameters = m->parameters, .q = s->q, .v = s->v};
    nh_status status = read_step(s, options, error);
    if (status == NH_OK && options->start)
        status = nh_model_value(m, options->start, "--from-time", &s->start.t, error);
    return status == NH_OK ? check_time(s, error) : status;
}

nh_status nh_sim_read_data(nh_sim *s, bool may_move, nh_error *error)
{
    nh_status status = nh_model_initial(s->model, s->parameter, s->q, s->v, NULL, error);
    return status == NH_OK ? make_consistent(s, may_move, error) : status;
}

/* h is rounded, and so may be the quotient of what was meant to be an integer. */
static nh_quad whole_steps(nh_quad length, nh_quad h)
{
    const nh_quad slack = NH_QUAD_IS_FLOAT128 ? (nh_quad)1e-28 : (nh_quad)1e-15;
    return length / h * (1 + slack);
}

nh_status nh_sim_steps_until(const nh_sim *sim, const char *until, long long *steps, nh_error *error)
{
    nh_quad end, step;
    bool has_step, has_until = true;
    *steps = 0;
    nh_status status = until ? nh_model_value(sim->model, until, "--until", &end, error)
                             : nh_model_step_and_until(sim->model, &step, &has_step, &end, &has_until, error);
    if (status != NH_OK)
        return status;
    if (!has_until)
        return nh_fail(error, NH_USAGE, "the model does not say how long to run; use --until or --steps");
    const nh_quad count = whole_steps(end - sim->start.t, sim->start.h);
    if (count < 0)
        return nh_fail(error, NH_VALUE, "from t = %.6g, steps of %.6g do not lead to t = %.6g", (double)sim->start.t,
                       (double)sim->start.h, (double)end);
    if (count > 9e15)
        return nh_fail(error, NH_LIMIT, "%.3g steps are more than can be counted", (double)count);
    *steps = (long long)count;
    return NH_OK;
}
