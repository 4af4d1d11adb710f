/* SPDX-License-Identifier: MIT */
/* Integers of the model language: sizes, subscripts, limits. Operator precedence with explicit stacks. */
#include "language/parse.h"

enum { ADD, SUB, MUL, DIV, NEG, POW, PAREN };

static const int precedence[] = {[PAREN] = 0, [ADD] = 1, [SUB] = 1, [MUL] = 2, [DIV] = 2, [NEG] = 3, [POW] = 4};

static bool push(nh_parser *p, nh_affine value)
{
    if (!nh_grow(&p->integer, &p->integer_capacity, p->integers, sizeof *p->integer))
        return nh_parse_memory(p);
    p->integer[p->integers++] = value;
    return true;
}

static bool push_operator(nh_parser *p, int op, uint32_t token)
{
    if (!nh_grow(&p->integer_pending, &p->integer_pending_capacity, p->integer_pendings, sizeof *p->integer_pending))
        return nh_parse_memory(p);
    p->integer_pending[p->integer_pendings++] = (nh_pending){.op = (uint8_t)op, .token = token};
    return true;
}

/* a/b where every coefficient is divisible. */
static bool divide(nh_parser *p, uint32_t token, nh_affine a, int64_t b, nh_affine *out)
{
    if (b == 0)
        return nh_parse_fail(p, token, NH_VALUE, "division by zero");
    bool exact = a.constant % b == 0;
    for (int i = 0; i < a.terms; i++)
        exact = exact && a.term[i].factor % b == 0;
    if (!exact)
        return nh_parse_fail(p, token, NH_VALUE, "the quotient is not an integer; sizes and subscripts are integers");
    nh_affine quotient = nh_affine_constant(0), term;
    bool good = nh_affine_add(quotient, nh_affine_constant(a.constant / b), &quotient);
    for (int i = 0; i < a.terms && good; i++)
        good = nh_affine_scale(nh_affine_index(a.term[i].index), a.term[i].factor / b, &term) &&
               nh_affine_add(quotient, term, &quotient);
    *out = quotient;
    return good || nh_parse_fail(p, token, NH_LIMIT, "an integer is too large");
}

static bool power(nh_parser *p, uint32_t token, int64_t base, int64_t exponent, nh_affine *out)
{
    if (exponent < 0)
        return nh_parse_fail(p, token, NH_VALUE, "a negative power is not an integer");
    nh_number result;
    int64_t value = 0;
    bool good = nh_number_pow(nh_number_integer(base), exponent, &result) && nh_number_is_integer(result, &value) &&
                value >= INT32_MIN && value <= INT32_MAX;
    *out = nh_affine_constant(good ? value : 0);
    return good || nh_parse_fail(p, token, NH_LIMIT, "an integer is too large: at most %d", INT32_MAX);
}

static bool compute(nh_parser *p, nh_pending op, nh_affine a, nh_affine b, nh_affine *out)
{
    bool good = true;
    switch (op.op) {
    case ADD:
        good = nh_affine_add(a, b, out);
        break;
    case SUB:
        good = nh_affine_scale(b, -1, &b) && nh_affine_add(a, b, out);
        break;
    case MUL:
        if (a.terms && b.terms)
            return nh_parse_fail(p, op.token, NH_MODEL,
                                 "a product of loop indices is no subscript or limit: these are affine");
        good = a.terms ? nh_affine_scale(a, b.constant, out) : nh_affine_scale(b, a.constant, out);
        break;
    default:
        if (b.terms || (op.op == POW && a.terms))
            return nh_parse_fail(p, op.token, NH_MODEL,
                                 "a subscript or limit is affine in loop indices: no quotient by one, no power");
        return op.op == DIV ? divide(p, op.token, a, b.constant, out) : power(p, op.token, a.constant, b.constant, out);
    }
    if (good && out->terms > NH_SUBSCRIPT_TERMS)
        return nh_parse_fail(p, op.token, NH_LIMIT, "a subscript or limit may contain %d loop indices at most",
                             NH_SUBSCRIPT_TERMS);
    return good || nh_parse_fail(p, op.token, NH_LIMIT, "an integer is too large: at most %d", INT32_MAX);
}

static bool apply(nh_parser *p)
{
    nh_pending op = p->integer_pending[--p->integer_pendings];
    nh_affine b = p->integer[--p->integers], result;
    if (op.op == NEG) {
        if (!nh_affine_scale(b, -1, &result))
            return nh_parse_fail(p, op.token, NH_LIMIT, "an integer is too large: at most %d", INT32_MAX);
    } else if (!compute(p, op, p->integer[--p->integers], b, &result)) {
        return false;
    }
    return push(p, result);
}

/* Applies what binds at least as tightly as the coming operator (a bracket: nothing). */
static bool reduce(nh_parser *p, int level)
{
    while (p->integer_pendings && precedence[p->integer_pending[p->integer_pendings - 1].op] >= level)
        if (!apply(p))
            return false;
    return true;
}

static bool number(nh_parser *p)
{
    const nh_token *t = &p->tokens.token[p->at];
    char quote[NH_QUOTE];
    int64_t value;
    if (!nh_number_is_integer(nh_number_parse(nh_token_text(&p->tokens, p->at), t->length), &value))
        return nh_parse_fail(p, p->at, NH_VALUE, "%s is not an integer; sizes, subscripts and limits are integers",
                             nh_token_quote(&p->tokens, p->at, quote));
    if (value > INT32_MAX)
        return nh_parse_fail(p, p->at, NH_LIMIT, "the integer is too large: at most %d", INT32_MAX);
    return push(p, nh_affine_constant(value));
}

static bool name(nh_parser *p)
{
    const nh_loop *loop = nh_loop_find(p, p->at);
    if (loop)
        return push(p, loop->value);
    char quote[NH_QUOTE];
    nh_symbol *symbol = nh_scope_find(&p->scope, nh_token_text(&p->tokens, p->at), p->tokens.token[p->at].length);
    if (!symbol)
        return nh_fail_unknown(p, p->at, 1u << NH_S_SIZE);
    if (symbol->sort != NH_S_SIZE)
        return nh_parse_fail(
            p, p->at, NH_NAME,
            "'%s' is %s; sizes, subscripts and limits may contain only integers, sizes and loop indices",
            nh_token_quote(&p->tokens, p->at, quote), nh_sort_text(p, symbol->sort));
    symbol->used = true;
    return push(p, nh_affine_constant(symbol->value));
}

/* Reads what may stand where an operand is expected; *operand becomes false after a whole one. */
static bool read_operand(nh_parser *p, bool *operand)
{
    int kind = nh_kind_at(p, p->at);
    if (kind == '-' || kind == '(') {
        if (!push_operator(p, kind == '-' ? NEG : PAREN, p->at))
            return false;
    } else if (kind == NH_T_NUMBER || kind == NH_T_NAME) {
        if (!(kind == NH_T_NUMBER ? number(p) : name(p)))
            return false;
        *operand = false;
    } else if (kind != '+') {
        return nh_parse_unexpected(p, "an integer");
    }
    p->at++;
    return true;
}

/* Reads what may stand after an operand; *done at the end of the integer. */
static bool read_operator(nh_parser *p, bool *operand, bool *done)
{
    int kind = nh_kind_at(p, p->at);
    int op = kind == '+' ? ADD : kind == '-' ? SUB : kind == '*' ? MUL : kind == '/' ? DIV : kind == '^' ? POW : -1;
    *operand = op >= 0;
    if (*operand) {
        if (!reduce(p, op == POW ? precedence[POW] + 1 : precedence[op]) || !push_operator(p, op, p->at))
            return false;
        p->at++;
        return true;
    }
    if (!reduce(p, 1))
        return false;
    *done = p->integer_pendings == 0;
    if (*done)
        return true;
    if (kind != ')')
        return nh_parse_unexpected(p, "an operator or ')'");
    p->integer_pendings--;
    p->at++;
    return true;
}

bool nh_parse_integer(nh_parser *p, nh_affine *out)
{
    bool operand = true, done = false;
    p->integers = p->integer_pendings = 0;
    while (!done)
        if (!nh_parse_spend(p, 1) || !(operand ? read_operand(p, &operand) : read_operator(p, &operand, &done)))
            return false;
    *out = p->integer[0];
    return true;
}
