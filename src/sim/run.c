/* SPDX-License-Identifier: MIT */
/* The time loop. Steps are made in chunks, between which the clock is read, the pulse beats, native code may take over,
 * and observers look. How they are cut changes no result. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */

#include "base/status.h"
#include "sim/backend.h"

#include <time.h>

/* Chunks grow while they take less time than the first, and shrink when they take more than the second. */
#define SECONDS_SHORT 0.03
#define SECONDS_LONG  0.1

/* Members count in doubles. */
#define MOST_STEPS 9000000000000000

typedef struct nh_loop {
    long long first, end, every;
    nh_observer *observer;
    void *user;
    bool stopped;
} nh_loop;

double nh_sim_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void nh_sim_set_pulse(nh_sim *sim, nh_observer *pulse, void *user)
{
    sim->pulse = pulse;
    sim->pulse_user = user;
}

static void advance(nh_sim *s, long long steps)
{
    const long long before = nh_sim_step_count(s);
    nh_numbers_set(s->member, NH_AT_TARGET, (nh_quad)(before + steps));
    nh_sim_forget(s);
    const double begin = nh_sim_clock();
    nh_stepper_advance(s->stepper, s->member.data);
    const double took = nh_sim_clock() - begin;
    s->seconds += took;
    s->timed += nh_sim_step_count(s) - before;
    if (took > SECONDS_LONG && s->chunk > 1)
        s->chunk /= 2;
    else if (took < SECONDS_SHORT && steps == s->chunk)
        s->chunk *= 2;
}

static nh_status check_state(const nh_sim *s, nh_error *error)
{
    if (nh_numbers_get(s->member, NH_AT_STATUS) != 0)
        return nh_sim_failed_step(s, error);
    if (!nh_sim_finite(s))
        return nh_fail(error, NH_VALUE,
                       "the motion, its energy or a constraint is no longer finite at step %lld, t = %.9g",
                       nh_sim_step_count(s), (double)nh_sim_time(s));
    return NH_OK;
}

/* To the next call of the observer, or to where the run ends. */
static nh_status go_on(nh_sim *s, nh_loop *loop, nh_error *error)
{
    const long long passed = nh_sim_step_count(s) - loop->first;
    const long long left = loop->end - nh_sim_step_count(s);
    const long long next = loop->every > 0 ? loop->every - passed % loop->every : left;
    long long todo = next < left ? next : left;
    while (todo > 0 && !loop->stopped) {
        const long long steps = todo < s->chunk ? todo : s->chunk;
        advance(s, steps);
        const nh_status status = check_state(s, error);
        if (status != NH_OK)
            return status;
        todo -= steps;
        nh_sim_reconsider(s, loop->end - nh_sim_step_count(s));
        loop->stopped = s->pulse && s->pulse(s, s->pulse_user) != 0;
    }
    return NH_OK;
}

static void observe(const nh_sim *s, nh_loop *loop)
{
    if (loop->observer && loop->observer(s, loop->user) != 0)
        loop->stopped = true;
}

nh_status nh_sim_run(nh_sim *sim, long long steps, long long every, nh_observer *observer, void *user, nh_error *error)
{
    if (steps < 0 || every < 0)
        return nh_fail(error, NH_USAGE, "a run has 0 steps or more, and so has what is observed");
    if (steps > MOST_STEPS - nh_sim_step_count(sim))
        return nh_fail(error, NH_LIMIT, "%lld steps are more than can be counted", steps);
    nh_loop loop = {.first = nh_sim_step_count(sim), .every = every, .observer = observer, .user = user};
    loop.end = loop.first + steps;
    nh_status status = check_state(sim, error);
    long long seen = loop.first;
    observe(sim, &loop);
    while (status == NH_OK && !loop.stopped && nh_sim_step_count(sim) < loop.end) {
        status = go_on(sim, &loop, error);
        if (nh_sim_step_count(sim) > seen)
            observe(sim, &loop);
        seen = nh_sim_step_count(sim);
    }
    nh_sim_look(sim);
    return status == NH_OK ? check_state(sim, error) : status; /* the look may be the first at energy and constraints */
}
