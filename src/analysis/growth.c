/* SPDX-License-Identifier: MIT */
/* Growth vectors: D^1 = D, D^{i+1} = D^i + [D, D^i].
 *
 * Where D^1, …, D^i have constant rank near a point (the rank there is the generic one), a frame of D^i generates it,
 * and brackets that do not increase the rank can be dropped. Where the rank at the initial point falls behind, all
 * further brackets must be kept, but for those that are combinations of others with constant coefficients. */
#include "analysis/frame.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_BRACKETS = 1500, /* candidates of one layer */
    MOST_KEPT = 250,      /* brackets kept at a singular point */
    MOST_NODES = 1 << 19, /* of the graph of brackets at regular points */
    MOST_MORE = 1 << 14,  /* nodes that a singular point may add: there, every bracket is kept */
    MOST_POINTS = 64      /* where constant coefficients are looked for */
};

/* Brackets: lists of components along the pivots. */
typedef struct brackets {
    nh_expr *e; /* [capacity × rank] */
    size_t capacity;
    int count;
} brackets;

/* Orthonormal vectors of one length. */
typedef struct basis {
    nh_quad *vector;
    int size, length;
    bool clear;
} basis;

typedef struct tower {
    nh_study *s;
    const nh_frame *f;
    int rank;          /* = f->rank: length of a bracket */
    uint32_t most;     /* nodes that the graph may have */
    const char *limit; /* "" or the cap that was met */
    bool failed;
    nh_status status;
    nh_error *error;
} tower;

static nh_expr *add_bracket(tower *t, brackets *list)
{
    size_t rank = (size_t)t->rank;
    if (!nh_grow(&list->e, &list->capacity, ((size_t)list->count + 1) * rank, sizeof *list->e)) {
        t->failed = true;
        return NULL;
    }
    return list->e + (size_t)list->count++ * rank;
}

static const nh_expr *bracket_at(const tower *t, const brackets *list, int i)
{
    return list->e + (size_t)i * (size_t)t->rank;
}

/* --- numbers --- */

static bool basis_alloc(basis *b, int length, int most)
{
    *b = (basis){.length = length, .clear = true};
    b->vector = malloc(((size_t)most + 1) * (size_t)(length + 1) * sizeof *b->vector);
    return b->vector != NULL;
}

/* Removes from x what the basis spans; returns the length of the rest. */
static nh_quad reduce(const basis *b, nh_quad *x)
{
    nh_quad square = 0;
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < b->size; i++) {
            const nh_quad *y = b->vector + (size_t)i * (size_t)b->length;
            nh_quad along = 0;
            for (int j = 0; j < b->length; j++)
                along += x[j] * y[j];
            for (int j = 0; j < b->length; j++)
                x[j] -= along * y[j];
        }
    for (int j = 0; j < b->length; j++)
        square += x[j] * x[j];
    return nh_quad_sqrt(square);
}

static nh_quad length_of(const nh_quad *x, int length)
{
    nh_quad square = 0;
    for (int j = 0; j < length; j++)
        square += x[j] * x[j];
    return nh_quad_sqrt(square);
}

/* Extends the basis by those of `count` vectors (overwritten) that are independent of it, the best ones first;
 * chosen[i]: vector i was. A vector counts as zero relative to 1, the size of ∂_a in X_a. */
static void extend(basis *b, nh_quad *x, int count, int most, bool *chosen)
{
    size_t length = (size_t)b->length;
    for (int i = 0; i < count; i++) { /* brackets of all sizes have the same say */
        nh_quad size = length_of(x + (size_t)i * length, b->length);
        bool zero = !(size > (nh_quad)NH_RANK_ZERO);
        b->clear &= zero || size > (nh_quad)NH_RANK_CLEAR;
        for (size_t j = 0; j < length; j++)
            x[(size_t)i * length + j] = zero ? 0 : x[(size_t)i * length + j] / size;
    }
    memset(chosen, 0, (size_t)count * sizeof *chosen);
    while (b->size < most) {
        int best = -1;
        nh_quad residual = (nh_quad)NH_RANK_ZERO;
        for (int i = 0; i < count && residual < (nh_quad)0.3; i++) {
            nh_quad rest = chosen[i] ? 0 : reduce(b, x + (size_t)i * length);
            if (rest > residual) {
                residual = rest;
                best = i;
            }
        }
        if (best < 0)
            return;
        b->clear &= residual > (nh_quad)NH_RANK_CLEAR;
        chosen[best] = true;
        for (size_t j = 0; j < length; j++)
            b->vector[(size_t)b->size * length + j] = x[(size_t)best * length + j] / residual;
        b->size++;
    }
}

/* Values of brackets at points: values[point · stride …] = all components of bracket 0, 1, … */
static bool evaluate(tower *t, const brackets *list, const nh_sample *const *point, int points, nh_quad *values)
{
    size_t count = (size_t)list->count * (size_t)t->rank;
    nh_field f = {.rows = (int)count, .columns = 1};
    nh_probe p = {0};
    bool good = true;
    for (size_t i = 0; good && i < count; i++)
        good = nh_is_number(t->f->g, list->e[i], 0) || nh_field_set(&f, (int)i, 0, list->e[i]);
    t->status = good ? nh_probe_new(t->f->g, &f, 1, t->s->m->parameters, &p, t->error) : NH_MEMORY;
    good = t->status == NH_OK;
    if (good)
        nh_probe_parameters(&p, t->s->parameters);
    for (int i = 0; good && i < points; i++) {
        const nh_quad *x[NH_SPACES];
        nh_sample_inputs(t->s, point[i], x);
        nh_probe_run(&p, 1, x, values + (size_t)i * count);
    }
    nh_probe_free(&p);
    nh_field_free(&f);
    t->failed |= !good;
    return good;
}

/* --- layers --- */

static bool too_large(tower *t, int candidates)
{
    if (candidates > MOST_BRACKETS)
        t->limit = "the number of brackets";
    else if (nh_graph_size(t->f->g) > t->most)
        t->limit = "the size of the expressions";
    return t->limit[0] != '\0';
}

/* [X_a, X_b] for a < b. */
static bool first_brackets(tower *t, brackets *out)
{
    const nh_frame *f = t->f;
    for (int a = 0; a < f->fields; a++)
        for (int b = a + 1; b < f->fields; b++) {
            nh_expr *e = too_large(t, out->count) ? NULL : add_bracket(t, out);
            if (!e)
                return false;
            nh_frame_bracket(f, a, f->component + (size_t)b * (size_t)f->rank, b, e);
        }
    return true;
}

/* [X_a, Y] for all Y of a layer. */
static bool next_brackets(tower *t, const brackets *layer, brackets *out)
{
    out->count = 0;
    for (int a = 0; a < t->f->fields; a++)
        for (int i = 0; i < layer->count; i++) {
            nh_expr *e = too_large(t, out->count) ? NULL : add_bracket(t, out);
            if (!e)
                return false;
            nh_frame_bracket(t->f, a, bracket_at(t, layer, i), -1, e);
        }
    return true;
}

static bool keep(tower *t, const brackets *from, const bool *chosen, brackets *to)
{
    to->count = 0;
    for (int i = 0; i < from->count; i++) {
        nh_expr *e = chosen[i] ? add_bracket(t, to) : NULL;
        if (e)
            memcpy(e, bracket_at(t, from, i), (size_t)t->rank * sizeof *e);
    }
    return !t->failed;
}

static void append(nh_growth *g, int dimension)
{
    if (g->length < NH_GROWTH_MOST)
        g->dimension[g->length++] = dimension;
}

/* --- the initial point, where it is singular --- */

typedef struct singular {
    basis here;     /* values at the initial point */
    basis constant; /* values at many points, one below the other */
    nh_sample point[MOST_POINTS];
    const nh_sample *pointer[MOST_POINTS + 1]; /* the initial point comes last */
    int points;
    int most; /* brackets that can be told apart there */
} singular;

static bool draw_points(tower *t, singular *y)
{
    nh_study *s = t->s;
    y->points = MOST_KEPT / t->rank + 3 < MOST_POINTS ? MOST_KEPT / t->rank + 3 : MOST_POINTS;
    y->most = y->points * t->rank - 3 < MOST_KEPT ? y->points * t->rank - 3 : MOST_KEPT;
    for (int i = 0; i < y->points; i++) {
        y->point[i] = s->initial;
        y->point[i].q = NH_NEW(&s->arena, nh_quad, s->m->n);
        if (!y->point[i].q)
            return false;
        for (int j = 0; j < s->m->n; j++)
            y->point[i].q[j] = s->initial.q[j] + (nh_quad)0.1 * nh_study_random(s);
        y->point[i].t = (nh_quad)0.1 * nh_study_random(s);
        y->pointer[i] = &y->point[i];
    }
    y->pointer[y->points] = &s->initial;
    return basis_alloc(&y->here, t->rank, t->rank) && basis_alloc(&y->constant, y->points * t->rank, MOST_KEPT);
}

/* Sorts values by point into one vector per bracket, of all points one below the other. */
static void transpose(const nh_quad *values, int points, int count, int rank, nh_quad *out)
{
    for (int i = 0; i < count; i++)
        for (int p = 0; p < points; p++)
            for (int k = 0; k < rank; k++)
                out[((size_t)i * (size_t)points + (size_t)p) * (size_t)rank + (size_t)k] =
                    values[((size_t)p * (size_t)count + (size_t)i) * (size_t)rank + (size_t)k];
}

/* Adds a layer to both bases; `layer` becomes those of `all` that no combination with constant coefficients gives. */
static bool singular_layer(tower *t, singular *y, const brackets *all, brackets *layer)
{
    size_t count = (size_t)all->count * (size_t)t->rank, points = (size_t)y->points;
    nh_quad *values = malloc((2 * points + 1) * (count + 1) * sizeof *values), *columns = values + (points + 1) * count;
    bool *chosen = malloc(((size_t)all->count + 1) * sizeof *chosen);
    bool good = values && chosen && evaluate(t, all, y->pointer, y->points + 1, values);
    if (good) {
        extend(&y->here, values + points * count, all->count, t->rank, chosen);
        transpose(values, y->points, all->count, t->rank, columns);
        good = nh_quads_finite(columns, points * count);
        t->limit = good ? t->limit : "values that are not finite";
    }
    if (good) {
        extend(&y->constant, columns, all->count, y->most, chosen);
        if (y->constant.size >= y->most)
            t->limit = "the number of brackets";
        good = keep(t, all, chosen, layer);
    }
    free(values);
    free(chosen);
    return good;
}

/* From the first layer on that falls behind: `frame` generates the layers before it, `all` are the candidates of this
 * one, `last` is the rank of the Lie algebra at generic points. */
static void singular_growth(tower *t, const brackets *frame, brackets *all, int last, nh_growth *g)
{
    singular y = {.points = 0};
    brackets layer = {0};
    t->limit = "";
    t->most = nh_graph_size(t->f->g) + MOST_MORE;
    g->complete = false;
    bool good = draw_points(t, &y) && (frame->count == 0 || singular_layer(t, &y, frame, &layer));
    int fields = t->f->fields;
    while (good && singular_layer(t, &y, all, &layer)) {
        append(g, fields + y.here.size);
        g->complete = fields + y.here.size == last || layer.count == 0;
        if (g->complete || t->limit[0])
            break;
        if (g->length == NH_GROWTH_MOST)
            t->limit = "the depth of brackets";
        good = !t->limit[0] && next_brackets(t, &layer, all);
    }
    g->limit = g->complete ? "" : t->limit;
    g->clear &= y.here.clear;
    /* equal dimensions at the end say nothing */
    while (g->length > 1 && g->dimension[g->length - 1] == g->dimension[g->length - 2])
        g->length--;
    free(y.here.vector);
    free(y.constant.vector);
    free(layer.e);
}

/* --- generic points --- */

typedef struct climb {
    basis generic, check, initial;
    brackets frame, all, layer;
    bool regular; /* the initial point has the generic ranks so far */
    bool *chosen;
    nh_quad *values;
} climb;

static bool climb_alloc(tower *t, climb *y)
{
    size_t count = (size_t)MOST_BRACKETS + 1;
    y->chosen = malloc(2 * count * sizeof *y->chosen);
    y->values = malloc(3 * count * (size_t)t->rank * sizeof *y->values);
    bool good = y->chosen && y->values && basis_alloc(&y->generic, t->rank, t->rank);
    return good && basis_alloc(&y->check, t->rank, t->rank) && basis_alloc(&y->initial, t->rank, t->rank);
}

static void climb_free(climb *y)
{
    free(y->generic.vector);
    free(y->check.vector);
    free(y->initial.vector);
    free(y->frame.e);
    free(y->all.e);
    free(y->layer.e);
    free(y->chosen);
    free(y->values);
}

/* Ranks of one layer at all points; `layer` becomes the brackets that increase the rank. */
static bool climb_layer(tower *t, climb *y)
{
    nh_study *s = t->s;
    size_t count = (size_t)y->all.count * (size_t)t->rank;
    int second = s->samples > 1 ? 1 : 0, rank = t->rank;
    const nh_sample *point[3] = {&s->sample[0], &s->sample[second], &s->initial};
    bool *of_initial = y->chosen + MOST_BRACKETS + 1;
    if (!evaluate(t, &y->all, point, y->regular ? 3 : 2, y->values))
        return false;
    extend(&y->generic, y->values, y->all.count, rank, y->chosen);
    bool *unused = NH_NEW(&s->arena, bool, y->all.count + 1);
    if (!unused)
        return false;
    extend(&y->check, y->values + count, y->all.count, rank, unused);
    y->generic.clear &= y->check.size == y->generic.size;
    if (y->regular)
        extend(&y->initial, y->values + 2 * count, y->all.count, rank, of_initial);
    if (y->regular && y->initial.size == y->generic.size)
        return keep(t, &y->all, of_initial, &y->layer); /* a frame there is one at generic points */
    return keep(t, &y->all, y->chosen, &y->layer);
}

static bool remember(tower *t, climb *y)
{
    for (int i = 0; i < y->layer.count; i++) {
        nh_expr *e = add_bracket(t, &y->frame);
        if (e)
            memcpy(e, bracket_at(t, &y->layer, i), (size_t)t->rank * sizeof *e);
    }
    return !t->failed;
}

/* Where the initial point falls behind: what generates the layers before, and the candidates of this layer. */
typedef struct fork {
    brackets frame, all;
    bool taken;
} fork_point;

static bool fork_here(tower *t, climb *y, fork_point *k)
{
    bool *every = NH_NEW(&t->s->arena, bool, y->all.count + y->frame.count + 1);
    if (!every)
        return false;
    memset(every, 1, (size_t)y->all.count + (size_t)y->frame.count);
    k->taken = true;
    y->regular = false;
    return keep(t, &y->frame, every, &k->frame) && keep(t, &y->all, every, &k->all);
}

static void climb_up(tower *t, climb *y, fork_point *k)
{
    nh_distribution *d = &t->s->c->distribution;
    int fields = t->f->fields;
    bool more = first_brackets(t, &y->all);
    append(&d->generic, fields);
    append(&d->initial, fields);
    while (more && climb_layer(t, y)) {
        bool behind = y->regular && y->initial.size < y->generic.size;
        if (behind && !fork_here(t, y, k))
            return;
        d->generic.complete = y->layer.count == 0 || y->generic.size == t->rank;
        if (y->layer.count)
            append(&d->generic, fields + y->generic.size);
        if (y->layer.count && y->regular)
            append(&d->initial, fields + y->generic.size);
        more = !d->generic.complete && remember(t, y) && next_brackets(t, &y->layer, &y->all);
    }
    d->generic.limit = d->generic.complete ? "" : t->limit;
    d->generic.clear = y->generic.clear;
}

static nh_status finish(tower *t, nh_error *error)
{
    nh_distribution *d = &t->s->c->distribution;
    nh_status status = nh_graph_status(t->f->g, NULL);
    if (status == NH_LIMIT) { /* the scratch graph is full, in spite of the caps */
        d->generic.limit = d->generic.complete ? "" : "the size of the expressions";
        d->initial.limit = d->initial.complete ? "" : "the size of the expressions";
        return NH_OK;
    }
    if (t->failed || t->s->arena.failed || status != NH_OK)
        return nh_out_of_memory(error);
    return NH_OK;
}

nh_status nh_study_growth(nh_study *s, const nh_frame *f, bool at_initial, nh_error *error)
{
    nh_distribution *d = &s->c->distribution;
    tower t = {.s = s, .f = f, .rank = f->rank, .most = MOST_NODES, .limit = "", .error = error};
    climb y = {.regular = at_initial};
    fork_point k = {.taken = false};
    d->generic = (nh_growth){.defined = true, .limit = "", .clear = true};
    d->initial = (nh_growth){.defined = at_initial, .limit = "", .clear = true};
    if (!climb_alloc(&t, &y)) {
        climb_free(&y);
        return nh_out_of_memory(error);
    }
    climb_up(&t, &y, &k);
    if (k.taken) {
        singular_growth(&t, &k.frame, &k.all, d->generic.dimension[d->generic.length - 1], &d->initial);
    } else if (at_initial) {
        d->initial = d->generic;
        d->initial.clear = y.initial.clear;
    }
    climb_free(&y);
    free(k.frame.e);
    free(k.all.e);
    return finish(&t, error);
}
