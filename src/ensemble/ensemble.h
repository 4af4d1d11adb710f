/* SPDX-License-Identifier: MIT */
/* An ensemble from inside: members as rows of numbers, workers that advance them, statistics of windows of time. */
#ifndef NH_ENSEMBLE_ENSEMBLE_H
#define NH_ENSEMBLE_ENSEMBLE_H

#include "ensemble/plan.h"
#include "ensemble/pool.h"
#include "model/consistent.h"
#include "sim/sim.h"

#include <stdatomic.h>

typedef enum nh_fate {
    NH_FATE_GOOD,
    NH_FATE_NO_START,
    NH_FATE_NO_STEP,   /* a step did not converge */
    NH_FATE_NOT_FINITE /* a number of the state is not finite */
} nh_fate;

/* Fewer are not worth a thread. */
enum { NH_FEW_MEMBERS = 4 };

/* What a thread has for itself. */
typedef struct nh_worker {
    nh_sim *sim;         /* reads members, and advances them where that is done one by one */
    nh_stepper *stepper; /* advances members: that of `sim`, or one in lanes */
    void *memory;        /* with room for … */
    void *batch;         /* … as many members as the stepper may take at once: nh_stepper_at */
    double *room;        /* [members], to sort in */
} nh_worker;

/* Outputs of a window of time, of which statistics are made at once. */
typedef struct nh_window {
    long long from, to;        /* steps: outputs are after `from`, up to and with `to` */
    long long first;           /* the first output … */
    int outputs, room;         /* … how many there are; for how many there is room */
    double *value;             /* [output][quantity][member] */
    nh_statistics *statistics; /* [output][quantity] */
    int parts;                 /* in which batches of members go through it … */
    atomic_int *passed;        /* … [batch]: that have been passed */
} nh_window;

struct nh_ensemble {
    const nh_model *model;
    nh_arena arena;
    nh_plan plan;
    nh_sim_options options;
    int threads;
    int at_a_time; /* members that a worker takes at once; 0: as many as nh_window_at_a_time finds good */
    nh_pool *pool;
    nh_worker *worker; /* [threads] */
    nh_sim *reader;    /* for members that users read */

    int size;                 /* numbers of a member */
    size_t bytes;             /* of a member */
    char *store;              /* [member][size], good states */
    char *ahead;              /* [member][size]: where those are that have gone beyond their last good state … */
    bool *is_ahead;           /* … [member], when a window was cut there: they may come to a good one yet */
    unsigned char *fate;      /* [member] */
    char **reason;            /* [member], of those without a start */
    struct nh_starter *guide; /* makes starts again, to tell of them; NULL until it is wanted */
    long long projected, redrawn;
    double moved; /* the farthest that a projection has moved a component */
    char start_hash[33];

    long long step;         /* that all good members have made */
    long long seen, shown;  /* the last output for the observer; that of the statistics */
    int shown_at;           /* its number in the window */
    long long every, chunk; /* steps between outputs; between two looks at the clock */
    bool off_grid;          /* the present window's only output is its end */
    int quantities;
    const char **quantity;
    nh_window window;

    nh_ensemble_observer *pulse;
    void *pulse_user;
    bool may_compile;
    double seconds, build_seconds;
    long long timed; /* steps in them */
    char note[512];
};

/* All members at their starts, by the workers. */
nh_status nh_ensemble_start(nh_ensemble *e, nh_error *error);
/* What nh_ensemble_member_options gives. */
void nh_ensemble_add_options(nh_ensemble *e, long long member, nh_text *out);
void nh_ensemble_forget_guide(nh_ensemble *e);
/* Workers, and native code for them where that is wanted and there. */
nh_status nh_ensemble_staff(nh_ensemble *e, nh_error *error);
void nh_ensemble_dismiss(nh_ensemble *e);
/* Changes to native code where the steps to come would take long without. */
void nh_ensemble_reconsider(nh_ensemble *e, long long steps_to_come);

/* Room for windows. */
nh_status nh_window_new(nh_ensemble *e, nh_error *error);
/* Members that a worker takes at once. */
int nh_window_at_a_time(const nh_ensemble *e);
/* All members go to the end of the window, and are looked at at its outputs. */
void nh_window_run(nh_ensemble *e);

static inline void *nh_ensemble_row(const nh_ensemble *e, long long member)
{
    return e->store + (size_t)member * e->bytes;
}

#endif
