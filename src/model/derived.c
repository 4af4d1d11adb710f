/* SPDX-License-Identifier: MIT */
#include "model/derived.h"

#include <stdlib.h>

int nh_model_space_size(const nh_model *m, nh_space space)
{
    switch (space) {
    case NH_TIME:
    case NH_D_TIME:
        return 1;
    case NH_PARAMETER:
    case NH_D_PARAMETER:
        return m->parameters;
    case NH_LAMBDA:
    case NH_D_LAMBDA:
        return m->kind == NH_DAE ? m->algebraic : m->m + m->holonomic;
    default:
        return m->n;
    }
}

/* A 1 × 1 field. */
static nh_status scalar(nh_expr e, nh_field *out, nh_error *error)
{
    *out = (nh_field){.rows = 1, .columns = 1};
    return nh_field_set(out, 0, 0, e) ? NH_OK : nh_fail(error, NH_MEMORY, "out of memory");
}

/* *out += f; the pieces are merged later, once for all terms. */
static nh_status add(nh_field *out, const nh_field *f, nh_error *error)
{
    for (uint32_t i = 0; i < f->pieces; i++)
        if (!nh_field_add(out, &f->piece[i]))
            return nh_fail(error, NH_MEMORY, "out of memory");
    return NH_OK;
}

static nh_status merge(nh_graph *g, nh_field *f, nh_error *error)
{
    return nh_field_merge(g, f) ? NH_OK : nh_fail(error, NH_MEMORY, "out of memory");
}

static nh_status copy(const nh_field *f, nh_field *out, nh_error *error)
{
    *out = (nh_field){.rows = f->rows, .columns = f->columns};
    return add(out, f, error);
}

/* L_q + f, or the sum of the parts of a DAE. */
static nh_status force(const nh_model *m, nh_field *out, nh_error *error)
{
    if (m->kind == NH_DAE) {
        nh_status status = NH_OK;
        *out = (nh_field){.rows = m->n, .columns = 1};
        for (int i = 0; status == NH_OK && i < m->parts; i++)
            status = add(out, &m->part[i].field, error);
        return status == NH_OK ? merge(m->graph, out, error) : status;
    }
    nh_status status = nh_gradient(m->graph, m->lagrangian, NH_Q, m->n, out, error);
    if (status == NH_OK)
        status = add(out, &m->force, error);
    return status == NH_OK ? merge(m->graph, out, error) : status;
}

/* λᵀk (+ λ'ᵀg), whose gradient is the ideal reaction; `with_holonomic` adds the second term. */
static nh_status weighted(const nh_model *m, bool holonomic, nh_expr *out, nh_error *error)
{
    nh_field f;
    nh_status status = holonomic ? nh_model_holonomic_field(m, &f, error) : nh_model_constraint_field(m, &f, error);
    if (status != NH_OK)
        return status;
    *out = nh_field_dot(m->graph, &f, NH_LAMBDA, holonomic ? m->m : 0);
    nh_field_free(&f);
    return NH_OK;
}

static nh_expr along_motion(void *context, nh_graph *g, nh_space space, nh_affine component)
{
    (void)context;
    if (space == NH_D_TIME)
        return nh_integer(g, 1);
    return space == NH_D_Q ? nh_variable(g, NH_V, component) : 0;
}

/* The tangent of g along t' = 1, q' = v. */
static nh_status hidden(const nh_model *m, nh_field *out, nh_error *error)
{
    nh_field g;
    nh_status status = nh_model_holonomic_field(m, &g, error);
    if (status != NH_OK)
        return status;
    status = nh_field_tangent(m->graph, &g, 1u << NH_TIME | 1u << NH_Q, out, error);
    nh_field_free(&g);
    for (uint32_t i = 0; status == NH_OK && i < out->pieces; i++)
        out->piece[i].value = nh_substitute(m->graph, out->piece[i].value, along_motion, NULL);
    return status;
}

static nh_status reaction(const nh_model *m, nh_field *out, nh_error *error)
{
    nh_expr by_velocity, by_position;
    nh_field g = {0};
    nh_status status = weighted(m, false, &by_velocity, error);
    if (status == NH_OK)
        status = weighted(m, true, &by_position, error);
    if (status != NH_OK)
        return status;
    status = nh_gradient(m->graph, by_velocity, NH_V, m->n, out, error);
    if (status == NH_OK)
        status = nh_gradient(m->graph, by_position, NH_Q, m->n, &g, error);
    if (status == NH_OK)
        status = add(out, &g, error);
    if (status == NH_OK)
        status = add(out, &m->reaction, error);
    if (status == NH_OK)
        status = merge(m->graph, out, error);
    nh_field_free(&g);
    return status;
}

/* dE/dt along the motion: f·v + (reaction)·v − L_t. */
static nh_status power(const nh_model *m, nh_field *out, nh_error *error)
{
    nh_graph *g = m->graph;
    nh_field r;
    nh_status status = reaction(m, &r, error);
    if (status != NH_OK)
        return status;
    nh_expr e = nh_add(g, nh_field_dot(g, &r, NH_V, 0), nh_field_dot(g, &m->force, NH_V, 0));
    nh_field_free(&r);
    return scalar(nh_sub(g, e, nh_partial(g, m->lagrangian, NH_TIME, 0)), out, error);
}

static nh_status named(const nh_named *list, int count, nh_field *out, nh_error *error)
{
    *out = (nh_field){.rows = count, .columns = 1};
    for (int i = 0; i < count; i++)
        if (!nh_field_set(out, i, 0, list[i].value))
            return nh_fail(error, NH_MEMORY, "out of memory");
    return NH_OK;
}

/* L_v·ξ of every symmetry ξ. */
static nh_status momentum_map(const nh_model *m, nh_field *out, nh_error *error)
{
    nh_field momentum;
    nh_status status = nh_gradient(m->graph, m->lagrangian, NH_V, m->n, &momentum, error);
    if (status != NH_OK)
        return status;
    *out = (nh_field){.rows = m->symmetries, .columns = 1};
    for (int i = 0; status == NH_OK && i < m->symmetries; i++) {
        nh_expr product = nh_field_inner(m->graph, &momentum, &m->symmetry[i].field);
        if (!nh_field_set(out, i, 0, product))
            status = nh_fail(error, NH_MEMORY, "out of memory");
    }
    nh_field_free(&momentum);
    return status;
}

static nh_status quantity(const nh_model *m, nh_quantity of, nh_field *out, nh_error *error)
{
    switch (of) {
    case NH_OF_LAGRANGIAN:
        return scalar(m->lagrangian, out, error);
    case NH_OF_MOMENTUM:
        return nh_gradient(m->graph, m->lagrangian, NH_V, m->n, out, error);
    case NH_OF_FORCE:
        return force(m, out, error);
    case NH_OF_CONSTRAINT:
        return nh_model_constraint_field(m, out, error);
    case NH_OF_HOLONOMIC:
        return nh_model_holonomic_field(m, out, error);
    case NH_OF_HIDDEN:
        return hidden(m, out, error);
    case NH_OF_REACTION:
        return reaction(m, out, error);
    case NH_OF_ENERGY:
        return scalar(nh_model_energy(m), out, error);
    case NH_OF_POWER:
        return power(m, out, error);
    case NH_OF_OBSERVABLES:
        return named(m->observable, m->observables, out, error);
    case NH_OF_INVARIANTS:
        return named(m->invariant, m->invariants, out, error);
    case NH_OF_MOMENTUM_MAP:
        return momentum_map(m, out, error);
    case NH_OF_STRUCTURE:
        return copy(&m->structure, out, error);
    }
    return nh_fail(error, NH_USAGE, "unknown quantity");
}

static bool is_scalar(nh_quantity of)
{
    return of == NH_OF_LAGRANGIAN || of == NH_OF_ENERGY || of == NH_OF_POWER;
}

/* Replaces *f by a derivative: the gradient of a scalar is a column, the derivative of a column is a matrix. */
static nh_status differentiate(const nh_model *m, nh_field *f, bool gradient, nh_space by, nh_error *error)
{
    nh_field d;
    int size = nh_model_space_size(m, by);
    nh_status status = gradient ? nh_gradient(m->graph, f->piece[0].value, by, size, &d, error)
                                : nh_field_jacobian(m->graph, f, by, size, &d, error);
    nh_field_free(f);
    if (status == NH_OK)
        *f = d;
    return status;
}

nh_status nh_derive(const nh_model *m, nh_request r, nh_field *out, nh_error *error)
{
    *out = (nh_field){0};
    if (r.order > (is_scalar(r.of) ? 2 : r.of != NH_OF_STRUCTURE))
        return nh_fail(error, NH_USAGE, "a derivative of order %d of this quantity is no matrix", r.order);
    nh_status status = quantity(m, r.of, out, error);
    for (int i = 0; status == NH_OK && i < r.order; i++)
        status = differentiate(m, out, i == 0 && is_scalar(r.of), r.by[i], error);
    if (status == NH_OK && r.tangent) {
        nh_field d;
        status = nh_field_tangent(m->graph, out, r.tangent, &d, error);
        nh_field_free(out);
        if (status == NH_OK)
            *out = d;
    }
    nh_status built = nh_graph_report(m->graph, status == NH_OK ? error : NULL);
    status = status == NH_OK ? built : status;
    if (status != NH_OK)
        nh_field_free(out);
    return status;
}

static nh_status derive_all(const nh_model *m, const nh_request *requests, int count, nh_field *fields,
                            nh_layout *layouts, nh_program **out, nh_error *error)
{
    nh_status status = NH_OK;
    for (int i = 0; status == NH_OK && i < count; i++) {
        layouts[i] = requests[i].layout;
        status = nh_derive(m, requests[i], &fields[i], error);
    }
    if (status == NH_OK)
        status = nh_program_new(m->graph, fields, layouts, count, m->parameters, out, error);
    for (int i = 0; i < count; i++)
        nh_field_free(&fields[i]);
    return status;
}

nh_status nh_derive_program(const nh_model *m, const nh_request *requests, int count, nh_program **out, nh_error *error)
{
    nh_field *fields = calloc((size_t)count + 1, sizeof *fields);
    nh_layout *layouts = calloc((size_t)count + 1, sizeof *layouts);
    *out = NULL;
    nh_status status = NH_MEMORY;
    if (fields && layouts)
        status = derive_all(m, requests, count, fields, layouts, out, error);
    else
        nh_fail(error, NH_MEMORY, "out of memory");
    free(fields);
    free(layouts);
    return status;
}
