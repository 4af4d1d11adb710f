/* SPDX-License-Identifier: MIT */
#include "motion.h"

#include "model/initial.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

nh_model *motion_model(const char *name, const char *size, int value)
{
    char number[16];
    snprintf(number, sizeof number, "%d", value);
    const nh_setting set[] = {{size, number}};
    const nh_model_options options = {.set = set, .set_count = size ? 1 : 0};
    nh_model *m = NULL;
    nh_error error = {0};
    const bool text = strchr(name, '\n') != NULL;
    const nh_status status = text ? nh_model_parse(name, strlen(name), "text", &options, &m, &error)
                                  : nh_model_load(name, &options, &m, &error);
    if (status != NH_OK)
        printf("    %s: %s\n", name, error.message);
    return m;
}

origin *origin_of(const nh_model *m)
{
    const int parameters = m->parameters, n = m->n;
    origin *o = calloc(1, sizeof *o + (size_t)(parameters + 2 * n) * sizeof o->number[0]);
    bool has_step, has_until;
    nh_quad until;
    if (!o)
        return NULL;
    o->q = o->number + parameters;
    o->v = o->q + n;
    o->start = (nh_start){.parameter = o->number, .parameters = parameters, .q = o->q, .v = o->v};
    if (nh_model_initial(m, o->number, o->q, o->v, NULL, NULL) == NH_OK &&
        nh_model_step_and_until(m, &o->start.h, &has_step, &until, &has_until, NULL) == NH_OK)
        return o;
    free(o);
    return NULL;
}

/* Lanes of double are as wide as a vector register, and aligned like one. */
static void *aligned_room(int size, int lanes, size_t number)
{
    const size_t bytes = ((size_t)size * (size_t)lanes * number + 63) / 64 * 64;
    void *room = aligned_alloc(64, bytes);
    if (room)
        memset(room, 0, bytes);
    return room;
}

nh_status motion_open(motion *o, const nh_model *m, const char *method, nh_stepper_setting setting,
                      const nh_native_options *native, nh_error *error)
{
    return motion_open_with(o, m, method, setting, &(nh_stepper_wishes){0}, native, error);
}

nh_status motion_open_with(motion *o, const nh_model *m, const char *method, nh_stepper_setting setting,
                           const nh_stepper_wishes *wishes, const nh_native_options *native, nh_error *error)
{
    *o = (motion){.quad = setting == NH_IN_QUAD};
    nh_status status = nh_stepper_new_with(m, method, setting, wishes, native, &o->stepper, error);
    if (status != NH_OK)
        return status;
    const nh_kernel *k = nh_stepper_kernel(o->stepper);
    const size_t number = o->quad ? sizeof(nh_quad) : sizeof(double);
    o->n = k->n;
    o->m = k->m;
    o->l = k->l;
    o->s = k->s;
    o->size = nh_stepper_size(o->stepper);
    o->lanes = nh_stepper_lanes(o->stepper);
    o->batch = aligned_room(o->size, o->lanes, number);
    o->member = aligned_room(o->size, 1, number);
    if (o->batch && o->member)
        return NH_OK;
    motion_close(o);
    return nh_fail(error, NH_MEMORY, "out of memory");
}

void motion_close(motion *o)
{
    nh_stepper_free(o->stepper);
    free(o->batch);
    free(o->member);
    *o = (motion){0};
}

static void put(motion *o, int lane, int place, nh_quad value)
{
    if (o->quad)
        ((nh_quad *)o->batch)[nh_stepper_at(o->stepper, lane, place)] = value;
    else
        ((double *)o->batch)[nh_stepper_at(o->stepper, lane, place)] = (double)value;
}

nh_quad motion_at(const motion *o, int lane, int place)
{
    const size_t at = nh_stepper_at(o->stepper, lane, place);
    return o->quad ? ((const nh_quad *)o->batch)[at] : (nh_quad)((const double *)o->batch)[at];
}

void motion_start(motion *o, int lane, const nh_start *from)
{
    nh_stepper_start(o->stepper, from, o->member);
    for (int i = 0; i < o->size; i++)
        put(o, lane, i, o->quad ? ((const nh_quad *)o->member)[i] : (nh_quad)((const double *)o->member)[i]);
    put(o, lane, NH_AT_STRIDE, 1);
}

void motion_aim(motion *o, int lane, int steps)
{
    put(o, lane, NH_AT_TARGET, steps);
}

bool motion_advance(motion *o)
{
    bool arrived = true;
    nh_stepper_advance(o->stepper, o->batch);
    for (int lane = 0; lane < o->lanes; lane++)
        arrived = arrived && motion_at(o, lane, NH_AT_COUNT) == motion_at(o, lane, NH_AT_TARGET);
    return arrived;
}

bool motion_run(motion *o, const nh_start *from, int steps)
{
    motion_start(o, 0, from);
    motion_aim(o, 0, steps);
    return motion_advance(o);
}

nh_quad motion_q(const motion *o, int i)
{
    return motion_at(o, 0, NH_AT_POSITION + i);
}

nh_quad motion_v(const motion *o, int i)
{
    const int n = o->n;
    return motion_at(o, 0, NH_AT_VELOCITY + i);
}

nh_quad motion_stage(const motion *o, int stage, int i)
{
    const int n = o->n;
    return motion_at(o, 0, NH_AT_STAGES + stage * n + i);
}

nh_quad motion_lambda(const motion *o, int stage, int i)
{
    const int n = o->n, m = o->m, l = o->l, s = o->s;
    return motion_at(o, 0, NH_AT_MULTIPLIERS + stage * (m + l) + i);
}

double motion_distance(const motion *a, const motion *b)
{
    double difference = 0, size = 0;
    for (int i = 0; i < 2 * a->n; i++) {
        const nh_quad x = i < a->n ? motion_q(a, i) : motion_v(a, i - a->n);
        const nh_quad y = i < a->n ? motion_q(b, i) : motion_v(b, i - a->n);
        difference = fmax(difference, fabs((double)(x - y)));
        size = fmax(size, fabs((double)x));
    }
    return difference / size;
}
