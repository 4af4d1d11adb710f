/* SPDX-License-Identifier: MIT */
#include "tableau/legendre.h"

/* From p_k and d_(k-1) all the rest. */
static void complete(nh_legendre_walk *w)
{
    const nh_quad k = (nh_quad)w->k;
    const bool odd = w->k % 2 != 0;
    w->difference = (k * w->before - (4 * k + 2) * w->y * w->p) / (k + 1);
    w->value = w->from_left && odd ? -w->p : w->p;
    /* P_(k+1) - P_(k-1) is the sum of the two differences, with the sign of P_(k+1). */
    nh_quad rise = w->difference + w->before;
    w->integral = w->k == 0 ? w->left : (w->from_left && !odd ? -rise : rise) / (4 * k + 2);
}

void nh_legendre_start(nh_legendre_walk *walk, nh_quad left, nh_quad right)
{
    *walk = (nh_legendre_walk){.left = left, .p = 1, .from_left = left <= right};
    walk->y = walk->from_left ? left : right;
    complete(walk);
}

void nh_legendre_next(nh_legendre_walk *walk)
{
    walk->k++;
    walk->p += walk->difference;
    walk->before = walk->difference;
    complete(walk);
}

void nh_legendre(nh_quad left, nh_quad right, int count, nh_quad *value, nh_quad *integral)
{
    nh_legendre_walk walk;
    nh_legendre_start(&walk, left, right);
    for (int k = 0; k < count; k++, nh_legendre_next(&walk)) {
        value[k] = walk.value;
        if (integral)
            integral[k] = walk.integral;
    }
}
