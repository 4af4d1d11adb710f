/* SPDX-License-Identifier: MIT */
/* A model: what a file says, checked and immutable. Everything is an expression of one graph. */
#ifndef NH_MODEL_MODEL_H
#define NH_MODEL_MODEL_H

#include "expr/field.h"
#include "expr/print.h"

#include <nonholo/model.h>

typedef enum nh_kind { NH_LAGRANGIAN, NH_DAE, NH_HAMILTONIAN } nh_kind;

/* A named block of components of a space: a scalar (count 1, not indexed) or an indexed range. */
typedef struct nh_block {
    const char *name;
    nh_space space; /* NH_PARAMETER, NH_Q, or NH_LAMBDA (algebraic variables of a DAE) */
    int first;      /* component of the first element */
    int count;
    int lower; /* subscript of the first element */
    bool indexed;
    int line, column; /* where it is declared */
} nh_block;

typedef struct nh_named {
    const char *name;
    nh_expr value;
    int line, column;
} nh_named;

/* A family of constraints: rows first … first+count-1 of its vector; value of row first+i at open index NH_OPEN = i. */
typedef struct nh_constraint {
    const char *label; /* NULL if none */
    int first, count;
    nh_expr value; /* left − right */
    int line, column;
} nh_constraint;

typedef struct nh_symmetry {
    const char *name;
    nh_field field; /* n × 1 */
} nh_symmetry;

typedef struct nh_part {
    const char *name;
    nh_field field; /* n × 1 */
} nh_part;

struct nh_model {
    nh_arena arena;
    nh_graph *graph;
    nh_kind kind;
    const char *file, *name, *about, *cite; /* "" where not given; about and cite: statements joined by '\n' */

    nh_block *block; /* every named block of parameters, coordinates, algebraic variables */
    int blocks;
    struct {
        const char *name;
        int64_t value;
    } * size;
    int sizes;
    int parameters, n; /* number of parameters; of coordinates (states, variables) */
    int m, holonomic;  /* number of velocity constraints (of a DAE: of constraints), of holonomic ones */
    int algebraic;     /* DAE */

    nh_expr *parameter_default; /* [parameters], expressions of earlier parameters */
    int *given, givens;         /* places (parameters, q, v, z) whose values are options of the load, not of the file */
    nh_expr lagrangian;         /* or Hamiltonian */
    nh_constraint *constraint;  /* velocity constraints (DAE: constraints g(t,y)) */
    int constraints;
    nh_constraint *holonomic_constraint;
    int holonomic_constraints;
    nh_field force, reaction; /* n × 1; no pieces if there is none */
    nh_part part[5];
    int parts;
    nh_field structure; /* Hamiltonian: J, n × n */
    nh_named *observable, *invariant;
    int observables, invariants;
    nh_symmetry *symmetry;
    int symmetries;
    nh_expr *initial_q, *initial_v,
        *initial_z;             /* expressions of parameters and of NH_Q, NH_V, NH_LAMBDA values given earlier */
    int *initial_order;         /* order of evaluation: k < n is q[k], n ≤ k < 2n is v[k-n], then z */
    nh_expr *exact_q, *exact_z; /* or NULL; in them NH_Q, NH_V, NH_LAMBDA stand for initial values */
    nh_expr step, until;        /* expressions of parameters; 0 if not given */
};

/* Fields of the model in their standard form. Each fills a new nh_field, which the caller frees. */
nh_status nh_model_constraint_field(const nh_model *m, nh_field *out, nh_error *error); /* k: m × 1 */
nh_status nh_model_holonomic_field(const nh_model *m, nh_field *out, nh_error *error);  /* g: holonomic × 1 */
nh_expr nh_model_energy(const nh_model *m); /* v·L_v − L; H of a Hamiltonian system; 0 for a DAE */

/* Spelling of the model's variables for nh_print. */
nh_spelling nh_model_spelling(const nh_model *m, bool latex);
/* Name of component `component` of a space, e.g. "q[3]'" , into `out`. */
void nh_model_component_name(const nh_model *m, nh_space space, int component, bool latex, nh_text *out);

#endif
