/* SPDX-License-Identifier: MIT */
#include "report/report.h"

#include "model/evaluate.h"
#include "model/initial.h"

#include <math.h>
#include <nonholo/report.h>

/* The value of an expression of parameters; NaN if there is none. */
static nh_status suggestion(const nh_report *r, nh_expr e, double *out, nh_error *error)
{
    const nh_quad *x[NH_SPACES] = {[NH_PARAMETER] = r->parameter};
    nh_quad value = (nh_quad)NAN;
    const nh_status status = e ? nh_evaluate_quad(r->m, &e, 1, x, &value, error) : NH_OK;
    *out = (double)value;
    return status;
}

nh_status nh_report_new(const nh_model *m, nh_report *out, nh_error *error)
{
    *out = (nh_report){.m = m};
    out->parameter = NH_NEW(&out->arena, nh_quad, m->parameters + 1);
    out->q = NH_NEW(&out->arena, nh_quad, m->n + 1);
    out->v = NH_NEW(&out->arena, nh_quad, m->n + 1);
    out->z = NH_NEW(&out->arena, nh_quad, m->algebraic + 1);
    nh_status status = out->arena.failed ? nh_fail(error, NH_MEMORY, "out of memory") : NH_OK;
    if (status == NH_OK)
        status = nh_classify(m, &out->c, error);
    if (status == NH_OK) {
        nh_status evaluated = nh_model_initial(m, out->parameter, out->q, out->v, out->z, &out->initial_error);
        out->initial_finite = evaluated == NH_OK;
        if (evaluated != NH_OK && evaluated != NH_VALUE) {
            status = evaluated;
            if (error)
                *error = out->initial_error;
        }
    }
    if (status == NH_OK)
        status = suggestion(out, m->step, &out->step, error);
    if (status == NH_OK)
        status = suggestion(out, m->until, &out->until, error);
    if (status != NH_OK)
        nh_report_free(out);
    return status;
}

void nh_report_free(nh_report *r)
{
    nh_classification_free(r->c);
    nh_arena_free(&r->arena);
    r->c = NULL;
}

nh_status nh_describe(const nh_model *model, nh_format format, char **out, nh_error *error)
{
    nh_report report;
    nh_text text = {0};
    *out = NULL;
    nh_status status = nh_report_new(model, &report, error);
    if (status != NH_OK)
        return status;
    if (format == NH_FORMAT_TEXT)
        status = nh_describe_text(&report, &text, error);
    else if (format == NH_FORMAT_JSON)
        status = nh_describe_json(&report, &text, error);
    else
        status = nh_describe_latex(&report, &text, error);
    nh_report_free(&report);
    return nh_text_hand_over(&text, status, out, error);
}
