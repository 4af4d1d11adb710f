/* SPDX-License-Identifier: MIT */
#ifndef NH_ENSEMBLE_STATISTICS_H
#define NH_ENSEMBLE_STATISTICS_H

#include <nonholo/ensemble.h>

/* Of those values that are numbers, in their order; room [count]. Allocates nothing. */
void nh_statistics_of(const double *values, long long count, double *room, nh_statistics *out);
/* Linear from a to b, whose difference need not be finite; of infinities nothing is in a value at the other end. */
double nh_between(double a, double b, double fraction);

#endif
