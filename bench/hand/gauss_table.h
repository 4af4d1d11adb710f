/* SPDX-License-Identifier: MIT */
/* Gauss coefficients of s <= 8 stages and what the hand-written steps multiply with, computed in quad precision. */
#ifndef NH_BENCH_GAUSS_TABLE_H
#define NH_BENCH_GAUSS_TABLE_H

#include <math.h>
#include <string.h>

enum { STAGES_MAX = 8 };
typedef __float128 quad;
typedef quad square[STAGES_MAX][STAGES_MAX];

typedef struct gauss_table {
    double c[STAGES_MAX], b[STAGES_MAX];
    double p[STAGES_MAX];                   /* P_{s-1}(c), the shifted Legendre polynomial */
    double bA[STAGES_MAX], bAi[STAGES_MAX]; /* b^T A, b^T A^{-1} */
    double A[STAGES_MAX][STAGES_MAX], AA[STAGES_MAX][STAGES_MAX], Ai[STAGES_MAX][STAGES_MAX];
    double E[STAGES_MAX][STAGES_MAX];   /* from values at c_j to those at 1 + c_i */
    double AAE[STAGES_MAX][STAGES_MAX]; /* A A E */
} gauss_table;

/* P_n and its derivative at x */
static void legendre(int n, quad x, quad *value, quad *slope)
{
    quad before = 1, now = n ? x : 1;
    for (int k = 2; k <= n; k++) {
        quad next = ((2 * k - 1) * x * now - (k - 1) * before) / k;
        before = now;
        now = next;
    }
    *value = now;
    *slope = n ? n * (x * now - before) / (x * x - 1) : 0;
}

static quad lagrange(int s, const quad *c, int j, quad x)
{
    quad r = 1;
    for (int k = 0; k < s; k++)
        if (k != j)
            r *= (x - c[k]) / (c[j] - c[k]);
    return r;
}

static void multiply(int s, square a, square b, square ab)
{
    for (int i = 0; i < s; i++)
        for (int j = 0; j < s; j++) {
            ab[i][j] = 0;
            for (int k = 0; k < s; k++)
                ab[i][j] += a[i][k] * b[k][j];
        }
}

/* Gauss and Jordan; the pivots of A are far from zero. */
static void invert(int s, square a, square inverse)
{
    square m;
    memcpy(m, a, sizeof m);
    for (int i = 0; i < s; i++)
        for (int j = 0; j < s; j++)
            inverse[i][j] = i == j;
    for (int k = 0; k < s; k++) {
        const quad d = 1 / m[k][k];
        for (int j = 0; j < s; j++) {
            m[k][j] *= d;
            inverse[k][j] *= d;
        }
        for (int i = 0; i < s; i++) {
            const quad f = m[i][k];
            for (int j = 0; j < s && i != k; j++) {
                m[i][j] -= f * m[k][j];
                inverse[i][j] -= f * inverse[k][j];
            }
        }
    }
}

static void rounded(int s, square from, double to[][STAGES_MAX])
{
    for (int i = 0; i < s; i++)
        for (int j = 0; j < s; j++)
            to[i][j] = (double)from[i][j];
}

static void nodes_and_weights(int s, quad *c, quad *b, double *p)
{
    for (int i = 0; i < s; i++) {
        quad x = -cos(3.14159265358979323846 * (i + 0.75) / (s + 0.5)), value, slope;
        for (int k = 0; k < 9; k++) {
            legendre(s, x, &value, &slope);
            x -= value / slope;
        }
        legendre(s, x, &value, &slope);
        c[i] = (1 + x) / 2;
        b[i] = 1 / ((1 - x * x) * slope * slope);
        legendre(s - 1, x, &value, &slope);
        p[i] = (double)value;
    }
}

static void gauss_table_make(gauss_table *g, int s)
{
    quad c[STAGES_MAX], b[STAGES_MAX];
    square A, E, AA, AAE, Ai;
    nodes_and_weights(s, c, b, g->p);
    for (int i = 0; i < s; i++)
        for (int j = 0; j < s; j++) {
            A[i][j] = 0;
            for (int k = 0; k < s; k++)
                A[i][j] += c[i] * b[k] * lagrange(s, c, j, c[i] * c[k]);
            E[i][j] = lagrange(s, c, j, 1 + c[i]);
        }
    multiply(s, A, A, AA);
    multiply(s, AA, E, AAE);
    invert(s, A, Ai);
    for (int i = 0; i < s; i++) {
        quad bA = 0, bAi = 0;
        for (int k = 0; k < s; k++) {
            bA += b[k] * A[k][i];
            bAi += b[k] * Ai[k][i];
        }
        g->c[i] = (double)c[i];
        g->b[i] = (double)b[i];
        g->bA[i] = (double)bA;
        g->bAi[i] = (double)bAi;
    }
    rounded(s, A, g->A);
    rounded(s, AA, g->AA);
    rounded(s, Ai, g->Ai);
    rounded(s, E, g->E);
    rounded(s, AAE, g->AAE);
}

#endif
