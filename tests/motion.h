/* SPDX-License-Identifier: MIT */
/* Motions for tests: a batch of members of one model and one method, in one setting of the kernel. */
#ifndef NH_TESTS_MOTION_H
#define NH_TESTS_MOTION_H

#include "method/stepper.h"

/* Of the catalogue, or a text of several lines, with a size if it has a name. NULL, and a line, if it cannot be read.
 */
nh_model *motion_model(const char *name, const char *size, int value);

/* Where a motion starts, with memory of its own: `start` points into `number`. */
typedef struct origin {
    nh_start start;
    nh_quad *q, *v;
    nh_quad number[];
} origin;

/* As the model says: its parameters, initial data and step (0 if it has none), at time 0. The caller frees it; NULL if
 * the data cannot be evaluated. */
origin *origin_of(const nh_model *m);

typedef struct motion {
    nh_stepper *stepper;
    int n, m, l, s, size, lanes;
    bool quad;
    void *batch;  /* nh_stepper_at */
    void *member; /* room for one */
} motion;

nh_status motion_open(motion *o, const nh_model *m, const char *method, nh_stepper_setting setting,
                      const nh_native_options *native, nh_error *error);
/* The same with wishes. */
nh_status motion_open_with(motion *o, const nh_model *m, const char *method, nh_stepper_setting setting,
                           const nh_stepper_wishes *wishes, const nh_native_options *native, nh_error *error);
void motion_close(motion *o);
/* A fresh start of one lane, audited after every step; its target is the start. */
void motion_start(motion *o, int lane, const nh_start *from);
/* Moves the target of one lane. */
void motion_aim(motion *o, int lane, int steps);
/* Every lane goes to its target; whether all have arrived. */
bool motion_advance(motion *o);
/* One trajectory from its start: `steps` steps, whether it has arrived. */
bool motion_run(motion *o, const nh_start *from, int steps);

/* Largest difference of q and v in lane 0, relative to the largest number of `a`. */
double motion_distance(const motion *a, const motion *b);

nh_quad motion_at(const motion *o, int lane, int place);
/* Of lane 0. */
nh_quad motion_q(const motion *o, int i);
nh_quad motion_v(const motion *o, int i);
nh_quad motion_stage(const motion *o, int stage, int i); /* V of the last step */
nh_quad motion_lambda(const motion *o, int stage, int i);

#endif
