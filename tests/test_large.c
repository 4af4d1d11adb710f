/* SPDX-License-Identifier: MIT */
/* Large systems: sparse matrices give what dense ones give, in every setting; memory and work grow like n. */
#include "test.h"

#include "base/elimination.h"
#include "method/library.h"
#include "method/sparsity_build.h"
#include "motion.h"

#include <nonholo/model.h>
#include <stdlib.h>

/* ---- The order of elimination ---- */

/* Whether nodes from `late` on come after all their neighbours. */
static bool late_are_late(const nh_neighbours *graph, const nh_elimination *e)
{
    int *place = calloc((size_t)graph->nodes, sizeof *place);
    bool good = place != NULL;
    for (int k = 0; good && k < graph->nodes; k++)
        place[e->order[k]] = k;
    for (int i = graph->late; good && i < graph->nodes; i++)
        for (int j = graph->start[i]; j < graph->start[i + 1]; j++)
            good = good && place[graph->near[j]] < place[i];
    free(place);
    return good;
}

/* Entries of U for a graph given by pairs of nodes. */
static int fill_of(int nodes, int late, const int (*pair)[2], int pairs)
{
    int *start = calloc((size_t)nodes + 2, sizeof *start), *near = calloc((size_t)pairs * 2 + 1, sizeof *near);
    nh_arena arena = {0};
    nh_elimination e = {0};
    for (int k = 0; k < 2 * pairs; k++)
        start[pair[k / 2][k % 2] + 2]++;
    for (int i = 0; i < nodes; i++)
        start[i + 2] += start[i + 1];
    for (int k = 0; k < 2 * pairs; k++)
        near[start[pair[k / 2][k % 2] + 1]++] = pair[k / 2][1 - k % 2];
    const nh_neighbours graph = {nodes, late, start, near};
    int fill = -1;
    if (CHECK(nh_eliminate_by_degree(&graph, 1000000, &arena, &e)) && CHECK(late_are_late(&graph, &e)))
        fill = e.start[nodes];
    nh_arena_free(&arena);
    free(start);
    free(near);
    return fill;
}

TEST(elimination)
{
    enum { NODES = 50, SIDE = 12 };
    int chain[NODES - 1][2], star[NODES - 1][2], ring[NODES][2], grid[2 * SIDE * (SIDE - 1)][2], count = 0;
    for (int i = 0; i < NODES - 1; i++) {
        chain[i][0] = star[i][1] = i;
        chain[i][1] = i + 1;
        star[i][0] = NODES - 1;
    }
    for (int i = 0; i < NODES; i++) {
        ring[i][0] = i;
        ring[i][1] = (i + 1) % NODES;
    }
    for (int i = 0; i < SIDE * SIDE; i++)
        for (int way = 0; way < 2; way++)
            if (way ? i / SIDE + 1 < SIDE : i % SIDE + 1 < SIDE) {
                grid[count][0] = i;
                grid[count++][1] = i + (way ? SIDE : 1);
            }
    CHECK_EQ_INT(fill_of(NODES, NODES, chain, NODES - 1), NODES - 1); /* no fill-in */
    CHECK_EQ_INT(fill_of(NODES, NODES, star, NODES - 1), NODES - 1);
    CHECK_EQ_INT(fill_of(NODES, NODES, ring, NODES), 2 * NODES - 3); /* one entry for all but three nodes */
    CHECK(fill_of(SIDE * SIDE, SIDE * SIDE, grid, count) < SIDE * SIDE * SIDE * 2 / 3); /* row by row it is SIDE³ */
}

/* Constraints that each have three neighbours of a chain of coordinates, or all of them: these are last. */
TEST(late_nodes)
{
    enum { CHAIN = 60, LATE = CHAIN - 2, MOST = CHAIN * CHAIN };
    static int pair[MOST][2];
    for (int all = 0; all < 2; all++) {
        int count = 0;
        for (int i = 0; i + 1 < CHAIN; i++, count++) {
            pair[count][0] = i;
            pair[count][1] = i + 1;
        }
        for (int c = 0; c < (all ? 5 : LATE); c++)
            for (int i = all ? 0 : c; i < (all ? CHAIN : c + 3); i++, count++) {
                pair[count][0] = CHAIN + c;
                pair[count][1] = i;
            }
        const int fill = fill_of(CHAIN + (all ? 5 : LATE), CHAIN, pair, count);
        CHECK(fill < (all ? 7 * CHAIN : 12 * CHAIN) && fill >= count);
    }
}

/* ---- Sparse against dense ---- */

/* Beams as skate-beam, the skates of which are all alike at first, and turn. */
#define BEAM                                                                                                           \
    "sizes       k = 10, n = 2*k\n"                                                                                    \
    "coordinates x[1..n], y[1..n], theta[1..n]\n"                                                                      \
    "step        0.05\n"                                                                                               \
    "initial     x[i] = i for i = 1..n, x[i]' = 0.3 for i = 1..n, theta[i]' = 0.5*cos(i) for i = 1..n\n"
#define ELEMENT "(x[i]'^2 + x[i]'*x[i+1]' + x[i+1]'^2 + y[i]'^2 + y[i]'*y[i+1]' + y[i+1]'^2)"
#define SPRINGS                                                                                                        \
    " + sum(theta[i]'^2 for i = 1..n)/4 - sum(((x[i+1] - x[i])^2 + (y[i+1] - y[i])^2 - 1)^2 for i = 1..n-1)/8\n"
#define EVEN   "lagrangian  sum(" ELEMENT " for i = 1..n-1)/6" SPRINGS
#define SKATES "constraint  cos(theta[i])*y[i]' - sin(theta[i])*x[i]' = 0 for i = 1..n\n"
static const char free_beam[] = BEAM EVEN;
static const char loose_beam[] =
    BEAM "lagrangian  sum((2 + cos(theta[i+1] - theta[i]))*" ELEMENT " for i = 1..n-1)/18" SPRINGS SKATES;
static const char stiff_beam[] =
    BEAM EVEN SKATES "holonomic   (x[2*i] - x[2*i-1])^2 + (y[2*i] - y[2*i-1])^2 = 1 for i = 1..k\n";
static const char rough_beam[] =
    BEAM EVEN SKATES "reaction    x[i] = -0.2*abs(lambda[i])*x[i]'/sqrt(x[i]'^2 + y[i]'^2 + 0.1) for i = 1..n\n";

typedef struct pair {
    const char *model, *size;
    int value;
    bool coupled;
    const char *about, *method[4];
} pair;

static const pair pairs[] = {
    {"skate-chain", "n", 5, false, "diagonal everything", {"gauss(s=1)", "gauss(s=4)", "mp", "gauss-standard(s=3)"}},
    {"trailer-train", "k", 3, false, "holonomic constraints too", {"lobatto-ab(s=2)", "lobatto-ab(s=4)"}},
    {"car-with-trailers",
     "k",
     3,
     false,
     "a full mass that depends on q",
     {"gauss(s=2)", "lobatto-abd(s=3)", "radau-ia(s=2)"}},
    {"mp-particles", "m", 4, false, "one full row", {"gauss(s=3)", "lobatto-ab-modified", "mp"}},
    {"sleigh", NULL, 0, false, "blocks of the mass", {"gauss(s=1)", "gauss(s=3)"}},
    {"disk", NULL, 0, false, "two constraints", {"gauss(s=2)", "mp"}},
    {"driven-knife-edge", NULL, 0, false, "time", {"gauss(s=2)", "lobatto-ab-modified", "mp"}},
    {"dry-friction-incline", NULL, 0, false, "a reaction that is not ideal", {"gauss(s=2)", "lobatto-abd(s=3)"}},
    {"snakeboard-gait", NULL, 0, false, "holonomic constraints with time", {"lobatto-ab(s=3)"}},
    {"skate-beam", "n", 20, true, "a coupled mass", {"gauss(s=1)", "gauss(s=4)", "mp", "gauss-standard(s=3)"}},
    {free_beam, "k", 10, true, "… without constraints", {"gauss(s=2)", "gauss(s=3)", "lobatto-abd(s=3)"}},
    {loose_beam, "k", 10, true, "… that depends on q", {"gauss(s=2)", "lobatto-abd(s=3)", "lobatto-ab-modified"}},
    {stiff_beam, "k", 10, true, "… with holonomic constraints", {"lobatto-ab(s=2)", "lobatto-ab(s=4)"}},
    {"skate-chain", "n", 5, false, "explicit steps", {"extrapolation(s=3)", "extrapolation(s=3, rule=mp)"}},
    {"car-with-trailers", "k", 3, false, "… with a full mass", {"extrapolation(s=2)", "extrapolation(s=3)"}},
    {"skate-beam", "n", 20, true, "… with a coupled mass", {"extrapolation(s=3)", "extrapolation(s=4, tol=1e-6)"}},
    {loose_beam, "k", 10, true, "… that depends on q", {"extrapolation(s=3)"}},
    {rough_beam, "k", 10, true, "… with friction", {"gauss(s=2)", "lobatto-abd(s=3)", "radau-ia(s=2)"}},
};

enum { STEPS = 8 };

static void compare(const nh_model *m, const char *method, const nh_start *from, nh_stepper_setting setting,
                    bool coupled)
{
    motion dense, sparse;
    nh_error error = {0};
    const double unit = setting == NH_IN_QUAD ? 1e-30 : 1e-13;
    bool good =
        CHECK_EQ_INT(motion_open_with(&dense, m, method, setting, &(nh_stepper_wishes){.matrices = NH_MATRICES_DENSE},
                                      NULL, &error),
                     NH_OK) &&
        CHECK_EQ_INT(motion_open_with(&sparse, m, method, setting, &(nh_stepper_wishes){.matrices = NH_MATRICES_SPARSE},
                                      NULL, &error),
                     NH_OK) &&
        CHECK(nh_stepper_kernel(sparse.stepper)->sparsity) && CHECK(!nh_stepper_kernel(dense.stepper)->sparsity) &&
        CHECK_EQ_INT(nh_stepper_kernel(sparse.stepper)->sparsity->coupled != NULL, coupled) &&
        CHECK(motion_run(&dense, from, STEPS)) && CHECK(motion_run(&sparse, from, STEPS)) &&
        CHECK_NEAR(motion_distance(&dense, &sparse), 0, unit) &&
        CHECK_EQ_INT(motion_at(&sparse, 0, NH_AT_NEWTON), motion_at(&dense, 0, NH_AT_NEWTON)) &&
        CHECK((double)motion_at(&sparse, 0, NH_AT_ITERATIONS) < 1.5 * (double)motion_at(&dense, 0, NH_AT_ITERATIONS));
    if (!good)
        printf("    %s by %s: %s; %g and %g iterations\n", m->name, method, error.message,
               (double)motion_at(&sparse, 0, NH_AT_ITERATIONS), (double)motion_at(&dense, 0, NH_AT_ITERATIONS));
    motion_close(&dense);
    motion_close(&sparse);
}

TEST(sparse_and_dense)
{
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
        nh_model *m = motion_model(pairs[k].model, pairs[k].size, pairs[k].value);
        origin *o = m ? origin_of(m) : NULL;
        for (int i = 0; CHECK(o) && i < 4 && pairs[k].method[i]; i++)
            compare(m, pairs[k].method[i], &o->start, i == 1 ? NH_IN_QUAD : NH_ON_TAPE, pairs[k].coupled);
        free(o);
        nh_model_free(m);
    }
}

/* ---- Every setting, the same bits ---- */

static double *run_in(const nh_model *m, const char *method, nh_stepper_setting setting, const nh_start *from)
{
    motion o;
    nh_error error = {0};
    if (!CHECK_EQ_INT(motion_open_with(&o, m, method, setting, &(nh_stepper_wishes){.matrices = NH_MATRICES_SPARSE},
                                       NULL, &error),
                      NH_OK)) {
        printf("    %s\n", error.message);
        return NULL;
    }
    double *end = calloc((size_t)o.size, sizeof *end);
    for (int lane = 0; lane < o.lanes; lane++) {
        motion_start(&o, lane, from);
        motion_aim(&o, lane, lane == o.lanes - 1 ? STEPS : 3); /* the last one looks after itself */
    }
    CHECK(motion_advance(&o));
    for (int i = 0; end && i < o.size; i++)
        end[i] = (double)motion_at(&o, o.lanes - 1, i);
    CHECK_EQ_INT(nh_stepper_native(o.stepper) != NULL, setting >= NH_COMPILED);
    motion_close(&o);
    return end;
}

static void compare_settings(const char *name, const char *size, int value, const char *method)
{
    static const nh_stepper_setting settings[] = {NH_ON_TAPE_LANES, NH_COMPILED, NH_COMPILED_LANES, NH_COMPILED_STAGES};
    nh_model *m = motion_model(name, size, value);
    origin *o = m ? origin_of(m) : NULL;
    double *first = CHECK(o) ? run_in(m, method, NH_ON_TAPE, &o->start) : NULL;
    for (size_t k = 0; CHECK(first) && k < sizeof settings / sizeof *settings; k++) {
        double *end = run_in(m, method, settings[k], &o->start);
        const int n = m->n;
        if (!CHECK(end && memcmp(end, first, (size_t)NH_AT_STAGES * sizeof *end) == 0))
            printf("    %s by %s in setting %d: other bits\n", name, method, (int)settings[k]);
        free(end);
    }
    free(first);
    free(o);
    nh_model_free(m);
}

TEST(settings)
{
    compare_settings("skate-chain", "n", 6, "gauss(s=3)");
    compare_settings("skate-chain", "n", 6, "gauss(s=6)"); /* two blocks of stages, the second not full */
    compare_settings("skate-chain", "n", 6, "mp");
    compare_settings("trailer-train", "k", 4, "lobatto-ab(s=3)");
    compare_settings("dry-friction-incline", NULL, 0, "gauss(s=2)");
    compare_settings("skate-beam", "n", 20, "gauss(s=3)");
    compare_settings("skate-beam", "n", 20, "mp");
    compare_settings(loose_beam, "k", 10, "gauss(s=2)");
    compare_settings(stiff_beam, "k", 10, "lobatto-ab(s=3)");
    compare_settings(rough_beam, "k", 10, "gauss(s=2)");
    compare_settings("skate-chain", "n", 6, "extrapolation(s=5, tol=1e-6)");
    compare_settings(loose_beam, "k", 10, "extrapolation(s=2)");
    compare_settings("skate-chain", "n", 6, "extrapolation(s=3, rule=mp)");
}

/* Arrays that exceed the stack: compiled code takes them from a work space. */
static void compare_compiled(const char *method, nh_stepper_setting setting)
{
    nh_model *m = motion_model("mp-particles", "m", 3000);
    origin *from = m ? origin_of(m) : NULL;
    motion tape, compiled;
    nh_error error = {0};
    if (CHECK(from) && CHECK_EQ_INT(motion_open(&tape, m, method, NH_ON_TAPE, NULL, &error), NH_OK)) {
        if (CHECK_EQ_INT(motion_open(&compiled, m, method, setting, NULL, &error), NH_OK)) {
            CHECK(motion_run(&tape, &from->start, 2) && motion_run(&compiled, &from->start, 2));
            CHECK(memcmp(tape.batch, compiled.batch, (size_t)tape.size * sizeof(double)) == 0);
            motion_close(&compiled);
        }
        motion_close(&tape);
    }
    free(from);
    nh_model_free(m);
}

TEST(work_space)
{
    compare_compiled("mp", NH_COMPILED);
    compare_compiled("gauss(s=9)", NH_COMPILED_STAGES);
}

/* ---- Two descriptions of one system ---- */

TEST(trailers)
{
    enum { K = 4, MANY = 50 };
    nh_model *few = motion_model("car-with-trailers", "k", K), *many = motion_model("trailer-train", "k", K);
    origin *from_few = few ? origin_of(few) : NULL, *from_many = many ? origin_of(many) : NULL;
    motion car, train;
    nh_error error = {0};
    if (CHECK(from_few && from_many) &&
        CHECK_EQ_INT(motion_open(&car, few, "gauss(s=4)", NH_ON_TAPE, NULL, &error), NH_OK)) {
        CHECK_EQ_INT(motion_open_with(&train, many, "lobatto-ab(s=5)", NH_ON_TAPE,
                                      &(nh_stepper_wishes){.matrices = NH_MATRICES_SPARSE}, NULL, &error),
                     NH_OK);
        CHECK(motion_run(&car, &from_few->start, MANY) && motion_run(&train, &from_many->start, MANY));
        CHECK_NEAR((double)motion_q(&train, 1), (double)motion_q(&car, 0), 1e-11);     /* x of the car */
        CHECK_NEAR((double)motion_q(&train, 2 + K), (double)motion_q(&car, 1), 1e-11); /* y */
        for (int i = 0; i <= K; i++)                                                   /* theta */
            CHECK_NEAR((double)motion_q(&train, 3 + 2 * K + i), (double)motion_q(&car, 3 + i), 1e-11);
        motion_close(&car);
        motion_close(&train);
    }
    free(from_few);
    free(from_many);
    nh_model_free(few);
    nh_model_free(many);
}

/* ---- Growth ---- */

typedef struct cost {
    double memory, work;
    bool sparse;
} cost;

static double work_of(const nh_sparsity *of)
{
    const int entries = of->factors.LU.start[of->factors.count];
    const double before = of->coupled ? nh_sparsity_factors_work(&of->coupled->of_M) : of->term[entries];
    return before + of->lift_size + nh_sparsity_factors_work(&of->factors);
}

/* Numbers of memory, and products of a factor. */
static cost cost_of(const char *name, const char *size, int value, const char *method)
{
    nh_model *m = motion_model(name, size, value);
    nh_stepper *s = NULL;
    nh_error error = {0};
    cost c = {0};
    if (CHECK(m) && CHECK_EQ_INT(nh_stepper_new(m, method, NH_ON_TAPE, NULL, &s, &error), NH_OK)) {
        const nh_kernel *k = nh_stepper_kernel(s);
        const nh_sparsity *of = k->sparsity;
        c.sparse = of != NULL;
        c.memory = (double)nh_stepper_size(s) +
                   (double)nh_library_of(nh_stepper_choice(s)->method->kernel, of != NULL).work(k);
        c.work = of ? work_of(of) : k->n;
    }
    nh_stepper_free(s);
    nh_model_free(m);
    return c;
}

static void grows_like_n(const char *name, const char *size, int first, const char *method, bool sparse)
{
    const cost a = cost_of(name, size, first, method), b = cost_of(name, size, 2 * first, method),
               c = cost_of(name, size, 4 * first, method);
    CHECK_EQ_INT(c.sparse, sparse);
    CHECK_NEAR((c.memory - b.memory) / (b.memory - a.memory), 2, 0.01);
    CHECK_NEAR((c.work - b.work) / (b.work - a.work), 2, 0.2);
}

TEST(growth)
{
    grows_like_n("skate-chain", "n", 125, "gauss(s=2)", true);
    grows_like_n("trailer-train", "k", 60, "lobatto-ab(s=3)", true);
    grows_like_n("skate-chain", "n", 125, "mp", true);
    grows_like_n("skate-beam", "n", 125, "gauss(s=2)", true);
    grows_like_n("skate-beam", "n", 125, "mp", true);
    grows_like_n(free_beam, "k", 60, "gauss(s=2)", true);
    grows_like_n(loose_beam, "k", 60, "gauss(s=2)", true);
    grows_like_n(stiff_beam, "k", 60, "lobatto-ab(s=3)", true);
    grows_like_n("mp-particles", "m", 600, "gauss(s=4)", false);
    grows_like_n("mp-particles", "m", 600, "mp", false);
    grows_like_n("mp-particles", "m", 600, "extrapolation(s=4)", false);
    grows_like_n("skate-beam", "n", 125, "extrapolation(s=4)", true);
}

/* Far from the ends and soon after the start, a long chain moves like a short one. */
TEST(long_chain)
{
    nh_model *m = motion_model("skate-chain", "n", 1000), *few = motion_model("skate-chain", "n", 100);
    origin *from = m ? origin_of(m) : NULL, *from_few = few ? origin_of(few) : NULL;
    motion o, short_one;
    nh_error error = {0};
    if (CHECK(from && from_few) && CHECK_EQ_INT(motion_open(&o, m, "gauss(s=3)", NH_ON_TAPE, NULL, &error), NH_OK)) {
        CHECK_EQ_INT(motion_open(&short_one, few, "gauss(s=3)", NH_ON_TAPE, NULL, &error), NH_OK);
        CHECK(nh_stepper_kernel(o.stepper)->sparsity != NULL);
        CHECK(motion_run(&o, &from->start, 4));
        CHECK(motion_run(&short_one, &from_few->start, 4));
        CHECK_NEAR((double)motion_at(&o, 0, NH_AT_CONSTRAINT_MAX), 0, 1e-14);
        CHECK_NEAR((double)motion_at(&o, 0, NH_AT_ENERGY_MAX), 0, 1e-8);
        for (int i = 0; i < 50; i++)
            CHECK_NEAR((double)motion_q(&o, i), (double)motion_q(&short_one, i), 1e-14 * 50);
        motion_close(&o);
        motion_close(&short_one);
    }
    free(from);
    free(from_few);
    nh_model_free(m);
    nh_model_free(few);
}

TEST_MAIN(RUN(elimination), RUN(late_nodes), RUN(sparse_and_dense), RUN(settings), RUN(work_space), RUN(trailers),
          RUN(growth), RUN(long_chain))
