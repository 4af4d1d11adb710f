/* SPDX-License-Identifier: MIT */
/* Sparse symmetric matrices in quad precision, which need not be definite: L D L^T in an order of elimination, without
 * exchange of rows. */
#ifndef NH_BASE_SYMMETRIC_H
#define NH_BASE_SYMMETRIC_H

#include "base/elimination.h"
#include "base/quad.h"

typedef struct nh_symmetric {
    int nodes;
    nh_elimination pattern;
    int *place;        /* [nodes]: of a node in the order */
    nh_quad *diagonal; /* [nodes]: of the matrix, then D */
    nh_quad *upper;    /* by the pattern: of the matrix, then D L^T */
    nh_quad *room;     /* [nodes] */
} nh_symmetric;

/* Memory is from the arena; false: out of memory, or a factorisation would have more than `most` products. */
bool nh_symmetric_new(const nh_neighbours *graph, double most, nh_arena *arena, nh_symmetric *out);
void nh_symmetric_clear(nh_symmetric *a);
/* Adds to the entries (i,j) and (j,i), or to (i,i), which the graph has to have. */
void nh_symmetric_add(nh_symmetric *a, int i, int j, nh_quad value);
/* False if a pivot is 0 or not finite. */
bool nh_symmetric_factor(nh_symmetric *a);
/* b becomes the solution. */
void nh_symmetric_solve(const nh_symmetric *a, nh_quad *b);

#endif
