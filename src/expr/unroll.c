/* SPDX-License-Identifier: MIT */
/* Short loops written out, for the interpreter alone: what costs there is the number of lines run, and a written-out
 * loop has no loads, no counters and no partial sums that stay empty. Same operations, same order: x + -0.0 is x. */
#include "expr/tape.h"

#include <stdlib.h>

enum { MOST_LINES = 512 /* of one loop nest, written out */, NONE = UINT32_MAX };

typedef struct unroller {
    nh_program *p;
    const nh_tape *in;
    nh_tape *out;
    uint32_t *operand; /* value of `in` → operand in `out`; NONE: a partial result that nothing has gone into */
    int64_t counter[NH_MAX_NEST];
    int kept[NH_MAX_NEST]; /* counter → its number in `out`; -1: written out */
    int depth;             /* of loops kept */
    bool failed;
} unroller;

static uint32_t add_line(unroller *u, nh_line line)
{
    line.depth = (uint8_t)u->depth;
    if (!nh_grow(&u->out->line, &u->out->capacity, u->out->lines + 1, sizeof line)) {
        u->failed = true;
        return 0;
    }
    u->out->line[u->out->lines] = line;
    return u->out->lines++;
}

static nh_operand compute(unroller *u, nh_line line)
{
    line.value = u->out->values++;
    add_line(u, line);
    return nh_operand_make(NH_O_VALUE, line.value);
}

static nh_operand map_operand(const unroller *u, nh_operand o)
{
    return nh_operand_kind_of(o) == NH_O_VALUE ? u->operand[nh_operand_number(o)] : o;
}

/* An affine function with the counters of written-out loops replaced by their values. */
static nh_affine evaluate(const unroller *u, nh_affine a)
{
    nh_affine result = nh_affine_constant(a.constant), term;
    for (int i = 0; i < a.terms; i++) {
        int c = a.term[i].index;
        term = u->kept[c] < 0 ? nh_affine_constant(u->counter[c]) : nh_affine_index(u->kept[c]);
        if (nh_affine_scale(term, a.term[i].factor, &term))
            nh_affine_add(result, term, &result);
    }
    return result;
}

static uint32_t new_affine(unroller *u, uint32_t row)
{
    nh_program *p = u->p;
    nh_affine a = evaluate(u, p->affine[row]);
    if (!nh_grow(&p->affine, &p->affine_capacity, p->affines + 1, sizeof a)) {
        u->failed = true;
        return 0;
    }
    p->affine[p->affines] = a;
    return p->affines++;
}

/* The largest value of a loop's count over the loops from counter `first` on, whose lengths are `length`; -1 if it
 * depends on a loop further out that is kept. */
static int64_t largest_count(const unroller *u, nh_affine count, int first, const int64_t *length)
{
    int64_t n = count.constant;
    for (int k = 0; k < count.terms; k++) {
        int c = count.term[k].index, factor = count.term[k].factor;
        if (c >= first)
            n += factor > 0 ? factor * (length[c] - 1) : 0;
        else if (u->kept[c] < 0)
            n += factor * u->counter[c];
        else
            return -1;
    }
    return n;
}

/* Lines that the loop nest at `loop` runs if it is written out; more than MOST_LINES if it cannot be. */
static int64_t cost(const unroller *u, uint32_t loop)
{
    const nh_line *line = u->in->line;
    int64_t lines = 0, scale[NH_MAX_NEST + 1] = {1}, length[NH_MAX_NEST];
    int level = 0;
    for (uint32_t i = loop; i <= line[loop].b; i++) {
        if (line[i].op == NH_T_LOOP) {
            int64_t n = largest_count(u, u->p->affine[line[i].a], line[loop].slot, length);
            if (n <= 0 || n > MOST_LINES || scale[level] * n > MOST_LINES)
                return INT64_MAX;
            length[line[i].slot] = n;
            scale[level + 1] = scale[level] * n;
            level++;
        } else if (line[i].op == NH_T_END) {
            level--;
        } else {
            lines += scale[level];
        }
    }
    return lines;
}

static nh_operand load(unroller *u, const nh_line *line)
{
    nh_program *p = u->p;
    nh_reference r = p->reference[line->b];
    r.component = evaluate(u, r.component);
    if (!r.component.terms && r.constants)
        return nh_operand_make(NH_O_CONSTANT, (uint32_t)r.component.constant);
    if (!nh_grow(&p->reference, &p->reference_capacity, p->references + 1, sizeof r)) {
        u->failed = true;
        return 0;
    }
    p->reference[p->references] = r;
    if (!r.component.terms)
        return nh_operand_make(NH_O_INPUT, p->references++);
    return compute(u, (nh_line){.op = NH_T_LOAD, .b = p->references++});
}

static nh_operand literal(unroller *u, int64_t value)
{
    nh_program *p = u->p;
    if (!nh_grow(&p->literal, &p->literal_capacity, p->literals + 1, sizeof *p->literal)) {
        u->failed = true;
        return 0;
    }
    p->literal[p->literals] = (nh_literal){.number = nh_number_integer(value)};
    return nh_operand_make(NH_O_LITERAL, p->literals++);
}

static nh_operand index_value(unroller *u, const nh_line *line)
{
    nh_affine a = evaluate(u, u->p->affine[line->b]);
    return a.terms ? compute(u, (nh_line){.op = NH_T_INDEX, .b = new_affine(u, line->b)}) : literal(u, a.constant);
}

/* Combines two partial results, either of which may be empty. */
static nh_operand join(unroller *u, uint8_t product, nh_operand a, nh_operand b)
{
    if (a == NONE || b == NONE)
        return a == NONE ? b : a;
    return compute(u, (nh_line){.op = product ? NH_T_MUL : NH_T_ADD, .a = a, .b = b});
}

/* The loop of the sum that begins at line i is kept: then so are its partial results. */
static bool sum_is_kept(const unroller *u, uint32_t start)
{
    return cost(u, start + 1) > MOST_LINES;
}

static void copy_line(unroller *u, uint32_t i)
{
    nh_line line = u->in->line[i];
    uint32_t old = line.value;
    switch ((nh_tape_op)line.op) {
    case NH_T_LOAD:
        u->operand[old] = load(u, &line);
        break;
    case NH_T_INDEX:
        u->operand[old] = index_value(u, &line);
        break;
    case NH_T_STORE:
    case NH_T_GAIN:
        line.a = map_operand(u, line.a);
        line.b = new_affine(u, line.b);
        add_line(u, line);
        break;
    case NH_T_FILL:
        add_line(u, line);
        break;
    case NH_T_START:
        for (uint32_t k = 0; k < 4; k++)
            u->operand[old + k] = sum_is_kept(u, i) ? nh_operand_make(NH_O_VALUE, u->out->values + k) : NONE;
        if (u->operand[old] != NONE) {
            line.value = u->out->values;
            u->out->values += 4;
            add_line(u, line);
        }
        break;
    case NH_T_PART:
        line.a = map_operand(u, line.a);
        if (u->kept[line.slot] < 0) {
            uint32_t *part = &u->operand[old + (u->counter[line.slot] & 3)];
            *part = join(u, line.function, *part, line.a);
        } else {
            line.value = nh_operand_number(u->operand[old]);
            line.slot = (uint8_t)u->kept[line.slot];
            add_line(u, line);
        }
        break;
    default: /* operations */
        line.a = map_operand(u, line.a);
        line.b = nh_tape_operands(line.op) > 1 ? map_operand(u, line.b) : 0;
        u->operand[old] = compute(u, line);
    }
}

static void copy_total(unroller *u, const nh_line *line, bool kept)
{
    nh_line copy = *line;
    const uint32_t *part = &u->operand[line->a];
    if (kept) {
        copy.a = nh_operand_number(part[0]);
        u->operand[line->value] = compute(u, copy);
        return;
    }
    nh_operand even = join(u, line->function, part[0], part[2]), odd = join(u, line->function, part[1], part[3]);
    u->operand[line->value] = join(u, line->function, even, odd);
}

/* Enters or skips a loop; returns the line to go on with. */
static uint32_t begin_loop(unroller *u, uint32_t i, uint32_t *begun)
{
    const nh_line *line = &u->in->line[i];
    u->counter[line->slot] = 0;
    if (cost(u, i) <= MOST_LINES) {
        u->kept[line->slot] = -1;
        nh_affine count = evaluate(u, u->p->affine[line->a]);
        return count.constant > 0 ? i + 1 : line->b + 1;
    }
    begun[line->slot] = add_line(u, (nh_line){.op = NH_T_LOOP, .slot = (uint8_t)u->depth, .a = new_affine(u, line->a)});
    u->kept[line->slot] = u->depth++;
    return i + 1;
}

static uint32_t end_loop(unroller *u, uint32_t i, const uint32_t *begun)
{
    const nh_line *line = &u->in->line[i];
    int slot = line->slot;
    if (u->kept[slot] < 0) {
        nh_affine count = evaluate(u, u->p->affine[u->in->line[line->b].a]);
        return ++u->counter[slot] < count.constant ? line->b + 1 : i + 1;
    }
    u->depth--;
    uint32_t end = add_line(u, (nh_line){.op = NH_T_END, .slot = (uint8_t)u->depth, .b = begun[slot]});
    if (!u->failed)
        u->out->line[begun[slot]].b = end;
    return i + 1;
}

bool nh_unroll(nh_program *p, const nh_tape *in, nh_tape *out)
{
    unroller u = {.p = p, .in = in, .out = out, .operand = malloc((in->values + 4) * sizeof *u.operand)};
    uint32_t begun[NH_MAX_NEST];
    u.failed = !u.operand;
    *out = (nh_tape){.outputs = in->outputs};
    for (uint32_t i = 0; i < in->lines && !u.failed;) {
        const nh_line *line = &in->line[i];
        if (line->op == NH_T_LOOP) {
            i = begin_loop(&u, i, begun);
        } else if (line->op == NH_T_END) {
            i = end_loop(&u, i, begun);
        } else {
            if (line->op == NH_T_TOTAL)
                copy_total(&u, line, u.kept[in->line[i - 1].slot] >= 0);
            else
                copy_line(&u, i);
            i++;
        }
    }
    free(u.operand);
    return !u.failed;
}
