/* SPDX-License-Identifier: MIT */
/* Nodes and weights of the Gauss, Radau and Lobatto quadratures on [0,1], to round-off of the quad, by Newton's method.
 *
 *     Gauss        zeros of P_s                        b = 4 c (1-c) / (s P_(s-1)(c))^2
 *     Radau left   zeros of P_s + P_(s-1), c_1 = 0     b = (1-c) / (s P_(s-1)(c))^2
 *     Radau right  its mirror image, c_s = 1
 *     Lobatto      zeros of the integral of P_(s-1)    b = 1 / (s (s-1) P_(s-1)(c)^2)
 *
 * Each formula of a weight is insensitive to the node's error: its relative error is of the size of the node's. */
#ifndef NH_TABLEAU_NODES_H
#define NH_TABLEAU_NODES_H

#include "base/quad.h"

#include <stdbool.h>

enum { NH_STAGES_MAX = 64 };

typedef enum nh_quadrature { NH_GAUSS_NODES, NH_RADAU_LEFT, NH_RADAU_RIGHT, NH_LOBATTO_NODES } nh_quadrature;

typedef struct nh_nodes {
    int count;
    nh_quad left[NH_STAGES_MAX];  /* ascending, in [0,1] */
    nh_quad right[NH_STAGES_MAX]; /* 1 - left; of the two, the smaller one is accurate to its last digits */
    nh_quad weight[NH_STAGES_MAX];
} nh_nodes;

/* False if `count` is not in 1..NH_STAGES_MAX (2.. for Lobatto). Gauss and Lobatto nodes are mirrored exactly: left[i]
 * is right[count-1-i], and the weights are the same. */
bool nh_nodes_make(nh_quadrature quadrature, int count, nh_nodes *out);

#endif
