/* SPDX-License-Identifier: MIT */
#include "method/gear.h"

#include "kernel/member.h"
#include "model/derived.h"

#include <stdlib.h>

struct nh_gear {
    nh_kernel kernel; /* one lane, interpreted */
    const nh_program *program;
    nh_program *tangents;
    bool quad;
    void *work, *tangent_work, *tangent_constants, *omega;
    nh_whole whole;
};

static void call_1(void *user, int function, const void *c, const void *const *x, void *y)
{
    nh_gear *g = user;
    nh_tape_run_1(g->program, function, c, (const double *const *)x, y, g->work);
}

static void call_quad(void *user, int function, const void *c, const void *const *x, void *y)
{
    nh_gear *g = user;
    nh_tape_run_quad(g->program, function, c, (const nh_quad *const *)x, y, g->work);
}

static void tangent_1(void *user, int function, const void *c, const void *const *x, void *y)
{
    nh_gear *g = user;
    nh_tape_run_1(g->tangents, function, c, (const double *const *)x, y, g->tangent_work);
}

static void tangent_quad(void *user, int function, const void *c, const void *const *x, void *y)
{
    nh_gear *g = user;
    nh_tape_run_quad(g->tangents, function, c, (const nh_quad *const *)x, y, g->tangent_work);
}

static nh_status derive(nh_gear *g, const nh_model *m, nh_error *error)
{
    const uint32_t all = 1u << NH_TIME | 1u << NH_PARAMETER | 1u << NH_Q | 1u << NH_V | 1u << NH_LAMBDA;
    const nh_request list[NH_T_COUNT] = {
        [NH_T_MOMENTUM] = {.of = NH_OF_MOMENTUM, .tangent = all},
        [NH_T_FORCE] = {.of = NH_OF_FORCE, .tangent = all},
        [NH_T_REACTION] = {.of = NH_OF_REACTION, .tangent = all},
        [NH_T_CONSTRAINT] = {.of = NH_OF_CONSTRAINT, .tangent = all},
        [NH_T_HOLONOMIC] = {.of = NH_OF_HOLONOMIC, .tangent = all},
        [NH_T_HIDDEN] = {.of = NH_OF_HIDDEN, .tangent = all},
    };
    return nh_derive_program(m, list + 1, NH_T_COUNT - 1, &g->tangents, error);
}

/* Memory, as numbers of the one kind or the other. */
static nh_status take(nh_gear *g, int parameters, nh_error *error)
{
    const size_t number = g->quad ? sizeof(nh_quad) : sizeof(double);
    const bool mp = g->whole.mp;
    g->work = calloc(nh_program_work(g->program) + 1, number);
    g->tangent_work = calloc(nh_program_work(g->tangents) + 1, number);
    g->tangent_constants = calloc((size_t)nh_program_constants(g->tangents) + 1, number);
    g->omega = calloc((size_t)(g->kernel.s * g->kernel.s) + 1, number);
    g->whole.work = calloc(nh_whole_work(&g->kernel, mp, parameters), number);
    g->whole.pivot = calloc((size_t)nh_whole_size(&g->kernel, mp), sizeof *g->whole.pivot);
    if (!g->work || !g->tangent_work || !g->tangent_constants || !g->omega || !g->whole.work || !g->whole.pivot)
        return nh_fail(error, NH_MEMORY, "out of memory");
    if (g->quad) {
        nh_tape_prepare_quad(g->program, g->work);
        nh_tape_prepare_quad(g->tangents, g->tangent_work);
    } else {
        nh_tape_prepare_1(g->program, g->work);
        nh_tape_prepare_1(g->tangents, g->tangent_work);
    }
    return NH_OK;
}

static void put_omega(nh_gear *g, const nh_choice *choice)
{
    nh_quad omega[NH_STAGES_MAX * NH_STAGES_MAX];
    const int count = (choice->stages - 1) * choice->stages;
    if (choice->method->kernel != NH_KERNEL_SPARK)
        return;
    nh_triple_omega(&choice->triple, omega);
    for (int i = 0; i < count && g->quad; i++)
        ((nh_quad *)g->omega)[i] = omega[i];
    for (int i = 0; i < count && !g->quad; i++)
        ((double *)g->omega)[i] = (double)omega[i];
}

nh_status nh_gear_new(const nh_model *m, const nh_choice *choice, const nh_kernel *kernel, const nh_program *program,
                      bool quad, nh_gear **out, nh_error *error)
{
    const bool mp = choice->method->kernel == NH_KERNEL_MP;
    const int size = nh_whole_size(kernel, mp);
    *out = NULL;
    if (size > NH_GEAR_SIZE)
        return nh_fail(error, NH_LIMIT, "%d unknowns a step: full Newton takes up to %d", size, NH_GEAR_SIZE);
    nh_gear *g = calloc(1, sizeof *g);
    if (!g)
        return nh_fail(error, NH_MEMORY, "out of memory");
    g->program = program;
    g->quad = quad;
    g->kernel = *kernel;
    g->kernel.call = quad ? call_quad : call_1;
    g->kernel.user = g;
    g->whole = (nh_whole){
        .kernel = &g->kernel, .tangent = quad ? tangent_quad : tangent_1, .parameters = m->parameters, .mp = mp};
    nh_status status = derive(g, m, error);
    if (status == NH_OK)
        status = take(g, m->parameters, error);
    if (status != NH_OK) {
        nh_gear_free(g);
        return status;
    }
    put_omega(g, choice);
    g->whole.omega = g->omega;
    g->whole.tangent_constants = g->tangent_constants;
    *out = g;
    return NH_OK;
}

void nh_gear_free(nh_gear *g)
{
    if (!g)
        return;
    free(g->work);
    free(g->tangent_work);
    free(g->tangent_constants);
    free(g->omega);
    free(g->whole.work);
    free(g->whole.pivot);
    nh_program_free(g->tangents);
    free(g);
}

/* The tangents' constants; a member's own begin with the parameters. */
static void set_parameters(nh_gear *g, const void *member)
{
    const int n = g->kernel.n, m = g->kernel.m, l = g->kernel.l, s = g->kernel.s;
    void *c = g->tangent_constants;
    if (g->quad) {
        const nh_quad *in[NH_SPACES] = {[NH_PARAMETER] = (const nh_quad *)member + NH_AT_CONSTANTS};
        nh_tape_run_quad(g->tangents, 0, c, in, c, g->tangent_work);
    } else {
        const double *in[NH_SPACES] = {[NH_PARAMETER] = (const double *)member + NH_AT_CONSTANTS};
        nh_tape_run_1(g->tangents, 0, c, in, c, g->tangent_work);
    }
}

bool nh_gear_step(nh_gear *g, void *member)
{
    set_parameters(g, member);
    g->whole.level = false;
    return g->quad ? nh_whole_step_quad(&g->whole, member) : nh_whole_step_1(&g->whole, member);
}

bool nh_gear_derivative(nh_gear *g, const void *before, const void *after, bool level, void *rows)
{
    set_parameters(g, before);
    g->whole.level = level;
    return g->quad ? nh_whole_derivative_quad(&g->whole, before, after, rows)
                   : nh_whole_derivative_1(&g->whole, before, after, rows);
}

int nh_gear_unknowns(const nh_gear *g)
{
    return nh_whole_size(&g->kernel, g->whole.mp);
}
