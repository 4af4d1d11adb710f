/* SPDX-License-Identifier: MIT */
/* Minimum degree on a quotient graph: an eliminated node stands for the clique of those that were coupled to it, so the
 * graph never grows beyond what it was. */
#include "base/elimination.h"

#include <stdlib.h>

typedef struct list {
    int *item, count;
} list;

typedef struct quotient {
    int nodes;
    const nh_neighbours *graph;
    list *near;   /* neighbours left, not counting those in a common clique */
    list *clique; /* cliques that a node is in, by the eliminated nodes they come from */
    list *member; /* of the clique of an eliminated node */
    int *degree, *mark, stamp;
    int *scratch;
    int *waits;         /* for so many neighbours that must come first */
    int *first, leaves; /* a tree: first[leaves + i] is node i, or -1 if it may not come; above, who of two is first */
    size_t entries;
} quotient;

static bool copy_list(list *to, const int *item, int count)
{
    to->item = malloc(((size_t)count + 1) * sizeof *item);
    to->count = count;
    for (int i = 0; to->item && i < count; i++)
        to->item[i] = item[i];
    return to->item != NULL;
}

static void free_quotient(quotient *g)
{
    for (int i = 0; i < g->nodes; i++) {
        free(g->near ? g->near[i].item : NULL);
        free(g->clique ? g->clique[i].item : NULL);
        free(g->member ? g->member[i].item : NULL);
    }
    free(g->near);
    free(g->clique);
    free(g->member);
    free(g->degree);
    free(g->mark);
    free(g->scratch);
    free(g->waits);
    free(g->first);
}

/* ---- Who is next ---- */

/* Of nodes a and b, a the one with the lower number; -1 is none. */
static int first_of(const quotient *g, int a, int b)
{
    return a < 0 || (b >= 0 && g->degree[b] < g->degree[a]) ? b : a;
}

/* After the degree of node i has changed, or who it waits for. */
static void enter(quotient *g, int i)
{
    int at = g->leaves + i;
    g->first[at] = g->degree[i] >= 0 && g->waits[i] == 0 ? i : -1;
    for (at /= 2; at > 0; at /= 2)
        g->first[at] = first_of(g, g->first[2 * at], g->first[2 * at + 1]);
}

static bool open_tree(quotient *g)
{
    for (g->leaves = 1; g->leaves < g->nodes;)
        g->leaves *= 2;
    g->first = calloc(2 * (size_t)g->leaves, sizeof *g->first);
    for (int at = 0; g->first && at < 2 * g->leaves; at++)
        g->first[at] = -1;
    for (int i = 0; g->first && i < g->nodes; i++) {
        g->waits[i] = i < g->graph->late ? 0 : g->degree[i];
        enter(g, i);
    }
    return g->first != NULL;
}

/* ---- The graph ---- */

static bool open_quotient(const nh_neighbours *graph, quotient *g)
{
    const size_t nodes = (size_t)graph->nodes + 1;
    *g = (quotient){.nodes = graph->nodes, .graph = graph};
    g->near = calloc(nodes, sizeof *g->near);
    g->clique = calloc(nodes, sizeof *g->clique);
    g->member = calloc(nodes, sizeof *g->member);
    g->degree = calloc(nodes, sizeof *g->degree);
    g->mark = calloc(nodes, sizeof *g->mark);
    g->scratch = calloc(nodes, sizeof *g->scratch);
    g->waits = calloc(nodes, sizeof *g->waits);
    bool good = g->near && g->clique && g->member && g->degree && g->mark && g->scratch && g->waits;
    for (int i = 0; good && i < g->nodes; i++) {
        g->degree[i] = graph->start[i + 1] - graph->start[i];
        g->clique[i].item = calloc((size_t)g->degree[i] + 1, sizeof(int)); /* each replaces a neighbour, or a clique */
        good = g->clique[i].item && copy_list(&g->near[i], graph->near + graph->start[i], g->degree[i]);
    }
    return good && open_tree(g);
}

/* Collects into scratch what node p is coupled to and is left. */
static int reach(quotient *g, int p)
{
    int count = 0;
    g->mark[p] = ++g->stamp;
    for (int k = -1; k < g->clique[p].count; k++) {
        const list *from = k < 0 ? &g->near[p] : &g->member[g->clique[p].item[k]];
        for (int j = 0; j < from->count; j++) {
            const int i = from->item[j];
            if (g->mark[i] != g->stamp && g->degree[i] >= 0) {
                g->mark[i] = g->stamp;
                g->scratch[count++] = i;
            }
        }
    }
    return count;
}

/* Drops the items of a list that are marked with the stamp. */
static void drop_marked(list *of, const int *mark, int stamp)
{
    int kept = 0;
    for (int j = 0; j < of->count; j++)
        if (mark[of->item[j]] != stamp)
            of->item[kept++] = of->item[j];
    of->count = kept;
}

/* Node p is next: what it is coupled to becomes a clique, which takes the place of those that p was in. */
static bool eliminate(quotient *g, int p)
{
    const int count = reach(g, p);
    list *member = &g->member[p];
    if (!copy_list(member, g->scratch, count))
        return false;
    g->entries += (size_t)count;
    for (int j = 0; j < count; j++) /* p and its clique are marked still */
        drop_marked(&g->near[member->item[j]], g->mark, g->stamp);
    g->stamp++;
    for (int k = 0; k < g->clique[p].count; k++)
        g->mark[g->clique[p].item[k]] = g->stamp;
    for (int j = 0; j < count; j++) {
        list *clique = &g->clique[member->item[j]];
        drop_marked(clique, g->mark, g->stamp);
        clique->item[clique->count++] = p;
    }
    g->degree[p] = -1;
    enter(g, p);
    for (int e = g->graph->start[p]; p < g->graph->late && e < g->graph->start[p + 1]; e++)
        if (g->graph->near[e] >= g->graph->late)
            g->waits[g->graph->near[e]]--;
    for (int j = 0; j < count; j++) { /* whoever has waited for p is among these */
        g->degree[member->item[j]] = reach(g, member->item[j]);
        enter(g, member->item[j]);
    }
    return true;
}

/* Whether all that are left are coupled to each other, if the next one is to all of them: others may have to wait. */
static bool all_coupled(const quotient *g, int next, int left)
{
    bool all = g->degree[next] == left - 1;
    for (int i = 0; all && i < g->nodes; i++)
        all = g->degree[i] < 0 || g->degree[i] == left - 1;
    return all;
}

/* Where all that are left are coupled to each other, their order does not matter, if only late ones are last. */
static bool finish_complete(quotient *g, int left, int *order)
{
    int count = 0;
    bool good = true;
    for (int i = 0; i < g->nodes; i++)
        if (g->degree[i] >= 0)
            order[count++] = i;
    for (int k = 0; good && k < left; k++) {
        good = copy_list(&g->member[order[k]], order + k + 1, left - 1 - k);
        g->entries += (size_t)(left - 1 - k);
    }
    return good;
}

static int ascending(const void *a, const void *b)
{
    const int *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

static bool take_pattern(const quotient *g, nh_arena *arena, nh_elimination *out)
{
    int *place = g->scratch, at = 0;
    out->start = NH_NEW(arena, int, g->nodes + 1);
    out->later = NH_NEW(arena, int, g->entries + 1);
    if (!out->start || !out->later)
        return false;
    for (int k = 0; k < g->nodes; k++)
        place[out->order[k]] = k;
    for (int k = 0; k < g->nodes; k++) {
        const list *member = &g->member[out->order[k]];
        out->start[k] = at;
        for (int j = 0; j < member->count; j++)
            out->later[at++] = place[member->item[j]];
        qsort(out->later + out->start[k], (size_t)member->count, sizeof *out->later, ascending);
    }
    out->start[g->nodes] = at;
    return true;
}

bool nh_eliminate_by_degree(const nh_neighbours *graph, size_t most, nh_arena *arena, nh_elimination *out)
{
    quotient g;
    bool good = open_quotient(graph, &g);
    out->order = NH_NEW(arena, int, graph->nodes + 1);
    good = good && out->order;
    size_t entries = 0; /* that would be */
    int left = graph->nodes;
    bool complete = false;
    while (good && !complete && left > 0 && entries <= most) {
        const int next = g.first[1];
        complete = all_coupled(&g, next, left);
        entries = g.entries + (size_t)(complete ? (long long)left * (left - 1) / 2 : g.degree[next]);
        if (!complete && entries <= most) {
            good = eliminate(&g, next);
            out->order[graph->nodes - left--] = next;
        }
    }
    if (good && entries <= most)
        good = finish_complete(&g, left, out->order + graph->nodes - left) && take_pattern(&g, arena, out);
    arena->failed = arena->failed || !good;
    free_quotient(&g);
    return good && entries <= most;
}
