/* SPDX-License-Identifier: MIT */
/* Models as objects, and the functions that follow from what a file says. */
#include "model/model.h"

#include <stdlib.h>

void nh_model_free(nh_model *model)
{
    if (!model)
        return;
    nh_field_free(&model->force);
    nh_field_free(&model->reaction);
    nh_field_free(&model->structure);
    for (int i = 0; i < model->parts; i++)
        nh_field_free(&model->part[i].field);
    for (int i = 0; i < model->symmetries; i++)
        nh_field_free(&model->symmetry[i].field);
    nh_graph_free(model->graph);
    nh_arena_free(&model->arena);
    free(model);
}

static nh_status family_field(const nh_model *m, const nh_constraint *list, int count, int rows, nh_field *out,
                              nh_error *error)
{
    *out = (nh_field){.rows = rows, .columns = 1};
    for (int i = 0; i < count; i++) {
        bool loop = list[i].count > 1;
        nh_piece piece = {.loops = loop, .row = nh_affine_constant(list[i].first), .value = list[i].value};
        piece.count[0] = nh_affine_constant(loop ? list[i].count : 0);
        if (loop)
            nh_affine_add(piece.row, nh_affine_index(NH_OPEN), &piece.row);
        if (!nh_field_add(out, &piece)) {
            nh_field_free(out);
            return nh_fail(error, NH_MEMORY, "out of memory while collecting the constraints of %s", m->file);
        }
    }
    return NH_OK;
}

nh_status nh_model_constraint_field(const nh_model *m, nh_field *out, nh_error *error)
{
    return family_field(m, m->constraint, m->constraints, m->m, out, error);
}

nh_status nh_model_holonomic_field(const nh_model *m, nh_field *out, nh_error *error)
{
    return family_field(m, m->holonomic_constraint, m->holonomic_constraints, m->holonomic, out, error);
}

nh_expr nh_model_energy(const nh_model *m)
{
    if (m->kind != NH_LAGRANGIAN)
        return m->kind == NH_HAMILTONIAN ? m->lagrangian : 0;
    nh_field momentum = {0};
    nh_expr energy = 0;
    const nh_status status = nh_gradient(m->graph, m->lagrangian, NH_V, m->n, &momentum, NULL);
    if (status == NH_OK)
        energy = nh_sub(m->graph, nh_field_dot(m->graph, &momentum, NH_V, 0), m->lagrangian);
    else if (status == NH_MEMORY)
        nh_graph_no_memory(m->graph);
    nh_field_free(&momentum);
    return energy;
}
