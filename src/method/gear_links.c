/* SPDX-License-Identifier: MIT */
#include "method/gear_links.h"

#include "kernel/traits.h"
#include "method/sparsity_build.h"

#include <stdlib.h>

/* A matrix as it is found: (column, equation), in any order, some of them twice. */
typedef struct pair {
    int column, equation;
} pair;

typedef struct pairs {
    pair *list;
    size_t count, capacity;
    bool failed; /* out of memory, or more than MOST_PAIRS */
} pairs;

enum { MOST_PAIRS = 1 << 26 };

static void add(pairs *to, int column, int equation)
{
    to->failed =
        to->failed || to->count >= MOST_PAIRS || !nh_grow(&to->list, &to->capacity, to->count, sizeof *to->list);
    if (!to->failed)
        to->list[to->count++] = (pair){column, equation};
}

static void add_column(pairs *to, int column, const nh_columns *from, int source)
{
    for (int e = from->start[source]; e < from->start[source + 1]; e++)
        add(to, column, from->row[e]);
}

static void add_all(pairs *to, const nh_columns *from)
{
    for (int j = 0; j < from->count; j++)
        add_column(to, j, from, j);
}

/* What is there twice is one entry. */
static void drop_doubles(nh_columns *c, int *last)
{
    int kept = 0, begin = 0;
    for (int j = 0; j < c->count; j++) {
        const int end = c->start[j + 1];
        for (int e = begin; e < end; e++)
            if (last[c->row[e]] != j + 1) {
                last[c->row[e]] = j + 1;
                c->row[kept++] = c->row[e];
            }
        begin = end;
        c->start[j + 1] = kept;
    }
}

/* The matrix of the pairs, which are given back. */
static nh_status take(pairs *from, int columns, int equations, nh_arena *arena, nh_columns *out, nh_error *error)
{
    int *next = NH_NEW(arena, int, columns + 1), *last = NH_NEW(arena, int, equations + 1);
    *out = (nh_columns){columns, NH_NEW(arena, int, columns + 1), NH_NEW(arena, int, from->count + 1)};
    const bool good = !from->failed && next && last && out->start && out->row;
    for (size_t p = 0; p < from->count && good; p++)
        out->start[from->list[p].column + 1]++;
    for (int j = 0; j < columns && good; j++)
        next[j + 1] = out->start[j + 1] += out->start[j];
    for (size_t p = 0; p < from->count && good; p++)
        out->row[next[from->list[p].column]++] = from->list[p].equation;
    if (good)
        drop_doubles(out, last);
    free(from->list);
    *from = (pairs){0};
    return good ? NH_OK : nh_fail(error, arena->failed ? NH_MEMORY : NH_LIMIT, "too many entries");
}

typedef struct finder {
    const nh_model *model;
    nh_arena *arena;
    int n, m, l, equations;
} finder;

/* Equations by components of a space. Forces and reactions are in the balances of momenta. */
static nh_status find(const finder *f, nh_space by, int columns, nh_columns *out, nh_error *error)
{
    const struct {
        nh_quantity of;
        int first;
    } source[] = {{NH_OF_MOMENTUM, 0},         {NH_OF_FORCE, 0},
                  {NH_OF_REACTION, 0},         {NH_OF_CONSTRAINT, f->n},
                  {NH_OF_HIDDEN, f->n + f->m}, {NH_OF_HOLONOMIC, f->n + f->m + f->l}};
    pairs found = {0};
    nh_status status = NH_OK;
    for (size_t i = 0; i < sizeof source / sizeof *source && status == NH_OK; i++) {
        nh_pattern p = {0};
        status = nh_sparsity_find(f->model, source[i].of, by, MOST_PAIRS, &p, error);
        for (int row = 0; row < p.rows && status == NH_OK; row++)
            for (size_t e = p.start[row]; e < p.start[row + 1]; e++)
                add(&found, p.column[e], source[i].first + row);
        nh_pattern_free(&p);
    }
    if (status == NH_OK)
        return take(&found, columns, f->equations, f->arena, out, error);
    free(found.list);
    return status;
}

/* What moves v of these coordinates, balances of which are among the equations, moves what depends on v. */
static void add_by_velocity(const finder *f, pairs *to, int column, const nh_columns *moved, int source,
                            const nh_columns *by_v)
{
    for (int e = moved->start[source]; e < moved->start[source + 1]; e++)
        if (moved->row[e] < f->n)
            add_column(to, column, by_v, moved->row[e]);
}

/* q' moves q and v. In the stabilised form v is q' - g_q^T mu, so that mu and q move it, too. */
static nh_status combine(const finder *f, const nh_kernel *k, bool mp, const nh_columns *by_q, const nh_columns *by_v,
                         nh_whole_links *out, nh_error *error)
{
    const bool stabilised = k->traits & NH_STABILISED;
    pairs slope = {0}, extra = {0};
    add_all(&slope, by_q);
    add_all(&slope, by_v);
    for (int j = 0; j < f->n && stabilised; j++)
        add_by_velocity(f, &slope, j, by_q, j, by_v);
    for (int c = 0; c < f->l && stabilised; c++)
        add_by_velocity(f, &extra, c, &out->lambda, f->m + c, by_v);
    nh_status status = take(&slope, f->n, f->equations, f->arena, &out->slope, error);
    const nh_status rest = take(&extra, f->l, f->equations, f->arena, &out->extra, status == NH_OK ? error : NULL);
    out->end = mp ? out->slope : *by_v;
    return status == NH_OK ? rest : status;
}

nh_status nh_gear_links(const nh_model *m, const nh_kernel *k, bool mp, nh_arena *arena, nh_whole_links *out,
                        nh_error *error)
{
    const finder f = {m, arena, k->n, k->m, k->l, k->n + k->m + 2 * k->l};
    nh_columns by_q, by_v;
    nh_status status = find(&f, NH_Q, f.n, &by_q, error);
    if (status == NH_OK)
        status = find(&f, NH_V, f.n, &by_v, error);
    if (status == NH_OK)
        status = find(&f, NH_LAMBDA, f.m + f.l, &out->lambda, error);
    return status == NH_OK ? combine(&f, k, mp, &by_q, &by_v, out, error) : status;
}
