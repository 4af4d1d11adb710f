/* SPDX-License-Identifier: MIT */
/* Derived functions: what symbolic differentiation gives from a model. This is the seam between models and methods:
 * a method lists requests, and gets functions of one signature (expr/program.h), evaluated by tape or native code. */
#ifndef NH_MODEL_DERIVED_H
#define NH_MODEL_DERIVED_H

#include "expr/program.h"
#include "model/model.h"

typedef enum nh_quantity {
    NH_OF_LAGRANGIAN,   /* L; H of a Hamiltonian system. 1 × 1 */
    NH_OF_MOMENTUM,     /* L_v. n × 1 */
    NH_OF_FORCE,        /* L_q + f. n × 1; of a DAE: Σ parts */
    NH_OF_CONSTRAINT,   /* k(t,q,v); g(t,y) of a DAE. m × 1 */
    NH_OF_HOLONOMIC,    /* g(t,q) */
    NH_OF_HIDDEN,       /* g_q v + g_t */
    NH_OF_REACTION,     /* Kᵀλ + g_qᵀλ' + N(t,q,v,λ), λ' after λ. n × 1 */
    NH_OF_ENERGY,       /* v·L_v − L. 1 × 1 */
    NH_OF_POWER,        /* dE/dt = f·v + N·v + λᵀKv + λ'ᵀg_q v − L_t. 1 × 1 */
    NH_OF_OBSERVABLES,  /* one row each */
    NH_OF_INVARIANTS,   /* one row each */
    NH_OF_MOMENTUM_MAP, /* L_v·ξ of every declared symmetry, one row each */
    NH_OF_STRUCTURE     /* J of a Hamiltonian system. n × n */
} nh_quantity;

/* A quantity, differentiated up to twice (column by column: the last derivative makes the columns), in a form. */
typedef struct nh_request {
    nh_quantity of;
    int order;        /* how many entries of `by` count */
    nh_space by[2];   /* ∂/∂(by[0]), then ∂/∂(by[1]); order 2 only for scalars */
    uint32_t tangent; /* if not 0: directional derivative of that along NH_D_… of these spaces (bits) */
    nh_layout layout;
} nh_request;

/* The field of a request; the caller frees it. New nodes go into the model's graph. */
nh_status nh_derive(const nh_model *m, nh_request request, nh_field *out, nh_error *error);
/* One function per request, numbered from 1 in their order. */
nh_status nh_derive_program(const nh_model *m, const nh_request *requests, int count, nh_program **out,
                            nh_error *error);
/* Number of components of a space for this model. */
int nh_model_space_size(const nh_model *m, nh_space space);

#endif
