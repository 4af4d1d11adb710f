/* SPDX-License-Identifier: MIT */
/* What can only be told when a model has been read: what is missing, what is not used, what does not add up. */
#include "language/parse.h"

#include <stdlib.h>

/* The first statement of this keyword, or 0. */
static uint32_t statement_of(const nh_parser *p, bool (*parse)(nh_parser *))
{
    for (uint32_t s = 0; s < p->tokens.statements; s++)
        if (p->row[s]->parse == parse)
            return p->tokens.statement[s];
    return 0;
}

static bool check_lagrangian(nh_parser *p)
{
    uint32_t place = statement_of(p, nh_parse_coordinates);
    if (p->model->n == 0)
        return nh_parse_fail(p, place, NH_MODEL, "the model has no 'coordinates'");
    return p->model->lagrangian || nh_parse_fail(p, place, NH_MODEL, "the model has no 'lagrangian'");
}

static bool check_dae(nh_parser *p)
{
    const nh_model *m = p->model;
    uint32_t place = statement_of(p, nh_parse_coordinates);
    if (m->n == 0)
        return nh_parse_fail(p, place, NH_MODEL, "the model has no 'states'");
    if (m->parts == 0)
        return nh_parse_fail(p, place, NH_MODEL, "the model has no 'part': nothing says how its states change");
    if (m->m != m->algebraic)
        return nh_parse_fail(p, p->place_constraint ? p->place_constraint : p->place_algebraic, NH_MODEL,
                             "there must be as many constraints as algebraic variables, but there are %d and %d", m->m,
                             m->algebraic);
    return m->m <= m->n || nh_parse_fail(p, p->place_constraint, NH_MODEL,
                                         "there are more constraints (%d) than states (%d)", m->m, m->n);
}

static int compare_entries(const void *a, const void *b)
{
    const nh_entry *x = a, *y = b;
    if (x->row != y->row)
        return x->row < y->row ? -1 : 1;
    if (x->column != y->column)
        return x->column < y->column ? -1 : 1;
    return x->token < y->token ? -1 : x->token > y->token;
}

static bool check_hamiltonian(nh_parser *p)
{
    const nh_model *m = p->model;
    uint32_t place = statement_of(p, nh_parse_coordinates);
    if (m->n == 0)
        return nh_parse_fail(p, place, NH_MODEL, "the model has no 'variables'");
    if (!m->lagrangian)
        return nh_parse_fail(p, place, NH_MODEL, "the model has no 'hamiltonian'");
    if (m->structure.pieces == 0)
        return nh_parse_fail(p, place, NH_MODEL, "the model has no 'structure': all entries of J are 0");
    qsort(p->entry, p->entries, sizeof *p->entry, compare_entries);
    for (uint32_t i = 1; i < p->entries; i++) {
        const nh_entry *e = &p->entry[i];
        if (e->row == e[-1].row && e->column == e[-1].column)
            return nh_parse_fail(p, e->token, NH_MODEL, "this entry of J (or its opposite) is given already in line %d",
                                 p->tokens.token[e[-1].token].line);
    }
    return true;
}

/* Everything that is declared must be used. */
static bool check_used(nh_parser *p)
{
    for (uint32_t i = 0; i < p->scope.count; i++) {
        const nh_symbol *s = &p->scope.symbol[i];
        if (s->used || !s->token || s->sort == NH_S_OUTPUT)
            continue;
        return nh_parse_fail(p, s->token, NH_MODEL, "'%.60s' is %s that is never used; use it or take it away", s->name,
                             nh_sort_text(p, s->sort));
    }
    return true;
}

static bool check_exact(nh_parser *p, const nh_expr *exact, nh_space space, int count)
{
    for (int i = 0; exact && i < count; i++) {
        if (exact[i])
            continue;
        nh_text name = {0};
        nh_model_component_name(p->model, space, i, false, &name);
        nh_parse_fail(p, p->place_exact, NH_MODEL, "the exact solution is incomplete: '%.60s' is missing",
                      nh_text_get(&name));
        nh_text_free(&name);
        return false;
    }
    return true;
}

bool nh_parse_check(nh_parser *p)
{
    static bool (*const check[])(nh_parser *) = {check_lagrangian, check_dae, check_hamiltonian};
    nh_model *m = p->model;
    if (!check[m->kind](p))
        return false;
    if (m->exact_z && !m->exact_q)
        return nh_parse_fail(p, p->place_exact, NH_MODEL, "the exact solution is incomplete: it gives no state");
    return check_exact(p, m->exact_q, NH_Q, m->n) && check_exact(p, m->exact_z, NH_LAMBDA, m->algebraic) &&
           check_used(p);
}
