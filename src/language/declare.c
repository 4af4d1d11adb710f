/* SPDX-License-Identifier: MIT */
/* Statements that declare names: texts, sizes, vectors, parameters, lets, observables, invariants. */
#include "language/parse.h"

#include <string.h>

/* ---- Texts ---- */

bool nh_parse_title(nh_parser *p)
{
    if (nh_kind_at(p, p->at) != NH_T_TEXT)
        return nh_parse_unexpected(p, "a text");
    if (nh_kind_at(p, p->at + 1) == NH_T_TEXT)
        return nh_parse_fail(p, p->at + 1, NH_SYNTAX, "a name is one line; use 'about' for more");
    p->model->name = nh_arena_text(&p->model->arena, nh_token_text(&p->tokens, p->at), p->tokens.token[p->at].length);
    p->at++;
    return p->model->name || nh_parse_memory(p);
}

/* Appends the lines of the statement. All such statements of a keyword are joined, in time that is linear in the end
 * because the first of them takes the text of all. */
static bool join_lines(nh_parser *p, const char **text)
{
    if (nh_kind_at(p, p->at) != NH_T_TEXT)
        return nh_parse_unexpected(p, "a text");
    if (!**text) {
        nh_text all = {0};
        for (uint32_t s = 0; s < p->tokens.statements; s++)
            for (uint32_t i = p->tokens.statement[s] + 1; p->row[s] == p->statement && nh_kind_at(p, i) != NH_T_END;
                 i++) {
                nh_text_bytes(&all, i == p->tokens.statement[s] + 1 ? "\n" : " ", all.length > 0);
                nh_text_bytes(&all, nh_token_text(&p->tokens, i), p->tokens.token[i].length);
            }
        *text = all.failed ? NULL : nh_arena_text(&p->model->arena, nh_text_get(&all), all.length);
        nh_text_free(&all);
    }
    while (nh_parse_accept(p, NH_T_TEXT))
        ;
    return *text || nh_parse_memory(p);
}

bool nh_parse_about(nh_parser *p)
{
    return join_lines(p, &p->model->about);
}

bool nh_parse_cite(nh_parser *p)
{
    return join_lines(p, &p->model->cite);
}

/* ---- Sizes ---- */

static bool read_size(nh_parser *p, nh_item *item)
{
    nh_model *m = p->model;
    const char *name;
    nh_affine value;
    uint32_t token = p->at;
    if (item->range.name)
        return nh_parse_fail(p, item->stop, NH_SYNTAX, "a size has no index");
    if (!nh_parse_new_name(p, &name) || !nh_parse_expect(p, '=', "'='") || !nh_parse_integer(p, &value))
        return false;
    uint32_t behind = p->at;
    if (!nh_replace_size(p, token, &value))
        return false;
    p->at = behind;
    if (!nh_parse_append(p, &m->size, m->sizes, sizeof *m->size))
        return false;
    m->size[m->sizes].name = name;
    m->size[m->sizes++].value = value.constant;
    nh_symbol *symbol = nh_scope_add(&p->scope, name, NH_S_SIZE);
    if (!symbol)
        return nh_parse_memory(p);
    symbol->token = token;
    symbol->value = value.constant;
    return true;
}

bool nh_parse_sizes(nh_parser *p)
{
    return nh_item_list(p, read_size);
}

/* ---- Vectors ---- */

/* Adds a block of components at the end of its vector, whose length is *total. */
static bool add_block(nh_parser *p, nh_block block, nh_sort sort, uint32_t token, int *total)
{
    nh_model *m = p->model;
    if (block.count > NH_MOST_COMPONENTS - *total)
        return nh_parse_fail(p, token, NH_LIMIT, "there are more than %d components", NH_MOST_COMPONENTS);
    if (!nh_parse_append(p, &m->block, m->blocks, sizeof *m->block))
        return false;
    block.first = *total;
    block.line = p->tokens.token[token].line;
    block.column = p->tokens.token[token].column;
    m->block[m->blocks++] = block;
    *total += block.count;
    nh_symbol *symbol = nh_scope_add(&p->scope, block.name, sort);
    if (!symbol)
        return nh_parse_memory(p);
    symbol->token = token;
    symbol->indexed = block.indexed;
    symbol->lower = block.lower;
    symbol->count = block.count;
    symbol->first = block.first;
    return true;
}

static bool read_component(nh_parser *p, nh_sort sort, nh_space space, int *total)
{
    nh_block block = {.space = space, .count = 1};
    uint32_t token = p->at;
    if (!nh_parse_new_column(p, &block.name))
        return false;
    if (nh_parse_accept(p, '[')) {
        block.indexed = true;
        if (!nh_parse_bounds(p, &block.lower, &block.count) || !nh_parse_expect(p, ']', "']'"))
            return false;
    }
    return add_block(p, block, sort, token, total);
}

static bool read_coordinate(nh_parser *p, nh_item *item)
{
    if (item->range.name)
        return nh_parse_fail(p, item->stop, NH_SYNTAX, "a range of coordinates is written q[1..n]");
    return read_component(p, NH_S_COORDINATE, NH_Q, &p->model->n);
}

static bool read_algebraic(nh_parser *p, nh_item *item)
{
    if (item->range.name)
        return nh_parse_fail(p, item->stop, NH_SYNTAX, "a range of variables is written z[1..n]");
    return read_component(p, NH_S_ALGEBRAIC, NH_LAMBDA, &p->model->algebraic);
}

bool nh_parse_coordinates(nh_parser *p)
{
    return nh_item_list(p, read_coordinate);
}

bool nh_parse_algebraic(nh_parser *p)
{
    p->place_algebraic = p->keyword;
    return nh_item_list(p, read_algebraic);
}

/* ---- Parameters ---- */

static const nh_rules default_rules = {"a default value", 1u << NH_PARAMETER};

/* NAME or NAME[INDEX], whose index must be that of the item's range. */
static bool read_declared(nh_parser *p, const nh_item *item, const char **name, bool *indexed)
{
    if (!nh_parse_new_name(p, name))
        return false;
    *indexed = nh_parse_accept(p, '[');
    uint32_t index = p->at;
    char quote[NH_QUOTE], other[NH_QUOTE];
    if (!*indexed)
        return !item->range.name ||
               nh_parse_fail(p, item->stop, NH_SYNTAX, "'%.60s' has no index, so it has no range", *name);
    if (nh_kind_at(p, index) == NH_T_NUMBER)
        return nh_parse_fail(p, index, NH_SYNTAX, "here stands the name of an index: %.60s[i] = ... for i = 1..n",
                             *name);
    if (!nh_parse_expect(p, NH_T_NAME, "the name of an index") || !nh_parse_expect(p, ']', "']'"))
        return false;
    nh_token_quote(&p->tokens, index, quote);
    if (!item->range.name)
        return nh_parse_fail(p, index, NH_SYNTAX, "the range of '%s' is missing: write for %s = 1..n at the end", quote,
                             quote);
    if (strcmp(quote, nh_token_quote(&p->tokens, item->range.name, other)) != 0)
        return nh_parse_fail(p, index, NH_NAME, "the index '%s' is not that of the range, '%s'", quote, other);
    return true;
}

/* Elements of a range that an indexed name is declared over. */
static bool range_of(nh_parser *p, const nh_range *range, int32_t *count)
{
    *count = range->count.constant;
    if (*count < 0)
        return nh_parse_fail(p, range->name, NH_VALUE, "the range runs backwards");
    if (*count > NH_MOST_COMPONENTS)
        return nh_parse_fail(p, range->name, NH_LIMIT, "the range has %d elements; at most %d are possible", *count,
                             NH_MOST_COMPONENTS);
    return true;
}

/* The default of the next parameter, behind NAME[INDEX] = or NAME =. */
static bool read_default(nh_parser *p)
{
    nh_model *m = p->model;
    nh_expr value;
    while (nh_kind_at(p, p->at) != '=')
        p->at++;
    p->at++;
    if (!nh_parse_expression(p, &default_rules, &value))
        return false;
    if (p->dead)
        return true;
    if (!nh_parse_append(p, &m->parameter_default, p->parameters_ready, sizeof *m->parameter_default))
        return false;
    m->parameter_default[p->parameters_ready++] = value;
    return true;
}

static bool read_parameter(nh_parser *p, nh_item *item)
{
    nh_block block = {.space = NH_PARAMETER, .count = 1};
    uint32_t token = p->at;
    if (!read_declared(p, item, &block.name, &block.indexed))
        return false;
    if (nh_kind_at(p, p->at) != '=')
        return nh_parse_unexpected(p, "'=' and a default value");
    if (block.indexed) {
        block.lower = item->range.lower.constant;
        if (!range_of(p, &item->range, &block.count))
            return false;
    }
    p->at = token;
    /* Before the defaults, so that an element may use those before it. */
    if (!add_block(p, block, NH_S_PARAMETER, token, &p->model->parameters) || !nh_item_each(p, item, read_default))
        return false;
    return nh_replace_parameters(p, nh_scope_find(&p->scope, block.name, strlen(block.name)));
}

bool nh_parse_parameters(nh_parser *p)
{
    return nh_item_list(p, read_parameter);
}

/* ---- Lets ---- */

static bool read_let(nh_parser *p, nh_item *item)
{
    nh_rules rules = {"a let", 1u << NH_TIME | 1u << NH_PARAMETER | nh_state_spaces(p)};
    const char *name;
    bool indexed;
    int32_t count = 1;
    nh_expr body;
    uint32_t token = p->at;
    if (!read_declared(p, item, &name, &indexed) || !nh_parse_expect(p, '=', "'='"))
        return false;
    if (indexed && (!range_of(p, &item->range, &count) || !nh_loop_open(p, &item->range, NH_LET_INDEX)))
        return false;
    if (!nh_parse_expression(p, &rules, &body))
        return false;
    if (indexed)
        nh_loop_close(p);
    nh_symbol *symbol = nh_scope_add(&p->scope, name, NH_S_LET);
    if (!symbol)
        return nh_parse_memory(p);
    symbol->token = token;
    symbol->indexed = indexed;
    symbol->lower = item->range.lower.constant;
    symbol->count = count;
    symbol->body = body;
    return true;
}

bool nh_parse_let(nh_parser *p)
{
    return nh_item_list(p, read_let);
}

/* ---- Observables and invariants ---- */

static bool read_named(nh_parser *p, nh_item *item, const char *where, nh_named **list, int *count)
{
    nh_rules rules = {where, 1u << NH_TIME | 1u << NH_PARAMETER | nh_state_spaces(p)};
    uint32_t token = p->at;
    nh_named named = {.line = p->tokens.token[token].line, .column = p->tokens.token[token].column};
    if (item->range.name)
        return nh_parse_fail(p, item->stop, NH_SYNTAX, "%s has no index", where);
    if (!nh_parse_new_column(p, &named.name) || !nh_parse_expect(p, '=', "'='") ||
        !nh_parse_expression(p, &rules, &named.value))
        return false;
    nh_symbol *symbol = nh_scope_add(&p->scope, named.name, NH_S_OUTPUT);
    if (!symbol)
        return nh_parse_memory(p);
    symbol->token = token;
    if (!nh_parse_append(p, list, *count, sizeof **list))
        return false;
    (*list)[(*count)++] = named;
    return true;
}

static bool read_observable(nh_parser *p, nh_item *item)
{
    return read_named(p, item, "an observable", &p->model->observable, &p->model->observables);
}

static bool read_invariant(nh_parser *p, nh_item *item)
{
    return read_named(p, item, "an invariant", &p->model->invariant, &p->model->invariants);
}

bool nh_parse_observable(nh_parser *p)
{
    return nh_item_list(p, read_observable);
}

bool nh_parse_invariant(nh_parser *p)
{
    return nh_item_list(p, read_invariant);
}
