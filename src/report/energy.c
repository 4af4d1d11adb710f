/* SPDX-License-Identifier: MIT */
/* The energy for reading: a term of degree d in the velocities contributes (d − 1) times itself. */
#include "analysis/scaling.h"
#include "base/map.h"
#include "report/report.h"

#include <stdlib.h>

enum { VELOCITIES = 1u << NH_V, MOST_NODES = 2000 };

/* v·e_v − e of a node from that of its operands; 0 if it is not known. */
static nh_expr of_node(nh_graph *g, nh_expr e, const nh_map *known)
{
    nh_node n = nh_get(g, e);
    int degree;
    if (nh_homogeneous(g, e, VELOCITIES, &degree) && degree % NH_SCALING_UNIT == 0)
        return nh_mul(g, nh_integer(g, degree / NH_SCALING_UNIT - 1), e);
    nh_expr a = nh_map_get(known, n.a), b = n.b ? nh_map_get(known, n.b) : 0;
    bool free_a = !nh_depends(g, n.a, VELOCITIES), free_b = n.b && !nh_depends(g, n.b, VELOCITIES);
    switch ((nh_op)n.op) {
    case NH_ADD:
        return a && b ? nh_add(g, a, b) : 0;
    case NH_MUL:
        return free_a && b ? nh_mul(g, n.a, b) : free_b && a ? nh_mul(g, a, n.b) : 0;
    case NH_DIV:
        return free_b && a ? nh_div(g, a, n.b) : 0;
    case NH_SUM:
        return a ? nh_sum(g, n.index, nh_get_affine(g, e), a) : 0;
    default:
        return 0;
    }
}

nh_expr nh_energy_by_terms(const nh_model *m)
{
    nh_graph *g = m->graph;
    nh_map known = {0};
    uint32_t length;
    if (m->kind != NH_LAGRANGIAN || nh_size(g, m->lagrangian) > MOST_NODES)
        return nh_model_energy(m);
    nh_expr *list = nh_reachable(g, &m->lagrangian, 1, &length);
    for (uint32_t i = 0; list && i < length; i++)
        nh_map_set(&known, list[i], of_node(g, list[i], &known));
    nh_expr energy = nh_map_get(&known, m->lagrangian);
    if (!list || known.failed)
        nh_graph_no_memory(g);
    nh_map_free(&known);
    free(list);
    return energy ? energy : nh_model_energy(m);
}
