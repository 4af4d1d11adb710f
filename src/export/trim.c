/* SPDX-License-Identifier: MIT */
#include "export/trim.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

typedef enum item_kind { ITEM_HEADING, ITEM_MACRO, ITEM_FUNCTION, ITEM_ENUM, ITEM_OTHER } item_kind;

/* Tokens from … to of the list, which are in the text or not as a whole; blanks and comments before it belong to it. */
typedef struct item {
    item_kind kind;
    int from, begin, to; /* begin: what it says begins here */
    int name;            /* token; -1 of an enumeration */
    bool is_static, needed;
} item;

struct nh_trim {
    nh_trim_setting setting;
    nh_ctokens tokens;
    nh_facts facts, sizes, aliases;
    item *items;
    int count;
    size_t capacity;
    bool failed;
};

nh_trim *nh_trim_new(const nh_trim_setting *setting)
{
    nh_trim *trim = calloc(1, sizeof *trim);
    if (trim)
        trim->setting = *setting;
    return trim;
}

void nh_trim_free(nh_trim *trim)
{
    if (!trim)
        return;
    nh_ctokens_free(&trim->tokens);
    nh_facts_free(&trim->facts);
    nh_facts_free(&trim->sizes);
    nh_facts_free(&trim->aliases);
    free(trim->items);
    free(trim);
}

void nh_trim_know(nh_trim *trim, const char *name, long value)
{
    nh_facts_add(&trim->facts, name, (int)strlen(name), value);
}

void nh_trim_know_size(nh_trim *trim, const char *name, long value)
{
    nh_facts_add(&trim->sizes, name, (int)strlen(name), value);
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
    return nh_fold_evaluate(t, &trim->facts, name, end).value != 0;
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

static const nh_replacement *replacement_of(const nh_trim *trim, const nh_ctoken *name)
{
    for (int k = 0; k < NH_REPLACEMENTS; k++)
        for (const nh_replacement *r = trim->setting.replace[k]; r && r->name; r++)
            if (nh_ctoken_is(name, r->name))
                return r;
    return NULL;
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
static void preprocess(nh_trim *trim, int from)
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

/* NH_CALL(NH_F_FORCE, c, … becomes model_force(c, … */
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

static void replace_all(nh_trim *trim, int from)
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

/* ---- Items ---- */

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
static int name_of(const nh_ctokens *t, const item *it)
{
    int name = it->begin;
    if (it->kind == ITEM_MACRO)
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

static item_kind kind_of(const nh_ctokens *t, int begin, int end)
{
    if (nh_ctokens_is_directive(t, begin))
        return ITEM_MACRO;
    for (int i = begin; i < end; i = nh_ctokens_next(t, i + 1, end)) {
        if (nh_ctoken_is(&t->item[i], "enum"))
            return ITEM_ENUM;
        if (nh_ctoken_is(&t->item[i], "(") || nh_ctoken_is(&t->item[i], "="))
            return nh_ctoken_is(&t->item[i], "(") ? ITEM_FUNCTION : ITEM_OTHER;
        if (nh_ctoken_is(&t->item[i], "{"))
            return ITEM_OTHER;
    }
    return ITEM_OTHER;
}

static void add_item(nh_trim *trim, item it)
{
    const nh_ctokens *t = &trim->tokens;
    if (it.kind != ITEM_HEADING)
        it.name = it.kind == ITEM_ENUM ? -1 : name_of(t, &it);
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
    add_item(trim, (item){.kind = ITEM_HEADING, .from = from, .begin = from, .to = end});
    return end;
}

static void split_items(nh_trim *trim, const char *heading, int from)
{
    const nh_ctokens *t = &trim->tokens;
    from = split_heading(trim, heading, from);
    for (int begin = nh_ctokens_next(t, from, t->count); begin < t->count && !trim->failed;
         begin = nh_ctokens_next(t, from, t->count)) {
        const int end = item_end(t, begin);
        add_item(trim, (item){.kind = kind_of(t, begin, end), .from = from, .begin = begin, .to = end});
        from = end;
    }
}

/* ---- Folding ---- */

static bool same(const nh_ctoken *a, const nh_ctoken *b)
{
    return a->length == b->length && !memcmp(a->text, b->text, (size_t)a->length);
}

static int count_uses(const nh_ctokens *t, int name, int from, int to)
{
    int uses = 0, before = from;
    for (int i = nh_ctokens_next(t, from, to); i < to; before = i, i = nh_ctokens_next(t, i + 1, to)) {
        const bool is_member = nh_ctoken_is(&t->item[before], "->") || nh_ctoken_is(&t->item[before], ".");
        uses += !is_member && same(&t->item[i], &t->item[name]);
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
static bool drop_unused(nh_trim *trim, const item *it)
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
static void excuse_parameters(nh_ctokens *t, const item *it)
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

static bool has_sizes(const nh_trim *trim, const item *it)
{
    for (int i = it->begin; i < it->to; i++)
        if (!trim->tokens.item[i].dropped && nh_ctoken_is(&trim->tokens.item[i], trim->setting.sizes))
            return it->kind == ITEM_FUNCTION;
    return false;
}

static void fold_item(nh_trim *trim, const item *it)
{
    nh_facts *facts = &trim->facts;
    const int before = facts->count;
    if (it->kind == ITEM_HEADING || it->kind == ITEM_ENUM)
        return;
    if (has_sizes(trim, it))
        for (int i = 0; i < trim->sizes.count; i++)
            nh_facts_add(facts, trim->sizes.item[i].name, trim->sizes.item[i].length, trim->sizes.item[i].value);
    nh_fold(&trim->tokens, facts, it->kind == ITEM_FUNCTION ? trim->setting.nothing : NULL, it->begin, it->to);
    facts->count = before;
    while (it->kind == ITEM_FUNCTION && drop_unused(trim, it))
        ;
    if (it->kind == ITEM_FUNCTION)
        excuse_parameters(&trim->tokens, it);
}

void nh_trim_add(nh_trim *trim, const char *text, const char *heading)
{
    const int tokens = trim->tokens.count, items = trim->count;
    nh_ctokens_read(&trim->tokens, text);
    trim->failed |= trim->tokens.failed;
    if (trim->failed)
        return;
    preprocess(trim, tokens);
    replace_all(trim, tokens);
    split_items(trim, heading, tokens);
    for (int i = items; i < trim->count && !trim->failed; i++)
        fold_item(trim, &trim->items[i]);
    trim->failed |= trim->facts.failed || trim->sizes.failed || trim->aliases.failed || trim->tokens.failed;
}

/* ---- What is needed ---- */

static bool is_enumerator(const nh_ctokens *t, int at)
{
    const int before = nh_ctokens_before(t, at);
    return t->item[at].kind == NH_CTOKEN_NAME && before >= 0 &&
           (nh_ctoken_is(&t->item[before], "{") || nh_ctoken_is(&t->item[before], ","));
}

static bool defines(const nh_ctokens *t, const item *it, const nh_ctoken *name)
{
    if (it->kind == ITEM_HEADING)
        return false;
    if (it->kind != ITEM_ENUM)
        return same(&t->item[it->name], name);
    for (int i = it->begin; i < it->to; i++)
        if (!t->item[i].dropped && is_enumerator(t, i) && same(&t->item[i], name))
            return true;
    return false;
}

static void mark_item(nh_trim *trim, int which)
{
    const nh_ctokens *t = &trim->tokens;
    item *it = &trim->items[which];
    it->needed = true;
    for (int i = it->begin; i < it->to && it->kind != ITEM_ENUM; i++)
        for (int k = 0; k < trim->count && !t->item[i].dropped && t->item[i].kind == NH_CTOKEN_NAME; k++)
            if (!trim->items[k].needed && defines(t, &trim->items[k], &t->item[i]))
                mark_item(trim, k);
}

bool nh_trim_uses(const nh_trim *trim, const char *name)
{
    const nh_ctokens *t = &trim->tokens;
    for (int k = 0; k < trim->count; k++) {
        const item *it = &trim->items[k];
        for (int i = it->begin; it->needed && it->kind != ITEM_ENUM && i < it->to; i++)
            if (!t->item[i].dropped && t->item[i].kind == NH_CTOKEN_NAME && nh_ctoken_is(&t->item[i], name))
                return true;
    }
    return false;
}

static bool uses_token(const nh_trim *trim, const nh_ctoken *name)
{
    char text[128];
    memcpy(text, name->text, (size_t)name->length);
    text[name->length] = '\0';
    return nh_trim_uses(trim, text);
}

/* Enumerators that nothing uses go: the others move up. One with a value stays where it is. */
static void drop_enumerators(nh_trim *trim, const item *it)
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
        if (!uses_token(trim, &t->item[at]))
            nh_ctokens_drop(t, t->item[at - 1].kind == NH_CTOKEN_BLANK && next >= close ? at - 1 : at, next);
        at = nh_ctokens_next(t, next, close);
    }
}

/* The list of a frame's arrays, and an entry X(type, name, count) of it. */
static bool is_frame_list(const nh_ctokens *t, const item *it)
{
    return nh_ctoken_is(&t->item[it->name], "NH_FRAME_ARRAYS");
}
static bool is_array(const nh_ctokens *t, const item *it, int at)
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
static void drop_arrays(nh_trim *trim, const item *it)
{
    nh_ctokens *t = &trim->tokens;
    for (int i = it->begin; i < it->to; i++) {
        if (!is_array(t, it, i))
            continue;
        const int open = nh_ctokens_next(t, i + 1, it->to), name = name_of_array(t, i, it->to);
        bool used = false;
        for (int k = 0; k < t->count && !used; k++)
            used = k != name && !t->item[k].dropped && same(&t->item[k], &t->item[name]) &&
                   nh_ctoken_is(&t->item[nh_ctokens_before(t, k)], "->");
        if (!used)
            nh_ctokens_drop(t, nh_ctokens_before(t, i) + 1, nh_ctokens_close(t, open, it->to));
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
        const item *it = &trim->items[k];
        const bool is_frame = it->needed && it->kind == ITEM_MACRO && is_frame_list(t, it);
        for (int i = it->begin; is_frame && i < it->to; i++) {
            if (!is_array(t, it, i))
                continue;
            const int open = nh_ctokens_next(t, i + 1, it->to), close = nh_ctokens_close(t, open, it->to) - 1;
            const nh_value_of count = nh_fold_evaluate(t, &trim->sizes, name_of_array(t, i, it->to) + 2, close);
            total += count.value > 0 ? count.value : 1;
        }
    }
    return (int)total;
}

void nh_trim_mark(nh_trim *trim)
{
    nh_ctokens *t = &trim->tokens;
    if (trim->failed)
        return;
    for (int i = 0; i < trim->count; i++)
        if (!trim->items[i].needed && trim->items[i].kind == ITEM_FUNCTION && !trim->items[i].is_static)
            mark_item(trim, i);
    for (int i = 0, heading = -1; i < trim->count; i++) {
        heading = trim->items[i].kind == ITEM_HEADING ? i : heading;
        if (trim->items[i].needed && heading >= 0)
            trim->items[heading].needed = true;
    }
    for (int i = 0; i < trim->count; i++)
        if (!trim->items[i].needed)
            nh_ctokens_drop(t, trim->items[i].begin, trim->items[i].to);
    for (int i = 0; i < trim->count; i++) {
        const item *it = &trim->items[i];
        if (it->needed && it->kind == ITEM_ENUM)
            drop_enumerators(trim, it);
        else if (it->needed && it->kind == ITEM_MACRO && is_frame_list(t, it))
            drop_arrays(trim, it);
    }
}

int nh_trim_enumerator(const nh_trim *trim, const char *name)
{
    const nh_ctokens *t = &trim->tokens;
    for (int k = 0; k < trim->count; k++) {
        const item *it = &trim->items[k];
        int number = 0;
        for (int i = it->begin; it->needed && it->kind == ITEM_ENUM && i < it->to;
             i = nh_ctokens_next(t, i + 1, it->to)) {
            if (nh_ctoken_is(&t->item[i], name))
                return number;
            number += nh_ctoken_is(&t->item[i], ",");
        }
    }
    return -1;
}

bool nh_trim_write(const nh_trim *trim, nh_text *out)
{
    for (int i = 0; i < trim->count; i++) {
        const item *it = &trim->items[i];
        if (!it->needed)
            continue;
        if (it->kind == ITEM_HEADING)
            nh_text_add(out, "\n");
        nh_ctokens_write(&trim->tokens, it->from, it->to, out);
        if (it->kind == ITEM_HEADING)
            nh_text_add(out, "\n\n");
    }
    return !trim->failed && !out->failed;
}
