/* SPDX-License-Identifier: MIT */
/* A simulation from inside: a stepper, one member of it, and what is needed to read that. */
#ifndef NH_SIM_SIM_H
#define NH_SIM_SIM_H

#include "method/stepper.h"
#include "sim/number.h"
#include "sim/view.h"

#include <nonholo/sim.h>

struct nh_sim {
    const nh_model *model;
    nh_arena arena;
    nh_stepper *stepper;
    nh_start start; /* … in these arrays, which are of the arena */
    nh_quad *parameter, *q, *v;
    nh_numbers member;
    void *kept; /* the member at the last good state, to go back to */
    nh_view view;
    int at_velocity, at_multipliers, at_constants; /* places in the member */

    nh_observer *pulse;
    void *pulse_user;
    bool may_compile; /* the tape is in use until native code pays */
    long long chunk;  /* steps between two looks at the clock */
    double seconds;   /* of the step loop */
    long long timed;  /* steps in them */
    double build_seconds, moved;
    char start_hash[33];   /* of the member at the start */
    long long first, seen; /* the step from which observers count; the last one that they were called at */
    bool resumed;          /* and not run since */
    const char *note;      /* "" or the text below */
    char note_text[512];
    nh_quad *first_invariant, *first_momentum; /* at the start */

    int size[NH_SIM_FIELDS];
    const char **name[NH_SIM_FIELDS];
    nh_quad *value[NH_SIM_FIELDS]; /* what was read last … */
    bool *fresh;                   /* … [field], and whether it still holds */
};

/* A simulation on the tape, or in quad, that has step, time and names, but no data yet: then nh_sim_restart or
 * nh_sim_take. */
/* NH_USAGE for options that no simulation can have, whatever the model. */
nh_status nh_sim_check_options(const nh_sim_options *options, nh_error *error);
nh_status nh_sim_new_empty(const nh_model *model, const nh_sim_options *options, nh_sim **out, nh_error *error);
/* Memory for the start, and from the options its h and t. */
nh_status nh_sim_read_times(nh_sim *s, const nh_sim_options *options, nh_error *error);
/* Consistent parameters, q, v of the model; may_move: onto the constraints. */
nh_status nh_sim_read_data(nh_sim *s, bool may_move, nh_error *error);
/* Sizes and names of the fields. */
nh_status nh_sim_name_fields(nh_sim *s, nh_error *error);
/* The numbers of a field in full; they stay until the next step. */
const nh_quad *nh_sim_read(const nh_sim *s, nh_sim_field field);
/* The state has changed: what was read no longer holds. */
void nh_sim_forget(const nh_sim *s);
/* A member at the start, audited every so many steps from there. */
void nh_sim_restart(nh_sim *s, long long stride);
/* Goes on with another member of the same model, method and step, which is copied. */
void nh_sim_take(nh_sim *s, const void *member);
/* Looks at energy and constraints of a state that the stepper has not looked at. */
void nh_sim_look(nh_sim *s);
/* Are the equations of motion singular at the present state? */
bool nh_sim_is_singular(const nh_sim *s);
/* NH_CONVERGENCE, and the reason as far as it can be seen. */
nh_status nh_sim_failed_step(const nh_sim *s, nh_error *error);
/* Is every number of the state and the audit finite, but for the squares of energy errors? */
bool nh_sim_finite(const nh_sim *s);
/* … and so are energy and constraints, which the stepper may not have looked at here? */
bool nh_sim_good(const nh_sim *s);
/* Keeps the present state as the last good one. */
void nh_sim_keep(nh_sim *s);
/* From a state that is not good to the last good one before it. The steps from the one that was kept are made again,
 * and all states on the way asked, so that it does not depend on which one was kept. */
void nh_sim_go_back(nh_sim *s);
/* NH_VALUE, and what has become of the step that follows the present, last good state. */
nh_status nh_sim_not_finite(const nh_sim *s, nh_error *error);
/* Says why a start is not finite; returns NH_VALUE. */
nh_status nh_sim_refuse_start(const nh_sim *s, nh_error *error);

nh_quad nh_sim_time(const nh_sim *s);

#endif
