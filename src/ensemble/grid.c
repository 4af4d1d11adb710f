/* SPDX-License-Identifier: MIT */
/* The points of a grid: what one would type in for them. */
#include "base/fraction.h"
#include "ensemble/plan.h"

#include <string.h>

static bool read_fraction(const char *text, nh_number *out)
{
    nh_fraction x;
    return nh_fraction_parse(text, strlen(text), &x) && nh_number_div(x.top, x.bottom, out) &&
           (!x.negative || nh_number_mul(*out, nh_number_integer(-1), out));
}

/* Fractions are brought to one denominator: sums of the numerators are exact, and a point is rounded
 * once. Returns the denominator. */
static nh_quad make_whole(const char *const text[2], nh_quad end[2])
{
    nh_number a, b;
    if (!read_fraction(text[0], &a) || !read_fraction(text[1], &b))
        return 1;
    end[0] = (nh_quad)a.num * (nh_quad)b.den;
    end[1] = (nh_quad)b.num * (nh_quad)a.den;
    return (nh_quad)a.den * (nh_quad)b.den;
}

static nh_quad larger(nh_quad a, nh_quad b)
{
    a = nh_quad_abs(a);
    b = nh_quad_abs(b);
    return a > b ? a : b;
}

void nh_grid_points(const char *const text[2], const nh_quad end[2], long long count, nh_quad *out)
{
    const nh_quad rounding = NH_QUAD_IS_FLOAT128 ? (nh_quad)1e-30 : (nh_quad)1e-17, steps = (nh_quad)(count - 1);
    nh_quad whole[2] = {end[0], end[1]};
    const nh_quad unit = make_whole(text, whole), least = rounding * larger(whole[0], whole[1]) * steps;
    for (long long i = 1; i < count - 1; i++) {
        const nh_quad sum = whole[0] * (steps - (nh_quad)i) + whole[1] * (nh_quad)i;
        out[i] = nh_quad_abs(sum) <= least ? 0 : sum / (unit * steps);
    }
    out[0] = end[0];
    out[count - 1] = end[1];
}
