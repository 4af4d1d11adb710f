/* SPDX-License-Identifier: MIT */
/* Time to an energy error: McLachlan and Perlmutter's particles, m = 3, by Gauss methods of this library and by
 * integrators of others (peers/). Every method runs over a sweep of step sizes or tolerances; the fastest run that
 * meets the target counts, lucky or not, for all alike. Energy is looked at in runs that are not timed. */
#include "clock.h"
#include "peers/peer.h"
#include "trajectory.h"

#include <math.h>
#include <stdio.h>

enum { SWEEP = 32, PLAYERS = 16, ROUNDS = 100, TARGETS = 2 };
#define ENOUGH 0.3 /* seconds for the repeats of a run */
static const double target[TARGETS] = {1e-9, 1e-12};

/* One method: a peer, or ours. */
typedef struct player {
    char name[40];
    const peer *peer;
    trajectory ours;
    double first, ratio, last;                        /* step sizes or tolerances */
    double size[SWEEP], error[SWEEP], seconds[SWEEP]; /* of the runs made */
    int runs;
} player;

static int add_peers(player *list, int count, const peer *peers, int number)
{
    for (int i = 0; i < number; i++, count++) {
        list[count] = (player){.peer = &peers[i], .first = 1e-5, .ratio = sqrt(0.1), .last = 1e-15};
        snprintf(list[count].name, sizeof list[count].name, "%s", peers[i].name);
    }
    return count;
}

static int add_ours(player *list, int count)
{
    static const struct {
        const char *method;
        double first, last;
    } way[] = {{"gauss(s=4)", 0.4, 0.02}, {"gauss(s=6)", 0.7, 0.05}, {"gauss(s=8)", 1, 0.1}};
    for (size_t i = 0; i < sizeof way / sizeof *way; i++, count++) {
        list[count] = (player){.first = way[i].first, .ratio = sqrt(sqrt(0.5)), .last = way[i].last};
        snprintf(list[count].name, sizeof list[count].name, "nonholo %s", way[i].method);
        trajectory_open(&list[count].ours, 3, 6, way[i].method, NH_COMPILED_STAGES, 100, 250);
    }
    return count;
}

/* Infinite where the run fails. */
static double error_of(player *p, double size, double time)
{
    double seconds;
    peer_audit audit = {.on = true};
    if (p->peer)
        return p->peer->run(p->peer->choice, size, time, &audit, &seconds) ? audit.energy_error : INFINITY;
    trajectory_restart(&p->ours, time, lround(ceil(time / size)));
    trajectory_run(&p->ours, 1);
    return trajectory_arrived(&p->ours) ? trajectory_energy_error(&p->ours) : INFINITY;
}

static double seconds_of(player *p, double size, double time)
{
    double seconds = INFINITY;
    peer_audit audit = {.on = false};
    if (p->peer) {
        p->peer->run(p->peer->choice, size, time, &audit, &seconds);
        return seconds;
    }
    trajectory_restart(&p->ours, time, lround(ceil(time / size)));
    const double begin = clock_seconds();
    trajectory_run(&p->ours, 0);
    return clock_seconds() - begin;
}

/* From coarse to fine, until the hardest target has been met three times. */
static void sweep(player *p, double time)
{
    int met = 0;
    p->runs = 0;
    for (double size = p->first; size > 0.99 * p->last && p->runs < SWEEP && met < 3; size *= p->ratio) {
        const double error = error_of(p, size, time);
        met += error <= target[TARGETS - 1];
        if (error > target[0])
            continue;
        p->size[p->runs] = size;
        p->error[p->runs] = error;
        p->seconds[p->runs++] = INFINITY;
    }
}

/* In turns; slow runs are repeated less, but once at least. */
static void time_all(player *list, int count, double time)
{
    for (int round = 0; round < ROUNDS; round++)
        for (int k = 0; k < count; k++)
            for (int i = 0; i < list[k].runs; i++)
                if (round < 2 || round * list[k].seconds[i] < ENOUGH)
                    list[k].seconds[i] = fmin(list[k].seconds[i], seconds_of(&list[k], list[k].size[i], time));
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

static double best_of_ours(const player *list, int count, double goal)
{
    double seconds = INFINITY;
    for (int k = 0; k < count; k++) {
        const int i = list[k].peer ? -1 : fastest(&list[k], goal);
        if (i >= 0)
            seconds = fmin(seconds, list[k].seconds[i]);
    }
    return seconds;
}

static void print_cell(const player *p, double goal, double unit)
{
    const int i = fastest(p, goal);
    if (i < 0)
        printf(" - | - |");
    else
        printf(" %.0f (%.2f) | %.1e, %.1e |", 1e6 * p->seconds[i], p->seconds[i] / unit, p->size[i], p->error[i]);
}

static void table(player *list, int count, double time)
{
    for (int k = 0; k < count; k++)
        sweep(&list[k], time);
    time_all(list, count, time);
    printf("\nT = %g: us (ratio to the fastest of ours) to a largest energy error, step size or tolerance and error of "
           "that run\n\n| |",
           time);
    for (int j = 0; j < TARGETS; j++)
        printf(" to %.0e | with |", target[j]);
    printf("\n| --- | ---: | ---: | ---: | ---: |\n");
    for (int k = 0; k < count; k++) {
        printf("| %s |", list[k].name);
        for (int j = 0; j < TARGETS; j++)
            print_cell(&list[k], target[j], best_of_ours(list, count, target[j]));
        printf("\n");
    }
}

int main(void)
{
    static player list[PLAYERS];
    int own, gsl, sundials;
    const peer *by_us = peers_own(&own), *by_gsl = peers_gsl(&gsl), *by_sundials = peers_sundials(&sundials);
    if (!gsl)
        printf("note: GSL was not found (Debian: libgsl-dev)\n");
    if (!sundials)
        printf("note: SUNDIALS was not found (Debian: libsundials-dev)\n");
    int count = add_ours(list, 0);
    count = add_peers(list, count, by_us, own);
    count = add_peers(list, count, by_gsl, gsl);
    count = add_peers(list, count, by_sundials, sundials);
    table(list, count, 100);
    table(list, count, 1000);
    for (int k = 0; k < count; k++)
        if (!list[k].peer)
            trajectory_close(&list[k].ours);
    return 0;
}
