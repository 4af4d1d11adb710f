/* SPDX-License-Identifier: MIT */
/* Lists, index ranges, and the loops that ranges open. */
#include "language/parse.h"

#include <inttypes.h>

/* ---- Loops ---- */

bool nh_loop_open(nh_parser *p, const nh_range *range, int index)
{
    if (p->loops >= NH_MAX_NEST)
        return nh_parse_fail(p, range->name, NH_LIMIT, "sums and products may be nested %d deep", NH_MAX_NEST);
    nh_loop *loop = &p->loop[p->loops];
    *loop = (nh_loop){.name = nh_token_text(&p->tokens, range->name),
                      .length = p->tokens.token[range->name].length,
                      .index = index,
                      .value = range->lower,
                      .count = range->count};
    bool good = index < 0 || nh_affine_add(range->lower, nh_affine_index(index), &loop->value);
    if (!good || loop->value.terms > NH_SUBSCRIPT_TERMS)
        return nh_parse_fail(p, range->name, NH_LIMIT, "the range depends on more than %d loop indices",
                             NH_SUBSCRIPT_TERMS - 1);
    p->loops++;
    if (p->dead || (index >= 0 && !nh_nest_runs(p->loop, p->loops)))
        p->dead++;
    return true;
}

void nh_loop_close(nh_parser *p)
{
    p->loops--;
    p->dead -= p->dead > 0;
}

static bool check_index_name(nh_parser *p, uint32_t name)
{
    char quote[NH_QUOTE];
    nh_token_quote(&p->tokens, name, quote);
    const nh_symbol *symbol = nh_scope_find(&p->scope, nh_token_text(&p->tokens, name), p->tokens.token[name].length);
    if (symbol)
        return nh_parse_fail(p, name, NH_NAME, "'%s' is %s; choose another name for the index", quote,
                             nh_sort_text(p, symbol->sort));
    if (nh_loop_find(p, name))
        return nh_parse_fail(p, name, NH_NAME, "'%s' is the index of a loop around this one; choose another name",
                             quote);
    return true;
}

bool nh_parse_range(nh_parser *p, nh_range *range)
{
    nh_affine upper, minus;
    range->name = p->at;
    if (!nh_parse_expect(p, NH_T_NAME, "the name of an index") || !check_index_name(p, range->name) ||
        !nh_parse_expect(p, '=', "'='"))
        return false;
    if (!nh_parse_integer(p, &range->lower) || !nh_parse_expect(p, NH_T_RANGE, "'..'") || !nh_parse_integer(p, &upper))
        return false;
    bool good = nh_affine_scale(range->lower, -1, &minus) && nh_affine_add(upper, minus, &range->count) &&
                nh_affine_add(range->count, nh_affine_constant(1), &range->count);
    return good || nh_parse_fail(p, range->name, NH_LIMIT, "the range is too long%s",
                                 p->loops > 1 ? ", or depends on too many loop indices" : "");
}

bool nh_parse_bounds(nh_parser *p, int32_t *lower, int32_t *count)
{
    nh_affine low, high;
    uint32_t start = p->at;
    if (!nh_parse_integer(p, &low) || !nh_parse_expect(p, NH_T_RANGE, "'..'") || !nh_parse_integer(p, &high))
        return false;
    int64_t length = (int64_t)high.constant - low.constant + 1;
    if (length < 0)
        return nh_parse_fail(p, start, NH_VALUE, "the range %d..%d runs backwards", low.constant, high.constant);
    if (length > NH_MOST_COMPONENTS)
        return nh_parse_fail(p, start, NH_LIMIT, "the range %d..%d has %" PRId64 " elements; at most %d are possible",
                             low.constant, high.constant, length, NH_MOST_COMPONENTS);
    *lower = low.constant;
    *count = (int32_t)length;
    return true;
}

/* ---- Items ---- */

bool nh_item_find(nh_parser *p, nh_item *item)
{
    const nh_tokens *t = &p->tokens;
    uint32_t i = p->at;
    *item = (nh_item){.start = p->at};
    for (; t->token[i].kind != NH_T_END && t->token[i].kind != ',' && t->token[i].kind != NH_T_FOR; i++)
        if (t->token[i].kind == '(' || t->token[i].kind == '[')
            i = nh_token_close(t, i);
    item->stop = item->resume = i;
    if (i == item->start && t->token[i].kind == NH_T_FOR)
        return nh_parse_fail(p, i, NH_NAME, "'for' is a reserved word");
    if (t->token[i].kind != NH_T_FOR)
        return true;
    p->at = i + 1;
    if (!nh_parse_range(p, &item->range))
        return false;
    item->resume = p->at;
    if (nh_kind_at(p, p->at) != NH_T_END && nh_kind_at(p, p->at) != ',')
        return nh_parse_unexpected(p, "',' or the end of the statement after the range");
    p->at = item->start;
    return true;
}

bool nh_item_finish(nh_parser *p, const nh_item *item)
{
    if (p->at != item->stop)
        return nh_parse_unexpected(p, "an operator, ',' or the end of the statement");
    p->at = item->resume;
    return true;
}

bool nh_item_list(nh_parser *p, bool (*read)(nh_parser *p, nh_item *item))
{
    do {
        nh_item item;
        if (!nh_item_find(p, &item) || !read(p, &item) || !nh_item_finish(p, &item))
            return false;
    } while (nh_parse_accept(p, ','));
    return true;
}

bool nh_item_each(nh_parser *p, nh_item *item, bool (*read)(nh_parser *p))
{
    if (!item->range.name)
        return read(p);
    int64_t count = item->range.count.constant;
    if (count <= 0) { /* read once without effect, so that mistakes are found and names count as used */
        if (!nh_loop_open(p, &item->range, NH_OPEN) || !read(p))
            return false;
        nh_loop_close(p);
        return true;
    }
    if (count > NH_MOST_COMPONENTS)
        return nh_parse_fail(p, item->range.name, NH_LIMIT,
                             "the range has %" PRId64 " elements; at most %d are possible", count, NH_MOST_COMPONENTS);
    nh_range round = item->range;
    p->at = item->stop;
    for (int64_t i = 0; i < count && p->at == item->stop;
         i++) { /* if it was not read to its end, the caller complains */
        p->at = item->start;
        round.lower = nh_affine_constant(item->range.lower.constant + i);
        if (!nh_loop_open(p, &round, -1) || !read(p))
            return false;
        nh_loop_close(p);
    }
    return true;
}
