/* SPDX-License-Identifier: MIT */
/* Sparse symmetric factors, and the systems of projections: sparse ones against dense ones, and large ones at all. */
#include "models.h"

#include "base/linear.h"
#include "base/symmetric.h"
#include "model/consistent.h"
#include "model/saddle.h"
#include "motion.h"
#include "support.h"

#include <stdlib.h>

/* ---- Factors ---- */

enum { NODES = 40, LATE = 30 };

/* Coordinates in a ring with a mass that is definite, and constraints that have some of them each. */
static double entry(int i, int j, uint64_t *seed)
{
    const bool both = i < LATE && j < LATE, one = i < LATE || j < LATE;
    if (i == j)
        return i < LATE ? 3 + next_uniform(seed) : 0;
    if (both)
        return abs(i - j) == 1 || abs(i - j) == LATE - 1 ? next_uniform(seed) : 0;
    return one && (i + j) % 7 < 2 ? 1 + next_uniform(seed) : 0;
}

static void make_matrix(nh_quad *a)
{
    uint64_t seed = 3;
    for (int i = 0; i < NODES; i++)
        for (int j = 0; j <= i; j++)
            a[i * NODES + j] = a[j * NODES + i] = (nh_quad)entry(i, j, &seed);
}

static bool open_factors(const nh_quad *a, double most, nh_arena *arena, nh_symmetric *out)
{
    int start[NODES + 1] = {0}, near[NODES * NODES];
    for (int i = 0; i < NODES; i++) {
        start[i + 1] = start[i];
        for (int j = 0; j < NODES; j++)
            if (j != i && a[i * NODES + j] != 0)
                near[start[i + 1]++] = j;
    }
    return nh_symmetric_new(&(nh_neighbours){NODES, LATE, start, near}, most, arena, out);
}

TEST(factors)
{
    static nh_quad a[NODES * NODES], copy[NODES * NODES];
    nh_quad b[NODES], x[NODES];
    int pivot[NODES];
    nh_arena arena = {0};
    nh_symmetric s;
    make_matrix(a);
    if (CHECK(open_factors(a, 1e6, &arena, &s)))
        for (int round = 1; round <= 2; round++) { /* the second time with other numbers */
            nh_symmetric_clear(&s);
            for (int i = 0; i < NODES; i++) {
                a[i * NODES + i] *= round;
                b[i] = x[i] = i - 7;
                for (int j = 0; j <= i; j++)
                    if (a[i * NODES + j] != 0)
                        nh_symmetric_add(&s, j % 2 ? i : j, j % 2 ? j : i, a[i * NODES + j]);
            }
            memcpy(copy, a, sizeof a);
            CHECK(nh_symmetric_factor(&s) && nh_lu_quad(copy, NODES, pivot));
            nh_symmetric_solve(&s, x);
            nh_lu_solve_quad(copy, NODES, pivot, b);
            for (int i = 0; i < NODES; i++)
                CHECK_NEAR((double)(x[i] - b[i]), 0, 1e-28);
        }
    nh_arena_free(&arena);
}

TEST(factors_that_fail)
{
    static nh_quad a[NODES * NODES];
    nh_arena arena = {0};
    nh_symmetric s;
    make_matrix(a);
    CHECK(!open_factors(a, 10, &arena, &s)); /* too many products */
    if (CHECK(open_factors(a, 1e6, &arena, &s))) {
        nh_symmetric_clear(&s);
        CHECK(!nh_symmetric_factor(&s));
        for (int i = 0; i < NODES; i++)
            nh_symmetric_add(&s, i, i, i == 5 ? (nh_quad)INFINITY : 1);
        CHECK(!nh_symmetric_factor(&s));
    }
    nh_arena_free(&arena);
}

/* ---- Systems of models ---- */

/* The same right-hand side by both; the largest difference of the solutions, in units of the largest number. */
static double difference(const nh_model *m, bool velocities)
{
    const size_t size = (size_t)(m->n + m->m + m->holonomic);
    origin *o = origin_of(m);
    nh_quad *b = calloc(2 * size, sizeof *b), t = 0, most = 0, off = 0;
    nh_saddle *saddle[2] = {NULL, NULL};
    for (int i = 0; o && b && i < 2; i++) {
        const nh_quad *x[NH_SPACES] = {[NH_TIME] = &t, [NH_Q] = o->q, [NH_V] = o->v};
        for (size_t k = 0; k < size; k++)
            b[(size_t)i * size + k] = (nh_quad)(k % 11) - 4;
        if (CHECK_EQ_INT(nh_saddle_new(m, i ? 0 : 100000, &saddle[i], NULL), NH_OK)) {
            nh_saddle_parameters(saddle[i], o->start.parameter);
            CHECK_EQ_INT(nh_saddle_solve(saddle[i], x, velocities, b + (size_t)i * size), NH_SADDLE_SOLVED);
        }
        nh_saddle_free(saddle[i]);
    }
    for (size_t k = 0; b && k < size; k++) {
        most = nh_quad_abs(b[k]) > most ? nh_quad_abs(b[k]) : most;
        off = nh_quad_abs(b[k] - b[size + k]) > off ? nh_quad_abs(b[k] - b[size + k]) : off;
    }
    free(o);
    free(b);
    return (double)(off / most);
}

TEST(sparse_as_dense)
{
    static const char *const names[] = {
        "particle",      "mp-particles",      "sleigh",     "disk",       "skate-in-bowl",
        "trailer-train", "car-with-trailers", "skate-beam", "skate-chain"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        nh_model *m = load_model(names[i], NULL);
        for (int velocities = 0; m && velocities < 2; velocities++)
            if (!CHECK(difference(m, velocities) < 1e-27))
                printf("    %s: %.1e\n", names[i], difference(m, velocities));
        nh_model_free(m);
    }
}

/* Thousands of coordinates whose velocities are off, or whose positions are. */
static void project_large(const char *name, const char *size, const char *value)
{
    const nh_setting set[] = {{size, value}};
    nh_model *m = load_model(name, &(nh_model_options){.set = set, .set_count = 1});
    origin *o = m ? origin_of(m) : NULL;
    nh_violation is;
    nh_error error = {0};
    if (CHECK(o)) {
        for (int i = 0; i < m->n; i++) {
            o->v[i] += (nh_quad)0.01 * (i % 5);
            o->q[i] += (nh_quad)1e-4 * (i % 3);
        }
        CHECK_EQ_INT(nh_violation_at(m, o->start.parameter, 0, o->q, o->v, &is, NULL), NH_OK);
        CHECK(!nh_violation_is_none(&is));
        if (!CHECK_EQ_INT(nh_project(m, o->start.parameter, 0, o->q, o->v, &error), NH_OK))
            printf("    %s: %s\n", name, error.message);
        CHECK_EQ_INT(nh_violation_at(m, o->start.parameter, 0, o->q, o->v, &is, NULL), NH_OK);
        CHECK(nh_violation_worst(&is) < 1e-28);
    }
    free(o);
    nh_model_free(m);
}

TEST(large_projections)
{
    project_large("skate-chain", "n", "1000");
    project_large("skate-beam", "n", "1000");
    project_large("trailer-train", "k", "500");
    project_large("mp-particles", "m", "2000");
}

TEST_MAIN(RUN(factors), RUN(factors_that_fail), RUN(sparse_as_dense), RUN(large_projections))
