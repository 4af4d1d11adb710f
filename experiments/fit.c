/* SPDX-License-Identifier: MIT */
/* Straight lines by least squares. */
#include "experiments/experiment.h"

double experiment_slope(const double *x, const double *y, unsigned long count)
{
    double mean_x = 0, mean_y = 0, xx = 0, xy = 0;
    for (unsigned long k = 0; k < count; k++) {
        mean_x += x[k] / (double)count;
        mean_y += y[k] / (double)count;
    }
    for (unsigned long k = 0; k < count; k++) {
        xx += (x[k] - mean_x) * (x[k] - mean_x);
        xy += (x[k] - mean_x) * (y[k] - mean_y);
    }
    return xy / xx;
}
