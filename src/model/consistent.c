/* SPDX-License-Identifier: MIT */
#include "model/consistent.h"

#include "base/linear.h"
#include "model/derived.h"
#include "model/evaluate.h"
#include "model/saddle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ALONG = 1u << NH_TIME | 1u << NH_Q, MOST_FUNCTIONS = 8 };

static nh_status out_of_memory(nh_error *error)
{
    return nh_fail(error, NH_MEMORY, "out of memory while looking at initial data");
}

/* Functions 1 … count are those of the list; then the reaches of its first `weighed` ones follow. Parameters may be
 * NULL: they come later. */
static nh_status make_probe(const nh_model *m, const nh_request *list, int count, int weighed,
                            const nh_quad *parameters, nh_probe *out, nh_error *error)
{
    nh_field f[MOST_FUNCTIONS] = {{0}};
    nh_status status = NH_OK;
    *out = (nh_probe){0};
    for (int i = 0; status == NH_OK && i < count; i++)
        status = nh_derive(m, list[i], &f[i], error);
    for (int i = 0; status == NH_OK && i < weighed; i++)
        status = nh_field_reach(m->graph, &f[i], ~0u, &f[count + i], error);
    nh_graph_report(m->graph, NULL); /* a failure is told, and harms nothing that comes later */
    if (status == NH_OK)
        status = nh_probe_new(m->graph, f, count + weighed, m->parameters, out, error);
    if (status == NH_OK && (parameters || m->parameters == 0))
        nh_probe_parameters(out, parameters);
    for (int i = 0; i < count + weighed; i++)
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

/* A reach may not be finite where the equation is, like that of sqrt(x) at 0; there it does not count. */
static nh_excess largest_excess(const nh_quad *is, const nh_quad *reach, int rows)
{
    nh_excess most = {0, 0};
    for (int i = 0; i < rows; i++) {
        const nh_quad by = nh_quad_abs(is[i]), scale = 1 + (nh_quad_finite(reach[i]) ? reach[i] : 0);
        const double relative = nh_quad_finite(by) ? (double)(by / scale) : INFINITY;
        if (relative > most.relative)
            most = (nh_excess){(double)by, relative};
    }
    return most;
}

/* Function `of` of a probe, whose reach is function `of` + `functions`; y has room for both. */
static nh_excess excess_of(nh_probe *p, int of, int functions, const nh_quad *const *x, int rows, nh_quad *y)
{
    nh_probe_run(p, of, x, y);
    nh_probe_run(p, of + functions, x, y + rows);
    return largest_excess(y, y + rows, rows);
}

static nh_status dae_violation(const nh_model *m, const nh_quad *parameters, const nh_quad **x, nh_quad *y,
                               nh_violation *out, nh_error *error)
{
    static const nh_request list[] = {
        {.of = NH_OF_CONSTRAINT}, {.of = NH_OF_CONSTRAINT, .tangent = ALONG}, {.of = NH_OF_FORCE}};
    nh_probe probe;
    nh_status status = make_probe(m, list, 3, 2, parameters, &probe, error);
    if (status != NH_OK)
        return status;
    x[NH_LAMBDA] = x[NH_V];
    nh_probe_run(&probe, 3, x, y);
    x[NH_D_Q] = y;
    out->holonomic = excess_of(&probe, 1, 3, x, m->m, y + m->n);
    out->hidden = excess_of(&probe, 2, 3, x, m->m, y + m->n);
    nh_probe_free(&probe);
    return NH_OK;
}

/* 0 = H_w for every variable w without entries in J. */
static nh_status hamiltonian_violation(const nh_model *m, const nh_quad *parameters, const nh_quad **x, nh_quad *y,
                                       nh_violation *out, nh_error *error)
{
    static const nh_request list[] = {{.of = NH_OF_LAGRANGIAN, .order = 1, .by = {NH_Q}}, {.of = NH_OF_STRUCTURE}};
    nh_probe probe;
    nh_status status = make_probe(m, list, 2, 1, parameters, &probe, error);
    if (status != NH_OK)
        return status;
    const size_t n = (size_t)m->n;
    nh_probe_run(&probe, 1, x, y);
    nh_probe_run(&probe, 3, x, y + n);
    nh_probe_run(&probe, 2, x, y + 2 * n);
    for (size_t i = 0; i < n; i++)
        if (largest(y + (2 + i) * n, m->n) != 0)
            y[i] = 0;
    out->hidden = largest_excess(y, y + n, m->n);
    nh_probe_free(&probe);
    return NH_OK;
}

double nh_violation_worst(const nh_violation *is)
{
    return fmax(is->velocity.relative, fmax(is->holonomic.relative, is->hidden.relative));
}

bool nh_violation_is_none(const nh_violation *is)
{
    return nh_violation_worst(is) <= NH_CONSISTENT;
}

const char *nh_violation_which(const nh_violation *is, double *by)
{
    const bool velocity = is->velocity.relative > NH_CONSISTENT, holonomic = is->holonomic.relative > NH_CONSISTENT;
    *by = velocity ? is->velocity.by : holonomic ? is->holonomic.by : is->hidden.by;
    return velocity ? "velocity constraints" : holonomic ? "constraints on positions" : "differentiated constraints";
}

/* ---- Projection ---- */

enum { OF_G = 1, OF_K, OF_G_RATE, VALUES = OF_G_RATE }; /* of the probe of values; then their reaches */

struct nh_consistency {
    const nh_model *m;
    nh_quad *parameters;
    nh_quad *y; /* room for values and reaches */
    nh_probe values;
    nh_saddle *saddle; /* made for the first projection: a violation alone does not need it */
    bool too_large;    /* for it */
    nh_quad *b;        /* its right-hand side */
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
    c->y = calloc(2 * (size_t)(m->m + m->holonomic) + 1, sizeof *c->y);
    c->b = calloc((size_t)(m->n + m->m + m->holonomic) + 1, sizeof *c->b);
    nh_status status = c->parameters && c->y && c->b ? make_probe(m, list, VALUES, VALUES, NULL, &c->values, error)
                                                     : out_of_memory(error);
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
    nh_saddle_free(c->saddle);
    free(c->parameters);
    free(c->y);
    free(c->b);
    free(c);
}

void nh_consistency_parameters(nh_consistency *c, const nh_quad *parameters)
{
    if (c->m->parameters > 0)
        memcpy(c->parameters, parameters, (size_t)c->m->parameters * sizeof *parameters);
    nh_probe_parameters(&c->values, c->parameters);
    if (c->saddle)
        nh_saddle_parameters(c->saddle, c->parameters);
}

void nh_consistency_violation(nh_consistency *c, nh_quad t, const nh_quad *q, const nh_quad *v, nh_violation *out)
{
    const nh_quad one = 1, *x[NH_SPACES] = {[NH_TIME] = &t, [NH_Q] = q, [NH_V] = v, [NH_D_TIME] = &one, [NH_D_Q] = v};
    out->holonomic = excess_of(&c->values, OF_G, VALUES, x, c->m->holonomic, c->y);
    out->velocity = excess_of(&c->values, OF_K, VALUES, x, c->m->m, c->y);
    out->hidden = excess_of(&c->values, OF_G_RATE, VALUES, x, c->m->holonomic, c->y);
}

static nh_status make_saddle(nh_consistency *c, nh_error *error)
{
    if (c->saddle)
        return NH_OK;
    if (c->too_large)
        return nh_saddle_too_large(error);
    const nh_status status = nh_saddle_new(c->m, NH_SADDLE_DENSE, &c->saddle, error);
    c->too_large = status == NH_LIMIT;
    if (status == NH_OK)
        nh_saddle_parameters(c->saddle, c->parameters);
    return status;
}

/* Residuals of the constraints of positions (g) or velocities (k, g_q v + g_t), and their reaches; returns the number
 * of unknowns. */
static int fill(nh_consistency *p, const nh_quad *const *x, bool velocities)
{
    int n = p->m->n, first = velocities ? p->m->m : 0, N = n + first + p->m->holonomic;
    memset(p->b, 0, (size_t)N * sizeof *p->b);
    if (velocities) {
        nh_probe_run(&p->values, OF_K, x, p->b + n);
        nh_probe_run(&p->values, VALUES + OF_K, x, p->y);
    }
    const int of = velocities ? OF_G_RATE : OF_G;
    nh_probe_run(&p->values, of, x, p->b + n + first);
    nh_probe_run(&p->values, VALUES + of, x, p->y + first);
    return N;
}

/* Newton's method for q (velocities false) or v. It ends where every constraint is at its own round-off. */
static nh_status move(nh_consistency *p, const nh_quad *const *x, nh_quad *unknown, bool velocities, nh_error *error)
{
    enum { ROUNDS = 80 };
    const double fine = NH_QUAD_IS_FLOAT128 ? 1e-32 : 1e-16;
    int n = p->m->n;
    const char *what = velocities ? "velocities" : "positions";
    double least = INFINITY;
    for (int round = 0; round < ROUNDS; round++) {
        int N = fill(p, x, velocities);
        const double off = largest_excess(p->b + n, p->y, N - n).relative;
        const bool stuck = off >= least && off <= 1e8 * fine;
        if (off <= fine || stuck)
            return NH_OK;
        least = fmin(least, off);
        const nh_saddle_result result =
            nh_quads_finite(p->b, (size_t)N) ? nh_saddle_solve(p->saddle, x, velocities, p->b) : NH_SADDLE_NOT_FINITE;
        if (result == NH_SADDLE_NOT_FINITE)
            return nh_fail(error, NH_MODEL, "no consistent %s were found: a value is not finite", what);
        if (result == NH_SADDLE_SINGULAR)
            return nh_fail(error, NH_MODEL, "no consistent %s were found: the constraints are singular", what);
        for (int i = 0; i < n; i++)
            unknown[i] -= p->b[i];
    }
    return nh_fail(error, NH_MODEL, "no consistent %s were found near the initial data", what);
}

nh_status nh_consistency_prepare(nh_consistency *c, nh_error *error)
{
    const nh_status status = make_saddle(c, error);
    if (status == NH_LIMIT && error)
        *error = (nh_error){0};
    return status == NH_LIMIT ? NH_OK : status; /* then there is no projection */
}

nh_status nh_consistency_project(nh_consistency *c, nh_quad t, nh_quad *q, nh_quad *v, nh_error *error)
{
    const nh_quad one = 1, *x[NH_SPACES] = {[NH_TIME] = &t, [NH_Q] = q, [NH_V] = v, [NH_D_TIME] = &one, [NH_D_Q] = v};
    if (c->m->kind != NH_LAGRANGIAN)
        return nh_fail(error, NH_USAGE, "only data of Lagrangian systems can be projected");
    nh_status status = make_saddle(c, error);
    if (status == NH_OK)
        status = move(c, x, q, false, error);
    if (status == NH_OK)
        status = move(c, x, v, true, error);
    return status;
}

/* Rows of K and g_q, each divided by its largest entry: in what units a constraint is written does not matter. NULL:
 * one is not finite. */
static nh_quad *scaled_rows(nh_consistency *c, const nh_quad *const *x, int rows)
{
    const int n = c->m->n;
    nh_quad *all = nh_saddle_rows(c->saddle, x);
    for (int i = 0; i < rows; i++) {
        nh_quad *row = all + (size_t)i * (size_t)n;
        const nh_quad size = largest(row, n);
        for (int j = 0; size > 0 && j < n; j++)
            row[j] /= size;
    }
    return nh_quads_finite(all, (size_t)rows * (size_t)n) ? all : NULL;
}

nh_status nh_consistency_independent(nh_consistency *c, nh_quad t, const nh_quad *q, const nh_quad *v, nh_error *error)
{
    const nh_quad *x[NH_SPACES] = {[NH_TIME] = &t, [NH_Q] = q, [NH_V] = v};
    const int rows = c->m->m + c->m->holonomic;
    if (rows == 0 || c->m->n + rows > NH_SADDLE_DENSE)
        return NH_OK;
    const nh_status status = make_saddle(c, error);
    nh_quad *all = status == NH_OK ? scaled_rows(c, x, rows) : NULL;
    if (!all)
        return status;
    const int rank = nh_eliminate_quad(all, rows, c->m->n, NH_RANK_ZERO, NULL, NULL, NULL);
    if (rank == rows)
        return NH_OK;
    return nh_fail(error, NH_MODEL,
                   "the constraints have rank %d of %d at the initial data: the equations do not determine the motion "
                   "there; 'nonholo check' says more",
                   rank, rows);
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
    *out = (nh_violation){0};
    if (m->kind == NH_LAGRANGIAN)
        return lagrangian_violation(m, parameters, t, q, v, out, error);
    size_t n = (size_t)m->n, room = (m->kind == NH_HAMILTONIAN ? n * n : 0) + 2 * (n + (size_t)m->m) + 1;
    nh_quad *y = calloc(room, sizeof *y);
    if (!y)
        return out_of_memory(error);
    nh_status status = m->kind == NH_DAE ? dae_violation(m, parameters, x, y, out, error)
                                         : hamiltonian_violation(m, parameters, x, y, out, error);
    free(y);
    return status;
}
