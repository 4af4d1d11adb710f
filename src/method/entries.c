/* SPDX-License-Identifier: MIT */
#include "method/entries.h"

#include "base/status.h"
#include "kernel/traits.h"
#include "method/sparsity_build.h"

/* Loops over products are written out in a time that people wait. Each takes this, whether it is one or not, and four
 * times that where the mass is not constant, which compilers see in all that they do. */
#define SECONDS_PER_LOOK 1.5e-3
#define SECONDS_MOST     12

static double seconds_for(const nh_kernel *kernel, double looks)
{
    return looks * SECONDS_PER_LOOK * (kernel->traits & NH_MASS_CONSTANT ? 1 : 4);
}

/* What NH_IN_MASS and the others read and, here, write. */
typedef struct entries {
    const nh_model *model;
    const nh_kernel *kernel;
    int n, m, l;
    bool *mark;
    int products, saved; /* of a step's, such as are made and such as have a factor 0 */
} entries;

#define NH_ENTRY(at) (mark[at])
#define ENTRIES(e)                                                                                                     \
    const int n = (e)->n, m = (e)->m, l = (e)->l;                                                                      \
    bool *mark = (e)->mark;                                                                                            \
    (void)m, (void)l

/* A product of two entries: whether it is one. */
static bool product(entries *e, bool a, bool b)
{
    if (a && b)
        e->products++;
    else
        e->saved++;
    return a && b;
}

/* The matrix of a derivative, into the marks from `first` on, transposed if its rows are to be columns. */
static nh_status find(const entries *e, nh_quantity of, nh_space by, bool *first, bool transposed, nh_error *error)
{
    nh_pattern p = {0};
    const nh_status status = nh_sparsity_find(e->model, of, by, NH_MOST_SLOTS, &p, error);
    for (int r = 0; status == NH_OK && r < p.rows; r++)
        for (size_t k = p.start[r]; k < p.start[r + 1]; k++)
            first[transposed ? p.column[k] * e->n + r : r * e->n + p.column[k]] = true;
    nh_pattern_free(&p);
    return status;
}

/* L_vv, C and D. */
static nh_status find_all(const entries *e, nh_error *error)
{
    ENTRIES(e);
    const bool ideal = !(e->kernel->traits & NH_NONIDEAL);
    nh_status status = find(e, NH_OF_MOMENTUM, NH_V, &NH_IN_MASS(0, 0), false, error);
    if (status == NH_OK)
        status = find(e, NH_OF_CONSTRAINT, NH_V, &NH_IN_ROWS(0, 0), false, error);
    if (status == NH_OK)
        status = find(e, NH_OF_HOLONOMIC, NH_Q, &NH_IN_ROWS(m, 0), false, error);
    if (status == NH_OK && !ideal)
        status = find(e, NH_OF_REACTION, NH_LAMBDA, &NH_IN_COLUMNS(0, 0), true, error);
    for (int c = 0; c < m + l && ideal; c++)
        for (int i = 0; i < n; i++)
            NH_IN_COLUMNS(c, i) = NH_IN_ROWS(c, i);
    if (status == NH_OK && e->kernel->traits & NH_BY_ROWS && !(e->kernel->traits & NH_LINEAR_MULTIPLIER))
        status = find(e, NH_OF_CONSTRAINT, NH_Q, &NH_IN_ROWS(0, 0), false, error); /* D is K + h/2 k_q */
    return status;
}

/* L_vv becomes L below the diagonal, as if no two products ever cancelled, … */
static void factor_mass(entries *e)
{
    ENTRIES(e);
    for (int j = 0; j < n; j++)
        for (int i = j; i < n; i++) {
            bool any = i == j || NH_IN_MASS(i, j);
            for (int k = 0; k < j; k++)
                any |= product(e, NH_IN_MASS(i, k), NH_IN_MASS(j, k));
            NH_IN_MASS(i, j) = any;
        }
}

/* … and the transpose of L^-1 above it; L_vv^-1 = L^-T D^-1 L^-1. */
static void invert_mass(entries *e)
{
    ENTRIES(e);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            bool any = NH_IN_MASS(i, j);
            for (int k = j + 1; k < i; k++)
                any |= product(e, NH_IN_MASS(i, k), NH_IN_MASS(j, k));
            NH_IN_MASS(j, i) = any;
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            bool any = i == j || NH_IN_MASS(j, i);
            for (int k = i + 1; k < n; k++)
                any |= product(e, NH_IN_MASS(i, k), NH_IN_MASS(j, k));
            NH_IN_INVERSE(i, j) = NH_IN_INVERSE(j, i) = any;
        }
}

/* L_vv^-1 x for any x, and W = L_vv^-1 C. */
static void divide(entries *e)
{
    ENTRIES(e);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            product(e, NH_IN_INVERSE(i, j), true);
    for (int c = 0; c < m + l; c++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                NH_IN_LIFT(c, i) |= product(e, NH_IN_INVERSE(i, j), NH_IN_COLUMNS(c, j));
}

/* Others are left out anyway. */
static bool touched(const entries *e, int i)
{
    ENTRIES(e);
    bool any = false;
    for (int c = 0; c < m + l; c++)
        any |= NH_IN_LIFT(c, i);
    return any;
}

/* D W. */
static void find_gram(entries *e)
{
    ENTRIES(e);
    for (int r = 0; r < m + l; r++)
        for (int c = 0; c < m + l; c++)
            for (int i = 0; i < n; i++)
                if (touched(e, i))
                    NH_IN_GRAM(r, c) |= product(e, NH_IN_ROWS(r, i), NH_IN_LIFT(c, i));
    for (int r = 0; r < m + l; r++)
        NH_IN_GRAM(r, r) = true;
}

/* It becomes L U; and L^-1. */
static void factor_gram(entries *e)
{
    ENTRIES(e);
    for (int k = 0; k < m + l; k++)
        for (int r = k + 1; r < m + l; r++)
            for (int c = k + 1; c < m + l; c++)
                NH_IN_GRAM(r, c) |= product(e, NH_IN_GRAM(r, k), NH_IN_GRAM(k, c));
    for (int r = 0; r < m + l; r++)
        for (int c = 0; c <= r; c++) {
            NH_IN_LOWER(r, c) = NH_IN_GRAM(r, c);
            for (int k = c + 1; k < r; k++)
                NH_IN_LOWER(r, c) |= product(e, NH_IN_GRAM(r, k), NH_IN_LOWER(k, c));
        }
}

/* The same, with rows that are exchanged: whichever of those that have an entry in column k comes to be row k, the
 * others get what it has (George and Ng, 1985). */
static void exchange_gram(entries *e)
{
    ENTRIES(e);
    for (int r = 0; r < m + l; r++)
        for (int c = 0; c < m + l; c++)
            NH_IN_PIVOTED(r, c) = NH_IN_GRAM(r, c);
    for (int k = 0; k < m + l; k++)
        for (int c = k + 1; c < m + l; c++) {
            for (int r = k + 1; r < m + l; r++)
                NH_IN_PIVOTED(k, c) |= NH_IN_PIVOTED(r, k) && NH_IN_PIVOTED(r, c);
            for (int r = k + 1; r < m + l; r++)
                NH_IN_PIVOTED(r, c) |= product(e, NH_IN_PIVOTED(r, k), NH_IN_PIVOTED(k, c));
        }
}

nh_status nh_entries_find(const nh_model *model, nh_kernel_family family, nh_arena *arena, nh_kernel *kernel,
                          double *seconds, nh_error *error)
{
    *seconds = 0;
    const int n = kernel->n, m = kernel->m, l = kernel->l;
    if (n > NH_FEW_COORDINATES)
        return NH_OK;
    entries e = {model, kernel, n, m, l, NH_NEW(arena, bool, NH_ENTRIES + 1), 0, 0};
    if (!e.mark)
        return nh_fail(error, NH_MEMORY, "out of memory");
    const nh_status status = find_all(&e, error);
    if (status != NH_OK)
        return status;
    factor_mass(&e);
    invert_mass(&e);
    if (kernel->traits & NH_MASS_CONSTANT) /* once, before the first step */
        e.products = e.saved = 0;
    divide(&e);
    if (kernel->traits & NH_MASS_DIAGONAL) /* n products, not n^2 */
        e.products = e.saved = 0;
    find_gram(&e);
    (family == NH_KERNEL_SPARK ? factor_gram : exchange_gram)(&e);
    const double needed = seconds_for(kernel, e.products + e.saved);
    if (e.saved > 0 && needed <= SECONDS_MOST) {
        kernel->entries = e.mark;
        *seconds = needed;
    }
    return NH_OK;
}
