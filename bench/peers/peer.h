/* SPDX-License-Identifier: MIT */
/* Integrators of others on McLachlan and Perlmutter's particles, m = 3, as an ordinary differential equation: the
 * multiplier is eliminated by differentiating the constraint once. */
#ifndef NH_BENCH_PEER_H
#define NH_BENCH_PEER_H

#include <stdbool.h>

enum { PEER_N = 7, PEER_SIZE = 2 * PEER_N }; /* y = (q, v) */

/* What is looked at after every step, if it is. */
typedef struct peer_audit {
    bool on;
    double energy_at_start, energy_error;
} peer_audit;

void peer_start(double *y, peer_audit *audit);
void peer_look(peer_audit *audit, const double *y);

typedef struct peer {
    const char *name;
    /* From t = 0 to `time` with this absolute and relative tolerance; false if that fails. `seconds`: the loop alone.
     */
    bool (*run)(int choice, double tolerance, double time, peer_audit *audit, double *seconds);
    int choice; /* between methods of one library */
} peer;

/* Lists; a library that the build has not found has none. */
const peer *peers_own(int *count);
const peer *peers_gsl(int *count);
const peer *peers_sundials(int *count);

#endif
