/* SPDX-License-Identifier: MIT */
/* Functions of a state that no step needs: what users read. Interpreted, in the precision of the run. */
#ifndef NH_SIM_VIEW_H
#define NH_SIM_VIEW_H

#include "base/arena.h"
#include "expr/program.h"
#include "model/model.h"
#include "sim/number.h"

typedef enum nh_view_function {
    NH_VIEW_ENERGY = 1,
    NH_VIEW_CONSTRAINT,
    NH_VIEW_HOLONOMIC,
    NH_VIEW_HIDDEN, /* g_q v + g_t */
    NH_VIEW_OBSERVABLES,
    NH_VIEW_INVARIANTS,
    NH_VIEW_MOMENTUM_MAP,
    NH_VIEW_FUNCTIONS
} nh_view_function;

typedef struct nh_view {
    nh_program *program;
    nh_numbers constants, work, time, one, result;
} nh_view; /* all zero is an empty one */

/* Numbers belong to the arena. nh_view_parameters has to be called before the first evaluation. */
nh_status nh_view_new(const nh_model *m, bool quad, nh_arena *arena, nh_view *out, nh_error *error);
void nh_view_parameters(const nh_view *view, nh_numbers parameters);
void nh_view_free(nh_view *view);
/* Evaluates at t, q, v; the result stays until the next call. */
nh_numbers nh_view_at(const nh_view *view, nh_view_function function, nh_quad t, nh_numbers q, nh_numbers v);

#endif
