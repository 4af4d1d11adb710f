/* SPDX-License-Identifier: MIT */
/* McLachlan and Perlmutter's particles, m = 3, on four lanes: K = (1, 0, 0, 0, q1, q2, q3), masses 1. */
#ifndef NH_BENCH_PARTICLES_H
#define NH_BENCH_PARTICLES_H

#include "limits.h"

#include <immintrin.h>

#define INLINE static inline __attribute__((always_inline))
/* Vectors keep to memory from here on: their lanes are read back as broadcasts, which takes load ports, not shuffles.
 */
#define IN_MEMORY(x) __asm__("" : "+m"(x))

typedef double v4 __attribute__((vector_size(32)));
typedef long long l4 __attribute__((vector_size(32)));

enum { ROWS = 4 }; /* coordinates whose velocities the constraint has */
static const int in_row[ROWS] = {0, 4, 5, 6};

INLINE v4 size_of(v4 x)
{
    return (v4)((l4)x & 0x7fffffffffffffffLL);
}

INLINE v4 root_of(v4 x)
{
    return (v4)_mm256_sqrt_pd((__m256d)x);
}

INLINE double sum_of(v4 x)
{
    __m128d t = _mm_add_pd(_mm256_castpd256_pd128((__m256d)x), _mm256_extractf128_pd((__m256d)x, 1));
    return t[0] + t[1];
}

INLINE void force(const v4 *q, v4 *f)
{
    f[0] = -q[0];
    f[1] = -q[1] * (1 + q[4] * q[4]);
    f[2] = -q[2] * (1 + q[5] * q[5]);
    f[3] = -q[3] * (1 + q[6] * q[6]);
    f[4] = -q[4] * (1 + q[1] * q[1] + q[5] * q[5]);
    f[5] = -q[5] * (1 + q[2] * q[2] + q[4] * q[4]);
    f[6] = -q[6] * (1 + q[3] * q[3]);
}

/* f += K^T lambda */
INLINE void react(v4 *f, const v4 *q, v4 lambda)
{
    f[0] += lambda;
    f[4] += q[1] * lambda;
    f[5] += q[2] * lambda;
    f[6] += q[3] * lambda;
}

INLINE v4 norm_of_row(const v4 *q) /* K K^T */
{
    return 1 + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
}

/* The multiplier of the continuous system. */
INLINE v4 multiplier(const v4 *q, const v4 *v, const v4 *f)
{
    return -(f[0] + q[1] * f[4] + q[2] * f[5] + q[3] * f[6] + v[1] * v[4] + v[2] * v[5] + v[3] * v[6]) / norm_of_row(q);
}

static double energy(const double *q, const double *v)
{
    double e = q[4] * q[4] * q[5] * q[5];
    for (int i = 0; i < HAND_N; i++)
        e += v[i] * v[i] + q[i] * q[i];
    for (int i = 1; i <= 3; i++)
        e += q[i] * q[i] * q[i + 3] * q[i + 3];
    return e / 2;
}

#endif
