/* SPDX-License-Identifier: MIT */
/* What `describe` says about a model: collected once, written as text, JSON or LaTeX. */
#ifndef NH_REPORT_REPORT_H
#define NH_REPORT_REPORT_H

#include "analysis/classify.h"
#include "base/json.h"
#include "model/model.h"

typedef struct nh_report {
    const nh_model *m;
    nh_classification *c;
    nh_arena arena;
    nh_quad *parameter, *q, *v, *z; /* initial values */
    double step, until;             /* suggested; NaN if not given */
    bool initial_finite;
    nh_error initial_error; /* why they are not finite */
} nh_report;

nh_status nh_report_new(const nh_model *m, nh_report *out, nh_error *error);
void nh_report_free(nh_report *r);

/* ---- describe_text.c, describe_json.c ---- */
nh_status nh_describe_text(const nh_report *r, nh_text *out, nh_error *error);
void nh_describe_class(const nh_report *r, nh_text *out); /* describe_class.c: what it is, and symmetries */
/* Adds "3 coordinates"; writes a line and frees it. */
void nh_add_count(nh_text *out, const char *before, int64_t count, const char *one);
void nh_add_line(nh_text *out, const char *label, nh_text *line);
nh_status nh_describe_json(const nh_report *r, nh_text *out, nh_error *error);

/* ---- report_equations.c: the derived equations ---- */

/* One equation, or a family of them with its range ("i = 1..3", or ""). */
typedef struct nh_equation {
    const char *label; /* coordinate or label of a constraint, "" if none */
    const char *left, *relation, *right, *range;
} nh_equation;

typedef void nh_equation_visit(void *context, const nh_equation *equation);

/* Groups of equations, each under its title: equations of motion, constraints, … */
typedef struct nh_equation_group {
    const char *key; /* for JSON */
    const char *title;
    nh_status (*each)(const nh_report *r, bool latex, nh_equation_visit *visit, void *context, nh_error *error);
} nh_equation_group;

/* The groups of a kind of system; `key` is NULL in the row after the last. */
const nh_equation_group *nh_equation_groups(nh_kind kind);
nh_status nh_describe_latex(const nh_report *r, nh_text *out, nh_error *error);

/* ---- sparsity.c: patterns of matrices; [row, column] from 0 as data, a picture of a small one ---- */
nh_status nh_sparsity_text(const nh_report *r, nh_text *out, nh_error *error);
nh_status nh_sparsity_json(const nh_report *r, nh_json *j, nh_error *error);

/* ---- energy.c ---- */

/* v·L_v − L, term by term where L is homogeneous in the velocities: reads better than the definition. */
nh_expr nh_energy_by_terms(const nh_model *m);

#endif
