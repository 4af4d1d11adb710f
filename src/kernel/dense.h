/* SPDX-License-Identifier: MIT */
/* Small dense linear algebra over nh_real: one text for every lane, so a row is exchanged by selection, never by a
 * branch. Matrices are flat and row-major. */

/* [A | B] with n rows becomes [* | A^-1 B]: elimination with exchange of rows. Pivots leave their inverses. */
NH_INLINE void nh_eliminate(int n, int columns, nh_real *a)
{
    for (int k = 0; k < n; k++) {
        nh_real *top = a + k * columns;
        for (int i = k + 1; i < n; i++) {
            nh_real *row = a + i * columns;
            const nh_mask larger = nh_abs(row[k]) > nh_abs(top[k]);
            for (int j = k; j < columns; j++) {
                const nh_real x = top[j], y = row[j];
                top[j] = nh_select(larger, y, x);
                row[j] = nh_select(larger, x, y);
            }
        }
        const nh_real pivot = 1 / top[k];
        for (int i = k + 1; i < n; i++) {
            nh_real *row = a + i * columns;
            const nh_real factor = row[k] * pivot;
            for (int j = k + 1; j < columns; j++)
                row[j] -= factor * top[j];
        }
        top[k] = pivot;
    }
    for (int k = n - 1; k >= 0; k--) {
        const nh_real pivot = a[k * columns + k];
        for (int j = n; j < columns; j++) {
            nh_real x = a[k * columns + j];
            for (int i = k + 1; i < n; i++)
                x -= a[k * columns + i] * a[i * columns + j];
            a[k * columns + j] = x * pivot;
        }
    }
}

/* work [n × 2 n] becomes [* | a^-1]. */
NH_INLINE void nh_eliminate_unit(int n, const nh_real *a, nh_real *work)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            work[i * 2 * n + j] = a[i * n + j];
            work[i * 2 * n + n + j] = nh_set(i == j ? 1 : 0);
        }
    nh_eliminate(n, 2 * n, work);
}

/* The inverse of a [n × n] into `inverse`; work [2 n²]. */
NH_INLINE void nh_invert(int n, const nh_real *a, nh_real *inverse, nh_real *work)
{
    nh_eliminate_unit(n, a, work);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            inverse[i * n + j] = work[i * 2 * n + n + j];
}

/* A symmetric matrix a = L D L^T, by its lower triangle. work [n × n] gets L below the diagonal, L D above it and D^-1
 * on it. Returns where all of D is positive, and so is the matrix. */
NH_INLINE nh_mask nh_factor_symmetric(int n, const nh_real *a, nh_real *work)
{
    nh_mask positive = nh_set(0) < nh_set(1);
    for (int j = 0; j < n; j++)
        for (int i = j; i < n; i++) {
            nh_real sum = a[i * n + j];
            for (int k = 0; k < j; k++)
                sum -= work[i * n + k] * work[k * n + j];
            if (i == j) {
                positive = positive & (nh_set(0) < sum);
                work[j * n + j] = 1 / sum;
            } else {
                work[j * n + i] = sum;
                work[i * n + j] = sum * work[j * n + j];
            }
        }
    return positive;
}

/* a^-1 = L^-T D^-1 L^-1 from these factors; L becomes L^-1, L D what is D^-1 L^-1. */
NH_INLINE void nh_invert_factors(int n, nh_real *work, nh_real *inverse)
{
    for (int i = 1; i < n; i++)
        for (int j = 0; j < i; j++) {
            nh_real sum = work[i * n + j];
            for (int k = j + 1; k < i; k++)
                sum += work[i * n + k] * work[k * n + j];
            work[i * n + j] = -sum;
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            work[j * n + i] = work[i * n + i] * work[i * n + j];
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            nh_real sum = i == j ? work[i * n + i] : work[j * n + i];
            for (int k = i + 1; k < n; k++)
                sum += work[k * n + i] * work[j * n + k];
            inverse[i * n + j] = inverse[j * n + i] = sum;
        }
}

/* The inverse of a mass matrix [n × n]; work [2 n²]. As a rule it is positive definite, and no rows are exchanged. */
NH_INLINE void nh_invert_mass(int n, const nh_real *a, nh_real *inverse, nh_real *work)
{
    const nh_mask other = nh_not(nh_factor_symmetric(n, a, work));
    nh_invert_factors(n, work, inverse);
    if (!nh_any(other))
        return;
    nh_eliminate_unit(n, a, work);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            inverse[i * n + j] = nh_select(other, work[i * 2 * n + n + j], inverse[i * n + j]);
}

/* G = L U in place, balanced: the diagonals of L and U have the same size, and L U' of two matrices that are near each
 * other is near both. For a positive definite G this is its Cholesky factor. The diagonal of G becomes that of L^-1,
 * `diagonal` [m] that of U^-1. There is no exchange of rows: where that fails, the iteration does, and says so. */
NH_INLINE void nh_balance(int m, nh_real *G, nh_real *diagonal)
{
    for (int k = 0; k < m; k++) {
        const nh_real d = G[k * m + k], inverse = 1 / nh_sqrt(nh_abs(d));
        const nh_real other = nh_select(d < nh_set(0), -inverse, inverse);
        G[k * m + k] = inverse;
        diagonal[k] = other;
        for (int i = k + 1; i < m; i++) {
            G[i * m + k] *= other;
            G[k * m + i] *= inverse;
        }
        for (int i = k + 1; i < m; i++)
            for (int j = k + 1; j < m; j++)
                G[i * m + j] -= G[i * m + k] * G[k * m + j];
    }
}

/* x becomes L^-1 x, or U^-1 x, for the factors of nh_balance. */
NH_INLINE void nh_solve_lower(int m, const nh_real *G, nh_real *x)
{
    for (int i = 0; i < m; i++) {
        nh_real sum = x[i];
        for (int j = 0; j < i; j++)
            sum -= G[i * m + j] * x[j];
        x[i] = sum * G[i * m + i];
    }
}
NH_INLINE void nh_solve_upper(int m, const nh_real *G, const nh_real *diagonal, nh_real *x)
{
    for (int i = m - 1; i >= 0; i--) {
        nh_real sum = x[i];
        for (int j = i + 1; j < m; j++)
            sum -= G[i * m + j] * x[j];
        x[i] = sum * diagonal[i];
    }
}

/* y = A x of a rows × columns matrix. */
NH_INLINE void nh_multiply(int rows, int columns, const nh_real *A, const nh_real *x, nh_real *y)
{
    for (int i = 0; i < rows; i++) {
        nh_real sum = columns > 0 ? A[i * columns] * x[0] : nh_set(0);
        for (int j = 1; j < columns; j++)
            sum += A[i * columns + j] * x[j];
        y[i] = sum;
    }
}

/* What rounding loses in sum = a + b (Knuth; whichever of a and b is larger). */
NH_INLINE nh_real nh_lost(nh_real a, nh_real b, nh_real sum)
{
    const nh_real part = sum - a;
    return (a - (sum - part)) + (b - part);
}

/* x without its last digits: a multiple of the last place of `grid`. */
#define NH_SNAP(x, grid) (((x) + (grid)) - (grid))

/* sum + low gains (h + h_tail) (slope + rest), without rounding errors that matter: the product of heads is exact. */
NH_INLINE void nh_gain(nh_real h, nh_real h_tail, nh_real slope, nh_real rest, nh_real *sum, nh_real *low)
{
    const nh_real head = NH_SNAP(slope, NH_SLOPE_GRID * slope), major = h * head;
    const nh_real minor = (h * (slope - head) + h_tail * slope) + ((h + h_tail) * rest + *low);
    const nh_real near = *sum + major, small = minor + nh_lost(*sum, major, near), new = near + small;
    *low = nh_lost(near, small, new);
    *sum = new;
}
