/* SPDX-License-Identifier: MIT */
/* Variables, their subscripts, and names of loop indices such that subscripts look simple. */
#include "expr/printer.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static int64_t spelled_constant(nh_affine a, int64_t offset, const nh_spelling *s)
{
    int64_t constant = a.constant + offset;
    for (int i = 0; i < a.terms; i++)
        constant -= (int64_t)a.term[i].factor * s->index[a.term[i].index].lower;
    return constant;
}

/* 2*i+1: terms with a plus, the constant, terms with a minus; 5-i rather than -i+5. */
void nh_print_affine(nh_affine a, int64_t offset, const nh_spelling *s, nh_text *out)
{
    int64_t constant = spelled_constant(a, offset, s);
    int left = a.terms;
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < a.terms; i++) {
            int32_t factor = a.term[i].factor;
            if ((factor < 0) != (round == 1))
                continue;
            nh_text_add(out, "%s", factor < 0 ? "-" : left < a.terms ? "+" : "");
            if (factor != 1 && factor != -1)
                nh_text_add(out, "%lld%s", llabs((long long)factor), s->latex ? " " : "*");
            nh_text_add(out, "%s", s->index[a.term[i].index].name);
            left--;
        }
        bool alone = a.terms == 0;
        if (round == 0 ? constant > 0 || alone : constant < 0 && !alone)
            nh_text_add(out, left < a.terms ? "%+" PRId64 : "%" PRId64, constant);
    }
}

nh_level nh_index_level(nh_affine a, const nh_spelling *s)
{
    bool one = a.terms == 1 && spelled_constant(a, 0, s) == 0;
    return !one || a.term[0].factor < 0 ? NH_LEVEL_SUM : a.term[0].factor == 1 ? NH_LEVEL_ATOM : NH_LEVEL_PRODUCT;
}

/* The value of an affine function in some round of the loops. */
static int inside(nh_affine a, const nh_spelling *s)
{
    int64_t value = a.constant;
    for (int i = 0; i < a.terms; i++)
        value += (int64_t)a.term[i].factor * s->index[a.term[i].index].inside;
    return (int)value;
}

/* The space whose blocks name a space: velocities have the names of coordinates. */
static nh_space named_space(nh_space space)
{
    nh_space base = space >= NH_D_TIME && space <= NH_D_LAMBDA ? (nh_space)(space - NH_D_TIME) : space;
    return base == NH_V || base == NH_Q1 ? NH_Q : base;
}

static nh_block_name block_of(nh_space space, nh_affine component, const nh_spelling *s)
{
    nh_space base = named_space(space);
    nh_block_name block = {"t", false, 0};
    if (base != NH_TIME)
        block = s->block(s, base, inside(component, s));
    if (!block.name)
        block = (nh_block_name){"x", true, 0};
    return block;
}

void nh_print_variable(nh_space space, nh_affine component, const nh_spelling *s, nh_text *out)
{
    bool direction = space >= NH_D_TIME && space <= NH_D_LAMBDA, velocity = space == NH_V || space == NH_D_V;
    nh_block_name block = block_of(space, component, s);
    nh_text subscript = {0};
    if (block.indexed)
        nh_print_affine(component, block.shift, s, &subscript);
    nh_text_add(out, "%s", !direction ? "" : s->latex ? "\\delta " : "d_");
    if (s->latex) {
        nh_latex_name(block.name, velocity, nh_text_get(&subscript), out);
        nh_text_add(out, "%s", space == NH_Q1 ? "^{+}" : "");
    } else {
        nh_text_add(out, "%s%s", block.name, space == NH_Q1 ? "_next" : "");
        if (block.indexed)
            nh_text_add(out, "[%s]", nh_text_get(&subscript));
        nh_text_add(out, "%s", velocity ? "'" : "");
    }
    nh_text_drop(&subscript, out);
}

/* ---- Names of indices ---- */

enum { CHOICES = 8, SURE = 1000 };

typedef struct votes {
    int32_t lower[CHOICES];
    int count[CHOICES], used;
} votes;

static void vote(votes *v, int64_t lower, int weight)
{
    int i = 0;
    while (i < v->used && v->lower[i] != lower)
        i++;
    if (i == CHOICES)
        return;
    if (i == v->used)
        v->lower[v->used++] = (int32_t)lower;
    v->count[i] += weight;
}

/* A subscript idx + c looks best as i if i starts at c. */
static void vote_for(votes *v, const nh_spelling *s, int index, nh_space space, nh_affine a, bool number)
{
    bool alone = a.terms == 1 && a.term[0].index == index && a.term[0].factor == 1;
    if (!alone)
        return;
    nh_block_name block = number ? (nh_block_name){0} : block_of(space, a, s);
    if (number || block.indexed)
        vote(v, (int64_t)a.constant + block.shift, number ? SURE : 1);
}

static int32_t elected(const votes *v)
{
    int best = 0;
    for (int i = 1; i < v->used; i++)
        if (v->count[i] > v->count[best] || (v->count[i] == v->count[best] && v->lower[i] < v->lower[best]))
            best = i;
    return v->used ? v->lower[best] : 1;
}

static void vote_body(votes *v, const nh_graph *g, const nh_spelling *s, int index, nh_expr body)
{
    uint32_t length = 0;
    nh_expr *list = body ? nh_reachable(g, &body, 1, &length) : NULL;
    for (uint32_t i = 0; list && i < length; i++) {
        nh_node n = nh_get(g, list[i]);
        if (n.op == NH_VARIABLE || n.op == NH_INDEX)
            vote_for(v, s, index, (nh_space)n.space, nh_get_affine(g, list[i]), n.op == NH_INDEX);
    }
    free(list);
}

static void choose_name(const nh_spelling *s, int depth, char *name, size_t size)
{
    static const char letters[] = "ijklpqruvw";
    for (int i = 0; i < 100; i++) {
        int letter = i % 10, round = i / 10;
        snprintf(name, size, round ? "%c%d" : "%c", letters[letter], round);
        if (!s->taken(s, name) && depth-- == 0)
            return;
    }
}

/* Finds a round in which this loop runs: with outer indices at their first values, or their last. */
static void enter(nh_spelling *s, int index, nh_affine count)
{
    for (int i = 0; i < count.terms && inside(count, s) <= 0; i++) {
        nh_index_name *outer = &s->index[count.term[i].index];
        outer->inside = count.term[i].factor > 0 ? outer->last : 0;
    }
    s->index[index].inside = 0;
    s->index[index].last = inside(count, s) - 1;
}

static void open_loop(nh_spelling *s, int index, nh_affine count)
{
    choose_name(s, s->loops++, s->index[index].name, sizeof s->index[index].name);
    enter(s, index, count);
}

void nh_spelling_open(nh_spelling *s, const nh_graph *g, int index, nh_affine count, nh_expr e, nh_space space,
                      nh_affine component)
{
    votes v = {0};
    open_loop(s, index, count);
    vote_for(&v, s, index, space, component, false);
    if (!v.used)
        vote_body(&v, g, s, index, e);
    s->index[index].lower = elected(&v);
}

void nh_open_sum(nh_spelling *s, const nh_graph *g, nh_expr e)
{
    nh_node n = nh_get(g, e);
    votes v = {0};
    open_loop(s, n.index, nh_get_affine(g, e));
    vote_body(&v, g, s, n.index, n.a);
    s->index[n.index].lower = elected(&v);
}

void nh_print_range(int index, nh_affine count, const nh_spelling *s, nh_text *out)
{
    const nh_index_name *i = &s->index[index];
    nh_text_add(out, s->latex ? "%s = %d, \\dots, " : "%s = %d..", i->name, i->lower);
    nh_print_affine(count, (int64_t)i->lower - 1, s, out);
}
