/* SPDX-License-Identifier: MIT */
/* Regularity at the initial point, and the index that follows from it. */
#include "analysis/study.h"
#include "model/motion.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Condition and regularity of a square matrix, which is overwritten. */
typedef struct condition {
    bool regular, estimated;
    double number;
} condition;

static condition condition_small(nh_quad *a, int n, nh_quad *sigma)
{
    bool clear;
    nh_svd_quad(a, n, n, sigma, NULL);
    bool regular = nh_rank(sigma, n, 0, &clear) == n;
    return (condition){regular, false, regular ? (n ? (double)(sigma[0] / sigma[n - 1]) : 1) : INFINITY};
}

static condition condition_large(const nh_quad *a, int n)
{
    size_t N = (size_t)n;
    double *copy = malloc((2 * N * N + 2 * N) * sizeof *copy), *lu = copy + N * N, *work = lu + N * N;
    int *pivot = malloc(N * sizeof *pivot);
    condition c = {false, true, INFINITY};
    if (copy && pivot) {
        for (size_t i = 0; i < N * N; i++)
            copy[i] = lu[i] = (double)a[i];
        c.regular = nh_lu_double(lu, n, pivot);
        if (c.regular)
            c.number = nh_condition_estimate(copy, lu, n, pivot, work);
        c.regular = c.regular && c.number < 1e15;
    }
    free(copy);
    free(pivot);
    return c;
}

static condition condition_of(nh_quad *a, int n, nh_quad *sigma)
{
    return n <= NH_SVD_SMALL ? condition_small(a, n, sigma) : condition_large(a, n);
}

/* Rank of rows × columns a, which is overwritten, relative to `scale` (0: to itself). */
static int rank_of(nh_quad *a, int rows, int columns, nh_quad scale, nh_quad *sigma, bool *clear)
{
    if (rows <= NH_SVD_SMALL && columns <= NH_SVD_SMALL) {
        nh_svd_quad(a, rows, columns, sigma, NULL);
        return nh_rank(sigma, columns, scale, clear);
    }
    size_t count = (size_t)rows * (size_t)columns;
    double *copy = malloc((count + 1) * sizeof *copy), gap = 0;
    for (size_t i = 0; copy && i < count; i++)
        copy[i] = (double)a[i];
    int rank = copy ? nh_eliminate_double(copy, rows, columns, 1e-11, NULL, NULL, &gap) : 0;
    *clear = gap > 1e-7;
    free(copy);
    return rank;
}

static double residual_of(const nh_quad *x, int count, double so_far)
{
    for (int i = 0; i < count; i++)
        so_far = fmax(so_far, (double)nh_quad_abs(x[i]));
    return so_far;
}

typedef struct inquiry {
    nh_study *s;
    nh_probe probe;
    const nh_quad *x[NH_SPACES];
    nh_quad *matrix, *block, *other, *columns, *sigma;
    bool multipliers; /* those at the initial point are known, or do not matter */
} inquiry;

static bool finite(inquiry *y, const nh_quad *a, int count, const char *quantity)
{
    if (nh_quads_finite(a, (size_t)count))
        return true;
    nh_study_not_finite(y->s, quantity);
    return false;
}

/* --- Lagrangian systems --- */

enum { OF_K_V = 1, OF_G_Q, OF_K, OF_G, OF_G_RATE, OF_FORCES, OF_L, OF_R_LAMBDA };

/* L_vv in double: a large matrix becomes one anyway, and may have sums in every entry. */
static bool mass_in_double(inquiry *y, const nh_program *p)
{
    nh_study *s = y->s;
    size_t n = (size_t)s->m->n, parameters = (size_t)s->m->parameters, constants = (size_t)nh_program_constants(p);
    const nh_quad *from[] = {s->parameters, s->initial.q, s->initial.v};
    const size_t size[] = {parameters, n, n};
    double *memory = calloc(parameters + 2 * n + constants + n * n + nh_program_work(p) + 1, sizeof *memory);
    double *c = memory + parameters + 2 * n, *out = c + constants, *work = out + n * n, *at = memory;
    const double *x[NH_SPACES] = {0}, t = (double)s->initial.t;
    static const nh_space space[] = {NH_PARAMETER, NH_Q, NH_V};
    bool good = memory != NULL;
    for (int k = 0; good && k < 3; at += size[k++]) {
        x[space[k]] = at;
        for (size_t i = 0; i < size[k]; i++)
            at[i] = (double)from[k][i];
    }
    if (good) {
        x[NH_TIME] = &t;
        nh_tape_prepare_1(p, work);
        nh_tape_run_1(p, 0, c, x, c, work);
        nh_tape_run_1(p, 1, c, x, out, work);
    }
    for (size_t i = 0; good && i < n * n; i++)
        y->other[i] = (nh_quad)out[i];
    free(memory);
    return good && nh_quads_finite(y->other, n * n);
}

/* L_vv to y->other. */
static nh_status mass(inquiry *y, nh_error *error)
{
    nh_probe p;
    nh_status status = nh_study_fields(y->s, &y->s->mass, 1, &p, error);
    if (status != NH_OK)
        return status;
    if (y->s->m->n <= NH_SVD_SMALL || !mass_in_double(y, p.program))
        nh_probe_run(&p, 1, y->x, y->other);
    nh_probe_free(&p);
    return NH_OK;
}

/* The multipliers at the initial point, where the reaction is not affine in them: what counts is R_lambda there. They
 * stay 0 where they do not matter, in large systems, and where none are found. */
static nh_status find_multipliers(inquiry *y, nh_error *error)
{
    nh_study *s = y->s;
    nh_motion *motion = NULL;
    y->multipliers = true;
    if (s->c->traits.reaction_affine || s->m->n + s->m->m + s->m->holonomic > 4 * NH_SVD_SMALL)
        return NH_OK;
    nh_quad *lambda = NH_NEW(&s->arena, nh_quad, s->m->m + s->m->holonomic + 1);
    if (!lambda)
        return nh_out_of_memory(error);
    nh_status status = nh_motion_new(s->m, &motion, error);
    if (status != NH_OK)
        return status;
    nh_motion_parameters(motion, s->parameters);
    y->multipliers = nh_motion_at(motion, s->initial.t, s->initial.q, s->initial.v, NULL, lambda, NULL) == NH_OK;
    if (y->multipliers)
        y->x[NH_LAMBDA] = lambda;
    nh_motion_free(motion);
    return NH_OK;
}

/* R_lambda to y->columns, transposed as K is: K and g_q themselves where the reaction is ideal. Uses y->matrix. */
static void columns(inquiry *y)
{
    const nh_model *m = y->s->m;
    const size_t n = (size_t)m->n, rows = (size_t)m->m + (size_t)m->holonomic;
    if (!m->reaction.pieces) {
        memcpy(y->columns, y->block, rows * n * sizeof *y->columns);
        return;
    }
    nh_probe_run(&y->probe, OF_R_LAMBDA, y->x, y->matrix);
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < n; j++)
            y->columns[i * n + j] = y->matrix[j * rows + i];
}

/* The signs of columns matter neither to rank nor to condition. */
static void saddle(inquiry *y, int size)
{
    const nh_model *m = y->s->m;
    size_t n = (size_t)m->n, rows = (size_t)m->m + (size_t)m->holonomic, N = (size_t)size;
    memset(y->matrix, 0, N * N * sizeof *y->matrix);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            y->matrix[i * N + j] = y->other[i * n + j];
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < n; j++) {
            y->matrix[(n + i) * N + j] = y->block[i * n + j];
            y->matrix[j * N + n + i] = y->columns[i * n + j];
        }
}

/* The same for other units, in which L_vv has ones on its diagonal and each row of K and g_q has the length one: masses
 * of 1e-27 beside lengths of 1 do not make equations singular. `rows` 0: of L_vv alone. */
static condition condition_in_units(inquiry *y, int rows)
{
    const int n = y->s->m->n, size = n + rows;
    const size_t N = (size_t)size;
    if (rows > 0)
        saddle(y, size);
    else
        memcpy(y->matrix, y->other, N * N * sizeof *y->matrix);
    for (int i = 0; i < size; i++) {
        nh_quad square = i < n ? nh_quad_abs(y->matrix[(size_t)i * (N + 1)]) : 0;
        for (int j = 0; i >= n && j < n; j++)
            square += y->matrix[(size_t)i * N + (size_t)j] * y->matrix[(size_t)i * N + (size_t)j];
        const nh_quad unit = square > 0 ? 1 / nh_quad_sqrt(square) : 1;
        for (size_t j = 0; j < N; j++) {
            y->matrix[(size_t)i * N + j] *= unit;
            y->matrix[j * N + (size_t)i] *= unit;
        }
    }
    return condition_of(y->matrix, size, y->sigma);
}

/* The size of K and g_q at a random point: at the initial point they may vanish up to rounding. Uses y->matrix. */
static nh_quad usual_size(inquiry *y)
{
    const nh_model *m = y->s->m;
    const nh_quad *x[NH_SPACES];
    size_t n = (size_t)m->n, count = ((size_t)m->m + (size_t)m->holonomic) * n;
    nh_quad square = 0;
    if (!y->s->samples)
        return 0;
    nh_sample_inputs(y->s, &y->s->sample[0], x);
    nh_probe_run(&y->probe, OF_K_V, x, y->matrix);
    nh_probe_run(&y->probe, OF_G_Q, x, y->matrix + (size_t)m->m * n);
    for (size_t i = 0; i < count; i++)
        square += y->matrix[i] * y->matrix[i];
    return nh_quad_sqrt(square);
}

/* What the saddle-point matrix is made of, and the residual; false if something is not finite. */
static bool evaluate(inquiry *y)
{
    const nh_model *m = y->s->m;
    const int n = m->n, rows = m->m + m->holonomic;
    nh_probe_run(&y->probe, OF_K_V, y->x, y->block);
    nh_probe_run(&y->probe, OF_G_Q, y->x, y->block + (size_t)m->m * (size_t)n);
    nh_probe_run(&y->probe, OF_K, y->x, y->sigma);
    nh_probe_run(&y->probe, OF_G, y->x, y->sigma + m->m);
    nh_probe_run(&y->probe, OF_G_RATE, y->x, y->sigma + rows);
    if (!finite(y, y->other, n * n, "L_vv") || !finite(y, y->block, m->m * n, "K") ||
        !finite(y, y->block + (size_t)m->m * (size_t)n, m->holonomic * n, "g_q") ||
        !finite(y, y->sigma, rows + m->holonomic, "k"))
        return false;
    y->s->c->regularity.residual = residual_of(y->sigma, rows + m->holonomic, 0);
    nh_probe_run(&y->probe, OF_FORCES, y->x, y->sigma);
    nh_probe_run(&y->probe, OF_L, y->x, y->sigma + n);
    columns(y);
    return finite(y, y->sigma, n, "L_q + f") && finite(y, y->sigma + n, 1, "L") &&
           finite(y, y->columns, rows * n, "R_lambda");
}

static void lagrangian(inquiry *y)
{
    const nh_model *m = y->s->m;
    nh_regularity *r = &y->s->c->regularity;
    int n = m->n, rows = m->m + m->holonomic;
    r->rows = rows;
    r->evaluated = evaluate(y);
    if (!r->evaluated)
        return;
    saddle(y, n + rows);
    condition c = condition_of(y->matrix, n + rows, y->sigma);
    const bool usual = c.regular;
    if (!usual)
        c = condition_in_units(y, rows);
    r->saddle_regular = c.regular;
    r->saddle_condition = c.number;
    r->estimated = c.estimated;
    memcpy(y->matrix, y->other, (size_t)n * (size_t)n * sizeof *y->matrix);
    c = condition_of(y->matrix, n, y->sigma);
    if (!c.regular)
        c = condition_in_units(y, 0);
    r->mass_regular = c.regular;
    r->mass_condition = c.number;
    r->rank = rank_of(y->block, rows, n, usual_size(y), y->sigma, &r->rank_clear);
    r->no_multipliers = r->saddle_regular && !y->multipliers;
    if ((!usual && r->rank < rows) || r->no_multipliers) { /* a row of the length one was rounding errors */
        r->saddle_regular = false;
        r->saddle_condition = INFINITY;
    }
    r->index = !r->saddle_regular ? -1 : m->holonomic ? 3 : m->m ? 2 : 0;
}

/* --- DAEs and Hamiltonian systems --- */

enum { OF_G_Y = 1, OF_F_Z, OF_DAE_G };

static void product(const nh_quad *a, const nh_quad *b, int rows, int inner, int columns, nh_quad *out)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) {
            nh_quad sum = 0;
            for (int k = 0; k < inner; k++)
                sum += a[(size_t)i * (size_t)inner + (size_t)k] * b[(size_t)k * (size_t)columns + (size_t)j];
            out[(size_t)i * (size_t)columns + (size_t)j] = sum;
        }
}

static void dae(inquiry *y)
{
    const nh_model *m = y->s->m;
    nh_regularity *r = &y->s->c->regularity;
    nh_probe_run(&y->probe, OF_G_Y, y->x, y->block);
    nh_probe_run(&y->probe, OF_F_Z, y->x, y->other);
    nh_probe_run(&y->probe, OF_DAE_G, y->x, y->sigma);
    r->rows = m->m;
    r->mass_regular = true;
    r->mass_condition = 1;
    if (!finite(y, y->block, m->m * m->n, "g_y") || !finite(y, y->other, m->n * m->algebraic, "f_z") ||
        !finite(y, y->sigma, m->m, "g"))
        return;
    r->evaluated = true;
    r->residual = residual_of(y->sigma, m->m, 0);
    product(y->block, y->other, m->m, m->n, m->algebraic, y->matrix);
    condition c = condition_of(y->matrix, m->m, y->sigma);
    r->saddle_regular = c.regular && m->m == m->algebraic;
    r->saddle_condition = c.number;
    r->estimated = c.estimated;
    r->rank = rank_of(y->block, m->m, m->n, 0, y->sigma, &r->rank_clear);
    r->index = m->m == 0 ? 0 : r->saddle_regular ? 2 : -1;
}

enum { OF_J = 1, OF_HESSIAN };

static void hamiltonian(inquiry *y)
{
    const nh_model *m = y->s->m;
    nh_regularity *r = &y->s->c->regularity;
    int n = m->n;
    nh_probe_run(&y->probe, OF_J, y->x, y->matrix);
    nh_probe_run(&y->probe, OF_HESSIAN, y->x, y->other);
    if (!finite(y, y->matrix, n * n, "J") || !finite(y, y->other, n * n, "the Hessian of H"))
        return;
    r->evaluated = true;
    r->rows = n;
    nh_svd_quad(y->matrix, n, n, y->sigma, y->block);
    r->rank = nh_rank(y->sigma, n, 0, &r->rank_clear);
    r->mass_regular = r->rank == n;
    r->mass_condition = r->mass_regular ? (double)(y->sigma[0] / y->sigma[n - 1]) : INFINITY;
    int k = n - r->rank;
    for (int i = 0; i < k; i++) /* Nᵀ H_zz N with the columns N of the kernel */
        for (int j = 0; j < k; j++) {
            nh_quad sum = 0;
            for (int a = 0; a < n; a++)
                for (int b = 0; b < n; b++)
                    sum += y->block[(size_t)(a * n + r->rank + i)] * y->other[(size_t)(a * n + b)] *
                           y->block[(size_t)(b * n + r->rank + j)];
            y->matrix[(size_t)(i * k + j)] = sum;
        }
    condition c = condition_of(y->matrix, k, y->sigma);
    r->saddle_regular = c.regular;
    r->saddle_condition = c.number;
    r->index = k == 0 ? 0 : c.regular ? 1 : -1;
}

static nh_status ask(inquiry *y, nh_error *error)
{
    static const nh_request of_lagrangian[] = {
        {.of = NH_OF_CONSTRAINT, .order = 1, .by = {NH_V}},
        {.of = NH_OF_HOLONOMIC, .order = 1, .by = {NH_Q}},
        {.of = NH_OF_CONSTRAINT},
        {.of = NH_OF_HOLONOMIC},
        {.of = NH_OF_HOLONOMIC, .tangent = 1u << NH_TIME | 1u << NH_Q},
        {.of = NH_OF_FORCE},
        {.of = NH_OF_LAGRANGIAN},
        {.of = NH_OF_REACTION, .order = 1, .by = {NH_LAMBDA}},
    };
    static const nh_request of_dae[] = {
        {.of = NH_OF_CONSTRAINT, .order = 1, .by = {NH_Q}},
        {.of = NH_OF_FORCE, .order = 1, .by = {NH_LAMBDA}},
        {.of = NH_OF_CONSTRAINT},
    };
    static const nh_request of_hamiltonian[] = {
        {.of = NH_OF_STRUCTURE},
        {.of = NH_OF_LAGRANGIAN, .order = 2, .by = {NH_Q, NH_Q}},
    };
    nh_kind kind = y->s->m->kind;
    const nh_request *list = kind == NH_LAGRANGIAN ? of_lagrangian : kind == NH_DAE ? of_dae : of_hamiltonian;
    int of_forces = y->s->m->reaction.pieces ? OF_R_LAMBDA : OF_L;
    int count = kind == NH_LAGRANGIAN ? of_forces : kind == NH_DAE ? OF_DAE_G : OF_HESSIAN;
    return nh_study_probe(y->s, list, count, &y->probe, error);
}

nh_status nh_study_regularity(nh_study *s, nh_error *error)
{
    const nh_model *m = s->m;
    static const nh_quad one = 1;
    s->c->regularity.index = -1;
    if (!s->initial_good || s->c->too_large || (m->kind == NH_HAMILTONIAN && m->n > 4 * NH_SVD_SMALL))
        return NH_OK;
    inquiry y = {.s = s};
    size_t N = (size_t)(m->n + 2 * (m->m + m->holonomic) + m->algebraic) + 1;
    y.matrix = calloc(4 * N * N + N, sizeof *y.matrix);
    if (!y.matrix)
        return nh_out_of_memory(error);
    y.block = y.matrix + N * N;
    y.other = y.block + N * N;
    y.columns = y.other + N * N;
    y.sigma = y.columns + N * N;
    nh_sample_inputs(s, &s->initial, y.x);
    y.x[NH_D_TIME] = &one;
    y.x[NH_D_Q] = s->initial.v;
    nh_status status = ask(&y, error);
    if (status == NH_OK && m->kind == NH_LAGRANGIAN)
        status = mass(&y, error);
    if (status == NH_OK && m->kind == NH_LAGRANGIAN)
        status = find_multipliers(&y, error);
    if (status == NH_OK)
        (m->kind == NH_LAGRANGIAN ? lagrangian : m->kind == NH_DAE ? dae : hamiltonian)(&y);
    nh_probe_free(&y.probe);
    free(y.matrix);
    return status;
}
