/* SPDX-License-Identifier: MIT */
#include "expr/pattern.h"

#include <stdlib.h>

typedef struct cell {
    int row, column;
    uint32_t slot;
} cell;

typedef struct gathering {
    const nh_field *f;
    size_t *first; /* slot of each piece's first entry */
    cell *list;
    size_t count;
} gathering;

static void record(void *context, uint32_t piece, int64_t row, int64_t column, const int64_t *values)
{
    gathering *w = context;
    const nh_piece *p = &w->f->piece[piece];
    int64_t extent[NH_MAX_NEST], stride = 1, slot = (int64_t)w->first[piece];
    nh_piece_extents(p, extent);
    for (int l = p->loops - 1; l >= 0; l--) {
        slot += values[NH_OPEN + l] * stride;
        stride *= extent[l];
    }
    w->list[w->count++] = (cell){(int)row, (int)column, (uint32_t)slot};
}

static int by_place(const void *a, const void *b)
{
    const cell *x = a, *y = b;
    if (x->row != y->row)
        return x->row < y->row ? -1 : 1;
    if (x->column != y->column)
        return x->column < y->column ? -1 : 1;
    return x->slot < y->slot ? -1 : x->slot > y->slot; /* sums do not depend on the sort */
}

size_t nh_pattern_slots(const nh_field *f, size_t most)
{
    size_t slots = 0;
    for (uint32_t i = 0; i < f->pieces && slots <= most; i++) {
        int64_t extent[NH_MAX_NEST];
        slots += (size_t)nh_piece_extents(&f->piece[i], extent);
    }
    return slots;
}

/* Entries in the order of rows; equal places become one entry. */
static void arrange(nh_pattern *a, cell *list, size_t count)
{
    size_t entries = 0;
    int row = -1;
    for (size_t i = 0; i < a->slots; i++)
        a->place[i] = UINT32_MAX;
    if (count)
        qsort(list, count, sizeof *list, by_place);
    for (size_t i = 0; i < count; i++) {
        while (row < list[i].row)
            a->start[++row] = entries;
        if (i == 0 || list[i].row != list[i - 1].row || list[i].column != list[i - 1].column)
            a->column[entries++] = list[i].column;
        a->place[list[i].slot] = (uint32_t)(entries - 1);
    }
    while (row < a->rows)
        a->start[++row] = entries;
}

bool nh_pattern_new(const nh_field *f, nh_pattern *out)
{
    gathering w = {.f = f};
    *out = (nh_pattern){.rows = f->rows, .columns = f->columns, .slots = nh_pattern_slots(f, SIZE_MAX - 1)};
    w.list = malloc((out->slots + 1) * sizeof *w.list);
    w.first = calloc((size_t)f->pieces + 1, sizeof *w.first);
    out->start = calloc((size_t)out->rows + 1, sizeof *out->start);
    out->column = calloc(out->slots + 1, sizeof *out->column);
    out->place = calloc(out->slots + 1, sizeof *out->place);
    const bool good = w.list && w.first && out->start && out->column && out->place;
    for (uint32_t i = 0; good && i < f->pieces; i++) {
        int64_t extent[NH_MAX_NEST];
        w.first[i + 1] = w.first[i] + (size_t)nh_piece_extents(&f->piece[i], extent);
    }
    if (good) {
        nh_field_visit(f, record, &w);
        arrange(out, w.list, w.count);
    } else {
        nh_pattern_free(out);
    }
    free(w.list);
    free(w.first);
    return good;
}

void nh_pattern_free(nh_pattern *p)
{
    free(p->start);
    free(p->column);
    free(p->place);
    *p = (nh_pattern){0};
}
