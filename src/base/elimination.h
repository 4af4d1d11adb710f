/* SPDX-License-Identifier: MIT */
/* The order in which a sparse system of symmetric pattern is eliminated, and the pattern of its factors. */
#ifndef NH_BASE_ELIMINATION_H
#define NH_BASE_ELIMINATION_H

#include "base/arena.h"

/* A graph: neighbours of node i are near[start[i]] … near[start[i + 1] - 1], without i itself; symmetric. Nodes from
 * number `late` on, which are not neighbours of each other, come after all their neighbours. */
typedef struct nh_neighbours {
    int nodes, late;
    const int *start, *near;
} nh_neighbours;

typedef struct nh_elimination {
    int *order; /* [nodes]: the node that comes k-th */
    int *start; /* [nodes + 1] */
    int *later; /* what is coupled to it when it is eliminated, by places in the order, ascending: row k of U */
} nh_elimination;

/* Minimum degree: of nodes that may come, one with the fewest neighbours left is next, the first of these. Memory is
 * from the arena; false: out of memory, or more than `most` entries. */
bool nh_eliminate_by_degree(const nh_neighbours *graph, size_t most, nh_arena *arena, nh_elimination *out);

#endif
