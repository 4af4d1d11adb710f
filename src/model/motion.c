/* SPDX-License-Identifier: MIT */
/* Functions are derived once; each evaluation fills and solves one dense system. */
#include "model/motion.h"

#include "base/linear.h"
#include "model/derived.h"
#include "model/evaluate.h"

#include <stdlib.h>
#include <string.h>

enum { ALONG = 1u << NH_TIME | 1u << NH_Q, MOST_FUNCTIONS = 9 };

/* Functions of the program, by kind of system. */
enum { OF_MASS = 1, OF_FORCE, OF_MOMENTUM_RATE, OF_K, OF_K_RATE, OF_G, OF_G_RATE, OF_REACTION, OF_REACTION_BY_LAMBDA };
enum { OF_F = 1, OF_F_RATE, OF_F_BY_Z, OF_G_BY_Y, OF_G_SECOND };
enum { OF_J = 1, OF_GRADIENT, OF_HESSIAN };

struct nh_motion {
    nh_kind kind;
    int n, m, holonomic, unknowns;
    bool by_lambda; /* the nonideal reaction depends on the multipliers */
    nh_probe probe;
    nh_quad *memory;
    nh_quad *matrix, *block, *other; /* unknowns², and two of n·unknowns at least */
    nh_quad *x, *residual, *part;    /* unknowns each, at least n */
    int *pivot;
};

/* (v·∂_q + ∂_t)² of a column: the direction stays the same in both derivatives. */
static nh_status second_tangent(const nh_model *m, nh_quantity of, nh_field *out, nh_error *error)
{
    nh_field first;
    nh_status status = nh_derive(m, (nh_request){.of = of, .tangent = ALONG}, &first, error);
    if (status != NH_OK)
        return status;
    status = nh_field_tangent(m->graph, &first, ALONG, out, error);
    nh_field_free(&first);
    return status;
}

static nh_status derive_all(const nh_model *m, const nh_request *list, int count, nh_field *out, nh_error *error)
{
    nh_status status = NH_OK;
    for (int i = 0; status == NH_OK && i < count; i++)
        status = nh_derive(m, list[i], &out[i], error);
    return status;
}

static nh_status derive_lagrangian(const nh_model *m, nh_field *f, nh_error *error)
{
    static const nh_request list[] = {
        {.of = NH_OF_LAGRANGIAN, .order = 2, .by = {NH_V, NH_V}},
        {.of = NH_OF_FORCE},
        {.of = NH_OF_MOMENTUM, .tangent = ALONG},
        {.of = NH_OF_CONSTRAINT, .order = 1, .by = {NH_V}},
        {.of = NH_OF_CONSTRAINT, .tangent = ALONG},
        {.of = NH_OF_HOLONOMIC, .order = 1, .by = {NH_Q}},
    };
    nh_status status = derive_all(m, list, OF_G, f, error);
    if (status == NH_OK)
        status = second_tangent(m, NH_OF_HOLONOMIC, &f[OF_G_RATE - 1], error);
    nh_field reaction = m->reaction;
    reaction.rows = m->n;
    reaction.columns = 1;
    f[OF_REACTION - 1] = (nh_field){.rows = m->n, .columns = 1};
    for (uint32_t i = 0; status == NH_OK && i < reaction.pieces; i++)
        if (!nh_field_add(&f[OF_REACTION - 1], &reaction.piece[i]))
            status = nh_fail(error, NH_MEMORY, "out of memory");
    if (status == NH_OK)
        status = nh_field_jacobian(m->graph, &reaction, NH_LAMBDA, m->m + m->holonomic, &f[OF_REACTION_BY_LAMBDA - 1],
                                   error);
    return status;
}

static nh_status derive_dae(const nh_model *m, nh_field *f, nh_error *error)
{
    static const nh_request list[] = {
        {.of = NH_OF_FORCE},
        {.of = NH_OF_FORCE, .tangent = ALONG},
        {.of = NH_OF_FORCE, .order = 1, .by = {NH_LAMBDA}},
        {.of = NH_OF_CONSTRAINT, .order = 1, .by = {NH_Q}},
    };
    nh_status status = derive_all(m, list, OF_G_BY_Y, f, error);
    return status == NH_OK ? second_tangent(m, NH_OF_CONSTRAINT, &f[OF_G_SECOND - 1], error) : status;
}

static nh_status derive_hamiltonian(const nh_model *m, nh_field *f, nh_error *error)
{
    static const nh_request list[] = {
        {.of = NH_OF_STRUCTURE},
        {.of = NH_OF_LAGRANGIAN, .order = 1, .by = {NH_Q}},
        {.of = NH_OF_LAGRANGIAN, .order = 2, .by = {NH_Q, NH_Q}},
    };
    return derive_all(m, list, OF_HESSIAN, f, error);
}

static nh_status build(const nh_model *m, nh_motion *s, nh_error *error)
{
    nh_field f[MOST_FUNCTIONS] = {{0}};
    int count = m->kind == NH_LAGRANGIAN ? OF_REACTION_BY_LAMBDA : m->kind == NH_DAE ? OF_G_SECOND : OF_HESSIAN;
    nh_status status = m->kind == NH_LAGRANGIAN ? derive_lagrangian(m, f, error)
                       : m->kind == NH_DAE      ? derive_dae(m, f, error)
                                                : derive_hamiltonian(m, f, error);
    if (status == NH_OK)
        status = nh_probe_new(m->graph, f, count, m->parameters, &s->probe, error);
    s->by_lambda = m->kind == NH_LAGRANGIAN && f[OF_REACTION_BY_LAMBDA - 1].pieces > 0;
    for (int i = 0; i < MOST_FUNCTIONS; i++)
        nh_field_free(&f[i]);
    return status;
}

static bool take_memory(nh_motion *s)
{
    size_t N = (size_t)s->unknowns + (size_t)s->n + 1; /* J of a Hamiltonian system needs room for its kernel */
    s->memory = calloc(3 * N * N + 3 * N, sizeof *s->memory);
    s->pivot = calloc(N, sizeof *s->pivot);
    if (!s->memory || !s->pivot)
        return false;
    s->matrix = s->memory;
    s->block = s->matrix + N * N;
    s->other = s->block + N * N;
    s->x = s->other + N * N;
    s->residual = s->x + N;
    s->part = s->residual + N;
    return true;
}

nh_status nh_motion_new(const nh_model *m, nh_motion **out, nh_error *error)
{
    *out = NULL;
    nh_motion *s = calloc(1, sizeof *s);
    if (!s)
        return nh_fail(error, NH_MEMORY, "out of memory");
    s->kind = m->kind;
    s->n = m->n;
    s->m = m->m;
    s->holonomic = m->holonomic;
    s->unknowns = m->kind == NH_LAGRANGIAN ? m->n + m->m + m->holonomic : m->kind == NH_DAE ? m->m : m->n;
    nh_status status = take_memory(s) ? build(m, s, error) : nh_fail(error, NH_MEMORY, "out of memory");
    if (status != NH_OK) {
        nh_motion_free(s);
        return status;
    }
    *out = s;
    return NH_OK;
}

void nh_motion_free(nh_motion *s)
{
    if (!s)
        return;
    nh_probe_free(&s->probe);
    free(s->memory);
    free(s->pivot);
    free(s);
}

void nh_motion_parameters(nh_motion *s, const nh_quad *parameters)
{
    nh_probe_parameters(&s->probe, parameters);
}

/* --- small matrices --- */

/* Copies a rows × columns block into the system at (row, column), times `sign`; transposed if asked for. */
static void place(nh_motion *s, const nh_quad *block, int rows, int columns, int row, int column, int sign,
                  bool transposed)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) {
            int r = row + (transposed ? j : i), c = column + (transposed ? i : j);
            s->matrix[(size_t)r * (size_t)s->unknowns + (size_t)c] +=
                (nh_quad)sign * block[(size_t)i * (size_t)columns + (size_t)j];
        }
}

/* y −= A x. */
static void subtract_product(const nh_quad *A, int rows, int columns, const nh_quad *x, nh_quad *y)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            y[i] -= A[(size_t)i * (size_t)columns + (size_t)j] * x[j];
}

static nh_status solve(nh_motion *s, nh_quad *b, nh_error *error)
{
    size_t N = (size_t)s->unknowns;
    if (!nh_quads_finite(s->matrix, N * N) || !nh_quads_finite(b, N))
        return nh_fail(error, NH_VALUE, "the equations of motion cannot be evaluated here: a value is not finite");
    if (!nh_lu_quad(s->matrix, s->unknowns, s->pivot))
        return nh_fail(error, NH_VALUE, "the equations of motion are singular here");
    nh_lu_solve_quad(s->matrix, s->unknowns, s->pivot, b);
    return NH_OK;
}

/* --- Lagrangian systems --- */

/* [[L_vv, −Kᵀ, −g_qᵀ], [K, 0, 0], [g_q, 0, 0]] and the right-hand side without N. */
static void fill(nh_motion *s, const nh_quad *const *x, nh_quad *rhs)
{
    int n = s->n, m = s->m, h = s->holonomic;
    memset(s->matrix, 0, (size_t)s->unknowns * (size_t)s->unknowns * sizeof *s->matrix);
    nh_probe_run(&s->probe, OF_MASS, x, s->block);
    place(s, s->block, n, n, 0, 0, 1, false);
    nh_probe_run(&s->probe, OF_K, x, s->block);
    place(s, s->block, m, n, n, 0, 1, false);
    place(s, s->block, m, n, 0, n, -1, true);
    nh_probe_run(&s->probe, OF_G, x, s->block);
    place(s, s->block, h, n, n + m, 0, 1, false);
    place(s, s->block, h, n, 0, n + m, -1, true);
    nh_probe_run(&s->probe, OF_FORCE, x, rhs);
    nh_probe_run(&s->probe, OF_MOMENTUM_RATE, x, s->part);
    for (int i = 0; i < n; i++)
        rhs[i] -= s->part[i];
    nh_probe_run(&s->probe, OF_K_RATE, x, rhs + n);
    nh_probe_run(&s->probe, OF_G_RATE, x, rhs + n + m);
    for (int i = n; i < s->unknowns; i++)
        rhs[i] = -rhs[i];
}

static nh_quad size_of(const nh_quad *x, int count)
{
    nh_quad largest = 0;
    for (int i = 0; i < count; i++)
        largest = nh_quad_abs(x[i]) > largest ? nh_quad_abs(x[i]) : largest;
    return largest;
}

/* One step of Newton's method for (a, λ) in s->x; *step is the size of the increment relative to the result. */
static nh_status newton_step(nh_motion *s, const nh_quad **x, nh_quad *step, nh_error *error)
{
    int n = s->n, multipliers = s->m + s->holonomic;
    size_t N = (size_t)s->unknowns;
    x[NH_LAMBDA] = s->x + n;
    fill(s, x, s->residual);
    subtract_product(s->matrix, s->unknowns, s->unknowns, s->x, s->residual);
    nh_probe_run(&s->probe, OF_REACTION, x, s->part);
    for (int i = 0; i < n; i++)
        s->residual[i] += s->part[i];
    nh_probe_run(&s->probe, OF_REACTION_BY_LAMBDA, x, s->block);
    place(s, s->block, n, multipliers, 0, n, -1, false);
    nh_status status = solve(s, s->residual, error);
    for (size_t i = 0; status == NH_OK && i < N; i++)
        s->x[i] += s->residual[i];
    nh_quad size = size_of(s->x, s->unknowns);
    *step = size > 0 ? size_of(s->residual, s->unknowns) / size : 0;
    return status;
}

/* The reaction may have kinks, as |λ| has: Newton's method still ends, because it finds the right piece. */
static nh_status solve_lagrangian(nh_motion *s, const nh_quad **x, nh_error *error)
{
    enum { ROUNDS = 60 };
    const nh_quad fine = NH_QUAD_IS_FLOAT128 ? (nh_quad)1e-28 : (nh_quad)1e-15;
    memset(s->x, 0, (size_t)s->unknowns * sizeof *s->x);
    for (int round = 0; round < ROUNDS; round++) {
        nh_quad step;
        nh_status status = newton_step(s, x, &step, error);
        if (status != NH_OK || !s->by_lambda || step < fine)
            return status;
    }
    return nh_fail(error, NH_VALUE, "the equation for the multipliers of the nonideal reaction has no solution nearby");
}

/* --- DAEs and Hamiltonian systems --- */

static nh_status solve_dae(nh_motion *s, const nh_quad **x, nh_error *error)
{
    int n = s->n, m = s->m;
    nh_quad *y_rate = s->part;
    nh_probe_run(&s->probe, OF_F, x, y_rate);
    x[NH_D_Q] = y_rate;
    nh_probe_run(&s->probe, OF_G_BY_Y, x, s->block);
    nh_probe_run(&s->probe, OF_F_BY_Z, x, s->other);
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++) {
            nh_quad sum = 0;
            for (int k = 0; k < n; k++)
                sum += s->block[(size_t)(i * n + k)] * s->other[(size_t)(k * m + j)];
            s->matrix[(size_t)(i * m + j)] = sum;
        }
    nh_probe_run(&s->probe, OF_G_SECOND, x, s->residual);
    for (int i = 0; i < m; i++)
        s->residual[i] = -s->residual[i];
    nh_probe_run(&s->probe, OF_F_RATE, x, s->other);
    subtract_product(s->block, m, n, s->other, s->residual);
    nh_status status = solve(s, s->residual, error);
    memcpy(s->x, y_rate, (size_t)n * sizeof *s->x);
    memcpy(s->other, s->residual, (size_t)m * sizeof *s->other);
    return status;
}

/* (J + Σ n nᵀ H_zz) z' = ∇H − Σ n (n·∇H) over an orthonormal basis n of ker J, which the range of J is orthogonal to.
 */
static nh_status solve_hamiltonian(nh_motion *s, const nh_quad **x, nh_error *error)
{
    int n = s->n;
    size_t N = (size_t)n;
    nh_quad *kernel = s->other, *hessian = s->block, *rhs = s->residual;
    nh_probe_run(&s->probe, OF_J, x, s->matrix);
    if (!nh_quads_finite(s->matrix, N * N))
        return nh_fail(error, NH_VALUE, "J is not finite");
    nh_svd_quad(s->matrix, n, n, s->x, kernel);
    int rank = nh_rank(s->x, n, 0, NULL);
    nh_probe_run(&s->probe, OF_J, x, s->matrix);
    nh_probe_run(&s->probe, OF_GRADIENT, x, rhs);
    nh_probe_run(&s->probe, OF_HESSIAN, x, hessian);
    for (size_t c = (size_t)rank; c < N; c++) {
        nh_quad along = 0;
        for (size_t i = 0; i < N; i++)
            along += kernel[i * N + c] * rhs[i];
        for (size_t j = 0; j < N; j++) {
            s->part[j] = 0;
            for (size_t i = 0; i < N; i++)
                s->part[j] += kernel[i * N + c] * hessian[i * N + j];
        }
        for (size_t i = 0; i < N; i++) {
            rhs[i] -= kernel[i * N + c] * along;
            for (size_t j = 0; j < N; j++)
                s->matrix[i * N + j] += kernel[i * N + c] * s->part[j];
        }
    }
    nh_status status = solve(s, rhs, error);
    memcpy(s->x, rhs, N * sizeof *s->x);
    return status;
}

nh_status nh_motion_at(nh_motion *s, nh_quad t, const nh_quad *q, const nh_quad *w, nh_quad *rate, nh_quad *more,
                       nh_error *error)
{
    const nh_quad one = 1;
    const nh_quad *x[NH_SPACES] = {[NH_TIME] = &t, [NH_Q] = q, [NH_D_TIME] = &one};
    const nh_quad *extra = s->x + s->n;
    int extras = s->m + s->holonomic;
    nh_status status;
    if (s->kind == NH_LAGRANGIAN) {
        x[NH_V] = x[NH_D_Q] = w;
        status = solve_lagrangian(s, x, error);
    } else if (s->kind == NH_DAE) {
        x[NH_LAMBDA] = w;
        status = solve_dae(s, x, error);
        extra = s->other;
    } else {
        status = solve_hamiltonian(s, x, error);
        extras = 0;
    }
    if (status == NH_OK && rate)
        memcpy(rate, s->x, (size_t)s->n * sizeof *rate);
    if (status == NH_OK && more && extras)
        memcpy(more, extra, (size_t)extras * sizeof *more);
    return status;
}
