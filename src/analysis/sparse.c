/* SPDX-License-Identifier: MIT */
/* Products with sparse matrices, and the forms of the constraints as one. */
#include "analysis/sparse.h"

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
        return nh_sparse_new(m, s->parameters, &f, out, error);
    nh_field_free(&f);
    return status;
}
