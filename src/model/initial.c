/* SPDX-License-Identifier: MIT */
/* Values that may use earlier values. Each that is not a mere number becomes a function of its own, and they are run
 * one after the other. */
#include "model/initial.h"

#include "model/evaluate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct rule {
    int function;   /* of the probe, or 0 for … */
    nh_quad number; /* … a number */
} rule;

struct nh_initial {
    const nh_model *m;
    nh_probe defaults, data;
    rule *rule;              /* parameters, then data in the order in which they are evaluated */
    nh_quad *value;          /* parameters, q, v, z */
    const nh_quad **instead; /* of a value: what is given, or NULL */
};

static int data_count(const nh_model *m)
{
    return 2 * m->n + m->algebraic;
}

static nh_status out_of_memory(nh_error *error)
{
    return nh_fail(error, NH_MEMORY, "out of memory while evaluating initial values");
}

/* Returns how many functions there are. Numbers need none: large systems have many of them, and little else. */
static int find_rules(const nh_graph *g, const nh_expr *list, int count, rule *out)
{
    int functions = 0;
    for (int i = 0; i < count; i++)
        if (nh_get(g, list[i]).op == NH_NUMBER)
            out[i] = (rule){.number = nh_number_quad(nh_get_number(g, list[i]))};
        else
            out[i] = (rule){.function = ++functions};
    return functions;
}

static nh_status make_probe(const nh_model *m, const nh_expr *list, int count, int parameters, rule *rules,
                            nh_probe *out, nh_error *error)
{
    const int functions = find_rules(m->graph, list, count, rules);
    nh_field *fields = calloc((size_t)functions + 1, sizeof *fields);
    nh_piece *pieces = calloc((size_t)functions + 1, sizeof *pieces); /* one each, at row and column 0 */
    for (int i = 0; fields && pieces && i < count; i++) {
        const int k = rules[i].function - 1;
        if (k < 0)
            continue;
        pieces[k].value = list[i];
        fields[k] = (nh_field){.rows = 1, .columns = 1, .piece = &pieces[k], .pieces = 1};
    }
    nh_status status =
        fields && pieces ? nh_probe_new(m->graph, fields, functions, parameters, out, error) : out_of_memory(error);
    free(pieces);
    free(fields);
    return status;
}

/* What depends on parameters only would be computed before the first parameter is known: they are read elsewhere. */
static nh_expr move_parameter(void *context, nh_graph *g, nh_space space, nh_affine component)
{
    (void)context;
    return space == NH_PARAMETER ? nh_variable(g, NH_Q1, component) : 0;
}

static nh_status make_defaults(nh_initial *s, nh_expr *list, nh_error *error)
{
    for (int i = 0; i < s->m->parameters; i++)
        list[i] = nh_substitute(s->m->graph, s->m->parameter_default[i], move_parameter, NULL);
    return make_probe(s->m, list, s->m->parameters, 0, s->rule, &s->defaults, error);
}

static nh_status make_data(nh_initial *s, nh_expr *list, nh_error *error)
{
    const nh_model *m = s->m;
    for (int i = 0; i < data_count(m); i++) {
        int k = m->initial_order[i], n = m->n;
        list[i] = k < n ? m->initial_q[k] : k < 2 * n ? m->initial_v[k - n] : m->initial_z[k - 2 * n];
    }
    return make_probe(m, list, data_count(m), m->parameters, s->rule + m->parameters, &s->data, error);
}

static nh_status make(const nh_model *m, bool data, nh_initial **out, nh_error *error)
{
    const size_t count = (size_t)m->parameters + (size_t)data_count(m) + 1;
    nh_initial *s = calloc(1, sizeof *s);
    nh_expr *list = calloc(count, sizeof *list);
    *out = s;
    if (!s || !list) {
        free(list);
        return out_of_memory(error);
    }
    s->m = m;
    s->value = calloc(count, sizeof *s->value);
    s->instead = calloc(count, sizeof *s->instead);
    s->rule = calloc(count, sizeof *s->rule);
    nh_status status = s->value && s->instead && s->rule ? make_defaults(s, list, error) : out_of_memory(error);
    if (status == NH_OK && data)
        status = make_data(s, list, error);
    free(list);
    return status;
}

nh_status nh_initial_new(const nh_model *m, nh_initial **out, nh_error *error)
{
    nh_status status = make(m, true, out, error);
    if (status != NH_OK) {
        nh_initial_free(*out);
        *out = NULL;
    }
    return status;
}

void nh_initial_free(nh_initial *s)
{
    if (!s)
        return;
    nh_probe_free(&s->defaults);
    nh_probe_free(&s->data);
    free(s->value);
    free(s->instead);
    free(s->rule);
    free(s);
}

static void set_one(nh_initial *s, nh_probe *probe, const rule *by, const nh_quad *const x[NH_SPACES], int place)
{
    if (s->instead[place])
        s->value[place] = *s->instead[place];
    else if (by->function > 0)
        nh_probe_run(probe, by->function, x, &s->value[place]);
    else
        s->value[place] = by->number;
}

static void evaluate_parameters(nh_initial *s)
{
    const nh_quad zero = 0, *x[NH_SPACES] = {[NH_TIME] = &zero, [NH_Q1] = s->value};
    nh_probe_parameters(&s->defaults, s->value);
    for (int i = 0; i < s->m->parameters; i++)
        set_one(s, &s->defaults, &s->rule[i], x, i);
}

static void evaluate_data(nh_initial *s)
{
    const nh_model *m = s->m;
    const nh_quad zero = 0, *q = s->value + m->parameters, *v = q + m->n;
    const nh_quad *x[NH_SPACES] = {
        [NH_TIME] = &zero, [NH_Q1] = s->value, [NH_Q] = q, [NH_V] = v, [NH_LAMBDA] = v + m->n};
    nh_probe_parameters(&s->data, s->value);
    for (int i = 0; i < data_count(m); i++)
        set_one(s, &s->data, &s->rule[m->parameters + i], x, m->parameters + m->initial_order[i]);
}

void nh_model_place_name(const nh_model *m, int place, nh_text *out)
{
    const int k = place - m->parameters, n = m->n;
    const nh_space space = k < 0 ? NH_PARAMETER : k < n ? NH_Q : k < 2 * n ? NH_V : NH_LAMBDA;
    nh_model_component_name(m, space, k < 0 ? place : k < n ? k : k < 2 * n ? k - n : k - 2 * n, false, out);
}

/* Looks at the first `count` values in the order parameters, q, v, z. */
static nh_status check_finite(const nh_initial *s, int count, nh_error *error)
{
    const nh_model *m = s->m;
    for (int i = 0; i < count; i++) {
        if (nh_quad_finite(s->value[i]))
            continue;
        nh_text name = {0};
        nh_model_place_name(m, i, &name);
        nh_status status = nh_fail(error, NH_VALUE, "the %s of %s is not finite",
                                   i < m->parameters ? "default value" : "initial value", nh_text_get(&name));
        nh_text_free(&name);
        return status;
    }
    return NH_OK;
}

nh_status nh_initial_at(nh_initial *s, const nh_given *given, int count, const nh_quad **values, nh_error *error)
{
    for (int i = 0; i < count; i++)
        s->instead[given[i].place] = &given[i].value;
    evaluate_parameters(s);
    evaluate_data(s);
    for (int i = 0; i < count; i++)
        s->instead[given[i].place] = NULL;
    *values = s->value;
    return check_finite(s, s->m->parameters + data_count(s->m), error);
}

static void copy_out(nh_quad *to, const nh_quad *from, int count)
{
    if (to && count)
        memcpy(to, from, (size_t)count * sizeof *to);
}

nh_status nh_model_initial(const nh_model *m, nh_quad *parameters, nh_quad *q, nh_quad *v, nh_quad *z, nh_error *error)
{
    nh_initial *s;
    const nh_quad *from;
    nh_status status = nh_initial_new(m, &s, error);
    if (status != NH_OK)
        return status;
    status = nh_initial_at(s, NULL, 0, &from, error);
    copy_out(parameters, from, m->parameters);
    copy_out(q, from + m->parameters, m->n);
    copy_out(v, from + m->parameters + m->n, m->n);
    copy_out(z, from + m->parameters + 2 * m->n, m->algebraic);
    nh_initial_free(s);
    return status;
}

static void round_out(double *to, const nh_quad *from, int count)
{
    for (int i = 0; to && i < count; i++)
        to[i] = (double)from[i];
}

nh_status nh_model_initial_double(const nh_model *m, double *parameters, double *q, double *v, double *z,
                                  nh_error *error)
{
    size_t count = (size_t)m->parameters + 2 * (size_t)m->n + (size_t)m->algebraic + 1;
    nh_quad *all = calloc(count, sizeof *all);
    if (!all)
        return nh_fail(error, NH_MEMORY, "out of memory while evaluating initial values");
    nh_quad *of_q = all + m->parameters, *of_v = of_q + m->n, *of_z = of_v + m->n;
    nh_status status = nh_model_initial(m, all, of_q, of_v, of_z, error);
    if (status == NH_OK || status == NH_VALUE) {
        round_out(parameters, all, m->parameters);
        round_out(q, of_q, m->n);
        round_out(v, of_v, m->n);
        round_out(z, of_z, m->algebraic);
    }
    free(all);
    return status;
}

nh_status nh_model_parameters(const nh_model *m, nh_quad *parameters, nh_error *error)
{
    nh_initial *s;
    nh_status status = make(m, false, &s, error);
    if (status == NH_OK) {
        evaluate_parameters(s);
        copy_out(parameters, s->value, m->parameters);
        status = check_finite(s, m->parameters, error);
    }
    nh_initial_free(s);
    return status;
}

/* ---- Step and end ---- */

static nh_status check_positive(const nh_model *m, const char *statement, nh_quad value, nh_error *error)
{
    if (value > 0 && nh_quad_finite(value))
        return NH_OK;
    nh_status status =
        nh_fail(error, NH_VALUE, "the model's '%s' is %g; it must be positive and finite", statement, (double)value);
    if (error)
        snprintf(error->file, sizeof error->file, "%s", m->file);
    return status;
}

nh_status nh_model_step_and_until(const nh_model *m, nh_quad *step, bool *has_step, nh_quad *until, bool *has_until,
                                  nh_error *error)
{
    *has_step = m->step != 0;
    *has_until = m->until != 0;
    *step = *until = 0;
    if (!*has_step && !*has_until)
        return NH_OK;
    nh_expr either = m->step ? m->step : m->until, list[2] = {either, m->until ? m->until : either};
    nh_quad value[2], *parameters = calloc((size_t)m->parameters + 1, sizeof *parameters);
    const nh_quad *x[NH_SPACES] = {[NH_PARAMETER] = parameters};
    nh_status status = parameters ? nh_model_parameters(m, parameters, error)
                                  : nh_fail(error, NH_MEMORY, "out of memory while evaluating step and end");
    if (status == NH_OK)
        status = nh_evaluate_quad(m, list, 2, x, value, error);
    free(parameters);
    if (status == NH_OK && *has_step)
        status = check_positive(m, "step", *step = value[0], error);
    if (status == NH_OK && *has_until)
        status = check_positive(m, "until", *until = value[1], error);
    return status;
}
