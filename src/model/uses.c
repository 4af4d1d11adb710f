/* SPDX-License-Identifier: MIT */
#include "model/uses.h"

#include <stdlib.h>

/* Beyond all components, so that a sum of NH_AFFINE_TERMS products with it does not overflow. */
static const int64_t far = INT64_C(1) << 27;

/* The least or largest value of an affine function of indices that go from 0 to last[index]. */
static int64_t bound(nh_affine a, const int64_t *last, bool largest)
{
    int64_t value = a.constant;
    for (int i = 0; i < a.terms; i++)
        if ((a.term[i].factor > 0) == largest)
            value += a.term[i].factor * last[a.term[i].index];
    return value;
}

/* Other loops of the same index may be longer: `last` is that of the longest so far. */
static void see_loop(int index, nh_affine count, int64_t *last)
{
    const int64_t end = bound(count, last, true) - 1;
    if (end > last[index])
        last[index] = end < far ? end : far;
}

static void see_parameter(const nh_model *m, nh_affine component, const int64_t *last, bool *uses)
{
    const int64_t low = bound(component, last, false), high = bound(component, last, true);
    for (int64_t i = low > 0 ? low : 0; i <= high && i < m->parameters; i++)
        uses[i] = true;
}

/* Sums come before what is in them. */
static bool use_directly(const nh_model *m, const nh_graph *g, nh_expr e, bool *uses)
{
    int64_t last[NH_INDICES] = {0};
    uint32_t length;
    nh_expr *list = nh_reachable(g, &e, 1, &length);
    for (uint32_t i = length; list && i-- > 0;) {
        const nh_node n = nh_get(g, list[i]);
        if (n.op == NH_SUM || n.op == NH_PROD)
            see_loop(n.index, nh_get_affine(g, list[i]), last);
        else if (n.op == NH_VARIABLE && n.space == NH_PARAMETER)
            see_parameter(m, nh_get_affine(g, list[i]), last, uses);
    }
    free(list);
    return list != NULL;
}

bool nh_model_uses(const nh_model *m, const nh_graph *g, nh_expr e, bool *uses)
{
    const uint32_t parameters = 1u << NH_PARAMETER;
    if (!nh_depends(g, e, parameters))
        return true;
    bool good = use_directly(m, g, e, uses);
    for (int i = m->parameters - 1; good && i >= 0; i--) /* a default depends on those before it */
        if (uses[i] && nh_depends(m->graph, m->parameter_default[i], parameters))
            good = use_directly(m, m->graph, m->parameter_default[i], uses);
    return good;
}
