/* SPDX-License-Identifier: MIT */
/* What a variable belongs to: a variable is a component of one of these vectors. Inputs of derived functions are a
 * table of pointers in this order, in the library and in generated code. */
#ifndef NH_BASE_SPACE_H
#define NH_BASE_SPACE_H

typedef enum nh_space {
    NH_TIME,      /* t */
    NH_PARAMETER, /* real parameters: data, never compiled in */
    NH_Q,         /* coordinates; y of a DAE; z of a Hamiltonian system */
    NH_V,         /* velocities */
    NH_LAMBDA,    /* multipliers; algebraic variables z of a DAE */
    NH_D_TIME,    /* directions of tangents, in the order of the spaces above */
    NH_D_PARAMETER,
    NH_D_Q,
    NH_D_V,
    NH_D_LAMBDA,
    NH_Q1, /* a second configuration: discrete Lagrangians */
    NH_SPACES
} nh_space;

#endif
