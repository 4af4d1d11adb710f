/* SPDX-License-Identifier: MIT */
/* Sine and cosine of pairs. */
#define NH_LANES 2
#include "base/real.h"
#include "expr/math.h"

#include <math.h>

#define NH_CIRCULAR NH_INLINE
#include "base/angle.h" /* after what it is made of */

nh_pair nh_sin_2(nh_pair x)
{
    return nh_sin(x);
}

nh_pair nh_cos_2(nh_pair x)
{
    return nh_cos(x);
}
