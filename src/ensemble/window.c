/* SPDX-License-Identifier: MIT */
/* A window of time: workers take groups of members through it, then statistics of its outputs. */
#define _POSIX_C_SOURCE 200809L /* sched.h in C17 */

#include "base/status.h"
#include "ensemble/ensemble.h"
#include "ensemble/statistics.h"

#include <math.h>
#include <sched.h>
#include <string.h>

/* Numbers in a window, and outputs, at most: some megabytes. */
enum { MOST_NUMBERS = 4 << 20, MOST_OUTPUTS = 4096 };

static const nh_sim_field fields[] = {NH_SIM_ENERGY_ERROR, NH_SIM_RESIDUAL, NH_SIM_OBSERVABLE, NH_SIM_INVARIANT};
enum { FIELDS = sizeof fields / sizeof fields[0] };

nh_status nh_window_new(nh_ensemble *e, nh_error *error)
{
    nh_window *w = &e->window;
    for (int f = 0; f < FIELDS; f++)
        e->quantities += nh_sim_size(e->reader, fields[f]);
    e->quantity = NH_NEW(&e->arena, const char *, e->quantities);
    for (int f = 0, k = 0; e->quantity && f < FIELDS; f++)
        for (int i = 0; i < nh_sim_size(e->reader, fields[f]); i++)
            e->quantity[k++] = nh_sim_name(e->reader, fields[f], i);
    const long long numbers = (long long)e->quantities * e->plan.members;
    const long long room = MOST_NUMBERS / numbers;
    w->room = room < 1 ? 1 : room > MOST_OUTPUTS ? MOST_OUTPUTS : (int)room;
    w->value = NH_NEW(&e->arena, double, (size_t)w->room *(size_t)numbers);
    w->statistics = NH_NEW(&e->arena, nh_statistics, w->room * e->quantities);
    w->passed = NH_NEW(&e->arena, atomic_int, e->plan.members);
    return e->arena.failed ? nh_fail(error, NH_MEMORY, "out of memory") : NH_OK;
}

/* ---- Members to and from lanes ---- */

static void *ahead_row(const nh_ensemble *e, long long member)
{
    return e->ahead + (size_t)member * e->bytes;
}

static void load_lane(const nh_ensemble *e, const nh_worker *w, int lane, long long member)
{
    const void *from = e->is_ahead[member] ? ahead_row(e, member) : nh_ensemble_row(e, member);
    if (e->reader->member.quad)
        memcpy(w->batch, from, e->bytes);
    else
        nh_stepper_put(w->stepper, from, w->batch, lane);
}

static void store_lane(const nh_ensemble *e, const nh_worker *w, int lane, long long member)
{
    if (e->reader->member.quad)
        memcpy(nh_ensemble_row(e, member), w->batch, e->bytes);
    else
        nh_stepper_take(w->stepper, w->batch, lane, nh_ensemble_row(e, member));
}

static void set_number(const nh_ensemble *e, const nh_worker *w, int lane, int place, nh_quad value)
{
    const nh_numbers batch = {w->batch, e->reader->member.quad};
    nh_numbers_set(batch, (int)nh_stepper_at(w->stepper, lane, place), value);
}

/* Lanes that are left over have a member that has arrived. */
static void load(const nh_ensemble *e, const nh_worker *w, long long first, int count)
{
    for (int lane = 0; lane < nh_stepper_lanes(w->stepper); lane++) {
        load_lane(e, w, lane, first + (lane < count ? lane : 0));
        if (lane >= count)
            set_number(e, w, lane, NH_AT_TARGET, 0);
    }
}

static void advance(const nh_ensemble *e, const nh_worker *w, int count, long long target)
{
    for (int lane = 0; lane < count; lane++)
        set_number(e, w, lane, NH_AT_TARGET, (nh_quad)target);
    nh_stepper_advance(w->stepper, w->batch);
}

/* ---- Looking at them ---- */

static void write_values(const nh_ensemble *e, const nh_sim *sim, long long member, int output)
{
    double *to = e->window.value + (size_t)output * (size_t)e->quantities * (size_t)e->plan.members + member;
    for (int f = 0; f < FIELDS; f++)
        for (int i = 0; i < nh_sim_size(e->reader, fields[f]); i++, to += e->plan.members)
            *to = sim ? (double)nh_sim_read(sim, fields[f])[i] : (double)NAN;
}

/* It rests from here on, in this lane and in later ones. */
static void fail(nh_ensemble *e, const nh_worker *w, int lane, long long member, nh_fate fate)
{
    e->fate[member] = (unsigned char)fate;
    set_number(e, w, lane, NH_AT_STATUS, NH_STATUS_FAILED);
    nh_numbers_set((nh_numbers){nh_ensemble_row(e, member), e->reader->member.quad}, NH_AT_STATUS, NH_STATUS_FAILED);
}

/* Out of its lane, and back to its last good state if this one is not good: as the check of a run, so that the result
 * does not depend on how windows are cut. `shown`: at an output. */
static void put_back(nh_ensemble *e, const nh_worker *w, int lane, long long member, bool shown)
{
    nh_sim *sim = w->sim;
    void *row = nh_ensemble_row(e, member);
    if (e->fate[member] != NH_FATE_GOOD)
        return;
    memcpy(sim->kept, row, e->bytes);
    store_lane(e, w, lane, member);
    nh_sim_take(sim, row);
    const bool good = nh_sim_good(sim), failed = nh_numbers_double(sim->member, NH_AT_STATUS) != NH_STATUS_GOOD;
    e->is_ahead[member] = !good && !shown && !failed && nh_sim_finite(sim);
    if (good && failed)
        fail(e, w, lane, member, NH_FATE_NO_STEP);
    if (good)
        return;
    if (e->is_ahead[member]) {
        memcpy(ahead_row(e, member), row, e->bytes);
        memcpy(row, sim->kept, e->bytes);
        return;
    }
    nh_sim_go_back(sim);
    memcpy(row, sim->member.data, e->bytes);
    fail(e, w, lane, member, NH_FATE_NOT_FINITE);
}

/* A part of the window. */
typedef struct stretch {
    int first, end; /* outputs in it */
    long long to;   /* step */
} stretch;

static int outputs_until(const nh_ensemble *e, long long step)
{
    int count = 0;
    while (count < e->window.outputs && e->window.first + count * e->every <= step)
        count++;
    return count;
}

static stretch stretch_of(const nh_ensemble *e, long long part)
{
    const nh_window *w = &e->window;
    const long long from = w->from + (w->to - w->from) * part / w->parts;
    const long long to = w->from + (w->to - w->from) * (part + 1) / w->parts;
    return (stretch){.first = part == 0 ? 0 : outputs_until(e, from), .end = outputs_until(e, to), .to = to};
}

/* As many members as there are lanes, or fewer, through it. */
static void run_batch(nh_ensemble *e, const nh_worker *w, const stretch *part, long long first, int count)
{
    load(e, w, first, count);
    for (int output = part->first; output < part->end; output++) {
        advance(e, w, count, e->window.first + output * e->every);
        for (int lane = 0; lane < count; lane++) {
            put_back(e, w, lane, first + lane, true);
            write_values(e, e->fate[first + lane] == NH_FATE_GOOD ? w->sim : NULL, first + lane, output);
        }
    }
    advance(e, w, count, part->to);
    for (int lane = 0; lane < count; lane++)
        put_back(e, w, lane, first + lane, false);
}

/* ---- Tasks ---- */

/* A batch; but rather lanes without a member than threads without one. */
int nh_window_at_a_time(const nh_ensemble *e)
{
    int members = nh_stepper_lanes(e->worker[0].stepper);
    while (members > NH_FEW_MEMBERS && members * (e->threads - 1LL) >= e->plan.members)
        members /= 2;
    return e->at_a_time > 0 ? e->at_a_time : members;
}

static long long batches_of(const nh_ensemble *e)
{
    const int members = nh_window_at_a_time(e);
    return (e->plan.members + members - 1) / members;
}

/* Batches that are few, and no multiple of the threads, go by turns, each through a part of the window: so that no
 * thread is without one while another has two to go. */
static int parts_of(const nh_ensemble *e)
{
    enum { PARTS = 8, MANY = 8 };
    const long long batches = batches_of(e), steps = e->window.to - e->window.from;
    const bool fair = batches <= e->threads || batches % e->threads == 0 || batches >= (long long)MANY * e->threads;
    return fair || steps < PARTS ? 1 : PARTS;
}

/* Tasks of a part come before those of the next one: what is waited for has begun. */
static void run_task(void *user, int worker, long long task)
{
    nh_ensemble *e = user;
    const nh_worker *w = &e->worker[worker];
    const int members = nh_window_at_a_time(e), lanes = nh_stepper_lanes(w->stepper);
    const long long batch = task % batches_of(e), number = task / batches_of(e), begin = batch * members;
    const long long end = begin + members < e->plan.members ? begin + members : e->plan.members;
    const stretch part = stretch_of(e, number);
    while (atomic_load(&e->window.passed[batch]) < number)
        sched_yield();
    for (long long first = begin; first < end; first += lanes)
        run_batch(e, w, &part, first, end - first < lanes ? (int)(end - first) : lanes);
    atomic_store(&e->window.passed[batch], (int)number + 1);
}

static void reduce(void *user, int worker, long long task)
{
    nh_ensemble *e = user;
    nh_statistics_of(e->window.value + task * e->plan.members, e->plan.members, e->worker[worker].room,
                     &e->window.statistics[task]);
}

void nh_window_run(nh_ensemble *e)
{
    nh_window *w = &e->window;
    w->parts = parts_of(e);
    for (long long i = 0; i < batches_of(e); i++)
        atomic_init(&w->passed[i], 0);
    nh_pool_run(e->pool, run_task, e, batches_of(e) * w->parts);
    nh_pool_run(e->pool, reduce, e, (long long)w->outputs * e->quantities);
    e->step = w->to;
}
