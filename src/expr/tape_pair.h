/* SPDX-License-Identifier: MIT */
/* Elementary functions of pairs; called through pointers, so pairs may be passed by value. */
static nh_real call1(const nh_math_row *f, nh_real a)
{
    return f->pair_one ? f->pair_one(a) : (nh_real){f->one(a[0]), f->one(a[1])};
}

static nh_real call2(const nh_math_row *f, nh_real a, nh_real b)
{
    return f->pair_two ? f->pair_two(a, b) : (nh_real){f->two(a[0], b[0]), f->two(a[1], b[1])};
}
#define CALL1 call1
#define CALL2 call2
