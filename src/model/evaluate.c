/* SPDX-License-Identifier: MIT */
#include "model/evaluate.h"

#include <stdlib.h>

nh_status nh_probe_new(nh_graph *g, const nh_field *fields, int count, int parameters, nh_probe *out, nh_error *error)
{
    *out = (nh_probe){0};
    nh_status status = nh_program_new(g, fields, NULL, count, parameters, &out->program, error);
    if (status != NH_OK)
        return status;
    out->constants = calloc((size_t)nh_program_constants(out->program) + 1, sizeof *out->constants);
    out->work = calloc(nh_program_work(out->program) + 1, sizeof *out->work);
    if (!out->constants || !out->work) {
        nh_probe_free(out);
        return nh_fail(error, NH_MEMORY, "out of memory while preparing an evaluation");
    }
    nh_tape_prepare_quad(out->program, out->work);
    return NH_OK;
}

void nh_probe_free(nh_probe *p)
{
    nh_program_free(p->program);
    free(p->constants);
    free(p->work);
    *p = (nh_probe){0};
}

void nh_probe_parameters(nh_probe *p, const nh_quad *parameters)
{
    const nh_quad *x[NH_SPACES] = {[NH_PARAMETER] = parameters};
    nh_tape_run_quad(p->program, 0, p->constants, x, p->constants, p->work);
}

void nh_probe_run(nh_probe *p, int function, const nh_quad *const x[NH_SPACES], nh_quad *y)
{
    nh_tape_run_quad(p->program, function, p->constants, x, y, p->work);
}

nh_status nh_evaluate_quad(const nh_model *m, const nh_expr *list, int count, const nh_quad *const x[NH_SPACES],
                           nh_quad *out, nh_error *error)
{
    nh_field f = {.rows = count, .columns = 1};
    bool good = true;
    for (int i = 0; good && i < count; i++)
        good = nh_field_set(&f, i, 0, list[i]);
    nh_probe probe = {0};
    nh_status status = good ? nh_probe_new(m->graph, &f, 1, m->parameters, &probe, error)
                            : nh_fail(error, NH_MEMORY, "out of memory while preparing an evaluation");
    if (status == NH_OK) {
        nh_probe_parameters(&probe, x[NH_PARAMETER]);
        nh_probe_run(&probe, 1, x, out);
    }
    nh_probe_free(&probe);
    nh_field_free(&f);
    return status;
}

bool nh_quad_finite(nh_quad x)
{
    return x - x == 0;
}

bool nh_quads_finite(const nh_quad *x, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!nh_quad_finite(x[i]))
            return false;
    return true;
}
