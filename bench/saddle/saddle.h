/* SPDX-License-Identifier: MIT */
/* The saddle-point system of a model at its initial data,
 *     M v - C mu = f
 *     D v        = g,
 * factored and solved by the kernels' own text for sparse matrices (kernel/saddle_sparse.h). */
#ifndef NH_BENCH_SADDLE_H
#define NH_BENCH_SADDLE_H

#include "method/stepper.h"

enum { SADDLE_LANES = 4 };

typedef struct saddle saddle;

/* What the text has become for a number of lanes. Vectors are (f, g) on the right and (v, mu) on the left. */
typedef struct saddle_functions {
    void (*invert)(const saddle *s); /* M, or its factors: once, where it is constant */
    void (*lift)(const saddle *s);   /* W = M^-1 C alone; only for blocks of M */
    void (*factor)(const saddle *s); /* W, and D W = L U; or the whole matrix */
    void (*solve)(const saddle *s, const double *right, double *left);
    /* The parts of a solution before and after that of D W mu = g - D M^-1 f; only for blocks of M. */
    void (*reduce)(const saddle *s, const double *right, double *left);
    void (*restore)(const saddle *s, double *left);
} saddle_functions;

extern const saddle_functions saddle_functions_1, saddle_functions_4;

/* Numbers are [place][lane]; all lanes start alike, with M inverted. */
struct saddle {
    const saddle_functions *by;
    nh_stepper *stepper;
    const nh_kernel *kernel;
    const nh_sparsity *of; /* says where the numbers are */
    int n, ml, lanes;
    int masses, *mass_row, *mass_column; /* entries of M: all of a block */
    double *mass, *rows, *columns;       /* M, in blocks or by its rows; D; C by its columns: may be changed */
    double *inverse, *lift, *gram, *diagonal, *work; /* what factors are made of */
};

/* lanes: 1, or SADDLE_LANES. Statuses are those of a stepper; but for NH_OK there is nothing to close. */
nh_status saddle_open(saddle *s, const nh_model *m, int lanes, nh_error *error);
void saddle_close(saddle *s);
/* Whether this processor can do four lanes as they are compiled here. */
bool saddle_has_lanes(void);
/* Of the whole matrix. */
int saddle_nonzeros(const saddle *s);
/* Whether M is in blocks, so that there is D W. */
bool saddle_has_gram(const saddle *s);

#endif
