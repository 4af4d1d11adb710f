/* SPDX-License-Identifier: MIT */
/* Symmetries of small systems, proved where the derivatives simplify to zero. */
#include "analysis/study.h"

typedef struct flow {
    const nh_model *m;
    const nh_expr *xi, *rate; /* [n]: ξ and its derivative along v */
} flow;

static nh_expr along_velocity(void *context, nh_graph *g, nh_space space, nh_affine component)
{
    (void)context;
    return space == NH_Q ? nh_variable(g, NH_V, component) : 0;
}

/* The prolonged field. */
static nh_expr along_flow(void *context, nh_graph *g, nh_space space, nh_affine component)
{
    (void)g;
    const flow *f = context;
    return space == NH_Q ? f->xi[component.constant] : space == NH_V ? f->rate[component.constant] : 0;
}

static bool invariant(const flow *f, nh_expr e)
{
    nh_graph *g = f->m->graph;
    return nh_is_number(g, nh_directional(g, nh_expand(g, e), along_flow, (void *)f), 0);
}

/* Derivative along ξ of velocities (k) or positions (g) alone: Kξ, g_q ξ. */
static nh_expr along_displacement(void *context, nh_graph *g, nh_space space, nh_affine component)
{
    (void)g;
    const flow *f = context;
    return space == NH_V ? f->xi[component.constant] : 0;
}

static bool horizontal(const flow *f, nh_expr e, bool holonomic)
{
    nh_graph *g = f->m->graph;
    if (holonomic)
        return invariant(f, e);
    return nh_is_number(g, nh_directional(g, nh_expand(g, e), along_displacement, (void *)f), 0);
}

static void prove_constraints(const flow *f, const nh_constraint *list, int count, bool holonomic, bool *kept,
                              bool *virtual)
{
    nh_graph *g = f->m->graph;
    for (int i = 0; i < count; i++)
        for (int row = 0; row < list[i].count && (*kept || *virtual); row++) {
            nh_expr e = nh_reindex(g, list[i].value, NH_OPEN, nh_affine_constant(row));
            *kept = *kept && invariant(f, e);
            *virtual = *virtual && horizontal(f, e, holonomic);
        }
}

nh_status nh_prove_symmetry(nh_study *s, int i, nh_error *error)
{
    const nh_model *m = s->m;
    nh_graph *g = m->graph;
    nh_symmetry_class *c = &s->c->symmetry[i];
    nh_expr *xi = NH_NEW(&s->arena, nh_expr, 2 * m->n + 1), *rate = xi + m->n;
    if (!xi)
        return nh_out_of_memory(error);
    for (int k = 0; k < m->n; k++) {
        xi[k] = nh_expand(g, nh_field_entry(g, &m->symmetry[i].field, k, 0));
        rate[k] = nh_directional(g, xi[k], along_velocity, NULL);
    }
    flow f = {m, xi, rate};
    bool kept = true, virtual = true;
    prove_constraints(&f, m->constraint, m->constraints, false, &kept, &virtual);
    prove_constraints(&f, m->holonomic_constraint, m->holonomic_constraints, true, &kept, &virtual);
    if (invariant(&f, m->lagrangian))
        c->lagrangian = (nh_finding){NH_YES, true};
    if (kept)
        c->constraints = (nh_finding){NH_YES, true};
    if (virtual)
        c->horizontal = (nh_finding){NH_YES, true};
    return nh_graph_status(g, error);
}
