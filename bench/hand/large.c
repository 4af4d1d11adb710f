/* SPDX-License-Identifier: MIT */
#include "large.h"

#include "gauss_table.h"

#include <immintrin.h>
#include <math.h>
#include <string.h>

typedef double v4 __attribute__((vector_size(32)));
#define INLINE static inline __attribute__((always_inline))

static void finish(hand_large *run, const double *q)
{
    run->q_sum = 0;
    for (int i = 0; i < 2 * run->m + 1; i++)
        run->q_sum += q[i];
}

/* ---- (7.3): positions at half steps; one pass for forces, kick and the sums of the equation for the multiplier, one
 * for multiplier and drift. No low parts. ---- */

static void mp_step(int m, double *restrict q, double *restrict v, double h)
{
    double *restrict a = q + 1, *restrict b = q + 1 + m, *restrict va = v + 1, *restrict vb = v + 1 + m;
    double square = 0, product = 0;
    const double b0 = b[0], b1 = b[1], half = 0.5 * h;
    v[0] -= h * q[0];
    vb[0] -= h * b0 * b1 * b1;
    vb[1] -= h * b1 * b0 * b0;
#pragma omp simd reduction(+ : square, product)
    for (int i = 0; i < m; i++) {
        const double aa = a[i] * a[i], bb = b[i] * b[i];
        const double w = va[i] - h * a[i] * (1 + bb), u = vb[i] - h * b[i] * (1 + aa), x = a[i] + half * w;
        va[i] = w;
        vb[i] = u;
        square += x * a[i];
        product += x * u;
    }
    const double mu = (v[0] + product) / (1 + square);
    v[0] -= mu;
    q[0] += h * v[0];
    for (int i = 0; i < m; i++) {
        vb[i] -= mu * a[i];
        b[i] += h * vb[i];
        a[i] += h * va[i];
    }
}

void large_mp(hand_large *run)
{
    const int n = 2 * run->m + 1;
    double *q = run->work, *v = q + n;
    for (int i = 0; i < n; i++) {
        v[i] = run->v[i];
        q[i] = run->q[i] + 0.5 * run->h * v[i];
    }
    for (long k = 0; k < run->steps; k++)
        mp_step(run->m, q, v, run->h);
    run->iterations = (double)run->steps;
    finish(run, q);
}

#include "large_gauss.h"
