/* SPDX-License-Identifier: MIT */
/* The pattern of the matrix of a step, from what its functions depend on. Every stage is coupled to every other, so
 * that the unknowns of all stages have the same equations; v_1 has those of the end. */
#include "kernel/whole.h"

#include "kernel/traits.h"

#include <math.h>

/* Unknowns that are there once for a stage, or for the end. */
typedef struct block {
    const nh_columns *links;
    int copies;
    bool end;
} block;

enum { BLOCKS = 4 };
/* Groups times unknowns: numbers that tangents give for one matrix, a tenth of a microsecond each. */
#define MOST_WORK 0x1p25
/* Looks at what columns share, some nanoseconds each. */
#define MOST_LOOKS 0x1p28

typedef struct layout {
    const nh_kernel *kernel;
    bool mp;
    block block[BLOCKS]; /* in the order of the unknowns */
    nh_arena *scratch;
} layout;

static layout layout_of(const nh_kernel *k, bool mp, const nh_whole_links *links, nh_arena *scratch)
{
    const int stages = mp ? 0 : k->s, extra = k->traits & NH_STABILISED ? k->s : 0;
    return (layout){k,
                    mp,
                    {{&links->slope, stages, false},
                     {&links->lambda, k->s, false},
                     {&links->extra, extra, false},
                     {&links->end, 1, true}},
                    scratch};
}

/* Rows, counted, and written where there is room for them. */
typedef struct row_list {
    int *row, count;
} row_list;

static void put(row_list *to, int row)
{
    if (to->row)
        to->row[to->count] = row;
    to->count++;
}

/* Where an equation is among the rows of (6.1), as spark_momenta and spark_constraints have them: momenta of stages and
 * of the end, conditions (6.1e), g, constraints at the end. (7.3) has each once. */
static void put_rows(const layout *a, int equation, bool end, row_list *to)
{
    const nh_kernel *k = a->kernel;
    const int n = k->n, m = k->m, l = k->l, s = k->s, c = equation - n, surface = c - m - l;
    const bool stabilised = k->traits & NH_STABILISED, collocated = k->traits & NH_COLLOCATED;
    const int width = stabilised ? m + l : m, conditions = collocated ? s : s - 1, surfaces = stabilised ? s : s - 1;
    const int first_condition = (s + 1) * n, first_surface = first_condition + conditions * width;
    const int kept = collocated ? m : 0, first_end = first_surface + surfaces * l - kept;
    if (a->mp) {
        put(to, equation);
        return;
    }
    for (int j = end ? s : 0; j <= s && c < 0; j++)
        put(to, j * n + equation);
    for (int e = 0; e < conditions && !end && c >= 0 && c < width; e++)
        put(to, first_condition + e * width + c);
    for (int e = 0; e < surfaces && !end && surface >= 0; e++)
        put(to, first_surface + e * l + surface);
    if (c >= kept && surface < 0)
        put(to, first_end + c);
}

static void put_column(const layout *a, const block *of, int column, row_list *to)
{
    for (int e = of->links->start[column]; e < of->links->start[column + 1]; e++)
        put_rows(a, of->links->row[e], of->end, to);
}

/* Every copy of a block has the same rows. */
static bool take_entries(const layout *a, int most, nh_arena *arena, nh_columns *out)
{
    const int size = nh_whole_size(a->kernel, a->mp);
    long long entries = 0;
    int at = 0;
    *out = (nh_columns){size, NH_NEW(arena, int, size + 1), NULL};
    for (int b = 0; b < BLOCKS && out->start; b++)
        for (int copy = 0; copy < a->block[b].copies; copy++)
            for (int j = 0; j < a->block[b].links->count; j++) {
                row_list counted = {0};
                put_column(a, &a->block[b], j, &counted);
                entries += counted.count;
                if (entries > most)
                    return false;
                out->start[++at] = (int)entries;
            }
    out->row = NH_NEW(arena, int, entries + 1);
    row_list to = {out->row, 0};
    for (int b = 0; b < BLOCKS && out->start && out->row; b++)
        for (int copy = 0; copy < a->block[b].copies; copy++)
            for (int j = 0; j < a->block[b].links->count; j++)
                put_column(a, &a->block[b], j, &to);
    return out->start && out->row;
}

/* ---- Groups of columns without a common equation ---- */

/* A column goes to the first group where none before it shares an equation with it. The number of groups; -1: that
 * would take too long, or out of memory. */
static int find_groups(const nh_columns *of, int equations, nh_arena *scratch, int *group)
{
    nh_columns by;
    int *taken_for = NH_NEW(scratch, int, of->count + 1), groups = 0; /* a column + 1 */
    double looks = 0;
    if (!taken_for || !nh_columns_transpose(of, equations, scratch, &by))
        return -1;
    for (int i = 0; i < equations; i++)
        looks += pow(by.start[i + 1] - by.start[i], 2);
    if (looks > MOST_LOOKS)
        return -1;
    for (int j = 0; j < of->count; j++) {
        for (int e = of->start[j]; e < of->start[j + 1]; e++)
            for (int i = by.start[of->row[e]]; i < by.start[of->row[e] + 1] && by.row[i] < j; i++)
                taken_for[group[by.row[i]]] = j + 1;
        group[j] = 0;
        while (taken_for[group[j]] == j + 1)
            group[j]++;
        groups = group[j] < groups ? groups : group[j] + 1;
    }
    return groups;
}

/* Copies of a block are coupled: each has groups of its own. */
static bool number_groups(const layout *a, int *group, int *groups)
{
    const nh_kernel *k = a->kernel;
    const int equations = k->n + k->m + 2 * k->l;
    *groups = 0;
    for (int b = 0; b < BLOCKS; b++) {
        const block *of = &a->block[b];
        const int count = of->links->count;
        const int own = of->copies ? find_groups(of->links, equations, a->scratch, group) : 0;
        if (own < 0)
            return false;
        for (int copy = of->copies - 1; copy >= 0; copy--) /* the others are made from the first */
            for (int j = 0; j < count; j++)
                group[copy * count + j] = group[j] + *groups + copy * own;
        *groups += of->copies * own;
        group += of->copies * count;
    }
    return (double)*groups * nh_whole_size(k, a->mp) <= MOST_WORK;
}

static bool take_groups(const layout *a, nh_arena *arena, nh_columns *out)
{
    const int size = nh_whole_size(a->kernel, a->mp);
    int groups;
    nh_columns group = {size, NH_NEW(a->scratch, int, size + 1), NH_NEW(a->scratch, int, size + 1)};
    for (int j = 0; j < size && group.start; j++)
        group.start[j + 1] = j + 1;
    return group.start && group.row && number_groups(a, group.row, &groups) &&
           nh_columns_transpose(&group, groups, arena, out);
}

bool nh_whole_pattern_new(const nh_kernel *k, bool mp, const nh_whole_links *links, int most, nh_arena *scratch,
                          nh_arena *arena, nh_whole_pattern *out)
{
    const layout a = layout_of(k, mp, links, scratch);
    return take_entries(&a, most, arena, &out->entries) && take_groups(&a, arena, &out->groups);
}
