/* SPDX-License-Identifier: MIT */
/* Sparse matrices from fields: the pattern once, the values at any number of points. */
#include "model/sparse.h"

#include <stdlib.h>

static nh_status make_probe(const nh_model *m, const nh_quad *parameters, const nh_field *f, nh_probe *out,
                            nh_error *error)
{
    nh_layout layout = NH_SPARSE;
    nh_status status = nh_program_new(m->graph, f, &layout, 1, m->parameters, &out->program, error);
    if (status != NH_OK)
        return status;
    out->constants = calloc((size_t)nh_program_constants(out->program) + 1, sizeof *out->constants);
    out->work = calloc(nh_program_work(out->program) + 1, sizeof *out->work);
    if (!out->constants || !out->work)
        return nh_fail(error, NH_MEMORY, "out of memory");
    nh_tape_prepare_quad(out->program, out->work);
    if (parameters || m->parameters == 0)
        nh_probe_parameters(out, parameters);
    return NH_OK;
}

static nh_status fill(const nh_model *m, const nh_quad *parameters, const nh_field *field, nh_sparse *out,
                      nh_error *error)
{
    if (!nh_pattern_new(field, &out->pattern))
        return nh_fail(error, NH_MEMORY, "out of memory");
    out->value = calloc(out->pattern.slots + 1, sizeof *out->value);
    out->slot = calloc(out->pattern.slots + 1, sizeof *out->slot);
    return out->value && out->slot ? make_probe(m, parameters, field, &out->probe, error)
                                   : nh_fail(error, NH_MEMORY, "out of memory");
}

nh_status nh_sparse_new(const nh_model *m, const nh_quad *parameters, nh_field *field, nh_sparse *out, nh_error *error)
{
    *out = (nh_sparse){.too_many = nh_pattern_slots(field, NH_SPARSE_MOST) > NH_SPARSE_MOST};
    out->pattern.rows = field->rows;
    out->pattern.columns = field->columns;
    nh_status status = out->too_many ? NH_OK : fill(m, parameters, field, out, error);
    nh_field_free(field);
    if (status != NH_OK)
        nh_sparse_free(out);
    return status;
}

void nh_sparse_free(nh_sparse *a)
{
    nh_pattern_free(&a->pattern);
    free(a->value);
    free(a->slot);
    nh_probe_free(&a->probe);
    *a = (nh_sparse){0};
}

bool nh_sparse_at(nh_sparse *a, int first, const nh_quad *const x[NH_SPACES])
{
    if (a->too_many)
        return false;
    const nh_pattern *p = &a->pattern;
    const size_t entries = p->start[p->rows], from = p->start[first];
    nh_probe_run(&a->probe, 1, x, a->slot);
    for (size_t i = 0; i < entries; i++)
        a->value[i] = 0;
    for (size_t i = 0; i < p->slots; i++)
        if (p->place[i] != UINT32_MAX)
            a->value[p->place[i]] += a->slot[i];
    return nh_quads_finite(a->value + from, entries - from);
}
