/* SPDX-License-Identifier: MIT */
/* What members are: values in place of the model's own, by number of the member. */
#ifndef NH_ENSEMBLE_PLAN_H
#define NH_ENSEMBLE_PLAN_H

#include "base/arena.h"
#include "model/initial.h"

#include <nonholo/ensemble.h>
#include <stdint.h>

/* Values that are known: of a list, a grid, or a column of the table. */
typedef struct nh_axis {
    int place;
    long long count;
    const nh_quad *value;
} nh_axis;

typedef enum nh_random_kind { NH_UNIFORM, NH_NORMAL } nh_random_kind;

typedef struct nh_random_axis {
    int place;
    nh_random_kind kind;
    double first, second; /* ends; mean and deviation */
} nh_random_axis;

typedef struct nh_plan {
    nh_arena *arena; /* of all arrays */
    uint64_t seed;
    long long members;
    nh_axis *column, *axis; /* of the table, which go together; lists and grids, of which there are all combinations */
    int columns, axes;
    long long rows, count; /* of the table; draws for each combination */
    nh_random_axis *random;
    int randoms;
    bool on_surface;
    nh_quad energy;
} nh_plan;

nh_status nh_plan_read(nh_plan *p, const nh_model *m, const nh_ensemble_options *options, nh_arena *arena,
                       nh_error *error);
/* The value of an expression of an option, which is one for all members: NH_USAGE if they differ in what it follows. */
nh_status nh_plan_value(const nh_plan *p, const nh_model *m, const char *option, const char *expression, nh_quad *out,
                        nh_error *error);
/* Is a statement of the model one for all members? If not, `options` give what is. */
nh_status nh_plan_check_common(const nh_plan *p, const nh_model *m, const char *statement, nh_expr value,
                               const char *options, nh_error *error);
/* Do members differ in the value of this place? */
bool nh_plan_varies(const nh_plan *p, int place);
/* `count` points, 2 or more, from one end to the other, which are given as typed and as numbers. */
void nh_grid_points(const char *const text[2], const nh_quad end[2], long long count, nh_quad *out);
/* The numbers that a member is given, and how many that are at most. */
int nh_plan_most(const nh_plan *p);
int nh_plan_member(const nh_plan *p, long long member, uint32_t attempt, nh_given *out);
/* The number that the shortest decimals of a double are: what a user types in to have it again. */
nh_quad nh_decimal(double x);

#endif
