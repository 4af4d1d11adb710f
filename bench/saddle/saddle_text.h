/* SPDX-License-Identifier: MIT */
/* The functions of saddle.h over NH_LANES numbers, to be called SADDLE_FUNCTIONS. */
#define NH_SPARSE
#include "kernel/library.h"

#include "saddle/saddle.h"

static nh_point point_of(const saddle *s)
{
    return (nh_point){.inverse = (nh_real *)s->inverse,
                      .rows = (nh_real *)s->rows,
                      .lift = (nh_real *)s->lift,
                      .gram = (nh_real *)s->gram,
                      .diagonal = (nh_real *)s->diagonal,
                      .work = (nh_real *)s->work};
}

static void invert(const saddle *s)
{
    const nh_sparsity *of = s->of;
    if (of->coupled) {
        const nh_point p = point_of(s);
        for (int e = 0; e < of->coupled->M.start[s->n]; e++)
            p.inverse[e] = ((const nh_real *)s->mass)[e];
        nh_coupled_factor(s->kernel, &p, p.work);
    }
    for (int b = 0; b < of->blocks; b++)
        nh_invert_mass(s->kernel, of->block[b + 1] - of->block[b], (const nh_real *)s->mass + of->inverse_at[b],
                       (nh_real *)s->inverse + of->inverse_at[b], (nh_real *)s->work);
}

static void lift(const saddle *s)
{
    const nh_point p = point_of(s);
    nh_point_lift_all(s->kernel, &p, (const nh_real *)s->columns);
}

static void factor(const saddle *s)
{
    const nh_point p = point_of(s);
    lift(s);
    nh_point_gram(s->kernel, &p);
}

static void reduce(const saddle *s, const double *right, double *left)
{
    const nh_point p = point_of(s);
    nh_real *v = (nh_real *)left, *mu = v + s->n;
    const nh_real *f = (const nh_real *)right, *g = f + s->n;
    nh_point_divide(s->kernel, &p, f, 1, v, 1);
    for (int c = 0; c < s->ml; c++)
        mu[c] = -nh_point_row(s->kernel, &p, c, v, -g[c]);
}

static void restore(const saddle *s, double *left)
{
    const nh_point p = point_of(s);
    nh_real *v = (nh_real *)left;
    for (int i = 0; i < s->n; i++)
        v[i] += nh_point_lift(s->kernel, &p, v + s->n, i);
}

static void solve(const saddle *s, const double *right, double *left)
{
    const nh_point p = point_of(s);
    nh_real *mu = (nh_real *)left + s->n;
    reduce(s, right, left);
    nh_point_lower(s->kernel, &p, mu);
    nh_point_upper(s->kernel, &p, mu);
    restore(s, left);
}

const saddle_functions SADDLE_FUNCTIONS = {invert, lift, factor, solve, reduce, restore};
