/* SPDX-License-Identifier: MIT */
/* Members at their starts. A member that has none keeps a row of numbers, so that it can lie in a lane, and a reason.
 */
#include "base/hash.h"
#include "base/status.h"
#include "ensemble/ensemble.h"
#include "ensemble/surface.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ATTEMPTS = 1000, TASK = 64 };

/* What a worker needs to make starts, and what has come of them. */
struct nh_starter {
    nh_ensemble *e;
    nh_sim *sim; /* where the data go */
    nh_initial *initial;
    nh_consistency *consistency;
    nh_surface *surface; /* or NULL */
    nh_given *given;
    nh_quad *before; /* q, v before they were moved */
    long long projected, redrawn;
    double moved;
    long long stopped; /* the member at which something else than its data was wrong; or all */
    nh_error why;
};

typedef struct nh_starter starter;

static nh_status make_starter(nh_ensemble *e, nh_sim *sim, starter *s, nh_error *error)
{
    *s = (starter){.e = e, .sim = sim, .stopped = e->plan.members};
    s->given = calloc((size_t)nh_plan_most(&e->plan) + 1, sizeof *s->given);
    s->before = calloc(2 * (size_t)e->model->n + 1, sizeof *s->before);
    if (!s->given || !s->before)
        return nh_fail(error, NH_MEMORY, "out of memory");
    nh_status status = nh_initial_new(e->model, &s->initial, error);
    if (status == NH_OK)
        status = nh_consistency_new(e->model, &s->consistency, error);
    if (status == NH_OK)
        status = nh_consistency_prepare(s->consistency, error);
    if (status == NH_OK && e->plan.on_surface)
        status = nh_surface_new(e->model, s->consistency, &s->surface, error);
    return status;
}

static void free_starter(starter *s)
{
    nh_initial_free(s->initial);
    nh_surface_free(s->surface);
    nh_consistency_free(s->consistency);
    free(s->given);
    free(s->before);
}

/* ---- One member ---- */

static nh_status evaluate(starter *s, long long member, uint32_t attempt, nh_error *error)
{
    nh_sim *sim = s->sim;
    const size_t parameters = (size_t)s->e->model->parameters, n = (size_t)s->e->model->n;
    const nh_quad *values;
    const int count = nh_plan_member(&s->e->plan, member, attempt, s->given);
    nh_status status = nh_initial_at(s->initial, s->given, count, &values, error);
    memcpy(sim->parameter, values, parameters * sizeof *values);
    memcpy(sim->q, values + parameters, n * sizeof *values);
    memcpy(sim->v, values + parameters + n, n * sizeof *values);
    nh_consistency_parameters(s->consistency, sim->parameter);
    return status;
}

static nh_status project(starter *s, double *moved, nh_error *error)
{
    nh_sim *sim = s->sim;
    const int n = s->e->model->n;
    nh_violation is;
    *moved = 0;
    nh_consistency_violation(s->consistency, sim->start.t, sim->q, sim->v, &is);
    if (nh_violation_is_none(&is))
        return NH_OK;
    memcpy(s->before, sim->q, (size_t)n * sizeof *sim->q);
    memcpy(s->before + n, sim->v, (size_t)n * sizeof *sim->v);
    nh_status status = nh_consistency_project(s->consistency, sim->start.t, sim->q, sim->v, error);
    for (int i = 0; i < n; i++)
        *moved =
            fmax(*moved, fmax(fabs((double)(sim->q[i] - s->before[i])), fabs((double)(sim->v[i] - s->before[n + i]))));
    return status;
}

/* Draws all of the member until its position leaves some energy for the velocities. */
static nh_status find_surface(starter *s, long long member, long long *redrawn, nh_error *error)
{
    nh_sim *sim = s->sim;
    const nh_plan *p = &s->e->plan;
    const int attempts = p->randoms > 0 ? MOST_ATTEMPTS : 1;
    bool below = true;
    nh_status status = NH_OK;
    for (int attempt = 0; status == NH_OK && below && attempt < attempts; attempt++) {
        const nh_draw_key key = {p->seed, (uint64_t)member, (uint32_t)attempt, (uint32_t)p->randoms};
        *redrawn = attempt;
        status = evaluate(s, member, (uint32_t)attempt, error);
        if (status == NH_OK)
            status = nh_surface_draw(s->surface, sim->parameter, sim->start.t, p->energy, key, sim->q, sim->v, &below,
                                     error);
    }
    if (status == NH_OK && below)
        status = nh_fail(error, NH_VALUE, "the energy %.9g is below that of every position that was tried (%d)",
                         (double)p->energy, attempts);
    return status;
}

/* Data of a member in the reader. */
static nh_status find_data(starter *s, long long member, double *moved, long long *redrawn, nh_error *error)
{
    *moved = 0;
    *redrawn = 0;
    if (s->surface)
        return find_surface(s, member, redrawn, error);
    nh_status status = evaluate(s, member, 0, error);
    return status == NH_OK ? project(s, moved, error) : status;
}

static nh_status start_one(starter *s, long long member, nh_error *error)
{
    nh_ensemble *e = s->e;
    double moved;
    long long redrawn;
    nh_status status = find_data(s, member, &moved, &redrawn, error);
    s->projected += moved > 0;
    s->redrawn += redrawn;
    s->moved = fmax(s->moved, moved);
    if (status == NH_OK)
        status = nh_consistency_independent(s->consistency, s->sim->start.t, s->sim->q, s->sim->v, error);
    if (status != NH_OK)
        return status;
    nh_sim_restart(s->sim, e->options.audit);
    if (!nh_sim_finite(s->sim))
        return nh_sim_refuse_start(s->sim, error);
    memcpy(nh_ensemble_row(e, member), s->sim->member.data, e->bytes);
    return NH_OK;
}

/* ---- All of them ---- */

/* A member may fail of its data; what else there is stops everything. */
static void note_failure(starter *s, long long member, nh_status status, const nh_error *why)
{
    nh_ensemble *e = s->e;
    const size_t length = strlen(why->message) + 1;
    const bool its_own = status == NH_VALUE || status == NH_MODEL;
    char *reason = its_own ? malloc(length) : NULL;
    e->fate[member] = NH_FATE_NO_START;
    e->reason[member] = reason;
    if (reason)
        memcpy(reason, why->message, length);
    if (reason || member > s->stopped)
        return;
    s->stopped = member;
    s->why = *why;
    if (its_own)
        nh_error_set(&s->why, NH_MEMORY, "out of memory");
}

static void start_some(void *user, int worker, long long task)
{
    starter *s = (starter *)user + worker;
    const long long end = (task + 1) * TASK < s->e->plan.members ? (task + 1) * TASK : s->e->plan.members;
    for (long long k = task * TASK; k < end; k++) {
        nh_error why = {0};
        const nh_status status = start_one(s, k, &why);
        if (status != NH_OK)
            note_failure(s, k, status, &why);
    }
}

/* Whatever stops everything is told of the first member that has met it. */
static nh_status sum_up(nh_ensemble *e, const starter *s, nh_error *error)
{
    const starter *first = s;
    for (int i = 0; i < e->threads; i++) {
        e->projected += s[i].projected;
        e->redrawn += s[i].redrawn;
        e->moved = fmax(e->moved, s[i].moved);
        first = s[i].stopped < first->stopped ? &s[i] : first;
    }
    return first->stopped < e->plan.members ? nh_fail(error, first->why.status, "%s", first->why.message) : NH_OK;
}

static nh_status fill_gaps(nh_ensemble *e, nh_error *error)
{
    long long good = 0;
    while (good < e->plan.members && e->fate[good] != NH_FATE_GOOD)
        good++;
    if (good == e->plan.members)
        return nh_fail(error, NH_MODEL, "no member has a start; the first: %s", e->reason[0]);
    for (long long k = 0; k < e->plan.members; k++)
        if (e->fate[k] == NH_FATE_NO_START) {
            memcpy(nh_ensemble_row(e, k), nh_ensemble_row(e, good), e->bytes);
            nh_numbers_set((nh_numbers){nh_ensemble_row(e, k), e->reader->member.quad}, NH_AT_STATUS, NH_STATUS_FAILED);
        }
    nh_sim_take(e->reader, nh_ensemble_row(e, good));
    return NH_OK;
}

nh_status nh_ensemble_start(nh_ensemble *e, nh_error *error)
{
    starter *s = calloc((size_t)e->threads, sizeof *s);
    nh_status status = s ? NH_OK : nh_fail(error, NH_MEMORY, "out of memory");
    for (int i = 0; status == NH_OK && i < e->threads; i++)
        status = make_starter(e, e->worker[i].sim, &s[i], error);
    if (status == NH_OK) {
        nh_pool_run(e->pool, start_some, s, (e->plan.members + TASK - 1) / TASK);
        status = sum_up(e, s, error);
    }
    if (status == NH_OK)
        status = fill_gaps(e, error);
    for (int i = 0; s && i < e->threads; i++)
        free_starter(&s[i]);
    free(s);
    nh_hash_hex(e->store, (size_t)e->plan.members * e->bytes, e->start_hash);
    return status;
}

/* ---- As options of a run ---- */

static void add_value(nh_text *out, const nh_model *m, int place, nh_quad value)
{
    char digits[64];
    if (value == nh_decimal((double)value))
        nh_double_format(digits, sizeof digits, (double)value);
    else
        nh_quad_format(digits, sizeof digits, value);
    nh_text_add(out, "%s%s \"", out->length ? " " : "", place < m->parameters ? "--set" : "--initial");
    nh_model_place_name(m, place, out);
    nh_text_add(out, "=%s\"", digits);
}

static void add_options(starter *s, long long member, nh_text *out)
{
    const nh_model *m = s->e->model;
    const nh_sim *sim = s->sim;
    double moved;
    long long redrawn;
    nh_error error;
    if (find_data(s, member, &moved, &redrawn, &error) != NH_OK && s->surface)
        return;
    const int count = nh_plan_member(&s->e->plan, member, (uint32_t)redrawn, s->given);
    for (int i = 0; i < count; i++)
        if (!s->surface || s->given[i].place < m->parameters)
            add_value(out, m, s->given[i].place, s->given[i].value);
    for (int i = 0; s->surface && i < 2 * m->n; i++)
        add_value(out, m, m->parameters + i, i < m->n ? sim->q[i] : sim->v[i - m->n]);
    if (moved > 0)
        nh_text_add(out, "%s--project", out->length ? " " : "");
}

void nh_ensemble_add_options(nh_ensemble *e, long long member, nh_text *out)
{
    nh_text text = {0};
    if (!e->guide) {
        e->guide = calloc(1, sizeof *e->guide);
        if (e->guide && make_starter(e, e->reader, e->guide, NULL) != NH_OK)
            nh_ensemble_forget_guide(e);
    }
    if (e->guide && member >= 0 && member < e->plan.members)
        add_options(e->guide, member, &text);
    nh_text_add(out, "%s", nh_text_get(&text));
    nh_text_drop(&text, out);
}

int nh_ensemble_member_options(nh_ensemble *e, long long member, char *buffer, unsigned long size)
{
    nh_text text = {0};
    nh_ensemble_add_options(e, member, &text);
    const int length = snprintf(buffer, size, "%s", nh_text_get(&text));
    nh_text_free(&text);
    return length;
}

void nh_ensemble_forget_guide(nh_ensemble *e)
{
    if (e->guide)
        free_starter(e->guide);
    free(e->guide);
    e->guide = NULL;
}
