/* SPDX-License-Identifier: MIT */
/* Time to an accuracy: methods of this library and integrators of others (peers/) run over sweeps of step sizes and
 * tolerances; the fastest run that meets a target counts, lucky or not, for all alike. Errors are measured in runs that
 * are not timed. */
#ifndef NH_BENCH_SWEEP_H
#define NH_BENCH_SWEEP_H

#include "peers/peer.h"
#include "tables.h"
#include "trajectory.h"

enum { SWEEP_TARGETS = 3 };

typedef struct contest {
    const char *title;
    subject subject;     /* for our methods */
    peer_number problem; /* the same for the others */
    double time;
    const double *reference;   /* positions at the end; NULL: the largest error of the energy on the way is judged */
    double aim[SWEEP_TARGETS]; /* how much faster than the best of the others, to 1e-6, 1e-9, 1e-12 */
} contest;

/* Two tables: everybody's times, and our best against theirs. */
void sweep_contest(const bench *b, const char *table, const contest *c);

#endif
