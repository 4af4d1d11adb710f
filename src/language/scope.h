/* SPDX-License-Identifier: MIT */
/* The names of a model: one table for all that an expression may contain. */
#ifndef NH_LANGUAGE_SCOPE_H
#define NH_LANGUAGE_SCOPE_H

#include "expr/graph.h"

typedef enum nh_sort {
    NH_S_TIME,
    NH_S_PI,
    NH_S_LAMBDA,
    NH_S_SUM,
    NH_S_PROD,
    NH_S_FUNCTION,
    NH_S_SIZE,
    NH_S_PARAMETER,
    NH_S_COORDINATE, /* or state, or variable */
    NH_S_ALGEBRAIC,
    NH_S_LET,
    NH_S_OUTPUT /* observable, invariant */
} nh_sort;

typedef struct nh_symbol {
    const char *name;
    uint32_t hash;
    nh_sort sort;
    bool indexed, used;
    uint32_t token;  /* where it is declared; 0 for what the language provides */
    int64_t value;   /* of a size; number of a function */
    int32_t lower;   /* indexed: subscript of the first element */
    int32_t count;   /* elements; 1 if not indexed */
    int32_t first;   /* component of the first element in its vector */
    nh_expr body;    /* let; an indexed one has the open index NH_LET_INDEX, counted from 0 */
    uint32_t weight; /* indexed let: nodes of the body, 0 if not known yet */
} nh_symbol;

/* Stands for the index of a `let` until it is used; no loop has this index. */
enum { NH_LET_INDEX = NH_OPEN + NH_MAX_NEST };

typedef struct nh_scope {
    nh_symbol *symbol;
    uint32_t *slot; /* number of a symbol + 1 */
    size_t capacity;
    uint32_t count, slots;
} nh_scope; /* all zero is empty */

/* Adds what the language provides: t, pi, lambda, sum, prod, the functions. */
bool nh_scope_start(nh_scope *scope);
void nh_scope_free(nh_scope *scope);
/* NULL if there is none. The pointer holds until the next symbol is added. */
nh_symbol *nh_scope_find(const nh_scope *scope, const char *name, size_t length);
/* Adds a symbol whose name, which must outlive the scope, is new. NULL when out of memory. */
nh_symbol *nh_scope_add(nh_scope *scope, const char *name, nh_sort sort);
/* The name nearest to this one among the sorts (bits), NULL if none is near. */
const char *nh_scope_nearest(const nh_scope *scope, const char *name, uint32_t sorts);

#endif
