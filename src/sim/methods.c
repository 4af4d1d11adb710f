/* SPDX-License-Identifier: MIT */
/* The methods as descriptors tell them. */
#include "base/json.h"
#include "base/page.h"
#include "base/status.h"
#include "method/method.h"
#include "tableau/check.h"

#include <math.h>
#include <nonholo/sim.h>
#include <stdio.h>

int nh_method_count(void)
{
    int count = 0;
    while (nh_method_get(count))
        count++;
    return count;
}

const char *nh_method_name(int number)
{
    const nh_method *method = nh_method_get(number);
    return method ? method->name : NULL;
}

/* With the usual number of stages; 0 where a file tells it. */
static int usual_stages(const nh_method *method)
{
    if (method->stages > 0)
        return method->stages;
    return method->options && method->option[0].type == NH_OPTION_INTEGER ? (int)method->option[0].initial : 0;
}

/* ---- Text ---- */

static void write_option(nh_text *out, const nh_option *o)
{
    char range[256];
    switch (o->type) {
    case NH_OPTION_INTEGER:
    case NH_OPTION_REAL:
        if (isnan(o->initial))
            snprintf(range, sizeof range, "%g to %g: %s", o->least, o->most, o->about);
        else
            snprintf(range, sizeof range, "%g to %g, usually %g: %s", o->least, o->most, o->initial, o->about);
        break;
    case NH_OPTION_WORD:
        snprintf(range, sizeof range, "one of %d words: %s", o->words_count, o->about);
        break;
    case NH_OPTION_TEXT:
        snprintf(range, sizeof range, "\"...\": %s", o->about);
        break;
    }
    nh_page_add(out, "option", "%s = %s", o->name, range);
    for (int i = 0; i < o->words_count; i++)
        nh_page_add(out, "", "%s=%s%s", o->name, o->words[i], i == (int)o->initial ? " (the usual one)" : "");
}

static void add_claim(nh_text *list, bool holds, const char *text)
{
    if (holds)
        nh_text_add(list, "%s%s", list->length ? ", " : "", text);
}

static void write_claims(nh_text *out, const nh_method *method, const nh_method_claims c, int stages)
{
    nh_text list = {0};
    if (c.order > 0)
        nh_text_add(&list, "order %d", c.order);
    if (c.order_varying_mass != c.order && c.order_varying_mass > 0) /* 0: such models are refused */
        nh_text_add(&list, " (%d where L_v depends on t or q)", c.order_varying_mass);
    if (c.order > 0 && method->stages == 0)
        nh_text_add(&list, " with s=%d", stages);
    add_claim(&list, c.symmetric && c.symmetric_varying_mass, "symmetric");
    add_claim(&list, c.symmetric && !c.symmetric_varying_mass, "symmetric where L_v depends on v alone");
    add_claim(&list, c.dalembert, "a discrete Lagrange-d'Alembert principle");
    add_claim(&list, c.constraint_at_end, "constraints hold after every step");
    add_claim(&list, c.constraint_at_stages, "constraints hold at the stages");
    add_claim(&list, c.holonomic, "takes holonomic constraints");
    nh_page_line(out, "claims", nh_text_get(&list));
    nh_text_drop(&list, out);
}

static void write_sources(nh_text *out, const nh_method *method, bool constant_mass)
{
    if (constant_mass)
        nh_page_line(out, "needs", "a constant mass matrix, L = T(v) - U(t,q), forces without v");
    if (method->needs_ideal_constraints)
        nh_page_line(out, "needs", "ideal constraints, whose reaction is K^T lambda alone");
    nh_page_line(out, "citation", method->citation);
}

static void write_text(nh_text *out, const nh_method *method)
{
    nh_page_section(out, method->name);
    nh_page_line(out, "what", method->about);
    for (int i = 0; i < method->options; i++)
        write_option(out, &method->option[i]);
    write_claims(out, method, method->claims(usual_stages(method)), usual_stages(method));
    write_sources(out, method, method->needs_constant_mass);
}

/* What the checker finds, whatever is claimed. */
static void write_measured(nh_text *out, const nh_triple *triple)
{
    const nh_triple_report r = nh_triple_measure(triple, 0);
    const nh_tableau_report *a = &r.position;
    nh_page_add(out, "measured", "the order conditions of partitioned methods hold up to order %d%s", r.trees,
                r.trees < NH_TREE_ORDER_MAX ? ", which is the most that it can have" : ", the last one looked at");
    nh_page_add(out, "", "(6.2b) %s, off by %.2g; (6.3) %s, off by %.2g", r.dalembert ? "holds" : "does not hold",
                (double)r.coupling, r.symmetric ? "holds" : "does not hold", (double)r.symmetry);
    nh_page_add(out, "", "A has B(%d), C(%d), D(%d); its rows %s c, off by %.2g", a->B.holds, a->C.holds, a->D.holds,
                a->rows <= a->tolerance ? "add up to" : "do not add up to", (double)a->rows);
}

static void write_choice(nh_text *out, const nh_choice *choice)
{
    nh_page_section(out, choice->spelling);
    nh_page_line(out, "what", choice->method->about);
    nh_page_add(out, choice->method->kernel == NH_KERNEL_EXTRAPOLATION ? "sequences" : "stages", "%d", choice->stages);
    write_claims(out, choice->method, choice->claims, choice->stages);
    if (choice->method->kernel == NH_KERNEL_SPARK)
        write_measured(out, &choice->triple);
    write_sources(out, choice->method, choice->needs_constant_mass);
}

/* ---- JSON ---- */

static void write_json_option(nh_json *j, const nh_option *o)
{
    static const char *const types[] = {"integer", "real", "word", "text"};
    const bool numeric = o->type == NH_OPTION_INTEGER || o->type == NH_OPTION_REAL;
    nh_json_object(j, NULL);
    nh_json_text(j, "name", o->name);
    nh_json_text(j, "about", o->about);
    nh_json_text(j, "type", types[o->type]);
    if (numeric) {
        nh_json_number(j, "least", o->least);
        nh_json_number(j, "most", o->most);
        nh_json_number(j, "default", o->initial);
    }
    if (o->type == NH_OPTION_WORD) {
        nh_json_row(j, "words");
        for (int i = 0; i < o->words_count; i++)
            nh_json_text(j, NULL, o->words[i]);
        nh_json_end(j);
        nh_json_text(j, "default", isnan(o->initial) ? NULL : o->words[(int)o->initial]);
    }
    nh_json_end(j);
}

static void write_json_measured(nh_json *j, const nh_triple *triple)
{
    const nh_triple_report r = nh_triple_measure(triple, 0);
    nh_json_object(j, "measured");
    nh_json_integer(j, "order_conditions", r.trees);
    nh_json_bool(j, "lagrange_dalembert", r.dalembert);
    nh_json_number(j, "coupling", (double)r.coupling);
    nh_json_bool(j, "symmetric", r.symmetric);
    nh_json_number(j, "symmetry", (double)r.symmetry);
    nh_json_number(j, "row_sums", (double)r.position.rows);
    nh_json_integer(j, "B", r.position.B.holds);
    nh_json_integer(j, "C", r.position.C.holds);
    nh_json_integer(j, "D", r.position.D.holds);
    nh_json_end(j);
}

/* choice NULL: with the usual options. */
static void write_json(nh_json *j, const nh_method *method, const nh_choice *choice)
{
    const int stages = choice ? choice->stages : usual_stages(method);
    const nh_method_claims c = choice ? choice->claims : method->claims(stages);
    nh_json_object(j, NULL);
    nh_json_text(j, "name", method->name);
    if (choice)
        nh_json_text(j, "method", choice->spelling);
    nh_json_text(j, "about", method->about);
    nh_json_array(j, "options");
    for (int i = 0; i < method->options; i++)
        write_json_option(j, &method->option[i]);
    nh_json_end(j);
    nh_json_object(j, "claims");
    nh_json_integer(j, "stages", stages);
    nh_json_integer(j, "order", c.order);
    nh_json_integer(j, "order_varying_mass", c.order_varying_mass);
    nh_json_bool(j, "symmetric", c.symmetric);
    nh_json_bool(j, "symmetric_varying_mass", c.symmetric_varying_mass);
    nh_json_bool(j, "lagrange_dalembert", c.dalembert);
    nh_json_bool(j, "constraint_at_end", c.constraint_at_end);
    nh_json_bool(j, "constraint_at_stages", c.constraint_at_stages);
    nh_json_bool(j, "holonomic", c.holonomic);
    nh_json_end(j);
    if (choice && method->kernel == NH_KERNEL_SPARK)
        write_json_measured(j, &choice->triple);
    nh_json_bool(j, "needs_constant_mass", choice ? choice->needs_constant_mass : method->needs_constant_mass);
    nh_json_bool(j, "needs_ideal_constraints", method->needs_ideal_constraints);
    nh_json_text(j, "citation", method->citation);
    nh_json_end(j);
}

/* ---- The list ---- */

static nh_status list_all(const nh_method *only, nh_format format, char **out, nh_error *error)
{
    nh_text text = {0};
    nh_json j = {.out = &text};
    const int count = only ? 1 : nh_method_count();
    if (format == NH_FORMAT_JSON && !only)
        nh_json_array(&j, NULL);
    for (int i = 0; i < count; i++) {
        const nh_method *method = only ? only : nh_method_get(i);
        if (format == NH_FORMAT_JSON)
            write_json(&j, method, NULL);
        else
            write_text(&text, method);
    }
    if (format == NH_FORMAT_JSON && !only)
        nh_json_end(&j);
    return nh_text_hand_over(&text, NH_OK, out, error);
}

nh_status nh_method_list(const char *name, nh_format format, char **out, nh_error *error)
{
    nh_arena arena = {0};
    nh_choice choice;
    nh_text text = {0};
    *out = NULL;
    if (!name || nh_method_find(name))
        return list_all(name ? nh_method_find(name) : NULL, format, out, error);
    nh_status status = nh_method_choose(name, &arena, &choice, error);
    if (status == NH_OK && format == NH_FORMAT_JSON)
        write_json(&(nh_json){.out = &text}, choice.method, &choice);
    else if (status == NH_OK)
        write_choice(&text, &choice);
    nh_arena_free(&arena);
    return nh_text_hand_over(&text, status, out, error);
}
