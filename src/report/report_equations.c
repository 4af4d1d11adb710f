/* SPDX-License-Identifier: MIT */
/* The equations that follow from a model, for reading. A small system is written row by row; in a large one, families
 * stay families. */
#include "model/derived.h"
#include "report/report.h"

#include <string.h>

enum { SMALL = 24, MOST_PIECES = 40, MOST_TEXT = 1200 };

/* One equation while it is being written. */
typedef struct writer {
    const nh_report *r;
    nh_spelling spelling;
    nh_text label, left, right, range;
    const char *relation;
    nh_equation_visit *visit;
    void *context;
} writer;

static writer begin(const nh_report *r, bool latex, nh_equation_visit *visit, void *context)
{
    writer w = {
        .r = r, .spelling = nh_model_spelling(r->m, latex), .relation = "=", .visit = visit, .context = context};
    w.spelling.flat = true;
    w.spelling.limit = MOST_TEXT;
    return w;
}

static void clear(nh_text *text)
{
    text->length = 0;
    if (text->data)
        text->data[0] = '\0';
}

/* Hands the equation out and starts the next. */
static void finish_equation(writer *w)
{
    nh_equation equation = {nh_text_get(&w->label), nh_text_get(&w->left), w->relation, nh_text_get(&w->right),
                            nh_text_get(&w->range)};
    w->visit(w->context, &equation);
    clear(&w->label);
    clear(&w->left);
    clear(&w->right);
    clear(&w->range);
    w->relation = "=";
    w->spelling.loops = 0;
}

static nh_status end(writer *w, nh_status status, nh_error *error)
{
    bool failed = w->label.failed || w->left.failed || w->right.failed || w->range.failed;
    nh_text_free(&w->label);
    nh_text_free(&w->left);
    nh_text_free(&w->right);
    nh_text_free(&w->range);
    return status == NH_OK && failed ? nh_fail(error, NH_MEMORY, "out of memory") : status;
}

static void print(writer *w, nh_expr e, nh_text *out)
{
    nh_print(w->r->m->graph, e, &w->spelling, out);
}

/* name = e */
static nh_status scalar(const nh_report *r, bool latex, const char *name, nh_expr e, nh_equation_visit *visit,
                        void *context, nh_error *error)
{
    writer w = begin(r, latex, visit, context);
    nh_text_add(&w.left, "%s", name);
    print(&w, e, &w.right);
    finish_equation(&w);
    return end(&w, nh_graph_status(r->m->graph, error), error);
}

/* ---- Families ---- */

/* Names the loops of a piece and writes their ranges. */
static void open_piece(writer *w, const nh_piece *p, nh_space space)
{
    for (int l = 0; l < p->loops; l++) {
        nh_spelling_open(&w->spelling, w->r->m->graph, NH_OPEN + l, p->count[l], p->value, space, p->row);
        nh_text_add(&w->range, l ? ", " : "");
        nh_print_range(NH_OPEN + l, p->count[l], &w->spelling, &w->range);
    }
}

static void too_many(writer *w, uint32_t left)
{
    nh_text_add(&w->left, w->spelling.latex ? "\\dots" : "...");
    w->relation = "";
    nh_text_add(&w->right, w->spelling.latex ? "\\text{%u more}" : "%u more", left);
    finish_equation(w);
}

/* Entries of a column vector by coordinate, piece by piece. */
static nh_status write_pieces(writer *w, nh_request request, const char *left, nh_error *error)
{
    nh_field f;
    nh_status status = nh_derive(w->r->m, request, &f, error);
    if (status != NH_OK)
        return status;
    for (uint32_t i = 0; i < f.pieces; i++) {
        if (i == MOST_PIECES) {
            too_many(w, f.pieces - i);
            break;
        }
        open_piece(w, &f.piece[i], NH_Q);
        nh_print_variable(NH_Q, f.piece[i].row, &w->spelling, &w->label);
        nh_text_add(&w->left, w->spelling.latex ? "\\left(%s\\right)_{%s}" : "%s", left, nh_text_get(&w->label));
        w->relation = f.piece[i].accumulate ? "+=" : "=";
        print(w, f.piece[i].value, &w->right);
        finish_equation(w);
    }
    nh_field_free(&f);
    return NH_OK;
}

/* ---- Lagrangian systems ---- */

static nh_status lagrangian(const nh_report *r, bool latex, nh_equation_visit *visit, void *context, nh_error *error)
{
    const char *name = r->m->kind == NH_HAMILTONIAN ? "H" : "L";
    return scalar(r, latex, name, r->m->lagrangian, visit, context, error);
}

static nh_status energy(const nh_report *r, bool latex, nh_equation_visit *visit, void *context, nh_error *error)
{
    return scalar(r, latex, "E", nh_energy_by_terms(r->m), visit, context, error);
}

/* d/dt L_v = L_q + f + reaction, one row for each coordinate. */
static nh_status motion_rows(writer *w, nh_error *error)
{
    static const nh_request list[] = {{.of = NH_OF_MOMENTUM}, {.of = NH_OF_FORCE}, {.of = NH_OF_REACTION}};
    nh_graph *g = w->r->m->graph;
    nh_field f[3] = {{0}};
    nh_status status = NH_OK;
    for (int i = 0; status == NH_OK && i < 3; i++)
        status = nh_derive(w->r->m, list[i], &f[i], error);
    for (int i = 0; status == NH_OK && i < w->r->m->n; i++) {
        nh_print_variable(NH_Q, nh_affine_constant(i), &w->spelling, &w->label);
        nh_text_add(&w->left, w->spelling.latex ? "\\frac{d}{dt}\\left(" : "d/dt(");
        print(w, nh_field_entry(g, &f[0], i, 0), &w->left);
        nh_text_add(&w->left, w->spelling.latex ? "\\right)" : ")");
        print(w, nh_add(g, nh_field_entry(g, &f[1], i, 0), nh_field_entry(g, &f[2], i, 0)), &w->right);
        finish_equation(w);
    }
    for (int i = 0; i < 3; i++)
        nh_field_free(&f[i]);
    return status == NH_OK ? nh_graph_status(g, error) : status;
}

/* The same as families: what is set for each coordinate, part by part. */
static nh_status motion_pieces(writer *w, nh_error *error)
{
    bool latex = w->spelling.latex;
    nh_text_add(&w->left, latex ? "\\frac{d}{dt} L_v" : "d/dt L_v");
    nh_text_add(&w->right, latex ? "L_q + f + K^T \\lambda" : "L_q + f + reaction, where");
    finish_equation(w);
    nh_status status = write_pieces(w, (nh_request){.of = NH_OF_MOMENTUM}, "L_v", error);
    if (status == NH_OK)
        status = write_pieces(w, (nh_request){.of = NH_OF_FORCE}, "L_q + f", error);
    return status == NH_OK
               ? write_pieces(w, (nh_request){.of = NH_OF_REACTION}, latex ? "K^T \\lambda" : "reaction", error)
               : status;
}

static nh_status lagrangian_motion(const nh_report *r, bool latex, nh_equation_visit *visit, void *context,
                                   nh_error *error)
{
    writer w = begin(r, latex, visit, context);
    return end(&w, r->m->n <= SMALL ? motion_rows(&w, error) : motion_pieces(&w, error), error);
}

static void write_constraints(writer *w, const nh_constraint *list, int count, const char *kind)
{
    nh_affine no_component = nh_affine_constant(0);
    for (int i = 0; i < count; i++) {
        if (i == MOST_PIECES) {
            too_many(w, (uint32_t)(count - i));
            return;
        }
        if (list[i].label)
            nh_text_add(&w->label, "%s", list[i].label);
        else
            nh_text_add(&w->label, "%s %d", kind, i + 1);
        nh_piece piece = {.loops = list[i].count > 1, .value = list[i].value, .row = no_component};
        piece.count[0] = nh_affine_constant(list[i].count);
        open_piece(w, &piece, NH_TIME);
        print(w, list[i].value, &w->left);
        nh_text_add(&w->right, "0");
        finish_equation(w);
    }
}

static nh_status constraints(const nh_report *r, bool latex, nh_equation_visit *visit, void *context, nh_error *error)
{
    writer w = begin(r, latex, visit, context);
    write_constraints(&w, r->m->constraint, r->m->constraints, "constraint");
    write_constraints(&w, r->m->holonomic_constraint, r->m->holonomic_constraints, "holonomic");
    return end(&w, NH_OK, error);
}

/* ---- DAEs and Hamiltonian systems ---- */

static void write_rate(writer *w, int component, nh_text *out)
{
    if (w->spelling.latex) {
        nh_print_variable(NH_V, nh_affine_constant(component), &w->spelling, out);
        return;
    }
    nh_print_variable(NH_Q, nh_affine_constant(component), &w->spelling, out);
    nh_text_add(out, "'");
}

static nh_status dae_rows(writer *w, nh_error *error)
{
    nh_field f;
    nh_status status = nh_derive(w->r->m, (nh_request){.of = NH_OF_FORCE}, &f, error);
    if (status != NH_OK)
        return status;
    for (int i = 0; i < w->r->m->n; i++) {
        write_rate(w, i, &w->left);
        print(w, nh_field_entry(w->r->m->graph, &f, i, 0), &w->right);
        finish_equation(w);
    }
    nh_field_free(&f);
    return NH_OK;
}

static nh_status dae_motion(const nh_report *r, bool latex, nh_equation_visit *visit, void *context, nh_error *error)
{
    writer w = begin(r, latex, visit, context);
    nh_status status =
        r->m->n <= SMALL ? dae_rows(&w, error) : write_pieces(&w, (nh_request){.of = NH_OF_FORCE}, "rate", error);
    return end(&w, status, error);
}

/* Row i of J z'. */
static void write_structure_row(writer *w, int i)
{
    nh_graph *g = w->r->m->graph;
    bool first = true;
    for (int j = 0; j < w->r->m->n; j++) {
        nh_expr e = nh_field_entry(g, &w->r->m->structure, i, j);
        if (nh_is_number(g, e, 0))
            continue;
        bool plus = nh_is_number(g, e, 1), minus = nh_is_number(g, e, -1);
        nh_text_add(&w->left, "%s", minus ? first ? "-" : " - " : first ? "" : " + ");
        if (!plus && !minus) {
            nh_text_add(&w->left, "(");
            print(w, e, &w->left);
            nh_text_add(&w->left, w->spelling.latex ? ") " : ")*");
        }
        write_rate(w, j, &w->left);
        first = false;
    }
    nh_text_add(&w->left, first ? "0" : "");
}

static nh_status hamiltonian_motion(const nh_report *r, bool latex, nh_equation_visit *visit, void *context,
                                    nh_error *error)
{
    nh_field gradient;
    nh_request request = {.of = NH_OF_LAGRANGIAN, .order = 1, .by = {NH_Q}};
    writer w = begin(r, latex, visit, context);
    if (r->m->n > SMALL)
        return end(&w, write_pieces(&w, request, "(J z')", error), error);
    nh_status status = nh_derive(r->m, request, &gradient, error);
    for (int i = 0; status == NH_OK && i < r->m->n; i++) {
        nh_print_variable(NH_Q, nh_affine_constant(i), &w.spelling, &w.label);
        write_structure_row(&w, i);
        print(&w, nh_field_entry(r->m->graph, &gradient, i, 0), &w.right);
        finish_equation(&w);
    }
    if (status == NH_OK)
        nh_field_free(&gradient);
    return end(&w, status, error);
}

const nh_equation_group *nh_equation_groups(nh_kind kind)
{
    static const nh_equation_group mechanics[] = {{"lagrangian", "Lagrangian", lagrangian},
                                                  {"motion", "equations of motion", lagrangian_motion},
                                                  {"constraints", "constraints", constraints},
                                                  {"energy", "energy", energy},
                                                  {0}};
    static const nh_equation_group dae[] = {
        {"motion", "equations", dae_motion}, {"constraints", "constraints", constraints}, {0}};
    static const nh_equation_group hamilton[] = {
        {"hamiltonian", "Hamiltonian", lagrangian}, {"motion", "equations of motion", hamiltonian_motion}, {0}};
    return kind == NH_LAGRANGIAN ? mechanics : kind == NH_DAE ? dae : hamilton;
}

/* ---- LaTeX ---- */

typedef struct latex_group {
    const char *title;
    nh_text *out;
    bool started;
} latex_group;

static void latex_line(void *context, const nh_equation *e)
{
    latex_group *l = context;
    if (l->started)
        nh_text_add(l->out, " \\\\\n");
    else
        nh_text_add(l->out, "%% %s\n\\begin{align*}\n", l->title);
    l->started = true;
    nh_text_add(l->out, "  %s &%s %s", e->left, !strcmp(e->relation, "+=") ? "\\mathrel{+}=" : e->relation, e->right);
    if (*e->range)
        nh_text_add(l->out, ", && %s", e->range);
}

nh_status nh_describe_latex(const nh_report *r, nh_text *out, nh_error *error)
{
    nh_status status = NH_OK;
    nh_text_add(out, "%% %s: equations, written by nonholo for documents that use the package amsmath.\n",
                *r->m->name ? r->m->name : r->m->file);
    for (const nh_equation_group *group = nh_equation_groups(r->m->kind); status == NH_OK && group->key; group++) {
        latex_group l = {group->title, out, false};
        status = group->each(r, true, latex_line, &l, error);
        if (l.started)
            nh_text_add(out, "\n\\end{align*}\n");
    }
    return status;
}
