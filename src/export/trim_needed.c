/* SPDX-License-Identifier: MIT */
/* What functions that are not static lead to: items, enumerators, arrays of a frame. */
#include "export/trim_parts.h"

static bool is_enumerator(const nh_ctokens *t, int at)
{
    const int before = nh_ctokens_before(t, at);
    return t->item[at].kind == NH_CTOKEN_NAME && before >= 0 &&
           (nh_ctoken_is(&t->item[before], "{") || nh_ctoken_is(&t->item[before], ","));
}

static bool defines(const nh_ctokens *t, const nh_trim_item *it, const nh_ctoken *name)
{
    if (it->kind == NH_TRIM_HEADING)
        return false;
    if (it->kind != NH_TRIM_ENUM)
        return nh_ctoken_same(&t->item[it->name], name);
    for (int i = it->begin; i < it->to; i++)
        if (!t->item[i].dropped && is_enumerator(t, i) && nh_ctoken_same(&t->item[i], name))
            return true;
    return false;
}

static void mark_item(nh_trim *trim, int which)
{
    const nh_ctokens *t = &trim->tokens;
    nh_trim_item *it = &trim->items[which];
    it->needed = true;
    for (int i = it->begin; i < it->to && it->kind != NH_TRIM_ENUM; i++)
        for (int k = 0; k < trim->count && !t->item[i].dropped && t->item[i].kind == NH_CTOKEN_NAME; k++)
            if (!trim->items[k].needed && defines(t, &trim->items[k], &t->item[i]))
                mark_item(trim, k);
}

static bool is_used(const nh_trim *trim, const nh_ctoken *name)
{
    const nh_ctokens *t = &trim->tokens;
    for (int k = 0; k < trim->count; k++) {
        const nh_trim_item *it = &trim->items[k];
        for (int i = it->begin; it->needed && it->kind != NH_TRIM_ENUM && i < it->to; i++)
            if (!t->item[i].dropped && t->item[i].kind == NH_CTOKEN_NAME && nh_ctoken_same(&t->item[i], name))
                return true;
    }
    return false;
}

/* Enumerators that nothing uses go: the others move up. One with a value stays where it is. */
static void drop_enumerators(nh_trim *trim, const nh_trim_item *it)
{
    nh_ctokens *t = &trim->tokens;
    int at = it->begin;
    while (at < it->to && !nh_ctoken_is(&t->item[at], "{"))
        at++;
    const int close = nh_ctokens_close(t, at, it->to) - 1;
    for (at = nh_ctokens_next(t, at + 1, close); at < close;) {
        int next = at + 1;
        while (next < close && !is_enumerator(t, next))
            next++;
        if (!is_used(trim, &t->item[at]))
            nh_ctokens_drop(t, t->item[at - 1].kind == NH_CTOKEN_BLANK && next >= close ? at - 1 : at, next);
        at = nh_ctokens_next(t, next, close);
    }
}

/* The list of a frame's arrays, and an entry X(type, name, count) of it. */
static bool is_frame_list(const nh_ctokens *t, const nh_trim_item *it)
{
    return nh_ctoken_is(&t->item[it->name], "NH_FRAME_ARRAYS");
}
static bool is_array(const nh_ctokens *t, const nh_trim_item *it, int at)
{
    const int next = nh_ctokens_next(t, at + 1, it->to);
    return !t->item[at].dropped && nh_ctoken_is(&t->item[at], "X") && next < it->to &&
           nh_ctoken_is(&t->item[next], "(");
}
static int name_of_array(const nh_ctokens *t, int at, int end)
{
    const int type = nh_ctokens_next(t, nh_ctokens_next(t, at + 1, end) + 1, end);
    return nh_ctokens_next(t, nh_ctokens_next(t, type + 1, end) + 1, end);
}

/* Arrays that nothing uses go. */
static void drop_arrays(nh_trim *trim, const nh_trim_item *it)
{
    nh_ctokens *t = &trim->tokens;
    for (int i = it->begin; i < it->to; i++) {
        if (!is_array(t, it, i))
            continue;
        const int open = nh_ctokens_next(t, i + 1, it->to), name = name_of_array(t, i, it->to);
        bool used = false;
        for (int k = 0; k < t->count && !used; k++)
            used = k != name && !t->item[k].dropped && nh_ctoken_same(&t->item[k], &t->item[name]) &&
                   nh_ctoken_is(&t->item[nh_ctokens_before(t, k)], "->");
        if (!used)
            nh_ctokens_drop(t, nh_ctokens_before(t, i) + 1, nh_ctokens_close(t, open, it->to));
    }
}

void nh_trim_mark(nh_trim *trim)
{
    nh_ctokens *t = &trim->tokens;
    if (trim->failed)
        return;
    for (int i = 0; i < trim->count; i++)
        if (!trim->items[i].needed && trim->items[i].kind == NH_TRIM_FUNCTION && !trim->items[i].is_static)
            mark_item(trim, i);
    for (int i = 0, heading = -1; i < trim->count; i++) {
        heading = trim->items[i].kind == NH_TRIM_HEADING ? i : heading;
        if (trim->items[i].needed && heading >= 0)
            trim->items[heading].needed = true;
    }
    for (int i = 0; i < trim->count; i++)
        if (!trim->items[i].needed)
            nh_ctokens_drop(t, trim->items[i].begin, trim->items[i].to);
    for (int i = 0; i < trim->count; i++) {
        const nh_trim_item *it = &trim->items[i];
        if (it->needed && it->kind == NH_TRIM_ENUM)
            drop_enumerators(trim, it);
        else if (it->needed && it->kind == NH_TRIM_MACRO && is_frame_list(t, it))
            drop_arrays(trim, it);
    }
}

int nh_trim_frame(nh_trim *trim)
{
    static const nh_ctoken stages = {NH_CTOKEN_NAME, "s", 1, false};
    const nh_ctokens *t = &trim->tokens;
    const nh_fact *s = nh_facts_find(&trim->sizes, &stages);
    long total = 0;
    nh_trim_know_size(trim, "G", s ? s->value : 1);
    for (int k = 0; k < trim->count; k++) {
        const nh_trim_item *it = &trim->items[k];
        const bool is_frame = it->needed && it->kind == NH_TRIM_MACRO && is_frame_list(t, it);
        for (int i = it->begin; is_frame && i < it->to; i++) {
            if (!is_array(t, it, i))
                continue;
            const int open = nh_ctokens_next(t, i + 1, it->to), close = nh_ctokens_close(t, open, it->to) - 1;
            const nh_value_of count = nh_facts_evaluate(t, &trim->sizes, name_of_array(t, i, it->to) + 2, close);
            total += count.value > 0 ? count.value : 1;
        }
    }
    return (int)total;
}

int nh_trim_enumerator(const nh_trim *trim, const char *name)
{
    const nh_ctokens *t = &trim->tokens;
    for (int k = 0; k < trim->count; k++) {
        const nh_trim_item *it = &trim->items[k];
        int number = 0;
        for (int i = it->begin; it->needed && it->kind == NH_TRIM_ENUM && i < it->to;
             i = nh_ctokens_next(t, i + 1, it->to)) {
            if (nh_ctoken_is(&t->item[i], name))
                return number;
            number += nh_ctoken_is(&t->item[i], ",");
        }
    }
    return -1;
}
