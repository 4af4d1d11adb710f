/* SPDX-License-Identifier: MIT */
/* Values that may use earlier values. Each becomes a function of its own, and they are run one after the other. */
#include "model/initial.h"

#include "model/evaluate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Everything in one piece of memory: parameters, q, v, z. */
typedef struct values {
    const nh_model *m;
    nh_quad *parameters, *q, *v, *z;
} values;

/* Evaluates list[i] into *target[i] in this order. */
static nh_status run_in_order(const values *s, const nh_expr *list, nh_quad *const *target, int count, int parameters,
                              nh_error *error)
{
    nh_field *fields = calloc((size_t)count + 1, sizeof *fields);
    bool good = fields != NULL;
    for (int i = 0; good && i < count; i++) {
        fields[i] = (nh_field){.rows = 1, .columns = 1};
        good = nh_field_set(&fields[i], 0, 0, list[i]);
    }
    nh_probe probe = {0};
    nh_status status = good ? nh_probe_new(s->m->graph, fields, count, parameters, &probe, error)
                            : nh_fail(error, NH_MEMORY, "out of memory while evaluating initial values");
    if (status == NH_OK) {
        const nh_quad zero = 0;
        const nh_quad *x[NH_SPACES] = {
            [NH_TIME] = &zero, [NH_Q1] = s->parameters, [NH_Q] = s->q, [NH_V] = s->v, [NH_LAMBDA] = s->z};
        nh_probe_parameters(&probe, s->parameters);
        for (int i = 0; i < count; i++)
            nh_probe_run(&probe, i + 1, x, target[i]);
    }
    nh_probe_free(&probe);
    for (int i = 0; fields && i < count; i++)
        nh_field_free(&fields[i]);
    free(fields);
    return status;
}

/* What depends on parameters only would be computed before the first parameter is known: they are read elsewhere. */
static nh_expr move_parameter(void *context, nh_graph *g, nh_space space, nh_affine component)
{
    (void)context;
    return space == NH_PARAMETER ? nh_variable(g, NH_Q1, component) : 0;
}

static nh_status evaluate_parameters(const values *s, nh_expr *list, nh_quad **target, nh_error *error)
{
    const nh_model *m = s->m;
    for (int i = 0; i < m->parameters; i++) {
        list[i] = nh_substitute(m->graph, m->parameter_default[i], move_parameter, NULL);
        target[i] = &s->parameters[i];
    }
    return run_in_order(s, list, target, m->parameters, 0, error);
}

static nh_status evaluate_initial(const values *s, nh_expr *list, nh_quad **target, nh_error *error)
{
    const nh_model *m = s->m;
    int count = 2 * m->n + m->algebraic;
    for (int i = 0; i < count; i++) {
        int k = m->initial_order[i], n = m->n;
        list[i] = k < n ? m->initial_q[k] : k < 2 * n ? m->initial_v[k - n] : m->initial_z[k - 2 * n];
        target[i] = &s->q[k]; /* q, v, z follow one another */
    }
    return run_in_order(s, list, target, count, m->parameters, error);
}

/* Looks at the first `count` values in the order parameters, q, v, z. */
static nh_status check_finite(const values *s, int count, nh_error *error)
{
    const nh_model *m = s->m;
    for (int i = 0; i < count; i++) {
        if (nh_quad_finite(s->parameters[i]))
            continue;
        int k = i - m->parameters, n = m->n;
        nh_space space = k < 0 ? NH_PARAMETER : k < n ? NH_Q : k < 2 * n ? NH_V : NH_LAMBDA;
        nh_text name = {0};
        nh_model_component_name(m, space, k < 0 ? i : k < n ? k : k < 2 * n ? k - n : k - 2 * n, false, &name);
        nh_status status = nh_fail(error, NH_VALUE, "the %s of %s is not finite",
                                   k < 0 ? "default value" : "initial value", nh_text_get(&name));
        nh_text_free(&name);
        return status;
    }
    return NH_OK;
}

static void copy_out(nh_quad *to, const nh_quad *from, int count)
{
    if (to && count)
        memcpy(to, from, (size_t)count * sizeof *to);
}

nh_status nh_model_initial(const nh_model *m, nh_quad *parameters, nh_quad *q, nh_quad *v, nh_quad *z, nh_error *error)
{
    size_t count = (size_t)m->parameters + 2 * (size_t)m->n + (size_t)m->algebraic + 1;
    values s = {.m = m, .parameters = calloc(count, sizeof(nh_quad))};
    nh_expr *list = calloc(count, sizeof *list);
    nh_quad **target = calloc(count, sizeof *target);
    nh_status status = NH_MEMORY;
    if (s.parameters && list && target) {
        s.q = s.parameters + m->parameters;
        s.v = s.q + m->n;
        s.z = s.v + m->n;
        status = evaluate_parameters(&s, list, target, error);
        if (status == NH_OK)
            status = evaluate_initial(&s, list, target, error);
    } else {
        nh_fail(error, NH_MEMORY, "out of memory while evaluating initial values");
    }
    if (status == NH_OK) {
        copy_out(parameters, s.parameters, m->parameters);
        copy_out(q, s.q, m->n);
        copy_out(v, s.v, m->n);
        copy_out(z, s.z, m->algebraic);
        status = check_finite(&s, m->parameters + 2 * m->n + m->algebraic, error);
    }
    free(s.parameters);
    free(list);
    free(target);
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
    values s = {.m = m, .parameters = parameters};
    nh_expr *list = calloc((size_t)m->parameters + 1, sizeof *list);
    nh_quad **target = calloc((size_t)m->parameters + 1, sizeof *target);
    nh_status status = list && target ? evaluate_parameters(&s, list, target, error)
                                      : nh_fail(error, NH_MEMORY, "out of memory while evaluating parameters");
    free(list);
    free(target);
    return status == NH_OK ? check_finite(&s, m->parameters, error) : status;
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
