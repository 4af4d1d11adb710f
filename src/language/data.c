/* SPDX-License-Identifier: MIT */
/* Statements that are data: initial values, the exact solution, step and end. */
#include "language/parse.h"

#include <stdlib.h>

/* ---- Initial values ---- */

/* Place of a component in the order q, v, z. */
static int place_of(const nh_model *m, nh_space space, int component)
{
    return component + (space == NH_V ? m->n : space == NH_LAMBDA ? 2 * m->n : 0);
}

static int places(const nh_model *m)
{
    return 2 * m->n + m->algebraic;
}

static nh_expr *initial_value(const nh_model *m, int place)
{
    return place < m->n       ? &m->initial_q[place]
           : place < 2 * m->n ? &m->initial_v[place - m->n]
                              : &m->initial_z[place - 2 * m->n];
}

bool nh_initial_start(nh_parser *p)
{
    nh_model *m = p->model;
    int count = places(m);
    m->initial_q = NH_NEW(&m->arena, nh_expr, count + 1);
    m->initial_order = NH_NEW(&m->arena, int, count + 1);
    p->initial_used = NH_NEW(&p->scratch, uint32_t, count + 1);
    p->initial_given = NH_NEW(&p->scratch, uint32_t, count + 1);
    if (m->arena.failed || p->scratch.failed)
        return nh_parse_memory(p);
    m->initial_v = m->initial_q + m->n;
    m->initial_z = m->initial_v + m->n;
    nh_expr zero = nh_integer(p->graph, 0);
    for (int i = 0; i < count; i++)
        m->initial_q[i] = zero;
    return true;
}

bool nh_initial_use(nh_parser *p, uint32_t token, nh_space space, nh_affine component)
{
    int64_t low, high;
    if (!nh_nest_bounds(p->loop, p->loops, component, &low, &high))
        return nh_parse_fail(p, token, NH_LIMIT, "the subscript is too large");
    int size = space == NH_LAMBDA ? p->model->algebraic : p->model->n;
    low = low < 0 ? 0 : low;
    high = high < size ? high : size - 1;
    if (!nh_parse_spend(p, high < low ? 0 : (uint64_t)(high - low)))
        return false;
    for (int64_t k = low; k <= high; k++) {
        uint32_t *used = &p->initial_used[place_of(p->model, space, (int)k)];
        *used = *used ? *used : token;
    }
    return true;
}

/* The uses in a let. What a sum goes over is not looked at closely: it counts as a use of the whole vector. */
bool nh_initial_use_all(nh_parser *p, uint32_t token, nh_expr e)
{
    uint32_t length;
    nh_expr *list = nh_reachable(p->graph, &e, 1, &length);
    bool good = true;
    if (!list)
        return nh_parse_memory(p);
    for (uint32_t i = 0; good && i < length; i++) {
        nh_node n = nh_get(p->graph, list[i]);
        if (n.op != NH_VARIABLE || n.space == NH_PARAMETER)
            continue;
        nh_affine component = nh_get_affine(p->graph, list[i]);
        int size = n.space == NH_LAMBDA ? p->model->algebraic : p->model->n;
        for (int k = 0; good && k < (component.terms ? size : 1); k++)
            good = nh_parse_spend(p, 1) &&
                   nh_initial_use(p, token, n.space, component.terms ? nh_affine_constant(k) : component);
    }
    good = good && nh_parse_spend(p, length);
    free(list);
    return good;
}

/* Records that a value is given at the target's token; complains if that is the second time or too late. */
static bool give_initial(nh_parser *p, const nh_target *target, int place)
{
    char quote[NH_QUOTE];
    nh_token_quote(&p->tokens, target->token, quote);
    uint32_t given = p->initial_given[place], used = p->initial_used[place];
    if (given)
        return nh_parse_fail(p, target->token, NH_MODEL,
                             "the initial value of '%s' is given twice; the first time in line %d", quote,
                             p->tokens.token[given].line);
    if (used)
        return nh_parse_fail(p, target->token, NH_MODEL,
                             "the initial value of '%s' is used in line %d; give it above that", quote,
                             p->tokens.token[used].line);
    p->initial_given[place] = target->token;
    p->model->initial_order[p->initial_count++] = place;
    return true;
}

static uint32_t target_sorts(void)
{
    return 1u << NH_S_COORDINATE | 1u << NH_S_ALGEBRAIC;
}

static bool refuse_velocity(nh_parser *p, const nh_target *target)
{
    if (target->space != NH_V || p->model->kind == NH_LAGRANGIAN)
        return true;
    return nh_parse_fail(p, target->token, NH_MODEL, "this kind of system has no initial velocities");
}

static bool read_initial(nh_parser *p)
{
    nh_rules rules = {"an initial value", 1u << NH_PARAMETER | nh_state_spaces(p)};
    nh_target target;
    nh_expr value;
    if (!nh_parse_target(p, target_sorts(), &target) || !refuse_velocity(p, &target) || !nh_parse_expect(p, '=', "'='"))
        return false;
    p->reading_initial = true;
    bool good = nh_parse_expression(p, &rules, &value);
    p->reading_initial = false;
    if (!good || p->dead)
        return good;
    int place = place_of(p->model, target.space, target.component.constant);
    *initial_value(p->model, place) = value;
    return give_initial(p, &target, place);
}

static bool read_initial_item(nh_parser *p, nh_item *item)
{
    return nh_item_each(p, item, read_initial);
}

bool nh_parse_initial(nh_parser *p)
{
    return nh_item_list(p, read_initial_item);
}

/* One --initial: replaces a value, whether it is given or not. */
static bool replace_one(nh_parser *p, nh_replacement *r, uint32_t *replaced)
{
    static const nh_rules rules = {"a replaced initial value", 1u << NH_PARAMETER};
    nh_target target;
    nh_expr value;
    char quote[NH_QUOTE];
    p->at = r->token;
    if (!nh_parse_target(p, target_sorts(), &target) || !refuse_velocity(p, &target) || !nh_parse_expect(p, '=', "'='"))
        return false;
    if (!nh_parse_expression(p, &rules, &value))
        return false;
    if (nh_kind_at(p, p->at) != NH_T_END)
        return nh_parse_unexpected(p, "an operator or the end");
    int place = place_of(p->model, target.space, target.component.constant);
    if (replaced[place])
        return nh_parse_fail(p, target.token, NH_MODEL, "the initial value of '%s' is replaced twice",
                             nh_token_quote(&p->tokens, target.token, quote));
    replaced[place] = 1;
    *initial_value(p->model, place) = value;
    return r->taken = nh_replace_note(p, p->model->parameters + place);
}

static bool replace_initial(nh_parser *p)
{
    static const nh_statement statement = {.keyword = "--initial"};
    uint32_t *replaced = NULL;
    p->statement = &statement;
    for (int i = 0; i < p->replacements; i++) {
        if (!p->replacement[i].initial)
            continue;
        if (!replaced)
            replaced = NH_NEW(&p->scratch, uint32_t, places(p->model) + 1);
        if (!replaced)
            return nh_parse_memory(p);
        if (!replace_one(p, &p->replacement[i], replaced))
            return false;
    }
    return true;
}

/* What is not given comes first: it depends on nothing that is. */
bool nh_initial_finish(nh_parser *p)
{
    nh_model *m = p->model;
    int count = places(m), *order = NH_NEW(&m->arena, int, count + 1), used = 0;
    if (!order)
        return nh_parse_memory(p);
    if (!replace_initial(p))
        return false;
    for (int i = 0; i < count; i++)
        if (!p->initial_given[i])
            order[used++] = i;
    for (int i = 0; i < p->initial_count; i++)
        order[used++] = m->initial_order[i];
    m->initial_order = order;
    return true;
}

/* ---- Exact solution ---- */

static bool read_exact(nh_parser *p)
{
    nh_rules rules = {"an exact solution", 1u << NH_TIME | 1u << NH_PARAMETER | nh_state_spaces(p)};
    nh_model *m = p->model;
    nh_target target;
    nh_expr value;
    char quote[NH_QUOTE];
    if (!nh_parse_target(p, target_sorts(), &target))
        return false;
    if (target.space == NH_V)
        return nh_parse_fail(p, target.token, NH_SYNTAX,
                             "an exact solution is given for coordinates; velocities follow from it");
    if (!nh_parse_expect(p, '=', "'='") || !nh_parse_expression(p, &rules, &value))
        return false;
    if (p->dead)
        return true;
    nh_expr **vector = target.space == NH_LAMBDA ? &m->exact_z : &m->exact_q;
    if (!*vector)
        *vector = NH_NEW(&m->arena, nh_expr, target.space == NH_LAMBDA ? m->algebraic : m->n);
    if (!*vector)
        return nh_parse_memory(p);
    nh_expr *entry = &(*vector)[target.component.constant];
    if (*entry)
        return nh_parse_fail(p, target.token, NH_MODEL, "the exact solution of '%s' is given twice",
                             nh_token_quote(&p->tokens, target.token, quote));
    *entry = value;
    return true;
}

static bool read_exact_item(nh_parser *p, nh_item *item)
{
    return nh_item_each(p, item, read_exact);
}

bool nh_parse_exact(nh_parser *p)
{
    p->place_exact = p->keyword;
    return nh_item_list(p, read_exact_item);
}

/* ---- Step and end ---- */

static bool read_time(nh_parser *p, const char *where, nh_expr *out)
{
    nh_rules rules = {where, 1u << NH_PARAMETER};
    uint32_t start = p->at;
    if (!nh_parse_expression(p, &rules, out))
        return false;
    nh_node n = nh_get(p->graph, *out);
    if (n.op == NH_NUMBER && nh_number_double(nh_get_number(p->graph, *out)) <= 0)
        return nh_parse_fail(p, start, NH_VALUE, "%s is positive", where);
    return true;
}

bool nh_parse_step(nh_parser *p)
{
    return read_time(p, "a step", &p->model->step);
}

bool nh_parse_until(nh_parser *p)
{
    return read_time(p, "an end time", &p->model->until);
}
