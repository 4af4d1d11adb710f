/* SPDX-License-Identifier: MIT */
#include "ensemble/surface.h"

#include "base/linear.h"
#include "base/status.h"
#include "model/derived.h"
#include "model/evaluate.h"

#include <stdlib.h>
#include <string.h>

enum { OF_MASS = 1, OF_K_V, OF_G_Q, OF_ENERGY, FUNCTIONS = OF_ENERGY };
enum { LARGEST = 1500 };

struct nh_surface {
    const nh_model *m;
    nh_consistency *consistency;
    nh_probe probe;
    bool bent;                            /* do M or K depend on v? Then the formula may not hold */
    int unknowns;                         /* velocities and multipliers */
    nh_quad *mass, *root, *rows, *saddle; /* M, M = root rootᵀ, K and g_q, [[M, Aᵀ], [A, 0]] */
    nh_quad *direction;
    int *pivot;
};

static bool depends_on_velocities(const nh_model *m, const nh_field *f)
{
    bool found = false;
    for (uint32_t i = 0; i < f->pieces; i++)
        found |= nh_depends(m->graph, f->piece[i].value, 1u << NH_V);
    return found;
}

static nh_status make_probe(nh_surface *s, nh_error *error)
{
    static const nh_request list[FUNCTIONS] = {{.of = NH_OF_LAGRANGIAN, .order = 2, .by = {NH_V, NH_V}},
                                               {.of = NH_OF_CONSTRAINT, .order = 1, .by = {NH_V}},
                                               {.of = NH_OF_HOLONOMIC, .order = 1, .by = {NH_Q}},
                                               {.of = NH_OF_ENERGY}};
    nh_field f[FUNCTIONS] = {{0}};
    nh_status status = NH_OK;
    for (int i = 0; status == NH_OK && i < FUNCTIONS; i++)
        status = nh_derive(s->m, list[i], &f[i], error);
    if (status == NH_OK)
        status = nh_probe_new(s->m->graph, f, FUNCTIONS, s->m->parameters, &s->probe, error);
    s->bent = depends_on_velocities(s->m, &f[OF_MASS - 1]) || depends_on_velocities(s->m, &f[OF_K_V - 1]);
    for (int i = 0; i < FUNCTIONS; i++)
        nh_field_free(&f[i]);
    return status;
}

static nh_status take_memory(nh_surface *s, nh_error *error)
{
    const size_t n = (size_t)s->m->n, N = (size_t)s->unknowns;
    s->mass = calloc(n * n, sizeof *s->mass);
    s->root = calloc(n * n, sizeof *s->root);
    s->rows = calloc(N * n, sizeof *s->rows);
    s->saddle = calloc(N * N, sizeof *s->saddle);
    s->direction = calloc(N, sizeof *s->direction);
    s->pivot = calloc(N, sizeof *s->pivot);
    return s->mass && s->root && s->rows && s->saddle && s->direction && s->pivot
               ? NH_OK
               : nh_fail(error, NH_MEMORY, "out of memory");
}

nh_status nh_surface_new(const nh_model *m, nh_consistency *consistency, nh_surface **out, nh_error *error)
{
    *out = NULL;
    if (m->n + m->m + m->holonomic > LARGEST)
        return nh_fail(error, NH_LIMIT, "the system is too large for draws on an energy surface");
    nh_surface *s = calloc(1, sizeof *s);
    if (!s)
        return nh_fail(error, NH_MEMORY, "out of memory");
    *s = (nh_surface){.m = m, .consistency = consistency, .unknowns = m->n + m->m + m->holonomic};
    nh_status status = take_memory(s, error);
    if (status == NH_OK)
        status = make_probe(s, error);
    if (status == NH_OK)
        *out = s;
    else
        nh_surface_free(s);
    return status;
}

void nh_surface_free(nh_surface *s)
{
    if (!s)
        return;
    nh_probe_free(&s->probe);
    free(s->mass);
    free(s->root);
    free(s->rows);
    free(s->saddle);
    free(s->direction);
    free(s->pivot);
    free(s);
}

/* Cholesky's M = root rootᵀ; false where M is not positive definite. */
static bool take_root(const nh_quad *mass, int n, nh_quad *root)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            nh_quad sum = mass[i * n + j];
            for (int k = 0; k < j; k++)
                sum -= root[i * n + k] * root[j * n + k];
            if (i == j && !(sum > 0))
                return false;
            root[i * n + j] = i == j ? nh_quad_sqrt(sum) : sum / root[j * n + j];
        }
    return true;
}

static void fill_saddle(nh_surface *s)
{
    const int n = s->m->n, N = s->unknowns;
    memset(s->saddle, 0, (size_t)N * (size_t)N * sizeof *s->saddle);
    for (int i = 0; i < n; i++)
        memcpy(s->saddle + i * N, s->mass + i * n, (size_t)n * sizeof *s->mass);
    for (int c = n; c < N; c++)
        for (int j = 0; j < n; j++)
            s->saddle[c * N + j] = s->saddle[j * N + c] = s->rows[(c - n) * n + j];
}

/* With ξ of independent normal numbers, w = root⁻ᵀ ξ has the same distribution in all directions of the metric M, and
 * so has its projection d: M d + Aᵀ μ = M w = root ξ, A d = 0. */
static bool draw_direction(nh_surface *s, nh_draw_key key)
{
    const int n = s->m->n, N = s->unknowns;
    nh_quad *d = s->direction, square = 0;
    if (!take_root(s->mass, n, s->root))
        return false;
    fill_saddle(s);
    memset(d, 0, (size_t)N * sizeof *d);
    for (int j = 0; j < n; j++, key.variable++) {
        const nh_quad xi = (nh_quad)nh_random_normal(key);
        for (int i = j; i < n; i++)
            d[i] += s->root[i * n + j] * xi;
    }
    if (!nh_lu_quad(s->saddle, N, s->pivot))
        return false;
    nh_lu_solve_quad(s->saddle, N, s->pivot, d);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            square += d[i] * s->mass[i * n + j] * d[j];
    for (int i = 0; i < n; i++)
        d[i] /= nh_quad_sqrt(square);
    return square > 0;
}

static nh_quad energy_at(nh_surface *s, const nh_quad *const x[NH_SPACES])
{
    nh_quad energy;
    nh_probe_run(&s->probe, OF_ENERGY, x, &energy);
    return energy;
}

static nh_status refuse_form(nh_error *error)
{
    return nh_fail(error, NH_USAGE,
                   "draws on an energy surface need a kinetic energy that is quadratic, and constraints that are "
                   "affine, in the velocities");
}

/* Did the formula hold? It does where E is quadratic in v, and the constraints are affine. */
static nh_status check(nh_surface *s, nh_quad t, nh_quad energy, const nh_quad *const x[NH_SPACES], nh_error *error)
{
    nh_violation is;
    const double off = (double)nh_quad_abs(energy_at(s, x) - energy);
    nh_consistency_violation(s->consistency, t, x[NH_Q], x[NH_V], &is);
    if (off <= 1e-12 * (1 + (double)nh_quad_abs(energy)) && nh_violation_is_none(&is))
        return NH_OK;
    return refuse_form(error);
}

nh_status nh_surface_draw(nh_surface *s, const nh_quad *parameters, nh_quad t, nh_quad energy, nh_draw_key key,
                          nh_quad *q, nh_quad *v, bool *below, nh_error *error)
{
    const int n = s->m->n;
    const nh_quad *x[NH_SPACES] = {[NH_TIME] = &t, [NH_Q] = q, [NH_V] = v};
    *below = false;
    memset(v, 0, (size_t)n * sizeof *v);
    nh_status status = nh_consistency_project(s->consistency, t, q, v, error);
    if (status != NH_OK)
        return status;
    nh_probe_parameters(&s->probe, parameters);
    nh_probe_run(&s->probe, OF_MASS, x, s->mass);
    nh_probe_run(&s->probe, OF_K_V, x, s->rows);
    nh_probe_run(&s->probe, OF_G_Q, x, s->rows + s->m->m * n);
    const nh_quad left = energy - energy_at(s, x);
    if (left < 0) {
        *below = true;
        return NH_OK;
    }
    const bool drawn = left >= 0 && draw_direction(s, key);
    if (!drawn && s->bent)
        return refuse_form(error);
    if (!drawn)
        return nh_fail(error, NH_MODEL,
                       "no velocities can be drawn: the mass matrix or the constraints are singular there");
    for (int i = 0; i < n; i++)
        v[i] += nh_quad_sqrt(2 * left) * s->direction[i];
    return check(s, t, energy, x, error);
}
