/* SPDX-License-Identifier: MIT */
/* Motions of many of McLachlan and Perlmutter's particles by hand-written code: limits of what a step can cost. */
#ifndef NH_BENCH_HAND_LARGE_H
#define NH_BENCH_HAND_LARGE_H

typedef struct hand_large {
    int m; /* n = 2 m + 1 coordinates: the first, m without and m with a part of the reaction */
    double h;
    long steps;
    const double *q, *v; /* where it starts */
    double *work;        /* HAND_LARGE_WORK(m) numbers, at an address that is a multiple of 32 bytes */
    double iterations;   /* of all steps; result */
    double q_sum;        /* of all coordinates at the end; result, so that nothing is left out */
} hand_large;

#define HAND_LARGE_WORK(m) (24L * (m) + 64)

/* Entries of large.c: large_mp, large_gauss_4. */
typedef void hand_large_motion(hand_large *run);

#endif
