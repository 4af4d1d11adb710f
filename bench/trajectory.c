/* SPDX-License-Identifier: MIT */
#include "trajectory.h"

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

static nh_model *particles(int m, int j)
{
    char m_text[16], j_text[16];
    snprintf(m_text, sizeof m_text, "%d", m);
    snprintf(j_text, sizeof j_text, "%d", j);
    const nh_setting set[] = {{"m", m_text}, {"j", j_text}};
    nh_model *model = NULL;
    nh_error error = {0};
    if (nh_model_load("mp-particles", &(nh_model_options){.set = set, .set_count = 2}, &model, &error) != NH_OK)
        fail("mp-particles", &error);
    return model;
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
    const nh_model *m = t->model[lane];
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
    for (int i = 0; i < size; i++)
        t->fresh[i * t->lanes + lane] = member[i];
    free(member);
    free(number);
}

void trajectory_open(trajectory *t, int m, int j, const char *method, nh_stepper_setting setting, double time,
                     long steps)
{
    nh_error error = {0};
    *t = (trajectory){0};
    t->model[0] = particles(m, j);
    if (nh_stepper_new(t->model[0], method, setting, NULL, &t->stepper, &error) != NH_OK)
        fail(method, &error);
    t->lanes = nh_stepper_lanes(t->stepper);
    t->bytes = ((size_t)(nh_stepper_size(t->stepper) * t->lanes) * sizeof(double) + 63) / 64 * 64;
    t->fresh = zeros(t->bytes);
    t->batch = zeros(t->bytes);
    for (int lane = 1; lane < t->lanes; lane++)
        t->model[lane] = particles(m, j - lane);
    trajectory_restart(t, time, steps);
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
    for (int lane = 0; lane < TRAJECTORY_LANES; lane++)
        nh_model_free(t->model[lane]);
    free(t->fresh);
    free(t->batch);
    *t = (trajectory){0};
}

void trajectory_run(trajectory *t, long audit)
{
    memcpy(t->batch, t->fresh, t->bytes);
    for (int lane = 0; lane < t->lanes; lane++) {
        t->batch[NH_AT_STRIDE * t->lanes + lane] = (double)audit;
        t->batch[NH_AT_NEXT_AUDIT * t->lanes + lane] = (double)audit;
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
        value = fmax(value, t->batch[place * t->lanes + lane]);
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
        arrived = arrived && t->batch[NH_AT_COUNT * t->lanes + lane] == (double)t->steps;
    return arrived;
}

double trajectory_build_seconds(const trajectory *t)
{
    const nh_native *native = nh_stepper_native(t->stepper);
    return native ? nh_native_seconds(native) : 0;
}
