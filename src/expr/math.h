/* SPDX-License-Identifier: MIT */
/* Where the elementary functions come from. Sine and cosine: base/angle.h. Others: SLEEF's deterministic functions (one
 * result for any number of lanes) where the build has them and the processor has FMA, else the C library, lane by lane.
 * Quad: the C library. */
#ifndef NH_EXPR_MATH_H
#define NH_EXPR_MATH_H

#include "base/quad.h"
#include "expr/function.h"

#include <stdbool.h>

typedef double nh_pair __attribute__((vector_size(16), aligned(8)));

typedef struct nh_math_row {
    const char
        *symbol; /* "sin": the C library's name, and SLEEF's inside Sleef_finz_sind1_u10purecfma; NULL: no call */
    double (*one)(double);
    double (*two)(double, double);
    nh_pair (*pair_one)(nh_pair); /* NULL: call `one` twice */
    nh_pair (*pair_two)(nh_pair, nh_pair);
    nh_quad (*quad_one)(nh_quad);
    nh_quad (*quad_two)(nh_quad, nh_quad);
} nh_math_row;

typedef struct nh_math {
    const char *name; /* "angle, sleef-finz" or "angle, libm": part of the record of a build */
    bool sleef;
    nh_math_row row[NH_FUNCTIONS];
} nh_math;

/* base/angle.h for the tape; called through pointers, so pairs may be passed by value. */
double nh_sin_1(double x);
double nh_cos_1(double x);
nh_pair nh_sin_2(nh_pair x);
nh_pair nh_cos_2(nh_pair x);

/* The source of this process; constant while it runs. */
const nh_math *nh_math_get(void);

#endif
