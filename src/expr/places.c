/* SPDX-License-Identifier: MIT */
/* Places for the values of a tape: linear scan over the lines. A value that is used inside a loop which began after it
 * was defined must live until that loop ends. A value that is stored, outside of loops, is computed in the output. */
#include "expr/tape.h"

#include <stdlib.h>
#include <string.h>

enum { NONE = UINT32_MAX };

typedef struct scan {
    const nh_program *p;
    nh_tape *tape;
    uint32_t *last;     /* value → last line that uses it */
    uint32_t *place;    /* value → encoded place */
    uint32_t *expiring; /* line → first value whose last use it is; chained by `next` */
    uint32_t *next;
    uint32_t *free_list, free_count, used;
} scan;

static bool uses_value(const nh_line *line, int which, uint32_t *value)
{
    nh_operand o = which ? line->b : line->a;
    *value = nh_operand_number(o);
    return which < nh_tape_operands(line->op) && nh_operand_kind_of(o) == NH_O_VALUE;
}

static bool defines(const nh_line *line)
{
    return line->op <= NH_T_INDEX || line->op == NH_T_TOTAL;
}

/* The end of the outermost loop around `line` that begins after line `defined`; `line` itself if there is none. */
static uint32_t life_end(const nh_tape *t, const uint32_t *around, uint32_t defined, uint32_t line)
{
    uint32_t end = line;
    for (uint32_t loop = around[line]; loop != NONE && loop > defined; loop = around[loop])
        end = t->line[loop].b;
    return end;
}

static void find_lives(scan *s, uint32_t *defined, uint32_t *around)
{
    nh_tape *t = s->tape;
    uint32_t loop = NONE;
    for (uint32_t i = 0; i < t->lines; i++) {
        nh_line *line = &t->line[i];
        around[i] = loop;
        if (line->op == NH_T_LOOP)
            loop = i;
        else if (line->op == NH_T_END)
            loop = around[line->b];
        uint32_t value;
        for (int k = 0; k < 2; k++)
            if (uses_value(line, k, &value)) {
                uint32_t end = life_end(t, around, defined[value], i);
                s->last[value] = end > s->last[value] ? end : s->last[value];
            }
        if (defines(line)) {
            defined[line->value] = i;
            s->last[line->value] = i;
        }
    }
    for (uint32_t i = 0; i < t->lines; i++)
        if (defines(&t->line[i])) {
            uint32_t value = t->line[i].value, at = s->last[value];
            s->next[value] = s->expiring[at];
            s->expiring[at] = value;
        }
}

/* A place in the output for what a line outside of loops stores, unless the output is added to later. */
static void use_output(scan *s)
{
    nh_tape *t = s->tape;
    for (uint32_t i = 0; i < t->lines; i++)
        if (t->line[i].op == NH_T_GAIN)
            return;
    for (uint32_t i = 0; i < t->lines; i++) {
        const nh_line *line = &t->line[i];
        uint32_t value;
        if (line->op != NH_T_STORE || line->depth || s->p->affine[line->b].terms || !uses_value(line, 0, &value))
            continue;
        if (s->place[value] == NONE)
            s->place[value] = nh_operand_make(NH_BASE_OUTPUT, (uint32_t)s->p->affine[line->b].constant);
    }
}

static uint32_t work_place(const scan *s, uint32_t number)
{
    return nh_operand_make(NH_BASE_WORK, s->p->literals + number);
}

static void take_place(scan *s, uint32_t value)
{
    if (s->place[value] == NONE)
        s->place[value] = work_place(s, s->free_count ? s->free_list[--s->free_count] : s->used++);
}

static void release(scan *s, uint32_t line)
{
    for (uint32_t v = s->expiring[line]; v != NONE; v = s->next[v])
        if (nh_operand_kind_of(s->place[v]) == NH_BASE_WORK)
            s->free_list[s->free_count++] = nh_operand_number(s->place[v]) - s->p->literals;
}

static uint32_t encode(const scan *s, nh_operand o)
{
    uint32_t number = nh_operand_number(o);
    switch (nh_operand_kind_of(o)) {
    case NH_O_VALUE:
        return s->place[number];
    case NH_O_LITERAL:
        return nh_operand_make(NH_BASE_WORK, number);
    case NH_O_CONSTANT:
        return nh_operand_make(NH_BASE_CONSTANT, number);
    default: {
        const nh_reference *r = &s->p->reference[number];
        return nh_operand_make(NH_BASE_INPUT + r->space, (uint32_t)r->component.constant);
    }
    }
}

static void encode_line(scan *s, uint32_t i)
{
    nh_line *line = &s->tape->code[i];
    *line = s->tape->line[i];
    switch ((nh_tape_op)line->op) {
    case NH_T_LOAD:
        line->a =
            s->p->reference[line->b].constants ? NH_BASE_CONSTANT : NH_BASE_INPUT + s->p->reference[line->b].space;
        break;
    case NH_T_STORE:
        line->a = encode(s, line->a);
        if (!s->p->affine[line->b].terms) { /* a fixed place: a copy */
            line->op = NH_T_COPY;
            line->value = nh_operand_make(NH_BASE_OUTPUT, (uint32_t)s->p->affine[line->b].constant);
        }
        break;
    case NH_T_GAIN:
    case NH_T_PART:
        line->a = encode(s, line->a);
        break;
    case NH_T_TOTAL:
        line->a = s->place[line->a];
        break;
    case NH_T_INDEX:
    case NH_T_FILL:
    case NH_T_LOOP:
    case NH_T_END:
    case NH_T_START:
        break;
    default:
        line->a = encode(s, line->a);
        line->b = nh_tape_operands(line->op) > 1 ? encode(s, line->b) : 0;
    }
}

/* The line before i computes a sum, difference or product, which nobody but line i wants, and negated: it does that,
 * too, and line i becomes an idle copy. */
static void negate_at_once(scan *s, uint32_t i)
{
    const nh_line *line = &s->tape->line[i], *before = line - 1;
    nh_line *code = &s->tape->code[i];
    uint32_t value;
    if (line->op != NH_T_NEG || i == 0 || before->op > NH_T_MUL || !uses_value(line, 0, &value) ||
        value != before->value || s->last[value] != i)
        return;
    code[-1].op = (uint8_t)(before->op - NH_T_ADD + NH_T_ADD_NEG);
    code[-1].value = code->value;
    code->op = NH_T_COPY;
    code->a = code->value;
}

static void assign(scan *s)
{
    nh_tape *t = s->tape;
    for (uint32_t i = 0; i < t->lines; i++) {
        uint32_t value = t->line[i].value;
        if (t->line[i].op == NH_T_START) { /* four places side by side, kept to the end */
            for (uint32_t k = 0; k < 4; k++)
                s->place[value + k] = work_place(s, s->used++);
        }
        encode_line(s, i);
        release(s, i); /* before its own place is taken: a result may overwrite an operand */
        if (defines(&t->line[i]))
            take_place(s, value);
        if (defines(&t->line[i]) || t->line[i].op == NH_T_START || t->line[i].op == NH_T_PART)
            t->code[i].value = s->place[value];
        negate_at_once(s, i);
    }
}

/* Drops copies of a place to itself, which stores of values in the output have become; loops keep pointing at each
 * other. */
static void drop_idle_copies(nh_tape *t, uint32_t *moved)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < t->lines; i++) {
        nh_line *line = &t->code[i];
        moved[i] = kept;
        bool idle = line->op == NH_T_COPY && line->a == line->value;
        if (line->op == NH_T_END) {
            line->b = moved[line->b];
            t->code[line->b].b = kept;
        }
        if (!idle)
            t->code[kept++] = *line;
    }
    t->codes = kept;
}

size_t nh_assign_places(const nh_program *p, nh_tape *t)
{
    size_t values = t->values + 1, lines = t->lines + 1;
    uint32_t *block = malloc((5 * values + 3 * lines) * sizeof *block);
    t->code = calloc(lines, sizeof *t->code);
    if (!block || !t->code) {
        free(block);
        return 0;
    }
    memset(block, 0xff, (5 * values + 3 * lines) * sizeof *block);
    scan s = {p, t, block, block + values, block + 5 * values, block + 2 * values, block + 3 * values, 0, 0};
    memset(s.last, 0, values * sizeof *s.last);
    find_lives(&s, block + 4 * values, block + 5 * values + lines);
    use_output(&s);
    assign(&s);
    drop_idle_copies(t, block + 5 * values + 2 * lines);
    free(block);
    return p->literals + s.used + 1;
}
