/* SPDX-License-Identifier: MIT */
#include "export/fold.h"

#include <string.h>

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
    const nh_value_of value =
        is_nothing(t, nothing, then) ? (nh_value_of){true, 0} : nh_facts_evaluate(t, facts, open + 1, body - 1);
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
        const int before = nh_ctokens_before(t, at);
        const bool is_else = before >= 0 && nh_ctoken_is(&t->item[before], "else");
        drop_statement(t, is_else ? before : at, then_end);
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
    const nh_value_of start = nh_facts_evaluate(t, facts, equals + 1, first - 1);
    if (!start.known)
        return;
    nh_facts_add(facts, t->item[name].text, t->item[name].length, start.value);
    const nh_value_of runs = nh_facts_evaluate(t, facts, first, second - 1);
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
    const nh_value_of value = nh_facts_evaluate(t, facts, condition, at);
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
