/* SPDX-License-Identifier: MIT */
/* Patterns of the matrices that integrators work with: entries that are not zero for all values of the variables. */
#include "base/page.h"
#include "model/derived.h"
#include "report/report.h"

#include <stdlib.h>

enum { MOST_SHOWN = 12 /* rows and columns, as a picture */, MOST_LISTED = 100000 /* entries, as data */ };

typedef struct matrix {
    const char *name;
    nh_request request;
} matrix;

/* The matrices of a kind of system; the list ends with a row without a name. */
static const matrix *matrices(nh_kind kind)
{
    static const matrix lagrangian[] = {{"L_vv", {.of = NH_OF_MOMENTUM, .order = 1, .by = {NH_V}}},
                                        {"L_vq", {.of = NH_OF_MOMENTUM, .order = 1, .by = {NH_Q}}},
                                        {"L_qq + f_q", {.of = NH_OF_FORCE, .order = 1, .by = {NH_Q}}},
                                        {"K", {.of = NH_OF_CONSTRAINT, .order = 1, .by = {NH_V}}},
                                        {"g_q", {.of = NH_OF_HOLONOMIC, .order = 1, .by = {NH_Q}}},
                                        {0}};
    static const matrix dae[] = {{"f_y", {.of = NH_OF_FORCE, .order = 1, .by = {NH_Q}}},
                                 {"f_z", {.of = NH_OF_FORCE, .order = 1, .by = {NH_LAMBDA}}},
                                 {"g_y", {.of = NH_OF_CONSTRAINT, .order = 1, .by = {NH_Q}}},
                                 {0}};
    static const matrix hamiltonian[] = {
        {"J", {.of = NH_OF_STRUCTURE}}, {"H_zz", {.of = NH_OF_LAGRANGIAN, .order = 2, .by = {NH_Q, NH_Q}}}, {0}};
    return kind == NH_LAGRANGIAN ? lagrangian : kind == NH_DAE ? dae : hamiltonian;
}

typedef struct pattern {
    unsigned char *set; /* [rows × columns], or NULL: only counted */
    int64_t columns, count;
} pattern;

static void mark(void *context, uint32_t piece, int64_t row, int64_t column, const int64_t *values)
{
    (void)piece, (void)values;
    pattern *p = context;
    p->count++;
    if (p->set)
        p->set[row * p->columns + column] = 1;
}

/* One row of a picture after the other: "x . x". */
static void draw(const char *name, const nh_field *f, nh_text *out)
{
    unsigned char set[MOST_SHOWN * MOST_SHOWN] = {0};
    pattern p = {.set = set, .columns = f->columns};
    nh_field_visit(f, mark, &p);
    for (int i = 0; i < f->rows; i++) {
        nh_text line = {0};
        for (int k = 0; k < f->columns; k++)
            nh_text_add(&line, "%s%c", k > 0 ? " " : "", set[i * f->columns + k] ? 'x' : '.');
        nh_page_line(out, i == 0 ? name : "", nh_text_get(&line));
        nh_text_drop(&line, out);
    }
}

nh_status nh_sparsity_text(const nh_report *r, nh_text *out, nh_error *error)
{
    nh_status status = NH_OK;
    if (r->m->n > MOST_SHOWN || r->m->m + r->m->holonomic > MOST_SHOWN || r->m->algebraic > MOST_SHOWN)
        return NH_OK; /* the counts of entries tell more than a large picture */
    nh_page_section(out, "Sparsity");
    for (const matrix *x = matrices(r->m->kind); status == NH_OK && x->name; x++) {
        nh_field f;
        status = nh_derive(r->m, x->request, &f, error);
        if (status != NH_OK)
            break;
        if (f.rows > 0 && f.pieces == 0)
            nh_page_line(out, x->name, "0");
        else if (f.rows > 0)
            draw(x->name, &f, out);
        nh_field_free(&f);
    }
    return status;
}

static void list_entry(void *context, uint32_t piece, int64_t row, int64_t column, const int64_t *values)
{
    (void)piece, (void)values;
    nh_json *j = context;
    nh_json_row(j, NULL);
    nh_json_integer(j, NULL, row);
    nh_json_integer(j, NULL, column);
    nh_json_end(j);
}

nh_status nh_sparsity_json(const nh_report *r, nh_json *j, nh_error *error)
{
    nh_status status = NH_OK;
    nh_json_object(j, "sparsity");
    for (const matrix *x = matrices(r->m->kind); status == NH_OK && x->name; x++) {
        nh_field f;
        pattern p = {0};
        status = nh_derive(r->m, x->request, &f, error);
        if (status != NH_OK)
            break;
        nh_field_visit(&f, mark, &p);
        if (p.count > MOST_LISTED) {
            nh_json_null(j, x->name);
        } else {
            nh_json_row(j, x->name);
            nh_field_visit(&f, list_entry, j);
            nh_json_end(j);
        }
        nh_field_free(&f);
    }
    nh_json_end(j);
    return status;
}
