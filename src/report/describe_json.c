/* SPDX-License-Identifier: MIT */
/* The description of a model as data. Keys stay; new ones may come. */
#include "model/derived.h"
#include "report/report.h"

#include <math.h>

/* ---- Small values ---- */

static void answer(nh_json *j, const char *key, nh_answer a)
{
    if (a == NH_UNKNOWN)
        nh_json_null(j, key);
    else
        nh_json_bool(j, key, a == NH_YES);
}

static void count(nh_json *j, const char *key, int value, bool known)
{
    if (known)
        nh_json_integer(j, key, value);
    else
        nh_json_null(j, key);
}

static void names(nh_json *j, const char *key, const nh_model *m, nh_space space, int count)
{
    nh_json_row(j, key);
    for (int i = 0; i < count; i++) {
        nh_text name = {0};
        nh_model_component_name(m, space, i, false, &name);
        nh_json_text(j, NULL, nh_text_get(&name));
        nh_text_drop(&name, j->out);
    }
    nh_json_end(j);
}

/* {name: value} for every component of a space. */
static void values(nh_json *j, const char *key, const nh_model *m, nh_space space, int count, const nh_quad *x)
{
    nh_json_object(j, key);
    for (int i = 0; i < count; i++) {
        nh_text name = {0};
        nh_model_component_name(m, space, i, false, &name);
        nh_json_number(j, nh_text_get(&name), (double)x[i]);
        nh_text_drop(&name, j->out);
    }
    nh_json_end(j);
}

static void expression(nh_json *j, const char *key, const nh_model *m, nh_expr e)
{
    nh_spelling spelling = nh_model_spelling(m, false);
    nh_text text = {0};
    spelling.limit = 20000;
    nh_print(m->graph, e, &spelling, &text);
    nh_json_text(j, key, nh_text_get(&text));
    nh_text_drop(&text, j->out);
}

static void named(nh_json *j, const char *key, const nh_model *m, const nh_named *list, int count)
{
    nh_json_object(j, key);
    for (int i = 0; i < count; i++)
        expression(j, list[i].name, m, list[i].value);
    nh_json_end(j);
}

static void reasons(nh_json *j, const char *key, unsigned bits, const char *const *text, int count)
{
    nh_json_row(j, key);
    for (int i = 0; i < count; i++)
        if (bits >> i & 1)
            nh_json_text(j, NULL, text[i]);
    nh_json_end(j);
}

/* ---- Sections ---- */

static void write_sizes(nh_json *j, const nh_model *m)
{
    static const char *const kind[] = {"lagrangian", "dae", "hamiltonian"};
    nh_json_text(j, "model", m->file);
    nh_json_text(j, "name", m->name);
    nh_json_text(j, "about", m->about);
    nh_json_text(j, "cite", m->cite);
    nh_json_text(j, "kind", kind[m->kind]);
    nh_json_integer(j, "n", m->n);
    nh_json_integer(j, "m", m->m);
    nh_json_integer(j, "holonomic", m->holonomic);
    nh_json_object(j, "sizes");
    for (int i = 0; i < m->sizes; i++)
        nh_json_integer(j, m->size[i].name, m->size[i].value);
    nh_json_end(j);
}

static void write_initial(nh_json *j, const nh_report *r)
{
    const nh_model *m = r->m;
    nh_json_object(j, "initial");
    values(j, m->kind == NH_DAE ? "y" : m->kind == NH_HAMILTONIAN ? "z" : "q", m, NH_Q, m->n, r->q);
    if (m->kind == NH_LAGRANGIAN)
        values(j, "v", m, NH_V, m->n, r->v);
    if (m->kind == NH_DAE)
        values(j, "z", m, NH_LAMBDA, m->algebraic, r->z);
    nh_json_bool(j, "finite", r->initial_finite);
    nh_json_number(j, "residual", r->c->regularity.evaluated ? r->c->regularity.residual : NAN);
    nh_json_end(j);
}

static void write_constraint(nh_json *j, const nh_constraint_class *k)
{
    static const char *const form[] = {"linear", "affine", "nonlinear"};
    nh_json_object(j, NULL);
    nh_json_text(j, "label", k->label);
    nh_json_integer(j, "first", k->first);
    nh_json_integer(j, "count", k->count);
    nh_json_text(j, "class", k->form_known ? form[k->form] : NULL);
    nh_json_bool(j, "time_dependent", k->time_dependent);
    answer(j, "homogeneous", k->homogeneous.answer);
    answer(j, "integrable", k->integrable.answer);
    answer(j, "exact", k->exact.answer);
    nh_json_end(j);
}

static void write_position_constraints(nh_json *j, const nh_constraint *list, int count, const char *class)
{
    for (int i = 0; i < count; i++) {
        nh_json_object(j, NULL);
        nh_json_text(j, "label", list[i].label);
        nh_json_integer(j, "first", list[i].first);
        nh_json_integer(j, "count", list[i].count);
        nh_json_text(j, "class", class);
        nh_json_end(j);
    }
}

static void write_constraints(nh_json *j, const nh_report *r)
{
    const nh_model *m = r->m;
    nh_json_array(j, "constraints");
    if (m->kind == NH_DAE)
        write_position_constraints(j, m->constraint, m->constraints, "index-2");
    for (int i = 0; m->kind == NH_LAGRANGIAN && i < r->c->constraints; i++)
        write_constraint(j, &r->c->constraint[i]);
    write_position_constraints(j, m->holonomic_constraint, m->holonomic_constraints, "holonomic");
    nh_json_end(j);
}

static void write_growth(nh_json *j, const char *key, const nh_growth *growth)
{
    if (!growth->defined) {
        nh_json_null(j, key);
        return;
    }
    nh_json_row(j, key);
    for (int i = 0; i < growth->length; i++)
        nh_json_integer(j, NULL, growth->dimension[i]);
    nh_json_end(j);
}

static void write_distribution(nh_json *j, const nh_report *r)
{
    const nh_distribution *d = &r->c->distribution;
    answer(j, "integrable", d->integrable.answer);
    write_growth(j, "growth_vector", &d->generic);
    write_growth(j, "growth_vector_initial", &d->initial);
    answer(j, "growth_complete", !d->generic.defined ? NH_UNKNOWN : d->generic.complete ? NH_YES : NH_NO);
    count(j, "hidden_integrals", d->integrals, d->defined && d->integrals >= 0);
}

static void write_regularity(nh_json *j, const nh_report *r)
{
    const nh_regularity *g = &r->c->regularity;
    answer(j, "regular", !g->evaluated ? NH_UNKNOWN : g->saddle_regular ? NH_YES : NH_NO);
    count(j, "index", g->index, g->index >= 0);
    nh_json_object(j, "regularity");
    answer(j, "mass_regular", !g->evaluated ? NH_UNKNOWN : g->mass_regular ? NH_YES : NH_NO);
    nh_json_number(j, "mass_condition", g->evaluated ? g->mass_condition : NAN);
    answer(j, "saddle_regular", !g->evaluated ? NH_UNKNOWN : g->saddle_regular ? NH_YES : NH_NO);
    nh_json_number(j, "saddle_condition", g->evaluated ? g->saddle_condition : NAN);
    answer(j, "estimated", !g->evaluated ? NH_UNKNOWN : g->estimated ? NH_YES : NH_NO);
    count(j, "rank", g->rank, g->evaluated);
    count(j, "rows", g->rows, g->evaluated);
    nh_json_end(j);
}

static void write_energy(nh_json *j, const nh_report *r)
{
    static const char *const why[] = {"time", "force", "reaction", "constraint", "holonomic"};
    static const char *const change[] = {"time", "lagrangian", "constraint", "force", "reaction"};
    nh_json_object(j, "energy");
    answer(j, "conserved", r->c->energy.conserved.answer);
    reasons(j, "reasons", r->c->energy.reasons, why, 5);
    nh_json_end(j);
    nh_json_object(j, "reversal");
    answer(j, "reversible", r->c->reversal.reversible.answer);
    reasons(j, "reasons", r->c->reversal.reasons, change, 5);
    nh_json_end(j);
}

static void write_symmetries(nh_json *j, const nh_report *r)
{
    nh_json_array(j, "symmetries");
    for (int i = 0; i < r->c->symmetries; i++) {
        const nh_symmetry_class *s = &r->c->symmetry[i];
        nh_json_object(j, NULL);
        nh_json_text(j, "name", s->name);
        answer(j, "lagrangian", s->lagrangian.answer);
        answer(j, "constraints", s->constraints.answer);
        answer(j, "horizontal", s->horizontal.answer);
        answer(j, "unforced", s->unforced.answer);
        answer(j, "conserved", s->conserved.answer);
        nh_json_end(j);
    }
    nh_json_end(j);
    nh_json_object(j, "chaplygin");
    answer(j, "answer", r->c->chaplygin.answer);
    nh_json_row(j, "symmetries");
    for (int i = 0; i < r->c->chaplygin.count; i++)
        nh_json_text(j, NULL, r->m->symmetry[r->c->chaplygin.symmetry[i]].name);
    nh_json_end(j);
    count(j, "shape_dimension", r->c->chaplygin.shape_dimension, r->c->chaplygin.answer != NH_UNKNOWN);
    nh_json_end(j);
}

static void write_traits(nh_json *j, const nh_report *r)
{
    const nh_traits *t = &r->c->traits;
    const struct {
        const char *key;
        bool value;
    } row[] = {{"autonomous", t->autonomous},
               {"mass_constant", t->mass_constant},
               {"mass_diagonal", t->mass_diagonal},
               {"lagrangian_quadratic", t->lagrangian_quadratic},
               {"lagrangian_split", t->lagrangian_split},
               {"potential_separable", t->potential_separable},
               {"constraints_linear", t->constraints_linear},
               {"constraints_affine", t->constraints_affine},
               {"K_constant", t->K_constant},
               {"force", t->force},
               {"reaction", t->reaction}};
    nh_json_object(j, "traits");
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++)
        nh_json_bool(j, row[i].key, row[i].value);
    nh_json_integer(j, "mass_entries", t->mass_entries);
    nh_json_integer(j, "K_entries", t->K_entries);
    nh_json_integer(j, "g_entries", t->g_entries);
    nh_json_end(j);
}

/* ---- Equations ---- */

static void write_equation(void *context, const nh_equation *e)
{
    nh_json *j = context;
    nh_text line = {0};
    nh_json_object(j, NULL);
    nh_json_text(j, "label", *e->label ? e->label : NULL);
    nh_text_add(&line, "%s %s %s", e->left, e->relation, e->right);
    nh_json_text(j, "equation", nh_text_get(&line));
    nh_json_text(j, "for", *e->range ? e->range : NULL);
    nh_json_end(j);
    nh_text_drop(&line, j->out);
}

static nh_status write_equations(nh_json *j, const nh_report *r, nh_error *error)
{
    nh_status status = NH_OK;
    nh_json_object(j, "equations");
    for (const nh_equation_group *group = nh_equation_groups(r->m->kind); status == NH_OK && group->key; group++) {
        nh_json_array(j, group->key);
        status = group->each(r, false, write_equation, j, error);
        nh_json_end(j);
    }
    nh_json_end(j);
    return status;
}

nh_status nh_describe_json(const nh_report *r, nh_text *out, nh_error *error)
{
    nh_json writer = {.out = out}, *j = &writer;
    const nh_model *m = r->m;
    nh_json_object(j, NULL);
    write_sizes(j, m);
    names(j, "coordinates", m, NH_Q, m->n);
    names(j, "algebraic", m, NH_LAMBDA, m->algebraic);
    values(j, "parameters", m, NH_PARAMETER, m->parameters, r->parameter);
    write_initial(j, r);
    nh_json_number(j, "step", r->step);
    nh_json_number(j, "until", r->until);
    write_constraints(j, r);
    write_distribution(j, r);
    write_regularity(j, r);
    write_energy(j, r);
    write_symmetries(j, r);
    write_traits(j, r);
    nh_status status = nh_sparsity_json(r, j, error);
    if (status == NH_OK)
        status = write_equations(j, r, error);
    named(j, "observables", m, m->observable, m->observables);
    named(j, "invariants", m, m->invariant, m->invariants);
    nh_json_end(j);
    return status;
}
