/* SPDX-License-Identifier: MIT */
/* Bounds by putting in the ends of the ranges, innermost first; where these are not enough (a loop that does not run
 * for some outer indices shrinks what counts), by Fourier-Motzkin elimination with integer rounding. */
#include "language/nest.h"

#include <string.h>

enum { MOST_ROWS = 128 };

/* Coefficients and constants stay below 2^31, so that sums of two products fit. */
static const int64_t largest = INT32_MAX;

/* Σ c[d]·x_d + constant ≥ 0 */
typedef struct row {
    int64_t c[NH_MAX_NEST], constant;
} row;

typedef struct rows {
    row row[MOST_ROWS];
    int count, loops;
    bool impossible, unsure;
} rows;

static int64_t magnitude(int64_t x)
{
    return x < 0 ? -x : x;
}

static int64_t floor_divide(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

static int64_t common_divisor(int64_t a, int64_t b)
{
    while (b) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Adds a row in lowest terms. Its constant may be rounded down, because the sum without it is an integer. */
static void add_row(rows *r, row new_row)
{
    int64_t divisor = 0;
    for (int d = 0; d < r->loops; d++)
        divisor = common_divisor(divisor, magnitude(new_row.c[d]));
    if (divisor == 0) {
        r->impossible |= new_row.constant < 0;
        return;
    }
    new_row.constant = floor_divide(new_row.constant, divisor);
    bool good = magnitude(new_row.constant) <= largest && r->count < MOST_ROWS;
    for (int d = 0; d < r->loops; d++) {
        new_row.c[d] /= divisor;
        good = good && magnitude(new_row.c[d]) <= largest;
    }
    if (good)
        r->row[r->count++] = new_row;
    else
        r->unsure = true;
}

static row row_of(const nh_loop *loop, int loops, nh_affine a)
{
    row out = {.constant = a.constant};
    for (int d = 0; d < loops; d++)
        if (loop[d].index >= 0)
            out.c[d] = nh_affine_factor(a, loop[d].index);
    return out;
}

/* Replaces all rows with x_d by their positive combinations without it. */
static void eliminate(rows *r, int d)
{
    static const row zero;
    rows old = *r;
    r->count = 0;
    for (int i = 0; i < old.count; i++)
        if (old.row[i].c[d] == 0)
            r->row[r->count++] = old.row[i];
    for (int i = 0; i < old.count && !r->impossible && !r->unsure; i++) {
        for (int j = 0; old.row[i].c[d] > 0 && j < old.count; j++) {
            if (old.row[j].c[d] >= 0)
                continue;
            int64_t up = old.row[i].c[d], down = -old.row[j].c[d];
            row sum = zero;
            for (int k = 0; k < r->loops; k++)
                sum.c[k] = down * old.row[i].c[k] + up * old.row[j].c[k];
            sum.constant = down * old.row[i].constant + up * old.row[j].constant;
            add_row(r, sum);
        }
    }
}

/* Does the nest have any round, in which the condition, if there is one, is ≥ 0? Exact where the coefficients of an
 * elimination are 1 or -1, as in all usual subscripts; otherwise it may answer yes although there is none. */
static bool possible(const nh_loop *loop, int loops, const nh_affine *condition)
{
    rows r = {.count = 0, .loops = loops};
    for (int d = 0; d < loops; d++) {
        if (loop[d].index < 0)
            continue;
        row low = {.constant = 0}, high = row_of(loop, loops, loop[d].count);
        low.c[d] = 1;
        high.c[d] -= 1;
        high.constant -= 1;
        add_row(&r, low);
        add_row(&r, high);
    }
    if (condition)
        add_row(&r, row_of(loop, loops, *condition));
    for (int d = loops - 1; d >= 0 && !r.impossible && !r.unsure; d--)
        eliminate(&r, d);
    return !r.impossible;
}

bool nh_nest_runs(const nh_loop *loop, int loops)
{
    bool fixed = true;
    for (int d = 0; d < loops; d++)
        fixed = fixed && (loop[d].index < 0 || (loop[d].count.terms == 0 && loop[d].count.constant > 0));
    return fixed || possible(loop, loops, NULL);
}

/* The largest value of sign·a with every index at one of its ends. */
static bool extreme(const nh_loop *loop, int loops, nh_affine a, int sign, int64_t *value)
{
    row sum = row_of(loop, loops, a);
    for (int d = loops - 1; d >= 0; d--) {
        int64_t factor = sum.c[d];
        if (factor * sign <= 0)
            continue; /* the index is best at 0 */
        row end = row_of(loop, loops, loop[d].count);
        for (int k = 0; k < d; k++) {
            sum.c[k] += factor * end.c[k];
            if (magnitude(sum.c[k]) > largest)
                return false;
        }
        sum.constant += factor * (end.constant - 1);
        if (magnitude(sum.constant) > largest * largest / 2)
            return false;
    }
    *value = sum.constant;
    return true;
}

bool nh_nest_bounds(const nh_loop *loop, int loops, nh_affine a, int64_t *low, int64_t *high)
{
    return extreme(loop, loops, a, -1, low) && extreme(loop, loops, a, 1, high);
}

/* The largest value ≥ `from` that sign·a has, given that it has one and that none is above `to`. */
static int64_t farthest(const nh_loop *loop, int loops, nh_affine a, int64_t from, int64_t to)
{
    while (from < to) {
        int64_t middle = from + (to - from + 1) / 2;
        nh_affine above;
        bool reached = nh_affine_add(a, nh_affine_constant(-middle), &above) && possible(loop, loops, &above);
        from = reached ? middle : from;
        to = reached ? to : middle - 1;
    }
    return from;
}

/* Does sign·a exceed the limit in any round? */
static bool exceeds(const nh_loop *loop, int loops, nh_affine a, int sign, int64_t limit, int64_t *reached)
{
    int64_t most = largest;
    bool known = extreme(loop, loops, a, sign, &most);
    if (known && sign * most <= limit)
        return false;
    nh_affine scaled = a, above;
    if (!nh_affine_scale(a, sign, &scaled) || magnitude(limit) >= largest ||
        !nh_affine_add(scaled, nh_affine_constant(-(limit + 1)), &above)) {
        *reached = known ? most : sign * largest;
        return true;
    }
    if (!possible(loop, loops, &above))
        return false;
    int64_t top = known && sign * most < largest ? sign * most : largest - 1;
    *reached = sign * farthest(loop, loops, scaled, limit + 1, top);
    return true;
}

bool nh_nest_inside(const nh_loop *loop, int loops, nh_affine a, int64_t low, int64_t high, int64_t *reached)
{
    if (a.terms == 0 && a.constant >= low && a.constant <= high)
        return true;
    return !exceeds(loop, loops, a, 1, high, reached) && !exceeds(loop, loops, a, -1, -low, reached);
}
