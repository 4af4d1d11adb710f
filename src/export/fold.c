/* SPDX-License-Identifier: MIT */
#include "export/fold.h"

#include <stdlib.h>
#include <string.h>

/* ---- Facts ---- */

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

/* ---- Conditions ---- */

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

static long apply(int operation, long a, long b)
{
    switch (operation) {
    case 0:
        return a * b;
    case 1:
        return b ? a / b : 0;
    case 2:
        return b ? a % b : 0;
    case 3:
        return a + b;
    case 4:
        return a - b;
    case 5:
        return a <= b;
    case 6:
        return a >= b;
    case 7:
        return a < b;
    case 8:
        return a > b;
    case 9:
        return a == b;
    default:
        return a != b;
    }
}

/* Operators of two numbers by level: the tightest first. */
static nh_value_of read_level(reader *r, int level)
{
    static const char *const mark[] = {"*", "/", "%", "+", "-", "<=", ">=", "<", ">", "==", "!="};
    static const int first[] = {0, 3, 5, 9, 11};
    if (level < 0)
        return read_unary(r);
    nh_value_of value = read_level(r, level - 1);
    for (int i = first[level]; i < first[level + 1];) {
        if (!accept(r, mark[i])) {
            i++;
            continue;
        }
        const nh_value_of b = read_level(r, level - 1);
        value = value.known && b.known ? known(apply(i, value.value, b.value)) : unknown;
        i = first[level];
    }
    return value;
}

static nh_value_of read_and(reader *r)
{
    nh_value_of value = read_level(r, 3);
    while (accept(r, "&&")) {
        const nh_value_of b = read_level(r, 3);
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

nh_value_of nh_fold_evaluate(const nh_ctokens *t, const nh_facts *facts, int from, int to)
{
    reader r = {t, facts, nh_ctokens_next(t, from, to), to};
    const nh_value_of value = read_any(&r);
    return r.at == to ? value : unknown; /* an assignment, a mask, … */
}

/* ---- Statements ---- */

/* Behind the statement that begins at `at`. */
static int statement_end(const nh_ctokens *t, int at, int end)
{
    at = nh_ctokens_next(t, at, end);
    if (at >= end || nh_ctoken_is(&t->item[at], "{"))
        return nh_ctokens_close(t, at, end);
    const bool is_if = nh_ctoken_is(&t->item[at], "if");
    if (is_if || nh_ctoken_is(&t->item[at], "for") || nh_ctoken_is(&t->item[at], "while")) {
        at = statement_end(t, nh_ctokens_close(t, nh_ctokens_next(t, at + 1, end), end), end);
        const int next = nh_ctokens_next(t, at, end);
        return is_if && next < end && nh_ctoken_is(&t->item[next], "else") ? statement_end(t, next + 1, end) : at;
    }
    while (at < end && !nh_ctoken_is(&t->item[at], ";"))
        at = strchr("([{", t->item[at].text[0]) ? nh_ctokens_close(t, at, end) : at + 1;
    return at < end ? at + 1 : end;
}

/* Where the loop or the condition begins whose only statement begins at `at`; `at` itself if there is none. */
static int head_of(const nh_ctokens *t, int at)
{
    int open = nh_ctokens_before(t, at), depth = 0;
    if (open < 0 || !nh_ctoken_is(&t->item[open], ")"))
        return at;
    for (; open >= 0; open = nh_ctokens_before(t, open)) {
        depth += nh_ctoken_is(&t->item[open], ")") ? 1 : nh_ctoken_is(&t->item[open], "(") ? -1 : 0;
        if (depth == 0)
            break;
    }
    const int word = nh_ctokens_before(t, open);
    return word >= 0 && (nh_ctoken_is(&t->item[word], "for") || nh_ctoken_is(&t->item[word], "if")) ? word : at;
}

/* The statement with its own line, blanks and the newline before, and with loops around it that do nothing else. */
static void drop_statement(nh_ctokens *t, int from, int to)
{
    for (int head = head_of(t, from); head != from; head = head_of(t, from))
        from = head;
    nh_ctokens_drop(t, from, to);
    while (from > 0 && (t->item[from - 1].kind == NH_CTOKEN_BLANK || t->item[from - 1].dropped))
        t->item[--from].dropped = true;
    if (from > 0 && t->item[from - 1].kind == NH_CTOKEN_NEWLINE)
        t->item[from - 1].dropped = true;
}

/* Lines of a statement that is one level less deep. */
static void outdent(nh_ctokens *t, int from, int to)
{
    enum { LEVEL = 4 };
    for (int i = from; i < to; i++)
        if (t->item[i].kind == NH_CTOKEN_BLANK && i > 0 && t->item[i - 1].kind == NH_CTOKEN_NEWLINE &&
            t->item[i].length >= LEVEL) {
            t->item[i].text += LEVEL;
            t->item[i].length -= LEVEL;
        }
}

static bool is_declaration(const nh_ctokens *t, int at, int end)
{
    const int next = nh_ctokens_next(t, at + 1, end);
    return next < end && t->item[at].kind == NH_CTOKEN_NAME && !nh_ctoken_is(&t->item[at], "return") &&
           (t->item[next].kind == NH_CTOKEN_NAME || nh_ctoken_is(&t->item[next], "*"));
}

/* A statement that is no longer under a condition; the brackets of a block go where nothing is declared in it. */
static void keep_statement(nh_ctokens *t, int from, int to)
{
    if (!nh_ctoken_is(&t->item[from], "{")) {
        outdent(t, from, to);
        return;
    }
    for (int at = nh_ctokens_next(t, from + 1, to - 1); at < to - 1;
         at = nh_ctokens_next(t, statement_end(t, at, to - 1), to - 1))
        if (is_declaration(t, at, to - 1))
            return;
    outdent(t, from, to);
    nh_ctokens_drop(t, from, nh_ctokens_next(t, from + 1, to));
    int last = to - 1;
    while (last > from && !nh_ctoken_is(&t->item[last], "}"))
        last--;
    drop_statement(t, last, to);
}

/* Is the statement a call that does nothing? */
static bool is_nothing(const nh_ctokens *t, const char *nothing, int at)
{
    return nothing && nh_ctoken_is(&t->item[at], nothing);
}

/* The end of the block that `at` is in: what stands behind a return is never reached. */
static int block_end(const nh_ctokens *t, int at, int end)
{
    for (int next = nh_ctokens_next(t, at, end); next < end && !nh_ctoken_is(&t->item[next], "}");
         next = nh_ctokens_next(t, at, end))
        at = statement_end(t, next, end);
    return at;
}

static void fold_if(nh_ctokens *t, const nh_facts *facts, const char *nothing, int at, int end)
{
    const int open = nh_ctokens_next(t, at + 1, end), body = nh_ctokens_close(t, open, end);
    const int then = nh_ctokens_next(t, body, end), then_end = statement_end(t, then, end);
    const int mark = nh_ctokens_next(t, then_end, end);
    const bool has_else = mark < end && nh_ctoken_is(&t->item[mark], "else");
    const nh_value_of value = is_nothing(t, nothing, then) ? known(0) : nh_fold_evaluate(t, facts, open + 1, body - 1);
    if (!value.known)
        return;
    const int other = has_else ? nh_ctokens_next(t, mark + 1, end) : then_end;
    const int other_end = has_else ? statement_end(t, other, end) : then_end;
    if (value.value) {
        nh_ctokens_drop(t, then_end, nh_ctoken_is(&t->item[then], "return") ? block_end(t, then_end, end) : other_end);
        nh_ctokens_drop(t, at, then);
        keep_statement(t, then, then_end);
    } else if (has_else) {
        nh_ctokens_drop(t, at, other);
        keep_statement(t, other, other_end);
    } else {
        drop_statement(t, at, then_end);
    }
}

/* for (int i = A; …) that is over before it begins. */
static void fold_for(nh_ctokens *t, nh_facts *facts, int at, int end)
{
    const int open = nh_ctokens_next(t, at + 1, end), close = nh_ctokens_close(t, open, end);
    const int type = nh_ctokens_next(t, open + 1, close), name = nh_ctokens_next(t, type + 1, close);
    const int equals = nh_ctokens_next(t, name + 1, close);
    if (!nh_ctoken_is(&t->item[type], "int") || !nh_ctoken_is(&t->item[equals], "="))
        return;
    const int first = statement_end(t, equals, close), second = statement_end(t, first, close);
    const nh_value_of start = nh_fold_evaluate(t, facts, equals + 1, first - 1);
    if (!start.known)
        return;
    nh_facts_add(facts, t->item[name].text, t->item[name].length, start.value);
    const nh_value_of runs = nh_fold_evaluate(t, facts, first, second - 1);
    facts->count--;
    if (runs.known && !runs.value)
        drop_statement(t, at, statement_end(t, close, end));
}

static bool begins_expression(const nh_ctoken *token)
{
    static const char *const marks[] = {"(", "[", "{", ",", "=", "+=", "-=", "*=", "/=", "?", ":", "return", ";"};
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++)
        if (nh_ctoken_is(token, marks[i]))
            return true;
    return false;
}

/* From `at` to the token at the same depth that ends an operand of ?:. */
static int operand_end(const nh_ctokens *t, int at, int end)
{
    for (int inner = 0; at < end; at++) {
        const nh_ctoken *token = &t->item[at];
        if (token->dropped || token->kind != NH_CTOKEN_MARK)
            continue;
        if (strchr("([{", token->text[0]))
            at = nh_ctokens_close(t, at, end) - 1;
        else if (nh_ctoken_is(token, "?"))
            inner++;
        else if (strchr(")]},;", token->text[0]) || (nh_ctoken_is(token, ":") && inner-- == 0))
            break;
    }
    return at;
}

static void fold_choice(nh_ctokens *t, const nh_facts *facts, int from, int at, int end)
{
    int begin = nh_ctokens_before(t, at), depth = 0;
    for (; begin >= from; begin = nh_ctokens_before(t, begin)) {
        const nh_ctoken *token = &t->item[begin];
        if (depth == 0 && begins_expression(token))
            break;
        if (token->kind == NH_CTOKEN_MARK)
            depth += strchr(")]}", token->text[0]) ? 1 : strchr("([{", token->text[0]) ? -1 : 0;
    }
    const int condition = nh_ctokens_next(t, begin + 1, at);
    const nh_value_of value = nh_fold_evaluate(t, facts, condition, at);
    const int colon = operand_end(t, at + 1, end), stop = operand_end(t, colon + 1, end);
    if (!value.known)
        return;
    nh_ctokens_drop(t, condition, nh_ctokens_next(t, (value.value ? at : colon) + 1, end));
    if (value.value)
        nh_ctokens_drop(t, nh_ctokens_before(t, colon) + 1, stop);
}

void nh_fold(nh_ctokens *t, nh_facts *facts, const char *nothing, int from, int to)
{
    for (int i = from; i < to; i++) {
        const nh_ctoken *token = &t->item[i];
        if (token->dropped)
            continue;
        if (nh_ctoken_is(token, "if"))
            fold_if(t, facts, nothing, i, to);
        else if (nh_ctoken_is(token, "for"))
            fold_for(t, facts, i, to);
        else if (nh_ctoken_is(token, "?"))
            fold_choice(t, facts, from, i, to);
        else if (is_nothing(t, nothing, i))
            drop_statement(t, i, statement_end(t, i, to));
    }
}
