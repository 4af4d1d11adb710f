/* SPDX-License-Identifier: MIT */
#include "method/spark_table.h"

#include "base/line.h"
#include "base/linear.h"
#include "tableau/grid.h"

#include <float.h>
#include <string.h>

/* Polynomials of higher degree amplify round-off more than they predict. */
enum { AHEAD_NODES = 10, BORDERED_MAX = NH_STAGES_MAX + 1 };

typedef struct builder {
    const nh_triple *triple;
    int s, padded;
    const nh_quad *b, *c;
    nh_quad *table;
} builder;

static nh_quad *vector(const builder *t, int v)
{
    return t->table + NH_SPARK_AT_VECTOR(t->s, v);
}

/* Entry "from source stage j to target stage i". */
static nh_quad *entry(const builder *t, int matrix, int i, int j)
{
    return t->table + NH_SPARK_AT_MATRIX(t->s, matrix) + j * t->padded + i;
}

static void put_matrix(const builder *t, int matrix, const nh_tableau *tableau)
{
    for (int i = 0; i < t->s; i++)
        for (int j = 0; j < t->s; j++)
            *entry(t, matrix, i, j) = tableau->A[i * t->s + j];
}

/* n with sum_j omega_ij n_j = 0. omega_ij = b_j P(c_j) for all P of degree below s - 1, which divided differences of
 * order s - 1 annihilate: n_j b_j = 1 / prod_(k != j) (c_j - c_k). The largest entry becomes 1. */
static nh_status put_null(const builder *t, nh_error *error)
{
    nh_quad *null = vector(t, NH_SPARK_NULL), largest = 0;
    for (int j = 0; j < t->s; j++) {
        nh_quad product = t->b[j];
        for (int k = 0; k < t->s; k++)
            product *= k == j ? 1 : 4 * (t->c[j] - t->c[k]);
        if (product == 0)
            return nh_fail(error, NH_VALUE,
                           "stage %d has the node of another stage, or the weight 0: multipliers are not determined",
                           j + 1);
        null[j] = 1 / product;
        largest = nh_quad_abs(null[j]) > largest ? nh_quad_abs(null[j]) : largest;
    }
    for (int j = 0; j < t->s; j++)
        null[j] /= largest;
    return NH_OK;
}

/* a becomes its inverse. */
static bool invert(nh_arena *arena, nh_quad *a, int n)
{
    nh_quad *lu = NH_NEW(arena, nh_quad, n * n);
    nh_quad column[BORDERED_MAX];
    int pivot[BORDERED_MAX];
    if (!lu)
        return false;
    memcpy(lu, a, (size_t)(n * n) * sizeof *a);
    if (!nh_lu_quad(lu, n, pivot))
        return false;
    for (int j = 0; j < n; j++) {
        memset(column, 0, sizeof column);
        column[j] = 1;
        nh_lu_solve_quad(lu, n, pivot, column);
        for (int i = 0; i < n; i++)
            a[i * n + j] = column[i];
    }
    return true;
}

/* [A~ -n; b 0]^-1: its upper part is a left inverse of [A~; b], its last row annihilates it from the left. For
 * collocation A~^-1 alone. */
static nh_status put_inverse(nh_arena *arena, const builder *t, bool collocated, nh_error *error)
{
    const int s = t->s, size = collocated ? s : s + 1;
    nh_quad *a = NH_NEW(arena, nh_quad, size * size);
    if (!a)
        return nh_fail(error, NH_MEMORY, "out of memory");
    for (int i = 0; i < s; i++)
        for (int j = 0; j < s; j++)
            a[i * size + j] = t->triple->reaction.A[i * s + j];
    for (int i = 0; i < s && !collocated; i++) {
        a[i * size + s] = -vector(t, NH_SPARK_NULL)[i];
        a[s * size + i] = t->b[i];
    }
    if (!invert(arena, a, size))
        return nh_fail(error, NH_VALUE, "the matrix of the reactions is singular: multipliers are not determined");
    for (int i = 0; i < s; i++)
        for (int j = 0; j < s; j++)
            *entry(t, NH_SPARK_INVERSE, i, j) = a[i * size + j];
    for (int i = 0; i < s && !collocated; i++) {
        vector(t, NH_SPARK_INVERSE_END)[i] = a[i * size + s];
        vector(t, NH_SPARK_LEFT)[i] = a[s * size + i];
    }
    if (!collocated)
        vector(t, NH_SPARK_LEFT_END)[0] = a[s * size + s];
    return NH_OK;
}

/* A u = y in all stages but the first, whose row is zero; u has no part along the null vector. */
static bool put_quotient(nh_arena *arena, const builder *t)
{
    const int s = t->s;
    nh_quad *a = NH_NEW(arena, nh_quad, s * s);
    if (!a)
        return false;
    memcpy(a, t->triple->position.A, (size_t)(s * s) * sizeof *a);
    for (int j = 0; j < s; j++) {
        if (a[j] != 0)
            return false;
        a[j] = t->b[j] * vector(t, NH_SPARK_NULL)[j];
    }
    if (s < 2 || !invert(arena, a, s))
        return false;
    for (int i = 0; i < s; i++)
        for (int j = 1; j < s; j++)
            *entry(t, NH_SPARK_QUOTIENT, i, j) = a[i * s + j];
    return true;
}

/* Which stages the extrapolation rests on: a spread of at most AHEAD_NODES different nodes. */
static int choose_nodes(const builder *t, bool with_end, int *node)
{
    int distinct[NH_STAGES_MAX], found = 0, count = 0;
    for (int j = 0; j < t->s; j++) {
        bool use = !with_end || t->c[j] != 1;
        for (int k = 0; k < found; k++)
            use = use && t->c[distinct[k]] != t->c[j];
        if (use)
            distinct[found++] = j;
    }
    const int most = found < AHEAD_NODES ? found : AHEAD_NODES;
    for (int k = 0; k < most; k++)
        node[count++] = distinct[found - 1 - k * (found - 1) / (most > 1 ? most - 1 : 1)];
    return count;
}

/* Lagrange's polynomial of node k at tau; `with_end` there is one more node, at 1. */
static nh_quad lagrange(const builder *t, const int *node, int count, int k, bool with_end, nh_quad tau)
{
    const nh_quad own = t->c[node[k]];
    nh_quad value = with_end ? (tau - 1) / (own - 1) : 1;
    for (int j = 0; j < count; j++)
        if (j != k)
            value *= (tau - t->c[node[j]]) / (own - t->c[node[j]]);
    return value;
}

static void put_ahead(const builder *t)
{
    int node[NH_STAGES_MAX];
    int count = choose_nodes(t, true, node);
    for (int k = 0; k < count; k++) {
        for (int i = 0; i < t->s; i++)
            *entry(t, NH_SPARK_AHEAD, i, node[k]) = lagrange(t, node, count, k, true, 1 + t->c[i]);
        vector(t, NH_SPARK_AHEAD_END)[node[k]] = lagrange(t, node, count, k, true, 2);
    }
    count = choose_nodes(t, false, node);
    for (int k = 0; k < count; k++)
        for (int i = 0; i < t->s; i++)
            *entry(t, NH_SPARK_AHEAD_REACTION, i, node[k]) = lagrange(t, node, count, k, false, 1 + t->c[i]);
}

/* A B, with B in the table. */
static void put_product(const builder *t, int matrix, const nh_quad *A, int B)
{
    for (int i = 0; i < t->s; i++)
        for (int j = 0; j < t->s; j++)
            for (int k = 0; k < t->s; k++)
                *entry(t, matrix, i, j) += A[i * t->s + k] * *entry(t, B, k, j);
}

/* b B. */
static void put_end_product(const builder *t, int v, int B)
{
    for (int j = 0; j < t->s; j++)
        for (int k = 0; k < t->s; k++)
            vector(t, v)[j] += t->b[k] * *entry(t, B, k, j);
}

/* The rounded table, with the coefficients themselves as high and low parts. */
static nh_status round_table(nh_arena *arena, const builder *t, double *out, nh_error *error)
{
    nh_split split[3];
    nh_status status = nh_triple_split(arena, t->triple, split, error);
    if (status != NH_OK)
        return status;
    const int s = t->s, size = NH_SPARK_TABLE_SIZE(s);
    for (int i = 0; i < size; i++)
        out[i] = (double)t->table[i];
    for (int i = 0; i < s; i++) {
        out[NH_SPARK_AT_VECTOR(s, NH_SPARK_C) + i] = split[0].c[i];
        const nh_quad reach = vector(t, NH_SPARK_REACH)[i];
        const bool is_node =
            nh_quad_abs(reach - split[0].c[i]) < DBL_EPSILON; /* and rounded as c is, so that symmetry stays */
        const double high = is_node ? split[0].c[i] : (double)reach;
        out[NH_SPARK_AT_VECTOR(s, NH_SPARK_REACH) + i] = high;
        out[NH_SPARK_AT_VECTOR(s, NH_SPARK_REACH_LOW) + i] = (double)(reach - high);
        out[NH_SPARK_AT_VECTOR(s, NH_SPARK_B) + i] = split[0].b[i];
    }
    for (int i = 0; i < s * t->padded; i++) {
        const nh_quad square = t->table[NH_SPARK_AT_MATRIX(s, NH_SPARK_SQUARE) + i];
        out[NH_SPARK_AT_MATRIX(s, NH_SPARK_SQUARE_LOW) + i] = (double)(square - (double)square);
    }
    for (int part = 0; part < 3; part++)
        for (int i = 0; i < s; i++)
            for (int j = 0; j < s; j++) {
                const int at = j * t->padded + i;
                out[NH_SPARK_AT_MATRIX(s, NH_SPARK_POSITION + part) + at] = split[part].A[i * s + j];
                out[NH_SPARK_AT_MATRIX(s, NH_SPARK_POSITION_LOW + part) + at] = split[part].A_low[i * s + j];
            }
    return NH_OK;
}

/* What fills the last block of stages does as the last stage does, and looks at no point where no stage is; in sums it
 * has no weight. */
static void fill_blocks(void *table, size_t number, int s)
{
    static const int vectors[] = {NH_SPARK_C, NH_SPARK_REACH, NH_SPARK_REACH_LOW, NH_SPARK_NULL, NH_SPARK_INVERSE_END};
    const int count = sizeof vectors / sizeof *vectors, padded = NH_SPARK_PADDED(s);
    for (int k = 0; k < count + NH_SPARK_MATRICES * s; k++) {
        const int row = k < count ? NH_SPARK_AT_VECTOR(s, vectors[k]) : NH_SPARK_AT_MATRIX(s, 0) + (k - count) * padded;
        char *last = (char *)table + (size_t)(row + s - 1) * number;
        for (int i = s; i < padded; i++)
            memcpy(last + (size_t)(i - s + 1) * number, last, number);
    }
}

static bool same_matrix(const nh_tableau *a, const nh_tableau *b)
{
    bool same = true;
    for (int i = 0; i < a->stages * a->stages; i++)
        same = same && a->A[i] == b->A[i];
    return same;
}

nh_status nh_spark_table_make(nh_arena *arena, const nh_triple *triple, bool collocated, nh_spark_tables *out,
                              nh_error *error)
{
    const int s = triple->position.stages, size = NH_SPARK_TABLE_SIZE(s);
    nh_quad *table = NH_NEW(arena, nh_quad, size);
    char *memory = NH_NEW(arena, char, (size_t)size * sizeof(double) + NH_LINE);
    if (!table || !memory)
        return nh_fail(error, NH_MEMORY, "out of memory");
    double *rounded = nh_line_in(memory);
    memset(table, 0, (size_t)size * sizeof *table);
    const builder t = {triple, s, NH_SPARK_PADDED(s), triple->position.b, triple->position.c, table};
    for (int i = 0; i < s; i++) {
        vector(&t, NH_SPARK_C)[i] = t.c[i];
        vector(&t, NH_SPARK_B)[i] = t.b[i];
        vector(&t, NH_SPARK_B_HEAD)[i] = nh_snap(t.b[i], 24);
        vector(&t, NH_SPARK_B_TAIL)[i] = t.b[i] - nh_snap(t.b[i], 24);
        vector(&t, NH_SPARK_REAL)[i] = 1;
        vector(&t, NH_SPARK_REACH_END)[0] += t.b[i];
        for (int j = 0; j < s; j++)
            vector(&t, NH_SPARK_REACH)[i] += triple->position.A[i * s + j];
    }
    put_matrix(&t, NH_SPARK_POSITION, &triple->position);
    put_matrix(&t, NH_SPARK_FORCE, &triple->force);
    put_matrix(&t, NH_SPARK_REACTION, &triple->reaction);
    put_ahead(&t);
    put_product(&t, NH_SPARK_SQUARE, triple->position.A, NH_SPARK_FORCE);
    put_product(&t, NH_SPARK_AHEAD_WAY, triple->position.A, NH_SPARK_AHEAD);
    put_end_product(&t, NH_SPARK_SQUARE_END, NH_SPARK_FORCE);
    put_end_product(&t, NH_SPARK_AHEAD_WAY_END, NH_SPARK_AHEAD);
    nh_status status = put_null(&t, error);
    if (status == NH_OK)
        status = put_inverse(arena, &t, collocated, error);
    if (status != NH_OK)
        return status;
    *out = (nh_spark_tables){.numbers = {.size = size, .in_double = rounded, .in_quad = table},
                             .same_matrices = same_matrix(&triple->force, &triple->reaction),
                             .holonomic = !collocated && put_quotient(arena, &t)};
    status = round_table(arena, &t, rounded, error);
    fill_blocks(table, sizeof *table, s);
    fill_blocks(rounded, sizeof *rounded, s);
    return status;
}
