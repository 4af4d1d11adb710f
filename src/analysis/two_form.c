/* SPDX-License-Identifier: MIT */
/* The one-forms of velocity constraints on Q×R and their exterior derivatives.
 *
 * ω(w) for a vector w = (v, λ[0]) of Q×R is an expression that is linear in w. With a second vector u in the directions
 * of tangents, dω(u, w) = u(ω(w)) − w(ω(u)): a tangent, and the same tangent with u and w exchanged. Index ranges stay
 * loops, so this also serves large systems. */
#include "analysis/study.h"

static nh_expr no_velocity(void *context, nh_graph *g, nh_space space, nh_affine component)
{
    (void)context, (void)component;
    return space == NH_V ? nh_integer(g, 0) : 0;
}

nh_expr nh_at_rest(nh_graph *g, nh_expr e)
{
    return nh_substitute(g, e, no_velocity, NULL);
}

nh_expr nh_one_form(nh_graph *g, nh_expr k)
{
    nh_expr b = nh_at_rest(g, k);
    if (nh_is_number(g, b, 0))
        return k;
    return nh_add(g, nh_sub(g, k, b), nh_mul(g, b, nh_component(g, NH_LAMBDA, 0)));
}

static nh_expr exchange(void *context, nh_graph *g, nh_space space, nh_affine component)
{
    (void)context;
    switch (space) {
    case NH_V:
        return nh_variable(g, NH_D_Q, component);
    case NH_D_Q:
        return nh_variable(g, NH_V, component);
    case NH_LAMBDA:
        return nh_variable(g, NH_D_TIME, component);
    case NH_D_TIME:
        return nh_variable(g, NH_LAMBDA, component);
    default:
        return 0;
    }
}

nh_status nh_two_form(const nh_model *m, nh_field *first, nh_field *second, nh_error *error)
{
    nh_graph *g = m->graph;
    *first = *second = (nh_field){0};
    nh_status status = nh_model_constraint_field(m, first, error);
    if (status != NH_OK)
        return status;
    *second = (nh_field){.rows = first->rows, .columns = first->columns};
    for (uint32_t i = 0; status == NH_OK && i < first->pieces; i++) {
        nh_piece *p = &first->piece[i], swapped = *p;
        p->value = nh_tangent(g, nh_one_form(g, p->value), 1u << NH_TIME | 1u << NH_Q);
        swapped.value = nh_substitute(g, p->value, exchange, NULL);
        if (!nh_field_add(second, &swapped))
            status = nh_out_of_memory(error);
    }
    return status == NH_OK ? nh_graph_status(g, error) : status;
}

nh_status nh_stack(nh_field *top, nh_field *below, nh_error *error)
{
    nh_status status = NH_OK;
    for (uint32_t i = 0; status == NH_OK && i < below->pieces; i++) {
        nh_piece p = below->piece[i];
        if (!nh_affine_add(p.row, nh_affine_constant(top->rows), &p.row) || !nh_field_add(top, &p))
            status = nh_out_of_memory(error);
    }
    top->rows += below->rows;
    nh_field_free(below);
    return status;
}

enum { OF_K = 1, OF_B, OF_G_Q, OF_G_T };

nh_status nh_form_matrix(nh_study *s, nh_probe *out, nh_error *error)
{
    const nh_model *m = s->m;
    nh_field f[OF_G_T] = {{0}};
    nh_status status = nh_derive(m, (nh_request){.of = NH_OF_CONSTRAINT, .order = 1, .by = {NH_V}}, &f[0], error);
    if (status == NH_OK)
        status = nh_model_constraint_field(m, &f[1], error);
    for (uint32_t i = 0; i < f[1].pieces; i++)
        f[1].piece[i].value = nh_at_rest(m->graph, f[1].piece[i].value);
    if (status == NH_OK)
        status = nh_derive(m, (nh_request){.of = NH_OF_HOLONOMIC, .order = 1, .by = {NH_Q}}, &f[2], error);
    if (status == NH_OK)
        status = nh_derive(m, (nh_request){.of = NH_OF_HOLONOMIC, .order = 1, .by = {NH_TIME}}, &f[3], error);
    if (status == NH_OK)
        return nh_study_fields(s, f, OF_G_T, out, error);
    for (int i = 0; i < OF_G_T; i++)
        nh_field_free(&f[i]);
    return status;
}

/* Copies rows of n entries to rows of `width`. */
static void spread(const nh_quad *from, int rows, int n, int width, nh_quad *to)
{
    for (int i = rows - 1; i >= 0; i--) /* backwards: from and to may be the same */
        for (int j = n - 1; j >= 0; j--)
            to[(size_t)i * (size_t)width + (size_t)j] = from[(size_t)i * (size_t)n + (size_t)j];
}

void nh_form_matrix_at(nh_study *s, nh_probe *p, const nh_sample *at, bool with_time, nh_quad *out)
{
    const nh_model *m = s->m;
    const nh_quad *x[NH_SPACES];
    int n = m->n, width = n + with_time;
    nh_quad *lower = out + (size_t)m->m * (size_t)width;
    nh_sample_inputs(s, at, x);
    nh_probe_run(p, OF_G_Q, x, lower);
    spread(lower, m->holonomic, n, width, lower);
    nh_probe_run(p, OF_K, x, out);
    spread(out, m->m, n, width, out);
    if (!with_time)
        return;
    for (int block = 0; block < 2; block++) {
        int rows = block ? m->holonomic : m->m;
        nh_quad *top = block ? lower : out, *column = s->column;
        nh_probe_run(p, block ? OF_G_T : OF_B, x, column);
        for (int i = 0; i < rows; i++)
            top[(size_t)i * (size_t)width + (size_t)n] = column[i];
    }
}
