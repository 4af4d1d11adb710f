/* SPDX-License-Identifier: MIT */
#include "tableau/grid.h"

static nh_quad power_of_two(int exponent)
{
    nh_quad x = 1;
    for (; exponent > 0; exponent--)
        x *= 2;
    for (; exponent < 0; exponent++)
        x /= 2;
    return x;
}

nh_units nh_units_nearest(nh_quad x, int bits)
{
    /* Not by adding 1/2 first: that sum would be rounded where x has no digits to spare. */
    nh_quad scaled = nh_quad_abs(x) * power_of_two(bits);
    nh_units units = (nh_units)scaled;
    if (scaled - (nh_quad)units >= (nh_quad)0.5)
        units++;
    return x < 0 ? -units : units;
}

nh_quad nh_units_value(nh_units units, int bits)
{
    return (nh_quad)units * power_of_two(-bits);
}

nh_quad nh_snap(nh_quad x, int bits)
{
    return nh_units_value(nh_units_nearest(x, bits), bits);
}

/* Which of the first `count` is furthest below (sign 1) or above (sign -1) its x. */
static int furthest(const nh_quad *x, const nh_units *units, int count, int bits, int sign)
{
    int best = 0;
    nh_quad most = 0;
    for (int i = 0; i < count; i++) {
        nh_quad off = (nh_quad)sign * (x[i] - nh_units_value(units[i], bits));
        if (i == 0 || off > most) {
            best = i;
            most = off;
        }
    }
    return best;
}

void nh_units_share(const nh_quad *x, int count, int bits, nh_units total, bool mirrored, nh_units *units)
{
    nh_units missing = total;
    for (int i = 0; i < count; i++) {
        units[i] = nh_units_nearest(x[mirrored && 2 * i >= count ? count - 1 - i : i], bits);
        missing -= units[i];
    }
    const int step = mirrored ? 2 : 1, movable = mirrored ? count / 2 : count;
    while (movable > 0 && (missing >= step || missing <= -step)) {
        int sign = missing > 0 ? 1 : -1, i = furthest(x, units, movable, bits, sign);
        units[i] += sign;
        if (mirrored)
            units[count - 1 - i] = units[i];
        missing -= sign * step;
    }
    if (mirrored && count % 2)
        units[count / 2] += missing;
}
