/* SPDX-License-Identifier: MIT */
/* The description of a model for people: what it is in words, then its equations. */
#include "base/page.h"
#include "report/report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void nh_add_count(nh_text *out, const char *before, int64_t count, const char *one)
{
    nh_text_add(out, "%s%lld %s%s", before, (long long)count, one, count == 1 ? "" : "s");
}

void nh_add_line(nh_text *out, const char *label, nh_text *line)
{
    nh_page_line(out, label, nh_text_get(line));
    out->failed |= line->failed;
    nh_text_free(line);
}

/* ---- The head: what the file says ---- */

static void write_head(const nh_report *r, nh_text *out)
{
    const nh_model *m = r->m;
    bool named = m->name[0] != '\0';
    nh_text_add(out, "%s%s%s%s\n", named ? m->name : m->file, named ? "  (" : "", named ? m->file : "",
                named ? ")" : "");
    if (m->about[0]) {
        nh_text_add(out, "\n");
        nh_page_wrap(out, 2, m->about);
    }
    for (const char *line = m->cite; *line;) {
        size_t length = strcspn(line, "\n");
        nh_text cite = {0};
        nh_text_add(&cite, "[%.*s]", (int)length, line);
        nh_page_wrap(out, 2, nh_text_get(&cite));
        nh_text_drop(&cite, out);
        line += length + (line[length] == '\n');
    }
}

static void write_blocks(const nh_model *m, nh_space space, const char *label, nh_text *out)
{
    nh_text line = {0};
    for (int i = 0; i < m->blocks; i++) {
        const nh_block *b = &m->block[i];
        if (b->space != space)
            continue;
        nh_text_add(&line, "%s%s", line.length ? ", " : "", b->name);
        if (b->indexed)
            nh_text_add(&line, "[%d..%d]", b->lower, b->lower + b->count - 1);
    }
    if (line.length)
        nh_page_line(out, label, nh_text_get(&line));
    nh_text_drop(&line, out);
}

/* The values of the elements of a block; of many, the first. */
static void write_values(const nh_block *b, const char *prime, const nh_quad *x, nh_text *line)
{
    enum { SHOWN = 4 };
    nh_text_add(line, "%s%s", line->length ? ", " : "", b->name);
    if (!b->indexed) {
        nh_text_add(line, "%s = %.10g", prime, (double)x[b->first]);
        return;
    }
    nh_text_add(line, "[%d..%d]%s = (", b->lower, b->lower + b->count - 1, prime);
    for (int i = 0; i < b->count && i < SHOWN; i++)
        nh_text_add(line, "%s%.6g", i ? ", " : "", (double)x[b->first + i]);
    nh_text_add(line, b->count > SHOWN ? ", ...)" : ")");
}

static bool all_zero(const nh_block *b, const nh_quad *x)
{
    for (int i = 0; i < b->count; i++)
        if (x[b->first + i] != 0)
            return false;
    return true;
}

/* Blocks that are zero are left out, except for parameters; returns whether there are any. */
static bool write_point(const nh_model *m, nh_space space, const char *prime, const nh_quad *x, nh_text *line)
{
    bool left_out = false;
    for (int i = 0; i < m->blocks; i++) {
        if (m->block[i].space != space)
            continue;
        bool show = space == NH_PARAMETER || !all_zero(&m->block[i], x);
        if (show)
            write_values(&m->block[i], prime, x, line);
        left_out |= !show;
    }
    return left_out;
}

static void write_sizes(const nh_model *m, nh_text *out)
{
    nh_text line = {0};
    for (int i = 0; i < m->sizes; i++)
        nh_text_add(&line, "%s%s = %lld", i ? ", " : "", m->size[i].name, (long long)m->size[i].value);
    if (line.length)
        nh_page_line(out, "sizes", nh_text_get(&line));
    nh_text_drop(&line, out);
}

static void write_kind(const nh_model *m, nh_text *out)
{
    static const char *const kind[] = {"Lagrangian system", "index-2 differential-algebraic system",
                                       "generalised Hamiltonian system"};
    static const char *const vector[] = {"coordinate", "state", "variable"};
    nh_text line = {0};
    nh_text_add(&line, "%s: ", kind[m->kind]);
    nh_add_count(&line, "", m->n, vector[m->kind]);
    if (m->kind == NH_DAE)
        nh_add_count(&line, ", ", m->algebraic, "algebraic variable");
    if (m->m)
        nh_add_count(&line, ", ", m->m, m->kind == NH_DAE ? "constraint" : "velocity constraint");
    if (m->holonomic)
        nh_add_count(&line, ", ", m->holonomic, "holonomic constraint");
    nh_add_line(out, "kind", &line);
}

static void write_data(const nh_report *r, nh_text *out)
{
    static const char *const vector[] = {"coordinates", "states", "variables"};
    const nh_model *m = r->m;
    nh_text line = {0};
    nh_page_section(out, "Model");
    write_kind(m, out);
    write_sizes(m, out);
    write_blocks(m, NH_Q, vector[m->kind], out);
    if (m->kind == NH_DAE)
        write_blocks(m, NH_LAMBDA, "algebraic", out);
    write_point(m, NH_PARAMETER, "", r->parameter, &line);
    if (line.length)
        nh_page_line(out, "parameters", nh_text_get(&line));
    nh_text_drop(&line, out);
    bool zeros = write_point(m, NH_Q, "", r->q, &line);
    if (m->kind == NH_LAGRANGIAN)
        zeros |= write_point(m, NH_Q, "'", r->v, &line);
    if (m->kind == NH_DAE)
        zeros |= write_point(m, NH_LAMBDA, "", r->z, &line);
    nh_text_add(&line, "%s", !line.length ? "everything is 0" : zeros ? "; the rest is 0" : "");
    nh_add_line(out, "initial", &line);
    if (!r->initial_finite)
        nh_page_line(out, "", r->initial_error.message);
    if (isfinite(r->step))
        nh_text_add(&line, "step %.10g", r->step);
    if (isfinite(r->until))
        nh_text_add(&line, "%suntil %.10g", line.length ? ", " : "", r->until);
    if (line.length)
        nh_add_line(out, "suggested", &line);
}

/* ---- Equations ---- */

/* "label  left = right"; L and E are labels of their own. */
static void write_equation(void *context, const nh_equation *e)
{
    nh_text *out = context, line = {0};
    bool named = !*e->label && strlen(e->left) <= 2;
    if (!named)
        nh_text_add(&line, "%s ", e->left);
    nh_text_add(&line, "%s %s", e->relation, e->right);
    if (*e->range)
        nh_text_add(&line, "    (%s)", e->range);
    nh_page_formula(out, named ? e->left : e->label, nh_text_get(&line));
    nh_text_drop(&line, out);
}

static nh_status write_equations(const nh_report *r, nh_text *out, nh_error *error)
{
    nh_status status = NH_OK;
    for (const nh_equation_group *group = nh_equation_groups(r->m->kind); status == NH_OK && group->key; group++) {
        nh_text body = {0};
        char title[64];
        status = group->each(r, false, write_equation, &body, error);
        snprintf(title, sizeof title, "%s", group->title);
        title[0] = (char)(title[0] >= 'a' && title[0] <= 'z' ? title[0] - 'a' + 'A' : title[0]);
        if (body.length) {
            nh_page_section(out, title);
            nh_text_bytes(out, nh_text_get(&body), body.length);
        }
        nh_text_drop(&body, out);
    }
    return status;
}

static void write_named(const nh_report *r, const char *title, const nh_named *list, int count, nh_text *out)
{
    nh_spelling spelling = nh_model_spelling(r->m, false);
    spelling.flat = true;
    spelling.limit = 600;
    if (count)
        nh_page_section(out, title);
    for (int i = 0; i < count; i++) {
        nh_text line = {0};
        nh_print(r->m->graph, list[i].value, &spelling, &line);
        nh_page_formula(out, list[i].name, nh_text_get(&line));
        nh_text_drop(&line, out);
    }
}

nh_status nh_describe_text(const nh_report *r, nh_text *out, nh_error *error)
{
    write_head(r, out);
    write_data(r, out);
    nh_describe_class(r, out);
    nh_status status = write_equations(r, out, error);
    write_named(r, "Invariants", r->m->invariant, r->m->invariants, out);
    write_named(r, "Observables", r->m->observable, r->m->observables, out);
    return status == NH_OK ? nh_sparsity_text(r, out, error) : status;
}
