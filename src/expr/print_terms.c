/* SPDX-License-Identifier: MIT */
/* Sums and products of many terms, taken from the graph's binary ones. */
#include "expr/printer.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_TERMS = 1 << 16 };

static void add(nh_operands *list, nh_expr e, bool divides)
{
    if (nh_grow(&list->item, &list->capacity, list->count, sizeof *list->item))
        list->item[list->count++] = (nh_operand_of){e, divides};
    else
        list->failed = true;
}

static void reverse(nh_operands *list)
{
    for (size_t i = 0, j = list->count; i + 1 < j; i++) {
        nh_operand_of x = list->item[i];
        list->item[i] = list->item[--j];
        list->item[j] = x;
    }
}

static void move_to_front(nh_operands *list, size_t k)
{
    nh_operand_of x = list->item[k];
    for (; k > 0; k--)
        list->item[k] = list->item[k - 1];
    list->item[0] = x;
}

nh_number nh_split_factor(const nh_graph *g, nh_expr e, nh_expr *rest)
{
    nh_node n = nh_get(g, e);
    *rest = e;
    if (n.op == NH_NUMBER && nh_number_is_rational(nh_get_number(g, e))) {
        *rest = 0;
        return nh_get_number(g, e);
    }
    for (int side = 0; n.op == NH_MUL && side < 2; side++) {
        nh_expr factor = side ? n.b : n.a;
        if (nh_get(g, factor).op == NH_NUMBER && nh_number_is_rational(nh_get_number(g, factor))) {
            *rest = side ? n.a : n.b;
            return nh_get_number(g, factor);
        }
    }
    return nh_number_integer(1);
}

bool nh_is_negative(const nh_graph *g, nh_expr e)
{
    nh_expr rest;
    return nh_split_factor(g, e, &rest).num < 0;
}

bool nh_is_fraction(nh_number x)
{
    if (x.den <= 1)
        return false;
    if (x.den % 5 != 0 && x.den <= 1024)
        return true;
    nh_text text = {0};
    nh_number_print(x, &text);
    bool fraction = strchr(nh_text_get(&text), '/') != NULL;
    nh_text_free(&text);
    return fraction;
}

/* ---- Sums ---- */

/* a + b + c is (a + b) + c: goes down on the side where there are more terms. */
static void terms_grouped(const nh_graph *g, nh_expr e, nh_operands *list)
{
    nh_node n = nh_get(g, e);
    for (; n.op == NH_ADD; n = nh_get(g, e)) {
        bool left = nh_get(g, n.a).op == NH_ADD, right = nh_get(g, n.b).op == NH_ADD;
        bool swap = !left && (right || nh_is_negative(g, n.a));
        if (!left && !right && nh_is_negative(g, n.b))
            swap = false;
        add(list, swap ? n.a : n.b, false);
        e = swap ? n.b : n.a;
    }
    add(list, e, false);
    reverse(list);
}

/* Terms with multipliers come last. */
static int term_rank(const nh_graph *g, nh_expr e)
{
    return nh_depends(g, e, 1u << NH_LAMBDA);
}

static void sort(const nh_graph *g, nh_operands *list, int (*rank)(const nh_graph *g, nh_expr e))
{
    for (size_t i = 1; i < list->count; i++) {
        nh_operand_of x = list->item[i];
        size_t k = i;
        for (; k > 0 && rank(g, list->item[k - 1].e) > rank(g, x.e); k--)
            list->item[k] = list->item[k - 1];
        list->item[k] = x;
    }
}

/* Every term below e, from left to right; too many stay together. One without a minus begins, if it can. */
static void terms_flat(const nh_graph *g, nh_expr e, nh_operands *list)
{
    nh_operands stack = {0};
    add(&stack, e, false);
    while (stack.count && !list->failed && !stack.failed) {
        nh_expr top = stack.item[--stack.count].e;
        nh_node n = nh_get(g, top);
        if (n.op == NH_ADD && list->count < MOST_TERMS) {
            add(&stack, n.b, false);
            add(&stack, n.a, false);
        } else {
            add(list, top, false);
        }
    }
    list->failed |= stack.failed;
    free(stack.item);
    sort(g, list, term_rank);
    size_t first = 0;
    while (first < list->count && nh_is_negative(g, list->item[first].e))
        first++;
    if (first < list->count && term_rank(g, list->item[first].e) == term_rank(g, list->item[0].e))
        move_to_front(list, first);
}

bool nh_all_negative(nh_printer *p, nh_expr e)
{
    if (!p->spelling.flat || nh_get(p->g, e).op != NH_ADD)
        return false;
    nh_operands list = nh_terms_of(p, e);
    bool negative = list.count > 0;
    for (size_t i = 0; negative && i < list.count; i++)
        negative = nh_is_negative(p->g, list.item[i].e);
    p->failed |= list.failed;
    free(list.item);
    return negative;
}

nh_operands nh_terms_of(const nh_printer *p, nh_expr e)
{
    nh_operands list = {0};
    (p->spelling.flat ? terms_flat : terms_grouped)(p->g, e, &list);
    return list;
}

/* ---- Products ---- */

/* Numbers, then parameters, then the rest. */
static int rank(const nh_graph *g, nh_expr e)
{
    nh_node n = nh_get(g, e);
    if (n.op == NH_NUMBER || n.op == NH_PI)
        return 0;
    return n.spaces & ~(1u << NH_PARAMETER) || n.op == NH_INDEX ? 2 : 1;
}

/* The rest: functions, positions, velocities, sums of them, multipliers; sums over an index last. */
static int fine_rank(const nh_graph *g, nh_expr e)
{
    nh_node n = nh_get(g, e), base = n.op == NH_POWER ? nh_get(g, n.a) : n;
    if (n.op == NH_SUM || n.op == NH_PROD)
        return 7;
    if (nh_depends(g, e, 1u << NH_LAMBDA))
        return 6;
    if (nh_depends(g, e, 1u << NH_V))
        return 4 + (n.op == NH_ADD);
    int r = rank(g, e);
    return r == 2 && base.op != NH_CALL ? 3 : r;
}

static bool is_product(nh_op op)
{
    return op == NH_MUL || op == NH_DIV;
}

/* Is e a product that must stay together, since its number would go elsewhere? */
static bool has_number(const nh_graph *g, nh_expr e)
{
    nh_expr rest;
    return nh_get(g, e).op == NH_MUL && !nh_number_is(nh_split_factor(g, e, &rest), 1);
}

static bool goes_on(const nh_graph *g, nh_expr e)
{
    return is_product(nh_get(g, e).op) && !has_number(g, e);
}

/* a*b/c*d is ((a*b)/c)*d. */
static void factors_grouped(const nh_graph *g, nh_expr e, nh_operands *list)
{
    while (goes_on(g, e)) {
        nh_node n = nh_get(g, e);
        bool left = goes_on(g, n.a), right = goes_on(g, n.b);
        bool swap = n.op == NH_MUL && !left && (right || rank(g, n.a) > rank(g, n.b));
        add(list, swap ? n.a : n.b, n.op == NH_DIV);
        e = swap ? n.b : n.a;
    }
    if (!nh_is_number(g, e, 1))
        add(list, e, false);
    reverse(list);
}

/* In LaTeX, functions follow what could be taken for their argument. */
static int latex_rank(const nh_graph *g, nh_expr e)
{
    nh_node n = nh_get(g, e);
    if (n.op == NH_POWER)
        n = nh_get(g, n.a);
    bool function = n.op == NH_CALL && n.function != NH_F_sqrt && n.function != NH_F_exp && n.function != NH_F_abs;
    int r = fine_rank(g, e);
    return r == 7 ? 20 : function ? 10 + r : r;
}

static void factors_flat(const nh_graph *g, nh_expr e, nh_operands *list, bool latex)
{
    nh_operands stack = {0};
    add(&stack, e, false);
    while (stack.count && !list->failed && !stack.failed) {
        nh_operand_of top = stack.item[--stack.count];
        nh_node n = nh_get(g, top.e);
        if (goes_on(g, top.e) && list->count < 256) {
            add(&stack, n.b, top.divides != (n.op == NH_DIV));
            add(&stack, n.a, top.divides);
        } else if (!nh_is_number(g, top.e, 1)) {
            add(list, top.e, top.divides);
        }
    }
    list->failed |= stack.failed;
    free(stack.item);
    sort(g, list, latex ? latex_rank : fine_rank);
}

nh_operands nh_factors_of(const nh_printer *p, nh_expr e)
{
    nh_operands list = {0};
    if (e && p->spelling.flat)
        factors_flat(p->g, e, &list, p->spelling.latex);
    else if (e)
        factors_grouped(p->g, e, &list);
    return list;
}
