/* SPDX-License-Identifier: MIT */
/* Values from outside of the file: --set for sizes and parameters, --initial for initial values. */
#include "base/map.h"
#include "language/parse.h"

#include <string.h>

/* The text name=expression becomes a source of its own, so that messages show what the user wrote. */
static bool read_one(nh_parser *p, const nh_setting *setting, bool initial)
{
    nh_text text = {0};
    nh_text_add(&text, "%s=%s", setting->name ? setting->name : "", setting->expression ? setting->expression : "");
    const char *copy = text.failed ? NULL : nh_arena_text(&p->scratch, nh_text_get(&text), text.length);
    nh_source source = {.file = initial ? "--initial" : "--set", .text = copy, .length = text.length};
    nh_text_free(&text);
    if (!copy)
        return nh_parse_memory(p);
    nh_replacement *r = &p->replacement[p->replacements++];
    r->initial = initial;
    p->status = nh_tokens_read_line(&p->tokens, source, &r->token, p->error);
    if (p->status)
        return false;
    p->at = r->token;
    return nh_kind_at(p, p->at) == NH_T_NAME || nh_parse_unexpected(p, "a name");
}

bool nh_replace_read(nh_parser *p, const nh_model_options *options)
{
    if (!options || options->set_count + options->initial_count <= 0)
        return true;
    p->replacement = NH_NEW(&p->scratch, nh_replacement, options->set_count + options->initial_count);
    if (!p->replacement)
        return nh_parse_memory(p);
    for (int i = 0; i < options->set_count; i++)
        if (!read_one(p, &options->set[i], false))
            return false;
    for (int i = 0; i < options->initial_count; i++)
        if (!read_one(p, &options->initial[i], true))
            return false;
    return true;
}

static bool names(const nh_parser *p, const nh_replacement *r, const char *name, size_t length)
{
    const nh_token *t = &p->tokens.token[r->token];
    return !r->initial && t->length == length && !memcmp(nh_token_text(&p->tokens, r->token), name, length);
}

static bool at_end(nh_parser *p)
{
    return nh_kind_at(p, p->at) == NH_T_END || nh_parse_unexpected(p, "an operator or the end");
}

bool nh_replace_size(nh_parser *p, uint32_t name, nh_affine *value)
{
    char quote[NH_QUOTE];
    bool found = false;
    for (int i = 0; i < p->replacements; i++) {
        nh_replacement *r = &p->replacement[i];
        if (!names(p, r, nh_token_text(&p->tokens, name), p->tokens.token[name].length))
            continue;
        if (found)
            return nh_parse_fail(p, r->token, NH_MODEL, "'%s' is set twice", nh_token_quote(&p->tokens, name, quote));
        p->at = r->token + 1;
        if (!nh_parse_expect(p, '=', "'='") || !nh_parse_integer(p, value) || !at_end(p))
            return false;
        found = r->taken = true;
    }
    return true;
}

bool nh_replace_note(nh_parser *p, int place)
{
    nh_model *m = p->model;
    if (!nh_parse_append(p, &m->given, m->givens, sizeof *m->given))
        return false;
    m->given[m->givens++] = place;
    return true;
}

/* One element: its new default may use what stands above it. */
static bool replace_parameter(nh_parser *p, nh_replacement *r, const nh_symbol *symbol, nh_map *replaced)
{
    static const nh_rules rules = {"a parameter", 1u << NH_PARAMETER};
    nh_affine element;
    nh_expr value;
    p->at = r->token + 1;
    if (!nh_parse_subscript(p, r->token, symbol, &element) || !nh_parse_expect(p, '=', "'='"))
        return false;
    int component = symbol->first + element.constant, ready = p->parameters_ready;
    if (nh_map_get(replaced, (uint32_t)component))
        return nh_parse_fail(p, r->token, NH_MODEL, "'%.60s' is set twice", symbol->name);
    nh_map_set(replaced, (uint32_t)component, 1);
    if (replaced->failed)
        return nh_parse_memory(p);
    p->parameters_ready = component;
    bool good = nh_parse_expression(p, &rules, &value) && at_end(p);
    p->parameters_ready = ready;
    if (good)
        p->model->parameter_default[component] = value;
    return r->taken = good && nh_replace_note(p, component);
}

bool nh_replace_parameters(nh_parser *p, const nh_symbol *symbol)
{
    nh_map replaced = {0};
    nh_symbol copy = *symbol; /* the scope may move */
    uint32_t behind = p->at;
    bool good = true;
    for (int i = 0; good && i < p->replacements; i++)
        if (names(p, &p->replacement[i], copy.name, strlen(copy.name)))
            good = replace_parameter(p, &p->replacement[i], &copy, &replaced);
    nh_map_free(&replaced);
    p->at = good ? behind : p->at;
    return good;
}

bool nh_replace_check(nh_parser *p)
{
    for (int i = 0; i < p->replacements; i++) {
        const nh_replacement *r = &p->replacement[i];
        if (r->taken || r->initial)
            continue;
        char quote[NH_QUOTE];
        nh_token_quote(&p->tokens, r->token, quote);
        const nh_symbol *symbol = nh_scope_find(&p->scope, quote, strlen(quote));
        if (symbol && (symbol->sort == NH_S_COORDINATE || symbol->sort == NH_S_ALGEBRAIC))
            return nh_parse_fail(p, r->token, NH_NAME,
                                 "'%s' is %s, which has no value to set; its initial value is set by --initial", quote,
                                 nh_sort_text(p, symbol->sort));
        if (symbol)
            return nh_parse_fail(p, r->token, NH_NAME, "'%s' is %s; only sizes and parameters can be set", quote,
                                 nh_sort_text(p, symbol->sort));
        const char *best = nh_scope_nearest(&p->scope, quote, 1u << NH_S_SIZE | 1u << NH_S_PARAMETER);
        if (best)
            return nh_parse_fail(p, r->token, NH_NAME, "the model has no size or parameter '%s'; did you mean '%s'?",
                                 quote, best);
        return nh_parse_fail(p, r->token, NH_NAME, "the model has no size or parameter '%s'", quote);
    }
    return true;
}
