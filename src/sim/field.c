/* SPDX-License-Identifier: MIT */
/* Reading a simulation: names and numbers. */
#include "base/status.h"
#include "model/motion.h"
#include "sim/sim.h"

#include <math.h>
#include <stdio.h>

/* ---- Names ---- */

static const char *kept(nh_sim *s, nh_text *text)
{
    const char *name = text->failed ? NULL : nh_arena_text(&s->arena, nh_text_get(text), text->length);
    s->arena.failed |= !name;
    nh_text_free(text);
    return name;
}

static const char *numbered(nh_sim *s, const char *letter, int number)
{
    nh_text text = {0};
    nh_text_add(&text, "%s[%d]", letter, number + 1);
    return kept(s, &text);
}

static const char *constraint_name(nh_sim *s, int i)
{
    const int m = s->model->m, l = s->model->holonomic;
    return i < m ? numbered(s, "k", i) : i < m + l ? numbered(s, "g", i - m) : numbered(s, "g'", i - m - l);
}

static const char *name_of(nh_sim *s, nh_sim_field field, int i)
{
    const nh_model *m = s->model;
    nh_text text = {0};
    switch (field) {
    case NH_SIM_POSITION:
    case NH_SIM_VELOCITY:
        nh_model_component_name(m, field == NH_SIM_POSITION ? NH_Q : NH_V, i, false, &text);
        return kept(s, &text);
    case NH_SIM_MULTIPLIER:
        return numbered(s, "lambda", i);
    case NH_SIM_CONSTRAINT:
        return constraint_name(s, i);
    case NH_SIM_OBSERVABLE:
        return m->observable[i].name;
    case NH_SIM_INVARIANT:
        return m->invariant[i].name;
    case NH_SIM_MOMENTUM:
        return m->symmetry[i].name;
    case NH_SIM_ENERGY_ERROR:
        return "energy_error";
    case NH_SIM_RESIDUAL:
        return "constraint";
    default:
        return field == NH_SIM_TIME ? "t" : "energy";
    }
}

nh_status nh_sim_name_fields(nh_sim *s, nh_error *error)
{
    const nh_model *m = s->model;
    const int size[NH_SIM_FIELDS] = {[NH_SIM_TIME] = 1,
                                     [NH_SIM_POSITION] = m->n,
                                     [NH_SIM_VELOCITY] = m->n,
                                     [NH_SIM_MULTIPLIER] = m->m + m->holonomic,
                                     [NH_SIM_ENERGY] = 1,
                                     [NH_SIM_ENERGY_ERROR] = 1,
                                     [NH_SIM_RESIDUAL] = 1,
                                     [NH_SIM_CONSTRAINT] = m->m + 2 * m->holonomic,
                                     [NH_SIM_OBSERVABLE] = m->observables,
                                     [NH_SIM_INVARIANT] = m->invariants,
                                     [NH_SIM_MOMENTUM] = m->symmetries};
    s->fresh = NH_NEW(&s->arena, bool, NH_SIM_FIELDS);
    for (int f = 0; f < NH_SIM_FIELDS; f++) {
        s->size[f] = size[f];
        s->name[f] = NH_NEW(&s->arena, const char *, size[f] + 1);
        s->value[f] = NH_NEW(&s->arena, nh_quad, size[f] + 1);
        for (int i = 0; s->name[f] && i < size[f]; i++)
            s->name[f][i] = name_of(s, (nh_sim_field)f, i);
    }
    return s->arena.failed ? nh_fail(error, NH_MEMORY, "out of memory") : NH_OK;
}

/* A caller may ask for any number. */
static bool has(const nh_sim *sim, nh_sim_field field, int component)
{
    return (unsigned)field < NH_SIM_FIELDS && component >= 0 && component < sim->size[field];
}

int nh_sim_size(const nh_sim *sim, nh_sim_field field)
{
    return (unsigned)field < NH_SIM_FIELDS ? sim->size[field] : 0;
}

const char *nh_sim_name(const nh_sim *sim, nh_sim_field field, int component)
{
    return has(sim, field, component) ? sim->name[field][component] : NULL;
}

/* ---- Numbers ---- */

nh_quad nh_sim_time(const nh_sim *s)
{
    const double step = (double)nh_numbers_get(s->member, NH_AT_STEP);
    if (!s->member.quad) /* as the kernel computes it */
        return (double)s->start.t + (double)nh_numbers_get(s->member, NH_AT_COUNT) * step;
    return s->start.t + nh_numbers_get(s->member, NH_AT_COUNT) * s->start.h;
}

static void copy(nh_numbers from, int count, nh_quad *to)
{
    for (int i = 0; i < count; i++)
        to[i] = nh_numbers_get(from, i);
}

static void view(const nh_sim *s, nh_view_function function, int count, nh_quad *values)
{
    const nh_numbers q = nh_numbers_from(s->member, NH_AT_POSITION), v = nh_numbers_from(s->member, s->at_velocity);
    copy(nh_view_at(&s->view, function, nh_sim_time(s), q, v), count, values);
}

static nh_status solve_motion(const nh_sim *s, nh_quad *state, nh_quad *values)
{
    nh_motion *motion = NULL;
    nh_status status = nh_motion_new(s->model, &motion, NULL);
    if (status == NH_OK) {
        const int n = s->model->n;
        copy(nh_numbers_from(s->member, NH_AT_POSITION), n, state);
        copy(nh_numbers_from(s->member, s->at_velocity), n, state + n);
        nh_motion_parameters(motion, s->start.parameter);
        status = nh_motion_at(motion, nh_sim_time(s), state, state + n, NULL, values, NULL);
    }
    nh_motion_free(motion);
    return status;
}

/* Those of the equations of motion; made on demand, because large systems take long. */
static void continuous_multipliers(const nh_sim *s, int count, nh_quad *values)
{
    nh_arena room = {0};
    nh_quad *state = NH_NEW(&room, nh_quad, 2 * s->model->n + 1);
    if (!state || solve_motion(s, state, values) != NH_OK)
        for (int i = 0; i < count; i++)
            values[i] = NAN;
    nh_arena_free(&room);
}

bool nh_sim_is_singular(const nh_sim *s)
{
    nh_arena room = {0};
    nh_quad *state = NH_NEW(&room, nh_quad, 2 * s->model->n + 1);
    nh_quad *values = NH_NEW(&room, nh_quad, s->size[NH_SIM_MULTIPLIER] + 1);
    const bool singular = state && values && solve_motion(s, state, values) == NH_VALUE;
    nh_arena_free(&room);
    return singular;
}

static void read_multipliers(const nh_sim *s, int count, nh_quad *values)
{
    const int last = (nh_stepper_choice(s->stepper)->stages - 1) * count;
    const bool stepped = nh_numbers_get(s->member, NH_AT_COUNT) > 0 && nh_numbers_get(s->member, NH_AT_STATUS) == 0;
    if (stepped)
        copy(nh_numbers_from(s->member, s->at_multipliers + last), count, values);
    else if (count > 0)
        continuous_multipliers(s, count, values);
}

static nh_quad largest_residual(const nh_sim *s)
{
    const nh_quad *residual = nh_sim_read(s, NH_SIM_CONSTRAINT);
    nh_quad largest = 0;
    for (int i = 0; i < s->size[NH_SIM_CONSTRAINT]; i++)
        if (!(nh_quad_abs(residual[i]) <= largest)) /* also what is not a number */
            largest = nh_quad_abs(residual[i]);
    return largest;
}

static void read_field(const nh_sim *s, nh_sim_field field, nh_quad *values)
{
    const int m = s->model->m, l = s->model->holonomic, count = s->size[field];
    switch (field) {
    case NH_SIM_TIME:
        values[0] = nh_sim_time(s);
        break;
    case NH_SIM_POSITION:
        copy(nh_numbers_from(s->member, NH_AT_POSITION), count, values);
        break;
    case NH_SIM_VELOCITY:
        copy(nh_numbers_from(s->member, s->at_velocity), count, values);
        break;
    case NH_SIM_MULTIPLIER:
        read_multipliers(s, count, values);
        break;
    case NH_SIM_CONSTRAINT:
        view(s, NH_VIEW_CONSTRAINT, m, values);
        view(s, NH_VIEW_HOLONOMIC, l, values + m);
        view(s, NH_VIEW_HIDDEN, l, values + m + l);
        break;
    case NH_SIM_ENERGY:
        view(s, NH_VIEW_ENERGY, count, values);
        break;
    case NH_SIM_ENERGY_ERROR:
        values[0] = nh_sim_read(s, NH_SIM_ENERGY)[0] - nh_numbers_get(s->member, NH_AT_ENERGY);
        break;
    case NH_SIM_RESIDUAL:
        values[0] = largest_residual(s);
        break;
    case NH_SIM_OBSERVABLE:
        view(s, NH_VIEW_OBSERVABLES, count, values);
        break;
    case NH_SIM_INVARIANT:
        view(s, NH_VIEW_INVARIANTS, count, values);
        break;
    default:
        view(s, NH_VIEW_MOMENTUM_MAP, count, values);
        break;
    }
}

const nh_quad *nh_sim_read(const nh_sim *s, nh_sim_field field)
{
    if (!s->fresh[field])
        read_field(s, field, s->value[field]);
    s->fresh[field] = true;
    return s->value[field];
}

void nh_sim_forget(const nh_sim *s)
{
    for (int f = 0; f < NH_SIM_FIELDS; f++)
        s->fresh[f] = false;
}

void nh_sim_get(const nh_sim *sim, nh_sim_field field, double *values)
{
    const int count = nh_sim_size(sim, field);
    const nh_quad *number = count > 0 ? nh_sim_read(sim, field) : NULL;
    for (int i = 0; i < count; i++)
        values[i] = (double)number[i];
}

int nh_sim_print(const nh_sim *sim, nh_sim_field field, int component, char *buffer, unsigned long size)
{
    const nh_quad number = has(sim, field, component) ? nh_sim_read(sim, field)[component] : (nh_quad)NAN;
    return sim->member.quad ? nh_quad_format(buffer, size, number) : nh_double_format(buffer, size, (double)number);
}
