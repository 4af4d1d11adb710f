/* SPDX-License-Identifier: MIT */
#include "tableau/tableau.h"

#include "tableau/grid.h"

#include <string.h>

static bool is_finite(const nh_quad *x, int count)
{
    for (int i = 0; i < count; i++)
        if (!(x[i] - x[i] == 0))
            return false;
    return true;
}

nh_status nh_tableau_copy(nh_arena *arena, int stages, const nh_quad *A, const nh_quad *b, const nh_quad *c,
                          nh_tableau *out, nh_error *error)
{
    const int s = stages;
    if (s < 1 || s > NH_STAGES_MAX)
        return nh_fail(error, NH_LIMIT, "%d stages: there must be 1 to %d", s, NH_STAGES_MAX);
    if (!is_finite(A, s * s) || !is_finite(b, s) || !is_finite(c, s))
        return nh_fail(error, NH_VALUE, "a coefficient is not finite");
    nh_quad *numbers = NH_NEW(arena, nh_quad, s * (s + 2));
    if (!numbers)
        return nh_fail(error, NH_MEMORY, "no memory for a tableau of %d stages", s);
    memcpy(numbers, A, sizeof *A * (size_t)(s * s));
    memcpy(numbers + s * s, b, sizeof *b * (size_t)s);
    memcpy(numbers + s * (s + 1), c, sizeof *c * (size_t)s);
    *out = (nh_tableau){s, numbers, numbers + s * s, numbers + s * (s + 1)};
    return NH_OK;
}

nh_status nh_tableau_conjugate(nh_arena *arena, const nh_tableau *tableau, nh_tableau *out, nh_error *error)
{
    const int s = tableau->stages;
    const nh_quad *A = tableau->A, *b = tableau->b;
    nh_quad conjugate[NH_STAGES_MAX * NH_STAGES_MAX];
    for (int i = 0; i < s; i++)
        if (b[i] == 0)
            return nh_fail(error, NH_VALUE, "weight %d is zero: there is no conjugate tableau", i + 1);
    for (int i = 0; i < s; i++)
        for (int j = 0; j < s; j++)
            conjugate[i * s + j] = b[j] * (1 - A[j * s + i] / b[i]);
    return nh_tableau_copy(arena, s, conjugate, b, tableau->c, out, error);
}

static void raise_to(nh_quad *largest, nh_quad x)
{
    x = nh_quad_abs(x);
    *largest = x > *largest ? x : *largest;
}

nh_quad nh_tableau_node_asymmetry(const nh_tableau *tableau)
{
    const nh_quad *b = tableau->b, *c = tableau->c;
    nh_quad largest = 0;
    for (int i = 0, j = tableau->stages - 1; j >= 0; i++, j--) {
        raise_to(&largest, b[i] - b[j]);
        raise_to(&largest, c[i] + c[j] - 1);
    }
    return largest;
}

nh_quad nh_tableau_matrix_asymmetry(const nh_tableau *tableau)
{
    const int s = tableau->stages;
    nh_quad largest = 0;
    for (int i = 0; i < s * s; i++)
        raise_to(&largest, tableau->A[i] + tableau->A[s * s - 1 - i] - tableau->b[i % s]);
    return largest;
}

/* ---- High and low parts ---- */

enum { HIGH_BITS = 53, LOW_BITS = 100 };

typedef struct {
    const nh_tableau *source;
    int high_bits, low_bits;
    bool summed, mirrored;
    double *A[2], *b[2], *c[2]; /* high, low */
} split_work;

int nh_tableau_exponent(const nh_tableau *tableau)
{
    const int s = tableau->stages;
    nh_quad largest = 1;
    for (int i = 0; i < s * s; i++)
        raise_to(&largest, tableau->A[i]);
    for (int i = 0; i < s; i++) {
        raise_to(&largest, tableau->b[i]);
        raise_to(&largest, tableau->c[i]);
    }
    int exponent = 0;
    while (largest > 1) {
        largest /= 2;
        exponent++;
    }
    return exponent;
}

static void split_number(const split_work *w, nh_quad x, double *high, double *low)
{
    nh_quad nearest = nh_snap(x, w->high_bits);
    *high = (double)nearest;
    *low = (double)nh_snap(x - nearest, w->low_bits);
}

static void split_weights(const split_work *w)
{
    const int s = w->source->stages;
    nh_units units[NH_STAGES_MAX];
    nh_quad rest[NH_STAGES_MAX];
    if (!w->summed) {
        for (int i = 0; i < s; i++)
            split_number(w, w->source->b[w->mirrored && 2 * i >= s ? s - 1 - i : i], &w->b[0][i], &w->b[1][i]);
        return;
    }
    nh_units_share(w->source->b, s, w->high_bits, nh_units_nearest(1, w->high_bits), w->mirrored, units);
    for (int i = 0; i < s; i++) {
        nh_quad high = nh_units_value(units[i], w->high_bits);
        w->b[0][i] = (double)high;
        rest[i] = w->source->b[i] - high;
    }
    nh_units_share(rest, s, w->low_bits, 0, w->mirrored, units);
    for (int i = 0; i < s; i++)
        w->b[1][i] = (double)nh_units_value(units[i], w->low_bits);
}

static void split_nodes(const split_work *w)
{
    const int s = w->source->stages;
    for (int i = 0; i < s; i++) {
        const int image = s - 1 - i;
        if (!w->mirrored || i < image) {
            split_number(w, w->source->c[i], &w->c[0][i], &w->c[1][i]);
        } else {
            w->c[0][i] = i == image ? 0.5 : 1 - w->c[0][image];
            w->c[1][i] = i == image ? 0 : -w->c[1][image];
        }
    }
}

/* Entries in the order of the rows: the image of entry k is entry s*s-1-k, and the one in the middle is its own. */
static void split_matrix(const split_work *w)
{
    const int s = w->source->stages, count = s * s;
    const nh_quad *A = w->source->A, *b = w->source->b;
    for (int k = 0; k < count; k++) {
        const int j = k % s, image = count - 1 - k;
        for (int part = 0; part < 2 && w->mirrored && k >= image; part++)
            w->A[part][k] = k == image ? w->b[part][j] / 2 : w->b[part][j] - w->A[part][image];
        if (w->mirrored && k >= image)
            continue;
        if (A[k] == b[j]) {
            w->A[0][k] = w->b[0][j];
            w->A[1][k] = w->b[1][j];
        } else {
            split_number(w, A[k], &w->A[0][k], &w->A[1][k]);
        }
    }
}

nh_status nh_tableau_split(nh_arena *arena, const nh_tableau *tableau, int exponent, nh_split *out, nh_error *error)
{
    const int s = tableau->stages;
    const nh_quad small = 8 * (nh_quad)s * NH_QUAD_EPSILON;
    split_work w = {.source = tableau, .high_bits = HIGH_BITS - exponent, .low_bits = LOW_BITS - exponent};
    nh_quad sum = 0;
    for (int i = 0; i < s; i++)
        sum += tableau->b[i];
    w.summed = exponent < HIGH_BITS && nh_quad_abs(sum - 1) <= small;
    w.mirrored = exponent < HIGH_BITS && nh_tableau_node_asymmetry(tableau) <= small &&
                 nh_tableau_matrix_asymmetry(tableau) <= small;
    for (int part = 0; part < 2; part++) {
        w.A[part] = NH_NEW(arena, double, s *(s + 2));
        if (!w.A[part])
            return nh_fail(error, NH_MEMORY, "no memory for a tableau of %d stages", s);
        w.b[part] = w.A[part] + s * s;
        w.c[part] = w.b[part] + s;
    }
    split_weights(&w);
    split_nodes(&w);
    split_matrix(&w);
    *out = (nh_split){s, w.summed, w.mirrored, w.A[0], w.b[0], w.c[0], w.A[1], w.b[1], w.c[1]};
    return NH_OK;
}
