/* SPDX-License-Identifier: MIT */
/* A member: one trajectory as a vector of numbers, the same in every setting, so that it can move between them, and to
 * and from a file. A batch is NH_GROUPS times NH_LANES members, [group][place][lane]. In the text of a kernel n, m, l,
 * s are the numbers of coordinates, of velocity constraints, of holonomic constraints, of stages; ml = m + l. */
#ifndef NH_KERNEL_MEMBER_H
#define NH_KERNEL_MEMBER_H

enum nh_member_status {
    NH_STATUS_GOOD,
    NH_STATUS_SLOW,  /* the first gear has not converged at this step */
    NH_STATUS_FAILED /* nor has the second */
};

enum nh_member_place {
    NH_AT_COUNT,      /* steps done */
    NH_AT_TARGET,     /* advance until so many are done */
    NH_AT_START,      /* time of step 0; t = start + count · h */
    NH_AT_STEP,       /* h */
    NH_AT_STATUS,     /* nh_member_status */
    NH_AT_RATE,       /* of convergence, remembered */
    NH_AT_LOOK,       /* convergence is looked at from this iteration on; other methods: below */
    NH_AT_ITERATIONS, /* of all steps, and of the worst one */
    NH_AT_ITERATIONS_MAX,
    NH_AT_NEWTON,      /* steps by the second gear */
    NH_AT_STRIDE,      /* of the audit: every so many steps; 0: never */
    NH_AT_NEXT_AUDIT,  /* the step that is looked at next */
    NH_AT_ENERGY,      /* at the start */
    NH_AT_ENERGY_LAST, /* seen last */
    NH_AT_ENERGY_MAX,  /* largest error seen */
    NH_AT_CONSTRAINT_MAX,
    NH_AT_AUDITS, /* states looked at; then running means and moments of step and energy error (Welford) */
    NH_AT_MEAN_STEP,
    NH_AT_MEAN_ERROR,
    NH_AT_STEP_STEP,
    NH_AT_STEP_ERROR,
    NH_AT_ERROR_ERROR,
    NH_AT_POSITION /* q; then the other vectors */
};

#define NH_AT_MOMENTUM     (NH_AT_POSITION + n)
#define NH_AT_VELOCITY     (NH_AT_MOMENTUM + n)
#define NH_AT_POSITION_LOW (NH_AT_VELOCITY + n) /* what rounding has lost: q + low is the sum of all increments */
#define NH_AT_MOMENTUM_LOW (NH_AT_POSITION_LOW + n)
#define NH_AT_STAGES                                                                                                   \
    (NH_AT_MOMENTUM_LOW + n) /* V of the last step, [s][n]: the starting polynomial; mp: Q of the next */
#define NH_AT_MULTIPLIERS (NH_AT_STAGES + s * n)            /* of the last step, [s][ml] */
#define NH_AT_CONSTANTS   (NH_AT_MULTIPLIERS + s * (m + l)) /* what derived functions make of the parameters */
#define NH_MEMBER_SIZE    (NH_AT_CONSTANTS + constants)

/* The slowest rate that is remembered, and where a member starts. */
#define NH_RATE_MOST 0.3

/* In the words of an extrapolation: how long its next step should be; 0: nothing is known. */
#define NH_AT_LENGTH NH_AT_LOOK

/* In the words of mp; the low part of Q is in the place of that of q. */
#define NH_AT_MIDDLE       NH_AT_STAGES
#define NH_AT_MIDDLE_KNOWN NH_AT_LOOK

#endif
