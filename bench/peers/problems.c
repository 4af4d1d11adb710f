/* SPDX-License-Identifier: MIT */
#include "peers/equations.h"

#include <string.h>

/* Each as libraries call it. */
#define CALLED(name)                                                                                                   \
    static int call_##name(double t, const double *y, double *rate, void *unused)                                      \
    {                                                                                                                  \
        (void)t;                                                                                                       \
        (void)unused;                                                                                                  \
        name##_rates(y, rate);                                                                                         \
        return 0;                                                                                                      \
    }
CALLED(particles)
CALLED(particle)
CALLED(contact)
CALLED(sleigh)

static double particles_energy(const double *y)
{
    const double *q = y, *v = y + 7;
    double e = q[4] * q[4] * q[5] * q[5];
    for (int i = 0; i < 7; i++)
        e += v[i] * v[i] + q[i] * q[i];
    for (int i = 1; i <= 3; i++)
        e += q[i] * q[i] * q[i + 3] * q[i + 3];
    return e / 2;
}

#define ROOT_3_4 0.86602540378443864676 /* sqrt(3/4) */
/* Of orbit k = 7: z = 3 sqrt(2)/10, x^2 + z^2 = 2. */
#define CONTACT_X 1.34907375632320414656
#define CONTACT_Z 0.42426406871192851464

const peer_problem peer_problems[PEER_PROBLEMS] = {
    [PEER_PARTICLES] = {7, {0.5, 0.6, 0.4, 0.2, 1, 1, 1, 0, ROOT_3_4}, call_particles, particles_energy},
    [PEER_PARTICLE] = {3, {1, 0, 0, 0, 1, 0}, call_particle, NULL},
    [PEER_CONTACT] = {3, {CONTACT_X, 1, CONTACT_Z, 0, 0, 0}, call_contact, NULL},
    [PEER_SLEIGH] = {3, {1, 0, 0.2, 0, 0, 0}, call_sleigh, NULL},
};

void peer_start(peer_run *run)
{
    const peer_problem *p = &peer_problems[run->problem];
    memcpy(run->y, p->start, sizeof run->y);
    run->energy_at_start = run->look ? p->energy(run->y) : 0;
    run->energy_error = 0;
}

void peer_look(peer_run *run, const double *y)
{
    if (run->look)
        run->energy_error = fmax(run->energy_error, fabs(peer_problems[run->problem].energy(y) - run->energy_at_start));
}
