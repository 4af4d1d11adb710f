/* SPDX-License-Identifier: MIT */
/* Each family of velocity constraints by itself: its form in v, whether it does work, whether it is integrable. */
#include "analysis/scaling.h"
#include "analysis/study.h"

#include <stdlib.h>

/* Functions of the probe. */
enum { OF_K = 1, OF_AT_REST, OF_FIRST, OF_SECOND, FUNCTIONS = 4 };

typedef struct survey {
    nh_study *s;
    nh_probe probe;
    nh_quad *K, *other, *rest; /* K [m × n] at a point, at other velocities, and b [m] */
    nh_quad *form[2];          /* the two halves of dω [m] */
    nh_quad *u, *w, *v;        /* vectors of Q×R; random velocities */
} survey;

static nh_status prepare(survey *y, nh_field *first, nh_field *second, nh_error *error)
{
    nh_study *s = y->s;
    const nh_model *m = s->m;
    nh_field f[FUNCTIONS] = {{0}};
    size_t rows = s->c->too_large ? 1 : (size_t)m->m + 1, n = (size_t)m->n + 2; /* nothing is evaluated then */
    y->K = NH_NEW(&s->arena, nh_quad, rows * n);
    y->other = NH_NEW(&s->arena, nh_quad, rows * n);
    y->rest = NH_NEW(&s->arena, nh_quad, rows);
    y->form[0] = NH_NEW(&s->arena, nh_quad, rows);
    y->form[1] = NH_NEW(&s->arena, nh_quad, rows);
    y->u = NH_NEW(&s->arena, nh_quad, n);
    y->w = NH_NEW(&s->arena, nh_quad, n);
    y->v = NH_NEW(&s->arena, nh_quad, n);
    nh_status status = s->arena.failed ? nh_out_of_memory(error) : NH_OK;
    if (status == NH_OK)
        status = nh_derive(m, (nh_request){.of = NH_OF_CONSTRAINT, .order = 1, .by = {NH_V}}, &f[0], error);
    if (status == NH_OK)
        status = nh_model_constraint_field(m, &f[1], error);
    for (uint32_t i = 0; i < f[1].pieces; i++)
        f[1].piece[i].value = nh_at_rest(m->graph, f[1].piece[i].value);
    f[2] = *first;
    f[3] = *second;
    *first = *second = (nh_field){0};
    if (status == NH_OK)
        return nh_study_fields(s, f, FUNCTIONS, &y->probe, error);
    for (int i = 0; i < FUNCTIONS; i++)
        nh_field_free(&f[i]);
    return status;
}

/* --- form --- */

static void evaluate(survey *y, const nh_sample *at)
{
    const nh_quad *x[NH_SPACES];
    nh_sample_inputs(y->s, at, x);
    nh_probe_run(&y->probe, OF_K, x, y->K);
    nh_probe_run(&y->probe, OF_AT_REST, x, y->rest);
    for (int i = 0; i < y->s->m->n; i++)
        y->v[i] = at->v[i] + nh_study_random(y->s);
    x[NH_V] = y->v;
    nh_probe_run(&y->probe, OF_K, x, y->other);
}

/* Does K change with v at a sample? Is k not zero at v = 0? */
static void look_at_form(survey *y, const nh_constraint_class *k, bool *nonlinear, bool *affine)
{
    size_t n = (size_t)y->s->m->n;
    *nonlinear = *affine = false;
    for (int i = 0; i < y->s->samples; i++) {
        evaluate(y, &y->s->sample[i]);
        for (int r = k->first; r < k->first + k->count; r++) {
            nh_quad size = 0;
            for (size_t j = 0; j < n; j++) {
                nh_quad a = y->K[(size_t)r * n + j], b = y->other[(size_t)r * n + j];
                size += nh_quad_abs(a);
                *nonlinear |= !nh_negligible(a - b, nh_quad_abs(a) + nh_quad_abs(b));
            }
            *affine |= !nh_negligible(y->rest[r], size);
        }
    }
}

static void find_form(survey *y, nh_expr k, nh_constraint_class *out)
{
    nh_graph *g = y->s->m->graph;
    int degree = nh_degree(g, k, 1u << NH_V);
    bool affine_proved = degree == 0 || degree == 1;
    bool rest_is_zero = nh_is_number(g, nh_at_rest(g, k), 0);
    if (affine_proved && rest_is_zero) {
        out->form = NH_FORM_LINEAR;
        out->form_proved = true;
        return;
    }
    bool nonlinear, affine;
    look_at_form(y, out, &nonlinear, &affine);
    if (y->s->samples == 0)
        nonlinear = !affine_proved, affine = true;
    out->form = nonlinear && !affine_proved ? NH_FORM_NONLINEAR : affine ? NH_FORM_AFFINE : NH_FORM_LINEAR;
    out->form_proved = affine_proved && out->form == NH_FORM_AFFINE;
}

/* --- work --- */

static nh_answer looks_homogeneous(survey *y, const nh_constraint_class *k)
{
    size_t n = (size_t)y->s->m->n;
    for (int i = 0; i < y->s->samples; i++) {
        const nh_sample *at = &y->s->sample[i];
        evaluate(y, at);
        for (int r = k->first; r < k->first + k->count; r++) {
            nh_quad terms = 0, sum = nh_dot(y->K + (size_t)r * n, at->v, y->s->m->n, &terms);
            if (!nh_negligible(sum, terms))
                return NH_NO;
        }
    }
    return y->s->samples ? NH_YES : NH_UNKNOWN;
}

static nh_finding find_homogeneity(survey *y, nh_expr k, const nh_constraint_class *c)
{
    int degree;
    if (c->form == NH_FORM_AFFINE)
        return (nh_finding){NH_NO, false};
    if (c->form == NH_FORM_LINEAR)
        return (nh_finding){NH_YES, c->form_proved};
    if (nh_homogeneous(y->s->m->graph, k, 1u << NH_V, &degree))
        return (nh_finding){NH_YES, true};
    return (nh_finding){looks_homogeneous(y, c), false};
}

/* --- integrability --- */

static void draw_vectors(survey *y, bool with_time)
{
    for (int j = 0; j <= y->s->m->n; j++) {
        bool used = with_time || j < y->s->m->n;
        y->u[j] = used ? nh_study_random(y->s) : 0;
        y->w[j] = used ? nh_study_random(y->s) : 0;
    }
}

/* ω of row r as a vector of Q×R, and what lies along it in u and w removed. */
static void into_kernel(survey *y, int r, bool with_time)
{
    size_t n = (size_t)y->s->m->n;
    nh_quad square = 0, along_u = 0, along_w = 0;
    for (size_t j = 0; j <= n; j++) {
        nh_quad a = j < n ? y->K[(size_t)r * n + j] : with_time ? y->rest[r] : 0;
        square += a * a;
        along_u += a * y->u[j];
        along_w += a * y->w[j];
    }
    for (size_t j = 0; j <= n && square > 0; j++) {
        nh_quad a = j < n ? y->K[(size_t)r * n + j] : with_time ? y->rest[r] : 0;
        y->u[j] -= along_u / square * a;
        y->w[j] -= along_w / square * a;
    }
}

/* dω_r(u, w) is zero, or not. */
static bool form_vanishes(survey *y, const nh_sample *at, int r)
{
    const nh_quad *x[NH_SPACES];
    int n = y->s->m->n;
    nh_sample_inputs(y->s, at, x);
    x[NH_D_Q] = y->u;
    x[NH_D_TIME] = &y->u[n];
    x[NH_V] = y->w;
    x[NH_LAMBDA] = &y->w[n];
    nh_probe_run(&y->probe, OF_FIRST, x, y->form[0]);
    nh_probe_run(&y->probe, OF_SECOND, x, y->form[1]);
    nh_quad size = 0;
    for (int j = 0; j < n; j++)
        size += nh_quad_abs(y->K[(size_t)r * (size_t)n + (size_t)j]);
    nh_quad floor = size * (nh_quad)(NH_QUAD_IS_FLOAT128 ? 1e-6 : 1e-3);
    return nh_negligible(y->form[0][r] - y->form[1][r],
                         nh_quad_abs(y->form[0][r]) + nh_quad_abs(y->form[1][r]) + floor);
}

/* Is dω = 0, on ker ω or everywhere, for the rows that are looked at? */
static nh_answer looks_closed(survey *y, const nh_constraint_class *c, bool on_kernel)
{
    bool with_time = c->time_dependent || c->form == NH_FORM_AFFINE;
    int rows = c->count < NH_FAMILY_ROWS ? c->count : NH_FAMILY_ROWS;
    for (int i = 0; i < y->s->samples; i++) {
        evaluate(y, &y->s->sample[i]);
        for (int k = 0; k < rows; k++) {
            int r = c->first + (int)((int64_t)k * (c->count - 1) / (rows > 1 ? rows - 1 : 1));
            draw_vectors(y, with_time);
            if (on_kernel)
                into_kernel(y, r, with_time);
            if (!form_vanishes(y, &y->s->sample[i], r))
                return NH_NO;
        }
    }
    return y->s->samples ? NH_YES : NH_UNKNOWN;
}

static void find_integrability(survey *y, nh_expr difference, nh_constraint_class *c)
{
    bool zero = nh_is_number(y->s->m->graph, difference, 0);
    int dimension = y->s->m->n + (c->time_dependent || c->form == NH_FORM_AFFINE);
    if (c->form == NH_FORM_NONLINEAR)
        return;
    c->exact = zero ? (nh_finding){NH_YES, c->form_proved} : (nh_finding){looks_closed(y, c, false), false};
    if (c->exact.answer == NH_YES || dimension <= 2)
        c->integrable = (nh_finding){NH_YES, c->exact.answer == NH_YES ? c->exact.proved : c->form_proved};
    else
        c->integrable = (nh_finding){looks_closed(y, c, true), false};
}

static void classify(survey *y, int i, nh_expr difference)
{
    const nh_constraint *k = &y->s->m->constraint[i];
    nh_constraint_class *c = &y->s->c->constraint[i];
    *c = (nh_constraint_class){.label = k->label, .first = k->first, .count = k->count};
    c->time_dependent = nh_depends(y->s->m->graph, k->value, 1u << NH_TIME);
    find_form(y, k->value, c);
    c->homogeneous = find_homogeneity(y, k->value, c);
    find_integrability(y, difference, c);
}

nh_status nh_study_constraints(nh_study *s, nh_error *error)
{
    const nh_model *m = s->m;
    if (m->kind != NH_LAGRANGIAN)
        return NH_OK;
    s->c->constraints = m->constraints;
    s->c->constraint = NH_NEW(&s->c->arena, nh_constraint_class, m->constraints + 1);
    nh_expr *difference = NH_NEW(&s->arena, nh_expr, m->constraints + 1);
    if (!s->c->constraint || !difference)
        return nh_out_of_memory(error);
    nh_field first, second;
    survey y = {.s = s};
    nh_status status = nh_two_form(m, &first, &second, error);
    for (int i = 0; status == NH_OK && i < m->constraints; i++) /* one piece per family */
        difference[i] = nh_sub(m->graph, first.piece[i].value, second.piece[i].value);
    if (status == NH_OK)
        status = prepare(&y, &first, &second, error);
    for (int i = 0; status == NH_OK && i < m->constraints; i++)
        classify(&y, i, difference[i]);
    nh_field_free(&first);
    nh_field_free(&second);
    nh_probe_free(&y.probe);
    return status == NH_OK ? nh_graph_status(m->graph, error) : status;
}
