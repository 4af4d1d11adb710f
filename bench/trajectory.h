/* SPDX-License-Identifier: MIT */
/* Motions of McLachlan and Perlmutter's particles by this library, again and again from the same start, for timing. */
#ifndef NH_BENCH_TRAJECTORY_H
#define NH_BENCH_TRAJECTORY_H

#include "method/stepper.h"

enum { TRAJECTORY_LANES = 4 };

typedef struct trajectory {
    nh_model *model[TRAJECTORY_LANES];
    nh_stepper *stepper;
    double *fresh, *batch; /* [place][lane] */
    size_t bytes;
    int lanes;
    long steps;
} trajectory;

/* m pairs of particles, member j of ten; in lanes the members j, j - 1, j - 2, j - 3. Steps of `time` divided by
 * `steps`. What cannot be made ends the program. */
void trajectory_open(trajectory *t, int m, int j, const char *method, nh_stepper_setting setting, double time,
                     long steps);
void trajectory_close(trajectory *t);
/* The same motion in other steps. */
void trajectory_restart(trajectory *t, double time, long steps);

/* All steps from the start, with a look at energy and constraints every `audit` steps; 0: never. */
void trajectory_run(trajectory *t, long audit);
/* The same for a race: context is the trajectory, without audit. */
void trajectory_race(void *context, long repeats);

/* Of all lanes: the largest energy error that an audit has seen; iterations per step; whether all steps were made. */
double trajectory_energy_error(const trajectory *t);
double trajectory_iterations(const trajectory *t);
bool trajectory_arrived(const trajectory *t);
double trajectory_build_seconds(const trajectory *t);

#endif
