/* SPDX-License-Identifier: MIT */
/* Declared symmetries ξ(q): what they leave invariant, whether their momentum is conserved, whether they make the
 * system one of Chaplygin's. Everything is a derivative along the prolonged field (ξ, ∂ξ/∂q v), taken at random points.
 */
#include "analysis/sparse.h"

#include <stdlib.h>

enum { OF_L_Q = 1, OF_L_V, OF_FORCE, OF_REACTION, MODEL_FUNCTIONS = OF_REACTION };

typedef struct group {
    nh_study *s;
    nh_probe model;       /* functions above */
    nh_quad *of_model[5]; /* their values at the point, each [n] */
    nh_sparse by_q;       /* k_q */
    nh_sparse forms;      /* K, then g_q */
    bool rows_good;       /* both could be evaluated at the point */
    nh_probe field;       /* 2i + 1: ξ_i, 2i + 2: its tangent */
    nh_quad *xi, *rate;   /* [n] at the point: ξ and ∂ξ/∂q v */
    nh_quad *bracket;     /* [n] */
} group;

static nh_status derive_model(group *y, nh_error *error)
{
    nh_study *s = y->s;
    nh_field f[MODEL_FUNCTIONS] = {{0}}, by_q = {0};
    nh_status status = nh_derive(s->m, (nh_request){.of = NH_OF_LAGRANGIAN, .order = 1, .by = {NH_Q}}, &f[0], error);
    if (status == NH_OK)
        status = nh_derive(s->m, (nh_request){.of = NH_OF_LAGRANGIAN, .order = 1, .by = {NH_V}}, &f[1], error);
    if (status == NH_OK)
        status = nh_study_copy(&s->m->force, s->m->n, &f[OF_FORCE - 1], error);
    if (status == NH_OK)
        status = nh_study_copy(&s->m->reaction, s->m->n, &f[OF_REACTION - 1], error);
    if (status == NH_OK)
        status = nh_study_fields(s, f, MODEL_FUNCTIONS, &y->model, error);
    else
        for (int i = 0; i < MODEL_FUNCTIONS; i++)
            nh_field_free(&f[i]);
    if (status == NH_OK)
        status = nh_derive(s->m, (nh_request){.of = NH_OF_CONSTRAINT, .order = 1, .by = {NH_Q}}, &by_q, error);
    if (status == NH_OK)
        status = nh_sparse_new(s->m, s->parameters, &by_q, &y->by_q, error);
    return status == NH_OK ? nh_sparse_forms(s, false, &y->forms, error) : status;
}

static nh_status derive_symmetries(nh_study *s, nh_probe *out, nh_error *error)
{
    int count = s->m->symmetries;
    nh_field *f = calloc(2 * (size_t)count + 1, sizeof *f);
    nh_status status = f ? NH_OK : nh_out_of_memory(error);
    for (int i = 0; status == NH_OK && i < count; i++) {
        status = nh_study_copy(&s->m->symmetry[i].field, s->m->n, &f[2 * i], error);
        if (status == NH_OK)
            status = nh_field_tangent(s->m->graph, &f[2 * i], 1u << NH_Q, &f[2 * i + 1], error);
    }
    if (status == NH_OK)
        status = nh_study_fields(s, f, 2 * count, out, error);
    else
        for (int i = 0; f && i < 2 * count; i++)
            nh_field_free(&f[i]);
    free(f);
    return status;
}

/* ξ_i and its derivative along a direction (NULL: the velocity). */
static void field_at(group *y, int i, const nh_sample *at, const nh_quad *along, nh_quad *xi, nh_quad *rate)
{
    const nh_quad *x[NH_SPACES];
    nh_sample_inputs(y->s, at, x);
    x[NH_D_Q] = along ? along : at->v;
    if (xi)
        nh_probe_run(&y->field, 2 * i + 1, x, xi);
    if (rate)
        nh_probe_run(&y->field, 2 * i + 2, x, rate);
}

/* a·x + b·y negligible? */
static bool cancels(const nh_quad *a, const nh_quad *x, const nh_quad *b, const nh_quad *y, int n, nh_quad floor)
{
    nh_quad terms = floor, sum = nh_dot(a, x, n, &terms);
    sum += nh_dot(b, y, n, &terms);
    return nh_negligible(sum, terms);
}

/* A small part of the size of a·v: what a derivative is compared with if all its terms are rounding errors. */
static const double part_of_size = 1e-6;

static nh_quad floor_of(const nh_quad *a, const nh_quad *v, int n)
{
    nh_quad terms = 0;
    nh_dot(a, v, n, &terms);
    return terms * (nh_quad)part_of_size;
}

static void note(nh_finding *f, bool holds)
{
    f->answer = f->answer == NH_NO || !holds ? NH_NO : NH_YES;
}

/* Everything of the model at a point. */
static void evaluate(group *y, const nh_sample *at)
{
    const nh_quad *x[NH_SPACES];
    nh_sample_inputs(y->s, at, x);
    for (int i = OF_L_Q; i <= MODEL_FUNCTIONS; i++)
        nh_probe_run(&y->model, i, x, y->of_model[i]);
    y->rows_good = nh_sparse_at(&y->forms, 0, x) && nh_sparse_at(&y->by_q, 0, x);
}

/* The constraints along ξ at the point that was evaluated. */
static void look_at_constraints(group *y, nh_symmetry_class *c, const nh_sample *at)
{
    const nh_model *m = y->s->m;
    int n = m->n;
    nh_quad size_of_xi = nh_size_of(y->xi, n), size_of_rate = nh_size_of(y->rate, n), size_of_v = nh_size_of(at->v, n);
    for (int r = 0; r < m->m + m->holonomic; r++) {
        nh_quad along = 0, terms = 0, unused = 0;
        nh_quad shift = nh_sparse_dot(&y->forms, r, n, y->xi, size_of_xi, &along);
        bool tangent = nh_negligible(shift, along);
        note(&c->horizontal, tangent);
        if (r >= m->m) { /* of g */
            note(&c->constraints, tangent);
            continue;
        }
        nh_sparse_dot(&y->forms, r, n, at->v, size_of_v, &unused);
        terms = unused * (nh_quad)part_of_size;
        nh_quad sum = nh_sparse_dot(&y->by_q, r, n, y->xi, size_of_xi, &terms);
        sum += nh_sparse_dot(&y->forms, r, n, y->rate, size_of_rate, &terms);
        note(&c->constraints, nh_negligible(sum, terms));
    }
}

/* One symmetry at the point that was evaluated; ξ and its rate are in y->xi, y->rate. */
static void look(group *y, nh_symmetry_class *c, const nh_sample *at)
{
    const nh_model *m = y->s->m;
    nh_quad **f = y->of_model;
    note(&c->lagrangian, cancels(f[OF_L_Q], y->xi, f[OF_L_V], y->rate, m->n, floor_of(f[OF_L_V], at->v, m->n)));
    note(&c->unforced, cancels(f[OF_FORCE], y->xi, f[OF_REACTION], y->xi, m->n, 0));
    if (y->rows_good)
        look_at_constraints(y, c, at);
}

/* All of three. */
static nh_finding all(nh_finding a, nh_finding b, nh_finding c)
{
    bool no = a.answer == NH_NO || b.answer == NH_NO || c.answer == NH_NO;
    bool yes = a.answer == NH_YES && b.answer == NH_YES && c.answer == NH_YES;
    return (nh_finding){no ? NH_NO : yes ? NH_YES : NH_UNKNOWN, yes && a.proved && b.proved && c.proved};
}

static void look_at_samples(group *y)
{
    for (int k = 0; k < y->s->samples; k++) {
        const nh_sample *at = &y->s->sample[k];
        evaluate(y, at);
        for (int i = 0; i < y->s->m->symmetries; i++) {
            field_at(y, i, at, NULL, y->xi, y->rate);
            look(y, &y->s->c->symmetry[i], at);
        }
    }
}

static nh_status conclude(group *y, int i, nh_error *error)
{
    const nh_model *m = y->s->m;
    nh_symmetry_class *c = &y->s->c->symmetry[i];
    nh_status status = NH_OK;
    if (m->m + m->holonomic == 0)
        c->constraints = c->horizontal = (nh_finding){NH_YES, true};
    if (m->force.pieces + m->reaction.pieces == 0)
        c->unforced = (nh_finding){NH_YES, true};
    if (m->n <= NH_SMALL)
        status = nh_prove_symmetry(y->s, i, error);
    c->conserved = all(c->lagrangian, c->horizontal, c->unforced);
    return status;
}

/* --- Chaplygin systems --- */

static nh_quad square_of(const nh_quad *x, size_t count)
{
    nh_quad sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += x[i] * x[i];
    return sum;
}

/* Is K ξ of the chosen symmetries a regular matrix at this point? */
static bool transversal(group *y, const int *chosen, const nh_sample *at)
{
    const nh_model *m = y->s->m;
    const nh_quad *x[NH_SPACES];
    size_t rows = (size_t)m->m;
    nh_quad *product = malloc((rows * rows + 1) * sizeof *product), *sigma = malloc((rows + 1) * sizeof *sigma);
    nh_sample_inputs(y->s, at, x);
    bool good = product && sigma && nh_sparse_at(&y->forms, 0, x);
    nh_quad size_of_K = good ? square_of(y->forms.value, y->forms.pattern.start[rows]) : 0, size_of_xi = 0;
    for (size_t c = 0; good && c < rows; c++) {
        field_at(y, chosen[c], at, NULL, y->xi, NULL);
        size_of_xi += square_of(y->xi, (size_t)m->n);
        for (size_t r = 0; r < rows; r++) {
            nh_quad unused = 0;
            product[r * rows + c] = nh_sparse_dot(&y->forms, (int)r, m->n, y->xi, 0, &unused);
        }
    }
    good = good && nh_quads_finite(product, rows * rows);
    if (good) {
        nh_svd_quad(product, m->m, m->m, sigma, NULL);
        good = nh_rank(sigma, m->m, nh_quad_sqrt(size_of_K * size_of_xi), NULL) == m->m;
    }
    free(product);
    free(sigma);
    return good;
}

/* Values of the chosen fields and of one bracket at all samples, one below the other: columns of a matrix. */
static void stack(group *y, const int *chosen, int count, int a, int b, nh_quad *out)
{
    int n = y->s->m->n, columns = count + 1;
    for (int k = 0; k < y->s->samples; k++) {
        const nh_sample *at = &y->s->sample[k];
        for (int c = 0; c < count; c++) {
            field_at(y, chosen[c], at, NULL, y->xi, NULL);
            for (int j = 0; j < n; j++)
                out[(size_t)(k * n + j) * (size_t)columns + (size_t)c] = y->xi[j];
        }
        nh_quad *bracket = y->bracket;
        field_at(y, a, at, NULL, y->xi, NULL);
        field_at(y, b, at, y->xi, NULL, y->rate);
        for (int j = 0; j < n; j++)
            bracket[j] = y->rate[j];
        field_at(y, b, at, NULL, y->xi, NULL);
        field_at(y, a, at, y->xi, NULL, y->rate);
        for (int j = 0; j < n; j++)
            out[(size_t)(k * n + j) * (size_t)columns + (size_t)count] = bracket[j] - y->rate[j];
    }
}

/* Are all brackets of the chosen fields combinations of them with constant coefficients? */
static bool is_algebra(group *y, const int *chosen, int count)
{
    int rows = y->s->samples * y->s->m->n, columns = count + 1;
    nh_quad *matrix = malloc((size_t)rows * (size_t)columns * sizeof *matrix);
    nh_quad *sigma = malloc((size_t)columns * sizeof *sigma);
    bool good = matrix && sigma;
    for (int a = 0; good && a < count; a++)
        for (int b = a + 1; good && b < count; b++) {
            stack(y, chosen, count, chosen[a], chosen[b], matrix);
            nh_svd_quad(matrix, rows, columns, sigma, NULL);
            good = nh_rank(sigma, columns, 0, NULL) <= count;
        }
    free(matrix);
    free(sigma);
    return good;
}

/* The next choice of `count` out of `total` in lexicographic order. */
static bool next_choice(int *chosen, int count, int total)
{
    int i = count - 1;
    while (i >= 0 && chosen[i] == total - count + i)
        i--;
    if (i < 0)
        return false;
    chosen[i]++;
    for (int j = i + 1; j < count; j++)
        chosen[j] = chosen[j - 1] + 1;
    return true;
}

/* Unknown where one of the chosen symmetries was not decided. */
static nh_answer suits(group *y, const int *chosen)
{
    const nh_model *m = y->s->m;
    bool known = true;
    for (int i = 0; i < m->m; i++) {
        const nh_symmetry_class *c = &y->s->c->symmetry[chosen[i]];
        if (c->lagrangian.answer == NH_NO || c->constraints.answer == NH_NO)
            return NH_NO;
        known = known && c->lagrangian.answer == NH_YES && c->constraints.answer == NH_YES;
    }
    if (!known)
        return NH_UNKNOWN;
    return transversal(y, chosen, &y->s->sample[0]) && is_algebra(y, chosen, m->m) ? NH_YES : NH_NO;
}

/* Tries the choices of symmetries one by one. */
static void try_choices(group *y)
{
    enum { MOST_CHOICES = 1000 };
    const nh_model *m = y->s->m;
    nh_chaplygin *c = &y->s->c->chaplygin;
    nh_answer otherwise = NH_NO;
    for (int i = 0; i < m->m; i++)
        c->symmetry[i] = i;
    for (int trial = 0; trial < MOST_CHOICES; trial++) {
        nh_answer answer = suits(y, c->symmetry);
        if (answer == NH_YES) {
            c->answer = NH_YES;
            c->count = m->m;
            c->shape_dimension = m->n - m->holonomic - m->m;
            c->at_initial = y->s->initial_good && transversal(y, c->symmetry, &y->s->initial);
            return;
        }
        if (answer == NH_UNKNOWN)
            otherwise = NH_UNKNOWN;
        if (!next_choice(c->symmetry, m->m, m->symmetries)) {
            c->answer = otherwise;
            return;
        }
    }
}

static void find_chaplygin(group *y)
{
    const double most_work = 2e7; /* of a bracket in quad precision */
    const nh_model *m = y->s->m;
    nh_chaplygin *c = &y->s->c->chaplygin;
    bool linear = m->m > 0 && y->s->c->traits.autonomous, known = true;
    for (int i = 0; i < y->s->c->constraints; i++) {
        linear = linear && y->s->c->constraint[i].form == NH_FORM_LINEAR;
        known = known && y->s->c->constraint[i].form_known;
    }
    if (m->m == 0 || m->force.pieces + m->reaction.pieces || y->s->samples == 0 || !known)
        return; /* whether forces are invariant is not looked at */
    if (!linear || m->m > m->symmetries) {
        c->answer = NH_NO;
        return;
    }
    if (m->m > NH_SMALL || (m->m > 1 && (double)m->n * (m->m + 1) * (m->m + 1) > most_work))
        return;
    c->symmetry = NH_NEW(&y->s->c->arena, int, m->m);
    if (c->symmetry)
        try_choices(y);
}

nh_status nh_study_symmetries(nh_study *s, nh_error *error)
{
    const nh_model *m = s->m;
    if (m->kind != NH_LAGRANGIAN)
        return NH_OK;
    group y = {.s = s};
    size_t n = (size_t)m->n + 1;
    s->c->symmetries = m->symmetries;
    s->c->symmetry = NH_NEW(&s->c->arena, nh_symmetry_class, m->symmetries + 1);
    y.xi = NH_NEW(&s->arena, nh_quad, n);
    y.rate = NH_NEW(&s->arena, nh_quad, n);
    y.bracket = NH_NEW(&s->arena, nh_quad, n);
    for (int i = OF_L_Q; i <= MODEL_FUNCTIONS; i++)
        y.of_model[i] = NH_NEW(&s->arena, nh_quad, n);
    if (s->arena.failed || s->c->arena.failed)
        return nh_out_of_memory(error);
    for (int i = 0; i < m->symmetries; i++)
        s->c->symmetry[i].name = m->symmetry[i].name;
    nh_status status = m->symmetries ? derive_model(&y, error) : NH_OK;
    if (status == NH_OK)
        status = derive_symmetries(s, &y.field, error);
    if (status == NH_OK && m->symmetries)
        look_at_samples(&y);
    for (int i = 0; status == NH_OK && i < m->symmetries; i++)
        status = conclude(&y, i, error);
    if (status == NH_OK)
        find_chaplygin(&y);
    nh_probe_free(&y.model);
    nh_probe_free(&y.field);
    nh_sparse_free(&y.by_q);
    nh_sparse_free(&y.forms);
    return s->arena.failed || s->c->arena.failed ? nh_out_of_memory(error) : status;
}
