/* SPDX-License-Identifier: MIT */
/* Decides what is known in an item, and takes out what it then declares for nothing. */
#include "export/trim_parts.h"

#include <string.h>

static int count_uses(const nh_ctokens *t, int name, int from, int to)
{
    int uses = 0, before = from;
    for (int i = nh_ctokens_next(t, from, to); i < to; before = i, i = nh_ctokens_next(t, i + 1, to)) {
        const bool is_member = nh_ctoken_is(&t->item[before], "->") || nh_ctoken_is(&t->item[before], ".");
        uses += !is_member && nh_ctoken_same(&t->item[i], &t->item[name]);
    }
    return uses;
}

/* The name that a statement declares, [const] T x = …, alone and with a value that costs nothing; -1: none. */
static int declared_at(const nh_trim *trim, int at, int end)
{
    const nh_ctokens *t = &trim->tokens;
    const int type = nh_ctoken_is(&t->item[at], "const") ? nh_ctokens_next(t, at + 1, end) : at;
    const int name = nh_ctokens_next(t, type + 1, end), equals = nh_ctokens_next(t, name + 1, end);
    if (equals >= end || t->item[type].kind != NH_CTOKEN_NAME || t->item[name].kind != NH_CTOKEN_NAME ||
        !nh_ctoken_is(&t->item[equals], "="))
        return -1;
    for (int i = equals; i < end && !nh_ctoken_is(&t->item[i], ";"); i = nh_ctokens_next(t, i + 1, end)) {
        const int next = nh_ctokens_next(t, i + 1, end);
        const bool is_call = t->item[i].kind == NH_CTOKEN_NAME && next < end && nh_ctoken_is(&t->item[next], "(");
        if (nh_ctoken_is(&t->item[i], ",") || nh_ctoken_is(&t->item[i], "{") ||
            (is_call && !nh_ctoken_is(&t->item[i], trim->setting.pure)))
            return -1;
    }
    return name;
}

/* A declaration of what is no longer used goes, with its line; false: there is none. */
static bool drop_unused(nh_trim *trim, const nh_trim_item *it)
{
    nh_ctokens *t = &trim->tokens;
    for (int i = it->begin; i < it->to; i = nh_ctokens_next(t, i + 1, it->to)) {
        const int name = t->item[i].kind == NH_CTOKEN_NAME ? declared_at(trim, i, it->to) : -1;
        if (name < 0 || count_uses(t, name, it->begin, it->to) != 1)
            continue;
        int end = name;
        while (!nh_ctoken_is(&t->item[end], ";"))
            end++;
        while (end < it->to && (t->item[end].dropped || t->item[end].kind != NH_CTOKEN_NEWLINE))
            end++;
        nh_ctokens_drop(t, t->item[i - 1].kind == NH_CTOKEN_BLANK ? i - 1 : i, end + 1);
        return true;
    }
    return false;
}

/* A parameter that is used no more is said to be so. */
static void excuse_parameters(nh_ctokens *t, const nh_trim_item *it)
{
    const int open = nh_ctokens_next(t, it->name + 1, it->to), close = nh_ctokens_close(t, open, it->to);
    const int body = nh_ctokens_next(t, close, it->to);
    for (int i = open + 1; i < close; i++) {
        const int next = nh_ctokens_next(t, i + 1, close);
        const bool last =
            nh_ctoken_is(&t->item[next], ",") || nh_ctoken_is(&t->item[next], ")") || nh_ctoken_is(&t->item[next], "[");
        if (t->item[i].dropped || t->item[i].kind != NH_CTOKEN_NAME || !last || nh_ctoken_is(&t->item[i], "void"))
            continue;
        if (count_uses(t, i, body, it->to) == 0)
            nh_ctoken_set(t, body, "%.*s\n    (void)%.*s;", t->item[body].length, t->item[body].text, t->item[i].length,
                          t->item[i].text);
    }
}

/* The first variable that a statement which begins here declares, with a value ([const] T x = …, T *x = …); -1: none.
 */
static int first_variable(const nh_ctokens *t, int at, int end)
{
    const int before = nh_ctokens_before(t, at);
    const nh_ctoken *last = before < 0 ? NULL : &t->item[before]; /* with what was put behind it, if anything */
    const bool begins = last && last->kind == NH_CTOKEN_MARK && strchr(";{}", last->text[last->length - 1]);
    const int type = nh_ctoken_is(&t->item[at], "const") ? nh_ctokens_next(t, at + 1, end) : at;
    int name = nh_ctokens_next(t, type + 1, end);
    while (name < end && nh_ctoken_is(&t->item[name], "*"))
        name = nh_ctokens_next(t, name + 1, end);
    const int equals = nh_ctokens_next(t, name + 1, end);
    const bool declares = begins && equals < end && t->item[type].kind == NH_CTOKEN_NAME &&
                          t->item[name].kind == NH_CTOKEN_NAME && nh_ctoken_is(&t->item[equals], "=");
    return declares ? name : -1;
}

/* The next variable of the same statement, or its end, a semicolon. */
static int next_variable(const nh_ctokens *t, int at, int end)
{
    while (at < end && !nh_ctoken_is(&t->item[at], ",") && !nh_ctoken_is(&t->item[at], ";")) {
        const bool opens =
            nh_ctoken_is(&t->item[at], "(") || nh_ctoken_is(&t->item[at], "[") || nh_ctoken_is(&t->item[at], "{");
        at = nh_ctokens_next(t, opens ? nh_ctokens_close(t, at, end) : at + 1, end);
    }
    while (at < end && (nh_ctoken_is(&t->item[at], ",") || nh_ctoken_is(&t->item[at], "*")))
        at = nh_ctokens_next(t, at + 1, end);
    return at;
}

/* So is a variable that could not go: its declaration has others beside it, or calls a function. */
static void excuse_variables(nh_ctokens *t, const nh_trim_item *it)
{
    for (int i = it->begin; i < it->to; i = nh_ctokens_next(t, i + 1, it->to)) {
        int name = first_variable(t, i, it->to), end = name;
        while (end >= 0 && end < it->to && !nh_ctoken_is(&t->item[end], ";"))
            end = next_variable(t, end, it->to);
        for (; name >= 0 && name < end && end < it->to; name = next_variable(t, name, it->to))
            if (count_uses(t, name, it->begin, it->to) == 1)
                nh_ctoken_set(t, end, "%.*s (void)%.*s;", t->item[end].length, t->item[end].text, t->item[name].length,
                              t->item[name].text);
    }
}

static bool has_sizes(const nh_trim *trim, const nh_trim_item *it)
{
    for (int i = it->begin; i < it->to; i++)
        if (!trim->tokens.item[i].dropped && nh_ctoken_is(&trim->tokens.item[i], trim->setting.sizes))
            return it->kind == NH_TRIM_FUNCTION;
    return false;
}

void nh_trim_fold(nh_trim *trim, const nh_trim_item *it)
{
    nh_facts *facts = &trim->facts;
    const int before = facts->count;
    if (it->kind == NH_TRIM_HEADING || it->kind == NH_TRIM_ENUM)
        return;
    if (has_sizes(trim, it))
        for (int i = 0; i < trim->sizes.count; i++)
            nh_facts_add(facts, trim->sizes.item[i].name, trim->sizes.item[i].length, trim->sizes.item[i].value);
    nh_fold(&trim->tokens, facts, it->kind == NH_TRIM_FUNCTION ? trim->setting.nothing : NULL, it->begin, it->to);
    facts->count = before;
    while (it->kind == NH_TRIM_FUNCTION && drop_unused(trim, it))
        ;
    if (it->kind == NH_TRIM_FUNCTION) {
        excuse_parameters(&trim->tokens, it);
        excuse_variables(&trim->tokens, it);
    }
}
