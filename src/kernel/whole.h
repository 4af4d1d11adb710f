/* SPDX-License-Identifier: MIT */
/* All equations of one step at once, for full Newton and for the derivative of the step. In the library only, one
 * trajectory: whoever steps in lanes or in compiled code comes here with one member. */
#ifndef NH_KERNEL_WHOLE_H
#define NH_KERNEL_WHOLE_H

#include "base/sparse_lu.h"
#include "kernel/kernel.h"

#include <stdbool.h>

/* Tangents of derived functions along (t, parameters, q, v, lambda), in a program of their own. */
enum nh_tangent_function {
    NH_T_MOMENTUM = 1,
    NH_T_FORCE,
    NH_T_REACTION,
    NH_T_CONSTRAINT,
    NH_T_HOLONOMIC,
    NH_T_HIDDEN,
    NH_T_COUNT
};

/* Entries of the matrix of the equations; and its columns in groups without a common row, so that one tangent, along
 * all columns of a group at once, gives the entries of each. */
typedef struct nh_whole_pattern {
    nh_columns entries;
    nh_columns groups; /* their columns, by groups */
} nh_whole_pattern;

/* Which equations move with an unknown of a stage, q', lambda, extra multipliers, and with v_1: columns of a matrix
 * whose rows are balances of momenta [n], k [m], g_q v + g_t [l], g [l]. */
typedef struct nh_whole_links {
    nh_columns slope, lambda, extra, end;
} nh_whole_links;

/* Numbers are double or quad, as the functions are. */
typedef struct nh_whole {
    const nh_kernel *kernel; /* of one lane */
    nh_kernel_call *tangent; /* as kernel->call, for nh_tangent_function */
    const void *tangent_constants;
    const void *omega; /* [(s-1) × s]: (6.1e) */
    int parameters;
    bool mp;    /* the equations are (7.3) */
    bool level; /* constraints keep the value k(t_0,q_0,v_0) instead of 0: the step is extended off the constraints */
    void *work; /* nh_whole_work numbers */
    int *pivot; /* [nh_whole_size], of a dense matrix */
    const nh_whole_pattern *pattern; /* of a sparse one, in double precision only; NULL: dense */
    nh_sparse_lu *lu;
} nh_whole;

/* Unknowns of a step: V_i [s × n], lambda_i [s × ml], v_1 [n]; for (7.3) lambda [m], v_1 [n]. */
int nh_whole_size(const nh_kernel *k, bool mp);
size_t nh_whole_work(const nh_kernel *k, bool mp, int parameters, const nh_whole_pattern *pattern);
/* Points at which functions are looked at, at most: stages, end, middle, start. */
#define NH_WHOLE_SPOTS(k) ((k)->s + 3)

/* In memory of the arena. False: there are more than `most` entries, or too many groups; or, as the arenas tell, out of
 * memory. */
bool nh_whole_pattern_new(const nh_kernel *k, bool mp, const nh_whole_links *links, int most, nh_arena *scratch,
                          nh_arena *arena, nh_whole_pattern *out);

/* One step of a member by full Newton, from its memory. False: no convergence, and the member is as before. */
bool nh_whole_step_1(const nh_whole *w, double *member);
bool nh_whole_step_quad(const nh_whole *w, nh_quad *member);

/* The derivative of the unknowns and of q_1 [n] by (q_0 [n], v_0 [n], t_0, h, parameters): one row of nh_whole_size + n
 * numbers for each of these. `before` is a member, `after` the same one step later. False where the equations are
 * singular. */
bool nh_whole_derivative_1(const nh_whole *w, const double *before, const double *after, double *rows);
bool nh_whole_derivative_quad(const nh_whole *w, const nh_quad *before, const nh_quad *after, nh_quad *rows);

#endif
