/* SPDX-License-Identifier: MIT */
/* The time loop. Steps are made in chunks, between which the clock is read, the pulse beats, native code may take over,
 * and observers look. How they are cut changes no result. An observer of every step cuts them into single steps, each
 * of which may take less time than reading the clock: then some are timed for many. */
#include "base/clock.h"
#include "base/status.h"
#include "sim/backend.h"

#include <math.h>

/* Chunks grow while they take less time than the first, and shrink when they take more than the second. */
#define SECONDS_SHORT 0.03
#define SECONDS_LONG  0.1

/* Looks at the clock become rarer, up to a limit, while less time than this is between them, observers included. */
#define SECONDS_BETWEEN 0.001
#define MOST_UNTIMED    1023

/* Members count in doubles. */
#define MOST_STEPS 9000000000000000

typedef struct nh_loop {
    long long first, end, every;
    nh_observer *observer;
    void *user;
    bool stopped;
    bool judges;           /* has the observer read energy or constraints? */
    int pause, left;       /* chunks between two looks at the clock, and to the next */
    long long untimed;     /* steps since the last */
    double looked, pulsed; /* times of the last look and pulse */
} nh_loop;

void nh_sim_set_pulse(nh_sim *sim, nh_observer *pulse, void *user)
{
    sim->pulse = pulse;
    sim->pulse_user = user;
}

/* The steps since the last look are taken to have cost what the `steps` of now have, as far as there was time: these
 * may have been interrupted. */
static void add_time(nh_sim *s, nh_loop *loop, long long steps, double took, double now)
{
    const double share = steps > 0 ? (double)(steps + loop->untimed) / (double)steps : 1;
    s->seconds += fmin(took * share, now - loop->looked);
    s->timed += steps + loop->untimed;
    loop->untimed = 0;
    loop->looked = now;
}

static void advance_timed(nh_sim *s, nh_loop *loop, long long steps)
{
    const long long before = nh_sim_step_count(s);
    const double begin = nh_clock();
    nh_stepper_advance(s->stepper, s->member.data);
    const double end = nh_clock(), took = end - begin, between = end - loop->looked;
    add_time(s, loop, nh_sim_step_count(s) - before, took, end);
    if (took > SECONDS_LONG && s->chunk > 1)
        s->chunk /= 2;
    else if (took < SECONDS_SHORT && steps == s->chunk)
        s->chunk *= 2;
    const int rarer = 2 * loop->pause + 1;
    loop->pause = between > SECONDS_BETWEEN ? loop->pause / 2 : rarer < MOST_UNTIMED ? rarer : MOST_UNTIMED;
    loop->left = loop->pause;
}

/* True: the clock was read. */
static bool advance(nh_sim *s, nh_loop *loop, long long steps)
{
    nh_numbers_set_double(s->member, NH_AT_TARGET, (double)(nh_sim_step_count(s) + steps));
    nh_sim_forget(s);
    if (loop->left == 0) {
        advance_timed(s, loop, steps);
        return true;
    }
    loop->left--;
    loop->untimed += steps;
    nh_stepper_advance(s->stepper, s->member.data);
    return false;
}

static void beat(nh_sim *s, nh_loop *loop)
{
    const bool last = nh_sim_step_count(s) == loop->end;
    if (!s->pulse || (!last && loop->looked - loop->pulsed < SECONDS_SHORT))
        return;
    loop->pulsed = loop->looked;
    loop->stopped = s->pulse(s, s->pulse_user) != 0;
}

static void make_step(nh_sim *s)
{
    nh_numbers_set_double(s->member, NH_AT_TARGET, (double)(nh_sim_step_count(s) + 1));
    nh_sim_forget(s);
    nh_stepper_advance(s->stepper, s->member.data);
}

void nh_sim_go_back(nh_sim *s)
{
    const long long found = nh_sim_step_count(s);
    nh_sim_take(s, s->kept);
    for (long long step = nh_sim_step_count(s); step < found && nh_sim_finite(s); step++) {
        make_step(s);
        if (nh_sim_good(s))
            nh_sim_keep(s);
    }
    nh_sim_take(s, s->kept);
}

/* Can the run go on from here? `shown`: somebody reads energy and constraints of this state. Where nobody does they may
 * have any value, but what is kept is good. `keep`: now and then. */
static nh_status check_state(nh_sim *s, bool shown, bool keep, nh_error *error)
{
    const bool failed = nh_numbers_double(s->member, NH_AT_STATUS) != 0, moves = !failed && nh_sim_finite(s);
    if (moves && !shown && !keep)
        return NH_OK;
    const bool good = nh_sim_good(s);
    if (good)
        nh_sim_keep(s);
    if (good && failed)
        return nh_sim_failed_step(s, error);
    if (good || (moves && !shown))
        return NH_OK;
    nh_sim_go_back(s);
    return nh_sim_not_finite(s, error);
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
        const bool looked = advance(s, loop, steps);
        todo -= steps;
        const bool shown = todo == 0 && (loop->judges || nh_sim_step_count(s) == loop->end);
        const nh_status status = check_state(s, shown, looked, error);
        if (status != NH_OK)
            return status;
        if (looked)
            nh_sim_reconsider(s, loop->end - nh_sim_step_count(s));
        if (looked || nh_sim_step_count(s) == loop->end)
            beat(s, loop);
    }
    return loop->stopped ? check_state(s, true, true, error) : NH_OK;
}

static void observe(nh_sim *s, nh_loop *loop)
{
    s->seen = nh_sim_step_count(s);
    if (!loop->judges)
        nh_sim_forget(s); /* what is read from here on, the observer has read */
    if (loop->observer && loop->observer(s, loop->user) != 0)
        loop->stopped = true;
    loop->judges |= s->fresh[NH_SIM_ENERGY] || s->fresh[NH_SIM_CONSTRAINT];
}

/* Where a run begins it is observed; where one goes on that was saved, only if that has not been done. */
static void begin(nh_sim *s, nh_loop *loop)
{
    const long long step = nh_sim_step_count(s);
    const bool due = loop->every > 0 && (step - s->first) % loop->every == 0;
    if (!s->resumed)
        s->first = step;
    if (!s->resumed || (s->seen < step && due))
        observe(s, loop);
    loop->first = s->first;
    s->resumed = false;
}

nh_status nh_sim_run(nh_sim *sim, long long steps, long long every, nh_observer *observer, void *user, nh_error *error)
{
    if (steps < 0 || every < 0)
        return nh_fail(error, NH_USAGE, "a run has 0 steps or more, and so has what is observed");
    if (steps > MOST_STEPS - nh_sim_step_count(sim))
        return nh_fail(error, NH_LIMIT, "%lld steps are more than can be counted", steps);
    nh_loop loop = {.end = nh_sim_step_count(sim) + steps, .every = every, .observer = observer, .user = user};
    loop.looked = loop.pulsed = nh_clock();
    nh_sim_keep(sim);
    nh_status status = check_state(sim, false, true, error);
    begin(sim, &loop);
    while (status == NH_OK && !loop.stopped && nh_sim_step_count(sim) < loop.end) {
        status = go_on(sim, &loop, error);
        if (nh_sim_step_count(sim) > sim->seen)
            observe(sim, &loop);
    }
    if (status == NH_OK)
        status = check_state(sim, true, true, error); /* its energy and constraints will be in the audit */
    if (sim->timed > 0)
        add_time(sim, &loop, 0, sim->seconds * (double)loop.untimed / (double)sim->timed, nh_clock());
    if (sim->seen < nh_sim_step_count(sim)) /* saved at the end, before that was observed */
        observe(sim, &loop);
    nh_sim_look(sim);
    return status;
}
