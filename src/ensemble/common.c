/* SPDX-License-Identifier: MIT */
/* What members have in common cannot follow what they differ in. */
#include "base/status.h"
#include "ensemble/plan.h"
#include "language/value.h"
#include "model/uses.h"

#include <stdlib.h>

/* A parameter that is used and that members differ in, or -1. */
static int find_varying(const nh_plan *p, const nh_model *m, const bool *uses)
{
    for (int i = 0; i < m->parameters; i++)
        if (uses[i] && nh_plan_varies(p, i))
            return i;
    return -1;
}

static nh_status refuse_value(const nh_model *m, const char *option, const char *expression, int parameter,
                              nh_error *error)
{
    nh_text name = {0};
    nh_model_place_name(m, parameter, &name);
    const nh_status status =
        nh_fail(error, NH_USAGE, "%s: '%.200s' depends on %s, of which each member has its own; give a number", option,
                expression, nh_text_get(&name));
    nh_text_free(&name);
    return status;
}

nh_status nh_plan_value(const nh_plan *p, const nh_model *m, const char *option, const char *expression, nh_quad *out,
                        nh_error *error)
{
    bool *uses = calloc((size_t)m->parameters + 1, sizeof *uses);
    nh_status status = uses ? nh_model_value_uses(m, expression, option, out, uses, error)
                            : nh_fail(error, NH_MEMORY, "out of memory");
    const int varying = status == NH_OK ? find_varying(p, m, uses) : -1;
    free(uses);
    return varying < 0 ? status : refuse_value(m, option, expression, varying, error);
}

static nh_status refuse_statement(const nh_model *m, const char *statement, int parameter, const char *options,
                                  nh_error *error)
{
    nh_text name = {0};
    nh_model_place_name(m, parameter, &name);
    const nh_status status = nh_fail(
        error, NH_USAGE, "the model's '%s' depends on %s, of which each member has its own; give one for all by %s",
        statement, nh_text_get(&name), options);
    nh_text_free(&name);
    return status;
}

nh_status nh_plan_check_common(const nh_plan *p, const nh_model *m, const char *statement, nh_expr value,
                               const char *options, nh_error *error)
{
    bool *uses = calloc((size_t)m->parameters + 1, sizeof *uses);
    const bool good = uses && nh_model_uses(m, m->graph, value, uses);
    const int varying = good ? find_varying(p, m, uses) : -1;
    free(uses);
    if (!good)
        return nh_fail(error, NH_MEMORY, "out of memory");
    return varying < 0 ? NH_OK : refuse_statement(m, statement, varying, options, error);
}
