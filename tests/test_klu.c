/* SPDX-License-Identifier: MIT */
/* Saddle-point systems by the kernels' elimination and by KLU, which knows nothing of it. */
#include "test.h"

#include "saddle/cases.h"
#include "saddle/klu.h"
#include "support.h"

#include <stdint.h>
#include <stdlib.h>

#define ROUND_OFF 0x1p-52
/* Residuals in units of round-off; distances in units of it times the condition; a wrong right-hand side is wrong by
 * this. Beyond that condition it could not be told from a right one. */
#define MOST_RESIDUAL  30
#define MOST_DISTANCE  3
#define MOST_CONDITION 1e7
#define WRONG          1e-3

/* y = [M -C; D 0] x; and the same of the sizes of numbers, if `sizes`. */
static void multiply(const saddle *s, bool sizes, const double *x, double *y)
{
    const nh_sparsity *of = s->of;
    for (int i = 0; i < s->n + s->ml; i++)
        y[i] = 0;
    for (int e = 0; e < s->masses; e++) {
        const double product = s->mass[e] * x[s->mass_column[e]];
        y[s->mass_row[e]] += sizes ? fabs(product) : product;
    }
    for (int c = s->n; c < s->n + s->ml; c++) {
        for (int e = of->D.start[c - s->n]; e < of->D.start[c - s->n + 1]; e++)
            y[c] += sizes ? fabs(s->rows[e] * x[of->D.column[e]]) : s->rows[e] * x[of->D.column[e]];
        for (int e = of->C.start[c - s->n]; e < of->C.start[c - s->n + 1]; e++)
            y[of->C.column[e]] += sizes ? fabs(s->columns[e] * x[c]) : -s->columns[e] * x[c];
    }
}

static double largest(const double *x, int count)
{
    double size = 0;
    for (int i = 0; i < count; i++)
        size = isnan(x[i]) ? INFINITY : fmax(size, fabs(x[i]));
    return size;
}

static double distance(const double *x, const double *y, int count)
{
    double size = 0;
    for (int i = 0; i < count; i++)
        size = isnan(x[i] - y[i]) ? INFINITY : fmax(size, fabs(x[i] - y[i]));
    return size;
}

/* Vectors of a system: its right-hand side, ours, KLU's, and room. */
typedef struct vectors {
    int count;
    double *right, *ours, *klu, *room;
} vectors;

static vectors new_vectors(const saddle *s, uint64_t *random)
{
    const int count = s->n + s->ml;
    double *room = calloc(4 * (size_t)count, sizeof *room);
    for (int i = 0; room && i < count; i++)
        room[i] = 2 * next_uniform(random) - 1;
    return (vectors){count, room, room + count, room + 2 * (size_t)count, room + 3 * (size_t)count};
}

/* In units of what rounding the numbers does. */
static double residual(const saddle *s, const vectors *v, const double *x)
{
    multiply(s, true, x, v->room);
    const double scale = largest(v->room, v->count) + largest(v->right, v->count);
    multiply(s, false, x, v->room);
    return distance(v->room, v->right, v->count) / scale / ROUND_OFF;
}

/* Both agree as far as the condition allows, and a wrong right-hand side is seen. */
static void compare_with(const saddle *s, const klu_way *way, const vectors *v, double condition)
{
    const klu_functions *klu = klu_find();
    klu_saddle *k = klu->open(s, way);
    if (!CHECK(k))
        return;
    CHECK(klu->factor(k, false) && klu->solve(k, v->right, v->klu));
    klu->close(k);
    const double unit = largest(v->klu, v->count) * ROUND_OFF * condition;
    CHECK_NEAR(residual(s, v, v->klu), 0, MOST_RESIDUAL);
    s->by->solve(s, v->right, v->ours);
    CHECK_NEAR(residual(s, v, v->ours), 0, MOST_RESIDUAL);
    CHECK_NEAR(distance(v->ours, v->klu, v->count), 0, MOST_DISTANCE * unit);
    v->right[0] += WRONG;
    s->by->solve(s, v->right, v->ours);
    v->right[0] -= WRONG;
    CHECK(residual(s, v, v->ours) > MOST_RESIDUAL);
    CHECK(distance(v->ours, v->klu, v->count) > MOST_DISTANCE * unit);
}

static void compare(const saddle *s, uint64_t *random)
{
    const klu_functions *klu = klu_find();
    const vectors v = new_vectors(s, random);
    klu_saddle *whole = klu->open(s, &klu_ways[0]);
    s->by->factor(s);
    if (CHECK(v.right) && CHECK(whole)) {
        const double condition = klu->condition(whole);
        CHECK(condition < MOST_CONDITION);
        for (int w = 0; w < KLU_WAYS; w++) {
            if (klu_ways[w].gram && !saddle_has_gram(s))
                continue;
            klu_way careful = klu_ways[w];
            careful.tolerance = 1; /* KLU's own lets residuals grow, with blocks by six digits */
            compare_with(s, &careful, &v, condition);
        }
    }
    if (whole)
        klu->close(whole);
    free(v.right);
}

/* The system of a model, or nothing to close. */
static bool open_case(saddle *s, const saddle_case *of, int size, int lanes)
{
    nh_model *m = NULL;
    nh_error error = {0};
    const bool good = CHECK_EQ_INT(saddle_case_load(of, size, &m, &error), NH_OK) &&
                      CHECK_EQ_INT(saddle_open(s, m, lanes, &error), NH_OK);
    if (!good)
        printf("    %s: %s\n", of->model, error.message);
    nh_model_free(m);
    return good;
}

/* Returns whether the whole matrix was eliminated. */
static bool compare_case(const saddle_case *of, int size, uint64_t *random)
{
    saddle s;
    if (!open_case(&s, of, size, 1))
        return false;
    const bool whole = !saddle_has_gram(&s);
    compare(&s, random);
    saddle_close(&s);
    return whole;
}

TEST(models)
{
    uint64_t random = 1;
    for (int k = 0; k < SADDLE_CASES; k++)
        for (int i = 0; i < SADDLE_SIZES - 1; i++)
            compare_case(&saddle_cases[k], saddle_cases[k].value[i], &random);
}

/* The whole matrix is eliminated from some size on; before, blocks of M are inverted. */
TEST(coupled)
{
    const saddle_case *beam = &saddle_cases[SADDLE_CASES - 1];
    uint64_t random = 1;
    for (int n = 2; n < 24; n++)
        compare_case(beam, n, &random);
    CHECK(!compare_case(beam, 3, &random));
    CHECK(compare_case(beam, 300, &random) && compare_case(beam, 1000, &random));
}

/* C is not the transpose of D. */
TEST(nonideal)
{
    static const saddle_case incline = {.model = "dry-friction-incline", .size = "mu"};
    static const saddle_case beam = {
        .model = "a beam with friction, and rods",
        .text = "sizes       n = 20, k = 10\n"
                "coordinates x[1..n], y[1..n], theta[1..n]\n"
                "lagrangian  sum(x[i]'^2 + x[i]'*x[i+1]' + x[i+1]'^2 + y[i]'^2 + y[i]'*y[i+1]' + y[i+1]'^2 for i = "
                "1..n-1)/6\n"
                "            + sum(theta[i]'^2 for i = 1..n)/2\n"
                "constraint  cos(theta[i])*y[i]' - sin(theta[i])*x[i]' = 0 for i = 1..n\n"
                "holonomic   (x[i+1] - x[i])^2 + (y[i+1] - y[i])^2 = 1 for i = 1..k\n"
                "reaction    x[i] = -abs(lambda[i])*x[i]'/5 for i = 1..n, theta[i] = lambda[i]*x[i]'/5 for i = 1..n\n"
                "initial     x[i] = i for i = 1..n, x[i]' = 1 for i = 1..n\n",
        .size = "n"};
    uint64_t random = 1;
    saddle s;
    if (open_case(&s, &incline, 1, 1)) {
        CHECK(distance(s.rows, s.columns, s.of->D.start[s.ml]) > 0);
        compare(&s, &random);
        saddle_close(&s);
    }
    CHECK(compare_case(&beam, 20, &random) && compare_case(&beam, 200, &random));
}

/* A number for each pair of coordinates, the same for (i, j) and (j, i). */
static double mixed(uint64_t seed, int i, int j)
{
    uint64_t state = seed + 1000003 * (uint64_t)(i < j ? i : j) + 7919 * (uint64_t)(i < j ? j : i);
    next_uniform(&state);
    return next_uniform(&state);
}

/* Only the zeros of M, D and C are the model's: M is positive definite, C is the transpose of D. */
static void randomize(saddle *s, uint64_t *random)
{
    const uint64_t seed = *random;
    for (int e = 0; e < s->of->D.start[s->ml]; e++)
        s->rows[e] = s->columns[e] = 2 * next_uniform(random) - 1;
    for (int e = 0; e < s->masses; e++) {
        const int i = s->mass_row[e], j = s->mass_column[e];
        if (s->mass[e] != 0)
            s->mass[e] = i == j ? 1 + mixed(seed, i, i) : 0.4 * mixed(seed, i, j);
    }
    s->by->invert(s);
}

static void compare_random(const saddle_case *of, int size, uint64_t *random)
{
    enum { TIMES = 5 };
    saddle s;
    if (!open_case(&s, of, size, 1))
        return;
    for (int i = 0; i < TIMES; i++) {
        randomize(&s, random);
        compare(&s, random);
    }
    saddle_close(&s);
}

TEST(random_numbers)
{
    uint64_t random = 1;
    for (int k = 0; k < SADDLE_CASES; k++)
        compare_random(&saddle_cases[k], saddle_cases[k].value[0], &random);
    compare_random(&saddle_cases[SADDLE_CASES - 1], 100, &random); /* the whole matrix */
}

/* Lanes do what one does alone, to the bit. */
static void compare_lanes(const saddle_case *of, int size)
{
    uint64_t random = 1;
    saddle one, four;
    if (!saddle_has_lanes() || !open_case(&one, of, size, 1))
        return;
    if (open_case(&four, of, size, SADDLE_LANES)) {
        const int count = one.n + one.ml;
        double *room = calloc((size_t)count * 2 * (SADDLE_LANES + 1), sizeof *room);
        double *right = room, *left = right + count, *wide = left + count, *all = wide + SADDLE_LANES * count;
        for (int i = 0; i < SADDLE_LANES * count; i++)
            wide[i] = next_uniform(&random);
        one.by->factor(&one);
        four.by->factor(&four);
        four.by->solve(&four, wide, all);
        for (int lane = 0; lane < SADDLE_LANES; lane++) {
            bool same = true;
            for (int i = 0; i < count; i++)
                right[i] = wide[i * SADDLE_LANES + lane];
            one.by->solve(&one, right, left);
            for (int i = 0; i < count; i++)
                same = same && left[i] == all[i * SADDLE_LANES + lane];
            CHECK(same);
        }
        free(room);
        saddle_close(&four);
    }
    saddle_close(&one);
}

TEST(lanes)
{
    for (int k = 0; k < SADDLE_CASES; k++)
        for (int i = 0; i < SADDLE_SIZES - 1; i++)
            compare_lanes(&saddle_cases[k], saddle_cases[k].value[i]);
}

TEST_MAIN(RUN(models), RUN(coupled), RUN(nonideal), RUN(random_numbers), RUN(lanes))
