/* SPDX-License-Identifier: MIT */
/* From the graph to the tape.
 *
 * A node is computed once, in the outermost loop where it can be: before a loop begins, everything in it that does not
 * vary with it is computed. Sums of many terms become balanced trees. What depends on parameters only becomes a
 * constant that function 0 computes once. Pieces with equal loops share them. */
#include "expr/lower.h"
#include "expr/store.h"

#include <stdlib.h>
#include <string.h>

static void append(nh_lowering *l, nh_list *s, nh_expr e)
{
    if (nh_grow(&s->item, &s->capacity, s->count + 1, sizeof *s->item))
        s->item[s->count++] = e;
    else
        l->failed = true;
}

/* --- lines and tables --- */

uint32_t nh_lower_line(nh_lowering *l, nh_line line)
{
    nh_tape *t = l->tape;
    line.depth = (uint8_t)l->depth;
    if (!nh_grow(&t->line, &t->capacity, t->lines + 1, sizeof *t->line)) {
        l->failed = true;
        return 0;
    }
    t->line[t->lines] = line;
    return t->lines++;
}

static nh_operand compute(nh_lowering *l, nh_tape_op op, nh_operand a, nh_operand b)
{
    uint32_t value = l->tape->values++;
    nh_lower_line(l, (nh_line){.op = (uint8_t)op, .value = value, .a = a, .b = b});
    return nh_operand_make(NH_O_VALUE, value);
}

uint32_t nh_lower_affine(nh_lowering *l, nh_affine a)
{
    nh_program *p = l->p;
    nh_affine in_counters = nh_affine_constant(a.constant), sum;
    for (int i = 0; i < a.terms; i++) {
        nh_affine term;
        bool good = nh_affine_scale(nh_affine_index(l->counter[a.term[i].index]), a.term[i].factor, &term) &&
                    nh_affine_add(in_counters, term, &sum);
        if (good)
            in_counters = sum;
    }
    if (!nh_grow(&p->affine, &p->affine_capacity, p->affines + 1, sizeof *p->affine)) {
        l->failed = true;
        return 0;
    }
    p->affine[p->affines] = in_counters;
    return p->affines++;
}

static uint32_t add_reference(nh_lowering *l, nh_space space, nh_affine component, bool constants)
{
    nh_program *p = l->p;
    uint32_t affine = nh_lower_affine(l, component);
    if (l->failed || !nh_grow(&p->reference, &p->reference_capacity, p->references + 1, sizeof *p->reference)) {
        l->failed = true;
        return 0;
    }
    p->affines--; /* it moves into the reference */
    p->reference[p->references] = (nh_reference){space, constants, p->affine[affine]};
    return p->references++;
}

/* The operand of a node that is a number or pi. */
static nh_operand literal(nh_lowering *l, nh_expr e)
{
    nh_program *p = l->p;
    uint32_t known = nh_map_get(&l->literal, e);
    if (known)
        return nh_operand_make(NH_O_LITERAL, known - 1);
    nh_literal x = {.pi = nh_get(l->g, e).op == NH_PI};
    if (!x.pi)
        x.number = nh_get_number(l->g, e);
    if (!x.pi && !nh_number_is_rational(x.number))
        x.number.decimal = nh_arena_text(&p->arena, x.number.decimal, strlen(x.number.decimal));
    if (!nh_grow(&p->literal, &p->literal_capacity, p->literals + 1, sizeof x)) {
        l->failed = true;
        return 0;
    }
    p->literal[p->literals++] = x;
    nh_map_set(&l->literal, e, p->literals);
    return nh_operand_make(NH_O_LITERAL, p->literals - 1);
}

/* --- what a node needs --- */

static bool is_leaf(nh_node n)
{
    return n.op == NH_NUMBER || n.op == NH_PI || n.op == NH_VARIABLE || n.op == NH_INDEX;
}

/* Depends on parameters only and is worth computing once. */
static bool is_constant(const nh_lowering *l, nh_node n)
{
    return !l->making_constants && !is_leaf(n) && n.free == 0 && (n.spaces & ~(1u << NH_PARAMETER)) == 0;
}

/* Is this sum a part of the longer sum that uses it? Not among constants: their users are those of all functions, and
 * no function's bits may depend on another one. */
static bool is_part(const nh_lowering *l, nh_expr e, uint64_t free_bits)
{
    nh_node n = nh_get(l->g, e);
    return n.op == NH_ADD && !l->making_constants && nh_map_get(&l->uses, e) <= 1 && n.free == free_bits &&
           !is_constant(l, n);
}

/* Terms of a sum: through inner sums that nothing else uses. minus[i]: the term is subtracted. */
static void flatten(nh_lowering *l, nh_expr e, nh_list *terms, nh_list *minus)
{
    nh_list stack = {0};
    uint64_t free_bits = nh_get(l->g, e).free;
    append(l, &stack, e);
    while (stack.count && !l->failed) {
        nh_expr x = stack.item[--stack.count];
        nh_node n = nh_get(l->g, x);
        if (x == e || is_part(l, x, free_bits)) {
            if (x != e)
                nh_map_set(&l->absorbed, x, 1);
            append(l, &stack, n.b);
            append(l, &stack, n.a);
            continue;
        }
        nh_expr rest;
        nh_number factor = nh_factor(l->g, x, &rest);
        bool negative = n.op != NH_NUMBER && nh_number_is_rational(factor) && factor.num < 0;
        append(l, terms, negative ? nh_neg(l->g, x) : x);
        append(l, minus, negative);
    }
    free(stack.item);
}

/* The nodes whose values line(s) for e use. Loops need nothing beforehand but what does not vary with them. */
static void needs(nh_lowering *l, nh_expr e, nh_list *out)
{
    nh_graph *g = l->g;
    nh_node n = nh_get(g, e);
    nh_expr rest;
    if (n.op == NH_ADD) {
        nh_list minus = {0};
        flatten(l, e, out, &minus);
        free(minus.item);
    } else if (n.op == NH_MUL && !nh_number_is(nh_factor(g, e, &rest), 1)) {
        nh_node r = nh_get(g, rest);
        append(l, out, r.op == NH_DIV && nh_is_number(g, r.a, 1) ? r.b : rest); /* c·(1/x) is c/x */
    } else if (n.op == NH_POWER) {
        append(l, out, n.exponent % 2 ? n.a : nh_power(g, n.a, n.exponent / 2));
        if (n.exponent % 2)
            append(l, out, nh_power(g, n.a, n.exponent - 1));
    } else if (n.op != NH_SUM && n.op != NH_PROD) {
        if (n.a)
            append(l, out, n.a);
        if (n.b)
            append(l, out, n.b);
    }
}

/* --- emitting --- */

static void define(nh_lowering *l, nh_expr e, nh_operand o)
{
    nh_map_set(&l->value, e, o + 1);
    append(l, &l->defined, e);
}

static nh_operand leaf(nh_lowering *l, nh_expr e)
{
    nh_graph *g = l->g;
    nh_node n = nh_get(g, e);
    switch ((nh_op)n.op) {
    case NH_NUMBER:
    case NH_PI:
        return literal(l, e);
    case NH_INDEX:
        return compute(l, NH_T_INDEX, 0, nh_lower_affine(l, nh_get_affine(g, e)));
    default: {
        nh_affine component = nh_get_affine(g, e);
        bool constants = n.space == NH_PARAMETER && !l->making_constants;
        if (constants && component.terms == 0)
            return nh_operand_make(NH_O_CONSTANT, (uint32_t)component.constant);
        uint32_t r = add_reference(l, n.space, component, constants);
        return component.terms ? compute(l, NH_T_LOAD, 0, r) : nh_operand_make(NH_O_INPUT, r);
    }
    }
}

static nh_operand constant(nh_lowering *l, nh_expr e)
{
    uint32_t known = nh_map_get(&l->constant, e);
    if (!known) {
        append(l, &l->constants, e);
        known = (uint32_t)l->p->parameters + (uint32_t)l->constants.count;
        nh_map_set(&l->constant, e, known);
    }
    return nh_operand_make(NH_O_CONSTANT, known - 1);
}

/* The operand of a node that has been computed, is a leaf, or is a constant. */
static nh_operand operand(nh_lowering *l, nh_expr e)
{
    uint32_t known = nh_map_get(&l->value, e);
    if (known)
        return known - 1;
    nh_node n = nh_get(l->g, e);
    if (is_constant(l, n))
        return constant(l, e);
    if (!is_leaf(n)) {
        l->failed = true; /* cannot happen: needs() was computed first */
        return 0;
    }
    nh_operand o = leaf(l, e);
    define(l, e, o);
    return o;
}

/* The sum of signed terms as a balanced tree, in place. */
static nh_operand add_up(nh_lowering *l, nh_operand *term, uint32_t *minus, size_t count)
{
    for (; count > 1; count = (count + 1) / 2)
        for (size_t i = 0; i < (count + 1) / 2; i++) {
            nh_operand a = term[2 * i];
            bool negative = minus[2 * i];
            if (2 * i + 1 < count) {
                nh_operand b = term[2 * i + 1];
                bool other = minus[2 * i + 1];
                a = negative == other ? compute(l, NH_T_ADD, a, b)
                    : negative        ? compute(l, NH_T_SUB, b, a)
                                      : compute(l, NH_T_SUB, a, b);
                negative = negative && other;
            }
            term[i] = a;
            minus[i] = negative;
        }
    return minus[0] ? compute(l, NH_T_NEG, term[0], 0) : term[0];
}

static nh_operand emit_sum(nh_lowering *l, nh_expr e)
{
    nh_list terms = {0}, minus = {0};
    flatten(l, e, &terms, &minus);
    for (size_t i = 0; i < terms.count; i++)
        terms.item[i] = operand(l, terms.item[i]);
    bool good = !l->failed && terms.item && minus.item;
    nh_operand result = good ? add_up(l, terms.item, minus.item, terms.count) : 0;
    free(terms.item);
    free(minus.item);
    return result;
}

static nh_operand emit_product(nh_lowering *l, nh_expr e)
{
    nh_graph *g = l->g;
    nh_node n = nh_get(g, e);
    nh_expr rest;
    nh_number factor = nh_factor(g, e, &rest);
    if (nh_number_is(factor, 1))
        return compute(l, NH_T_MUL, operand(l, n.a), operand(l, n.b));
    nh_node r = nh_get(g, rest);
    if (r.op == NH_DIV && nh_is_number(g, r.a, 1))
        return compute(l, NH_T_DIV, literal(l, nh_constant(g, factor)), operand(l, r.b));
    if (nh_number_is(factor, -1))
        return compute(l, NH_T_NEG, operand(l, rest), 0);
    return compute(l, NH_T_MUL, literal(l, nh_constant(g, factor)), operand(l, rest));
}

static nh_operand emit_power(nh_lowering *l, nh_node n)
{
    nh_graph *g = l->g;
    nh_operand a = operand(l, n.exponent % 2 ? n.a : nh_power(g, n.a, n.exponent / 2));
    return compute(l, NH_T_MUL, a, n.exponent % 2 ? operand(l, nh_power(g, n.a, n.exponent - 1)) : a);
}

static nh_operand emit_call(nh_lowering *l, nh_node n)
{
    static const uint8_t direct[NH_FUNCTIONS] = {
        [NH_F_sqrt] = NH_T_SQRT, [NH_F_abs] = NH_T_ABS, [NH_F_sign] = NH_T_SIGN,
        [NH_F_min] = NH_T_MIN,   [NH_F_max] = NH_T_MAX, [NH_F_less] = NH_T_LESS,
    };
    nh_operand a = operand(l, n.a), b = n.b ? operand(l, n.b) : 0;
    if (direct[n.function])
        return compute(l, direct[n.function], a, b);
    nh_operand o = compute(l, n.b ? NH_T_CALL2 : NH_T_CALL1, a, b);
    if (!l->failed)
        l->tape->line[l->tape->lines - 1].function = n.function;
    return o;
}

/* --- loops --- */

void nh_lower_hoist(nh_lowering *l, const nh_expr *roots, uint32_t count)
{
    uint32_t length;
    nh_expr *nodes = nh_reachable(l->g, roots, count, &length);
    nh_list wanted = {0};
    for (uint32_t i = 0; i < count; i++)
        append(l, &wanted, roots[i]);
    for (uint32_t i = nodes ? length : 0; i-- > 0;) /* users first: they absorb inner sums */
        if ((nh_get(l->g, nodes[i]).free & ~l->open) && !nh_map_get(&l->absorbed, nodes[i]))
            needs(l, nodes[i], &wanted); /* it varies with this loop or one inside it */
    for (size_t i = 0; i < wanted.count && !l->failed; i++) {
        nh_node n = nh_get(l->g, wanted.item[i]);
        if (!(n.free & ~l->open) && !is_constant(l, n))
            nh_lower_node(l, wanted.item[i]);
    }
    l->failed |= !nodes;
    free(nodes);
    free(wanted.item);
}

uint32_t nh_lower_begin(nh_lowering *l, int index, nh_affine count)
{
    uint32_t affine = nh_lower_affine(l, count), at;
    at = nh_lower_line(l, (nh_line){.op = NH_T_LOOP, .slot = (uint8_t)l->depth, .a = affine});
    l->counter[index] = l->depth++;
    l->open |= UINT64_C(1) << index;
    return at;
}

void nh_lower_end(nh_lowering *l, int index, uint32_t begin, size_t defined)
{
    while (l->defined.count > defined)
        nh_map_set(&l->value, l->defined.item[--l->defined.count], 0);
    l->open &= ~(UINT64_C(1) << index);
    l->depth--;
    uint32_t end = nh_lower_line(l, (nh_line){.op = NH_T_END, .slot = (uint8_t)l->depth, .b = begin});
    if (!l->failed)
        l->tape->line[begin].b = end;
}

static nh_operand emit_loop(nh_lowering *l, nh_expr e)
{
    nh_node n = nh_get(l->g, e);
    uint8_t kind = n.op == NH_PROD;
    if (l->depth >= NH_MAX_NEST) {
        l->failed = true;
        return nh_graph_limit(l->g, "sums and products are nested too deep");
    }
    nh_lower_hoist(l, &n.a, 1);
    uint32_t parts = l->tape->values;
    l->tape->values += 4;
    nh_lower_line(l, (nh_line){.op = NH_T_START, .function = kind, .value = parts});
    size_t defined = l->defined.count;
    uint32_t begin = nh_lower_begin(l, n.index, nh_get_affine(l->g, e));
    nh_operand body = nh_lower_node(l, n.a);
    nh_lower_line(
        l, (nh_line){.op = NH_T_PART, .function = kind, .slot = (uint8_t)(l->depth - 1), .value = parts, .a = body});
    nh_lower_end(l, n.index, begin, defined);
    nh_operand total = compute(l, NH_T_TOTAL, parts, 0);
    if (!l->failed)
        l->tape->line[l->tape->lines - 1].function = kind;
    bool may_be_empty = nh_get_affine(l->g, e).terms > 0;
    if (n.op == NH_SUM && may_be_empty) /* an empty sum is 0, not the -0 that partial sums start from */
        total = compute(l, NH_T_ADD, total, literal(l, nh_integer(l->g, 0)));
    return total;
}

static nh_operand emit(nh_lowering *l, nh_expr e)
{
    nh_node n = nh_get(l->g, e);
    switch ((nh_op)n.op) {
    case NH_ADD:
        return emit_sum(l, e);
    case NH_MUL:
        return emit_product(l, e);
    case NH_DIV:
        return compute(l, NH_T_DIV, operand(l, n.a), operand(l, n.b));
    case NH_POWER:
        return emit_power(l, n);
    case NH_CALL:
        return emit_call(l, n);
    case NH_SUM:
    case NH_PROD:
        return emit_loop(l, e);
    default:
        return leaf(l, e);
    }
}

/* Computes a node and all that it needs, operands first; an explicit stack, so that depth is no limit. */
nh_operand nh_lower_node(nh_lowering *l, nh_expr root)
{
    nh_list stack = {0}, operands = {0};
    nh_map entered = {0};
    append(l, &stack, root);
    while (stack.count && !l->failed && !entered.failed && !l->value.failed) {
        nh_expr e = stack.item[stack.count - 1];
        nh_node n = nh_get(l->g, e);
        if (nh_map_get(&l->value, e) || is_leaf(n) || is_constant(l, n)) {
            stack.count--;
        } else if (!nh_map_get(&entered, e)) {
            nh_map_set(&entered, e, 1);
            operands.count = 0;
            needs(l, e, &operands);
            for (size_t i = operands.count; i-- > 0;)
                append(l, &stack, operands.item[i]);
        } else {
            stack.count--;
            define(l, e, emit(l, e));
        }
    }
    l->failed |= entered.failed || l->value.failed || nh_graph_status(l->g, NULL) != NH_OK;
    nh_map_free(&entered);
    free(stack.item);
    free(operands.item);
    return l->failed ? 0 : operand(l, root);
}
