/* SPDX-License-Identifier: MIT */
#include "base/linear.h"

#include <math.h>

static void exchange(int *a, int *b)
{
    int x = *a;
    *a = *b;
    *b = x;
}

static void count_up(int *list, int count)
{
    for (int i = 0; list && i < count; i++)
        list[i] = i;
}

#define REAL         nh_quad
#define NAME(f)      f##_quad
#define MAGNITUDE(x) nh_quad_abs(x)
#include "base/linear_text.h"
#undef REAL
#undef NAME
#undef MAGNITUDE

#define REAL         double
#define NAME(f)      f##_double
#define MAGNITUDE(x) fabs(x)
#include "base/linear_text.h"
#undef REAL
#undef NAME
#undef MAGNITUDE

int nh_rank(const nh_quad *sigma, int count, nh_quad scale, bool *clear)
{
    if (count > 0 && scale == 0)
        scale = sigma[0];
    int rank = 0;
    while (rank < count && sigma[rank] > scale * (nh_quad)NH_RANK_ZERO)
        rank++;
    if (clear)
        *clear = rank == 0 || sigma[rank - 1] > scale * (nh_quad)NH_RANK_CLEAR;
    return rank;
}

/* --- singular values --- */

/* Column products x·x, y·y, x·y. */
static void products(const nh_quad *a, int rows, size_t C, int x, int y, nh_quad p[3])
{
    p[0] = p[1] = p[2] = 0;
    for (int i = 0; i < rows; i++) {
        nh_quad u = a[(size_t)i * C + (size_t)x], v = a[(size_t)i * C + (size_t)y];
        p[0] += u * u;
        p[1] += v * v;
        p[2] += u * v;
    }
}

static void rotate(nh_quad *a, int rows, size_t C, int x, int y, nh_quad c, nh_quad s)
{
    for (int i = 0; i < rows; i++) {
        nh_quad *u = &a[(size_t)i * C + (size_t)x], *v = &a[(size_t)i * C + (size_t)y], w = *u;
        *u = c * w - s * *v;
        *v = s * w + c * *v;
    }
}

/* Makes two columns orthogonal, the larger one first. Columns shorter than the square root of `zero` count as zero:
 * what is left of a dependent column would never be orthogonal to others. True if there was something to do. */
static bool orthogonalize(nh_quad *a, int rows, int columns, nh_quad *right, int x, int y, nh_quad zero)
{
    const nh_quad small = NH_QUAD_IS_FLOAT128 ? (nh_quad)1e-33 : (nh_quad)1e-18;
    nh_quad p[3], c = 0, s = -1; /* exchanges the columns */
    size_t C = (size_t)columns;
    products(a, rows, C, x, y, p);
    if (p[0] >= p[1]) {
        if (p[1] <= zero || nh_quad_abs(p[2]) <= small * nh_quad_sqrt(p[0]) * nh_quad_sqrt(p[1]))
            return false;
        nh_quad zeta = (p[1] - p[0]) / (2 * p[2]);
        nh_quad t = (nh_quad)(zeta < 0 ? -1 : 1) / (nh_quad_abs(zeta) + nh_quad_sqrt(1 + zeta * zeta));
        c = 1 / nh_quad_sqrt(1 + t * t);
        s = c * t;
    }
    rotate(a, rows, C, x, y, c, s);
    if (right)
        rotate(right, columns, C, x, y, c, s);
    return true;
}

static void identity(nh_quad *a, int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[(size_t)i * (size_t)n + (size_t)j] = i == j;
}

void nh_svd_quad(nh_quad *a, int rows, int columns, nh_quad *sigma, nh_quad *right)
{
    enum { SWEEPS = 60 };
    if (right)
        identity(right, columns);
    nh_quad square = 0;
    for (size_t i = 0; i < (size_t)rows * (size_t)columns; i++)
        square += a[i] * a[i];
    const nh_quad zero = square * (NH_QUAD_IS_FLOAT128 ? (nh_quad)1e-80 : (nh_quad)1e-44);
    bool busy = true;
    for (int sweep = 0; busy && sweep < SWEEPS; sweep++) {
        busy = false;
        for (int x = 0; x < columns; x++)
            for (int y = x + 1; y < columns; y++)
                busy |= orthogonalize(a, rows, columns, right, x, y, zero);
    }
    for (int j = 0; j < columns; j++) {
        nh_quad p[3];
        products(a, rows, (size_t)columns, j, j, p);
        sigma[j] = nh_quad_sqrt(p[0]);
    }
}

/* --- condition --- */

static double normalize(double *x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i] * x[i];
    double norm = sqrt(sum);
    for (int i = 0; i < n && norm > 0; i++)
        x[i] /= norm;
    return norm;
}

/* y = aᵀ a x. */
static void apply_twice(const double *a, int n, const double *x, double *y)
{
    size_t N = (size_t)n;
    for (size_t j = 0; j < N; j++)
        y[j] = 0;
    for (size_t i = 0; i < N; i++) {
        double sum = 0;
        for (size_t j = 0; j < N; j++)
            sum += a[i * N + j] * x[j];
        for (size_t j = 0; j < N; j++)
            y[j] += a[i * N + j] * sum;
    }
}

static void start_vector(double *x, int n)
{
    for (int i = 0; i < n; i++)
        x[i] = 1 + 0.5 * sin(1 + 3.7 * i); /* no model is orthogonal to this */
    normalize(x, n);
}

double nh_condition_estimate(const double *a, const double *lu, int n, const int *pivot, double *work)
{
    enum { ROUNDS = 40 };
    double *x = work, *y = work + n, largest = 0, inverse = 0;
    start_vector(x, n);
    for (int round = 0; round < ROUNDS; round++) {
        apply_twice(a, n, x, y);
        largest = normalize(y, n);
        for (int i = 0; i < n; i++)
            x[i] = y[i];
    }
    start_vector(x, n);
    for (int round = 0; round < ROUNDS; round++) {
        nh_lu_solve_transposed_double(lu, n, pivot, x);
        nh_lu_solve_double(lu, n, pivot, x);
        inverse = normalize(x, n);
    }
    return sqrt(largest * inverse);
}
