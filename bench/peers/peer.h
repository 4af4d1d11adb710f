/* SPDX-License-Identifier: MIT */
/* Integrators of others on nonholonomic systems as ordinary differential equations: the multiplier is eliminated by
 * differentiating the constraint once. */
#ifndef NH_BENCH_PEER_H
#define NH_BENCH_PEER_H

#include <stdbool.h>

enum { PEER_N = 7, PEER_SIZE = 2 * PEER_N }; /* most coordinates; y = (q, v) */

typedef enum peer_problem_number {
    PEER_PARTICLES,
    PEER_PARTICLE,
    PEER_CONTACT,
    PEER_SLEIGH,
    PEER_PROBLEMS
} peer_number;

typedef struct peer_problem {
    int n;
    double start[PEER_SIZE];
    int (*rates)(double t, const double *y, double *rate, void *unused); /* 0 */
    double (*energy)(const double *y);                                   /* NULL: nobody asks */
} peer_problem;

extern const peer_problem peer_problems[PEER_PROBLEMS];

typedef struct peer_run {
    peer_number problem;
    double tolerance, time; /* absolute and relative; from t = 0 */
    bool look;              /* at the energy after every step */
    double y[PEER_SIZE];    /* the state: where it starts, then where it ends */
    double energy_at_start, energy_error;
    double seconds; /* of the loop alone */
} peer_run;

void peer_start(peer_run *run);
void peer_look(peer_run *run, const double *y);

typedef struct peer {
    const char *name;
    bool (*run)(int choice, peer_run *run); /* false if that fails */
    int choice;                             /* between methods of one library */
    unsigned problems;                      /* bits of those that it can do */
} peer;

enum { PEER_ALL = (1 << PEER_PROBLEMS) - 1 };

/* Lists; a library that the build has not found has none. */
const peer *peers_own(int *count);
const peer *peers_gsl(int *count);
const peer *peers_sundials(int *count);

bool peer_taylor(int choice, peer_run *run);

#endif
