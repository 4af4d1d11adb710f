/* SPDX-License-Identifier: MIT */
#include "base/sparse_lu.h"

#include <math.h>
#include <stdlib.h>

#ifdef NH_HAVE_KLU
#include <suitesparse/klu.h>

struct nh_sparse_lu {
    const nh_columns *pattern;
    klu_common common;
    klu_symbolic *symbolic;
    klu_numeric *numeric;
};

#define TEXT_OF(number) #number
#define TEXT(number)    TEXT_OF(number)

const char *nh_sparse_lu_name(void)
{
    return "klu " TEXT(KLU_MAIN_VERSION) "." TEXT(KLU_SUB_VERSION) "." TEXT(KLU_SUBSUB_VERSION);
}

nh_sparse_lu *nh_sparse_lu_new(const nh_columns *pattern)
{
    nh_sparse_lu *lu = calloc(1, sizeof *lu);
    if (!lu)
        return NULL;
    lu->pattern = pattern;
    /* To look for blocks took longer than all else, growing like the square of a chain's length; without that AMD,
     * which takes pivots to be on the diagonal, fills chains of trailers. COLAMD does neither. */
    klu_defaults(&lu->common);
    lu->common.btf = 0;
    lu->common.ordering = 1;
    return lu;
}

void nh_sparse_lu_free(nh_sparse_lu *lu)
{
    if (!lu)
        return;
    klu_free_numeric(&lu->numeric, &lu->common);
    klu_free_symbolic(&lu->symbolic, &lu->common);
    free(lu);
}

/* KLU compares pivots, and what is not a number is never the larger one. */
static bool are_finite(const double *values, int count)
{
    for (int i = 0; i < count; i++)
        if (!isfinite(values[i]))
            return false;
    return true;
}

bool nh_sparse_lu_factor(nh_sparse_lu *lu, double *values)
{
    const nh_columns *p = lu->pattern;
    lu->common.status = KLU_OK; /* of this one, not of another before */
    if (!lu->symbolic)
        lu->symbolic = klu_analyze(p->count, p->start, p->row, &lu->common);
    if (!lu->symbolic || !are_finite(values, p->start[p->count]))
        return false;
    klu_free_numeric(&lu->numeric, &lu->common);
    lu->numeric = klu_factor(p->start, p->row, values, lu->symbolic, &lu->common);
    return lu->numeric && lu->common.status == KLU_OK;
}

bool nh_sparse_lu_lacks_memory(const nh_sparse_lu *lu)
{
    return lu->common.status == KLU_OUT_OF_MEMORY || lu->common.status == KLU_TOO_LARGE;
}

void nh_sparse_lu_solve(nh_sparse_lu *lu, double *b)
{
    klu_solve(lu->symbolic, lu->numeric, lu->pattern->count, 1, b, &lu->common);
}

#else

const char *nh_sparse_lu_name(void)
{
    return NULL;
}

nh_sparse_lu *nh_sparse_lu_new(const nh_columns *pattern)
{
    (void)pattern;
    return NULL;
}

void nh_sparse_lu_free(nh_sparse_lu *lu)
{
    (void)lu;
}

bool nh_sparse_lu_factor(nh_sparse_lu *lu, double *values)
{
    (void)lu;
    (void)values;
    return false;
}

bool nh_sparse_lu_lacks_memory(const nh_sparse_lu *lu)
{
    (void)lu;
    return false;
}

void nh_sparse_lu_solve(nh_sparse_lu *lu, double *b)
{
    (void)lu;
    (void)b;
}

#endif
