/* SPDX-License-Identifier: MIT */
/* From fields to tapes: loops around pieces, places of entries in the output, constants of a program. */
#include "expr/lower.h"
#include "expr/store.h"

#include <stdlib.h>

nh_lowering *nh_lowering_new(nh_graph *g, nh_program *p)
{
    nh_lowering *l = calloc(1, sizeof *l);
    if (l) {
        l->g = g;
        l->p = p;
    }
    return l;
}

void nh_lowering_free(nh_lowering *l)
{
    if (!l)
        return;
    nh_map_free(&l->literal);
    nh_map_free(&l->constant);
    nh_map_free(&l->value);
    nh_map_free(&l->uses);
    nh_map_free(&l->absorbed);
    free(l->constants.item);
    free(l->defined.item);
    free(l);
}

static bool same_loops(const nh_piece *a, const nh_piece *b)
{
    bool same = a->loops == b->loops && a->accumulate == b->accumulate;
    for (int i = 0; same && i < a->loops; i++)
        same = nh_affine_equal(a->count[i], b->count[i]);
    return same;
}

/* The place of a piece's entries in the output. */
static nh_affine place(const nh_field *f, nh_layout layout, const nh_piece *p, int64_t first)
{
    nh_affine at = nh_affine_constant(first), scaled;
    if (layout == NH_DENSE) {
        nh_affine_scale(p->row, f->columns, &at);
        nh_affine_add(at, p->column, &at);
        return at;
    }
    int64_t extent[NH_MAX_NEST], stride = 1;
    nh_piece_extents(p, extent);
    for (int l = p->loops - 1; l >= 0; l--) {
        nh_affine_scale(nh_affine_index(NH_OPEN + l), stride, &scaled);
        nh_affine_add(at, scaled, &at);
        stride *= extent[l];
    }
    return at;
}

typedef struct group {
    const nh_field *f;
    nh_layout layout;
    const uint32_t *piece; /* numbers of the pieces, which have equal loops */
    const int64_t *first;  /* place of each piece's first entry in a sparse output */
    uint32_t count;
} group;

static void store_group(nh_lowering *l, const group *s)
{
    for (uint32_t i = 0; i < s->count && !l->failed; i++) {
        const nh_piece *p = &s->f->piece[s->piece[i]];
        nh_operand value = nh_lower_node(l, p->value);
        bool gain = p->accumulate && s->layout == NH_DENSE;
        uint32_t at = nh_lower_affine(l, place(s->f, s->layout, p, s->first[s->piece[i]]));
        nh_lower_line(l, (nh_line){.op = gain ? NH_T_GAIN : NH_T_STORE, .a = value, .b = at});
    }
}

static void lower_group(nh_lowering *l, const group *s, int loop)
{
    const nh_piece *p = &s->f->piece[s->piece[0]];
    if (loop == p->loops) {
        store_group(l, s);
        return;
    }
    nh_expr *roots = calloc(s->count + 1, sizeof *roots);
    if (!roots || l->depth >= NH_MAX_NEST) {
        if (roots)
            nh_graph_limit(l->g, "sums and products are nested too deep");
        free(roots);
        l->failed = true;
        return;
    }
    for (uint32_t i = 0; i < s->count; i++)
        roots[i] = s->f->piece[s->piece[i]].value;
    nh_lower_hoist(l, roots, s->count);
    free(roots);
    size_t defined = l->defined.count;
    uint32_t begin = nh_lower_begin(l, NH_OPEN + loop, p->count[loop]);
    lower_group(l, s, loop + 1);
    nh_lower_end(l, NH_OPEN + loop, begin, defined);
}

typedef struct entries {
    uint8_t *set; /* by place: a piece puts a value there */
    const nh_field *f;
    nh_layout layout;
    const int64_t *first;
} entries;

static void mark_entry(void *context, uint32_t piece, int64_t row, int64_t column, const int64_t *values)
{
    (void)row, (void)column;
    entries *e = context;
    const nh_piece *p = &e->f->piece[piece];
    e->set[nh_affine_value(place(e->f, e->layout, p, e->first[piece]), values)] = 1;
}

enum { FEW_GAPS = 4 };

/* Zeros for what no piece sets: gap by gap where they are few, else everywhere first; so that the number of lines does
 * not grow with the size of a sparse matrix. */
static void fill_gaps(nh_lowering *l, const uint8_t *set, int64_t size)
{
    int64_t gaps = 0;
    for (int64_t i = 0; i < size; i++)
        gaps += !set[i] && (i == 0 || set[i - 1]);
    if (gaps > FEW_GAPS) {
        nh_lower_line(l, (nh_line){.op = NH_T_FILL, .a = 0, .b = (uint32_t)size});
        return;
    }
    for (int64_t i = 0; i < size; i++) {
        int64_t start = i;
        while (i < size && !set[i])
            i++;
        if (i > start)
            nh_lower_line(l, (nh_line){.op = NH_T_FILL, .a = (uint32_t)start, .b = (uint32_t)(i - start)});
    }
}

static void lower_pieces(nh_lowering *l, const nh_field *f, nh_layout layout, const int64_t *first)
{
    uint32_t *number = calloc(f->pieces + 1, sizeof *number);
    bool *done = calloc(f->pieces + 1, sizeof *done);
    l->failed |= !number || !done;
    for (int pass = 0; pass < 2; pass++) /* what is set, then what is added */
        for (uint32_t i = 0; !l->failed && i < f->pieces; i++) {
            group s = {f, layout, number, first, 0};
            if (done[i] || f->piece[i].accumulate != pass)
                continue;
            for (uint32_t j = i; j < f->pieces; j++)
                if (!done[j] && same_loops(&f->piece[i], &f->piece[j])) {
                    number[s.count++] = j;
                    done[j] = true;
                }
            lower_group(l, &s, 0);
        }
    free(number);
    free(done);
}

static void count_uses(nh_lowering *l, const nh_field *f)
{
    nh_expr *roots = malloc((f->pieces + 1) * sizeof *roots);
    uint32_t length = 0;
    for (uint32_t i = 0; roots && i < f->pieces; i++) {
        roots[i] = f->piece[i].value;
        l->failed |= !roots[i]; /* no expression: it could not be built */
    }
    nh_expr *nodes = roots ? nh_reachable(l->g, roots, f->pieces, &length) : NULL;
    for (uint32_t i = 0; nodes && i < length; i++) {
        nh_node n = nh_get(l->g, nodes[i]);
        nh_map_set(&l->uses, n.a, nh_map_get(&l->uses, n.a) + 1);
        nh_map_set(&l->uses, n.b, nh_map_get(&l->uses, n.b) + 1);
    }
    for (uint32_t i = 0; nodes && i < f->pieces; i++)
        nh_map_set(&l->uses, roots[i], nh_map_get(&l->uses, roots[i]) + 1);
    l->failed |= !nodes || l->uses.failed;
    free(nodes);
    free(roots);
}

static void reset(nh_lowering *l, nh_tape *tape)
{
    nh_map_free(&l->value);
    nh_map_free(&l->uses);
    nh_map_free(&l->absorbed);
    l->value = l->uses = l->absorbed = (nh_map){0};
    l->defined.count = 0;
    l->tape = tape;
    l->open = 0;
    l->depth = 0;
}

/* Where every piece begins in a sparse output; returns its length. */
static int64_t sparse_places(const nh_field *f, int64_t *first)
{
    int64_t size = 0;
    for (uint32_t i = 0; i < f->pieces; i++) {
        int64_t extent[NH_MAX_NEST];
        first[i] = size;
        size += nh_piece_extents(&f->piece[i], extent);
    }
    return size;
}

bool nh_lower_field(nh_lowering *l, const nh_field *f, nh_layout layout, nh_tape *tape)
{
    reset(l, tape);
    int64_t *first = calloc(f->pieces + 1, sizeof *first);
    int64_t size = !first ? 0 : layout == NH_SPARSE ? sparse_places(f, first) : (int64_t)f->rows * f->columns;
    enum { MOST = 1 << NH_OPERAND_BITS };
    if (size >= MOST)
        nh_graph_limit(l->g, "a matrix has more than 2^28 entries: ask for it in sparse form");
    uint8_t *set = size < MOST ? calloc((size_t)size + 1, 1) : NULL;
    l->failed |= !first || !set;
    if (!l->failed) {
        entries e = {set, f, layout, first};
        for (uint32_t i = 0; i < f->pieces; i++)
            if (layout == NH_SPARSE || !f->piece[i].accumulate)
                nh_field_visit_piece(f, i, mark_entry, &e);
        count_uses(l, f);
        fill_gaps(l, set, size);
        if (!l->failed)
            lower_pieces(l, f, layout, first);
    }
    tape->outputs = (int)size;
    free(first);
    free(set);
    return !l->failed;
}

bool nh_lower_constants(nh_lowering *l, nh_tape *tape)
{
    int parameters = l->p->parameters, total = parameters + (int)l->constants.count;
    nh_field f = {.rows = total, .columns = 1};
    nh_piece copy = {.loops = 1,
                     .count = {nh_affine_constant(parameters)},
                     .row = nh_affine_index(NH_OPEN),
                     .value = nh_variable(l->g, NH_PARAMETER, nh_affine_index(NH_OPEN))};
    l->failed |= parameters && !nh_field_add(&f, &copy);
    for (size_t i = 0; i < l->constants.count; i++)
        l->failed |= !nh_field_set(&f, parameters + (int)i, 0, l->constants.item[i]);
    l->making_constants = true;
    bool good = !l->failed && nh_lower_field(l, &f, NH_DENSE, tape);
    nh_field_free(&f);
    l->p->constants = total;
    return good;
}
