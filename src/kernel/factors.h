/* SPDX-License-Identifier: MIT */
/* Sparse factors L U (sparsity.h), without exchange of rows: where a pivot is zero, or not a number, nothing that comes
 * from them is one, no iteration ends, and the step fails. */

/* G = L U in place, by rows. The diagonal of G becomes that of L^-1, `diagonal` that of U^-1: of the same size if
 * `balanced`, as in nh_point_balance; else that of L is 1. work [count]. */
NH_INLINE void nh_factor_sparse(const nh_factors *of, int balanced, nh_real *G, nh_real *diagonal, nh_real *work)
{
    const int *start = of->LU.start, *column = of->LU.column;
    for (int i = 0; i < of->count; i++) {
        for (int e = start[i]; e < start[i + 1]; e++)
            work[column[e]] = G[e];
        for (int e = start[i]; e < of->diagonal[i]; e++) {
            const int k = column[e];
            const nh_real factor = work[k] * diagonal[k];
            G[e] = factor;
            for (int u = of->diagonal[k] + 1; u < start[k + 1]; u++)
                work[column[u]] -= factor * G[u];
        }
        const nh_real d = work[i], inverse = balanced ? 1 / nh_sqrt(nh_abs(d)) : nh_set(1);
        G[of->diagonal[i]] = inverse;
        diagonal[i] = balanced ? nh_select(d < nh_set(0), -inverse, inverse) : 1 / d;
        for (int e = of->diagonal[i] + 1; e < start[i + 1]; e++)
            G[e] = work[column[e]] * inverse;
    }
}

/* y = L^-1 x, y in the order of the factors; y = U^-1 x, x and y in that order: they may be the same. */
NH_INLINE void nh_lower_sparse(const nh_factors *of, const nh_real *G, const nh_real *x, int stride, nh_real *y)
{
    for (int i = 0; i < of->count; i++) {
        nh_real sum = x[of->order[i] * stride];
        for (int e = of->LU.start[i]; e < of->diagonal[i]; e++)
            sum -= G[e] * y[of->LU.column[e]];
        y[i] = sum * G[of->diagonal[i]];
    }
}
NH_INLINE void nh_upper_sparse(const nh_factors *of, const nh_real *G, const nh_real *diagonal, const nh_real *x,
                               nh_real *y)
{
    for (int i = of->count - 1; i >= 0; i--) {
        nh_real sum = x[i];
        for (int e = of->diagonal[i] + 1; e < of->LU.start[i + 1]; e++)
            sum -= G[e] * y[of->LU.column[e]];
        y[i] = sum * diagonal[i];
    }
}
