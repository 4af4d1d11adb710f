/* SPDX-License-Identifier: MIT */
/* A Taylor series for McLachlan and Perlmutter's particles, m = 3, with three pairs of particles in lanes: what a
 * generator of Taylor code could make of this one system. Order and step size after Jorba and Zou. */
#include "clock.h"
#include "peers/peer.h"

#include <math.h>

enum { ORDER_MAX = 25 };
typedef double v4 __attribute__((vector_size(32)));

/* Coefficients of t^k. q0, v0: the first coordinate; a, b: the two of each pair; f: force on b; aa, bb: their squares.
 */
typedef struct series {
    v4 a[ORDER_MAX + 1], b[ORDER_MAX + 1], va[ORDER_MAX + 1], vb[ORDER_MAX + 1];
    v4 aa[ORDER_MAX], bb[ORDER_MAX], stiffness[ORDER_MAX], f[ORDER_MAX], lambda[ORDER_MAX];
    double q0[ORDER_MAX + 1], v0[ORDER_MAX + 1], norm[ORDER_MAX], multiplier[ORDER_MAX];
} series;

#define INLINE static inline __attribute__((always_inline))

/* Coefficient k of a product, in two chains. */
INLINE v4 product(const v4 *x, const v4 *y, int k)
{
    v4 even = {0}, odd = {0};
    int j = 0;
    for (; j + 1 <= k; j += 2) {
        even += x[j] * y[k - j];
        odd += x[j + 1] * y[k - j - 1];
    }
    if (j <= k)
        even += x[j] * y[k - j];
    return even + odd;
}

INLINE v4 square(const v4 *x, int k)
{
    v4 sum = {0};
    for (int j = 0; 2 * j < k; j++)
        sum += x[j] * x[k - j];
    sum += sum;
    return k % 2 ? sum : sum + x[k / 2] * x[k / 2];
}

INLINE double sum_of_three(v4 x)
{
    return x[0] + x[1] + x[2];
}

/* norm * multiplier = q0 - rest, solved for coefficient k. */
INLINE double next_multiplier(const series *s, double right, int k)
{
    double even = right, odd = 0;
    int j = 1;
    for (; j + 1 <= k; j += 2) {
        even -= s->norm[j] * s->multiplier[k - j];
        odd -= s->norm[j + 1] * s->multiplier[k - j - 1];
    }
    if (j <= k)
        even -= s->norm[j] * s->multiplier[k - j];
    return even + odd;
}

INLINE void extend(series *s, int order)
{
    double inverse_norm = 0;
    for (int k = 0; k < order; k++) {
        const double one = k == 0, c = 1.0 / (k + 1);
        s->aa[k] = square(s->a, k);
        s->bb[k] = square(s->b, k);
        s->stiffness[k] = one + s->aa[k] + (v4){s->bb[k][1], s->bb[k][0], 0, 0};
        s->f[k] = -product(s->b, s->stiffness, k);
        s->norm[k] = one + sum_of_three(s->aa[k]);
        if (k == 0)
            inverse_norm = 1 / s->norm[0];
        const v4 along = product(s->a, s->f, k) + product(s->va, s->vb, k);
        s->multiplier[k] = next_multiplier(s, s->q0[k] - sum_of_three(along), k) * inverse_norm;
        s->lambda[k] = s->multiplier[k] + (v4){0};
        s->v0[k + 1] = (s->multiplier[k] - s->q0[k]) * c;
        s->va[k + 1] = (-s->a[k] - product(s->a, s->bb, k)) * c;
        s->vb[k + 1] = (s->f[k] + product(s->a, s->lambda, k)) * c;
        s->q0[k + 1] = s->v0[k] * c;
        s->a[k + 1] = s->va[k] * c;
        s->b[k + 1] = s->vb[k] * c;
    }
}

static double largest(const series *s, int k)
{
    double value = fmax(1e-300, fmax(fabs(s->q0[k]), fabs(s->v0[k])));
    for (int i = 0; i < 3; i++)
        value = fmax(value, fmax(fmax(fabs(s->a[k][i]), fabs(s->b[k][i])), fmax(fabs(s->va[k][i]), fabs(s->vb[k][i]))));
    return value;
}

static double step_size(const series *s, int order)
{
    const double scale = largest(s, 0);
    return exp(-2 - 0.7 / (order - 1)) *
           fmin(pow(scale / largest(s, order - 1), 1.0 / (order - 1)), pow(scale / largest(s, order), 1.0 / order));
}

static void unpack(series *s, const double *y)
{
    s->q0[0] = y[0];
    s->v0[0] = y[7];
    s->a[0] = (v4){y[1], y[2], y[3], 0};
    s->b[0] = (v4){y[4], y[5], y[6], 0};
    s->va[0] = (v4){y[8], y[9], y[10], 0};
    s->vb[0] = (v4){y[11], y[12], y[13], 0};
}

INLINE void evaluate(const series *s, int order, double h, double *y)
{
    v4 a = s->a[order], b = s->b[order], va = s->va[order], vb = s->vb[order];
    double q0 = s->q0[order], v0 = s->v0[order];
    for (int k = order - 1; k >= 0; k--) {
        a = a * h + s->a[k];
        b = b * h + s->b[k];
        va = va * h + s->va[k];
        vb = vb * h + s->vb[k];
        q0 = q0 * h + s->q0[k];
        v0 = v0 * h + s->v0[k];
    }
    y[0] = q0;
    y[7] = v0;
    for (int i = 0; i < 3; i++) {
        y[1 + i] = a[i];
        y[4 + i] = b[i];
        y[8 + i] = va[i];
        y[11 + i] = vb[i];
    }
}

bool peer_taylor(int choice, peer_run *run)
{
    series s;
    const int wanted = (int)ceil(1 - 0.5 * log(run->tolerance)), order = wanted < ORDER_MAX ? wanted : ORDER_MAX;
    (void)choice;
    peer_start(run);
    const double begin = clock_seconds();
    for (double t = 0; t < run->time;) {
        unpack(&s, run->y);
        extend(&s, order);
        const double h = fmin(step_size(&s, order), run->time - t);
        if (!(h > 1e-10))
            return false;
        evaluate(&s, order, h, run->y);
        t = run->time - t - h <= 0 ? run->time : t + h;
        peer_look(run, run->y);
    }
    run->seconds = clock_seconds() - begin;
    return true;
}
