/* SPDX-License-Identifier: MIT */
/* Cuts a text into items: headings, macros, functions, enumerations, types and data. */
#include "export/trim_parts.h"

#include <string.h>

/* Behind the item that begins at `begin`: a line, a function's body, or a semicolon. */
static int item_end(const nh_ctokens *t, int begin)
{
    if (nh_ctokens_is_directive(t, begin))
        return nh_ctokens_line_end(t, begin, t->count);
    bool is_function = false;
    for (int i = nh_ctokens_next(t, begin, t->count); i < t->count; i = nh_ctokens_next(t, i, t->count)) {
        const nh_ctoken *token = &t->item[i];
        if (nh_ctoken_is(token, ";"))
            return nh_ctokens_line_end(t, i, t->count);
        is_function |= nh_ctoken_is(token, "(");
        const bool body = is_function && nh_ctoken_is(token, "{");
        i = strchr("([{", token->text[0]) ? nh_ctokens_close(t, i, t->count) : i + 1;
        if (body)
            return nh_ctokens_line_end(t, i, t->count);
    }
    return t->count;
}

/* The name that an item defines: before the parameters, or the last one before an array's length, a value, the end. */
static int name_of(const nh_ctokens *t, const nh_trim_item *it)
{
    int name = it->begin;
    if (it->kind == NH_TRIM_MACRO)
        return nh_ctokens_next(t, nh_ctokens_next(t, it->begin + 1, it->to) + 1, it->to);
    for (int i = it->begin; i < it->to; i = nh_ctokens_next(t, i + 1, it->to)) {
        const char first = t->item[i].text[0];
        if (t->item[i].kind == NH_CTOKEN_NAME)
            name = i;
        else if (first == '(' || first == '[' || first == '=' || first == ';')
            break;
        else if (first == '{')
            i = nh_ctokens_close(t, i, it->to) - 1;
    }
    return name;
}

static nh_trim_kind kind_of(const nh_ctokens *t, int begin, int end)
{
    if (nh_ctokens_is_directive(t, begin))
        return NH_TRIM_MACRO;
    for (int i = begin; i < end; i = nh_ctokens_next(t, i + 1, end)) {
        if (nh_ctoken_is(&t->item[i], "enum"))
            return NH_TRIM_ENUM;
        if (nh_ctoken_is(&t->item[i], "(") || nh_ctoken_is(&t->item[i], "="))
            return nh_ctoken_is(&t->item[i], "(") ? NH_TRIM_FUNCTION : NH_TRIM_OTHER;
        if (nh_ctoken_is(&t->item[i], "{"))
            return NH_TRIM_OTHER;
    }
    return NH_TRIM_OTHER;
}

static void add_item(nh_trim *trim, nh_trim_item it)
{
    const nh_ctokens *t = &trim->tokens;
    if (it.kind != NH_TRIM_HEADING)
        it.name = it.kind == NH_TRIM_ENUM ? -1 : name_of(t, &it);
    it.is_static = nh_ctoken_is(&t->item[it.begin], "static inline") || nh_ctoken_is(&t->item[it.begin], "static");
    if (!nh_grow(&trim->items, &trim->capacity, (size_t)trim->count, sizeof *trim->items))
        trim->failed = true;
    else
        trim->items[trim->count++] = it;
}

/* The first comment of a text is its heading; the line before it is the licence, which is said once. */
static int split_heading(nh_trim *trim, const char *other, int from)
{
    nh_ctokens *t = &trim->tokens;
    while (from < t->count && t->item[from].kind != NH_CTOKEN_COMMENT)
        from++;
    if (from < t->count && strstr(t->item[from].text, "SPDX") == t->item[from].text + 3)
        for (from++; from < t->count && t->item[from].kind != NH_CTOKEN_COMMENT;)
            from++;
    const int end = from < t->count ? from + 1 : from;
    if (other && from < t->count)
        nh_ctoken_set(t, from, "/* %s */", other);
    add_item(trim, (nh_trim_item){.kind = NH_TRIM_HEADING, .from = from, .begin = from, .to = end});
    return end;
}

void nh_trim_split(nh_trim *trim, const char *heading, int from)
{
    const nh_ctokens *t = &trim->tokens;
    from = split_heading(trim, heading, from);
    for (int begin = nh_ctokens_next(t, from, t->count); begin < t->count && !trim->failed;
         begin = nh_ctokens_next(t, from, t->count)) {
        const int end = item_end(t, begin);
        add_item(trim, (nh_trim_item){.kind = kind_of(t, begin, end), .from = from, .begin = begin, .to = end});
        from = end;
    }
}
