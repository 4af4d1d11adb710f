/* SPDX-License-Identifier: MIT */
/* Workers, and the code that they run. */
#include "base/clock.h"
#include "base/line.h"
#include "base/status.h"
#include "ensemble/ensemble.h"
#include "sim/backend.h"

#include <stdio.h>
#include <stdlib.h>

static bool in_lanes(const nh_ensemble *e)
{
    return e->at_a_time != 1;
}

static nh_status make_worker(nh_ensemble *e, nh_worker *w, nh_error *error)
{
    nh_status status = nh_sim_new_empty(e->model, &e->options, &w->sim, error);
    if (status != NH_OK)
        return status;
    w->stepper = w->sim->stepper;
    if (in_lanes(e)) {
        w->stepper = NULL;
        status = nh_stepper_new(e->model, nh_stepper_choice(w->sim->stepper)->spelling, NH_ON_TAPE_LANES, NULL,
                                &w->stepper, error);
    }
    if (status != NH_OK)
        return status;
    const size_t most = in_lanes(e) ? NH_STEPPER_MOST_LANES : 1;
    w->memory = calloc(most * e->bytes + NH_LINE, 1);
    w->batch = w->memory ? nh_line_in(w->memory) : NULL;
    w->room = calloc((size_t)e->plan.members, sizeof *w->room);
    return w->batch && w->room ? NH_OK : nh_fail(error, NH_MEMORY, "out of memory");
}

static void free_worker(nh_worker *w)
{
    if (w->sim && w->stepper != w->sim->stepper)
        nh_stepper_free(w->stepper);
    nh_sim_free(w->sim);
    free(w->memory);
    free(w->room);
}

/* The first one may find no code, or make it; the others then find it. */
static void compile(nh_ensemble *e, bool build)
{
    nh_error error = {0};
    const nh_stepper_setting setting =
        in_lanes(e) ? NH_COMPILED_LANES : nh_sim_best_setting(nh_stepper_choice(e->reader->stepper));
    const double begin = nh_clock();
    nh_status status = nh_stepper_compile(e->worker[0].stepper, setting, build, NULL, &error);
    for (int i = 1; status == NH_OK && nh_stepper_native(e->worker[0].stepper) && i < e->threads; i++)
        status = nh_stepper_compile(e->worker[i].stepper, setting, true, NULL, &error);
    if (status != NH_OK && build)
        snprintf(e->note, sizeof e->note, "%s", error.message);
    e->build_seconds += nh_clock() - begin;
}

static void choose_backend(nh_ensemble *e)
{
    const nh_backend_choice choice = e->options.backend;
    if (choice == NH_BACKEND_NATIVE && e->reader->member.quad)
        snprintf(e->note, sizeof e->note, "quad precision runs on the tape");
    if (choice == NH_BACKEND_TAPE || e->reader->member.quad)
        return;
    compile(e, choice == NH_BACKEND_NATIVE);
    e->may_compile = choice == NH_BACKEND_AUTO && !nh_stepper_native(e->worker[0].stepper);
}

void nh_ensemble_reconsider(nh_ensemble *e, long long steps_to_come)
{
    if (!e->may_compile || !nh_sim_is_worth_a_build(e->worker[0].stepper, e->seconds, e->timed, steps_to_come))
        return;
    e->may_compile = false;
    compile(e, true);
}

nh_status nh_ensemble_staff(nh_ensemble *e, nh_error *error)
{
    nh_status status = nh_pool_new(e->threads, &e->pool, error);
    e->worker = NH_NEW(&e->arena, nh_worker, e->threads);
    if (status == NH_OK && !e->worker)
        status = nh_fail(error, NH_MEMORY, "out of memory");
    for (int i = 0; status == NH_OK && i < e->threads; i++)
        status = make_worker(e, &e->worker[i], error);
    if (status == NH_OK)
        choose_backend(e);
    return status;
}

void nh_ensemble_dismiss(nh_ensemble *e)
{
    nh_pool_free(e->pool);
    for (int i = 0; e->worker && i < e->threads; i++)
        free_worker(&e->worker[i]);
}
