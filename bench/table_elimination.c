/* SPDX-License-Identifier: MIT */
/* Saddle-point factors of large systems, by the kernels' own elimination and by KLU. */
#include "clock.h"
#include "saddle/cases.h"
#include "saddle/klu.h"
#include "tables.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- What is timed ---- */

/* One way to factor and solve a system: ours in some lanes, or KLU's. */
typedef struct player {
    const saddle *ours;
    const klu_way *way; /* NULL: ours */
    klu_saddle *klu;
    double *right, *left;
    double factor, solve; /* ns for one system */
} player;

static void race_factor(void *context, long repeats)
{
    player *p = context;
    for (long i = 0; i < repeats; i++)
        if (p->klu)
            klu_find()->factor(p->klu, false);
        else
            p->ours->by->factor(p->ours);
}

static void race_factor_afresh(void *context, long repeats)
{
    player *p = context;
    for (long i = 0; i < repeats; i++)
        klu_find()->factor(p->klu, true);
}

static void race_solve(void *context, long repeats)
{
    player *p = context;
    for (long i = 0; i < repeats; i++)
        if (p->klu)
            klu_find()->solve(p->klu, p->right, p->left);
        else
            p->ours->by->solve(p->ours, p->right, p->left);
}

/* One system, and all who play: ours first; ours in four lanes if the processor has them; KLU in every way. */
typedef struct contest {
    saddle one, four;
    player list[KLU_WAYS + 2];
    int count;
    double *right, *left, *first; /* first: the solution of the first player */
} contest;

static void fail(const char *what, const nh_error *error)
{
    fprintf(stderr, "%s: %s\n", what, error->message);
    exit(1);
}

static void open_systems(contest *c, const nh_model *m)
{
    nh_error error = {0};
    if (saddle_open(&c->one, m, 1, &error) != NH_OK ||
        (saddle_has_lanes() && saddle_open(&c->four, m, SADDLE_LANES, &error) != NH_OK))
        fail("elimination", &error);
    const size_t unknowns = (size_t)(c->one.n + c->one.ml) * SADDLE_LANES;
    c->right = calloc(unknowns, sizeof *c->right);
    c->left = calloc(unknowns, sizeof *c->left);
    c->first = calloc(unknowns, sizeof *c->first);
    if (!c->right || !c->left || !c->first)
        fail("elimination", &(nh_error){.message = "out of memory"});
    for (size_t i = 0; i < unknowns; i++)
        c->right[i] = 1;
}

static void add_player(contest *c, player p)
{
    p.right = c->right;
    p.left = c->left;
    c->list[c->count++] = p;
}

static void open_contest(contest *c, const nh_model *m)
{
    const klu_functions *klu = klu_find();
    *c = (contest){0};
    open_systems(c, m);
    add_player(c, (player){.ours = &c->one});
    if (saddle_has_lanes())
        add_player(c, (player){.ours = &c->four});
    for (int w = 0; w < KLU_WAYS && klu; w++) {
        klu_saddle *k = klu->open(&c->one, &klu_ways[w]);
        if (k)
            add_player(c, (player){.ours = &c->one, .way = &klu_ways[w], .klu = k});
    }
}

static void close_contest(contest *c)
{
    for (int i = 0; i < c->count; i++)
        if (c->list[i].klu)
            klu_find()->close(c->list[i].klu);
    saddle_close(&c->one);
    saddle_close(&c->four);
    free(c->right);
    free(c->left);
    free(c->first);
}

/* Solutions that do not agree are not worth a race. */
static void check_all(contest *c)
{
    const int unknowns = c->one.n + c->one.ml;
    double size = 0;
    for (int k = 0; k < c->count; k++) {
        const player *p = &c->list[k];
        race_factor(&c->list[k], 1);
        race_solve(&c->list[k], 1);
        for (int i = 0; i < unknowns; i++) {
            const double x = p->left[i * p->ours->lanes];
            if (k == 0)
                c->first[i] = x;
            else if (!(fabs(x - c->first[i]) <= 1e-6 * size))
                fail(p->way ? p->way->name : "four lanes", &(nh_error){.message = "a wrong solution"});
            size = fmax(size, fabs(x));
        }
    }
}

static void time_all(contest *c, double seconds)
{
    contender factor[KLU_WAYS + 2], solve[KLU_WAYS + 2];
    for (int i = 0; i < c->count; i++) {
        factor[i] = (contender){"factor", race_factor, &c->list[i], 0};
        solve[i] = (contender){"solve", race_solve, &c->list[i], 0};
    }
    clock_race(factor, c->count, seconds);
    clock_race(solve, c->count, seconds);
    for (int i = 0; i < c->count; i++) {
        c->list[i].factor = factor[i].nanoseconds / c->list[i].ours->lanes;
        c->list[i].solve = solve[i].nanoseconds / c->list[i].ours->lanes;
    }
}

/* ---- Rows ---- */

/* KLU's player who is fastest for a factorisation and a solution; NULL: none. */
static player *best_of_klu(contest *c)
{
    player *best = NULL;
    for (int i = 0; i < c->count; i++) {
        player *p = &c->list[i];
        if (p->klu && (!best || p->factor + p->solve < best->factor + best->solve))
            best = p;
    }
    return best;
}

static void print_times(report *r, double ours, double lanes, double theirs)
{
    report_number(r, "%.2f", 1e-3 * ours);
    report_number(r, "%.2f", 1e-3 * lanes);
    report_number(r, "%.2f", 1e-3 * theirs);
    report_number(r, "%.2f", ours / theirs);
}

/* Returns how much longer KLU takes where it chooses pivots. */
static double print_contest(const bench *b, contest *c)
{
    report *r = b->report;
    const player *ours = &c->list[0], *lanes = saddle_has_lanes() ? &c->list[1] : NULL;
    player *klu = best_of_klu(c);
    contender afresh = {"factor afresh", race_factor_afresh, klu, NAN};
    report_number(r, "%.0f", c->one.n + c->one.ml);
    report_number(r, "%.0f", saddle_nonzeros(&c->one));
    report_number(r, "%.0f", c->one.of->factors.LU.start[c->one.of->factors.count]);
    report_number(r, "%.0f", klu ? (double)klu_find()->fill(klu->klu) : NAN);
    report_text(r, "%s", klu ? klu->way->name : "-");
    print_times(r, ours->factor, lanes ? lanes->factor : NAN, klu ? klu->factor : NAN);
    print_times(r, ours->solve, lanes ? lanes->solve : NAN, klu ? klu->solve : NAN);
    if (klu)
        clock_race(&afresh, 1, b->quick ? 0.02 : 0.1);
    return klu ? afresh.nanoseconds / klu->factor : NAN;
}

static double case_row(const bench *b, const saddle_case *of, int size)
{
    contest c;
    nh_model *m = NULL;
    nh_error error = {0};
    if (saddle_case_load(of, size, &m, &error) != NH_OK)
        fail(of->model, &error);
    open_contest(&c, m);
    check_all(&c);
    time_all(&c, b->quick ? 0.02 : 0.2);
    report_text(b->report, "%s, %s = %d", of->model, of->size, size);
    const double longer = print_contest(b, &c);
    close_contest(&c);
    nh_model_free(m);
    return longer;
}

static void run(const bench *b)
{
    const int sizes = SADDLE_SIZES - b->quick;
    double least = INFINITY, most = 0;
    report_table(b->report, "elimination",
                 "case|unknowns|nonzeros|L + U, ours|L + U, KLU|KLU of|factor, ours|factor, 4 lanes|factor, KLU|"
                 "factor, ours / KLU|solve, ours|solve, 4 lanes|solve, KLU|solve, ours / KLU",
                 "us per factorisation and per solution of a saddle-point system");
    for (int k = 0; k < SADDLE_CASES; k++)
        for (int i = 0; i < sizes; i++) {
            const double longer = case_row(b, &saddle_cases[k], saddle_cases[k].value[i]);
            report_progress(b->report, k * sizes + i + 1, SADDLE_CASES * sizes);
            least = fmin(least, longer);
            most = fmax(most, longer);
        }
    if (klu_find())
        report_note(b->report, "klu_factor, which chooses pivots anew: %.1f to %.1f times as long as klu_refactor",
                    least, most);
    else
        report_note(b->report, "KLU was not found (Debian: libsuitesparse-dev)");
}

const bench_table table_elimination = {"elimination", "sparse saddle-point factors, against KLU", run};
