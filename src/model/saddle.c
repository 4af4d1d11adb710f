/* SPDX-License-Identifier: MIT */
#include "model/saddle.h"

#include "base/linear.h"
#include "base/symmetric.h"
#include "model/derived.h"
#include "model/sparse.h"

#include <stdlib.h>
#include <string.h>

#define MOST_PRODUCTS 6e8 /* of a factorisation: some 30 seconds */

enum { MASS, ROWS, NORMALS, PARTS }; /* L_vv, K, g_q */

struct nh_saddle {
    int n, m, l;
    bool dense;
    nh_probe probe;
    nh_quad *matrix, *block; /* dense; room for a part of it */
    int *pivot;
    nh_sparse part[PARTS];
    nh_arena arena;
    nh_symmetric factors; /* nodes: coordinates, rows of K, rows of g_q */
    nh_quad *b;
};

static nh_status out_of_memory(nh_error *error)
{
    return nh_fail(error, NH_MEMORY, "out of memory while looking at initial data");
}

nh_status nh_saddle_too_large(nh_error *error)
{
    return nh_fail(error, NH_LIMIT, "the system is too large for the projection of initial data");
}

/* ---- Dense ---- */

static nh_status make_dense(nh_saddle *s, const nh_model *m, const nh_field *f, nh_error *error)
{
    const size_t N = (size_t)(s->n + s->m + s->l) + 1;
    s->matrix = calloc(N * N, sizeof *s->matrix);
    s->block = calloc(N * N, sizeof *s->block);
    s->pivot = calloc(N, sizeof *s->pivot);
    if (!s->matrix || !s->block || !s->pivot)
        return out_of_memory(error);
    return nh_probe_new(m->graph, f, PARTS, m->parameters, &s->probe, error);
}

/* Rows `row` … of A and its transpose among N unknowns. */
static void place(nh_saddle *s, int rows, int row, int N)
{
    const int n = s->n;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < n; j++) {
            const nh_quad entry = s->block[i * n + j];
            s->matrix[(n + row + i) * N + j] = entry;
            s->matrix[j * N + n + row + i] = entry;
        }
}

static nh_saddle_result solve_dense(nh_saddle *s, const nh_quad *const *x, bool velocities, nh_quad *b)
{
    const int n = s->n, first = velocities ? s->m : 0, N = n + first + s->l;
    memset(s->matrix, 0, (size_t)N * (size_t)N * sizeof *s->matrix);
    nh_probe_run(&s->probe, 1 + MASS, x, s->block);
    for (int i = 0; i < n; i++)
        memcpy(s->matrix + i * N, s->block + i * n, (size_t)n * sizeof *s->block);
    if (velocities) {
        nh_probe_run(&s->probe, 1 + ROWS, x, s->block);
        place(s, s->m, 0, N);
    }
    nh_probe_run(&s->probe, 1 + NORMALS, x, s->block);
    place(s, s->l, first, N);
    if (!nh_quads_finite(s->matrix, (size_t)N * (size_t)N))
        return NH_SADDLE_NOT_FINITE;
    if (!nh_lu_quad(s->matrix, N, s->pivot))
        return NH_SADDLE_SINGULAR;
    nh_lu_solve_quad(s->matrix, N, s->pivot, b);
    return NH_SADDLE_SOLVED;
}

nh_quad *nh_saddle_rows(nh_saddle *s, const nh_quad *const *x)
{
    nh_probe_run(&s->probe, 1 + ROWS, x, s->block);
    nh_probe_run(&s->probe, 1 + NORMALS, x, s->block + s->m * s->n);
    return s->block;
}

/* ---- Sparse ---- */

/* The node of row r of a part. */
static int node_of(const nh_saddle *s, int part, int r)
{
    return part == MASS ? r : part == ROWS ? s->n + r : s->n + s->m + r;
}

/* Calls for the entries beside the diagonal, each once. */
static void each_pair(const nh_saddle *s, void (*look)(int a, int b, int *to), int *to)
{
    for (int part = 0; part < PARTS; part++) {
        const nh_pattern *p = &s->part[part].pattern;
        for (int r = 0; r < p->rows; r++)
            for (size_t e = p->start[r]; e < p->start[r + 1]; e++)
                if (part != MASS || p->column[e] > r)
                    look(node_of(s, part, r), p->column[e], to);
    }
}

static void count_pair(int a, int b, int *start)
{
    start[a + 1]++;
    start[b + 1]++;
}

/* Places of node i end at to[i]; the numbers of neighbours follow behind those of all nodes. */
static void enter_pair(int a, int b, int *to)
{
    to[to[a]++] = b;
    to[to[b]++] = a;
}

static nh_status make_factors(nh_saddle *s, nh_error *error)
{
    const int nodes = s->n + s->m + s->l;
    int *start = NH_NEW(&s->arena, int, nodes + 1);
    if (!start)
        return out_of_memory(error);
    each_pair(s, count_pair, start);
    for (int i = 0; i < nodes; i++)
        start[i + 1] += start[i];
    int *near = NH_NEW(&s->arena, int, nodes + start[nodes] + 1);
    s->b = NH_NEW(&s->arena, nh_quad, nodes + 1);
    if (!near || !s->b)
        return out_of_memory(error);
    for (int i = 0; i < nodes; i++)
        near[i] = nodes + start[i];
    each_pair(s, enter_pair, near);
    const nh_neighbours graph = {.nodes = nodes, .late = s->n, .start = start, .near = near + nodes};
    if (nh_symmetric_new(&graph, MOST_PRODUCTS, &s->arena, &s->factors))
        return NH_OK;
    return s->arena.failed ? out_of_memory(error) : nh_saddle_too_large(error);
}

static nh_status make_sparse(nh_saddle *s, const nh_model *m, nh_field *f, nh_error *error)
{
    nh_status status = NH_OK;
    for (int i = 0; status == NH_OK && i < PARTS; i++) {
        status = nh_sparse_new(m, NULL, &f[i], &s->part[i], error);
        if (status == NH_OK && s->part[i].too_many)
            status = nh_saddle_too_large(error);
    }
    return status == NH_OK ? make_factors(s, error) : status;
}

/* For positions, rows of K have equations of their own. */
static void gather(nh_saddle *s, bool velocities)
{
    nh_symmetric_clear(&s->factors);
    for (int part = 0; part < PARTS; part++) {
        const nh_pattern *p = &s->part[part].pattern;
        for (int r = 0; r < p->rows && (part != ROWS || velocities); r++)
            for (size_t e = p->start[r]; e < p->start[r + 1]; e++)
                if (part != MASS || p->column[e] >= r)
                    nh_symmetric_add(&s->factors, node_of(s, part, r), p->column[e], s->part[part].value[e]);
    }
    for (int r = 0; r < s->m && !velocities; r++)
        nh_symmetric_add(&s->factors, s->n + r, s->n + r, 1);
}

static nh_saddle_result solve_sparse(nh_saddle *s, const nh_quad *const *x, bool velocities, nh_quad *b)
{
    const size_t n = (size_t)s->n, m = (size_t)s->m, l = (size_t)s->l, first = velocities ? m : 0;
    for (int part = 0; part < PARTS; part++)
        if (!nh_sparse_at(&s->part[part], 0, x))
            return NH_SADDLE_NOT_FINITE;
    gather(s, velocities);
    if (!nh_symmetric_factor(&s->factors))
        return NH_SADDLE_SINGULAR;
    memset(s->b, 0, (n + m + l) * sizeof *b);
    memcpy(s->b, b, (n + first) * sizeof *b);
    memcpy(s->b + n + m, b + n + first, l * sizeof *b);
    nh_symmetric_solve(&s->factors, s->b);
    memcpy(b, s->b, (n + first) * sizeof *b);
    memcpy(b + n + first, s->b + n + m, l * sizeof *b);
    return NH_SADDLE_SOLVED;
}

/* ---- Either ---- */

nh_status nh_saddle_new(const nh_model *m, int dense, nh_saddle **out, nh_error *error)
{
    static const nh_request list[PARTS] = {[MASS] = {.of = NH_OF_LAGRANGIAN, .order = 2, .by = {NH_V, NH_V}},
                                           [ROWS] = {.of = NH_OF_CONSTRAINT, .order = 1, .by = {NH_V}},
                                           [NORMALS] = {.of = NH_OF_HOLONOMIC, .order = 1, .by = {NH_Q}}};
    nh_field f[PARTS] = {{0}};
    nh_saddle *s = *out = calloc(1, sizeof *s);
    if (!s)
        return out_of_memory(error);
    *s = (nh_saddle){.n = m->n, .m = m->m, .l = m->holonomic, .dense = m->n + m->m + m->holonomic <= dense};
    nh_status status = NH_OK;
    for (int i = 0; status == NH_OK && i < PARTS; i++)
        status = nh_derive(m, list[i], &f[i], error);
    nh_graph_report(m->graph, NULL); /* a failure is told, and harms nothing that comes later */
    if (status == NH_OK)
        status = s->dense ? make_dense(s, m, f, error) : make_sparse(s, m, f, error);
    for (int i = 0; i < PARTS; i++)
        nh_field_free(&f[i]);
    if (status != NH_OK) {
        nh_saddle_free(s);
        *out = NULL;
    }
    return status;
}

void nh_saddle_free(nh_saddle *s)
{
    if (!s)
        return;
    nh_probe_free(&s->probe);
    for (int i = 0; i < PARTS; i++)
        nh_sparse_free(&s->part[i]);
    free(s->matrix);
    free(s->block);
    free(s->pivot);
    nh_arena_free(&s->arena);
    free(s);
}

void nh_saddle_parameters(nh_saddle *s, const nh_quad *parameters)
{
    if (s->dense)
        nh_probe_parameters(&s->probe, parameters);
    for (int i = 0; i < PARTS && !s->dense; i++)
        nh_probe_parameters(&s->part[i].probe, parameters);
}

nh_saddle_result nh_saddle_solve(nh_saddle *s, const nh_quad *const *x, bool velocities, nh_quad *b)
{
    return (s->dense ? solve_dense : solve_sparse)(s, x, velocities, b);
}
