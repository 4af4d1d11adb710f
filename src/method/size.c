/* SPDX-License-Identifier: MIT */
#include "method/size.h"

#include "base/status.h"

#include <limits.h>

nh_status nh_kernel_check_size(const nh_kernel *k, nh_error *error)
{
    const double unknowns = (double)k->n + k->m + k->l, blocks = k->s > 4 ? k->s : 4, lanes = 4;
    const double longest = blocks * unknowns * (unknowns + 2) + k->constants;
    if (longest * lanes < INT_MAX)
        return NH_OK;
    return nh_fail(error, NH_LIMIT,
                   "a step with %d coordinates, %.0f constraints and %d stages has matrices of up to %.3g numbers; "
                   "%.3g are possible: fewer coordinates or stages are needed",
                   k->n, (double)k->m + k->l, k->s, longest, INT_MAX / lanes);
}
