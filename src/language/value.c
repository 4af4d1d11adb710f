/* SPDX-License-Identifier: MIT */
/* A single expression is read by the parser of models, on a copy of the model that has a graph of its own. */
#include "language/value.h"

#include "language/parse.h"
#include "model/evaluate.h"
#include "model/initial.h"
#include "model/uses.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 1 << 16, FIRST_TOKEN = 1 };

static nh_sort sort_of(nh_space space)
{
    return space == NH_PARAMETER ? NH_S_PARAMETER : space == NH_Q ? NH_S_COORDINATE : NH_S_ALGEBRAIC;
}

static bool add_outputs(nh_parser *p, const nh_named *list, int count)
{
    for (int i = 0; i < count; i++)
        if (!nh_scope_add(&p->scope, list[i].name, NH_S_OUTPUT))
            return false;
    return true;
}

/* The names of a model that has been read; what may not be used is there for the messages. */
static bool fill_scope(nh_parser *p)
{
    const nh_model *m = p->model;
    bool good = nh_scope_start(&p->scope);
    for (int i = 0; good && i < m->sizes; i++) {
        nh_symbol *symbol = nh_scope_add(&p->scope, m->size[i].name, NH_S_SIZE);
        good = symbol != NULL;
        if (good)
            symbol->value = m->size[i].value;
    }
    for (int i = 0; good && i < m->blocks; i++) {
        const nh_block *block = &m->block[i];
        nh_symbol *symbol = nh_scope_add(&p->scope, block->name, sort_of(block->space));
        good = symbol != NULL;
        if (good) {
            symbol->indexed = block->indexed;
            symbol->lower = block->lower;
            symbol->count = block->count;
            symbol->first = block->first;
        }
    }
    good = good && add_outputs(p, m->observable, m->observables) && add_outputs(p, m->invariant, m->invariants);
    p->parameters_ready = m->parameters;
    return good || nh_parse_memory(p);
}

static bool read_expression(nh_parser *p, nh_source source, nh_expr *out)
{
    char where[64];
    snprintf(where, sizeof where, "the value of %.40s", source.file);
    const nh_rules rules = {where, 1u << NH_PARAMETER};
    p->status = nh_tokens_read_line(&p->tokens, source, &p->at, p->error);
    if (p->status || !fill_scope(p) || !nh_parse_expression(p, &rules, out))
        return false;
    return nh_kind_at(p, p->at) == NH_T_END || nh_parse_unexpected(p, "an operator or the end");
}

/* Parameters are evaluated on the model itself, as they are for everything else. */
static nh_status evaluate(const nh_model *m, const nh_model *view, nh_expr value, nh_quad *out, nh_error *error)
{
    nh_quad *parameters = calloc((size_t)m->parameters + 1, sizeof *parameters);
    if (!parameters)
        return nh_fail(error, NH_MEMORY, "out of memory while evaluating an expression");
    const nh_quad *x[NH_SPACES] = {[NH_PARAMETER] = parameters};
    bool constant = !nh_depends(view->graph, value, 1u << NH_PARAMETER);
    nh_status status = constant ? NH_OK : nh_model_parameters(m, parameters, error);
    if (status == NH_OK)
        status = nh_evaluate_quad(view, &value, 1, x, out, error);
    free(parameters);
    return status;
}

static nh_status read_and_evaluate(const nh_model *m, nh_parser *p, nh_source source, nh_quad *out, bool *uses)
{
    nh_expr value;
    if (!read_expression(p, source, &value))
        return p->status;
    nh_status status = evaluate(m, p->model, value, out, p->error);
    if (status == NH_OK && !nh_quad_finite(*out)) {
        nh_parse_fail(p, FIRST_TOKEN, NH_VALUE, "the value of %.40s is not finite", source.file);
        status = p->status;
    }
    if (status == NH_OK && uses && !nh_model_uses(m, p->graph, value, uses))
        status = nh_fail(p->error, NH_MEMORY, "out of memory while reading %.40s", source.file);
    return status;
}

nh_status nh_model_value(const nh_model *m, const char *expression, const char *what, nh_quad *out, nh_error *error)
{
    return nh_model_value_uses(m, expression, what, out, NULL, error);
}

nh_status nh_model_value_uses(const nh_model *m, const char *expression, const char *what, nh_quad *out, bool *uses,
                              nh_error *error)
{
    *out = 0;
    nh_source source = {.file = what, .text = expression, .length = strlen(expression)};
    if (source.length > MOST_BYTES)
        return nh_fail(error, NH_LIMIT, "the value of %.40s is too long: at most %d bytes are read", what, MOST_BYTES);
    nh_model view = *m;
    nh_parser p = {.model = &view, .error = error};
    p.graph = view.graph = nh_graph_new();
    nh_status status = p.graph ? read_and_evaluate(m, &p, source, out, uses)
                               : nh_fail(error, NH_MEMORY, "out of memory while reading %.40s", what);
    nh_parser_free(&p);
    nh_graph_free(view.graph);
    return status;
}
