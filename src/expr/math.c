/* SPDX-License-Identifier: MIT */
#include "expr/math.h"

#include <math.h>
#include <stddef.h>

/* Every function that is a call: OWN(name), ONE(name) and TWO(name): of base/angle.h, or by number of arguments. */
#define EACH(OWN, ONE, TWO)                                                                                            \
    OWN(sin)                                                                                                           \
    OWN(cos)                                                                                                           \
    ONE(exp)                                                                                                           \
    ONE(log) ONE(tan) ONE(asin) ONE(acos) ONE(atan) ONE(sinh) ONE(cosh) ONE(tanh) TWO(atan2) TWO(pow)

#if NH_QUAD_IS_FLOAT128
#define QUAD(name)     name##f128
#define QUAD_ONE(name) nh_quad QUAD(name)(nh_quad);
#define QUAD_TWO(name) nh_quad QUAD(name)(nh_quad, nh_quad);
/* clang-format off: a list of declarations; a compiler's headers may hide these functions of glibc */
EACH(QUAD_ONE, QUAD_ONE, QUAD_TWO)
/* clang-format on */
#else
#define QUAD(name) name##l
#endif

#define OWN(name)      [NH_F_##name] = {#name, nh_##name##_1, NULL, nh_##name##_2, NULL, QUAD(name), NULL},
#define LIBM_ONE(name) [NH_F_##name] = {#name, name, NULL, NULL, NULL, QUAD(name), NULL},
#define LIBM_TWO(name) [NH_F_##name] = {#name, NULL, name, NULL, NULL, NULL, QUAD(name)},

static const nh_math libm = {"angle, libm", false, {EACH(OWN, LIBM_ONE, LIBM_TWO)}};

#if NH_HAVE_SLEEF && defined __x86_64__
#define SCALAR(name) Sleef_finz_##name##d1_u10purecfma
#define PAIR(name)   Sleef_finz_##name##d2_u10avx2128
#define DECLARE_NONE(name)
#define DECLARE_ONE(name)                                                                                              \
    double SCALAR(name)(double);                                                                                       \
    nh_pair PAIR(name)(nh_pair);
#define DECLARE_TWO(name)                                                                                              \
    double SCALAR(name)(double, double);                                                                               \
    nh_pair PAIR(name)(nh_pair, nh_pair);
/* clang-format off: declared here because sleef.h takes half a second to read */
EACH(DECLARE_NONE, DECLARE_ONE, DECLARE_TWO)
/* clang-format on */
#define SLEEF_ONE(name) [NH_F_##name] = {#name, SCALAR(name), NULL, PAIR(name), NULL, QUAD(name), NULL},
#define SLEEF_TWO(name) [NH_F_##name] = {#name, NULL, SCALAR(name), NULL, PAIR(name), NULL, QUAD(name)},

static const nh_math sleef = {"angle, sleef-finz", true, {EACH(OWN, SLEEF_ONE, SLEEF_TWO)}};

const nh_math *nh_math_get(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? &sleef : &libm;
}
#else
const nh_math *nh_math_get(void)
{
    return &libm;
}
#endif
