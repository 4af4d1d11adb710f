/* SPDX-License-Identifier: MIT */
/* Small dense linear algebra over nh_real: one text for every lane, so a row is exchanged by selection, never by a
 * branch. Matrices are flat and row-major. */

/* work [n × 2 n] becomes [* | a^-1], by Gauss's and Jordan's elimination with exchange of rows. */
NH_INLINE void nh_eliminate_unit(int n, const nh_real *a, nh_real *work)
{
    const int columns = 2 * n;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            work[i * columns + j] = a[i * n + j];
            work[i * columns + n + j] = nh_set(i == j ? 1 : 0);
        }
    for (int e = 0; e < n; e++) {
        nh_real *top = work + e * columns;
        for (int i = e + 1; i < n; i++) {
            nh_real *row = work + i * columns;
            const nh_mask larger = nh_abs(row[e]) > nh_abs(top[e]);
            for (int j = e; j < columns; j++) {
                const nh_real x = top[j], y = row[j];
                top[j] = nh_select(larger, y, x);
                row[j] = nh_select(larger, x, y);
            }
        }
        const nh_real pivot = 1 / top[e];
        for (int j = e; j < columns; j++)
            top[j] *= pivot;
        for (int i = 0; i < n; i++) {
            nh_real *row = work + i * columns;
            const nh_real factor = row[e];
            for (int j = e; j < columns && i != e; j++)
                row[j] -= factor * top[j];
        }
    }
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

/* Row r is exchanged for row e if its entry in column e is larger; x are the last numbers of rows. */
NH_INLINE void nh_exchange(NH_CONTEXT, int e, int r, nh_real *a, nh_real *x)
{
    NH_SIZES;
    const int ml = m + l;
    const nh_mask larger = nh_abs(a[r * ml + e]) > nh_abs(a[e * ml + e]);
    NH_EACH (int c = 0; c < ml; c++) {
        if (c < e || !NH_IN_PIVOTED(e, c))
            continue;
        const nh_real here = a[e * ml + c], there = a[r * ml + c];
        a[e * ml + c] = nh_select(larger, there, here);
        a[r * ml + c] = nh_select(larger, here, there);
    }
    const nh_real here = x[e], there = x[r];
    x[e] = nh_select(larger, there, here);
    x[r] = nh_select(larger, here, there);
}

/* x becomes a^-1 x for a matrix [ml × ml] with the entries of D W, by elimination with exchange of rows. */
NH_INLINE void nh_divide_exchanging(NH_CONTEXT, nh_real *a, nh_real *x)
{
    NH_SIZES;
    const int ml = m + l;
    if (ml == 1) { /* one division takes less time than an inverse and a product */
        x[0] = x[0] / a[0];
        return;
    }
    NH_EACH (int e = 0; e < ml; e++) {
        NH_EACH (int r = e + 1; r < ml; r++)
            if (NH_IN_PIVOTED(r, e))
                nh_exchange(NH_PASS, e, r, a, x);
        a[e * ml + e] = 1 / a[e * ml + e];
        NH_EACH (int r = e + 1; r < ml; r++) {
            if (!NH_IN_PIVOTED(r, e))
                continue;
            const nh_real factor = a[r * ml + e] * a[e * ml + e];
            NH_EACH (int c = e + 1; c < ml; c++)
                if (NH_IN_PIVOTED(e, c))
                    a[r * ml + c] -= factor * a[e * ml + c];
            x[r] -= factor * x[e];
        }
    }
    NH_EACH (int r = ml - 1; r >= 0; r--) {
        NH_EACH (int c = r + 1; c < ml; c++)
            if (NH_IN_PIVOTED(r, c))
                x[r] -= a[r * ml + c] * x[c];
        x[r] *= a[r * ml + r];
    }
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
