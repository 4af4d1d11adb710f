/* SPDX-License-Identifier: MIT */
/* Sine and cosine, one at a time. */
#include "base/real.h"
#include "expr/math.h"

#include <math.h>

#define NH_CIRCULAR NH_INLINE
#include "base/angle.h" /* after what it is made of */

double nh_sin_1(double x)
{
    return nh_sin(x);
}

double nh_cos_1(double x)
{
    return nh_cos(x);
}
