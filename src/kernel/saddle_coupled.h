/* SPDX-License-Identifier: MIT */
/* The saddle-point factor of saddle_sparse.h where L_vv = M couples coordinates in chains: M and the whole matrix
 *     [ M  -C ]
 *     [ D   0 ]
 * are eliminated, each in an order of little fill-in where a constraint comes after all its coordinates. Then no pivot
 * is zero if M is positive definite, C = D^T, and constraints are independent: the first unknowns are some coordinates
 * and constraints with all entries of their rows among these, so that their matrix has the same form and the
 * determinant det M' det(D' M'^-1 D'^T) > 0; a pivot is the ratio of two such.
 *
 * A point keeps, where saddle_sparse.h has
 *     the inverse: entries of M, then its factors, then 1 / pivots;
 *     the lift:    a change of velocity by constraints, then entries of C;
 *     D W = L U:   the factors of the whole matrix. */

#define NH_COUPLED        (k->sparsity->coupled)
#define NH_COUPLED_COUNT  (NH_COUPLED->M.start[n])
#define NH_COUPLED_LU(p)  ((p)->inverse + NH_COUPLED_COUNT)
#define NH_PIVOTS_OF_M(p) (NH_COUPLED_LU(p) + NH_COUPLED->of_M.LU.start[n])

/* Factors of M from its entries; work [n]. */
NH_INLINE void nh_coupled_factor(NH_CONTEXT, const nh_point *p, nh_real *work)
{
    NH_SIZES;
    nh_real *LU = NH_COUPLED_LU(p);
    for (int e = 0; e < NH_COUPLED->of_M.LU.start[n]; e++)
        LU[e] = nh_set(0);
    for (int e = 0; e < NH_COUPLED_COUNT; e++)
        LU[NH_COUPLED->in_M[e]] = p->inverse[e];
    nh_factor_sparse(&NH_COUPLED->of_M, 0, LU, NH_PIVOTS_OF_M(p), work);
}

/* A pivot of a definite M is between 1 / (M^-1)_ii and M_ii, and has their unit. */
NH_INLINE void nh_coupled_weights(NH_CONTEXT, const nh_point *p, nh_real *weight)
{
    NH_SIZES;
    for (int i = 0; i < n; i++)
        weight[NH_COUPLED->of_M.order[i]] = nh_weight(NH_PIVOTS_OF_M(p)[i]);
}

NH_INLINE void nh_coupled_divide(NH_CONTEXT, const nh_point *p, const nh_real *x, int stride, nh_real *y, int y_stride)
{
    NH_SIZES;
    const nh_factors *of = &NH_COUPLED->of_M;
    nh_real *z = p->work + n; /* x may be what is before */
    nh_lower_sparse(of, NH_COUPLED_LU(p), x, stride, z);
    nh_upper_sparse(of, NH_COUPLED_LU(p), NH_PIVOTS_OF_M(p), z, z);
    for (int i = 0; i < n; i++)
        y[of->order[i] * y_stride] = z[i];
}

/* Keeps C; where there is no constraint, nothing else changes velocities. */
NH_INLINE void nh_coupled_columns(NH_CONTEXT, const nh_point *p, const nh_real *C)
{
    NH_SIZES;
    for (int i = 0; i < n; i++)
        p->lift[i] = nh_set(0);
    for (int e = 0; e < k->sparsity->C.start[m + l]; e++)
        p->lift[n + e] = C[e];
}

/* Factors of the whole matrix. */
NH_INLINE void nh_coupled_whole(NH_CONTEXT, const nh_point *p)
{
    NH_SIZES;
    const nh_sparsity *of = k->sparsity;
    for (int e = 0; e < of->factors.LU.start[of->factors.count]; e++)
        p->gram[e] = nh_set(0);
    for (int e = 0; e < NH_COUPLED_COUNT && m + l > 0; e++)
        p->gram[NH_COUPLED->at_M[e]] = p->inverse[e];
    for (int e = 0; e < of->C.start[m + l]; e++)
        p->gram[NH_COUPLED->at_C[e]] = -p->lift[n + e];
    for (int e = 0; e < of->D.start[m + l]; e++)
        p->gram[NH_COUPLED->at_D[e]] = p->rows[e];
    nh_factor_sparse(&of->factors, 0, p->gram, p->diagonal, p->work);
}

/* x becomes mu, and the lift dv, of M dv - C mu = 0, D dv = x. */
NH_INLINE void nh_coupled_solve(NH_CONTEXT, const nh_point *p, nh_real *x)
{
    NH_SIZES;
    const nh_factors *of = &k->sparsity->factors;
    nh_real *right = p->work, *y = p->work + of->count;
    for (int i = 0; i < of->count; i++)
        right[i] = i < n ? nh_set(0) : x[i - n];
    nh_lower_sparse(of, p->gram, right, 1, y);
    nh_upper_sparse(of, p->gram, p->diagonal, y, y);
    for (int i = 0; i < of->count; i++)
        *(of->order[i] < n ? p->lift + of->order[i] : x + of->order[i] - n) = y[i];
}
