/* SPDX-License-Identifier: MIT */
/* Each family of velocity constraints by itself: its form in v, whether it does work, whether it is integrable. */
#include "analysis/scaling.h"
#include "analysis/sparse.h"

#include <stdlib.h>

typedef struct survey {
    nh_study *s;
    nh_probe probe;     /* the two halves of dω */
    nh_sparse forms;    /* rows of K, then of g_q; the dt column is column n */
    nh_quad *other;     /* values of `forms` at other velocities */
    nh_quad *half;      /* their values [2m] */
    nh_quad *u, *w, *v; /* vectors of Q×R; random velocities */
} survey;

static nh_status prepare(survey *y, nh_field *first, nh_field *second, nh_error *error)
{
    nh_study *s = y->s;
    size_t rows = (size_t)s->m->m + 1, n = (size_t)s->m->n + 2;
    nh_status status = nh_stack(first, second, error);
    if (status == NH_OK)
        status = nh_study_fields(s, first, 1, &y->probe, error);
    if (status == NH_OK)
        status = nh_sparse_forms(s, true, &y->forms, error);
    if (status != NH_OK)
        return status;
    y->other = NH_NEW(&s->arena, nh_quad, y->forms.too_many ? 1 : y->forms.pattern.slots + 1);
    y->half = NH_NEW(&s->arena, nh_quad, 2 * rows);
    y->u = NH_NEW(&s->arena, nh_quad, n);
    y->w = NH_NEW(&s->arena, nh_quad, n);
    y->v = NH_NEW(&s->arena, nh_quad, n);
    return s->arena.failed ? nh_out_of_memory(error) : NH_OK;
}

static void evaluate(survey *y, const nh_sample *at)
{
    const nh_quad *x[NH_SPACES];
    nh_sample_inputs(y->s, at, x);
    nh_sparse_at(&y->forms, 0, x);
}

/* Σ|a_j| of row r of K. */
static nh_quad size_of_row(const survey *y, int r)
{
    nh_quad size = 0;
    for (size_t e = y->forms.pattern.start[r];
         e < y->forms.pattern.start[r + 1] && y->forms.pattern.column[e] < y->s->m->n; e++)
        size += nh_quad_abs(y->forms.value[e]);
    return size;
}

/* k of row r at v = 0. */
static nh_quad at_rest(const survey *y, int r)
{
    size_t end = y->forms.pattern.start[r + 1];
    return end > y->forms.pattern.start[r] && y->forms.pattern.column[end - 1] == y->s->m->n ? y->forms.value[end - 1]
                                                                                             : 0;
}

/* --- form --- */

/* Values at other velocities go to y->other, then those at the point to y->forms. */
static void evaluate_twice(survey *y, const nh_sample *at)
{
    nh_sample elsewhere = *at;
    for (int i = 0; i < y->s->m->n; i++)
        y->v[i] = at->v[i] + nh_study_random(y->s);
    elsewhere.v = y->v;
    evaluate(y, &elsewhere);
    for (size_t e = 0; e < y->forms.pattern.start[y->forms.pattern.rows]; e++)
        y->other[e] = y->forms.value[e];
    evaluate(y, at);
}

/* Does K change with v at a sample? Is k not zero at v = 0? */
static void look_at_form(survey *y, const nh_constraint_class *k, bool *nonlinear, bool *affine)
{
    *nonlinear = *affine = false;
    for (int i = 0; i < y->s->samples; i++) {
        evaluate_twice(y, &y->s->sample[i]);
        for (int r = k->first; r < k->first + k->count; r++) {
            for (size_t e = y->forms.pattern.start[r]; e < y->forms.pattern.start[r + 1]; e++) {
                nh_quad a = y->forms.value[e], b = y->other[e];
                *nonlinear |= !nh_negligible(a - b, nh_quad_abs(a) + nh_quad_abs(b));
            }
            *affine |= !nh_negligible(at_rest(y, r), size_of_row(y, r));
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
        out->form_known = out->form_proved = true;
        return;
    }
    bool nonlinear, affine;
    look_at_form(y, out, &nonlinear, &affine);
    if (y->s->samples == 0)
        nonlinear = !affine_proved, affine = true;
    out->form_known = y->s->samples > 0;
    out->form = nonlinear && !affine_proved ? NH_FORM_NONLINEAR : affine ? NH_FORM_AFFINE : NH_FORM_LINEAR;
    out->form_proved = out->form_known && affine_proved && out->form == NH_FORM_AFFINE;
}

/* --- work --- */

static nh_answer looks_homogeneous(survey *y, const nh_constraint_class *k)
{
    int n = y->s->m->n;
    for (int i = 0; i < y->s->samples; i++) {
        const nh_sample *at = &y->s->sample[i];
        nh_quad size = nh_size_of(at->v, n);
        evaluate(y, at);
        for (int r = k->first; r < k->first + k->count; r++) {
            nh_quad terms = 0, sum = nh_sparse_dot(&y->forms, r, n, at->v, size, &terms);
            if (!nh_negligible(sum, terms))
                return NH_NO;
        }
    }
    return y->s->samples ? NH_YES : NH_UNKNOWN;
}

static nh_finding find_homogeneity(survey *y, nh_expr k, const nh_constraint_class *c)
{
    int degree;
    if (c->form == NH_FORM_AFFINE) /* one that may be linear, as far as is known, decides nothing */
        return (nh_finding){c->form_known ? NH_NO : NH_UNKNOWN, false};
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

/* Removes what lies along ω of row r, as a vector of Q×R, from u and w. */
static void into_kernel(survey *y, int r, bool with_time)
{
    const nh_sparse *f = &y->forms;
    int columns = y->s->m->n + with_time;
    nh_quad square = 0, along_u = 0, along_w = 0;
    for (size_t e = f->pattern.start[r]; e < f->pattern.start[r + 1] && f->pattern.column[e] < columns; e++) {
        square += f->value[e] * f->value[e];
        along_u += f->value[e] * y->u[f->pattern.column[e]];
        along_w += f->value[e] * y->w[f->pattern.column[e]];
    }
    for (size_t e = f->pattern.start[r]; e < f->pattern.start[r + 1] && f->pattern.column[e] < columns && square > 0;
         e++) {
        y->u[f->pattern.column[e]] -= along_u / square * f->value[e];
        y->w[f->pattern.column[e]] -= along_w / square * f->value[e];
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
    nh_probe_run(&y->probe, 1, x, y->half);
    nh_quad first = y->half[r], second = y->half[y->s->m->m + r];
    nh_quad floor = size_of_row(y, r) * (nh_quad)(NH_QUAD_IS_FLOAT128 ? 1e-6 : 1e-3);
    return nh_negligible(first - second, nh_quad_abs(first) + nh_quad_abs(second) + floor);
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
    if (c->form == NH_FORM_NONLINEAR || !c->form_known)
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
    nh_sparse_free(&y.forms);
    return status == NH_OK ? nh_graph_status(m->graph, error) : status;
}
