/* SPDX-License-Identifier: MIT */
/* The number type of numerical code that is written once: a double, NH_LANES doubles side by side, or a quad.
 * Also the first part of every generated source, so it includes nothing, and may come twice there, for two widths under
 * two sets of names. The compiler extensions of the project's arithmetic are here and nowhere else. No function takes
 * or returns a vector unless it is inlined. A mask is true where none of its bits, or all of them, are meant: nh_any,
 * nh_not, & and | are all that is done with it. */
#ifndef NH_LANES
#define NH_LANES 1
#endif
#define NH_ALWAYS_INLINE static inline __attribute__((always_inline, unused))
#define NH_INLINE        NH_ALWAYS_INLINE

#if NH_LANES > 1
typedef double nh_real __attribute__((vector_size(8 * NH_LANES), aligned(8)));
typedef long long nh_mask __attribute__((vector_size(8 * NH_LANES), aligned(8)));

NH_INLINE nh_real nh_set(double x)
{
    return x - (nh_real){0};
}
NH_INLINE nh_real nh_select(nh_mask m, nh_real a, nh_real b)
{
#if NH_LANES == 4 && defined(__AVX__)
    return __builtin_ia32_blendvpd256(b, a, (nh_real)m);
#else
    return (nh_real)((m & (nh_mask)a) | (~m & (nh_mask)b));
#endif
}
NH_INLINE nh_real nh_abs(nh_real x)
{
    return (nh_real)((nh_mask)x & 0x7fffffffffffffffLL);
}
NH_INLINE nh_real nh_sqrt(nh_real x)
{
#if NH_LANES == 8 && defined(__AVX512DQ__) && !defined(__clang__)
    return __builtin_ia32_sqrtpd512_mask(x, x, -1, 4); /* all lanes, rounded as everything is */
#elif NH_LANES == 4 && defined(__AVX__) && !defined(__clang__)
    return __builtin_ia32_sqrtpd256(x);
#elif NH_LANES == 2 && defined(__SSE2__) && !defined(__clang__)
    return __builtin_ia32_sqrtpd(x);
#else /* clang makes one instruction of it; gcc does not while it may not vectorise */
    for (int l = 0; l < NH_LANES; l++)
        x[l] = __builtin_sqrt(x[l]);
    return x;
#endif
}
NH_INLINE nh_mask nh_not(nh_mask m)
{
    return ~m;
}
NH_INLINE int nh_any(nh_mask m)
{
#if NH_LANES == 8 && defined(__AVX512DQ__)
    return __builtin_ia32_cvtq2mask512(m) != 0;
#elif NH_LANES == 4 && defined(__AVX__)
    return __builtin_ia32_movmskpd256((nh_real)m) != 0;
#elif NH_LANES == 2 && defined(__SSE2__)
    return __builtin_ia32_movmskpd((nh_real)m) != 0;
#else
    long long any = 0;
    for (int l = 0; l < NH_LANES; l++)
        any |= m[l];
    return any != 0;
#endif
}
NH_INLINE double nh_least(nh_real x)
{
    double least = x[0];
    for (int l = 1; l < NH_LANES; l++)
        least = x[l] < least ? x[l] : least;
    return least;
}
#else
#ifdef NH_QUAD
typedef nh_quad nh_real;
#else
typedef double nh_real;
#endif
typedef int nh_mask;

NH_INLINE nh_real nh_set(nh_real x)
{
    return x;
}
NH_INLINE nh_real nh_select(nh_mask m, nh_real a, nh_real b)
{
    return m ? a : b;
}
NH_INLINE nh_real nh_abs(nh_real x)
{
#ifdef NH_QUAD
    return nh_quad_abs(x);
#else
    return __builtin_fabs(x);
#endif
}
NH_INLINE nh_real nh_sqrt(nh_real x)
{
#ifdef NH_QUAD
    return nh_quad_sqrt(x);
#else
    return __builtin_sqrt(x);
#endif
}
NH_INLINE nh_mask nh_not(nh_mask m)
{
    return !m;
}
NH_INLINE int nh_any(nh_mask m)
{
    return m;
}
NH_INLINE double nh_least(nh_real x)
{
    return (double)x;
}
#endif

NH_INLINE nh_real nh_min(nh_real a, nh_real b)
{
    return nh_select(a < b, a, b);
}
NH_INLINE nh_real nh_max(nh_real a, nh_real b)
{
    return nh_select(b < a, a, b);
}
NH_INLINE nh_real nh_less(nh_real a, nh_real b)
{
    return nh_select(a < b, nh_set(1), nh_set(0));
}
NH_INLINE nh_real nh_sign(nh_real a)
{
    return nh_select(nh_set(0) < a, nh_set(1), nh_select(a < nh_set(0), nh_set(-1), nh_set(0)));
}

/* A sum of nothing: x + -0 is x, whatever x is, and compilers know it. */
#define NH_NOTHING nh_set(-0.0)

/* What rounding loses in sum = a + b (Knuth; whichever of a and b is larger). */
NH_INLINE nh_real nh_lost(nh_real a, nh_real b, nh_real sum)
{
    const nh_real part = sum - a;
    return (a - (sum - part)) + (b - part);
}
