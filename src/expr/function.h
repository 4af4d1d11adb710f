/* SPDX-License-Identifier: MIT */
/* The elementary functions: one row each. */
#ifndef NH_EXPR_FUNCTION_H
#define NH_EXPR_FUNCTION_H

#include <stdint.h>

typedef enum nh_function {
    NH_F_sqrt,
    NH_F_exp,
    NH_F_log,
    NH_F_sin,
    NH_F_cos,
    NH_F_tan,
    NH_F_asin,
    NH_F_acos,
    NH_F_atan,
    NH_F_sinh,
    NH_F_cosh,
    NH_F_tanh,
    NH_F_abs,
    NH_F_sign,
    NH_F_atan2,
    NH_F_min,
    NH_F_max,
    NH_F_less,
    NH_F_pow,
    NH_FUNCTIONS
} nh_function;

struct nh_graph;

typedef struct nh_function_row {
    const char *name, *latex;
    int arguments;
    int parity;  /* of one argument: 1 even, -1 odd, 0 neither */
    int at_zero; /* f(0) where it is 0 or 1; -1 otherwise */
    /* ∂f/∂a and ∂f/∂b as expressions of the arguments a, b and the value f. */
    uint32_t (*partial_a)(struct nh_graph *g, uint32_t f, uint32_t a, uint32_t b);
    uint32_t (*partial_b)(struct nh_graph *g, uint32_t f, uint32_t a, uint32_t b);
} nh_function_row;

const nh_function_row *nh_function_get(nh_function f);
/* The function of this name, or NH_FUNCTIONS. */
nh_function nh_function_find(const char *name);

#endif
