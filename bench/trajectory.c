/* SPDX-License-Identifier: MIT */
#include "trajectory.h"

#include "sim/backend.h"

#include "model/initial.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void fail(const char *what, const nh_error *error)
{
    fprintf(stderr, "%s: %s\n", what, error->message);
    exit(1);
}

subject subject_particles(int m)
{
    return (subject){"mp-particles", {{"m", m}, {"j", 6}}, 2, true};
}

static nh_status load(const subject *of, int member, nh_model **model, nh_error *error)
{
    char text[2][16];
    nh_setting set[2];
    for (int i = 0; i < of->sets; i++) {
        const int fall = of->family && i == of->sets - 1 ? member : 0;
        snprintf(text[i], sizeof text[i], "%d", of->set[i].value - fall);
        set[i] = (nh_setting){of->set[i].name, text[i]};
    }
    return nh_model_load(of->model, &(nh_model_options){.set = set, .set_count = of->sets}, model, error);
}

static void *zeros(size_t bytes)
{
    void *room = aligned_alloc(64, bytes);
    if (!room)
        fail("start", &(nh_error){.message = "out of memory"});
    return memset(room, 0, bytes);
}

/* A fresh member of one lane. */
static void start_lane(trajectory *t, int lane, nh_quad h)
{
    const nh_model *m = t->model[lane % TRAJECTORY_FAMILY];
    const int size = nh_stepper_size(t->stepper);
    nh_quad *number = zeros(((size_t)(m->parameters + 2 * m->n) * sizeof(nh_quad) + 63) / 64 * 64);
    double *member = zeros(((size_t)size * sizeof(double) + 63) / 64 * 64);
    nh_quad *q = number + m->parameters, *v = q + m->n;
    nh_error error = {0};
    if (nh_model_initial(m, number, q, v, NULL, &error) != NH_OK)
        fail("initial data", &error);
    nh_stepper_start(t->stepper, &(nh_start){.parameter = number, .parameters = m->parameters, .h = h, .q = q, .v = v},
                     member);
    member[NH_AT_TARGET] = (double)t->steps;
    nh_stepper_put(t->stepper, member, t->fresh, lane);
    free(member);
    free(number);
}

static nh_status prepare(trajectory *t, const subject *of, const char *method, nh_stepper_setting setting,
                         const nh_stepper_wishes *wishes, nh_error *error)
{
    nh_status status = load(of, 0, &t->model[0], error);
    if (status == NH_OK)
        status = nh_stepper_new_with(t->model[0], method, setting, wishes, NULL, &t->stepper, error);
    if (status != NH_OK)
        return status;
    t->lanes = nh_stepper_lanes(t->stepper);
    t->bytes = ((size_t)(nh_stepper_size(t->stepper) * t->lanes) * sizeof(double) + 63) / 64 * 64;
    t->fresh = zeros(t->bytes);
    t->batch = zeros(t->bytes);
    for (int member = 1; status == NH_OK && member < t->lanes && member < TRAJECTORY_FAMILY; member++)
        status = load(of, member, &t->model[member], error);
    return status;
}

static bool make(trajectory *t, const subject *of, const char *method, nh_stepper_setting setting,
                 const nh_stepper_wishes *wishes, double time, long steps, nh_error *error)
{
    *t = (trajectory){0};
    const bool good = prepare(t, of, method, setting, wishes, error) == NH_OK;
    if (good)
        trajectory_restart(t, time, steps);
    else
        trajectory_close(t);
    return good;
}

void trajectory_open(trajectory *t, const subject *of, const char *method, nh_stepper_setting setting, double time,
                     long steps)
{
    trajectory_open_with(t, of, method, setting, &(nh_stepper_wishes){0}, time, steps);
}

void trajectory_open_with(trajectory *t, const subject *of, const char *method, nh_stepper_setting setting,
                          const nh_stepper_wishes *wishes, double time, long steps)
{
    nh_error error = {0};
    if (!make(t, of, method, setting, wishes, time, steps, &error))
        fail(method, &error);
}

bool trajectory_try(trajectory *t, const subject *of, const char *method, nh_stepper_setting setting, double time,
                    long steps, nh_error *error)
{
    return make(t, of, method, setting, &(nh_stepper_wishes){0}, time, steps, error);
}

nh_stepper_setting trajectory_setting(const char *method)
{
    nh_arena arena = {0};
    nh_choice choice;
    nh_error error = {0};
    if (nh_method_choose(method, &arena, &choice, &error) != NH_OK)
        fail(method, &error);
    const nh_stepper_setting setting = nh_sim_best_setting(&choice);
    nh_arena_free(&arena);
    return setting;
}

void trajectory_restart(trajectory *t, double time, long steps)
{
    t->steps = steps;
    for (int lane = 0; lane < t->lanes; lane++)
        start_lane(t, lane, (nh_quad)time / (nh_quad)steps);
}

void trajectory_close(trajectory *t)
{
    nh_stepper_free(t->stepper);
    for (int member = 0; member < TRAJECTORY_FAMILY; member++)
        nh_model_free(t->model[member]);
    free(t->fresh);
    free(t->batch);
    *t = (trajectory){0};
}

void trajectory_run(trajectory *t, long audit)
{
    memcpy(t->batch, t->fresh, t->bytes);
    for (int lane = 0; lane < t->lanes; lane++) {
        t->batch[nh_stepper_at(t->stepper, lane, NH_AT_STRIDE)] = (double)audit;
        t->batch[nh_stepper_at(t->stepper, lane, NH_AT_NEXT_AUDIT)] = (double)audit;
    }
    nh_stepper_advance(t->stepper, t->batch);
}

void trajectory_race(void *context, long repeats)
{
    for (long i = 0; i < repeats; i++)
        trajectory_run(context, 0);
}

static double largest(const trajectory *t, int place)
{
    double value = 0;
    for (int lane = 0; lane < t->lanes; lane++)
        value = fmax(value, t->batch[nh_stepper_at(t->stepper, lane, place)]);
    return value;
}

double trajectory_energy_error(const trajectory *t)
{
    return largest(t, NH_AT_ENERGY_MAX);
}

double trajectory_iterations(const trajectory *t)
{
    return largest(t, NH_AT_ITERATIONS) / (double)t->steps;
}

bool trajectory_arrived(const trajectory *t)
{
    bool arrived = true;
    for (int lane = 0; lane < t->lanes; lane++)
        arrived = arrived && t->batch[nh_stepper_at(t->stepper, lane, NH_AT_COUNT)] == (double)t->steps;
    return arrived;
}

double trajectory_position(const trajectory *t, int i)
{
    return t->batch[nh_stepper_at(t->stepper, 0, NH_AT_POSITION + i)];
}

double trajectory_build_seconds(const trajectory *t)
{
    const nh_native *native = nh_stepper_native(t->stepper);
    return native ? nh_native_seconds(native) : 0;
}
