/* SPDX-License-Identifier: MIT */
/* Integrators written here: Dormand and Prince's method of order 8 with Hairer's error estimate and step control, and
 * a Taylor series (taylor.c). */
#include "clock.h"
#include "peers/dop853_table.h"
#include "peers/equations.h"

#include <math.h>
#include <string.h>

enum { STAGES = 12 };

/* Inlined, its stores would be read back before they are done: a third slower. */
static __attribute__((noinline)) void particles_called(const double *y, double *rate)
{
    particles_rates(y, rate);
}

#define NAME(x) particles_##x
#define SIZE    14
#define PADDED  16
#define RATES   particles_called
#include "peers/dop853_steps.h"
#undef NAME
#undef SIZE
#undef PADDED
#undef RATES

#define SIZE    6
#define PADDED  8
#define NAME(x) particle_##x
#define RATES   particle_rates
#include "peers/dop853_steps.h"
#undef NAME
#undef RATES
#define NAME(x) contact_##x
#define RATES   contact_rates
#include "peers/dop853_steps.h"
#undef NAME
#undef RATES
#define NAME(x) sleigh_##x
#define RATES   sleigh_rates
#include "peers/dop853_steps.h"

static bool run_dop853(int choice, peer_run *run)
{
    static bool (*const go[PEER_PROBLEMS])(peer_run *) = {
        [PEER_PARTICLES] = particles_go,
        [PEER_PARTICLE] = particle_go,
        [PEER_CONTACT] = contact_go,
        [PEER_SLEIGH] = sleigh_go,
    };
    (void)choice;
    peer_start(run);
    const double begin = clock_seconds();
    const bool good = go[run->problem](run);
    run->seconds = clock_seconds() - begin;
    return good;
}

const peer *peers_own(int *count)
{
    static const peer list[] = {{"DOP853, own port, inlined", run_dop853, 0, PEER_ALL},
                                {"Taylor series, by hand", peer_taylor, 0, 1 << PEER_PARTICLES}};
    *count = sizeof list / sizeof *list;
    return list;
}
