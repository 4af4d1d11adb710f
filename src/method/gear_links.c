/* SPDX-License-Identifier: MIT */
#include "method/gear_links.h"

#include "kernel/traits.h"
#include "method/sparsity_build.h"

/* Equations are balances of momenta [n], k [m], g_q v + g_t [l], g [l]. What each of them depends on is found first, as
 * a matrix whose columns are equations and whose rows are components of a space. */
typedef struct finder {
    const nh_model *model;
    nh_arena *arena;
    int n, m, l, equations;
    size_t most; /* slots of a function */
    int *seen;   /* [n + m + l], of a component: the equation that had it last, + 1 */
} finder;

/* ---- Sets of components, equation by equation ---- */

static bool begin(const finder *f, size_t room, nh_columns *to)
{
    *to = (nh_columns){0, NH_NEW(f->arena, int, f->equations + 1), NH_NEW(f->arena, int, room + 1)};
    for (int i = 0; i < f->n + f->m + f->l; i++)
        f->seen[i] = 0;
    return to->start && to->row;
}

static void next_equation(nh_columns *to)
{
    to->count++;
    to->start[to->count] = to->start[to->count - 1];
}

/* To the last equation, once. */
static void add(const finder *f, nh_columns *to, int component)
{
    if (f->seen[component] == to->count)
        return;
    f->seen[component] = to->count;
    to->row[to->start[to->count]++] = component;
}

static void add_set(const finder *f, nh_columns *to, const nh_columns *from, int equation)
{
    for (int e = from->start[equation]; e < from->start[equation + 1]; e++)
        add(f, to, from->row[e]);
}

static size_t entries_of(const nh_columns *c)
{
    return (size_t)c->start[c->count];
}

/* ---- From derived functions ---- */

/* Forces and reactions are in the balances of momenta. */
enum { FUNCTIONS = 6 };
static const nh_quantity functions[FUNCTIONS] = {NH_OF_MOMENTUM,   NH_OF_FORCE,  NH_OF_REACTION,
                                                 NH_OF_CONSTRAINT, NH_OF_HIDDEN, NH_OF_HOLONOMIC};

static void add_rows(const finder *f, nh_columns *to, const nh_pattern *p, int first, int equation)
{
    const int row = equation - first;
    if (row < 0 || row >= p->rows)
        return;
    for (size_t e = p->start[row]; e < p->start[row + 1]; e++)
        add(f, to, p->column[e]);
}

static nh_status unite(const finder *f, const nh_pattern p[FUNCTIONS], nh_columns *out, nh_error *error)
{
    const int first[FUNCTIONS] = {0, 0, 0, f->n, f->n + f->m, f->n + f->m + f->l};
    size_t room = 0;
    for (int i = 0; i < FUNCTIONS; i++)
        room += p[i].start[p[i].rows];
    if (room > NH_MOST_SLOTS)
        return nh_fail(error, NH_LIMIT, "too many entries");
    if (!begin(f, room, out))
        return nh_fail(error, NH_MEMORY, "out of memory");
    for (int e = 0; e < f->equations; e++) {
        next_equation(out);
        for (int i = 0; i < FUNCTIONS; i++)
            add_rows(f, out, &p[i], first[i], e);
    }
    return NH_OK;
}

/* Equations by components of a space. */
static nh_status find(const finder *f, nh_space by, nh_columns *out, nh_error *error)
{
    nh_pattern p[FUNCTIONS] = {{0}};
    nh_status status = NH_OK;
    for (int i = 0; i < FUNCTIONS && status == NH_OK; i++)
        status = nh_sparsity_find(f->model, functions[i], by, f->most, &p[i], error);
    if (status == NH_OK)
        status = unite(f, p, out, error);
    for (int i = 0; i < FUNCTIONS; i++)
        nh_pattern_free(&p[i]);
    return status;
}

/* ---- From unknowns ---- */

/* q' moves q and v. In the stabilised form v is q' - g_q^T mu, so that q moves it, too: what the balance of a
 * coordinate has of q is more than what g_q^T mu has. */
static bool link_slope(const finder *f, bool stabilised, const nh_columns *by_q, const nh_columns *by_v,
                       nh_columns *out)
{
    size_t room = entries_of(by_q) + entries_of(by_v);
    for (size_t e = 0; e < entries_of(by_v) && stabilised; e++)
        room += (size_t)(by_q->start[by_v->row[e] + 1] - by_q->start[by_v->row[e]]);
    if (room > NH_MOST_SLOTS || !begin(f, room, out))
        return false;
    for (int i = 0; i < f->equations; i++) {
        next_equation(out);
        add_set(f, out, by_q, i);
        add_set(f, out, by_v, i);
        for (int e = by_v->start[i]; e < by_v->start[i + 1] && stabilised; e++)
            add_set(f, out, by_q, by_v->row[e]);
    }
    return true;
}

/* mu moves v of the coordinates in whose balances its multiplier is. */
static bool link_extra(const finder *f, bool stabilised, const nh_columns *by_v, const nh_columns *by_lambda,
                       nh_columns *out)
{
    size_t room = 0;
    for (size_t e = 0; e < entries_of(by_v) && stabilised; e++)
        room += (size_t)(by_lambda->start[by_v->row[e] + 1] - by_lambda->start[by_v->row[e]]);
    if (room > NH_MOST_SLOTS || !begin(f, room, out))
        return false;
    for (int i = 0; i < f->equations; i++) {
        next_equation(out);
        for (int e = by_v->start[i]; e < by_v->start[i + 1] && stabilised; e++)
            for (int c = by_lambda->start[by_v->row[e]]; c < by_lambda->start[by_v->row[e] + 1]; c++)
                if (by_lambda->row[c] >= f->m)
                    add(f, out, by_lambda->row[c] - f->m);
    }
    return true;
}

nh_status nh_gear_links(const nh_model *m, const nh_kernel *k, bool mp, size_t most, nh_arena *arena,
                        nh_whole_links *out, nh_error *error)
{
    const finder f = {
        m, arena, k->n, k->m, k->l, k->n + k->m + 2 * k->l, most, NH_NEW(arena, int, k->n + k->m + k->l + 1)};
    const bool stabilised = k->traits & NH_STABILISED;
    nh_columns by_q, by_v, by_lambda, slope, extra;
    nh_status status = f.seen ? find(&f, NH_Q, &by_q, error) : nh_fail(error, NH_MEMORY, "out of memory");
    if (status == NH_OK)
        status = find(&f, NH_V, &by_v, error);
    if (status == NH_OK)
        status = find(&f, NH_LAMBDA, &by_lambda, error);
    if (status != NH_OK)
        return status;
    const bool good = link_slope(&f, stabilised, &by_q, &by_v, &slope) &&
                      link_extra(&f, stabilised, &by_v, &by_lambda, &extra) &&
                      nh_columns_transpose(&slope, f.n, arena, &out->slope) &&
                      nh_columns_transpose(&by_lambda, f.m + f.l, arena, &out->lambda) &&
                      nh_columns_transpose(&extra, f.l, arena, &out->extra) &&
                      nh_columns_transpose(mp ? &slope : &by_v, f.n, arena, &out->end);
    return good ? NH_OK : nh_fail(error, arena->failed ? NH_MEMORY : NH_LIMIT, "too many entries");
}
