/* SPDX-License-Identifier: MIT */
/* Why a step may have failed. Takes memory, for small systems only. */
#include "base/linear.h"
#include "base/space.h"
#include "base/status.h"
#include "kernel/functions.h"
#include "kernel/traits.h"
#include "model/evaluate.h"
#include "sim/sim.h"

enum { MOST_COORDINATES = 200 };

/* A function of the kernel at the present state: NH_F_MASS gives [n] if L_vv is diagonal and known to be. */
static void evaluate(const nh_sim *s, int function, nh_numbers ones, nh_numbers out)
{
    const nh_kernel *k = nh_stepper_kernel(s->stepper);
    const nh_quad t = nh_sim_time(s);
    const double rounded = (double)t;
    const void *in[NH_SPACES] = {[NH_TIME] = s->member.quad ? (const void *)&t : &rounded,
                                 [NH_Q] = nh_numbers_from(s->member, NH_AT_POSITION).data,
                                 [NH_V] = nh_numbers_from(s->member, s->at_velocity).data,
                                 [NH_D_V] = ones.data};
    for (int i = 0; i < k->n; i++)
        nh_numbers_set(ones, i, 1);
    k->call(k->user, function, nh_numbers_from(s->member, s->at_constants).data, in, out.data);
}

static nh_numbers take_numbers(const nh_sim *s, nh_arena *room, size_t count)
{
    return (nh_numbers){nh_arena_array(room, count, s->member.quad ? sizeof(nh_quad) : sizeof(double)), s->member.quad};
}

static bool force_is_finite(const nh_sim *s)
{
    const size_t n = (size_t)s->model->n;
    nh_arena room = {0};
    const nh_numbers ones = take_numbers(s, &room, n), force = take_numbers(s, &room, n);
    bool finite = true;
    if (!room.failed)
        evaluate(s, NH_F_FORCE, ones, force);
    for (int i = 0; !room.failed && i < s->model->n; i++)
        finite = finite && nh_quad_finite(nh_numbers_get(force, i));
    nh_arena_free(&room);
    return finite;
}

static bool is_singular(const nh_sim *s, nh_numbers mass, nh_quad *matrix, int *pivot)
{
    const nh_kernel *k = nh_stepper_kernel(s->stepper);
    const bool diagonal = k->traits & NH_MASS_DIAGONAL;
    for (int i = 0; i < (diagonal ? k->n : k->n * k->n); i++)
        matrix[i] = nh_numbers_get(mass, i);
    for (int i = 0; diagonal && i < k->n; i++)
        if (matrix[i] == 0)
            return true;
    return !diagonal && !nh_lu_quad(matrix, k->n, pivot);
}

static bool mass_is_singular(const nh_sim *s)
{
    const size_t n = (size_t)s->model->n;
    nh_arena room = {0};
    const nh_numbers ones = take_numbers(s, &room, n), mass = take_numbers(s, &room, n * n);
    nh_quad *matrix = NH_NEW(&room, nh_quad, n * n);
    int *pivot = NH_NEW(&room, int, n);
    bool singular = false;
    if (!room.failed) {
        evaluate(s, NH_F_MASS, ones, mass);
        singular = is_singular(s, mass, matrix, pivot);
    }
    nh_arena_free(&room);
    return singular;
}

nh_status nh_sim_failed_step(const nh_sim *s, nh_error *error)
{
    const long long step = nh_sim_step_count(s);
    const nh_choice *choice = nh_stepper_choice(s->stepper);
    const nh_gear *gear = nh_stepper_gear(s->stepper);
    if (gear && nh_gear_lacks_memory(gear))
        return nh_fail(error, NH_MEMORY, "step %lld, from t = %.9g: out of memory; the state is that of step %lld",
                       step + 1, (double)nh_sim_time(s), step);
    const char *why = "did not converge; a smaller --step or more stages may help";
    if (choice->traits & NH_CONTROLLED)
        why = "cannot be divided as finely as tol asks for; a larger tol, or a smaller --step, may help";
    else if (choice->method->kernel == NH_KERNEL_EXTRAPOLATION)
        why = "is too long for an explicit method: numbers grow beyond all bounds; a smaller --step, or tol, may help";
    if (!force_is_finite(s))
        why = "cannot be made: the force L_q + f is not finite there";
    else if (s->model->n <= MOST_COORDINATES && nh_sim_is_singular(s))
        why = "cannot be made: the equations do not determine the motion there; 'nonholo check' says more";
    else if (s->model->n <= MOST_COORDINATES && !nh_stepper_kernel(s->stepper)->sparsity && mass_is_singular(s))
        why = "cannot be made: L_vv is singular there, and this method needs its inverse";
    return nh_fail(error, NH_CONVERGENCE, "step %lld, from t = %.9g, %s; the state is that of step %lld", step + 1,
                   (double)nh_sim_time(s), why, step);
}

nh_status nh_sim_not_finite(const nh_sim *s, nh_error *error)
{
    const long long step = nh_sim_step_count(s);
    return nh_fail(
        error, NH_VALUE,
        "the motion, its energy or a constraint is no longer finite at step %lld, t = %.9g; a smaller --step "
        "may help; the state is that of step %lld",
        step + 1, (double)(nh_sim_time(s) + s->start.h), step);
}
