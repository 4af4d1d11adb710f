/* SPDX-License-Identifier: MIT */
/* Expressions of the model language: tokens to graph. Operator precedence with explicit stacks, so that the depth of
 * brackets costs memory and not stack. The range of a sum stands behind its body, but is read first. */
#include "language/parse.h"

#include <math.h>

enum { ADD, SUB, MUL, DIV, NEG, POW, PAREN, CALL, SUM, PROD };

static const int precedence[] = {
    [PAREN] = 0, [CALL] = 0, [SUM] = 0, [PROD] = 0, [ADD] = 1, [SUB] = 1, [MUL] = 2, [DIV] = 2, [NEG] = 3, [POW] = 4};

static bool push(nh_parser *p, nh_expr value)
{
    if (!nh_grow(&p->value, &p->value_capacity, p->values, sizeof *p->value))
        return nh_parse_memory(p);
    p->value[p->values++] = value;
    return true;
}

static bool push_operator(nh_parser *p, int op, uint32_t token)
{
    if (!nh_grow(&p->pending, &p->pending_capacity, p->pendings, sizeof *p->pending))
        return nh_parse_memory(p);
    p->pending[p->pendings++] = (nh_pending){.op = (uint8_t)op, .arguments = 1, .token = token, .work = p->work};
    return true;
}

/* The innermost bracket that is open, or NULL. What waits above it has been applied. */
static nh_pending *bracket(nh_parser *p)
{
    return p->pendings ? &p->pending[p->pendings - 1] : NULL;
}

/* ---- Operators ---- */

static bool refuse_zero(nh_parser *p, uint32_t token, nh_expr divisor)
{
    if (nh_is_number(p->graph, divisor, 0))
        return nh_parse_fail(p, token, NH_VALUE, "division by zero");
    return true;
}

static bool negative_number(const nh_graph *g, nh_expr e)
{
    return nh_get(g, e).op == NH_NUMBER && nh_number_is_rational(nh_get_number(g, e)) && nh_get_number(g, e).num < 0;
}

static nh_expr compute(nh_parser *p, int op, nh_expr a, nh_expr b)
{
    nh_graph *g = p->graph;
    switch (op) {
    case ADD:
        return nh_add(g, a, b);
    case SUB:
        return nh_sub(g, a, b);
    case MUL:
        return nh_mul(g, a, b);
    case DIV:
        return nh_div(g, a, b);
    case POW:
        return nh_pow(g, a, b);
    default:
        return nh_neg(g, b);
    }
}

static bool apply(nh_parser *p)
{
    nh_pending op = p->pending[--p->pendings];
    nh_expr b = p->value[--p->values], a = op.op == NEG ? 0 : p->value[--p->values];
    if (p->dead)
        return push(p, b); /* nothing that is computed here is ever used */
    bool inverse = op.op == POW && negative_number(p->graph, b);
    if ((op.op == DIV && !refuse_zero(p, op.token, b)) || (inverse && !refuse_zero(p, op.token, a)))
        return false;
    nh_expr value = compute(p, op.op, a, b);
    return nh_parse_graph(p, op.token) && push(p, value);
}

/* Applies what binds at least as tightly as this level (a bracket never does). */
static bool reduce(nh_parser *p, int level)
{
    while (p->pendings && precedence[p->pending[p->pendings - 1].op] >= level)
        if (!apply(p))
            return false;
    return true;
}

/* ---- Operands ---- */

static bool number(nh_parser *p)
{
    const nh_token *t = &p->tokens.token[p->at];
    const char *text = nh_token_text(&p->tokens, p->at);
    nh_number x = nh_number_parse(text, t->length);
    char quote[NH_QUOTE];
    if (!nh_number_is_rational(x)) {
        const char *copy = nh_arena_text(&p->scratch, text, t->length);
        if (!copy)
            return nh_parse_memory(p);
        x = nh_number_parse(copy, t->length);
        double size = nh_number_double(x);
        if (isinf(size) || size == 0)
            return nh_parse_fail(p, p->at, NH_VALUE, "the number %s is too %s to be represented",
                                 nh_token_quote(&p->tokens, p->at, quote), size == 0 ? "small" : "large");
    }
    nh_expr value = nh_constant(p->graph, x);
    return nh_parse_graph(p, p->at++) && push(p, value);
}

/* A function and its opening bracket. */
static bool open_call(nh_parser *p, const nh_symbol *symbol)
{
    char quote[NH_QUOTE];
    const char *name = nh_token_quote(&p->tokens, p->at, quote);
    if (symbol->value == NH_F_pow)
        return nh_parse_fail(p, p->at, NH_SYNTAX, "a power is written with ^");
    if (nh_kind_at(p, p->at + 1) != '(')
        return nh_parse_fail(p, p->at, NH_SYNTAX, "'%s' is a function: write %s( ... )", name, name);
    p->at += 2;
    return push_operator(p, CALL, p->at - 2);
}

/* `sum` or `prod`, its opening bracket, and its range at the other end of the bracket. */
static bool open_sum(nh_parser *p, int op)
{
    uint32_t name = p->at, open = name + 1, loop = p->tokens.token[open].match;
    const char *word = op == SUM ? "sum" : "prod";
    if (nh_kind_at(p, open) != '(' || nh_kind_at(p, loop) != NH_T_FOR)
        return nh_parse_fail(p, name, NH_SYNTAX, "'%s' needs a range: %s( ... for i = 1..n)", word, word);
    nh_range range;
    p->at = loop + 1;
    if (!nh_parse_range(p, &range))
        return false;
    if (nh_kind_at(p, p->at) != ')')
        return nh_parse_unexpected(p, "')' after the range");
    p->at = open + 1;
    return nh_loop_open(p, &range, NH_OPEN + p->loops) && push_operator(p, op, loop);
}

static bool read_operand(nh_parser *p, bool *operand)
{
    int kind = nh_kind_at(p, p->at);
    if (kind == '-' || kind == '(')
        return push_operator(p, kind == '-' ? NEG : PAREN, p->at++);
    if (kind == '+')
        return p->at++, true;
    if (kind != NH_T_NAME && kind != NH_T_NUMBER)
        return nh_parse_unexpected(p, "an expression");
    const nh_symbol *symbol = NULL;
    if (kind == NH_T_NAME && !nh_loop_find(p, p->at))
        symbol = nh_scope_find(&p->scope, nh_token_text(&p->tokens, p->at), p->tokens.token[p->at].length);
    if (symbol && symbol->sort == NH_S_FUNCTION)
        return open_call(p, symbol);
    if (symbol && (symbol->sort == NH_S_SUM || symbol->sort == NH_S_PROD))
        return open_sum(p, symbol->sort == NH_S_SUM ? SUM : PROD);
    *operand = false;
    nh_expr value;
    return kind == NH_T_NUMBER ? number(p) : nh_parse_reference(p, &value) && push(p, value);
}

/* ---- What follows an operand ---- */

static bool close_call(nh_parser *p, nh_pending call)
{
    nh_symbol *symbol =
        nh_scope_find(&p->scope, nh_token_text(&p->tokens, call.token), p->tokens.token[call.token].length);
    const nh_function_row *function = nh_function_get((nh_function)symbol->value);
    if (call.arguments != function->arguments)
        return nh_parse_fail(p, call.token, NH_SYNTAX, "%s takes %s, but %d %s given", function->name,
                             function->arguments == 1 ? "one argument" : "two arguments", call.arguments,
                             call.arguments == 1 ? "is" : "are");
    nh_expr b = function->arguments == 2 ? p->value[--p->values] : 0, a = p->value[--p->values];
    nh_expr value = p->dead ? a : nh_call(p->graph, (nh_function)symbol->value, a, b);
    return nh_parse_graph(p, call.token) && push(p, value);
}

static bool close_sum(nh_parser *p, nh_pending sum)
{
    nh_expr body = p->value[--p->values], value;
    nh_loop loop = p->loop[p->loops - 1];
    bool dead = p->dead > 0;
    /* Closing copies the body, once for every sum around a token or a let. */
    p->copied += p->work - sum.work;
    nh_loop_close(p);
    if (dead)
        value = nh_integer(p->graph, sum.op == PROD);
    else if (nh_get(p->graph, body).height >= NH_MAX_NEST)
        return nh_parse_fail(p, sum.token, NH_LIMIT, "sums and products may be nested %d deep, with those of lets",
                             NH_MAX_NEST);
    else
        value = sum.op == SUM ? nh_sum(p->graph, loop.index, loop.count, body)
                              : nh_prod(p->graph, loop.index, loop.count, body);
    p->at = p->tokens.token[sum.token].match + 1;
    return nh_parse_graph(p, sum.token) && push(p, value);
}

/* A comma, a closing bracket, or `for`. */
static bool read_end(nh_parser *p, int kind, bool *operand, bool *done)
{
    nh_pending *open = bracket(p);
    *done = open == NULL;
    if (*done)
        return kind == NH_T_END || kind == ',' || kind == '=' || kind == NH_T_FOR ||
               nh_parse_unexpected(p, "an operator or the end of the expression");
    bool call = open->op == CALL, loop = open->op == SUM || open->op == PROD;
    if (kind == ')' && !loop) {
        nh_pending closed = p->pending[--p->pendings];
        p->at++;
        return !call || close_call(p, closed);
    }
    if (kind == ',' && call) {
        if (open->arguments < UINT8_MAX)
            open->arguments++;
        p->at++;
        *operand = true;
        return true;
    }
    if (kind == NH_T_FOR && loop)
        return close_sum(p, p->pending[--p->pendings]);
    if (kind == NH_T_FOR)
        return nh_parse_fail(p, p->at, NH_SYNTAX,
                             "'for' stands in sum( ... ), in prod( ... ), or at the end of an item");
    return nh_parse_unexpected(p, loop   ? "an operator or 'for'"
                                  : call ? "an operator, ',' or ')'"
                                         : "an operator or ')'");
}

static bool read_operator(nh_parser *p, bool *operand, bool *done)
{
    int kind = nh_kind_at(p, p->at);
    int op = kind == '+' ? ADD : kind == '-' ? SUB : kind == '*' ? MUL : kind == '/' ? DIV : kind == '^' ? POW : -1;
    if (op < 0)
        return reduce(p, 1) && read_end(p, kind, operand, done);
    *operand = true;
    int level = op == POW ? precedence[POW] + 1 : precedence[op]; /* a^b^c is a^(b^c) */
    return reduce(p, level) && push_operator(p, op, p->at++);
}

bool nh_parse_expression(nh_parser *p, const nh_rules *rules, nh_expr *out)
{
    bool operand = true, done = false;
    p->rules = rules;
    p->values = p->pendings = 0;
    while (!done)
        if (!nh_parse_spend(p, 1) || !(operand ? read_operand(p, &operand) : read_operator(p, &operand, &done)))
            return false;
    *out = p->value[0];
    return true;
}
