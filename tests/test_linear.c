/* SPDX-License-Identifier: MIT */
/* Small dense linear algebra. */
#include "base/linear.h"

#include "test.h"

#include <stdint.h>
#include <stdlib.h>

static nh_quad random_number(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (nh_quad)(*state >> 11) * (nh_quad)0x1p-52 - 1;
}

static nh_quad *random_matrix(int rows, int columns, uint64_t seed)
{
    nh_quad *a = malloc((size_t)rows * (size_t)columns * sizeof *a);
    for (int i = 0; a && i < rows * columns; i++)
        a[i] = random_number(&seed);
    return a;
}

static const double tiny = NH_QUAD_IS_FLOAT128 ? 1e-28 : 1e-14;

/* Products of a rows × inner and an inner × columns matrix: rank `inner`. */
static nh_quad *low_rank(int rows, int inner, int columns)
{
    nh_quad *a = random_matrix(rows, inner, 1), *b = random_matrix(inner, columns, 2);
    nh_quad *c = calloc((size_t)rows * (size_t)columns, sizeof *c);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            for (int k = 0; k < inner; k++)
                c[i * columns + j] += a[i * inner + k] * b[k * columns + j];
    free(a);
    free(b);
    return c;
}

TEST(singular_values_known)
{
    /* singular values of [[1,1],[0,1]] are the golden ratio and its inverse */
    nh_quad a[4] = {1, 1, 0, 1}, sigma[2], right[4];
    nh_svd_quad(a, 2, 2, sigma, right);
    nh_quad golden = (1 + nh_quad_sqrt(5)) / 2;
    CHECK_NEAR((double)(sigma[0] - golden), 0, tiny);
    CHECK_NEAR((double)(sigma[1] - 1 / golden), 0, tiny);
    nh_quad ascending[9] = {1, 0, 0, 0, 2, 0, 0, 0, 3}, three[3];
    nh_svd_quad(ascending, 3, 3, three, NULL);
    for (int i = 0; i < 3; i++)
        CHECK_NEAR((double)three[i], 3 - i, tiny);
}

TEST(singular_values_rank)
{
    static const int shape[][3] = {{5, 3, 7}, {7, 2, 5}, {1, 1, 4}, {4, 1, 1}, {6, 6, 6}, {2, 2, 6}, {20, 11, 14}};
    for (size_t s = 0; s < sizeof shape / sizeof *shape; s++) {
        int rows = shape[s][0], rank = shape[s][1], columns = shape[s][2];
        nh_quad *a = low_rank(rows, rank, columns), *sigma = malloc((size_t)columns * sizeof *sigma);
        nh_quad *right = malloc((size_t)(columns * columns) * sizeof *right), *copy = low_rank(rows, rank, columns);
        bool clear;
        nh_svd_quad(copy, rows, columns, sigma, right);
        CHECK_EQ_INT(nh_rank(sigma, columns, 0, &clear), rank);
        CHECK(clear);
        for (int j = 1; j < columns; j++)
            CHECK(sigma[j - 1] >= sigma[j]);
        double worst = 0; /* the last columns span the kernel */
        for (int k = rank; k < columns; k++)
            for (int i = 0; i < rows; i++) {
                nh_quad sum = 0;
                for (int j = 0; j < columns; j++)
                    sum += a[i * columns + j] * right[j * columns + k];
                worst = fmax(worst, fabs((double)sum));
            }
        CHECK_NEAR(worst, 0, tiny);
        CHECK_EQ_INT(nh_eliminate_quad(a, rows, columns, NH_RANK_ZERO, NULL, NULL, NULL), rank);
        free(a);
        free(copy);
        free(sigma);
        free(right);
    }
}

TEST(rank_without_gap)
{
    const nh_quad sigma[3] = {1, (nh_quad)(NH_RANK_ZERO * 100), 0}, zero[2] = {0, 0};
    bool clear;
    CHECK_EQ_INT(nh_rank(sigma, 3, 0, &clear), 2);
    CHECK(!clear);
    CHECK_EQ_INT(nh_rank(sigma, 3, 1e9, &clear), 1);
    CHECK(clear);
    CHECK_EQ_INT(nh_rank(zero, 2, 0, &clear), 0);
}

TEST(elimination_finds_pivots)
{
    nh_quad a[6] = {0, 0, 2, 0, 5, 0};
    int row[2], column[3];
    double gap;
    CHECK_EQ_INT(nh_eliminate_quad(a, 2, 3, 1e-10, row, column, &gap), 2);
    CHECK_EQ_INT(row[0], 1);
    CHECK_EQ_INT(column[0], 1);
    CHECK_EQ_INT(row[1], 0);
    CHECK_EQ_INT(column[1], 2);
    CHECK_EQ_INT(column[2], 0);
    CHECK_NEAR(gap, 0.4, 1e-15);
}

TEST(solves)
{
    enum { N = 9 };
    nh_quad *a = random_matrix(N, N, 3), *lu = random_matrix(N, N, 3), *x = random_matrix(N, 1, 4), b[N], c[N];
    int pivot[N];
    for (int i = 0; i < N; i++) {
        b[i] = c[i] = 0;
        for (int j = 0; j < N; j++) {
            b[i] += a[i * N + j] * x[j];
            c[i] += a[j * N + i] * x[j];
        }
    }
    CHECK(nh_lu_quad(lu, N, pivot));
    nh_lu_solve_quad(lu, N, pivot, b);
    nh_lu_solve_transposed_quad(lu, N, pivot, c);
    for (int i = 0; i < N; i++) {
        CHECK_NEAR((double)(b[i] - x[i]), 0, tiny);
        CHECK_NEAR((double)(c[i] - x[i]), 0, tiny);
    }
    free(a);
    free(lu);
    free(x);
}

TEST(singular_matrices_are_refused)
{
    nh_quad a[4] = {1, 2, 2, 4}, nan[4] = {(nh_quad)NAN, 1, 1, 1};
    int pivot[2];
    CHECK(!nh_lu_quad(a, 2, pivot));
    CHECK(!nh_lu_quad(nan, 2, pivot));
}

TEST(condition_estimate_is_near)
{
    enum { N = 30 };
    nh_quad *a = random_matrix(N, N, 5), sigma[N];
    double d[N * N], lu[N * N], work[2 * N];
    int pivot[N];
    for (int i = 0; i < N * N; i++)
        d[i] = lu[i] = (double)a[i];
    nh_svd_quad(a, N, N, sigma, NULL);
    double exact = (double)(sigma[0] / sigma[N - 1]);
    CHECK(nh_lu_double(lu, N, pivot));
    double estimate = nh_condition_estimate(d, lu, N, pivot, work);
    CHECK(estimate <= exact * 1.000001);
    CHECK(estimate > exact * 0.9);
    free(a);
}

TEST_MAIN(RUN(singular_values_known), RUN(singular_values_rank), RUN(rank_without_gap), RUN(elimination_finds_pivots),
          RUN(solves), RUN(singular_matrices_are_refused), RUN(condition_estimate_is_near))
