/* SPDX-License-Identifier: MIT */
/* Sparse matrices from fields: the pattern once, the values at any number of points. */
#include "analysis/sparse.h"

#include <stdlib.h>

/* --- the pattern --- */

typedef struct cell {
    int row, column;
    uint32_t slot;
} cell;

typedef struct gathering {
    const nh_field *f;
    size_t *first; /* slot of each piece's first entry */
    cell *list;
    size_t count;
} gathering;

static void record(void *context, uint32_t piece, int64_t row, int64_t column, const int64_t *values)
{
    gathering *w = context;
    const nh_piece *p = &w->f->piece[piece];
    int64_t extent[NH_MAX_NEST], stride = 1, slot = (int64_t)w->first[piece];
    nh_piece_extents(p, extent);
    for (int l = p->loops - 1; l >= 0; l--) {
        slot += values[NH_OPEN + l] * stride;
        stride *= extent[l];
    }
    w->list[w->count++] = (cell){(int)row, (int)column, (uint32_t)slot};
}

static int by_place(const void *a, const void *b)
{
    const cell *x = a, *y = b;
    if (x->row != y->row)
        return x->row < y->row ? -1 : 1;
    if (x->column != y->column)
        return x->column < y->column ? -1 : 1;
    return x->slot < y->slot ? -1 : x->slot > y->slot; /* sums do not depend on the sort */
}

/* Number of slots, and where those of each piece begin. */
static size_t count_slots(const nh_field *f, size_t *first)
{
    size_t slots = 0;
    for (uint32_t i = 0; i < f->pieces && slots <= NH_SPARSE_MOST; i++) {
        int64_t extent[NH_MAX_NEST];
        first[i] = slots;
        slots += (size_t)nh_piece_extents(&f->piece[i], extent);
    }
    return slots;
}

/* Entries in the order of rows; equal places become one entry. */
static void arrange(nh_sparse *a, cell *list, size_t count)
{
    size_t entries = 0;
    int row = -1;
    for (size_t i = 0; i < a->slots; i++)
        a->place[i] = UINT32_MAX;
    if (count)
        qsort(list, count, sizeof *list, by_place);
    for (size_t i = 0; i < count; i++) {
        while (row < list[i].row)
            a->start[++row] = entries;
        if (i == 0 || list[i].row != list[i - 1].row || list[i].column != list[i - 1].column)
            a->column[entries++] = list[i].column;
        a->place[list[i].slot] = (uint32_t)(entries - 1);
    }
    while (row < a->rows)
        a->start[++row] = entries;
}

static bool find_pattern(nh_sparse *a, const nh_field *f, size_t *first)
{
    gathering w = {.f = f, .first = first};
    w.list = malloc((a->slots + 1) * sizeof *w.list);
    a->start = calloc((size_t)a->rows + 1, sizeof *a->start);
    a->column = calloc(a->slots + 1, sizeof *a->column);
    a->value = calloc(a->slots + 1, sizeof *a->value);
    a->slot = calloc(a->slots + 1, sizeof *a->slot);
    a->place = calloc(a->slots + 1, sizeof *a->place);
    bool good = w.list && a->start && a->column && a->value && a->slot && a->place;
    if (good) {
        nh_field_visit(f, record, &w);
        arrange(a, w.list, w.count);
    }
    free(w.list);
    return good;
}

/* --- the values --- */

static nh_status make_probe(nh_study *s, const nh_field *f, nh_probe *out, nh_error *error)
{
    nh_layout layout = NH_SPARSE;
    nh_status status = nh_program_new(s->m->graph, f, &layout, 1, s->m->parameters, &out->program, error);
    if (status != NH_OK)
        return status;
    out->constants = calloc((size_t)nh_program_constants(out->program) + 1, sizeof *out->constants);
    out->work = calloc(nh_program_work(out->program) + 1, sizeof *out->work);
    if (!out->constants || !out->work)
        return nh_out_of_memory(error);
    nh_tape_prepare_quad(out->program, out->work);
    nh_probe_parameters(out, s->parameters);
    return NH_OK;
}

nh_status nh_sparse_new(nh_study *s, nh_field *field, nh_sparse *out, nh_error *error)
{
    *out = (nh_sparse){.rows = field->rows, .columns = field->columns};
    size_t *first = calloc((size_t)field->pieces + 1, sizeof *first);
    nh_status status = first ? NH_OK : nh_out_of_memory(error);
    if (first)
        out->slots = count_slots(field, first);
    out->too_many = out->slots > NH_SPARSE_MOST;
    if (first && !out->too_many) {
        if (!find_pattern(out, field, first))
            status = nh_out_of_memory(error);
        if (status == NH_OK)
            status = make_probe(s, field, &out->probe, error);
    }
    free(first);
    nh_field_free(field);
    if (status != NH_OK)
        nh_sparse_free(out);
    return status;
}

void nh_sparse_free(nh_sparse *a)
{
    free(a->start);
    free(a->column);
    free(a->value);
    free(a->slot);
    free(a->place);
    nh_probe_free(&a->probe);
    *a = (nh_sparse){0};
}

bool nh_sparse_at(nh_sparse *a, int first, const nh_quad *const x[NH_SPACES])
{
    if (a->too_many)
        return false;
    size_t entries = a->start[a->rows], from = a->start[first];
    nh_probe_run(&a->probe, 1, x, a->slot);
    for (size_t i = 0; i < entries; i++)
        a->value[i] = 0;
    for (size_t i = 0; i < a->slots; i++)
        if (a->place[i] != UINT32_MAX)
            a->value[a->place[i]] += a->slot[i];
    return nh_quads_finite(a->value + from, entries - from);
}

nh_quad nh_size_of(const nh_quad *x, int n)
{
    nh_quad size = 0;
    for (int i = 0; i < n; i++)
        size += nh_quad_abs(x[i]);
    return size;
}

nh_quad nh_sparse_dot(const nh_sparse *a, int r, int columns, const nh_quad *x, nh_quad size, nh_quad *terms)
{
    nh_quad sum = 0, size_of_row = 0;
    for (size_t i = a->start[r]; i < a->start[r + 1] && a->column[i] < columns; i++) {
        nh_quad term = a->value[i] * x[a->column[i]];
        sum += term;
        *terms += nh_quad_abs(term);
        size_of_row += nh_quad_abs(a->value[i]);
    }
    *terms += size_of_row * size * (nh_quad)1e-6;
    return sum;
}

/* --- the forms of the constraints --- */

/* Adds the pieces of f with their places moved; frees f. */
static nh_status add_block(nh_field *out, nh_field *f, int row, int column, nh_error *error)
{
    nh_status status = NH_OK;
    for (uint32_t i = 0; status == NH_OK && i < f->pieces; i++) {
        nh_piece p = f->piece[i];
        bool good = nh_affine_add(p.row, nh_affine_constant(row), &p.row) &&
                    nh_affine_add(p.column, nh_affine_constant(column), &p.column);
        if (!good || !nh_field_add(out, &p))
            status = nh_out_of_memory(error);
    }
    nh_field_free(f);
    return status;
}

static nh_status add_derivative(nh_study *s, nh_quantity of, nh_space by, int row, int column, nh_field *out,
                                nh_error *error)
{
    nh_field f = {0};
    nh_status status = nh_derive(s->m, (nh_request){.of = of, .order = 1, .by = {by}}, &f, error);
    return status == NH_OK ? add_block(out, &f, row, column, error) : status;
}

/* k at v = 0. */
static nh_status add_at_rest(nh_study *s, nh_field *out, nh_error *error)
{
    nh_field f = {0};
    nh_status status = nh_model_constraint_field(s->m, &f, error);
    for (uint32_t i = 0; i < f.pieces; i++)
        f.piece[i].value = nh_at_rest(s->m->graph, f.piece[i].value);
    return status == NH_OK ? add_block(out, &f, 0, s->m->n, error) : status;
}

nh_status nh_sparse_forms(nh_study *s, bool with_time, nh_sparse *out, nh_error *error)
{
    const nh_model *m = s->m;
    nh_field f = {.rows = m->m + m->holonomic, .columns = m->n + with_time};
    *out = (nh_sparse){0};
    nh_status status = add_derivative(s, NH_OF_CONSTRAINT, NH_V, 0, 0, &f, error);
    if (status == NH_OK)
        status = add_derivative(s, NH_OF_HOLONOMIC, NH_Q, m->m, 0, &f, error);
    if (status == NH_OK && with_time)
        status = add_at_rest(s, &f, error);
    if (status == NH_OK && with_time)
        status = add_derivative(s, NH_OF_HOLONOMIC, NH_TIME, m->m, m->n, &f, error);
    if (status == NH_OK)
        status = nh_graph_status(m->graph, error);
    if (status == NH_OK)
        return nh_sparse_new(s, &f, out, error);
    nh_field_free(&f);
    return status;
}
