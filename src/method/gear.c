/* SPDX-License-Identifier: MIT */
#include "method/gear.h"

#include "kernel/member.h"
#include "method/gear_links.h"
#include "method/sparsity_build.h"
#include "model/derived.h"

#include <math.h>
#include <stdlib.h>

struct nh_gear {
    nh_kernel kernel; /* one lane, interpreted */
    const nh_program *program;
    nh_program *tangents;
    bool quad;
    void *work, *tangent_work, *tangent_constants, *omega;
    nh_arena arena; /* of the pattern */
    nh_whole_pattern pattern;
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
    g->whole.work = calloc(nh_whole_work(&g->kernel, mp, parameters, g->whole.pattern), number);
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

/* Dense matrices have so many unknowns at the most. Below so many, or with more than this share of entries, they are
 * faster. */
enum { DENSE_UNKNOWNS = 3000, FEWEST_UNKNOWNS = 100, LEAST_SAVED = 4 };
enum { MOST_ENTRIES = 1 << 28 };

/* A sparse matrix, where it can be had and is better than a dense one. */
static nh_status look_for_zeros(nh_gear *g, const nh_model *m, nh_gear_matrix wish, nh_error *error)
{
    const bool forced = wish == NH_GEAR_MATRIX_SPARSE, mp = g->whole.mp;
    const double n = g->kernel.n, size = nh_whole_size(&g->kernel, mp);
    const double most = forced ? MOST_ENTRIES : fmin(size * size / LEAST_SAVED, MOST_ENTRIES);
    const double slots = forced ? NH_MOST_SLOTS : fmin(n * n / 2 + 1000, NH_MOST_SLOTS); /* not worth a look beyond */
    nh_arena scratch = {0};
    nh_whole_links links;
    if (g->quad || wish == NH_GEAR_MATRIX_DENSE || !nh_sparse_lu_name() || (!forced && size < FEWEST_UNKNOWNS))
        return NH_OK;
    nh_status status = nh_gear_links(m, &g->kernel, mp, (size_t)slots, &scratch, &links, error);
    if (status == NH_OK && nh_whole_pattern_new(&g->kernel, mp, &links, (int)most, &scratch, &g->arena, &g->pattern)) {
        g->whole.pattern = &g->pattern;
        g->whole.lu = nh_sparse_lu_new(&g->pattern.entries);
    }
    if (scratch.failed || g->arena.failed || (g->whole.pattern && !g->whole.lu))
        status = nh_fail(error, NH_MEMORY, "out of memory");
    nh_arena_free(&scratch);
    if (!g->whole.pattern)
        nh_arena_free(&g->arena);
    return status == NH_LIMIT ? NH_OK : status;
}

static nh_status set_up(nh_gear *g, const nh_model *m, nh_gear_matrix matrix, nh_error *error)
{
    const int size = nh_whole_size(&g->kernel, g->whole.mp);
    nh_status status = look_for_zeros(g, m, matrix, error);
    if (status == NH_OK && !g->whole.pattern && size > DENSE_UNKNOWNS)
        status = nh_fail(error, NH_LIMIT, "%d unknowns a step: full Newton with a dense matrix takes up to %d", size,
                         DENSE_UNKNOWNS);
    if (status == NH_OK)
        status = derive(g, m, error);
    return status == NH_OK ? take(g, m->parameters, error) : status;
}

nh_status nh_gear_new(const nh_model *m, const nh_choice *choice, const nh_kernel *kernel, const nh_program *program,
                      bool quad, nh_gear_matrix matrix, nh_gear **out, nh_error *error)
{
    const bool mp = choice->method->kernel == NH_KERNEL_MP;
    *out = NULL;
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
    const nh_status status = set_up(g, m, matrix, error);
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
    nh_sparse_lu_free(g->whole.lu);
    nh_arena_free(&g->arena);
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

bool nh_gear_is_sparse(const nh_gear *g)
{
    return g->whole.pattern != NULL;
}

bool nh_gear_lacks_memory(const nh_gear *g)
{
    return g->whole.lu && nh_sparse_lu_lacks_memory(g->whole.lu);
}
