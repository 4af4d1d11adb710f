/* SPDX-License-Identifier: MIT */
#include "saddle/klu.h"

#include <math.h>
#include <stdlib.h>

const klu_way klu_ways[KLU_WAYS] = {
    {"whole, AMD", false, false, 0, 0},    {"whole, blocks, AMD", false, true, 0, 0},
    {"whole, COLAMD", false, false, 1, 0}, {"whole, blocks, COLAMD", false, true, 1, 0},
    {"Gram, AMD", true, false, 0, 0},      {"Gram, blocks, AMD", true, true, 0, 0},
    {"Gram, COLAMD", true, false, 1, 0},   {"Gram, blocks, COLAMD", true, true, 1, 0},
};

#ifdef NH_HAVE_KLU
#include <suitesparse/klu.h>

/* A matrix by columns; `source` says where the number of each entry comes from. */
struct klu_saddle {
    const saddle *s;
    const klu_way *way;
    int n, *start, *row, *source;
    double *value;
    klu_common common;
    klu_symbolic *symbolic;
    klu_numeric *numeric;
};

/* ---- The matrix ---- */

/* Entries come one by one, in any order: first they are counted, then they get their places. */
typedef struct entries {
    klu_saddle *k;
    int *next; /* place in a column; NULL while they are counted */
} entries;

static void add(const entries *to, int row, int column, int source)
{
    if (!to->next) {
        to->k->start[column + 1]++;
        return;
    }
    const int at = to->next[column]++;
    to->k->row[at] = row;
    to->k->source[at] = source;
}

/* Sources: entries of D W in the kernel's pattern. Those without a term are zero, and not for KLU to know. */
static void list_gram(const entries *to)
{
    const nh_sparsity *of = to->k->s->of;
    for (int i = 0; i < to->k->n; i++)
        for (int e = of->factors.LU.start[i]; e < of->factors.LU.start[i + 1]; e++)
            if (of->term[e] < of->term[e + 1])
                add(to, of->factors.order[i], of->factors.order[of->factors.LU.column[e]], e);
}

/* Sources: numbers of M, then of D, then of C. */
static void list_whole(const entries *to)
{
    const saddle *s = to->k->s;
    const nh_sparsity *of = s->of;
    const int masses = s->masses, rows = of->D.start[s->ml];
    for (int e = 0; e < masses; e++)
        if (s->mass[e] != 0)
            add(to, s->mass_row[e], s->mass_column[e], e);
    for (int c = 0; c < s->ml; c++) {
        for (int e = of->D.start[c]; e < of->D.start[c + 1]; e++)
            add(to, s->n + c, of->D.column[e], masses + e);
        for (int e = of->C.start[c]; e < of->C.start[c + 1]; e++)
            add(to, of->C.column[e], s->n + c, masses + rows + e);
    }
}

static bool take_pattern(klu_saddle *k)
{
    void (*list)(const entries *) = k->way->gram ? list_gram : list_whole;
    k->n = k->s->ml + (k->way->gram ? 0 : k->s->n);
    k->start = calloc((size_t)k->n + 1, sizeof *k->start);
    int *next = calloc((size_t)k->n + 1, sizeof *next);
    bool good = k->start && next;
    if (good) {
        list(&(entries){k, NULL});
        for (int j = 0; j < k->n; j++)
            next[j + 1] = k->start[j + 1] += k->start[j];
        const size_t count = (size_t)k->start[k->n] + 1;
        k->row = calloc(count, sizeof *k->row);
        k->source = calloc(count, sizeof *k->source);
        k->value = calloc(count, sizeof *k->value);
        good = k->row && k->source && k->value;
    }
    if (good)
        list(&(entries){k, next});
    free(next);
    return good;
}

/* ---- Numbers ---- */

static void take_whole(klu_saddle *k)
{
    const saddle *s = k->s;
    const int masses = s->masses, rows = s->of->D.start[s->ml];
    for (int e = 0; e < k->start[k->n]; e++) {
        const int from = k->source[e];
        k->value[e] = from < masses          ? s->mass[from]
                      : from < masses + rows ? s->rows[from - masses]
                                             : -s->columns[from - masses - rows];
    }
}

static void take_gram(klu_saddle *k)
{
    const saddle *s = k->s;
    const nh_sparsity *of = s->of;
    s->by->lift(s);
    for (int e = 0; e < k->start[k->n]; e++) {
        double sum = 0;
        for (int t = of->term[k->source[e]]; t < of->term[k->source[e] + 1]; t++)
            sum += s->rows[of->left[t]] * s->lift[of->right[t]];
        k->value[e] = sum;
    }
}

static bool factor_afresh(klu_saddle *k)
{
    klu_free_numeric(&k->numeric, &k->common);
    k->numeric = klu_factor(k->start, k->row, k->value, k->symbolic, &k->common);
    return k->numeric && k->common.status == KLU_OK;
}

static bool factor(klu_saddle *k, bool afresh)
{
    if (k->way->gram)
        take_gram(k);
    return afresh ? factor_afresh(k)
                  : klu_refactor(k->start, k->row, k->value, k->symbolic, k->numeric, &k->common) == 1;
}

static bool solve(klu_saddle *k, const double *right, double *left)
{
    const saddle *s = k->s;
    if (k->way->gram)
        s->by->reduce(s, right, left);
    else
        for (int i = 0; i < k->n; i++)
            left[i] = right[i];
    const bool good = klu_solve(k->symbolic, k->numeric, k->n, 1, left + (k->way->gram ? s->n : 0), &k->common) == 1;
    if (k->way->gram)
        s->by->restore(s, left);
    return good;
}

/* ---- All of it ---- */

static void close(klu_saddle *k)
{
    if (!k)
        return;
    klu_free_numeric(&k->numeric, &k->common);
    klu_free_symbolic(&k->symbolic, &k->common);
    free(k->start);
    free(k->row);
    free(k->source);
    free(k->value);
    free(k);
}

static klu_saddle *open(const saddle *s, const klu_way *way)
{
    klu_saddle *k = way->gram && !saddle_has_gram(s) ? NULL : calloc(1, sizeof *k);
    if (!k)
        return NULL;
    k->s = s;
    k->way = way;
    const bool good = klu_defaults(&k->common) && take_pattern(k);
    k->common.btf = way->blocks;
    k->common.ordering = way->ordering;
    k->common.tol = way->tolerance > 0 ? way->tolerance : k->common.tol;
    k->common.scale = -1; /* rows are not scaled, as ours are not */
    k->symbolic = good ? klu_analyze(k->n, k->start, k->row, &k->common) : NULL;
    if (k->symbolic && !way->gram)
        take_whole(k);
    if (k->symbolic && factor(k, true))
        return k;
    close(k);
    return NULL;
}

static int fill(const klu_saddle *k)
{
    return k->numeric->lnz + k->numeric->unz - k->n + k->numeric->nzoff;
}

static double condition(klu_saddle *k)
{
    return klu_condest(k->start, k->value, k->symbolic, k->numeric, &k->common) ? k->common.condest : INFINITY;
}

const klu_functions *klu_find(void)
{
    static const klu_functions functions = {open, close, factor, solve, fill, condition};
    return &functions;
}

#else

const klu_functions *klu_find(void)
{
    return NULL;
}

#endif
