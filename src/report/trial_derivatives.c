/* SPDX-License-Identifier: MIT */
/* Symbolic derivatives against differences in quad precision, along random directions.
 *
 * Central differences at h, h/2, h/4, h/8, extrapolated: their error is of order h^8, so that only rounding is seen. */
#include "report/trial.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct row {
    const char *name;
    nh_quantity of;
    nh_space by;
    int order; /* 1: the quantity is itself a gradient by `by`, and this is the second derivative */
} row;

static const row mechanics[] = {
    {"L_v", NH_OF_LAGRANGIAN, NH_V, 0},
    {"L_q", NH_OF_LAGRANGIAN, NH_Q, 0},
    {"L_vv", NH_OF_MOMENTUM, NH_V, 0},
    {"L_vq", NH_OF_MOMENTUM, NH_Q, 0},
    {"L_vt", NH_OF_MOMENTUM, NH_TIME, 0},
    {"(L_q + f)_q", NH_OF_FORCE, NH_Q, 0},
    {"(L_q + f)_v", NH_OF_FORCE, NH_V, 0},
    {"k_v", NH_OF_CONSTRAINT, NH_V, 0},
    {"k_q", NH_OF_CONSTRAINT, NH_Q, 0},
    {"k_t", NH_OF_CONSTRAINT, NH_TIME, 0},
    {"g_q", NH_OF_HOLONOMIC, NH_Q, 0},
    {"g_t", NH_OF_HOLONOMIC, NH_TIME, 0},
    {"R_q", NH_OF_REACTION, NH_Q, 0},
    {"R_v", NH_OF_REACTION, NH_V, 0},
    {"R_lambda", NH_OF_REACTION, NH_LAMBDA, 0},
    {"E_q", NH_OF_ENERGY, NH_Q, 0},
    {"E_v", NH_OF_ENERGY, NH_V, 0},
    {"I_q", NH_OF_INVARIANTS, NH_Q, 0},
    {"I_v", NH_OF_INVARIANTS, NH_V, 0},
};
static const row dae[] = {{"f_y", NH_OF_FORCE, NH_Q, 0},
                          {"f_z", NH_OF_FORCE, NH_LAMBDA, 0},
                          {"f_t", NH_OF_FORCE, NH_TIME, 0},
                          {"g_y", NH_OF_CONSTRAINT, NH_Q, 0},
                          {"g_t", NH_OF_CONSTRAINT, NH_TIME, 0}};
static const row hamilton[] = {
    {"H_z", NH_OF_LAGRANGIAN, NH_Q, 0}, {"H_zz", NH_OF_LAGRANGIAN, NH_Q, 1}, {"I_z", NH_OF_INVARIANTS, NH_Q, 0}};

enum { VALUE = 1, MATRIX, TANGENT, LEVELS = 4, LARGE = 200 };

typedef struct comparison {
    nh_trials *t;
    const row *row;
    nh_probe probe;
    int rows, size; /* of the value; of the space */
    bool matrix;    /* is there a matrix, or only the tangent? */
    nh_quad *direction, *moved, *plus, *minus, *table, *entries;
    double worst;
} comparison;

/* The quantity, its matrix of derivatives, its tangent. */
static nh_status derive(comparison *c, nh_error *error)
{
    const nh_model *m = c->t->r->m;
    nh_field f[3] = {{0}};
    nh_request value = {.of = c->row->of, .order = c->row->order, .by = {c->row->by, c->row->by}}, more = value;
    nh_status status = nh_derive(m, value, &f[0], error);
    c->rows = f[0].rows;
    value.tangent = 1u << c->row->by;
    more.order++;
    if (status == NH_OK && c->matrix)
        status = nh_derive(m, more, &f[1], error);
    if (status == NH_OK)
        status = nh_derive(m, value, &f[2], error);
    if (status == NH_OK)
        status = nh_study_fields(&c->t->study, f, 3, &c->probe, error);
    else
        for (int i = 0; i < 3; i++)
            nh_field_free(&f[i]);
    return status;
}

static bool take_memory(comparison *c)
{
    size_t rows = (size_t)c->rows + 1, size = (size_t)c->size + 1, largest = rows > size ? rows : size;
    size_t entries = c->matrix ? rows * size + largest : largest;
    c->direction = malloc((2 * size + (LEVELS + 2) * rows + entries) * sizeof *c->direction);
    if (!c->direction)
        return false;
    c->moved = c->direction + size;
    c->plus = c->moved + size;
    c->minus = c->plus + rows;
    c->table = c->minus + rows;
    c->entries = c->table + LEVELS * rows;
    return true;
}

static void value_at(comparison *c, const nh_quad *const *x, nh_quad h, nh_quad *out)
{
    const nh_quad *inputs[NH_SPACES];
    memcpy(inputs, x, sizeof inputs);
    for (int i = 0; i < c->size; i++)
        c->moved[i] = x[c->row->by][i] + h * c->direction[i];
    inputs[c->row->by] = c->moved;
    nh_probe_run(&c->probe, VALUE, inputs, out);
}

/* Extrapolated differences, in the first row of the table. */
static void difference(comparison *c, const nh_quad *const *x)
{
    nh_quad h = (nh_quad)0.001, weight = 1;
    size_t rows = (size_t)c->rows;
    for (size_t level = 0; level < LEVELS; level++, h /= 2) {
        value_at(c, x, h, c->plus);
        value_at(c, x, -h, c->minus);
        for (size_t i = 0; i < rows; i++)
            c->table[level * rows + i] = (c->plus[i] - c->minus[i]) / (2 * h);
    }
    for (size_t step = 1; step < LEVELS; step++) {
        weight *= 4;
        for (size_t level = 0; level + step < LEVELS; level++)
            for (size_t i = 0; i < rows; i++) {
                nh_quad coarse = c->table[level * rows + i], fine = c->table[(level + 1) * rows + i];
                c->table[level * rows + i] = fine + (fine - coarse) / (weight - 1);
            }
    }
}

static void note(comparison *c, nh_quad sum, nh_quad reference, nh_quad scale)
{
    double error = (double)(nh_quad_abs(sum - reference) / scale);
    if (!(error <= c->worst))
        c->worst = error;
}

static nh_quad size_of(const nh_quad *x, int count)
{
    nh_quad most = (nh_quad)1e-30;
    for (int i = 0; i < count; i++)
        most = nh_quad_abs(x[i]) > most ? nh_quad_abs(x[i]) : most;
    return most;
}

/* The matrix, a gradient being a column, times the direction. */
static nh_quad product(const comparison *c, int i, bool gradient)
{
    nh_quad sum = 0;
    for (int k = 0; k < c->size; k++)
        sum += c->entries[gradient ? k : i * c->size + k] * c->direction[k];
    return sum;
}

static void compare_at(comparison *c, const nh_sample *at)
{
    const nh_quad *x[NH_SPACES];
    nh_study *s = &c->t->study;
    bool gradient = c->row->order == 0 && (c->row->of == NH_OF_LAGRANGIAN || c->row->of == NH_OF_ENERGY);
    nh_sample_inputs(s, at, x);
    for (int i = 0; i < c->size; i++)
        c->direction[i] = nh_study_random(s);
    difference(c, x);
    nh_probe_run(&c->probe, VALUE, x, c->plus);
    nh_quad scale = size_of(c->plus, c->rows);
    x[NH_D_TIME + c->row->by] = c->direction;
    nh_probe_run(&c->probe, TANGENT, x, c->minus);
    nh_quad slope = size_of(c->minus, c->rows);
    scale = slope > scale ? slope : scale;
    for (int i = 0; i < c->rows; i++)
        note(c, c->minus[i], c->table[i], scale);
    if (!c->matrix)
        return;
    nh_probe_run(&c->probe, MATRIX, x, c->entries);
    for (int i = 0; i < c->rows; i++)
        note(c, product(c, i, gradient), c->table[i], scale);
}

static nh_status compare(comparison *c, nh_error *error)
{
    const nh_study *s = &c->t->study;
    c->size = nh_model_space_size(s->m, c->row->by);
    c->matrix = s->m->n <= LARGE;
    nh_status status = derive(c, error);
    if (status == NH_OK && c->rows > 0 && c->size > 0) {
        if (!take_memory(c))
            status = nh_fail(error, NH_MEMORY, "out of memory");
        if (status == NH_OK && s->initial_good)
            compare_at(c, &s->initial);
        for (int i = 0; status == NH_OK && i < s->samples; i++)
            compare_at(c, &s->sample[i]);
    }
    nh_probe_free(&c->probe);
    free(c->direction);
    return status;
}

nh_status nh_trial_derivatives(nh_trials *t, nh_error *error)
{
    nh_kind kind = t->r->m->kind;
    const row *list = kind == NH_LAGRANGIAN ? mechanics : kind == NH_DAE ? dae : hamilton;
    size_t count = kind == NH_LAGRANGIAN ? sizeof mechanics / sizeof *mechanics
                   : kind == NH_DAE      ? sizeof dae / sizeof *dae
                                         : sizeof hamilton / sizeof *hamilton;
    double worst = 0;
    const char *where = "";
    if (!t->study.initial_good && t->study.samples == 0)
        return NH_OK;
    for (size_t i = 0; i < count; i++) {
        comparison c = {.t = t, .row = &list[i]};
        nh_status status = compare(&c, error);
        if (status != NH_OK)
            return status;
        if (!(c.worst <= worst)) {
            worst = c.worst;
            where = list[i].name;
        }
    }
    nh_trial_add(t, "derivatives", "", nh_trial_outcome(worst), worst,
                 "symbolic derivatives agree with differences to %.1g%s%s", worst, *where ? ", the worst in " : "",
                 where);
    return NH_OK;
}
