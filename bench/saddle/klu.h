/* SPDX-License-Identifier: MIT */
/* The saddle-point systems of saddle.h by KLU of SuiteSparse: analysed and factored with exchange of rows once, then
 * factored again and again in that order, which is what KLU is fastest at. */
#ifndef NH_BENCH_KLU_H
#define NH_BENCH_KLU_H

#include "saddle/saddle.h"

/* How KLU is used. */
typedef struct klu_way {
    const char *name;
    bool gram;        /* for D W alone, with the rest as ours does it; else for the whole matrix */
    bool blocks;      /* a block triangular form is looked for first */
    int ordering;     /* as KLU numbers them: 0 AMD, 1 COLAMD */
    double tolerance; /* diagonal pivots are taken if they have this share of the largest one; 0: KLU's own, 0.001 */
} klu_way;

enum { KLU_WAYS = 8 };
extern const klu_way klu_ways[KLU_WAYS];

typedef struct klu_saddle klu_saddle;

typedef struct klu_functions {
    /* Of numbers as they are; the system, in one lane, must outlive it. NULL: out of memory, singular, or no D W. */
    klu_saddle *(*open)(const saddle *s, const klu_way *way);
    void (*close)(klu_saddle *k);
    /* As ours; false: KLU has given up. `afresh`: with a new choice of pivots. The numbers of the whole matrix are
     * where KLU wants them already; D W is made from those of the system. */
    bool (*factor)(klu_saddle *k, bool afresh);
    bool (*solve)(klu_saddle *k, const double *right, double *left);
    /* Entries of L and U, with one diagonal, and those beside the blocks. */
    int (*fill)(const klu_saddle *k);
    /* An estimate of the condition of KLU's matrix in the 1-norm. */
    double (*condition)(klu_saddle *k);
} klu_functions;

/* NULL: this build has no KLU. */
const klu_functions *klu_find(void);

#endif
