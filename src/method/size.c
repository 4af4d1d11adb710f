/* SPDX-License-Identifier: MIT */
#include "method/size.h"

#include "base/status.h"
#include "kernel/traits.h"

#include <limits.h>

/* The longest array of a point, about; and what a step has of vectors. */
static double longest_at_point(const nh_kernel *k)
{
    const double n = k->n, ml = (double)k->m + k->l;
    const double dense = k->traits & NH_MASS_DIAGONAL ? (n + ml) * ml : (n + ml) * (n + ml);
    if (!k->sparsity)
        return dense + 2 * (n + ml);
    const nh_sparsity *S = k->sparsity;
    const int factors = S->factors.LU.start[S->factors.count];
    return (double)S->inverse_size + S->lift_size + factors + S->D.start[k->m + k->l] + 2 * (n + ml);
}

nh_status nh_kernel_check_size(const nh_kernel *k, nh_error *error)
{
    const double blocks = k->s > 4 ? k->s : 4, lanes = 4;
    const double longest = blocks * longest_at_point(k) + k->constants;
    if (longest * lanes < INT_MAX)
        return NH_OK;
    return nh_fail(error, NH_LIMIT,
                   "a step with %d coordinates, %.0f constraints and %d stages has matrices of up to %.3g numbers; "
                   "%.3g are possible: fewer coordinates or stages are needed",
                   k->n, (double)k->m + k->l, k->s, longest, INT_MAX / lanes);
}
