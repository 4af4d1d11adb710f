/* SPDX-License-Identifier: MIT */
#include "base/symmetric.h"

#include <stdint.h>

/* Products of a factorisation. */
static double work_of(const nh_elimination *e, int nodes)
{
    double products = 0;
    for (int k = 0; k < nodes; k++) {
        const double later = e->start[k + 1] - e->start[k];
        products += later * (later + 1) / 2;
    }
    return products;
}

bool nh_symmetric_new(const nh_neighbours *graph, double most, nh_arena *arena, nh_symmetric *out)
{
    const size_t nodes = (size_t)graph->nodes;
    *out = (nh_symmetric){.nodes = graph->nodes};
    if (!nh_eliminate_by_degree(graph, INT32_MAX / 2, arena, &out->pattern) ||
        work_of(&out->pattern, graph->nodes) > most)
        return false;
    out->place = NH_NEW(arena, int, nodes);
    out->diagonal = NH_NEW(arena, nh_quad, nodes);
    out->upper = NH_NEW(arena, nh_quad, out->pattern.start[nodes] + 1);
    out->room = NH_NEW(arena, nh_quad, nodes);
    if (arena->failed)
        return false;
    for (int k = 0; k < graph->nodes; k++)
        out->place[out->pattern.order[k]] = k;
    return true;
}

void nh_symmetric_clear(nh_symmetric *a)
{
    for (int k = 0; k < a->nodes; k++)
        a->diagonal[k] = 0;
    for (int i = 0; i < a->pattern.start[a->nodes]; i++)
        a->upper[i] = 0;
}

/* Of row k of the upper triangle, the entry in column j, which is there. */
static nh_quad *entry(const nh_symmetric *a, int k, int j)
{
    int from = a->pattern.start[k], to = a->pattern.start[k + 1] - 1;
    while (from < to) {
        const int middle = from + (to - from) / 2;
        if (a->pattern.later[middle] < j)
            from = middle + 1;
        else
            to = middle;
    }
    return &a->upper[from];
}

void nh_symmetric_add(nh_symmetric *a, int i, int j, nh_quad value)
{
    const int k = a->place[i], other = a->place[j];
    if (k == other)
        a->diagonal[k] += value;
    else
        *entry(a, k < other ? k : other, k < other ? other : k) += value;
}

/* Row k leaves: what follows in row `at` of it, times a factor, goes from that row. All of it is there, in the same
 * order, between what others have left. */
static void subtract(nh_symmetric *a, int at, int end, nh_quad factor)
{
    const int *later = a->pattern.later;
    const int row = later[at];
    int to = a->pattern.start[row];
    a->diagonal[row] -= factor * a->upper[at];
    for (int i = at + 1; i < end; i++, to++) {
        while (later[to] != later[i])
            to++;
        a->upper[to] -= factor * a->upper[i];
    }
}

bool nh_symmetric_factor(nh_symmetric *a)
{
    const int *start = a->pattern.start;
    for (int k = 0; k < a->nodes; k++) {
        const nh_quad pivot = a->diagonal[k];
        if (!(nh_quad_abs(pivot) > 0) || !(nh_quad_abs(1 / pivot) > 0))
            return false;
        for (int i = start[k]; i < start[k + 1]; i++)
            subtract(a, i, start[k + 1], a->upper[i] / pivot);
    }
    return true;
}

void nh_symmetric_solve(const nh_symmetric *a, nh_quad *b)
{
    const int *start = a->pattern.start, *later = a->pattern.later;
    nh_quad *x = a->room;
    for (int k = 0; k < a->nodes; k++)
        x[k] = b[a->pattern.order[k]];
    for (int k = 0; k < a->nodes; k++) {
        x[k] /= a->diagonal[k];
        for (int i = start[k]; i < start[k + 1]; i++)
            x[later[i]] -= a->upper[i] * x[k];
    }
    for (int k = a->nodes - 1; k >= 0; k--) {
        nh_quad sum = 0;
        for (int i = start[k]; i < start[k + 1]; i++)
            sum += a->upper[i] * x[later[i]];
        x[k] -= sum / a->diagonal[k];
    }
    for (int k = 0; k < a->nodes; k++)
        b[a->pattern.order[k]] = x[k];
}
