/* SPDX-License-Identifier: MIT */
/* Making an ensemble, and reading it. */
#include "ensemble/ensemble.h"

#include "base/status.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST_THREADS = 1024 };

nh_ensemble_options nh_ensemble_options_default(void)
{
    return (nh_ensemble_options){.sim = nh_sim_options_default(), .seed = 1};
}

static nh_status read_numbers(nh_ensemble *e, const nh_ensemble_options *o, nh_error *error)
{
    if (o->threads < 0 || o->threads > MOST_THREADS)
        return nh_fail(error, NH_USAGE, "%d threads are not possible: 1 to %d are", o->threads, (int)MOST_THREADS);
    if (o->at_a_time != 0 && o->at_a_time != 1 && o->at_a_time != 4 && o->at_a_time != 8)
        return nh_fail(error, NH_USAGE, "%d members at a time are not possible: 1, 4 or 8 are", o->at_a_time);
    e->threads = o->threads > 0 ? o->threads : 1;
    e->options = o->sim;
    return NH_OK;
}

/* Quad precision has no lanes, and one member needs none. */
static void choose_lanes(nh_ensemble *e, int wanted)
{
    e->at_a_time = e->reader->member.quad || e->plan.members == 1 ? 1 : wanted;
    const int least = e->at_a_time > 0 ? e->at_a_time : NH_FEW_MEMBERS;
    const long long groups = (e->plan.members + least - 1) / least;
    if (e->threads > groups)
        e->threads = (int)groups;
}

static nh_status take_memory(nh_ensemble *e, nh_error *error)
{
    const size_t members = (size_t)e->plan.members;
    e->size = nh_stepper_size(e->reader->stepper);
    e->bytes = (size_t)e->size * (e->reader->member.quad ? sizeof(nh_quad) : sizeof(double));
    e->store = nh_arena_array(&e->arena, members, e->bytes);
    e->ahead = nh_arena_array(&e->arena, members, e->bytes); /* of which no page is touched unless one is ahead */
    e->is_ahead = NH_NEW(&e->arena, bool, members);
    e->fate = NH_NEW(&e->arena, unsigned char, members);
    e->reason = NH_NEW(&e->arena, char *, members);
    return e->arena.failed
               ? nh_fail(error, NH_MEMORY, "out of memory: %lld members of %zu bytes", e->plan.members, e->bytes)
               : NH_OK;
}

/* Step and start are one for all members. */
static nh_status check_times(const nh_ensemble *e, nh_error *error)
{
    const nh_sim_options *o = &e->options;
    const nh_model *m = e->model;
    nh_quad value;
    nh_status status = o->step   ? nh_plan_value(&e->plan, m, "--step", o->step, &value, error)
                       : m->step ? nh_plan_check_common(&e->plan, m, "step", m->step, "--step", error)
                                 : NH_OK;
    if (status == NH_OK && o->start)
        status = nh_plan_value(&e->plan, m, "--from-time", o->start, &value, error);
    return status;
}

static nh_status set_up(nh_ensemble *e, const nh_ensemble_options *options, nh_error *error)
{
    nh_status status = read_numbers(e, options, error);
    if (status == NH_OK)
        status = nh_sim_new_empty(e->model, &e->options, &e->reader, error);
    if (status == NH_OK)
        status = nh_plan_read(&e->plan, e->model, options, &e->arena, error);
    if (status == NH_OK)
        status = check_times(e, error);
    if (status != NH_OK)
        return status;
    choose_lanes(e, options->at_a_time);
    status = take_memory(e, error);
    if (status == NH_OK)
        status = nh_window_new(e, error);
    if (status == NH_OK)
        status = nh_ensemble_staff(e, error);
    return status == NH_OK ? nh_ensemble_start(e, error) : status;
}

nh_status nh_ensemble_new(const nh_model *model, const nh_ensemble_options *options, nh_ensemble **out, nh_error *error)
{
    *out = NULL;
    nh_ensemble *e = calloc(1, sizeof *e);
    if (!e)
        return nh_fail(error, NH_MEMORY, "out of memory");
    e->model = model;
    e->seen = e->shown = -1;
    e->chunk = 1;
    nh_status status = set_up(e, options, error);
    if (status == NH_OK)
        *out = e;
    else
        nh_ensemble_free(e);
    return status;
}

void nh_ensemble_free(nh_ensemble *e)
{
    if (!e)
        return;
    nh_ensemble_dismiss(e);
    nh_ensemble_forget_guide(e);
    for (long long k = 0; e->reason && k < e->plan.members; k++)
        free(e->reason[k]);
    nh_sim_free(e->reader);
    nh_arena_free(&e->arena);
    free(e);
}

/* ---- Reading ---- */

nh_status nh_ensemble_steps_until(const nh_ensemble *e, const char *until, long long *steps, nh_error *error)
{
    const nh_model *m = e->model;
    nh_quad end;
    nh_status status = until      ? nh_plan_value(&e->plan, m, "--until", until, &end, error)
                       : m->until ? nh_plan_check_common(&e->plan, m, "until", m->until, "--until or --steps", error)
                                  : NH_OK;
    return status == NH_OK ? nh_sim_steps_until(e->reader, until, steps, error) : status;
}

int nh_ensemble_quantities(const nh_ensemble *e)
{
    return e->quantities;
}

static bool has(const nh_ensemble *e, int quantity)
{
    return quantity >= 0 && quantity < e->quantities;
}

const char *nh_ensemble_quantity(const nh_ensemble *e, int quantity)
{
    return has(e, quantity) ? e->quantity[quantity] : NULL;
}

const nh_statistics *nh_ensemble_statistics(const nh_ensemble *e, int quantity)
{
    return has(e, quantity) ? &e->window.statistics[e->shown_at * e->quantities + quantity] : NULL;
}

const double *nh_ensemble_values(const nh_ensemble *e, int quantity)
{
    return has(e, quantity) ? e->window.value + (e->shown_at * e->quantities + quantity) * e->plan.members : NULL;
}

long long nh_ensemble_steps(const nh_ensemble *e)
{
    return e->step;
}

long long nh_ensemble_step(const nh_ensemble *e)
{
    return e->shown < 0 ? e->step : e->shown;
}

double nh_ensemble_time_of(const nh_ensemble *e, long long step)
{
    const nh_start *start = &e->reader->start;
    if (e->reader->member.quad)
        return (double)(start->t + (nh_quad)step * start->h);
    return (double)start->t + (double)step * (double)start->h;
}

double nh_ensemble_time(const nh_ensemble *e)
{
    return nh_ensemble_time_of(e, nh_ensemble_step(e));
}

long long nh_ensemble_members(const nh_ensemble *e)
{
    return e->plan.members;
}

const nh_sim *nh_ensemble_member(nh_ensemble *e, long long member)
{
    if (member < 0 || member >= e->plan.members || e->fate[member] == NH_FATE_NO_START)
        return NULL;
    nh_sim_take(e->reader, nh_ensemble_row(e, member));
    return e->reader;
}

const nh_sim *nh_ensemble_reader(const nh_ensemble *e)
{
    return e->reader;
}

/* ---- Failures ---- */

long long nh_ensemble_failures(const nh_ensemble *e)
{
    long long count = 0;
    for (long long k = 0; k < e->plan.members; k++)
        count += e->fate[k] != NH_FATE_GOOD;
    return count;
}

static void explain(nh_ensemble *e, nh_failure *out)
{
    nh_error why = {0};
    const nh_sim *sim = nh_ensemble_member(e, out->member);
    if (!sim) {
        snprintf(out->reason, sizeof out->reason, "no start: %.480s", e->reason[out->member]);
        return;
    }
    out->step = nh_sim_step_count(sim);
    out->time = (double)nh_sim_time(sim);
    if (e->fate[out->member] == NH_FATE_NO_STEP)
        nh_sim_failed_step(sim, &why);
    else
        nh_sim_not_finite(sim, &why);
    snprintf(out->reason, sizeof out->reason, "%s", why.message);
}

nh_status nh_ensemble_failure(nh_ensemble *e, long long number, nh_failure *out, nh_error *error)
{
    long long count = number;
    for (long long k = 0; k < e->plan.members; k++)
        if (e->fate[k] != NH_FATE_GOOD && count-- == 0) {
            *out = (nh_failure){.member = k};
            explain(e, out);
            return NH_OK;
        }
    return nh_fail(error, NH_USAGE, "there is no failure number %lld", number);
}
