/* SPDX-License-Identifier: MIT */
/* The numbers of an export: coefficients of the method, initial data. */
#include "export/export.h"
#include "kernel/extrapolation_table.h"
#include "kernel/spark_table.h"
#include "tableau/grid.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Weights have heads of so many bits; see NH_RATE_GRID. */
enum { FLOAT_HEAD_BITS = 10 };

static double rounded(const nh_exporter *e, nh_quad x)
{
    return e->in_float ? (double)(float)x : (double)x;
}

void nh_export_number_text(const nh_exporter *e, nh_quad x, nh_text *out)
{
    char digits[48];
    int precision = 1;
    const double value = rounded(e, x);
    do
        snprintf(digits, sizeof digits, "%.*g", precision, value);
    while (precision++ < 17 && rounded(e, (nh_quad)strtod(digits, NULL)) != value);
    nh_text_add(out, "%s%s%s", digits, strpbrk(digits, ".e") ? "" : ".0", e->in_float ? "f" : "");
}

static void add_array(const nh_exporter *e, const char *name, const nh_quad *x, int count, nh_text *out)
{
    nh_text_add(out, "static const %s nh_initial_%s[] = {", e->number, name);
    for (int i = 0; i < count; i++) {
        nh_text_add(out, "%s", i ? ", " : "");
        nh_export_number_text(e, x[i], out);
    }
    nh_text_add(out, "};\n");
}

static void add_one(const nh_exporter *e, const char *name, nh_quad x, nh_text *out)
{
    nh_text_add(out, "static const %s nh_initial_%s = ", e->number, name);
    nh_export_number_text(e, x, out);
    nh_text_add(out, ";\n");
}

/* ---- The table of the method ---- */

typedef struct part {
    int index;
    const char *name;
} part;

#define PART(name)                                                                                                     \
    {                                                                                                                  \
        name, #name                                                                                                    \
    }

static const part sequences[] = {PART(NH_EXTRAPOLATION_PAIRS),  PART(NH_EXTRAPOLATION_END),
                                 PART(NH_EXTRAPOLATION_WEIGHT), PART(NH_EXTRAPOLATION_DOUBT),
                                 PART(NH_EXTRAPOLATION_DEMAND), PART(NH_EXTRAPOLATION_RUNG)};
static const part vectors[] = {
    PART(NH_SPARK_C),         PART(NH_SPARK_REACH),         PART(NH_SPARK_REACH_LOW), PART(NH_SPARK_REACH_END),
    PART(NH_SPARK_B),         PART(NH_SPARK_B_HEAD),        PART(NH_SPARK_B_TAIL),    PART(NH_SPARK_REAL),
    PART(NH_SPARK_NULL),      PART(NH_SPARK_LEFT),          PART(NH_SPARK_LEFT_END),  PART(NH_SPARK_INVERSE_END),
    PART(NH_SPARK_AHEAD_END), PART(NH_SPARK_AHEAD_WAY_END), PART(NH_SPARK_SQUARE_END)};
static const part matrices[] = {PART(NH_SPARK_POSITION),     PART(NH_SPARK_FORCE),        PART(NH_SPARK_REACTION),
                                PART(NH_SPARK_SQUARE),       PART(NH_SPARK_POSITION_LOW), PART(NH_SPARK_FORCE_LOW),
                                PART(NH_SPARK_REACTION_LOW), PART(NH_SPARK_SQUARE_LOW),   PART(NH_SPARK_INVERSE),
                                PART(NH_SPARK_AHEAD),        PART(NH_SPARK_AHEAD_WAY),    PART(NH_SPARK_AHEAD_REACTION),
                                PART(NH_SPARK_QUOTIENT)};

_Static_assert(sizeof sequences / sizeof sequences[0] == NH_EXTRAPOLATION_VECTORS, "every vector");
_Static_assert(sizeof vectors / sizeof vectors[0] == NH_SPARK_VECTORS, "every vector");
_Static_assert(sizeof matrices / sizeof matrices[0] == NH_SPARK_MATRICES, "every matrix");

/* Entry i of a vector in float: head and tail are cut elsewhere than in double. */
static nh_quad float_vector(const nh_quad *table, int s, int vector, int i)
{
    const nh_quad b = table[NH_SPARK_AT_VECTOR(s, NH_SPARK_B) + i];
    if (vector == NH_SPARK_B_HEAD)
        return nh_snap(b, FLOAT_HEAD_BITS);
    if (vector == NH_SPARK_B_TAIL)
        return b - nh_snap(b, FLOAT_HEAD_BITS);
    if (vector == NH_SPARK_REACH_LOW) {
        const nh_quad reach = table[NH_SPARK_AT_VECTOR(s, NH_SPARK_REACH) + i];
        return reach - (nh_quad)(float)reach;
    }
    return table[NH_SPARK_AT_VECTOR(s, vector) + i];
}

/* Entry i of a matrix in float: low parts are what rounding has left. */
static nh_quad float_matrix(const nh_quad *table, int s, int matrix, int i)
{
    const bool low = matrix >= NH_SPARK_POSITION_LOW && matrix <= NH_SPARK_SQUARE_LOW;
    const int high = low ? matrix - NH_SPARK_POSITION_LOW + NH_SPARK_POSITION : matrix;
    const nh_quad x = table[NH_SPARK_AT_MATRIX(s, high) + i];
    return low ? x - (nh_quad)(float)x : x;
}

static void add_coefficient(const nh_exporter *e, nh_quad x, nh_text *out)
{
    if (x == 0)
        nh_text_add(out, " 0,");
    else
        nh_text_add(out, " %a%s,", rounded(e, x), e->in_float ? "f" : "");
}

static void add_rows(const nh_exporter *e, const part *p, bool is_matrix, nh_text *out)
{
    const nh_table *table = &e->choice->table;
    const int s = e->kernel->s, padded = NH_SPARK_PADDED(s), rows = is_matrix ? s : 1;
    nh_text_add(out, "    /* %s */", p->name);
    for (int i = 0; i < rows * padded; i++) {
        if (i % padded == 0)
            nh_text_add(out, "\n   ");
        if (e->in_float)
            add_coefficient(e, (is_matrix ? float_matrix : float_vector)(table->in_quad, s, p->index, i), out);
        else
            add_coefficient(e,
                            (nh_quad)table->in_double[i + (is_matrix ? NH_SPARK_AT_MATRIX(s, p->index)
                                                                     : NH_SPARK_AT_VECTOR(s, p->index))],
                            out);
    }
    nh_text_add(out, "\n");
}

static void add_sequences(const nh_exporter *e, nh_text *out)
{
    const int s = e->kernel->s;
    nh_text_add(out,
                "\n/* Coefficients of %s: vectors of one entry per sequence, filled up to a multiple of four. */\n"
                "static const %s nh_table[] = {\n",
                e->choice->spelling, e->number);
    for (int k = 0; k < NH_EXTRAPOLATION_VECTORS; k++) {
        if (nh_trim_enumerator(e->trim, sequences[k].name) < 0)
            continue;
        nh_text_add(out, "    /* %s */\n   ", sequences[k].name);
        for (int i = 0; i < NH_EXTRAPOLATION_PADDED(s); i++)
            add_coefficient(e, e->choice->table.in_quad[NH_EXTRAPOLATION_AT_VECTOR(s, sequences[k].index) + i], out);
        nh_text_add(out, "\n");
    }
    nh_text_add(out, "};\n");
}

static void add_table(const nh_exporter *e, nh_text *out)
{
    nh_text_add(out,
                "\n/* Coefficients of %s: vectors of one entry per stage, then matrices [source][target], each row\n"
                " * filled up with zeros to a multiple of four. */\nstatic const %s nh_table[] = {\n",
                e->choice->spelling, e->number);
    for (int i = 0; i < NH_SPARK_VECTORS; i++)
        if (nh_trim_enumerator(e->trim, vectors[i].name) >= 0)
            add_rows(e, &vectors[i], false, out);
    for (int i = 0; i < NH_SPARK_MATRICES; i++)
        if (nh_trim_enumerator(e->trim, matrices[i].name) >= 0)
            add_rows(e, &matrices[i], true, out);
    nh_text_add(out, "};\n");
}

void nh_export_data(const nh_exporter *e, nh_text *out)
{
    const nh_start *start = &e->sim->start;
    nh_text_add(out, "\n/* Initial data, the step, and the parameters as they are at first. */\n");
    add_one(e, "t", start->t, out);
    add_one(e, "h", start->h, out);
    add_array(e, "q", start->q, e->model->n, out);
    add_array(e, "v", start->v, e->model->n, out);
    if (e->model->parameters > 0)
        add_array(e, "parameter", start->parameter, e->model->parameters, out);
    if (e->choice->method->kernel == NH_KERNEL_SPARK)
        add_table(e, out);
    if (e->choice->method->kernel == NH_KERNEL_EXTRAPOLATION)
        add_sequences(e, out);
}

int nh_export_memory(const nh_exporter *e)
{
    const nh_kernel *k = e->kernel;
    return nh_trim_enumerator(e->trim, "NH_AT_POSITION") + 5 * k->n + k->s * (k->n + k->m + k->l) + k->constants;
}
