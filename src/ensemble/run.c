/* SPDX-License-Identifier: MIT */
/* The time loop of an ensemble: windows, between which the clock is read and the pulse beats. How they are cut changes
 * no result. */
#include "base/clock.h"
#include "base/status.h"
#include "ensemble/ensemble.h"

/* Windows grow while they take less time than the first, and shrink when they take more than the second. */
#define SECONDS_SHORT 0.1
#define SECONDS_LONG  0.4
#define MOST_STEPS    9000000000000000

void nh_ensemble_set_pulse(nh_ensemble *e, nh_ensemble_observer *pulse, void *user)
{
    e->pulse = pulse;
    e->pulse_user = user;
}

static bool deliver(nh_ensemble *e, nh_ensemble_observer *observer, void *user)
{
    bool stop = false;
    for (int output = 0; output < e->window.outputs && !stop; output++) {
        e->shown_at = output;
        e->shown = e->seen = e->window.first + output * e->every;
        stop = observer && observer(e, user) != 0;
    }
    return stop;
}

/* An output of the present step, without moving. */
static bool look_here(nh_ensemble *e, nh_ensemble_observer *observer, void *user)
{
    e->window.from = e->window.to = e->window.first = e->step;
    e->window.outputs = 1;
    nh_window_run(e);
    return deliver(e, observer, user);
}

/* Statistics of where everything was halted, which is no output: it will be passed again. */
static void show_here(nh_ensemble *e)
{
    const long long seen = e->seen;
    look_here(e, NULL, NULL);
    e->seen = seen;
}

/* From here for a chunk, but not beyond the end, nor further than there is room for outputs. */
static void cut_window(nh_ensemble *e, long long end, bool states)
{
    nh_window *w = &e->window;
    const long long most = states ? 1 : w->room, every = e->every;
    w->from = e->step;
    w->to = end - e->step > e->chunk ? e->step + e->chunk : end;
    w->outputs = 0;
    if (every == 0)
        return;
    w->first = e->step - e->step % every + every;
    if (w->to < w->first)
        return;
    const long long outputs = (w->to - w->first) / every + 1;
    w->outputs = (int)(outputs < most ? outputs : most);
    if (outputs > most || (states && w->to > w->first))
        w->to = w->first + (w->outputs - 1) * every;
}

static void run_window(nh_ensemble *e)
{
    const long long steps = e->window.to - e->window.from;
    const double begin = nh_clock();
    nh_window_run(e);
    const double took = nh_clock() - begin;
    e->seconds += took;
    e->timed += steps;
    if (took > SECONDS_LONG && e->chunk > 1)
        e->chunk /= 2;
    else if (took < SECONDS_SHORT && steps == e->chunk)
        e->chunk *= 2;
}

nh_status nh_ensemble_run(nh_ensemble *e, long long steps, long long every, int states, nh_ensemble_observer *observer,
                          void *user, nh_error *error)
{
    if (steps < e->step || every < 0)
        return nh_fail(error, NH_USAGE, "an ensemble that has made %lld steps cannot go to step %lld, every %lld",
                       e->step, steps, every);
    if (steps > MOST_STEPS)
        return nh_fail(error, NH_LIMIT, "%lld steps are more than can be counted", steps);
    e->every = every;
    bool stop = e->seen < 0 && look_here(e, observer, user), halted = false;
    while (!stop && !halted && e->step < steps) {
        cut_window(e, steps, states != 0);
        run_window(e);
        stop = deliver(e, observer, user);
        nh_ensemble_reconsider(e, steps - e->step);
        halted = e->pulse && e->pulse(e, e->pulse_user) != 0;
    }
    if (halted && !stop)
        show_here(e);
    else if (!stop && e->shown != steps) /* an end between outputs, or one that was reached before a resume */
        look_here(e, e->seen < steps ? observer : NULL, user);
    return NH_OK;
}
