/* SPDX-License-Identifier: MIT */
/* Names in expressions: what they stand for, whether they may stand there, whether their subscripts fit. */
#include "language/parse.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const nh_loop *nh_loop_find(const nh_parser *p, uint32_t token)
{
    const char *text = nh_token_text(&p->tokens, token);
    size_t length = p->tokens.token[token].length;
    for (int d = p->loops - 1; d >= 0; d--)
        if (p->loop[d].length == length && !memcmp(p->loop[d].name, text, length))
            return &p->loop[d];
    return NULL;
}

/* ---- Unknown names ---- */

static bool same_text(const nh_tokens *t, uint32_t a, uint32_t b)
{
    return t->token[a].length == t->token[b].length &&
           !memcmp(nh_token_text(t, a), nh_token_text(t, b), t->token[a].length);
}

/* The line further down where a size, parameter or let of this name is declared, or 0. */
static int declared_below(const nh_parser *p, uint32_t name)
{
    const nh_tokens *t = &p->tokens;
    for (uint32_t s = 0; s < t->statements; s++) {
        nh_phase phase = p->row[s]->phase;
        if (phase != NH_PHASE_SIZES && phase != NH_PHASE_VALUES)
            continue;
        for (uint32_t i = t->statement[s] + 1; t->token[i].kind != NH_T_END; i++) {
            bool starts = i == t->statement[s] + 1 || t->token[i - 1].kind == ',';
            if (starts && t->token[i].kind == NH_T_NAME && same_text(t, i, name))
                return t->token[i].line;
            if (t->token[i].kind == '(' || t->token[i].kind == '[')
                i = nh_token_close(t, i);
        }
    }
    return 0;
}

bool nh_fail_unknown(nh_parser *p, uint32_t token, uint32_t sorts)
{
    char quote[NH_QUOTE];
    const char *name = nh_token_quote(&p->tokens, token, quote);
    int line = declared_below(p, token);
    if (line)
        return nh_parse_fail(p, token, NH_NAME,
                             "'%s' is declared in line %d; sizes, parameters and lets may use only those above them",
                             name, line);
    const char *best = NULL;
    size_t distance = 0;
    for (int d = 0; d < p->loops; d++) {
        char index[NH_QUOTE];
        snprintf(index, sizeof index, "%.*s", (int)p->loop[d].length, p->loop[d].name);
        const char *nearer = NULL;
        nh_nearer(name, index, &nearer, &distance);
        best = nearer ? nh_arena_text(&p->scratch, index, strlen(index)) : best;
    }
    if (!best)
        best = nh_scope_nearest(&p->scope, name, sorts);
    if (best)
        return nh_parse_fail(p, token, NH_NAME, "unknown name '%s'; did you mean '%s'?", name, best);
    if (nh_kind_at(p, token + 1) == '(')
        return nh_parse_fail(p, token, NH_NAME, "unknown function '%s'", name);
    bool expression = sorts >> NH_S_PARAMETER & 1;
    return nh_parse_fail(p, token, NH_NAME, "unknown name '%s'%s", name,
                         expression ? "; declare it, perhaps in 'parameters'" : "");
}

/* ---- What may stand where ---- */

static const char *space_text(const nh_parser *p, nh_space space)
{
    static const char *const vector[] = {"coordinates", "states", "variables"};
    switch (space) {
    case NH_TIME:
        return "t";
    case NH_PARAMETER:
        return "parameters";
    case NH_Q:
        return vector[p->model->kind];
    case NH_V:
        return "velocities";
    default:
        return p->model->kind == NH_DAE ? "algebraic variables" : "lambda";
    }
}

/* "t, parameters and coordinates" */
static void list_spaces(const nh_parser *p, uint32_t spaces, char *out, size_t size)
{
    int left = 0;
    for (int s = NH_TIME; s <= NH_LAMBDA; s++)
        left += (spaces >> s & 1) != 0;
    size_t used = (size_t)snprintf(out, size, "%s", left ? "" : "numbers");
    for (int s = NH_TIME; s <= NH_LAMBDA; s++)
        if (spaces >> s & 1) {
            left--;
            const char *separator = left == 0 ? "" : left == 1 ? " and " : ", ";
            used += (size_t)snprintf(out + used, size - used, "%s%s", space_text(p, (nh_space)s), separator);
        }
}

static bool refuse_space(nh_parser *p, uint32_t token, nh_space space, const char *prime, bool let)
{
    char quote[NH_QUOTE], allowed[160];
    const char *name = nh_token_quote(&p->tokens, token, quote);
    list_spaces(p, p->rules->spaces, allowed, sizeof allowed);
    if (let)
        return nh_parse_fail(p, token, NH_MODEL, "'%s' depends on %s, but %s may depend only on %s", name,
                             space_text(p, space), p->rules->where, allowed);
    return nh_parse_fail(p, token, NH_MODEL, "'%s%s' cannot be used here: %s may depend only on %s", name, prime,
                         p->rules->where, allowed);
}

static bool allow(nh_parser *p, uint32_t token, nh_space space, const char *prime)
{
    return (p->rules->spaces >> space & 1) || refuse_space(p, token, space, prime, false);
}

/* ---- Subscripts ---- */

static bool refuse_subscript(nh_parser *p, uint32_t name, uint32_t subscript, int64_t low, int64_t high,
                             int64_t reached)
{
    char quote[NH_QUOTE];
    nh_token_quote(&p->tokens, name, quote);
    if (low > high)
        return nh_parse_fail(p, subscript, NH_VALUE, "'%s' has no elements", quote);
    bool fixed = p->loops == 0;
    return nh_parse_fail(p, subscript, NH_VALUE,
                         "the subscript of '%s' %s %" PRId64 ", outside of its range %" PRId64 "..%" PRId64, quote,
                         fixed ? "is" : "reaches", reached, low, high);
}

/* The loops that count for a subscript: up to the innermost that it depends on. Loops further inside may not run at
 * all, but what does not depend on them may be computed before them. */
static int loops_of(const nh_parser *p, nh_affine subscript)
{
    int loops = p->loops;
    while (loops > 0 && (p->loop[loops - 1].index < 0 || !nh_affine_factor(subscript, p->loop[loops - 1].index)))
        loops--;
    return loops;
}

bool nh_parse_subscript(nh_parser *p, uint32_t name, const nh_symbol *symbol, nh_affine *element)
{
    char quote[NH_QUOTE];
    nh_affine subscript;
    int64_t reached = 0, low = symbol->lower, high = low + symbol->count - 1;
    *element = nh_affine_constant(0);
    if (!symbol->indexed) {
        if (nh_kind_at(p, p->at) == '[')
            return nh_parse_fail(p, p->at, NH_NAME, "'%s' has no subscript", nh_token_quote(&p->tokens, name, quote));
        return true;
    }
    if (nh_kind_at(p, p->at) != '[')
        return nh_parse_fail(p, name, NH_NAME, "'%s' needs a subscript: it has the elements %" PRId64 "..%" PRId64,
                             nh_token_quote(&p->tokens, name, quote), low, high);
    uint32_t place = ++p->at;
    if (!nh_parse_integer(p, &subscript) || !nh_parse_expect(p, ']', "']'"))
        return false;
    if (p->dead)
        return true;
    if (!nh_nest_inside(p->loop, loops_of(p, subscript), subscript, low, high, &reached))
        return refuse_subscript(p, name, place, low, high, reached);
    return nh_affine_add(subscript, nh_affine_constant(-low), element) ||
           nh_parse_fail(p, place, NH_LIMIT, "the subscript is too large");
}

/* The component of a vector that an element of a symbol is. */
static nh_affine component_of(const nh_symbol *symbol, nh_affine element)
{
    nh_affine_add(element, nh_affine_constant(symbol->first), &element); /* small: checked when it was declared */
    return element;
}

/* ---- Values ---- */

static bool parameter(nh_parser *p, uint32_t name, const nh_symbol *symbol, nh_expr *out)
{
    char quote[NH_QUOTE];
    nh_affine element;
    int64_t low, high;
    if (!allow(p, name, NH_PARAMETER, "") || !nh_parse_subscript(p, name, symbol, &element))
        return false;
    nh_affine component = component_of(symbol, element);
    bool ready = symbol->first + symbol->count <= p->parameters_ready || p->dead ||
                 (nh_nest_bounds(p->loop, p->loops, component, &low, &high) && high < p->parameters_ready);
    if (!ready)
        return nh_parse_fail(p, name, NH_NAME,
                             "'%s' is not defined yet: a default may use only the parameters above it",
                             nh_token_quote(&p->tokens, name, quote));
    *out = nh_variable(p->graph, NH_PARAMETER, component);
    return true;
}

/* A coordinate, its velocity, or an algebraic variable. */
static bool vector(nh_parser *p, uint32_t name, const nh_symbol *symbol, nh_expr *out)
{
    nh_affine element;
    if (!nh_parse_subscript(p, name, symbol, &element))
        return false;
    nh_space space = symbol->sort == NH_S_ALGEBRAIC ? NH_LAMBDA : NH_Q;
    if (nh_kind_at(p, p->at) == '\'') {
        if (p->model->kind != NH_LAGRANGIAN)
            return nh_parse_fail(p, p->at, NH_MODEL, "%s",
                                 p->model->kind == NH_DAE ? "derivatives stand only on the left side of a 'part'"
                                                          : "there are no velocities in a Hamiltonian system");
        space = NH_V;
        p->at++;
    }
    if (!allow(p, name, space, space == NH_V ? "'" : ""))
        return false;
    nh_affine component = component_of(symbol, element);
    *out = nh_variable(p->graph, space, component);
    return p->dead || !p->reading_initial || nh_initial_use(p, name, space, component);
}

static bool let_value(nh_parser *p, uint32_t name, nh_symbol *symbol, nh_expr *out)
{
    nh_affine element;
    if (!nh_parse_subscript(p, name, symbol, &element))
        return false;
    uint32_t wrong = nh_get(p->graph, symbol->body).spaces & ~p->rules->spaces;
    for (int s = NH_TIME; s <= NH_LAMBDA; s++)
        if (wrong >> s & 1)
            return refuse_space(p, name, (nh_space)s, "", true);
    *out = symbol->body;
    if (symbol->indexed && !p->dead && !nh_affine_equal(element, nh_affine_index(NH_LET_INDEX))) {
        if (symbol->weight == 0)
            symbol->weight = nh_size(p->graph, symbol->body);
        if (!nh_parse_spend(p, symbol->weight))
            return false;
        *out = nh_reindex(p->graph, symbol->body, NH_LET_INDEX, element);
    }
    return nh_parse_graph(p, name) && (!p->reading_initial || p->dead || nh_initial_use_all(p, name, *out));
}

static bool multiplier(nh_parser *p, uint32_t name, nh_expr *out)
{
    const nh_model *m = p->model;
    if (m->kind != NH_LAGRANGIAN || !(p->rules->spaces >> NH_LAMBDA & 1))
        return nh_parse_fail(p, name, NH_MODEL, "'lambda' may be used only in a 'reaction'");
    nh_symbol symbol = {.name = "lambda", .indexed = true, .lower = 1, .count = m->m + m->holonomic};
    nh_affine element;
    if (!nh_parse_subscript(p, name, &symbol, &element))
        return false;
    *out = nh_variable(p->graph, NH_LAMBDA, element);
    return true;
}

static bool loop_value(nh_parser *p, const nh_loop *loop, nh_expr *out)
{
    *out = nh_index_value(p->graph, loop->value);
    return true;
}

static bool symbol_value(nh_parser *p, uint32_t name, nh_symbol *symbol, nh_expr *out)
{
    char quote[NH_QUOTE];
    symbol->used = true;
    switch (symbol->sort) {
    case NH_S_TIME:
        *out = nh_component(p->graph, NH_TIME, 0);
        return allow(p, name, NH_TIME, "");
    case NH_S_PI:
        *out = nh_pi(p->graph);
        return true;
    case NH_S_LAMBDA:
        return multiplier(p, name, out);
    case NH_S_SIZE:
        *out = nh_integer(p->graph, symbol->value);
        return true;
    case NH_S_PARAMETER:
        return parameter(p, name, symbol, out);
    case NH_S_COORDINATE:
    case NH_S_ALGEBRAIC:
        return vector(p, name, symbol, out);
    case NH_S_LET:
        return let_value(p, name, symbol, out);
    default:
        if (!p->statement) /* where no let can be declared */
            return refuse_space(p, name, NH_Q, "", false);
        return nh_parse_fail(p, name, NH_NAME, "'%s' is %s; an expression may use it only if it is declared with 'let'",
                             nh_token_quote(&p->tokens, name, quote), nh_sort_text(p, symbol->sort));
    }
}

/* What could have been meant where the rules hold. */
static uint32_t usable_sorts(const nh_rules *rules)
{
    uint32_t sorts = ~(1u << NH_S_OUTPUT);
    if (!(rules->spaces >> NH_TIME & 1))
        sorts &= ~(1u << NH_S_TIME);
    if (!(rules->spaces & (1u << NH_Q | 1u << NH_V)))
        sorts &= ~(1u << NH_S_COORDINATE);
    if (!(rules->spaces >> NH_LAMBDA & 1))
        sorts &= ~(1u << NH_S_LAMBDA | 1u << NH_S_ALGEBRAIC);
    return sorts;
}

bool nh_parse_reference(nh_parser *p, nh_expr *out)
{
    uint32_t name = p->at;
    char quote[NH_QUOTE];
    const nh_loop *loop = nh_loop_find(p, name);
    nh_symbol *symbol =
        loop ? NULL : nh_scope_find(&p->scope, nh_token_text(&p->tokens, name), p->tokens.token[name].length);
    if (!loop && !symbol)
        return nh_fail_unknown(p, name, usable_sorts(p->rules));
    if (nh_kind_at(p, name + 1) == '(')
        return nh_parse_fail(p, name + 1, NH_SYNTAX, "'%s' is no function; a product is written with *",
                             nh_token_quote(&p->tokens, name, quote));
    p->at++;
    bool good = loop ? loop_value(p, loop, out) : symbol_value(p, name, symbol, out);
    if (good && nh_kind_at(p, p->at) == '\'')
        return nh_parse_fail(p, p->at, NH_SYNTAX, "only a coordinate has a velocity; '%s' is none",
                             nh_token_quote(&p->tokens, name, quote));
    return good && nh_parse_graph(p, name);
}

/* ---- Left sides ---- */

bool nh_parse_target(nh_parser *p, uint32_t sorts, nh_target *target)
{
    char quote[NH_QUOTE];
    const char *wanted = p->model->kind == NH_DAE           ? "a state or algebraic variable"
                         : p->model->kind == NH_HAMILTONIAN ? "a variable"
                                                            : "a coordinate";
    target->token = p->at;
    if (nh_kind_at(p, p->at) != NH_T_NAME)
        return nh_parse_unexpected(p, wanted);
    nh_symbol *symbol = nh_scope_find(&p->scope, nh_token_text(&p->tokens, p->at), p->tokens.token[p->at].length);
    if (!symbol && !nh_loop_find(p, p->at))
        return nh_fail_unknown(p, p->at, sorts);
    if (!symbol || !(sorts >> symbol->sort & 1))
        return nh_parse_fail(p, p->at, NH_NAME, "'%s' is %s; on the left of '%s' stands %s",
                             nh_token_quote(&p->tokens, p->at, quote),
                             symbol ? nh_sort_text(p, symbol->sort) : "a loop index", p->statement->keyword,
                             sorts >> NH_S_ALGEBRAIC & 1 || p->model->kind != NH_DAE ? wanted : "a state");
    nh_affine element;
    p->at++;
    symbol->used |= p->model->kind != NH_LAGRANGIAN; /* a left side is enough there */
    if (!nh_parse_subscript(p, target->token, symbol, &element))
        return false;
    target->component = component_of(symbol, element);
    target->space = symbol->sort == NH_S_ALGEBRAIC ? NH_LAMBDA : NH_Q;
    if (target->space == NH_Q && nh_parse_accept(p, '\''))
        target->space = NH_V;
    return true;
}
