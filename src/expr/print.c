/* SPDX-License-Identifier: MIT */
/* Printing: a stack of what is still to be written, so that the depth of an expression costs memory and not stack. */
#include "expr/print.h"

#include "expr/printer.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- What is to be written ---- */

void nh_do(nh_printer *p, nh_todo todo)
{
    if (nh_grow(&p->todo, &p->capacity, p->count, sizeof *p->todo))
        p->todo[p->count++] = todo;
    else
        p->failed = true;
}

void nh_do_text(nh_printer *p, const char *text)
{
    nh_do(p, (nh_todo){.kind = NH_DO_TEXT, .text = text});
}

void nh_do_expr(nh_printer *p, nh_expr e, nh_level level)
{
    nh_do(p, (nh_todo){.kind = NH_DO_EXPR, .e = e, .level = level});
}

void nh_do_signed(nh_printer *p, nh_expr e, nh_level level, bool negate)
{
    nh_do(p, (nh_todo){.kind = NH_DO_EXPR, .e = e, .level = level, .negate = negate});
}

void nh_do_integer(nh_printer *p, int64_t value)
{
    nh_do(p, (nh_todo){.kind = NH_DO_NUMBER, .number = nh_number_integer(value)});
}

void nh_do_order(nh_printer *p, size_t mark)
{
    for (size_t i = mark, j = p->count; i + 1 < j; i++) {
        nh_todo x = p->todo[i];
        p->todo[i] = p->todo[--j];
        p->todo[j] = x;
    }
}

/* ---- Numbers ---- */

static void latex_decimal(const char *text, nh_text *out)
{
    int digits = 0, exponent = 0;
    while (text[digits] && text[digits] != 'e' && text[digits] != 'E')
        digits++;
    if (text[digits] && sscanf(text + digits + 1, "%d", &exponent) == 1)
        nh_text_add(out, "%.*s \\cdot 10^{%d}", digits, text, exponent);
    else
        nh_text_add(out, "%s", text);
}

static void write_number(nh_number x, bool latex, nh_text *out)
{
    const char *form = latex ? "%s\\frac{%" PRId64 "}{%" PRId64 "}" : "%s%" PRId64 "/%" PRId64;
    if (nh_is_fraction(x)) {
        nh_text_add(out, form, x.num < 0 ? "-" : "", x.num < 0 ? -x.num : x.num, x.den);
        return;
    }
    nh_text text = {0};
    nh_number_print(x, &text);
    if (latex)
        latex_decimal(nh_text_get(&text), out);
    else
        nh_text_add(out, "%s", nh_text_get(&text));
    nh_text_drop(&text, out);
}

static nh_level level_of_number(nh_number x)
{
    bool negative = nh_number_is_rational(x) && x.num < 0;
    return negative ? NH_LEVEL_SUM : nh_is_fraction(x) ? NH_LEVEL_PRODUCT : NH_LEVEL_ATOM;
}

/* ---- Sums over an index ---- */

static void do_loop(nh_printer *p, nh_expr e, nh_node n)
{
    nh_spelling *s = &p->spelling;
    bool sum = n.op == NH_SUM;
    nh_open_sum(s, p->g, e);
    size_t mark = p->count;
    nh_do_text(p, s->latex ? sum ? "\\sum_{" : "\\prod_{" : sum ? "sum(" : "prod(");
    if (s->latex) {
        nh_do(p, (nh_todo){.kind = NH_DO_RANGE, .e = e});
        nh_do_expr(p, n.a, NH_LEVEL_PRODUCT);
    } else {
        nh_do_expr(p, n.a, NH_LEVEL_ANY);
        nh_do_text(p, " for ");
        nh_do(p, (nh_todo){.kind = NH_DO_RANGE, .e = e});
        nh_do_text(p, ")");
    }
    nh_do(p, (nh_todo){.kind = NH_DO_END_LOOP});
    nh_do_order(p, mark);
}

static void write_range(nh_printer *p, nh_expr e)
{
    int index = nh_get(p->g, e).index;
    const nh_index_name *i = &p->spelling.index[index];
    nh_affine count = nh_get_affine(p->g, e);
    if (!p->spelling.latex) {
        nh_print_range(index, count, &p->spelling, p->out);
        return;
    }
    nh_text_add(p->out, "%s=%d}^{", i->name, i->lower);
    nh_print_affine(count, (int64_t)i->lower - 1, &p->spelling, p->out);
    nh_text_add(p->out, "} ");
}

/* ---- Sums and products ---- */

static void do_sum(nh_printer *p, nh_expr e, bool negate)
{
    nh_operands list = nh_terms_of(p, e);
    size_t mark = p->count;
    for (size_t i = 0; i < list.count; i++) {
        nh_expr term = list.item[i].e;
        bool minus = nh_is_negative(p->g, term) != negate;
        if (i > 0)
            nh_do_text(p, minus ? " - " : " + ");
        nh_do_signed(p, term, i > 0 ? NH_LEVEL_PRODUCT : NH_LEVEL_SUM, i > 0 && minus ? !negate : negate);
    }
    nh_do_order(p, mark);
    p->failed |= list.failed;
    free(list.item);
}

/* Divisors, with the denominator of the number: /(2*a*b). */
static void do_divisors(nh_printer *p, const nh_operand_of *item, size_t count, int64_t den)
{
    bool several = count + (den != 1) > 1;
    nh_do_text(p, several ? "/(" : "/");
    if (den != 1)
        nh_do_integer(p, den);
    for (size_t i = 0; i < count; i++) {
        if (i > 0 || den != 1)
            nh_do_text(p, "*");
        nh_do_signed(p, item[i].e, count == 1 && several ? NH_LEVEL_PRODUCT : NH_LEVEL_POWER,
                     nh_all_negative(p, item[i].e));
    }
    if (several)
        nh_do_text(p, ")");
}

/* Factors before divisors. */
static void divisors_last(nh_operands *list)
{
    size_t factors = 0;
    for (size_t i = 0; i < list->count; i++)
        if (!list->item[i].divides) {
            nh_operand_of x = list->item[i];
            for (size_t k = i; k > factors; k--)
                list->item[k] = list->item[k - 1];
            list->item[factors++] = x;
        }
}

static void do_factors(nh_printer *p, nh_operands *list, int64_t den)
{
    if (p->spelling.flat)
        divisors_last(list);
    for (size_t i = 0; i < list->count; i++) {
        bool last = i + 1 == list->count;
        if (list->item[i].divides && p->spelling.flat) {
            do_divisors(p, list->item + i, list->count - i, den);
            return;
        }
        if (list->item[i].divides) {
            do_divisors(p, list->item + i, 1, last ? den : 1);
            den = last ? 1 : den;
        } else {
            nh_do_text(p, i > 0 ? "*" : "");
            nh_do_signed(p, list->item[i].e, NH_LEVEL_POWER, nh_all_negative(p, list->item[i].e));
        }
    }
    if (den != 1)
        do_divisors(p, NULL, 0, den);
}

static void do_text_product(nh_printer *p, nh_operands *list, nh_number top, int64_t den)
{
    bool starts = list->count && !list->item[0].divides;
    if (p->spelling.flat)
        for (size_t i = 0; i < list->count; i++)
            starts |= !list->item[i].divides;
    if (!nh_number_is(top, 1) || !starts) {
        nh_do(p, (nh_todo){.kind = NH_DO_NUMBER, .number = top});
        if (starts)
            nh_do_text(p, "*");
    }
    do_factors(p, list, den);
}

/* Do factors that are written with all signs turned change the sign of their product? */
static bool odd_signs(nh_printer *p, const nh_operands *list)
{
    bool odd = false;
    for (size_t i = 0; i < list->count; i++)
        odd ^= nh_all_negative(p, list->item[i].e);
    return odd;
}

static void do_product(nh_printer *p, nh_expr e, bool negate)
{
    nh_expr rest;
    nh_number c = nh_split_factor(p->g, e, &rest);
    nh_operands list = nh_factors_of(p, rest);
    size_t mark = p->count;
    if ((c.num < 0) != (negate != odd_signs(p, &list)))
        nh_do_text(p, "-");
    c.num = c.num < 0 ? -c.num : c.num;
    bool point = c.den != 1 && !nh_is_fraction(c);
    (p->spelling.latex ? nh_latex_product : do_text_product)(p, &list, point ? c : nh_number_integer(c.num),
                                                             point ? 1 : c.den);
    nh_do_order(p, mark);
    p->failed |= list.failed;
    free(list.item);
}

/* ---- Everything else ---- */

static void do_power(nh_printer *p, nh_node n)
{
    size_t mark = p->count;
    nh_do_expr(p, n.a, NH_LEVEL_ATOM);
    nh_do_text(p, p->spelling.latex ? "^{" : "^");
    if (n.op == NH_POWER)
        nh_do_integer(p, n.exponent);
    else
        nh_do_expr(p, n.b, p->spelling.latex ? NH_LEVEL_ANY : NH_LEVEL_ATOM);
    nh_do_text(p, p->spelling.latex ? "}" : "");
    nh_do_order(p, mark);
}

static void do_call(nh_printer *p, nh_node n)
{
    size_t mark = p->count;
    nh_do_text(p, nh_function_get((nh_function)n.function)->name);
    nh_do_text(p, "(");
    nh_do_expr(p, n.a, NH_LEVEL_ANY);
    if (n.b) {
        nh_do_text(p, ", ");
        nh_do_expr(p, n.b, NH_LEVEL_ANY);
    }
    nh_do_text(p, ")");
    nh_do_order(p, mark);
}

static nh_level level_of(const nh_printer *p, nh_expr e, nh_node n)
{
    bool power = n.op == NH_POWER || (n.op == NH_CALL && n.function == NH_F_pow);
    switch ((nh_op)n.op) {
    case NH_NUMBER:
        return level_of_number(nh_get_number(p->g, e));
    case NH_INDEX:
        return nh_index_level(nh_get_affine(p->g, e), &p->spelling);
    case NH_ADD:
        return NH_LEVEL_SUM;
    case NH_MUL:
    case NH_DIV:
        return nh_is_negative(p->g, e) ? NH_LEVEL_SUM : NH_LEVEL_PRODUCT;
    case NH_SUM:
    case NH_PROD:
        return p->spelling.latex ? NH_LEVEL_PRODUCT : NH_LEVEL_ATOM;
    default:
        return power ? NH_LEVEL_POWER : NH_LEVEL_ATOM;
    }
}

static void do_node(nh_printer *p, nh_expr e, nh_node n, bool negate)
{
    bool latex = p->spelling.latex, function = nh_get(p->g, n.a).op == NH_CALL;
    switch ((nh_op)n.op) {
    case NH_NUMBER: {
        nh_number x = nh_get_number(p->g, e);
        x.num = negate ? -x.num : x.num;
        write_number(x, latex, p->out);
        return;
    }
    case NH_VARIABLE:
        nh_print_variable((nh_space)n.space, nh_get_affine(p->g, e), &p->spelling, p->out);
        return;
    case NH_INDEX:
        nh_print_affine(nh_get_affine(p->g, e), 0, &p->spelling, p->out);
        return;
    case NH_PI:
        nh_text_add(p->out, latex ? "\\pi" : "pi");
        return;
    case NH_ADD:
        do_sum(p, e, negate);
        return;
    case NH_MUL:
    case NH_DIV:
        do_product(p, e, negate);
        return;
    case NH_POWER:
        if (latex && function)
            nh_latex_call(p, nh_get(p->g, n.a), n.exponent);
        else
            do_power(p, n);
        return;
    case NH_CALL:
        if (n.function == NH_F_pow)
            do_power(p, n);
        else if (latex)
            nh_latex_call(p, n, 1);
        else
            do_call(p, n);
        return;
    case NH_SUM:
    case NH_PROD:
        do_loop(p, e, n);
        return;
    }
}

static void do_expr(nh_printer *p, nh_todo todo)
{
    nh_node n = nh_get(p->g, todo.e);
    nh_level level = level_of(p, todo.e, n);
    bool sum = n.op == NH_ADD, brackets = level < todo.level && (sum || !todo.negate);
    if (brackets) {
        nh_text_add(p->out, p->spelling.latex ? "\\left(" : "(");
        nh_do_text(p, p->spelling.latex ? "\\right)" : ")");
    }
    do_node(p, todo.e, n, todo.negate);
}

static void next(nh_printer *p)
{
    nh_todo todo = p->todo[--p->count];
    switch (todo.kind) {
    case NH_DO_TEXT:
        nh_text_add(p->out, "%s", todo.text);
        break;
    case NH_DO_NUMBER:
        write_number(todo.number, p->spelling.latex, p->out);
        break;
    case NH_DO_RANGE:
        write_range(p, todo.e);
        break;
    case NH_DO_END_LOOP:
        p->spelling.loops--;
        break;
    case NH_DO_EXPR:
        do_expr(p, todo);
        break;
    }
}

void nh_print(const nh_graph *g, nh_expr e, const nh_spelling *spelling, nh_text *out)
{
    nh_printer p = {.g = g, .spelling = *spelling, .out = out};
    size_t limit = spelling->limit ? out->length + spelling->limit : SIZE_MAX;
    p.spelling.flat |= spelling->latex;
    nh_do_expr(&p, e, NH_LEVEL_ANY);
    while (p.count && !p.failed && out->length <= limit)
        next(&p);
    if (p.count && !p.failed)
        nh_text_add(out, spelling->latex ? " \\cdots" : " ...");
    out->failed |= p.failed;
    free(p.todo);
}
