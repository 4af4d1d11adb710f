/* SPDX-License-Identifier: MIT */
/* Elimination on expressions, guided by their values at one point. */
#include "analysis/frame.h"

#include "base/map.h"

#include <stdlib.h>

/* --- expressions in another graph --- */

static nh_expr rebuild(const nh_graph *from, nh_expr e, nh_graph *to, nh_expr a, nh_expr b)
{
    nh_node n = nh_get(from, e);
    switch ((nh_op)n.op) {
    case NH_NUMBER:
        return nh_constant(to, nh_get_number(from, e));
    case NH_VARIABLE:
        return nh_variable(to, n.space, nh_get_affine(from, e));
    case NH_INDEX:
        return nh_index_value(to, nh_get_affine(from, e));
    case NH_PI:
        return nh_pi(to);
    case NH_ADD:
        return nh_add(to, a, b);
    case NH_MUL:
        return nh_mul(to, a, b);
    case NH_DIV:
        return nh_div(to, a, b);
    case NH_POWER:
        return nh_power(to, a, n.exponent);
    case NH_CALL:
        return nh_call(to, n.function, a, b);
    case NH_SUM:
        return nh_sum(to, n.index, nh_get_affine(from, e), a);
    case NH_PROD:
        return nh_prod(to, n.index, nh_get_affine(from, e), a);
    }
    return 0;
}

static nh_expr copy(const nh_graph *from, nh_expr e, nh_graph *to)
{
    uint32_t length;
    nh_expr *list = nh_reachable(from, &e, 1, &length);
    nh_map memo = {0};
    for (uint32_t i = 0; list && i < length; i++) {
        nh_node n = nh_get(from, list[i]);
        nh_map_set(&memo, list[i], rebuild(from, list[i], to, nh_map_get(&memo, n.a), nh_map_get(&memo, n.b)));
    }
    nh_expr result = list && !memo.failed ? nh_map_get(&memo, e) : nh_graph_no_memory(to);
    nh_map_free(&memo);
    free(list);
    return result;
}

/* --- rows --- */

/* Rows of one family: ∂/∂v and k at rest, or ∂/∂q and ∂/∂t. */
static void add_rows(nh_study *s, nh_graph *g, const nh_constraint *k, bool holonomic, int dimension, nh_expr *row)
{
    int n = s->m->n;
    for (int i = 0; i < k->count; i++, row += dimension) {
        nh_expr e = copy(s->m->graph, nh_reindex(s->m->graph, k->value, NH_OPEN, nh_affine_constant(i)), g);
        e = nh_expand(g, e);
        for (int j = 0; j < n; j++)
            row[j] = nh_partial(g, e, holonomic ? NH_Q : NH_V, j);
        if (dimension > n)
            row[n] = holonomic ? nh_partial(g, e, NH_TIME, 0) : nh_at_rest(g, e);
    }
}

static void fill_rows(nh_study *s, nh_graph *g, int dimension, nh_expr *W)
{
    const nh_model *m = s->m;
    for (int i = 0; i < m->constraints; i++)
        add_rows(s, g, &m->constraint[i], false, dimension, W + (size_t)m->constraint[i].first * (size_t)dimension);
    for (int i = 0; i < m->holonomic_constraints; i++) {
        const nh_constraint *k = &m->holonomic_constraint[i];
        add_rows(s, g, k, true, dimension, W + (size_t)(m->m + k->first) * (size_t)dimension);
    }
}

/* --- elimination --- */

typedef struct system {
    nh_graph *g;
    int rows, columns;
    nh_expr *W; /* expressions */
    nh_quad *A; /* their values at the point */
    bool *row_used, *column_used;
} system_of_forms;

static size_t at(const system_of_forms *y, int i, int j)
{
    return (size_t)i * (size_t)y->columns + (size_t)j;
}

/* A pivot that is not much smaller than the largest entry, and is a short expression. */
static bool choose(const system_of_forms *y, nh_quad zero, int *row, int *column)
{
    nh_quad most = zero;
    uint32_t shortest = UINT32_MAX;
    for (int i = 0; i < y->rows; i++)
        for (int j = 0; j < y->columns; j++)
            if (!y->row_used[i] && !y->column_used[j] && nh_quad_abs(y->A[at(y, i, j)]) > most)
                most = nh_quad_abs(y->A[at(y, i, j)]);
    for (int i = 0; i < y->rows && most > zero; i++)
        for (int j = 0; j < y->columns; j++) {
            if (y->row_used[i] || y->column_used[j] || nh_quad_abs(y->A[at(y, i, j)]) < most * (nh_quad)0.1)
                continue;
            uint32_t size = nh_size(y->g, y->W[at(y, i, j)]);
            if (size < shortest) {
                shortest = size;
                *row = i;
                *column = j;
            }
        }
    return shortest < UINT32_MAX;
}

/* Makes the pivot 1 and the rest of its column 0, in expressions and in numbers. */
static void eliminate(system_of_forms *y, int row, int column)
{
    nh_graph *g = y->g;
    nh_expr top = y->W[at(y, row, column)];
    nh_quad value = y->A[at(y, row, column)];
    for (int j = 0; j < y->columns; j++) {
        y->W[at(y, row, j)] = nh_div(g, y->W[at(y, row, j)], top);
        y->A[at(y, row, j)] /= value;
    }
    for (int i = 0; i < y->rows; i++) {
        nh_expr factor = y->W[at(y, i, column)];
        nh_quad number = y->A[at(y, i, column)];
        if (i == row || nh_is_number(g, factor, 0))
            continue;
        for (int j = 0; j < y->columns; j++) {
            nh_expr term = nh_mul(g, factor, y->W[at(y, row, j)]);
            y->W[at(y, i, j)] = j == column ? nh_integer(g, 0) : nh_sub(g, y->W[at(y, i, j)], term);
            y->A[at(y, i, j)] = j == column ? 0 : y->A[at(y, i, j)] - number * y->A[at(y, row, j)];
        }
    }
    y->row_used[row] = y->column_used[column] = true;
}

/* Rows have different units: each is divided by its largest value. */
static void scale_rows(system_of_forms *y)
{
    for (int i = 0; i < y->rows; i++) {
        nh_quad most = 0;
        for (int j = 0; j < y->columns; j++)
            most = nh_quad_abs(y->A[at(y, i, j)]) > most ? nh_quad_abs(y->A[at(y, i, j)]) : most;
        for (int j = 0; j < y->columns && most > 0; j++)
            y->A[at(y, i, j)] /= most;
    }
}

static void read_off(const system_of_forms *y, const int *row, nh_frame *f)
{
    f->fields = 0;
    for (int j = 0; j < f->dimension; j++)
        if (!y->column_used[j]) {
            f->place[j] = -1 - f->fields;
            f->free[f->fields++] = j;
        }
    for (int i = 0; i < f->rank; i++) {
        f->place[f->pivot[i]] = i;
        for (int a = 0; a < f->fields; a++)
            f->component[a * f->rank + i] = nh_neg(f->g, y->W[at(y, row[i], f->free[a])]);
    }
}

nh_status nh_frame_new(nh_study *s, bool with_time, nh_quad *forms, nh_frame *out, nh_error *error)
{
    const nh_model *m = s->m;
    int rows = m->m + m->holonomic, dimension = m->n + with_time;
    size_t R = (size_t)rows, C = (size_t)dimension;
    *out = (nh_frame){.n = m->n, .dimension = dimension, .g = nh_graph_new()};
    out->pivot = NH_NEW(&s->arena, int, C + 1);
    out->free = NH_NEW(&s->arena, int, C + 1);
    out->place = NH_NEW(&s->arena, int, C + 1);
    out->component = NH_NEW(&s->arena, nh_expr, C * C + 1);
    int *row = NH_NEW(&s->arena, int, R + 1);
    system_of_forms y = {.g = out->g, .rows = rows, .columns = dimension, .A = forms};
    y.W = NH_NEW(&s->arena, nh_expr, R * C + 1);
    y.row_used = NH_NEW(&s->arena, bool, R + 1);
    y.column_used = NH_NEW(&s->arena, bool, C + 1);
    if (!out->g || s->arena.failed) {
        nh_frame_free(out);
        return nh_out_of_memory(error);
    }
    fill_rows(s, out->g, dimension, y.W);
    scale_rows(&y);
    while (out->rank < dimension && choose(&y, (nh_quad)NH_RANK_ZERO, &row[out->rank], &out->pivot[out->rank])) {
        eliminate(&y, row[out->rank], out->pivot[out->rank]);
        out->rank++;
    }
    read_off(&y, row, out);
    nh_status status = nh_graph_status(out->g, error);
    if (status != NH_OK)
        nh_frame_free(out);
    return status;
}

void nh_frame_free(nh_frame *f)
{
    nh_graph_free(f->g);
    f->g = NULL;
}

/* --- brackets --- */

typedef struct direction {
    const nh_frame *f;
    const nh_expr *component; /* along the pivots */
    int free;                 /* along ∂_{free[free]} too; −1: along none */
} direction;

static nh_expr rate(void *context, nh_graph *g, nh_space space, nh_affine component)
{
    const direction *d = context;
    if (space != NH_Q && space != NH_TIME)
        return 0;
    int coordinate = space == NH_TIME ? d->f->n : component.constant;
    if (coordinate >= d->f->dimension)
        return 0;
    int place = d->f->place[coordinate];
    if (place >= 0)
        return d->component[place];
    return -1 - place == d->free ? nh_integer(g, 1) : 0;
}

void nh_frame_bracket(const nh_frame *f, int a, const nh_expr *y, int b, nh_expr *out)
{
    const nh_expr *x = f->component + (size_t)a * (size_t)f->rank;
    direction along_x = {f, x, a}, along_y = {f, y, b};
    for (int i = 0; i < f->rank; i++)
        out[i] = nh_sub(f->g, nh_directional(f->g, y[i], rate, &along_x), nh_directional(f->g, x[i], rate, &along_y));
}
