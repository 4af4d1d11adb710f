/* SPDX-License-Identifier: MIT */
/* The classification of a model in words. */
#include "base/page.h"
#include "model/derived.h"
#include "report/report.h"

#include <stdio.h>

/* That something vanishes everywhere may rest on points where it was tried; one point where it does not is proof. */
static const char *evidence(nh_finding f)
{
    return f.proved || f.answer != NH_YES ? "" : " (numerically)";
}

static const char too_large[] = "the system is too large for dense matrices";

/* Why something that random points would tell is not known; "" if that is not for want of points. */
static const char *unseen(const nh_report *r)
{
    return r->c->samples == 0 && r->c->no_samples[0] ? r->c->no_samples : "";
}

/* Adds ": why". */
static void add_reason(nh_text *line, const char *reason)
{
    if (reason && *reason)
        nh_text_add(line, ": %s", reason);
}

/* ---- Constraints ---- */

static void add_finding(nh_text *line, nh_finding f, const char *yes, const char *no)
{
    const char *text = f.answer == NH_YES ? yes : f.answer == NH_NO ? no : "";
    if (*text)
        nh_text_add(line, "; %s%s", text, evidence(f));
}

/* What could not be decided about a constraint. */
static void add_undecided(nh_text *line, const nh_report *r, const nh_constraint_class *k)
{
    bool reaction = k->form != NH_FORM_LINEAR && k->homogeneous.answer == NH_UNKNOWN;
    bool integrable = k->integrable.answer == NH_UNKNOWN && (k->form != NH_FORM_NONLINEAR || !k->form_known);
    if (!reaction && !integrable)
        return;
    nh_text_add(line, "; not looked at whether %s%s%s", integrable ? "it is integrable" : "",
                integrable && reaction ? " or " : "", reaction ? "its reaction does work" : "");
    add_reason(line, unseen(r));
}

static void write_constraint(const nh_report *r, const nh_constraint_class *k, int number, nh_text *out)
{
    static const char *const form[] = {"linear in the velocities", "affine in the velocities",
                                       "nonlinear in the velocities"};
    nh_text line = {0};
    char label[64];
    if (k->label)
        snprintf(label, sizeof label, "%.40s", k->label);
    else
        snprintf(label, sizeof label, "constraint %d", number);
    if (k->form_known)
        nh_text_add(&line, "%s%s", form[k->form],
                    k->form_proved || k->form == NH_FORM_NONLINEAR ? "" : " (numerically)");
    else
        nh_text_add(&line, "form in the velocities not decided");
    if (k->count > 1)
        nh_text_add(&line, " (%d rows)", k->count);
    nh_text_add(&line, "%s", k->time_dependent ? ", depends on time" : "");
    if (k->exact.answer == NH_YES)
        add_finding(&line, k->exact, "holonomic in disguise: the time derivative of a function of position", "");
    else
        add_finding(&line, k->integrable, "holonomic in disguise: integrable by itself", "not integrable by itself");
    if (k->form != NH_FORM_LINEAR)
        add_finding(&line, k->homogeneous, "its reaction does no work", "its reaction does work");
    add_undecided(&line, r, k);
    nh_add_line(out, label, &line);
}

/* ---- Regularity ---- */

static void write_regularity(const nh_report *r, nh_text *out)
{
    const nh_regularity *g = &r->c->regularity;
    static const char *const mass[] = {"mass matrix L_vv", "", "structure J"};
    static const char *const saddle[] = {"saddle-point matrix", "g_y f_z", "Hessian of H on ker J"};
    static const char nonideal[] = "matrix [[L_vv, -R_lambda], [D, 0]]";
    const char *about = g->estimated ? "at least " : "";
    nh_text line = {0};
    if (!g->evaluated) {
        if (r->c->not_finite[0])
            nh_page_add(out, "regular", "cannot be told: %s cannot be evaluated at the initial point",
                        r->c->not_finite);
        else
            nh_page_add(out, "regular", "not looked at: %s", too_large);
        return;
    }
    nh_text_add(&line, "%s", g->saddle_regular ? "yes" : "NO: the accelerations are not determined");
    if (r->m->kind != NH_DAE)
        nh_text_add(&line, "; %s %s", mass[r->m->kind], g->mass_regular ? "regular" : "singular");
    if (r->m->kind != NH_DAE && g->mass_regular)
        nh_text_add(&line, ", condition %s%.3g", about, g->mass_condition);
    if (g->no_multipliers)
        nh_text_add(&line, "; no multipliers of the nonideal reaction were found");
    else if (g->rows > 0 || r->m->kind == NH_HAMILTONIAN)
        nh_text_add(&line, "; %s %s", r->c->traits.reaction ? nonideal : saddle[r->m->kind],
                    g->saddle_regular ? "regular" : "singular");
    if ((g->rows > 0 || r->m->kind == NH_HAMILTONIAN) && g->saddle_regular)
        nh_text_add(&line, ", condition %s%.3g", about, g->saddle_condition);
    nh_add_line(out, "regular", &line);
    if (g->rank < g->rows && r->m->kind != NH_HAMILTONIAN)
        nh_page_add(out, "", "the constraints are redundant or singular: rank %d of %d%s", g->rank, g->rows,
                    g->rank_clear ? "" : " (a close call)");
    if (g->residual > 1e-12)
        nh_page_add(out, "", "the initial data violate the constraints by %.3g: see nonholo check", g->residual);
}

static void write_index(const nh_report *r, nh_text *out)
{
    int index = r->c->regularity.index;
    if (index == 0)
        nh_page_line(out, "index", "0: an ordinary differential equation");
    else if (index > 0)
        nh_page_add(out, "index", "%d, as a differential-algebraic equation", index);
    else if (!r->c->regularity.evaluated && !r->c->not_finite[0])
        nh_page_add(out, "index", "not looked at: %s", too_large);
    else
        nh_page_line(out, "index", "not decided, or higher than 3");
}

/* ---- Energy, reversal ---- */

static void add_reasons(nh_text *line, unsigned reasons, const char *const *text, int count)
{
    bool first = true;
    for (int i = 0; i < count; i++)
        if (reasons >> i & 1) {
            nh_text_add(line, "%s%s", first ? ": " : ", ", text[i]);
            first = false;
        }
}

/* dE/dt, with what the model has. */
static void write_power(const nh_report *r, nh_text *out)
{
    const nh_traits *t = &r->c->traits;
    const bool terms[] = {t->force, t->reaction, r->m->m > 0 && !t->constraints_linear,
                          r->c->energy.reasons & NH_ENERGY_HOLONOMIC,
                          nh_depends(r->m->graph, r->m->lagrangian, 1u << NH_TIME)};
    static const char *const term[] = {"f.v", "N.v", "lambda.Kv", "lambda.g_q v", "L_t"};
    nh_text line = {0};
    for (int i = 0; i < 5; i++)
        if (terms[i])
            nh_text_add(&line, "%s%s", i == 4 ? (line.length ? " - " : "-") : line.length ? " + " : "", term[i]);
    nh_page_add(out, "", "along the motion dE/dt = %s", nh_text_get(&line));
    nh_text_drop(&line, out);
}

static void write_energy(const nh_report *r, nh_text *out)
{
    static const char *const reason[] = {"the Lagrangian depends on time", "forces do work",
                                         "the nonideal reaction does work", "the reaction of a constraint does work",
                                         "a holonomic constraint moves"};
    const nh_energy_class *e = &r->c->energy;
    nh_text line = {0};
    if (e->conserved.answer == NH_UNKNOWN) {
        nh_text_add(&line, "%s", r->m->kind == NH_DAE ? "none: the system has no energy" : "not decided");
        add_reason(&line, r->m->kind == NH_DAE ? "" : unseen(r));
        nh_add_line(out, "energy", &line);
        return;
    }
    bool yes = e->conserved.answer == NH_YES;
    nh_text_add(&line, "%s", yes ? "conserved" : "not conserved");
    add_reasons(&line, e->reasons, reason, 5);
    nh_text_add(&line, "%s", evidence(e->conserved));
    nh_add_line(out, "energy", &line);
    if (!yes)
        write_power(r, out);
}

static void write_reversal(const nh_report *r, nh_text *out)
{
    static const char *const reason[] = {"the equations depend on time", "the Lagrangian changes",
                                         "a constraint changes", "a force changes", "the reaction changes"};
    const nh_reversal *v = &r->c->reversal;
    nh_text line = {0};
    if (r->m->kind != NH_LAGRANGIAN)
        return;
    if (v->reversible.answer == NH_UNKNOWN) {
        nh_text_add(&line, "not decided");
        add_reason(&line, unseen(r));
    } else if (v->reversible.answer == NH_YES) {
        nh_text_add(&line, "yes, under v -> -v%s; this alone does not promise that energy errors stay bounded",
                    evidence(v->reversible));
    } else {
        nh_text_add(&line, "no, not under v -> -v%s", evidence(v->reversible));
        add_reasons(&line, v->reasons, reason, 5);
    }
    nh_add_line(out, "reversible", &line);
}

/* ---- Integrability ---- */

static void add_growth(nh_text *line, const nh_growth *growth)
{
    nh_text_add(line, "(");
    for (int i = 0; i < growth->length; i++)
        nh_text_add(line, "%s%d", i ? ", " : "", growth->dimension[i]);
    nh_text_add(line, growth->complete ? ")" : ", ...)");
}

static bool same_growth(const nh_growth *a, const nh_growth *b)
{
    bool same = a->length == b->length;
    for (int i = 0; same && i < a->length; i++)
        same = a->dimension[i] == b->dimension[i];
    return same;
}

static void write_growth(const nh_distribution *d, nh_text *out)
{
    nh_text line = {0};
    if (!d->generic.defined)
        return;
    add_growth(&line, &d->generic);
    nh_text_add(&line, " in %d dimensions%s", d->dimension, d->with_time ? ", time included" : "");
    if (d->initial.defined && !same_growth(&d->generic, &d->initial)) {
        nh_text_add(&line, "; at the initial point ");
        add_growth(&line, &d->initial);
    }
    if (!d->generic.complete && d->generic.limit && *d->generic.limit)
        nh_text_add(&line, "; not followed further: %s", d->generic.limit);
    if (!d->generic.clear)
        nh_text_add(&line, "; some ranks were a close call");
    nh_add_line(out, "growth vector", &line);
}

static void write_integrability(const nh_report *r, nh_text *out)
{
    const nh_distribution *d = &r->c->distribution;
    nh_answer answer = d->integrable.answer;
    nh_text line = {0};
    if (!d->defined || answer == NH_UNKNOWN) {
        if (r->m->m > 0 && r->m->kind == NH_LAGRANGIAN) {
            nh_text_add(&line, "not decided");
            add_reason(&line, d->reason);
            nh_add_line(out, "integrable", &line);
        }
        return;
    }
    if (r->m->m == 0)
        nh_text_add(&line, "holonomic: there are no velocity constraints");
    else if (answer == NH_YES)
        nh_text_add(&line, "holonomic in disguise: the constraints can be integrated");
    else
        nh_text_add(&line, "nonholonomic: the constraints cannot be integrated");
    nh_text_add(&line, "%s", r->m->m ? evidence(d->integrable) : "");
    if (d->integrals > 0 && r->m->m > 0) {
        nh_add_count(&line, "; ", d->integrals, "function");
        nh_text_add(&line, " of %s %s constant on every admissible motion",
                    d->with_time ? "time and position" : "position", d->integrals == 1 ? "is" : "are");
    } else if (d->integrals == 0 && answer == NH_NO) {
        nh_text_add(&line, "%s",
                    d->with_time      ? ""
                    : r->m->holonomic ? "; every position nearby on the holonomic constraints can be reached"
                                      : "; every position nearby can be reached");
    }
    nh_add_line(out, "integrable", &line);
    write_growth(d, out);
}

/* ---- Symmetries ---- */

static void write_chaplygin(const nh_report *r, nh_text *out)
{
    const nh_chaplygin *c = &r->c->chaplygin;
    nh_text line = {0};
    if (c->answer == NH_UNKNOWN && r->m->m > 0 && r->c->symmetries >= r->m->m) {
        bool forces = r->c->traits.force || r->c->traits.reaction;
        nh_text_add(&line, "not looked at whether this is a Chaplygin system");
        add_reason(&line, forces ? "there are forces" : *unseen(r) ? unseen(r) : "the system is large");
        nh_add_line(out, "structure", &line);
    }
    if (c->answer != NH_YES)
        return;
    nh_text_add(&line, "Chaplygin system: ");
    for (int i = 0; i < c->count; i++)
        nh_text_add(&line, "%s%s", i ? ", " : "", r->m->symmetry[c->symmetry[i]].name);
    nh_text_add(&line, " %s the admissible velocities%s; the motion reduces to %d shape coordinate%s",
                c->count == 1 ? "complements" : "complement", c->at_initial ? "" : " (not at the initial point)",
                c->shape_dimension, c->shape_dimension == 1 ? "" : "s");
    nh_add_line(out, "structure", &line);
}

/* Why the momentum of a symmetry is not conserved. */
static void add_momentum_verdict(nh_text *line, const nh_symmetry_class *s)
{
    if (s->conserved.answer == NH_UNKNOWN) {
        nh_text_add(line, "; whether its momentum is conserved is not decided");
        return;
    }
    if (s->conserved.answer == NH_YES) {
        nh_text_add(line, "; its momentum is conserved%s", evidence(s->conserved));
        return;
    }
    nh_text_add(line, "; its momentum is not conserved");
    const char *separator = ": ";
    if (s->horizontal.answer == NH_NO)
        nh_text_add(line, "%sthe reaction acts along it", separator), separator = ", ";
    if (s->unforced.answer == NH_NO)
        nh_text_add(line, "%sforces act along it", separator);
}

/* What a symmetry leaves invariant, by the answers for L and for the constraints: each unknown, no, or yes. */
static const char *invariance(const nh_symmetry_class *s)
{
    static const char *const text[3][3] = {
        {"not looked at", "NOT a symmetry: changes the constraints; L not looked at",
         "leaves the constraints invariant; L not looked at"},
        {"NOT a symmetry: changes L; the constraints not looked at", "NOT a symmetry: changes L and the constraints",
         "leaves the constraints invariant, but not L"},
        {"leaves L invariant; the constraints not looked at", "leaves L invariant, but not the constraints",
         "leaves L and the constraints invariant"},
    };
    return text[s->lagrangian.answer][s->constraints.answer];
}

static void write_symmetries(const nh_report *r, nh_text *out)
{
    nh_field momentum = {0};
    nh_spelling spelling = nh_model_spelling(r->m, false);
    bool small = r->m->n <= 64 && nh_derive(r->m, (nh_request){.of = NH_OF_MOMENTUM_MAP}, &momentum, NULL) == NH_OK;
    spelling.flat = true;
    spelling.limit = 300;
    for (int i = 0; i < r->c->symmetries; i++) {
        const nh_symmetry_class *s = &r->c->symmetry[i];
        bool open = s->lagrangian.answer == NH_UNKNOWN || s->constraints.answer == NH_UNKNOWN;
        nh_text line = {0};
        nh_text_add(&line, "%s", invariance(s));
        add_reason(&line, !open ? "" : *unseen(r) ? unseen(r) : "the system is too large");
        add_momentum_verdict(&line, s);
        nh_add_line(out, s->name, &line);
        if (small && (i == 0 || momentum.pieces > 0)) {
            nh_text_add(&line, "p = ");
            nh_print(r->m->graph, nh_field_entry(r->m->graph, &momentum, i, 0), &spelling, &line);
            nh_page_formula(out, "", nh_text_get(&line));
            nh_text_drop(&line, out);
        }
    }
    nh_field_free(&momentum);
}

/* ---- Structure ---- */

static void write_traits(const nh_report *r, nh_text *out)
{
    const nh_traits *t = &r->c->traits;
    long long n = r->m->n, rows = r->m->m;
    nh_text line = {0};
    if (r->m->kind != NH_LAGRANGIAN)
        return;
    nh_text_add(&line, "%s%s%s", t->mass_diagonal ? "diagonal, " : "", t->mass_constant ? "constant" : "depends on ",
                t->mass_constant       ? ""
                : t->mass_depends_on_v ? "velocity"
                : t->mass_depends_on_q ? "position"
                                       : "time");
    nh_text_add(&line, "; %lld of %lld entries", (long long)t->mass_entries, n * n);
    nh_add_line(out, "mass matrix", &line);
    if (rows > 0)
        nh_page_add(out, "K = k_v", "%s; %lld of %lld entries",
                    t->K_constant            ? "constant"
                    : !t->constraints_affine ? "depends on velocity"
                    : t->K_affine_in_q       ? "affine in position"
                                             : "depends on position",
                    (long long)t->K_entries, rows * n);
}

void nh_describe_class(const nh_report *r, nh_text *out)
{
    nh_page_section(out, "What it is");
    for (int i = 0; i < r->c->constraints && r->m->kind == NH_LAGRANGIAN; i++)
        write_constraint(r, &r->c->constraint[i], i + 1, out);
    write_integrability(r, out);
    write_energy(r, out);
    write_reversal(r, out);
    write_regularity(r, out);
    write_index(r, out);
    write_traits(r, out);
    write_chaplygin(r, out);
    if (r->c->symmetries) {
        nh_page_section(out, "Symmetries");
        write_symmetries(r, out);
    }
}
