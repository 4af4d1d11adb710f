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
    for (int b = 0; b < of->blocks; b++) {
        const int size = of->block[b + 1] - of->block[b], *member = of->member + of->block[b];
        for (int e = 0; e < size * size; e++) {
            const double a = s->mass[of->inverse_at[b] + e];
            y[member[e / size]] += sizes ? fabs(a * x[member[e % size]]) : a * x[member[e % size]];
        }
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

TEST(models)
{
    uint64_t random = 1;
    for (int k = 0; k < SADDLE_CASES; k++)
        for (int i = 0; i < SADDLE_SIZES - 1; i++) {
            saddle s;
            if (open_case(&s, &saddle_cases[k], saddle_cases[k].value[i], 1)) {
                compare(&s, &random);
                saddle_close(&s);
            }
        }
}

/* C is not the transpose of D. */
TEST(nonideal)
{
    static const saddle_case incline = {.model = "dry-friction-incline", .size = "mu"};
    uint64_t random = 1;
    saddle s;
    if (open_case(&s, &incline, 1, 1)) {
        CHECK(distance(s.rows, s.columns, s.of->D.start[s.ml]) > 0);
        compare(&s, &random);
        saddle_close(&s);
    }
}

/* Only the zeros of M, D and C are the model's: M is positive definite, C is the transpose of D. */
static void randomize(saddle *s, uint64_t *random)
{
    const nh_sparsity *of = s->of;
    for (int e = 0; e < of->D.start[s->ml]; e++)
        s->rows[e] = s->columns[e] = 2 * next_uniform(random) - 1;
    for (int b = 0; b < of->blocks; b++) {
        const int size = of->block[b + 1] - of->block[b];
        double *block = s->mass + of->inverse_at[b];
        for (int i = 0; i < size; i++)
            for (int j = 0; j <= i; j++)
                if (block[i * size + j] != 0)
                    block[i * size + j] = block[j * size + i] =
                        i == j ? 1 + next_uniform(random) : 0.4 * next_uniform(random);
    }
    s->by->invert(s);
}

TEST(random_numbers)
{
    enum { TIMES = 5 };
    uint64_t random = 1;
    for (int k = 0; k < SADDLE_CASES; k++) {
        saddle s;
        if (!open_case(&s, &saddle_cases[k], saddle_cases[k].value[0], 1))
            continue;
        for (int i = 0; i < TIMES; i++) {
            randomize(&s, &random);
            compare(&s, &random);
        }
        saddle_close(&s);
    }
}

/* Lanes do what one does alone, to the bit. */
TEST(lanes)
{
    uint64_t random = 1;
    saddle one, four;
    const saddle_case *net = &saddle_cases[3];
    if (!saddle_has_lanes() || !open_case(&one, net, net->value[0], 1))
        return;
    if (open_case(&four, net, net->value[0], SADDLE_LANES)) {
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

TEST_MAIN(RUN(models), RUN(nonideal), RUN(random_numbers), RUN(lanes))
