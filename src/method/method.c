/* SPDX-License-Identifier: MIT */
/* The registry. */
#include "method/method.h"

#include "base/text.h"
#include "kernel/traits.h"
#include "method/extrapolation_table.h"
#include "method/spark_table.h"
#include "tableau/check.h"

#include <math.h>
#include <nonholo/text.h>
#include <stdio.h>
#include <string.h>

#define JAY "L. O. Jay, Lagrange-d'Alembert SPARK integrators for nonholonomic Lagrangian systems (2009)"

/* ---- Claims ---- */

static nh_method_claims same_for_all_masses(int order, bool symmetric, bool dalembert)
{
    return (nh_method_claims){.order = order,
                              .order_varying_mass = order,
                              .symmetric = symmetric,
                              .symmetric_varying_mass = symmetric,
                              .dalembert = dalembert,
                              .constraint_at_end = true};
}

static nh_method_claims gauss(int s)
{
    return same_for_all_masses(2 * s, true, true);
}

static nh_method_claims lobatto(int s)
{
    return same_for_all_masses(2 * s - 2, true, true);
}

static nh_method_claims lobatto_ab(int s)
{
    nh_method_claims claims = lobatto(s);
    claims.holonomic = true;
    return claims;
}

static nh_method_claims lobatto_ad(int s)
{
    return same_for_all_masses(2 * s - 2, true, false);
}

static nh_method_claims radau_ia(int s)
{
    return same_for_all_masses(2 * s - 1, false, false);
}

static nh_method_claims euler(int s)
{
    (void)s;
    return same_for_all_masses(1, false, true);
}

/* The condition is at V_1 alone, which is V_2 only where L_vv is constant. */
static nh_method_claims modified(int s)
{
    (void)s;
    nh_method_claims claims = same_for_all_masses(2, true, false);
    claims.order_varying_mass = 1;
    claims.symmetric_varying_mass = false;
    return claims;
}

/* Hilden, table 2.1: 2, 2, 4, 4, … */
static nh_method_claims standard(int s)
{
    nh_method_claims claims = same_for_all_masses((s + 1) / 2 * 2, true, false);
    claims.constraint_at_end = false;
    claims.constraint_at_stages = true;
    return claims;
}

static nh_method_claims mp(int s)
{
    (void)s;
    nh_method_claims claims = same_for_all_masses(2, true, false);
    claims.order_varying_mass = 0;
    claims.symmetric_varying_mass = false;
    return claims;
}

static nh_method_claims extrapolation(int s)
{
    return same_for_all_masses(2 * s, false, false);
}

static nh_method_claims stabilised(int s)
{
    nh_method_claims claims = gauss(s);
    claims.dalembert = false;
    claims.holonomic = true;
    return claims;
}

/* Nothing is known of a user's coefficients; they are measured. */
static nh_method_claims unknown(int s)
{
    (void)s;
    return (nh_method_claims){.constraint_at_end = true};
}

/* ---- The list ---- */

#define STAGES(least, usual)                                                                                           \
    {                                                                                                                  \
        "s", NH_OPTION_INTEGER, least, NH_STAGES_MAX, usual, NULL, 0, "number of stages"                               \
    }

/* Weights of more sequences are so large that they leave no digits, even of a quad. */
enum { SEQUENCES_MAX = 32 };
#define LEAST_TOLERANCE 1e-34 /* no number has more digits */

const nh_method *nh_method_get(int number)
{
    static const char *const rules[] = {"midpoint", "mp"};
    static const nh_method methods[] = {
        {.name = "gauss",
         .about = "Gauss SPARK: order 2s, symmetric",
         .citation = JAY ", (6.1), 7.3, 7.4",
         .kernel = NH_KERNEL_SPARK,
         .triple = "gauss",
         .claims = gauss,
         .option = {STAGES(1, 2)},
         .options = 1},
        {.name = "lobatto-ab",
         .about = "Lobatto IIIA-B SPARK: order 2s-2, symmetric; also with holonomic constraints",
         .citation = JAY ", (6.1), 7.5",
         .kernel = NH_KERNEL_SPARK,
         .triple = "lobatto-ab",
         .claims = lobatto_ab,
         .option = {STAGES(2, 2)},
         .options = 1},
        {.name = "lobatto-abd",
         .about = "Lobatto IIIA-B-D SPARK: order 2s-2, symmetric",
         .citation = JAY ", (6.1), 7.6",
         .kernel = NH_KERNEL_SPARK,
         .triple = "lobatto-abd",
         .claims = lobatto,
         .option = {STAGES(2, 2)},
         .options = 1},
        {.name = "lobatto-ad",
         .about = "Lobatto IIIA-D SPARK: order 2s-2, symmetric, not Lagrange-d'Alembert",
         .citation = JAY ", (6.1), 7.6",
         .kernel = NH_KERNEL_SPARK,
         .triple = "lobatto-ad",
         .claims = lobatto_ad,
         .option = {STAGES(2, 2)},
         .options = 1},
        {.name = "lobatto-d",
         .about = "Lobatto IIID SPARK: order 2s-2, symmetric",
         .citation = JAY ", (6.1), 7.6",
         .kernel = NH_KERNEL_SPARK,
         .triple = "lobatto-d",
         .claims = lobatto,
         .option = {STAGES(2, 2)},
         .options = 1},
        {.name = "radau-ia",
         .about = "Radau IA SPARK: order 2s-1",
         .citation = JAY ", (6.1)",
         .kernel = NH_KERNEL_SPARK,
         .triple = "radau-ia",
         .claims = radau_ia,
         .option = {STAGES(1, 2)},
         .options = 1},
        {.name = "euler-1",
         .about = "symplectic Euler SPARK I: order 1",
         .citation = JAY ", 7.1",
         .kernel = NH_KERNEL_SPARK,
         .triple = "euler-1",
         .stages = 1,
         .claims = euler},
        {.name = "euler-2",
         .about = "symplectic Euler SPARK II: order 1",
         .citation = JAY ", 7.2",
         .kernel = NH_KERNEL_SPARK,
         .triple = "euler-2",
         .stages = 1,
         .claims = euler},
        {.name = "lobatto-ab-modified",
         .about = "Lobatto IIIA-B, two stages, the constraint at the middle in place of its mean",
         .citation = JAY ", 8.4",
         .kernel = NH_KERNEL_SPARK,
         .triple = "lobatto-ab",
         .stages = 2,
         .traits = NH_MIDPOINT,
         .claims = modified},
        {.name = "mp",
         .about = "McLachlan-Perlmutter, Lobatto IIIB-A: order 2, one force a step; constant mass",
         .citation = JAY ", (7.3)",
         .kernel = NH_KERNEL_MP,
         .stages = 1,
         .needs_constant_mass = true,
         .claims = mp,
         .needs_ideal_constraints = true},
        {.name = "extrapolation",
         .about = "extrapolated half-explicit midpoint rule: order 2s, little work for many digits",
         .citation = "Ch. Lubich, h^2-extrapolation methods for differential-algebraic systems of index 2 (1989)",
         .kernel = NH_KERNEL_EXTRAPOLATION,
         .claims = extrapolation,
         .option =
             {{"s", NH_OPTION_INTEGER, 1, SEQUENCES_MAX, 8, NULL, 0, "number of sequences"},
              {"tol", NH_OPTION_REAL, 0, 1, 0, NULL, 0,
               "error of q and p, relative and absolute, that steps are divided for; 0: they are not"},
              {"rule", NH_OPTION_WORD, 0, 0, 0, rules, 2,
               "what sequences are made of: mp, where it fits and K is known before the reaction, takes less time"}},
         .options = 3,
         .needs_ideal_constraints = true},
        {.name = "gauss-standard",
         .about = "Gauss collocation with the constraint at the stages; it leaves the constraint",
         .citation = JAY ", 7.3, 7.4, for comparison",
         .kernel = NH_KERNEL_SPARK,
         .triple = "gauss",
         .traits = NH_COLLOCATED,
         .claims = standard,
         .option = {STAGES(1, 2)},
         .options = 1},
        {.name = "gauss-stabilised",
         .about = "Gauss SPARK on the stabilised index-2 form, for comparison: q' = v + g_q^T mu; full Newton",
         .citation = "S. K. Hilden, Numerical methods for nonholonomic mechanics (2009), 2.2; " JAY ", (6.1)",
         .kernel = NH_KERNEL_SPARK,
         .triple = "gauss",
         .traits = NH_STABILISED,
         .claims = stabilised,
         .option = {STAGES(1, 2)},
         .options = 1,
         .needs_ideal_constraints = true},
        {.name = "spark",
         .about = "SPARK with the coefficients of a file (docs/tableaux.md)",
         .citation = JAY ", (6.1)",
         .kernel = NH_KERNEL_SPARK,
         .claims = unknown,
         .option = {{"file", NH_OPTION_TEXT, 0, 0, NAN, NULL, 0, "file of a triple of tableaux"}},
         .options = 1},
    };
    const int count = (int)(sizeof methods / sizeof methods[0]);
    return number >= 0 && number < count ? &methods[number] : NULL;
}

const nh_method *nh_method_find(const char *name)
{
    const nh_method *method;
    for (int i = 0; (method = nh_method_get(i)); i++)
        if (!strcmp(method->name, name))
            return method;
    return NULL;
}

/* ---- Choosing ---- */

static nh_status unknown_name(const nh_spec *spec, nh_error *error)
{
    const nh_method *method;
    const char *best = NULL;
    size_t distance = 0;
    for (int i = 0; (method = nh_method_get(i)); i++)
        nh_nearer(spec->name, method->name, &best, &distance);
    if (best)
        return nh_spec_fail(spec, spec->column, error, NH_NAME, "there is no method '%.64s'; did you mean '%s'?",
                            spec->name, best);
    return nh_spec_fail(spec, spec->column, error, NH_NAME,
                        "there is no method '%.64s'; 'nonholo methods' lists what there is", spec->name);
}

/* What the checker says of coefficients that nobody has made claims for. */
static void measure(nh_choice *choice)
{
    const nh_triple_report report = nh_triple_measure(&choice->triple, 0);
    choice->claims.symmetric = choice->claims.symmetric_varying_mass = report.symmetric;
    choice->claims.dalembert = report.dalembert;
}

/* What is wrong with the coefficients of a file is so at its Atilde: all else was looked at where it was read. */
static nh_status at_reaction(const nh_choice *choice, const char *file, nh_status status, nh_error *error)
{
    if (status == NH_VALUE && choice->triple.reaction_line && error) {
        snprintf(error->file, sizeof error->file, "%s", file);
        error->line = choice->triple.reaction_line;
        error->column = 1;
    }
    return status;
}

static nh_status read_coefficients(const nh_option_value *value, nh_arena *arena, nh_choice *out, nh_error *error)
{
    const nh_method *method = out->method;
    nh_status status = method->triple ? nh_triple_make(arena, method->triple, out->stages, &out->triple, error)
                                      : nh_triple_load(arena, value[0].text, &out->triple, error);
    if (status != NH_OK)
        return status;
    out->stages = out->triple.position.stages;
    if (!method->triple)
        measure(out);
    nh_spark_tables tables = {0};
    status = nh_spark_table_make(arena, &out->triple, method->traits & NH_COLLOCATED, &tables, error);
    out->table = tables.numbers;
    if (status == NH_OK && tables.same_matrices)
        out->traits |= NH_SAME_MATRICES;
    if (status == NH_OK && !method->triple)
        out->claims.holonomic = tables.holonomic;
    return at_reaction(out, value[0].text, status, error);
}

/* Steps that are divided have no order: their error is what is asked for, whatever h is. */
static nh_status control(const nh_spec *spec, nh_choice *out, nh_error *error)
{
    if (out->stages < 2)
        return nh_spec_fail(spec, spec->column, error, NH_VALUE,
                            "tol needs two sequences or more: an error is told by "
                            "the difference of two orders");
    out->traits |= NH_CONTROLLED;
    out->claims.order = out->claims.order_varying_mass = 0;
    return NH_OK;
}

/* As it is written: what is too small for a number is not 0. */
static bool is_zero(const char *text)
{
    return strcspn(text, "123456789") >= strcspn(text, "eE");
}

static nh_status read_sequences(const nh_spec *spec, const nh_option_value *value, nh_arena *arena, nh_choice *out,
                                nh_error *error)
{
    const nh_quad tol = value[1].number;
    if (value[1].given && !(tol >= (nh_quad)LEAST_TOLERANCE) && !is_zero(value[1].text))
        return nh_spec_fail(spec, spec->column, error, NH_VALUE, "'tol' is 0 or at least %g, not %.60s",
                            LEAST_TOLERANCE, value[1].text);
    if (value[2].word == 1) {
        out->traits |= NH_LEAPING;
        out->needs_constant_mass = true;
        out->claims.order_varying_mass = 0;
        out->claims.symmetric = out->stages == 1; /* a step of mp */
    }
    const nh_status status = tol > 0 ? control(spec, out, error) : NH_OK;
    return status == NH_OK ? nh_extrapolation_table_make(arena, out->stages, tol, &out->table, error) : status;
}

static nh_status spell(nh_arena *arena, nh_choice *choice, const nh_option_value *value, nh_error *error)
{
    nh_text text = {0};
    nh_text_add(&text, "%s", choice->method->name);
    if (choice->method->options && choice->method->option[0].type == NH_OPTION_INTEGER)
        nh_text_add(&text, "(s=%d%s%s%s)", choice->stages, choice->traits & NH_CONTROLLED ? ", tol=" : "",
                    choice->traits & NH_CONTROLLED ? value[1].text : "",
                    choice->traits & NH_LEAPING ? ", rule=mp" : "");
    else if (choice->method->options)
        nh_text_add(&text, "(file=\"%s\")", value[0].text);
    choice->spelling = text.failed ? NULL : nh_arena_text(arena, text.data, text.length);
    nh_text_free(&text);
    return choice->spelling ? NH_OK : nh_fail(error, NH_MEMORY, "out of memory");
}

nh_status nh_method_choose(const char *text, nh_arena *arena, nh_choice *out, nh_error *error)
{
    nh_spec *spec;
    nh_option_value value[NH_OPTIONS_MOST] = {{0}};
    nh_status status = nh_spec_parse(text, arena, &spec, error);
    if (status != NH_OK)
        return status;
    *out = (nh_choice){.method = nh_method_find(spec->name)};
    if (!out->method)
        return unknown_name(spec, error);
    status = nh_spec_read(spec, out->method->option, out->method->options, value, error);
    if (status == NH_OK)
        status = nh_spec_methods(spec, 0, NULL, error);
    if (status != NH_OK)
        return status;
    out->stages = out->method->stages ? out->method->stages : (int)value[0].integer;
    out->traits = out->method->traits;
    out->needs_constant_mass = out->method->needs_constant_mass;
    out->claims = out->method->claims(out->stages);
    if (out->method->kernel == NH_KERNEL_SPARK)
        status = read_coefficients(value, arena, out, error);
    if (out->method->kernel == NH_KERNEL_EXTRAPOLATION)
        status = read_sequences(spec, value, arena, out, error);
    return status == NH_OK ? spell(arena, out, value, error) : status;
}
