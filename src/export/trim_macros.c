/* SPDX-License-Identifier: MIT */
/* The preprocessor's lines, and names that the setting replaces. */
#include "export/trim_parts.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const nh_replacement *replacement_of(const nh_trim *trim, const nh_ctoken *name)
{
    for (int k = 0; k < NH_REPLACEMENTS; k++)
        for (const nh_replacement *r = trim->setting.replace[k]; r && r->name; r++)
            if (nh_ctoken_is(name, r->name))
                return r;
    return NULL;
}

/* ---- The preprocessor's lines ---- */

/* #if and #else that are open: is what they hold taken, was a branch taken before? */
typedef struct branches {
    bool active[32], done[32];
    int depth;
} branches;

static bool is_active(const branches *b)
{
    for (int i = 0; i < b->depth; i++)
        if (!b->active[i])
            return false;
    return true;
}

static bool condition(const nh_trim *trim, int word, int end)
{
    const nh_ctokens *t = &trim->tokens;
    const int name = nh_ctokens_next(t, word + 1, end);
    if (nh_ctoken_is(&t->item[word], "ifdef"))
        return nh_facts_find(&trim->facts, &t->item[name]) != NULL;
    if (nh_ctoken_is(&t->item[word], "ifndef"))
        return nh_facts_find(&trim->facts, &t->item[name]) == NULL;
    return nh_facts_evaluate(t, &trim->facts, name, end).value != 0;
}

/* Opens, turns or closes a branch; false: the line is something else. */
static bool branch(nh_trim *trim, branches *b, int word, int end)
{
    const nh_ctoken *token = &trim->tokens.item[word];
    if (nh_ctoken_is(token, "endif")) {
        b->depth--;
    } else if (nh_ctoken_is(token, "else") || nh_ctoken_is(token, "elif")) {
        const int i = b->depth - 1;
        b->active[i] = !b->done[i] && (nh_ctoken_is(token, "else") || condition(trim, word, end));
        b->done[i] |= b->active[i];
    } else if (nh_ctoken_is(token, "if") || nh_ctoken_is(token, "ifdef") || nh_ctoken_is(token, "ifndef")) {
        const bool is = is_active(b) && condition(trim, word, end);
        b->active[b->depth] = b->done[b->depth] = is;
        b->depth++;
    } else {
        return false;
    }
    return true;
}

/* A macro that is another name, or an integer, is known from here on; one that is nothing is a guard. False: it is not
 * needed as a macro. */
static bool keep_macro(nh_trim *trim, int word, int end)
{
    const nh_ctokens *t = &trim->tokens;
    const int name = nh_ctokens_next(t, word + 1, end), body = nh_ctokens_next(t, name + 1, end);
    const bool alone = body < end && nh_ctokens_next(t, body + 1, end) >= end;
    if (body >= end || replacement_of(trim, &t->item[name]))
        return false;
    if (alone && t->item[body].kind == NH_CTOKEN_NAME) {
        nh_facts_add(&trim->aliases, t->item[name].text, t->item[name].length, body);
        return false;
    }
    if (alone && t->item[body].kind == NH_CTOKEN_NUMBER &&
        !memchr(t->item[body].text, '.', (size_t)t->item[body].length))
        nh_facts_add(&trim->facts, t->item[name].text, t->item[name].length, strtol(t->item[body].text, NULL, 0));
    return true;
}

/* Decides #if, and drops the lines that the setting has no use for. */
void nh_trim_preprocess(nh_trim *trim, int from)
{
    nh_ctokens *t = &trim->tokens;
    branches open = {0};
    int depth = 0;
    for (int i = from; i < t->count; i++) {
        if (!nh_ctokens_is_directive(t, i)) {
            t->item[i].dropped = !is_active(&open);
            if (!t->item[i].dropped && t->item[i].kind == NH_CTOKEN_MARK)
                depth += t->item[i].text[0] == '{' ? 1 : t->item[i].text[0] == '}' ? -1 : 0;
            continue;
        }
        const int end = nh_ctokens_line_end(t, i, t->count), word = nh_ctokens_next(t, i + 1, end);
        const bool branches_here = branch(trim, &open, word, end);
        const bool is_macro = nh_ctoken_is(&t->item[word], "define");
        const bool is_end_of_macro = depth > 0 && nh_ctoken_is(&t->item[word], "undef");
        if (branches_here || !is_active(&open) || (is_macro ? !keep_macro(trim, word, end) : !is_end_of_macro))
            nh_ctokens_drop(t, i, end);
        i = end - 1;
    }
}

/* ---- Names ---- */

/* NH_CALL(NH_F_FORCE, c, … becomes nh_model_force(c, … */
static void replace_call(nh_trim *trim, int at)
{
    static const char marker[] = "NH_F_";
    nh_ctokens *t = &trim->tokens;
    const int open = nh_ctokens_next(t, at + 1, t->count), name = nh_ctokens_next(t, open + 1, t->count);
    const int comma = nh_ctokens_next(t, name + 1, t->count), first = nh_ctokens_next(t, comma + 1, t->count);
    char function[64];
    int length = 0;
    for (int i = (int)strlen(marker); i < t->item[name].length && length < (int)sizeof function - 1; i++)
        function[length++] = (char)tolower((unsigned char)t->item[name].text[i]);
    nh_ctoken_set(t, at, "%s%.*s", trim->setting.call, length, function);
    nh_ctokens_drop(t, open + 1, first);
}

/* The name, a comma behind it, and blanks up to what follows. */
static void drop_name(nh_ctokens *t, int at)
{
    const int next = nh_ctokens_next(t, at + 1, t->count);
    const bool is_comma = next < t->count && nh_ctoken_is(&t->item[next], ",");
    nh_ctokens_drop(t, at, is_comma ? nh_ctokens_next(t, next + 1, t->count) : next);
}

static void replace_name(nh_trim *trim, int at)
{
    static const char model[] = "MODEL";
    nh_ctokens *t = &trim->tokens;
    const nh_fact *alias = nh_facts_find(&trim->aliases, &t->item[at]);
    if (alias) {
        t->item[at].text = t->item[alias->value].text;
        t->item[at].length = t->item[alias->value].length;
    }
    const nh_ctoken *token = &t->item[at];
    const nh_replacement *r = replacement_of(trim, token);
    const int stem = (int)strlen(model);
    if (nh_ctoken_is(token, "NH_CALL"))
        replace_call(trim, at);
    else if (r && *r->by)
        nh_ctoken_set(t, at, "%s", r->by);
    else if (r)
        drop_name(t, at);
    else if (token->length >= stem && !memcmp(token->text, model, (size_t)stem) &&
             (token->length == stem || token->text[stem] == '_'))
        nh_ctoken_set(t, at, "%s%.*s", trim->setting.prefix, token->length - stem, token->text + stem);
}

static bool is_floating(const nh_ctoken *number)
{
    const bool hexadecimal = number->length > 1 && number->text[1] == 'x';
    for (int i = 0; i < number->length; i++)
        if (number->text[i] == '.' || strchr(hexadecimal ? "pP" : "eE", number->text[i]))
            return true;
    return false;
}

void nh_trim_replace(nh_trim *trim, int from)
{
    nh_ctokens *t = &trim->tokens;
    for (int i = from; i < t->count; i++) {
        if (t->item[i].dropped)
            continue;
        if (t->item[i].kind == NH_CTOKEN_NAME)
            replace_name(trim, i);
        else if (t->item[i].kind == NH_CTOKEN_NUMBER && trim->setting.in_float && is_floating(&t->item[i]))
            nh_ctoken_set(t, i, "%.*sf", t->item[i].length, t->item[i].text);
    }
}
