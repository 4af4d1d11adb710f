/* SPDX-License-Identifier: MIT */
/* Sine and cosine of nh_real, by + - * alone: the same bits on every processor, in any number of lanes, and in the
 * middle of other work, which goes on meanwhile; both of one angle take hardly longer than one of them. Errors are
 * below 0.9 units in the last place (tests/test_angle.c). Angles that are far away, or very near to a multiple of pi/2
 * that is not 0, are left to the C library. NH_CIRCULAR: NH_INLINE, or what makes functions of their own of both. */

/* x = quarter pi/2 + r + low, but for whole turns, with |r| <= pi/4 or hardly more. */
typedef struct nh_angle {
    nh_real r, low, quarter; /* quarter: -2, -1, 0, 1, 2 */
    nh_mask near;
} nh_angle;

/* The nearest whole number. */
NH_INLINE nh_real nh_whole(nh_real x)
{
    return (x + nh_set(0x1.8p52)) - nh_set(0x1.8p52);
}

/* W. J. Cody and W. Waite (1980): pi/2 in three parts, of which two have so few digits that products with k are exact.
 * So is x less the first one, and what x less both has lost to rounding is found. The third leaves an error of
 * 2^-121 k, which is little beside r. */
NH_INLINE nh_angle nh_angle_of(nh_real x)
{
    const nh_real k = nh_whole(x * nh_set(0x1.45f306dc9c883p-1)), two = k * nh_set(0x1.0b4611a6p-34);
    const nh_real less = x - k * nh_set(0x1.921fb544p+0), r = less - two;
    const nh_mask here = nh_abs(x) <= nh_set(0x1p19);
    return (nh_angle){.r = r,
                      .low = nh_lost(less, -two, r) - k * nh_set(0x1.3198a2e037073p-69),
                      .quarter = k - nh_set(4) * nh_whole(nh_set(0.25) * k),
                      .near = here & (nh_set(0x1p-62) * nh_abs(k) <= nh_abs(r))};
}

/* Polynomials of K. C. Ng (fdlibm, 1993), errors below 2^-58; as sums of pairs, which do not wait for each other. */
NH_INLINE nh_real nh_small_sin(nh_angle a)
{
    const nh_real r = a.r, z = r * r, z2 = z * z;
    const nh_real first = nh_set(-0x1.5555555555549p-3) + z * nh_set(0x1.111111110f8a6p-7);
    const nh_real second = nh_set(-0x1.a01a019c161d5p-13) + z * nh_set(0x1.71de357b1fe7dp-19);
    const nh_real last = nh_set(-0x1.ae5e68a2b9cebp-26) + z * nh_set(0x1.5d93a5acfd57cp-33);
    const nh_real less = nh_set(0.5) * z * a.low - a.low; /* this way round -0 keeps its sign */
    return r - (less - z * r * (first + z2 * (second + z2 * last)));
}
NH_INLINE nh_real nh_small_cos(nh_angle a)
{
    const nh_real r = a.r, z = r * r, z2 = z * z, half = nh_set(0.5) * z, most = 1 - half;
    const nh_real first = nh_set(0x1.555555555554cp-5) + z * nh_set(-0x1.6c16c16c15177p-10);
    const nh_real second = nh_set(0x1.a01a019cb159p-16) + z * nh_set(-0x1.27e4f809c52adp-22);
    const nh_real last = nh_set(0x1.1ee9ebdb4b1c4p-29) + z * nh_set(-0x1.8fae9be8838d4p-37);
    const nh_real less = (r - z * r * nh_set(0x1.5555555555555p-3)) * a.low - ((1 - most) - half);
    return most + (z2 * (first + z2 * (second + z2 * last)) - less);
}

/* The C library's, lane by lane. */
NH_INLINE nh_real nh_far(nh_real x, int cosine)
{
#if NH_LANES > 1
    for (int i = 0; i < NH_LANES; i++)
        x[i] = cosine ? cos(x[i]) : sin(x[i]);
    return x;
#else
    return cosine ? cos(x) : sin(x);
#endif
}

NH_CIRCULAR nh_real nh_sin(nh_real x)
{
    const nh_angle a = nh_angle_of(x);
    const nh_real size = nh_select(nh_abs(a.quarter) == nh_set(1), nh_small_cos(a), nh_small_sin(a));
    const nh_mask back = nh_abs(a.quarter) == nh_set(2);
    const nh_real result = nh_select(back | (a.quarter == nh_set(-1)), -size, size);
    return nh_any(nh_not(a.near)) ? nh_select(a.near, result, nh_far(x, 0)) : result;
}
NH_CIRCULAR nh_real nh_cos(nh_real x)
{
    const nh_angle a = nh_angle_of(x);
    const nh_real size = nh_select(nh_abs(a.quarter) == nh_set(1), nh_small_sin(a), nh_small_cos(a));
    const nh_mask back = nh_abs(a.quarter) == nh_set(2);
    const nh_real result = nh_select(back | (a.quarter == nh_set(1)), -size, size);
    return nh_any(nh_not(a.near)) ? nh_select(a.near, result, nh_far(x, 1)) : result;
}
