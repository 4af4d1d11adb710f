/* SPDX-License-Identifier: MIT */
#include "export/facts.h"

#include <stdlib.h>
#include <string.h>

void nh_facts_add(nh_facts *f, const char *name, int length, long value)
{
    if (!nh_grow(&f->item, &f->capacity, (size_t)f->count, sizeof *f->item))
        f->failed = true;
    else
        f->item[f->count++] = (nh_fact){name, length, value};
}

const nh_fact *nh_facts_find(const nh_facts *f, const nh_ctoken *name)
{
    for (int i = f->count - 1; i >= 0; i--)
        if (f->item[i].length == name->length && !memcmp(f->item[i].name, name->text, (size_t)name->length))
            return &f->item[i];
    return NULL;
}

void nh_facts_free(nh_facts *f)
{
    free(f->item);
    *f = (nh_facts){0};
}

/* ---- Expressions ---- */

typedef struct reader {
    const nh_ctokens *t;
    const nh_facts *facts;
    int at, end;
} reader;

static const nh_value_of unknown = {false, 0};

static nh_value_of known(long value)
{
    return (nh_value_of){true, value};
}

static const nh_ctoken *peek(const reader *r)
{
    static const nh_ctoken none = {NH_CTOKEN_MARK, "", 0, false};
    return r->at < r->end ? &r->t->item[r->at] : &none;
}

static void advance(reader *r)
{
    r->at = nh_ctokens_next(r->t, r->at + 1, r->end);
}

static bool accept(reader *r, const char *mark)
{
    if (!nh_ctoken_is(peek(r), mark))
        return false;
    advance(r);
    return true;
}

static nh_value_of read_any(reader *r);

static nh_value_of read_trait(reader *r)
{
    static const nh_ctoken traits = {NH_CTOKEN_NAME, "NH_TRAITS", 9, false};
    accept(r, "(");
    const nh_fact *all = nh_facts_find(r->facts, &traits), *one = nh_facts_find(r->facts, peek(r));
    advance(r);
    accept(r, ")");
    return all && one ? known((all->value & one->value) != 0) : unknown;
}

static nh_value_of read_name(reader *r)
{
    const nh_ctoken *name = peek(r);
    const nh_fact *fact = nh_facts_find(r->facts, name);
    advance(r);
    if (nh_ctoken_is(name, "NH_TRAIT"))
        return read_trait(r);
    if (nh_ctoken_is(name, "defined")) {
        const bool is = nh_facts_find(r->facts, peek(r)) != NULL;
        advance(r);
        return known(is);
    }
    return fact ? known(fact->value) : unknown;
}

static nh_value_of read_primary(reader *r)
{
    nh_value_of value = unknown;
    const nh_ctoken *token = peek(r);
    if (accept(r, "(")) {
        value = read_any(r);
        accept(r, ")");
    } else if (token->kind == NH_CTOKEN_NAME) {
        value = read_name(r);
    } else {
        if (token->kind == NH_CTOKEN_NUMBER && !memchr(token->text, '.', (size_t)token->length))
            value = known(strtol(token->text, NULL, 0));
        advance(r);
    }
    for (;;) { /* whatever is called, indexed or pointed at is not known, but for macros with one value */
        const bool is_call = nh_ctoken_is(peek(r), "(");
        if (is_call || nh_ctoken_is(peek(r), "[")) {
            r->at = nh_ctokens_next(r->t, nh_ctokens_close(r->t, r->at, r->end), r->end);
        } else if (accept(r, "->") || accept(r, ".")) {
            advance(r);
        } else {
            return value;
        }
        value = is_call ? value : unknown;
    }
}

static nh_value_of read_unary(reader *r)
{
    const bool not = accept(r, "!"), minus = !not &&accept(r, "-");
    nh_value_of value = not || minus ? read_unary(r) : read_primary(r);
    value.value = not ? !value.value : minus ? -value.value : value.value;
    return value;
}

/* Operators of two numbers, the tightest first. */
enum { TIMES, OVER, MODULO, PLUS, MINUS, AT_MOST, AT_LEAST, LESS, MORE, EQUAL, UNEQUAL, OPERATORS };
static const char *const operators[] = {"*", "/", "%", "+", "-", "<=", ">=", "<", ">", "==", "!="};
static const int levels[] = {TIMES, PLUS, AT_MOST, EQUAL, OPERATORS};
enum { LOOSEST = 3 };

static long apply(int operation, long a, long b)
{
    switch (operation) {
    case TIMES:
        return a * b;
    case OVER:
        return b ? a / b : 0;
    case MODULO:
        return b ? a % b : 0;
    case PLUS:
        return a + b;
    case MINUS:
        return a - b;
    case AT_MOST:
        return a <= b;
    case AT_LEAST:
        return a >= b;
    case LESS:
        return a < b;
    case MORE:
        return a > b;
    case EQUAL:
        return a == b;
    default:
        return a != b;
    }
}

static nh_value_of read_level(reader *r, int level)
{
    if (level < 0)
        return read_unary(r);
    nh_value_of value = read_level(r, level - 1);
    for (int i = levels[level]; i < levels[level + 1];) {
        if (!accept(r, operators[i])) {
            i++;
            continue;
        }
        const nh_value_of b = read_level(r, level - 1);
        value = value.known && b.known ? known(apply(i, value.value, b.value)) : unknown;
        i = levels[level];
    }
    return value;
}

static nh_value_of read_and(reader *r)
{
    nh_value_of value = read_level(r, LOOSEST);
    while (accept(r, "&&")) {
        const nh_value_of b = read_level(r, LOOSEST);
        if ((value.known && !value.value) || (b.known && !b.value))
            value = known(0);
        else
            value = value.known && b.known ? known(1) : unknown;
    }
    return value;
}

static nh_value_of read_any(reader *r)
{
    nh_value_of value = read_and(r);
    while (accept(r, "||")) {
        const nh_value_of b = read_and(r);
        if ((value.known && value.value) || (b.known && b.value))
            value = known(1);
        else
            value = value.known && b.known ? known(0) : unknown;
    }
    return value;
}

nh_value_of nh_facts_evaluate(const nh_ctokens *t, const nh_facts *facts, int from, int to)
{
    reader r = {t, facts, nh_ctokens_next(t, from, to), to};
    const nh_value_of value = read_any(&r);
    return r.at == to ? value : unknown; /* an assignment, a mask, … */
}
