/* SPDX-License-Identifier: MIT */
/* Motions by this library, again and again from the same start, for timing. */
#ifndef NH_BENCH_TRAJECTORY_H
#define NH_BENCH_TRAJECTORY_H

#include "method/stepper.h"

enum { TRAJECTORY_FAMILY = 4 };

/* A model of the catalogue with some of its sizes and parameters. In lanes are members of a family where there is one,
 * again and again: the last setting falls by one from member to member. */
typedef struct subject {
    const char *model;
    struct {
        const char *name;
        int value;
    } set[2];
    int sets;
    bool family;
} subject;

/* McLachlan and Perlmutter's particles, m pairs, member 6 of ten. */
subject subject_particles(int m);

typedef struct trajectory {
    nh_model *model[TRAJECTORY_FAMILY];
    nh_stepper *stepper;
    double *fresh, *batch; /* nh_stepper_at */
    size_t bytes;
    int lanes;
    long steps;
} trajectory;

/* Steps of `time` divided by `steps`. What cannot be made ends the program. */
void trajectory_open(trajectory *t, const subject *of, const char *method, nh_stepper_setting setting, double time,
                     long steps);
/* The same with wishes. */
void trajectory_open_with(trajectory *t, const subject *of, const char *method, nh_stepper_setting setting,
                          const nh_stepper_wishes *wishes, double time, long steps);
/* As trajectory_open; false, and nothing to close, if it cannot be made. */
bool trajectory_try(trajectory *t, const subject *of, const char *method, nh_stepper_setting setting, double time,
                    long steps, nh_error *error);
void trajectory_close(trajectory *t);
/* The same motion in other steps. */
void trajectory_restart(trajectory *t, double time, long steps);
/* How simulations compile a method: stages in lanes from three on. */
nh_stepper_setting trajectory_setting(const char *method);

/* All steps from the start, with a look at energy and constraints every `audit` steps; 0: never. */
void trajectory_run(trajectory *t, long audit);
/* The same for a race: context is the trajectory, without audit. */
void trajectory_race(void *context, long repeats);

/* Of all lanes: the largest energy error that an audit has seen; iterations per step; whether all steps were made. */
double trajectory_energy_error(const trajectory *t);
double trajectory_iterations(const trajectory *t);
bool trajectory_arrived(const trajectory *t);
/* Of the first lane, at the end. */
double trajectory_position(const trajectory *t, int i);
double trajectory_build_seconds(const trajectory *t);

#endif
