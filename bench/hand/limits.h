/* SPDX-License-Identifier: MIT */
/* Motions of McLachlan and Perlmutter's particles by hand-written code: the limits of what a step can cost. */
#ifndef NH_BENCH_LIMITS_H
#define NH_BENCH_LIMITS_H

enum { HAND_N = 7, HAND_LANES = 4, HAND_REGISTERS = 2, HAND_MEMBERS = HAND_LANES * HAND_REGISTERS };

typedef struct hand_run {
    double h;
    long steps;
    double tolerance; /* of gauss_4 and gauss_8: what is left of the velocities when they stop */
    int audit;        /* not 0: look at the energy after every step */
    double q[HAND_MEMBERS][HAND_N], v[HAND_MEMBERS][HAND_N]; /* where it starts; one trajectory uses the first */
    double iterations;                                       /* results: of all steps; largest error of the energy */
    double energy_error;
} hand_run;

/* Entries of limits.c: gauss_4, gauss_8 (stages in lanes), gauss_4_lanes, gauss_8_lanes (four trajectories), mp_linear,
 * mp_newton, mp_newton_any (one trajectory), mp_linear_lanes (four), mp_linear_pair (eight, two registers). */
typedef void hand_motion(hand_run *run);

#endif
