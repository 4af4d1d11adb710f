/* SPDX-License-Identifier: MIT */
/* Sparse matrices from fields: the pattern once, the values at any number of points. */
#include "analysis/sparse.h"

#include <stdlib.h>

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

static nh_status fill(nh_study *s, const nh_field *field, nh_sparse *out, nh_error *error)
{
    if (!nh_pattern_new(field, &out->pattern))
        return nh_out_of_memory(error);
    out->value = calloc(out->pattern.slots + 1, sizeof *out->value);
    out->slot = calloc(out->pattern.slots + 1, sizeof *out->slot);
    return out->value && out->slot ? make_probe(s, field, &out->probe, error) : nh_out_of_memory(error);
}

nh_status nh_sparse_new(nh_study *s, nh_field *field, nh_sparse *out, nh_error *error)
{
    *out = (nh_sparse){.too_many = nh_pattern_slots(field, NH_SPARSE_MOST) > NH_SPARSE_MOST};
    out->pattern.rows = field->rows;
    out->pattern.columns = field->columns;
    nh_status status = out->too_many ? NH_OK : fill(s, field, out, error);
    nh_field_free(field);
    if (status != NH_OK)
        nh_sparse_free(out);
    return status;
}

void nh_sparse_free(nh_sparse *a)
{
    nh_pattern_free(&a->pattern);
    free(a->value);
    free(a->slot);
    nh_probe_free(&a->probe);
    *a = (nh_sparse){0};
}

bool nh_sparse_at(nh_sparse *a, int first, const nh_quad *const x[NH_SPACES])
{
    if (a->too_many)
        return false;
    const nh_pattern *p = &a->pattern;
    const size_t entries = p->start[p->rows], from = p->start[first];
    nh_probe_run(&a->probe, 1, x, a->slot);
    for (size_t i = 0; i < entries; i++)
        a->value[i] = 0;
    for (size_t i = 0; i < p->slots; i++)
        if (p->place[i] != UINT32_MAX)
            a->value[p->place[i]] += a->slot[i];
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
    for (size_t i = a->pattern.start[r]; i < a->pattern.start[r + 1] && a->pattern.column[i] < columns; i++) {
        nh_quad term = a->value[i] * x[a->pattern.column[i]];
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
