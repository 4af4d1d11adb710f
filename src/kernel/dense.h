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

/* A symmetric matrix a = L D L^T, by its lower triangle. work [n × n] gets L below the diagonal, L D above it and D^-1
 * on it; what is zero is left alone (NH_IN_MASS, traits.h). Returns where all of D is positive, and so is the matrix.
 */
NH_INLINE nh_mask nh_factor_symmetric(NH_CONTEXT, int n, const nh_real *a, nh_real *work)
{
    nh_mask positive = nh_set(0) < nh_set(1);
    NH_EACH_OF_MASS (int j = 0; j < n; j++)
        NH_EACH_OF_MASS (int i = j; i < n; i++) {
            if (i > j && !NH_IN_MASS(i, j))
                continue;
            nh_real sum = a[i * n + j];
            NH_EACH_OF_MASS (int e = 0; e < j; e++)
                if (NH_IN_MASS(i, e) && NH_IN_MASS(j, e))
                    sum -= work[i * n + e] * work[e * n + j];
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
NH_INLINE void nh_invert_factors(NH_CONTEXT, int n, nh_real *work, nh_real *inverse)
{
    NH_EACH_OF_MASS (int i = 1; i < n; i++)
        NH_EACH_OF_MASS (int j = 0; j < i; j++) {
            if (!NH_IN_MASS(j, i))
                continue;
            nh_real sum = NH_IN_MASS(i, j) ? work[i * n + j] : NH_NOTHING;
            NH_EACH_OF_MASS (int e = j + 1; e < i; e++)
                if (NH_IN_MASS(i, e) && NH_IN_MASS(j, e))
                    sum += work[i * n + e] * work[e * n + j];
            work[i * n + j] = -sum;
        }
    NH_EACH_OF_MASS (int i = 0; i < n; i++)
        NH_EACH_OF_MASS (int j = 0; j < i; j++)
            if (NH_IN_MASS(j, i))
                work[j * n + i] = work[i * n + i] * work[i * n + j];
    NH_EACH_OF_MASS (int i = 0; i < n; i++)
        NH_EACH_OF_MASS (int j = 0; j <= i; j++) {
            if (!NH_IN_INVERSE(i, j))
                continue;
            nh_real sum = i == j ? work[i * n + i] : NH_IN_MASS(j, i) ? work[j * n + i] : NH_NOTHING;
            NH_EACH_OF_MASS (int e = i + 1; e < n; e++)
                if (NH_IN_MASS(i, e) && NH_IN_MASS(j, e))
                    sum += work[e * n + i] * work[j * n + e];
            inverse[i * n + j] = inverse[j * n + i] = sum;
        }
}

/* The inverse of a mass matrix [n × n]; work [2 n²]. As a rule it is positive definite, and no rows are exchanged. */
NH_INLINE void nh_invert_mass(NH_CONTEXT, int n, const nh_real *a, nh_real *inverse, nh_real *work)
{
    const nh_mask other = nh_not(nh_factor_symmetric(NH_PASS, n, a, work));
    nh_invert_factors(NH_PASS, n, work, inverse);
    if (!nh_any(other))
        return;
    nh_eliminate_unit(n, a, work);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if (NH_IN_INVERSE(i, j))
                inverse[i * n + j] = nh_select(other, work[i * 2 * n + n + j], inverse[i * n + j]);
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
