/* SPDX-License-Identifier: MIT */
#include "sweep.h"

#include "clock.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SWEEP = 48, PLAYERS = 32, ROUNDS = 60, QUICK_ROUNDS = 5 };
#define TOLERANCE "…"
#define ENOUGH    0.15 /* seconds for the repeats of a run */
#define SHORT     1e-4 /* seconds of a run that caches matter for */
#define NEAR      1.4  /* runs slower than the fastest by this factor are not repeated */
static const double target[SWEEP_TARGETS] = {1e-6, 1e-9, 1e-12};

/* One method: a peer, or ours. */
typedef struct player {
    const char *name;
    const peer *peer;
    trajectory ours;
    bool controlled;                                  /* ours, with a tolerance */
    double first, ratio, last;                        /* step sizes or tolerances */
    double size[SWEEP], error[SWEEP], seconds[SWEEP]; /* of the runs made */
    int runs;
} player;

/* ---- players ---- */

static int add_peers(player *list, int count, const contest *c, const peer *peers, int number)
{
    for (int i = 0; i < number; i++)
        if (peers[i].problems >> c->problem & 1)
            list[count++] =
                (player){.name = peers[i].name, .peer = &peers[i], .first = 1e-4, .ratio = sqrt(0.1), .last = 1e-16};
    return count;
}

static int add_ours(player *list, int count, const contest *c)
{
    static const struct {
        const char *method; /* TOLERANCE in it: its motion is one step, of which only the end is seen */
        double first, last; /* step sizes, or tolerances */
    } way[] = {{"gauss(s=3)", 0.6, 0.004},
               {"gauss(s=4)", 4, 0.01},
               {"gauss(s=6)", 5, 0.04},
               {"gauss(s=8)", 6, 0.08},
               {"gauss(s=10)", 8, 0.1},
               {"lobatto-ab(s=4)", 0.8, 0.005},
               {"mp", 0.005, 0.0005},
               {"extrapolation(s=4)", 4, 0.02},
               {"extrapolation(s=6)", 7.5, 0.06},
               {"extrapolation(s=7)", 7.5, 0.06},
               {"extrapolation(s=8)", 7.5, 0.08},
               {"extrapolation(s=10)", 10, 0.1},
               {"extrapolation(s=5, rule=mp)", 1.2, 0.03},
               {"extrapolation(s=7, rule=mp)", 2, 0.06},
               {"extrapolation(s=8, rule=mp)", 2.4, 0.08},
               {"extrapolation(s=9, rule=mp)", 2.4, 0.1},
               {"extrapolation(s=7, tol=" TOLERANCE ")", 1e-2, 1e-14},
               {"extrapolation(s=8, tol=" TOLERANCE ")", 1e-2, 1e-14}};
    for (size_t i = 0; i < sizeof way / sizeof *way; i++) {
        player *p = &list[count];
        nh_error error = {0};
        *p = (player){.name = way[i].method, .first = way[i].first, .ratio = sqrt(sqrt(0.5)), .last = way[i].last};
        if (strstr(p->name, TOLERANCE)) {
            p->controlled = true;
            p->ratio = sqrt(0.1);
            count += c->reference != NULL;
        } else {
            /* Not every method fits every model: mp wants a constant mass. */
            count += trajectory_try(&p->ours, &c->subject, way[i].method, trajectory_setting(way[i].method), c->time,
                                    100, &error);
        }
    }
    return count;
}

static int gather(report *r, player *list, const contest *c)
{
    int own, gsl, sundials, count = add_ours(list, 0, c);
    const peer *by_us = peers_own(&own), *by_gsl = peers_gsl(&gsl), *by_sundials = peers_sundials(&sundials);
    if (!gsl)
        report_note(r, "GSL was not found (Debian: libgsl-dev)");
    if (!sundials)
        report_note(r, "SUNDIALS was not found (Debian: libsundials-dev)");
    count = add_peers(list, count, c, by_us, own);
    count = add_peers(list, count, c, by_gsl, gsl);
    return add_peers(list, count, c, by_sundials, sundials);
}

/* ---- runs ---- */

/* The largest component of an error of position, in units of the largest position if that is more than 1. */
static double distance(const contest *c, const double *q)
{
    double error = 0, scale = 1;
    for (int i = 0; i < peer_problems[c->problem].n; i++) {
        error = fmax(error, isfinite(q[i]) ? fabs(q[i] - c->reference[i]) : INFINITY);
        scale = fmax(scale, fabs(c->reference[i]));
    }
    return error / scale;
}

static peer_run peer_with(const contest *c, double tolerance)
{
    return (peer_run){.problem = c->problem, .tolerance = tolerance, .time = c->time};
}

/* The motion with this step size, or in one step that is divided as this tolerance asks for. */
static void set_out(player *p, const contest *c, double size)
{
    char method[64];
    if (!p->controlled) {
        trajectory_restart(&p->ours, c->time, lround(ceil(c->time / size)));
        return;
    }
    snprintf(method, sizeof method, "%.*s%.2g)", (int)(strstr(p->name, TOLERANCE) - p->name), p->name, size);
    trajectory_close(&p->ours);
    trajectory_open(&p->ours, &c->subject, method, trajectory_setting(method), c->time, 1);
    trajectory_run(&p->ours, 0); /* what was just loaded takes longer */
}

static double error_of_ours(player *p, const contest *c, double size)
{
    double q[PEER_N];
    set_out(p, c, size);
    trajectory_run(&p->ours, c->reference ? 0 : 1);
    if (!trajectory_arrived(&p->ours))
        return INFINITY;
    for (int i = 0; i < peer_problems[c->problem].n; i++)
        q[i] = trajectory_position(&p->ours, i);
    return c->reference ? distance(c, q) : trajectory_energy_error(&p->ours);
}

/* Infinite where the run fails. */
static double error_of(player *p, const contest *c, double size)
{
    if (!p->peer)
        return error_of_ours(p, c, size);
    peer_run run = peer_with(c, size);
    run.look = !c->reference;
    if (!p->peer->run(p->peer->choice, &run))
        return INFINITY;
    return c->reference ? distance(c, run.y) : run.energy_error;
}

static double seconds_of(player *p, const contest *c, double size)
{
    if (p->peer) {
        peer_run run = peer_with(c, size);
        return p->peer->run(p->peer->choice, &run) ? run.seconds : INFINITY;
    }
    set_out(p, c, size);
    const double begin = clock_seconds();
    trajectory_run(&p->ours, 0);
    return clock_seconds() - begin;
}

/* From coarse to fine, until the hardest target has been met three times. Runs that meet none are not kept. */
static void sweep(player *p, const contest *c)
{
    int met = 0;
    p->runs = 0;
    for (double size = p->first; size > 0.99 * p->last && p->runs < SWEEP && met < 3; size *= p->ratio) {
        const double error = error_of(p, c, size);
        met += error <= target[SWEEP_TARGETS - 1];
        if (!(error <= target[0]))
            continue;
        p->size[p->runs] = size;
        p->error[p->runs] = error;
        p->seconds[p->runs++] = INFINITY;
    }
}

/* The number of the fastest run that meets a target; -1 if none does. */
static int fastest(const player *p, double goal)
{
    int best = -1;
    for (int i = 0; i < p->runs; i++)
        if (p->error[i] <= goal && (best < 0 || p->seconds[i] < p->seconds[best]))
            best = i;
    return best;
}

static bool may_win(const player *p, int run)
{
    bool may = false;
    for (int j = 0; j < SWEEP_TARGETS; j++) {
        const int best = p->error[run] <= target[j] ? fastest(p, target[j]) : -1;
        may = may || (best >= 0 && p->seconds[run] <= NEAR * p->seconds[best]);
    }
    return may;
}

/* A run that takes microseconds is made a few times in a row, since the first one finds the code of somebody else in
 * the caches. The second best counts: the clock of a process may stand still when it changes its processor. */
static double seconds_in_a_row(player *p, const contest *c, double size)
{
    enum { IN_A_ROW = 5 };
    double best = seconds_of(p, c, size), second = INFINITY;
    if (best > SHORT)
        return best;
    for (int i = 1; i < IN_A_ROW; i++) {
        const double seconds = seconds_of(p, c, size);
        second = fmin(second, fmax(best, seconds));
        best = fmin(best, seconds);
    }
    return second;
}

/* In turns; slow runs are repeated less, but once at least. */
static void time_all(const bench *b, player *list, int count, const contest *c)
{
    const int rounds = b->quick ? QUICK_ROUNDS : ROUNDS;
    for (int round = 0; round < rounds; round++) {
        for (int k = 0; k < count; k++)
            for (int i = 0; i < list[k].runs; i++)
                if (round < 2 || (round * list[k].seconds[i] < ENOUGH && may_win(&list[k], i)))
                    list[k].seconds[i] = fmin(list[k].seconds[i], seconds_in_a_row(&list[k], c, list[k].size[i]));
        report_progress(b->report, count + round + 1, count + rounds);
    }
}

/* ---- tables ---- */

static void print_all(report *r, const player *list, int count)
{
    for (int k = 0; k < count; k++) {
        double least = INFINITY;
        report_text(r, "%s%s", list[k].peer ? "" : "nonholo ", list[k].name);
        for (int j = 0; j < SWEEP_TARGETS; j++) {
            const int i = fastest(&list[k], target[j]);
            report_number(r, "%.0f", i < 0 ? NAN : 1e6 * list[k].seconds[i]);
            if (i < 0)
                report_text(r, "-");
            else
                report_text(r, "%.2g", list[k].size[i]);
        }
        for (int i = 0; i < list[k].runs; i++)
            least = fmin(least, list[k].error[i]);
        report_number(r, "%.0e", least);
    }
}

/* The player who is first at a target, among ours or among the others; NULL if none has got there. */
static const player *first_at(const player *list, int count, bool ours, double goal)
{
    const player *first = NULL;
    for (int k = 0; k < count; k++) {
        const int i = !list[k].peer == ours ? fastest(&list[k], goal) : -1;
        if (i >= 0 && (!first || list[k].seconds[i] < first->seconds[fastest(first, goal)]))
            first = &list[k];
    }
    return first;
}

static double print_first(report *r, const player *p, double goal)
{
    const int i = p ? fastest(p, goal) : -1;
    const double seconds = i < 0 ? NAN : p->seconds[i];
    report_number(r, "%.0f", 1e6 * seconds);
    if (i < 0)
        report_text(r, "none got there");
    else
        report_text(r, p->peer || p->controlled ? "%s, tol %.1e" : "%s, h %.2g", p->name, p->size[i]);
    return seconds;
}

void sweep_contest(const bench *b, const char *table, const contest *c)
{
    static player list[PLAYERS];
    report *r = b->report;
    report_table(r, table, "method|to 1e-6|size, 1e-6|to 1e-9|size, 1e-9|to 1e-12|size, 1e-12|least error",
                 "%s: us, and step size or tolerance of that run", c->title);
    const int count = gather(r, list, c);
    for (int k = 0; k < count; k++) {
        sweep(&list[k], c);
        report_progress(r, k + 1, count + (b->quick ? QUICK_ROUNDS : ROUNDS));
    }
    time_all(b, list, count, c);
    print_all(r, list, count);
    report_table(r, table, "to|ours|our method|best of the others|their method|times faster|aim|verdict", "%s: us",
                 c->title);
    for (int j = 0; j < SWEEP_TARGETS; j++) {
        report_text(r, "%.0e", target[j]);
        const double ours = print_first(r, first_at(list, count, true, target[j]), target[j]);
        const double theirs = print_first(r, first_at(list, count, false, target[j]), target[j]);
        report_verdict(r, theirs / ours, REPORT_AT_LEAST, c->aim[j]);
    }
    for (int k = 0; k < count; k++)
        if (!list[k].peer)
            trajectory_close(&list[k].ours);
}
