/* SPDX-License-Identifier: MIT */
#include "model/consistent.h"

#include "base/linear.h"
#include "model/derived.h"
#include "model/evaluate.h"

#include <stdlib.h>
#include <string.h>

enum { LARGEST = 1500 }; /* of dense matrices in quad precision */
enum { ALONG = 1u << NH_TIME | 1u << NH_Q };

static nh_status out_of_memory(nh_error *error)
{
    return nh_fail(error, NH_MEMORY, "out of memory while looking at initial data");
}

/* Parameters may be NULL: they come later. */
static nh_status make_probe(const nh_model *m, const nh_request *list, int count, const nh_quad *parameters,
                            nh_probe *out, nh_error *error)
{
    nh_field f[8] = {{0}};
    nh_status status = NH_OK;
    *out = (nh_probe){0};
    for (int i = 0; status == NH_OK && i < count; i++)
        status = nh_derive(m, list[i], &f[i], error);
    if (status == NH_OK)
        status = nh_probe_new(m->graph, f, count, m->parameters, out, error);
    if (status == NH_OK && (parameters || m->parameters == 0))
        nh_probe_parameters(out, parameters);
    for (int i = 0; i < count; i++)
        nh_field_free(&f[i]);
    return status;
}

static nh_quad largest(const nh_quad *x, int count)
{
    nh_quad most = 0;
    for (int i = 0; i < count; i++) {
        nh_quad size = nh_quad_abs(x[i]);
        if (!(size <= most)) /* also a NaN */
            most = size;
    }
    return most;
}

/* ---- Violation ---- */

static nh_status dae_violation(const nh_model *m, const nh_quad *parameters, const nh_quad **x, nh_quad *y,
                               nh_violation *out, nh_error *error)
{
    static const nh_request list[] = {
        {.of = NH_OF_CONSTRAINT}, {.of = NH_OF_FORCE}, {.of = NH_OF_CONSTRAINT, .tangent = ALONG}};
    nh_probe probe;
    nh_status status = make_probe(m, list, 3, parameters, &probe, error);
    if (status != NH_OK)
        return status;
    x[NH_LAMBDA] = x[NH_V];
    nh_probe_run(&probe, 1, x, y);
    out->holonomic = (double)largest(y, m->m);
    nh_probe_run(&probe, 2, x, y);
    x[NH_D_Q] = y;
    nh_probe_run(&probe, 3, x, y + m->n);
    out->hidden = (double)largest(y + m->n, m->m);
    nh_probe_free(&probe);
    return NH_OK;
}

/* 0 = H_w for every variable w without entries in J. */
static nh_status hamiltonian_violation(const nh_model *m, const nh_quad *parameters, const nh_quad **x, nh_quad *y,
                                       nh_violation *out, nh_error *error)
{
    static const nh_request list[] = {{.of = NH_OF_STRUCTURE}, {.of = NH_OF_LAGRANGIAN, .order = 1, .by = {NH_Q}}};
    nh_probe probe;
    nh_status status = make_probe(m, list, 2, parameters, &probe, error);
    if (status != NH_OK)
        return status;
    size_t n = (size_t)m->n;
    nh_probe_run(&probe, 2, x, y);
    nh_probe_run(&probe, 1, x, y + n);
    for (size_t i = 0; i < n; i++)
        if (largest(y + n + i * n, m->n) == 0 && (double)nh_quad_abs(y[i]) > out->hidden)
            out->hidden = (double)nh_quad_abs(y[i]);
    nh_probe_free(&probe);
    return NH_OK;
}

/* ---- Projection ---- */

enum { OF_G = 1, OF_K, OF_G_RATE };   /* of the probe of values */
enum { OF_MASS = 1, OF_G_Q, OF_K_V }; /* of the probe of matrices */

struct nh_consistency {
    const nh_model *m;
    nh_quad *parameters;
    nh_quad *y; /* room for the values */
    nh_probe values, matrices;
    nh_quad *matrix, *block, *b; /* the saddle-point system, room for a part of it, its right-hand side */
    int *pivot;
};

nh_status nh_consistency_new(const nh_model *m, nh_consistency **out, nh_error *error)
{
    static const nh_request list[] = {
        {.of = NH_OF_HOLONOMIC}, {.of = NH_OF_CONSTRAINT}, {.of = NH_OF_HOLONOMIC, .tangent = ALONG}};
    nh_consistency *c = *out = calloc(1, sizeof *c);
    if (!c)
        return out_of_memory(error);
    c->m = m;
    c->parameters = calloc((size_t)m->parameters + 1, sizeof *c->parameters);
    c->y = calloc((size_t)(m->m + m->holonomic) + 1, sizeof *c->y);
    nh_status status =
        c->parameters && c->y ? make_probe(m, list, OF_G_RATE, NULL, &c->values, error) : out_of_memory(error);
    if (status != NH_OK) {
        nh_consistency_free(c);
        *out = NULL;
    }
    return status;
}

void nh_consistency_free(nh_consistency *c)
{
    if (!c)
        return;
    nh_probe_free(&c->values);
    nh_probe_free(&c->matrices);
    free(c->parameters);
    free(c->y);
    free(c->matrix);
    free(c->block);
    free(c->b);
    free(c->pivot);
    free(c);
}

void nh_consistency_parameters(nh_consistency *c, const nh_quad *parameters)
{
    if (c->m->parameters > 0)
        memcpy(c->parameters, parameters, (size_t)c->m->parameters * sizeof *parameters);
    nh_probe_parameters(&c->values, c->parameters);
    if (c->matrices.program)
        nh_probe_parameters(&c->matrices, c->parameters);
}

void nh_consistency_violation(nh_consistency *c, nh_quad t, const nh_quad *q, const nh_quad *v, nh_violation *out)
{
    const nh_quad one = 1, *x[NH_SPACES] = {[NH_TIME] = &t, [NH_Q] = q, [NH_V] = v, [NH_D_TIME] = &one, [NH_D_Q] = v};
    const nh_model *m = c->m;
    *out = (nh_violation){.scale = 1 + (double)largest(q, m->n) + (double)largest(v, m->n)};
    nh_probe_run(&c->values, OF_G, x, c->y);
    out->holonomic = (double)largest(c->y, m->holonomic);
    nh_probe_run(&c->values, OF_K, x, c->y);
    out->velocity = (double)largest(c->y, m->m);
    nh_probe_run(&c->values, OF_G_RATE, x, c->y);
    out->hidden = (double)largest(c->y, m->holonomic);
}

bool nh_violation_is_none(const nh_violation *is)
{
    const double limit = NH_CONSISTENT * is->scale;
    return is->velocity <= limit && is->holonomic <= limit && is->hidden <= limit;
}

/* What only a projection needs: made for the first one. */
static nh_status make_matrices(nh_consistency *c, nh_error *error)
{
    static const nh_request list[] = {{.of = NH_OF_LAGRANGIAN, .order = 2, .by = {NH_V, NH_V}},
                                      {.of = NH_OF_HOLONOMIC, .order = 1, .by = {NH_Q}},
                                      {.of = NH_OF_CONSTRAINT, .order = 1, .by = {NH_V}}};
    const size_t N = (size_t)(c->m->n + c->m->m + c->m->holonomic) + 1;
    if (c->matrices.program)
        return NH_OK;
    c->matrix = calloc(N * N, sizeof *c->matrix);
    c->block = calloc(N * N, sizeof *c->block);
    c->b = calloc(N, sizeof *c->b);
    c->pivot = calloc(N, sizeof *c->pivot);
    if (!c->matrix || !c->block || !c->b || !c->pivot)
        return out_of_memory(error);
    return make_probe(c->m, list, OF_K_V, c->parameters, &c->matrices, error);
}

/* Rows `row` … of A and its transpose in [[M, Aᵀ], [A, 0]] of N unknowns. */
static void place(nh_consistency *p, int rows, int row, int N)
{
    int n = p->m->n;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < n; j++) {
            nh_quad entry = p->block[(size_t)i * (size_t)n + (size_t)j];
            p->matrix[(size_t)(n + row + i) * (size_t)N + (size_t)j] = entry;
            p->matrix[(size_t)j * (size_t)N + (size_t)(n + row + i)] = entry;
        }
}

/* Fills the system for positions (g) or velocities (k, g_q v + g_t); returns the number of its unknowns. */
static int fill(nh_consistency *p, const nh_quad *const *x, bool velocities)
{
    int n = p->m->n, first = velocities ? p->m->m : 0, N = n + first + p->m->holonomic;
    memset(p->matrix, 0, (size_t)N * (size_t)N * sizeof *p->matrix);
    memset(p->b, 0, (size_t)N * sizeof *p->b);
    nh_probe_run(&p->matrices, OF_MASS, x, p->block);
    for (size_t i = 0; i < (size_t)n; i++)
        memcpy(p->matrix + i * (size_t)N, p->block + i * (size_t)n, (size_t)n * sizeof *p->block);
    if (velocities) {
        nh_probe_run(&p->matrices, OF_K_V, x, p->block);
        place(p, p->m->m, 0, N);
        nh_probe_run(&p->values, OF_K, x, p->b + n);
    }
    nh_probe_run(&p->matrices, OF_G_Q, x, p->block);
    place(p, p->m->holonomic, first, N);
    nh_probe_run(&p->values, velocities ? OF_G_RATE : OF_G, x, p->b + n + first);
    return N;
}

/* Newton's method for q (velocities false) or v. */
static nh_status move(nh_consistency *p, const nh_quad *const *x, nh_quad *unknown, bool velocities, nh_error *error)
{
    enum { ROUNDS = 80 };
    const nh_quad fine = NH_QUAD_IS_FLOAT128 ? (nh_quad)1e-32 : (nh_quad)1e-16;
    int n = p->m->n;
    const char *what = velocities ? "velocities" : "positions";
    nh_quad least = -1;
    for (int round = 0; round < ROUNDS; round++) {
        int N = fill(p, x, velocities);
        nh_quad size = largest(p->b + n, N - n), scale = 1 + largest(unknown, n);
        bool stuck = least >= 0 && !(size < least) && size <= scale * fine * 100000000;
        if (size <= fine * scale || stuck)
            return NH_OK;
        least = least < 0 || size < least ? size : least;
        if (!nh_quads_finite(p->matrix, (size_t)N * (size_t)N) || !nh_quads_finite(p->b, (size_t)N))
            return nh_fail(error, NH_MODEL, "no consistent %s were found: a value is not finite", what);
        if (!nh_lu_quad(p->matrix, N, p->pivot))
            return nh_fail(error, NH_MODEL, "no consistent %s were found: the constraints are singular", what);
        nh_lu_solve_quad(p->matrix, N, p->pivot, p->b);
        for (int i = 0; i < n; i++)
            unknown[i] -= p->b[i];
    }
    return nh_fail(error, NH_MODEL, "no consistent %s were found near the initial data", what);
}

static bool is_too_large(const nh_model *m)
{
    return m->n + m->m + m->holonomic > LARGEST;
}

nh_status nh_consistency_prepare(nh_consistency *c, nh_error *error)
{
    return is_too_large(c->m) ? NH_OK : make_matrices(c, error); /* then there is no projection */
}

nh_status nh_consistency_project(nh_consistency *c, nh_quad t, nh_quad *q, nh_quad *v, nh_error *error)
{
    const nh_quad one = 1, *x[NH_SPACES] = {[NH_TIME] = &t, [NH_Q] = q, [NH_V] = v, [NH_D_TIME] = &one, [NH_D_Q] = v};
    if (c->m->kind != NH_LAGRANGIAN)
        return nh_fail(error, NH_USAGE, "only data of Lagrangian systems can be projected");
    if (is_too_large(c->m))
        return nh_fail(error, NH_LIMIT, "the system is too large for the projection of initial data");
    nh_status status = make_matrices(c, error);
    if (status == NH_OK)
        status = move(c, x, q, false, error);
    if (status == NH_OK)
        status = move(c, x, v, true, error);
    return status;
}

/* ---- For one member ---- */

nh_status nh_project(const nh_model *m, const nh_quad *parameters, nh_quad t, nh_quad *q, nh_quad *v, nh_error *error)
{
    nh_consistency *c;
    nh_status status = nh_consistency_new(m, &c, error);
    if (status == NH_OK) {
        nh_consistency_parameters(c, parameters);
        status = nh_consistency_project(c, t, q, v, error);
    }
    nh_consistency_free(c);
    return status;
}

static nh_status lagrangian_violation(const nh_model *m, const nh_quad *parameters, nh_quad t, const nh_quad *q,
                                      const nh_quad *v, nh_violation *out, nh_error *error)
{
    nh_consistency *c;
    nh_status status = nh_consistency_new(m, &c, error);
    if (status == NH_OK) {
        nh_consistency_parameters(c, parameters);
        nh_consistency_violation(c, t, q, v, out);
    }
    nh_consistency_free(c);
    return status;
}

nh_status nh_violation_at(const nh_model *m, const nh_quad *parameters, nh_quad t, const nh_quad *q, const nh_quad *v,
                          nh_violation *out, nh_error *error)
{
    const nh_quad one = 1, *x[NH_SPACES] = {[NH_TIME] = &t, [NH_Q] = q, [NH_V] = v, [NH_D_TIME] = &one};
    *out = (nh_violation){.scale = 1 + (double)largest(q, m->n)};
    if (m->kind == NH_LAGRANGIAN)
        return lagrangian_violation(m, parameters, t, q, v, out, error);
    size_t n = (size_t)m->n, room = (m->kind == NH_HAMILTONIAN ? n * n : 0) + n + (size_t)m->m + 1;
    nh_quad *y = calloc(room, sizeof *y);
    if (!y)
        return out_of_memory(error);
    nh_status status = m->kind == NH_DAE ? dae_violation(m, parameters, x, y, out, error)
                                         : hamiltonian_violation(m, parameters, x, y, out, error);
    free(y);
    return status;
}
