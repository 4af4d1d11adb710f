/* SPDX-License-Identifier: MIT */
/* Traits: what the expressions prove for all parameter values. A parameter whose default is 0 does not make a zero. */
#include "analysis/study.h"

#include <stdlib.h>

enum { TIME = 1u << NH_TIME, POSITION = 1u << NH_Q, VELOCITY = 1u << NH_V, MULTIPLIER = 1u << NH_LAMBDA };

/* Spaces that any entry of a field depends on. */
static uint32_t spaces_of(const nh_graph *g, const nh_field *f)
{
    uint32_t spaces = 0;
    for (uint32_t i = 0; i < f->pieces; i++)
        spaces |= nh_get(g, f->piece[i].value).spaces;
    return spaces;
}

/* --- structural nonzeros --- */

typedef struct entries {
    const nh_graph *g;
    const nh_field *f;
    uint64_t *bits; /* one for every entry of the matrix; NULL if these would be too many */
    int64_t *list;  /* of places, where there are no bits */
    size_t count, capacity;
    bool diagonal, failed;
    bool *column; /* NULL, or marks the columns that occur */
} entries;

static void record(void *context, uint32_t piece, int64_t row, int64_t column, const int64_t *values)
{
    (void)values;
    entries *e = context;
    if (nh_is_number(e->g, e->f->piece[piece].value, 0))
        return;
    int64_t place = row * e->f->columns + column;
    e->diagonal &= row == column;
    if (e->column)
        e->column[column] = true;
    if (e->bits) {
        uint64_t bit = UINT64_C(1) << (place & 63), *word = &e->bits[place >> 6];
        e->count += !(*word & bit);
        *word |= bit;
    } else if (!e->failed && nh_grow(&e->list, &e->capacity, e->count, sizeof *e->list)) {
        e->list[e->count++] = place;
    } else {
        e->failed = true;
    }
}

static int ascending(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

static int64_t count_different(int64_t *list, size_t length)
{
    int64_t count = 0;
    if (length)
        qsort(list, length, sizeof *list, ascending);
    for (size_t i = 0; i < length; i++)
        count += i == 0 || list[i] != list[i - 1];
    return count;
}

/* Number of entries that are not structurally zero. */
static int64_t count_entries(const nh_graph *g, const nh_field *f, bool *column, bool *diagonal, bool *failed)
{
    const int64_t most_bits = INT64_C(1) << 28;
    entries e = {.g = g, .f = f, .diagonal = true, .column = column};
    int64_t size = (int64_t)f->rows * f->columns;
    if (size <= most_bits)
        e.bits = calloc((size_t)size / 64 + 1, sizeof *e.bits);
    nh_field_visit(f, record, &e);
    int64_t count = e.bits ? (int64_t)e.count : count_different(e.list, e.count);
    free(e.list);
    free(e.bits);
    *diagonal = e.diagonal;
    *failed |= e.failed;
    return count;
}

/* --- the Lagrangian --- */

/* The field is the unit matrix: as many ones as rows, all on the diagonal, in different places. */
static bool is_unit(const nh_graph *g, const nh_field *f, int64_t count, bool diagonal)
{
    int64_t ones = 0, extent[NH_MAX_NEST];
    for (uint32_t i = 0; i < f->pieces; i++) {
        if (!nh_is_number(g, f->piece[i].value, 1))
            return false;
        ones += nh_piece_extents(&f->piece[i], extent);
    }
    return diagonal && count == f->rows && ones == f->rows;
}

static nh_status second(const nh_model *m, nh_space a, nh_space b, nh_field *out, nh_error *error)
{
    return nh_derive(m, (nh_request){.of = NH_OF_LAGRANGIAN, .order = 2, .by = {a, b}}, out, error);
}

/* L_v = 0 for v = 0. */
static nh_status at_rest_nothing(const nh_model *m, bool *nothing, nh_error *error)
{
    nh_field momentum = {0};
    nh_status status = nh_derive(m, (nh_request){.of = NH_OF_MOMENTUM}, &momentum, error);
    *nothing = status == NH_OK;
    for (uint32_t i = 0; i < momentum.pieces && *nothing; i++)
        *nothing = nh_is_number(m->graph, nh_at_rest(m->graph, momentum.piece[i].value), 0);
    nh_field_free(&momentum);
    return status;
}

static nh_status lagrangian(nh_study *s, nh_error *error)
{
    const nh_model *m = s->m;
    nh_traits *t = &s->c->traits;
    nh_field f = {0};
    bool failed = false, diagonal, unused;
    nh_status status = second(m, NH_V, NH_V, &f, error);
    if (status != NH_OK)
        return status;
    uint32_t spaces = spaces_of(m->graph, &f);
    t->mass_entries = count_entries(m->graph, &f, NULL, &t->mass_diagonal, &failed);
    t->mass_unit = is_unit(m->graph, &f, t->mass_entries, t->mass_diagonal);
    s->mass = f; /* regularity needs it too */
    f = (nh_field){0};
    t->mass_depends_on_t = spaces & TIME;
    t->mass_depends_on_q = spaces & POSITION;
    t->mass_depends_on_v = spaces & VELOCITY;
    t->mass_constant = !(spaces & (TIME | POSITION | VELOCITY));
    status = at_rest_nothing(m, &t->momentum_linear, error);
    if (status != NH_OK)
        return status;
    t->momentum_linear &= t->mass_constant;
    int degree = nh_degree(m->graph, m->lagrangian, VELOCITY);
    t->lagrangian_quadratic = degree >= 0 && degree <= 2;
    status = second(m, NH_Q, NH_V, &f, error);
    if (status != NH_OK)
        return status;
    t->L_qv_entries = count_entries(m->graph, &f, NULL, &unused, &failed);
    nh_field_free(&f);
    status = second(m, NH_Q, NH_Q, &f, error);
    if (status != NH_OK)
        return status;
    t->L_qq_entries = count_entries(m->graph, &f, NULL, &diagonal, &failed);
    nh_field_free(&f);
    t->lagrangian_split = t->L_qv_entries == 0;
    t->potential_separable = t->lagrangian_split && diagonal;
    return failed ? nh_out_of_memory(error) : NH_OK;
}

/* --- constraints --- */

/* The coordinates that entries of K depend on: columns of the derivative of all entries by q. */
static nh_status dependence(nh_study *s, const nh_field *K, nh_error *error)
{
    const nh_model *m = s->m;
    nh_field rows = {.rows = K->rows, .columns = 1}, by_q = {0};
    bool unused, failed = false;
    for (uint32_t i = 0; i < K->pieces && !failed; i++) {
        nh_piece p = K->piece[i];
        p.column = nh_affine_constant(0);
        failed = !nh_field_add(&rows, &p);
    }
    nh_status status = failed ? nh_out_of_memory(error) : nh_field_jacobian(m->graph, &rows, NH_Q, m->n, &by_q, error);
    if (status == NH_OK)
        count_entries(m->graph, &by_q, s->c->traits.K_depends_on, &unused, &failed);
    nh_field_free(&rows);
    nh_field_free(&by_q);
    return failed ? nh_out_of_memory(error) : status;
}

static nh_status velocity_constraints(nh_study *s, bool *reaction_on, nh_error *error)
{
    const nh_model *m = s->m;
    nh_traits *t = &s->c->traits;
    nh_field K = {0};
    bool unused, failed = false;
    nh_status status = nh_derive(m, (nh_request){.of = NH_OF_CONSTRAINT, .order = 1, .by = {NH_V}}, &K, error);
    if (status != NH_OK)
        return status;
    t->K_entries = count_entries(m->graph, &K, reaction_on, &unused, &failed);
    uint32_t spaces = spaces_of(m->graph, &K);
    t->K_constant = !(spaces & (TIME | POSITION | VELOCITY));
    t->K_affine_in_q = true;
    for (uint32_t i = 0; i < K.pieces; i++) {
        int degree = nh_degree(m->graph, K.piece[i].value, POSITION);
        t->K_affine_in_q &= degree == 0 || degree == 1;
    }
    t->constraints_linear = t->constraints_affine = true;
    for (int i = 0; i < m->constraints; i++) { /* from the expressions: a brief look has no classes */
        nh_expr k = m->constraint[i].value;
        int degree = nh_degree(m->graph, k, VELOCITY);
        t->constraints_affine &= degree == 0 || degree == 1;
        t->constraints_linear &= t->constraints_affine && nh_is_number(m->graph, nh_at_rest(m->graph, k), 0);
    }
    status = dependence(s, &K, error);
    nh_field_free(&K);
    nh_field k_q = {0};
    if (status == NH_OK)
        status = nh_derive(m, (nh_request){.of = NH_OF_CONSTRAINT, .order = 1, .by = {NH_Q}}, &k_q, error);
    if (status == NH_OK)
        count_entries(m->graph, &k_q, t->constraints_depend_on, &unused, &failed);
    nh_field_free(&k_q);
    return failed ? nh_out_of_memory(error) : status;
}

static nh_status holonomic_constraints(nh_study *s, bool *reaction_on, nh_error *error)
{
    nh_field g = {0};
    bool unused, failed = false;
    nh_status status = nh_derive(s->m, (nh_request){.of = NH_OF_HOLONOMIC, .order = 1, .by = {NH_Q}}, &g, error);
    if (status != NH_OK)
        return status;
    s->c->traits.g_entries = count_entries(s->m->graph, &g, reaction_on, &unused, &failed);
    nh_field_free(&g);
    return failed ? nh_out_of_memory(error) : NH_OK;
}

/* --- forces --- */

static void mark_row(void *context, uint32_t piece, int64_t row, int64_t column, const int64_t *values)
{
    (void)piece, (void)column, (void)values;
    ((bool *)context)[row] = true;
}

static void forces(nh_study *s, bool *reaction_on)
{
    const nh_model *m = s->m;
    nh_traits *t = &s->c->traits;
    t->force = m->force.pieces > 0;
    t->force_by_velocity = spaces_of(m->graph, &m->force) & VELOCITY;
    t->reaction = m->reaction.pieces > 0;
    t->reaction_affine = true;
    for (uint32_t i = 0; i < m->reaction.pieces; i++) {
        int degree = nh_degree(m->graph, m->reaction.piece[i].value, MULTIPLIER);
        t->reaction_affine &= degree == 0 || degree == 1;
    }
    nh_field_visit(&m->reaction, mark_row, reaction_on);
}

static bool autonomous(const nh_model *m)
{
    uint32_t spaces = m->lagrangian ? nh_get(m->graph, m->lagrangian).spaces : 0;
    spaces |= spaces_of(m->graph, &m->force) | spaces_of(m->graph, &m->reaction);
    for (int i = 0; i < m->constraints; i++)
        spaces |= nh_get(m->graph, m->constraint[i].value).spaces;
    for (int i = 0; i < m->holonomic_constraints; i++)
        spaces |= nh_get(m->graph, m->holonomic_constraint[i].value).spaces;
    for (int i = 0; i < m->parts; i++)
        spaces |= spaces_of(m->graph, &m->part[i].field);
    return !(spaces & TIME);
}

nh_status nh_study_traits(nh_study *s, nh_error *error)
{
    const nh_model *m = s->m;
    nh_traits *t = &s->c->traits;
    t->no_reaction = NH_NEW(&s->c->arena, bool, m->n + 1);
    t->K_depends_on = NH_NEW(&s->c->arena, bool, m->n + 1);
    t->constraints_depend_on = NH_NEW(&s->c->arena, bool, m->n + 1);
    bool *reaction_on = NH_NEW(&s->arena, bool, m->n + 1);
    if (s->c->arena.failed || !reaction_on)
        return nh_out_of_memory(error);
    t->autonomous = autonomous(m);
    if (m->kind != NH_LAGRANGIAN)
        return NH_OK;
    nh_status status = lagrangian(s, error);
    if (status == NH_OK)
        status = velocity_constraints(s, reaction_on, error);
    if (status == NH_OK)
        status = holonomic_constraints(s, reaction_on, error);
    if (status == NH_OK)
        forces(s, reaction_on);
    for (int i = 0; i < m->n; i++) {
        t->no_reaction[i] = !reaction_on[i];
        t->constraints_depend_on[i] |= m->holonomic > 0;
    }
    return status;
}
