/* SPDX-License-Identifier: MIT */
/* Fields: lists of pieces. */
#include "expr/field.h"

#include <stdlib.h>

void nh_field_free(nh_field *f)
{
    free(f->piece);
    *f = (nh_field){0};
}

bool nh_field_add(nh_field *f, const nh_piece *piece)
{
    if (!nh_grow(&f->piece, &f->capacity, f->pieces + 1, sizeof *f->piece))
        return false;
    f->piece[f->pieces++] = *piece;
    return true;
}

bool nh_field_set(nh_field *f, int row, int column, nh_expr value)
{
    return nh_field_add(
        f, &(nh_piece){.row = nh_affine_constant(row), .column = nh_affine_constant(column), .value = value});
}

typedef nh_expr derivative(nh_graph *g, nh_expr e, uint32_t spaces);

static nh_status differentiate(nh_graph *g, const nh_field *f, derivative *of, uint32_t spaces, nh_field *out,
                               nh_error *error)
{
    *out = (nh_field){.rows = f->rows, .columns = f->columns};
    for (uint32_t i = 0; i < f->pieces; i++) {
        nh_piece p = f->piece[i];
        p.value = of(g, p.value, spaces);
        if (!nh_is_number(g, p.value, 0) && !nh_field_add(out, &p)) {
            nh_field_free(out);
            return nh_fail(error, NH_MEMORY, "out of memory while differentiating");
        }
    }
    nh_status status = nh_graph_status(g, error);
    if (status != NH_OK)
        nh_field_free(out);
    return status;
}

nh_status nh_field_tangent(nh_graph *g, const nh_field *f, uint32_t spaces, nh_field *out, nh_error *error)
{
    return differentiate(g, f, nh_tangent, spaces, out, error);
}

nh_status nh_field_reach(nh_graph *g, const nh_field *f, uint32_t spaces, nh_field *out, nh_error *error)
{
    return differentiate(g, f, nh_reach, spaces, out, error);
}

nh_expr nh_field_dot(nh_graph *g, const nh_field *f, nh_space weight, int offset)
{
    nh_expr total = nh_integer(g, 0);
    for (uint32_t i = 0; i < f->pieces; i++) {
        const nh_piece *p = &f->piece[i];
        nh_affine row = p->row;
        row.constant += offset;
        nh_expr term = nh_mul(g, nh_variable(g, weight, row), p->value);
        for (int l = p->loops - 1; l >= 0; l--)
            term = nh_sum(g, NH_OPEN + l, p->count[l], term);
        total = nh_add(g, total, term);
    }
    return total;
}

/* Advances the loop values of a piece like an odometer; false when all are done. */
static bool next(const nh_piece *p, int64_t *value)
{
    for (int l = p->loops - 1; l >= 0; l--) {
        if (++value[NH_OPEN + l] < nh_affine_value(p->count[l], value)) {
            for (int k = l + 1; k < p->loops; k++)
                value[NH_OPEN + k] = 0;
            return true;
        }
    }
    return false;
}

static bool empty(const nh_piece *p, const int64_t *value)
{
    for (int l = 0; l < p->loops; l++)
        if (nh_affine_value(p->count[l], value) <= value[NH_OPEN + l])
            return true;
    return false;
}

void nh_field_visit_piece(const nh_field *f, uint32_t piece, nh_field_visitor *visit, void *context)
{
    const nh_piece *p = &f->piece[piece];
    int64_t value[NH_INDICES] = {0};
    do {
        if (!empty(p, value))
            visit(context, piece, nh_affine_value(p->row, value), nh_affine_value(p->column, value), value);
    } while (next(p, value));
}

void nh_field_visit(const nh_field *f, nh_field_visitor *visit, void *context)
{
    for (uint32_t i = 0; i < f->pieces; i++)
        nh_field_visit_piece(f, i, visit, context);
}

typedef struct selection {
    nh_graph *g;
    const nh_field *f;
    int64_t row, column;
    nh_expr sum;
} selection;

static void select_entry(void *context, uint32_t piece, int64_t row, int64_t column, const int64_t *value)
{
    selection *s = context;
    if (row != s->row || column != s->column)
        return;
    nh_expr e = s->f->piece[piece].value;
    for (int l = 0; l < s->f->piece[piece].loops; l++)
        e = nh_reindex(s->g, e, NH_OPEN + l, nh_affine_constant(value[NH_OPEN + l]));
    s->sum = nh_add(s->g, s->sum, e);
}

nh_expr nh_field_entry(nh_graph *g, const nh_field *f, int row, int column)
{
    selection s = {g, f, row, column, nh_integer(g, 0)};
    nh_field_visit(f, select_entry, &s);
    return s.sum;
}

int64_t nh_piece_extents(const nh_piece *p, int64_t extent[NH_MAX_NEST])
{
    int64_t product = 1;
    for (int l = 0; l < p->loops; l++) {
        int64_t most = p->count[l].constant;
        for (int i = 0; i < p->count[l].terms; i++)
            if (p->count[l].term[i].factor > 0)
                most += p->count[l].term[i].factor * (extent[p->count[l].term[i].index - NH_OPEN] - 1);
        extent[l] = most > 0 ? most : 0;
        product *= extent[l];
    }
    return product;
}
