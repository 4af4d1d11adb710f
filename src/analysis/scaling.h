/* SPDX-License-Identifier: MIT */
/* How an expression answers to a change of its variables, as far as its structure tells: signs and scales. */
#ifndef NH_ANALYSIS_SCALING_H
#define NH_ANALYSIS_SCALING_H

#include "expr/graph.h"

/* The sign of a variable under a reversal: 1 or -1; 0 if it is not known. */
typedef int nh_sign_of(void *context, nh_space space, nh_affine component);

/* 1: the reversal leaves e as it is; -1: it becomes −e; 0: neither is seen. */
int nh_parity(nh_graph *g, nh_expr e, nh_sign_of *sign_of, void *context);

enum { NH_SCALING_UNIT = 4 };
/* Does e become s^d e when the variables of the spaces become s times as large, s > 0? *degree is NH_SCALING_UNIT·d. */
bool nh_homogeneous(nh_graph *g, nh_expr e, uint32_t spaces, int *degree);

#endif
