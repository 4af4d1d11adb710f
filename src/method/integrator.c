/* SPDX-License-Identifier: MIT */
/* Kernels over C functions of a user. */
#include "base/space.h"
#include "base/status.h"
#include "kernel/functions.h"
#include "kernel/kernel.h"
#include "kernel/member.h"
#include "kernel/traits.h"
#include "method/library.h"
#include "method/method.h"
#include "method/size.h"

#include <math.h>
#include <nonholo/system.h>
#include <stdlib.h>

struct nh_integrator {
    nh_system system;
    nh_arena arena;
    nh_choice choice;
    nh_kernel kernel;
    double *member;
    double *matrix; /* rows of K and g_q, [ml × n] */
};

static double now(const double *t)
{
    return t ? *t : 0;
}

/* y = K^T lambda + g_q^T lambda'. */
static void reaction(nh_integrator *g, double t, const double *q, const double *v, const double *lambda, double *y)
{
    const nh_system *s = &g->system;
    const int n = s->coordinates, m = s->constraints, ml = m + s->holonomic_constraints;
    if (m > 0)
        s->rows(s->user, t, q, v, g->matrix);
    if (ml > m)
        s->normals(s->user, t, q, v, g->matrix + m * n);
    for (int i = 0; i < n; i++) {
        y[i] = 0;
        for (int c = 0; c < ml; c++)
            y[i] += g->matrix[c * n + i] * lambda[c];
    }
}

static void call(void *user, int function, const void *c, const void *const *x, void *y)
{
    nh_integrator *g = user;
    const nh_system *s = &g->system;
    const double t = now(x[NH_TIME]), *q = x[NH_Q], *v = x[NH_V];
    nh_system_function *const plain[NH_F_COUNT] = {
        [NH_F_MOMENTUM] = s->momentum,   [NH_F_FORCE] = s->force,     [NH_F_CONSTRAINT] = s->constraint,
        [NH_F_MASS] = s->mass,           [NH_F_ROWS] = s->rows,       [NH_F_ENERGY] = s->energy,
        [NH_F_HOLONOMIC] = s->holonomic, [NH_F_NORMALS] = s->normals, [NH_F_HIDDEN] = s->hidden};
    (void)c;
    if (function == NH_F_REACTION)
        reaction(g, t, q, v, x[NH_LAMBDA], y);
    else if (function == NH_F_TANGENT)
        s->tangent(s->user, t, q, v, x[NH_D_Q], x[NH_D_V], y);
    else
        plain[function](s->user, t, q, v, y);
}

static nh_status check_system(const nh_system *s, nh_error *error)
{
    if (s->coordinates < 1 || s->constraints < 0 || s->holonomic_constraints < 0)
        return nh_fail(error, NH_USAGE, "a system needs coordinates, and no negative number of constraints");
    if (s->constraints > s->coordinates || s->holonomic_constraints > s->coordinates - s->constraints)
        return nh_fail(error, NH_USAGE, "%lld constraints for %d coordinates",
                       (long long)s->constraints + s->holonomic_constraints, s->coordinates);
    if (!s->momentum || !s->force || !s->mass || !s->energy)
        return nh_fail(error, NH_USAGE, "a system needs the functions momentum, force, mass and energy");
    if (s->constraints > 0 && (!s->constraint || !s->rows))
        return nh_fail(error, NH_USAGE, "a system with velocity constraints needs the functions constraint and rows");
    if (s->holonomic_constraints > 0 && (!s->holonomic || !s->normals || !s->hidden))
        return nh_fail(error, NH_USAGE,
                       "a system with holonomic constraints needs the functions holonomic, normals and hidden");
    return NH_OK;
}

static nh_status check_method(const nh_integrator *g, nh_error *error)
{
    const nh_system *s = &g->system;
    const nh_method *method = g->choice.method;
    if (method->traits & NH_STABILISED)
        return nh_fail(error, NH_USAGE, "%s needs full Newton, and so a model; lobatto-ab takes holonomic constraints",
                       method->name);
    if (g->choice.traits & NH_LEAPING)
        return nh_fail(error, NH_USAGE, "rule=mp has to know what depends on what, and so needs a model; leave it out");
    if (s->holonomic_constraints > 0 && !g->choice.claims.holonomic)
        return nh_fail(error, NH_USAGE, "%s does not take holonomic constraints; lobatto-ab does", method->name);
    if (method->needs_constant_mass && (!s->constant_mass || (s->constraints > 0 && !s->tangent)))
        return nh_fail(error, NH_USAGE, "%s needs a constant mass matrix and the tangent of the constraints",
                       method->name);
    return NH_OK;
}

static nh_library library_of(const nh_integrator *g)
{
    return nh_library_of(g->choice.method->kernel, false);
}

static nh_status take(nh_integrator *g, nh_error *error)
{
    const nh_system *s = &g->system;
    const size_t ml = (size_t)s->constraints + (size_t)s->holonomic_constraints;
    g->kernel = (nh_kernel){.n = s->coordinates,
                            .m = s->constraints,
                            .l = s->holonomic_constraints,
                            .s = g->choice.stages,
                            .traits = g->choice.traits | (s->constant_mass ? NH_MASS_CONSTANT : 0),
                            .table = g->choice.table.in_double,
                            .call = call,
                            .user = g};
    const nh_status status = nh_kernel_check_size(&g->kernel, error);
    if (status != NH_OK)
        return status;
    bool *all = NH_NEW(&g->arena, bool, s->coordinates + 1); /* functions do not tell what they leave alone */
    for (int i = 0; all && i < s->coordinates; i++)
        all[i] = true;
    g->kernel.touched = g->kernel.watched = all;
    int *order = NH_NEW(&g->arena, int, s->coordinates + 1);
    for (int i = 0; order && i < s->coordinates; i++)
        order[i] = i;
    g->kernel.order = order;
    g->kernel.bound = s->coordinates;
    g->kernel.work = NH_NEW(&g->arena, double, library_of(g).work(&g->kernel) + 1);
    g->member = NH_NEW(&g->arena, double, nh_member_size(&g->kernel));
    g->matrix = NH_NEW(&g->arena, double, ml *(size_t)s->coordinates + 1);
    return all && order && g->kernel.work && g->member && g->matrix ? NH_OK
                                                                    : nh_fail(error, NH_MEMORY, "out of memory");
}

static nh_status start(nh_integrator *g, double t, double h, const double *q, const double *v, nh_error *error)
{
    const int n = g->kernel.n, m = g->kernel.m, l = g->kernel.l, s = g->kernel.s;
    double *x = g->member;
    for (size_t i = 0; i < nh_member_size(&g->kernel); i++)
        x[i] = 0;
    (void)m, (void)l;
    x[NH_AT_START] = t;
    x[NH_AT_STEP] = h;
    x[NH_AT_RATE] = NH_RATE_MOST;
    x[NH_AT_STRIDE] = 1;
    for (int i = 0; i < n; i++) {
        x[NH_AT_POSITION + i] = q[i];
        x[NH_AT_VELOCITY + i] = v[i];
        for (int j = 0; j < s; j++)
            x[NH_AT_STAGES + j * n + i] = v[i];
    }
    g->system.momentum(g->system.user, t, q, v, x + NH_AT_MOMENTUM);
    g->system.energy(g->system.user, t, q, v, x + NH_AT_ENERGY);
    for (int i = 0; i < 3 * n; i++)
        if (!isfinite(x[NH_AT_POSITION + i]) || !isfinite(x[NH_AT_ENERGY]))
            return nh_fail(error, NH_VALUE, "the initial data, their momentum or their energy are not finite");
    nh_status status = nh_integrator_advance(g, 0, error); /* looks at the start */
    if (status == NH_OK && !(x[NH_AT_CONSTRAINT_MAX] < 1e-9))
        return nh_fail(error, NH_MODEL, "the initial data violate the constraints by %.3g", x[NH_AT_CONSTRAINT_MAX]);
    return status;
}

nh_status nh_integrator_new(const nh_system *system, const char *method, double t, double h, const double *q,
                            const double *v, nh_integrator **out, nh_error *error)
{
    *out = NULL;
    nh_status status = check_system(system, error);
    if (status != NH_OK)
        return status;
    if (!isfinite(t) || !isfinite(h) || h == 0)
        return nh_fail(error, NH_USAGE, "time and step must be finite, and the step not zero");
    nh_integrator *g = calloc(1, sizeof *g);
    if (!g)
        return nh_fail(error, NH_MEMORY, "out of memory");
    g->system = *system;
    status = nh_method_choose(method, &g->arena, &g->choice, error);
    if (status == NH_OK)
        status = check_method(g, error);
    if (status == NH_OK)
        status = take(g, error);
    if (status == NH_OK)
        status = start(g, t, h, q, v, error);
    if (status == NH_OK)
        *out = g;
    else
        nh_integrator_free(g);
    return status;
}

void nh_integrator_free(nh_integrator *g)
{
    if (!g)
        return;
    nh_arena_free(&g->arena);
    free(g);
}

nh_status nh_integrator_advance(nh_integrator *g, long long steps, nh_error *error)
{
    double *x = g->member;
    if (steps < 0)
        return nh_fail(error, NH_USAGE, "an integrator goes 0 steps or more, not %lld", steps);
    x[NH_AT_STATUS] = NH_STATUS_GOOD;
    x[NH_AT_TARGET] = x[NH_AT_COUNT] + (double)steps;
    library_of(g).one(&g->kernel, x);
    if (x[NH_AT_STATUS] != NH_STATUS_GOOD)
        return nh_fail(error, NH_CONVERGENCE,
                       "step %.0f at t = %.6g does not converge; try a smaller step or another number of stages",
                       x[NH_AT_COUNT] + 1, nh_integrator_time(g));
    return NH_OK;
}

double nh_integrator_time(const nh_integrator *g)
{
    return g->member[NH_AT_START] + g->member[NH_AT_COUNT] * g->member[NH_AT_STEP];
}

const double *nh_integrator_position(const nh_integrator *g)
{
    return g->member + NH_AT_POSITION;
}

const double *nh_integrator_velocity(const nh_integrator *g)
{
    const int n = g->kernel.n;
    return g->member + NH_AT_VELOCITY;
}

const double *nh_integrator_multiplier(const nh_integrator *g)
{
    const int n = g->kernel.n, m = g->kernel.m, l = g->kernel.l, s = g->kernel.s;
    return g->member + NH_AT_MULTIPLIERS + (s - 1) * (m + l);
}

double nh_integrator_energy_error(const nh_integrator *g)
{
    return g->member[NH_AT_ENERGY_MAX];
}

double nh_integrator_violation(const nh_integrator *g)
{
    return g->member[NH_AT_CONSTRAINT_MAX];
}

double nh_integrator_iterations(const nh_integrator *g)
{
    return g->member[NH_AT_COUNT] > 0 ? g->member[NH_AT_ITERATIONS] / g->member[NH_AT_COUNT] : 0;
}
