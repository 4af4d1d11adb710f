/* SPDX-License-Identifier: MIT */
/* Elimination, as a text that is compiled once per number type. The file that includes it defines
 *   REAL      the number type;   NAME(f)   the name of a function for it;   MAGNITUDE(x)   the absolute value. */

static void NAME(swap)(REAL *a, REAL *b, int count)
{
    for (int i = 0; i < count; i++) {
        REAL x = a[i];
        a[i] = b[i];
        b[i] = x;
    }
}

bool NAME(nh_lu)(REAL *a, int n, int *pivot)
{
    size_t N = (size_t)n;
    for (size_t k = 0; k < N; k++) {
        size_t p = k;
        for (size_t i = k + 1; i < N; i++)
            if (MAGNITUDE(a[i * N + k]) > MAGNITUDE(a[p * N + k]))
                p = i;
        REAL top = a[p * N + k];
        pivot[k] = (int)p;
        if (!(MAGNITUDE(top) > 0) || top - top != 0)
            return false;
        if (p != k)
            NAME(swap)(a + p * N, a + k * N, n);
        for (size_t i = k + 1; i < N; i++) {
            REAL factor = a[i * N + k] / top;
            a[i * N + k] = factor;
            if (factor != 0) /* many matrices are mostly zeros */
                for (size_t j = k + 1; j < N; j++)
                    a[i * N + j] -= factor * a[k * N + j];
        }
    }
    return true;
}

void NAME(nh_lu_solve)(const REAL *lu, int n, const int *pivot, REAL *b)
{
    size_t N = (size_t)n;
    for (int k = 0; k < n; k++)
        NAME(swap)(&b[k], &b[pivot[k]], pivot[k] != k);
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < i; j++)
            b[i] -= lu[i * N + j] * b[j];
    for (size_t i = N; i-- > 0;) {
        for (size_t j = i + 1; j < N; j++)
            b[i] -= lu[i * N + j] * b[j];
        b[i] /= lu[i * N + i];
    }
}

void NAME(nh_lu_solve_transposed)(const REAL *lu, int n, const int *pivot, REAL *b)
{
    size_t N = (size_t)n;
    for (size_t i = 0; i < N; i++) {
        b[i] /= lu[i * N + i];
        for (size_t j = i + 1; j < N; j++)
            b[j] -= lu[i * N + j] * b[i];
    }
    for (size_t i = N; i-- > 0;)
        for (size_t j = 0; j < i; j++)
            b[j] -= lu[i * N + j] * b[i];
    for (int k = n - 1; k >= 0; k--)
        NAME(swap)(&b[k], &b[pivot[k]], pivot[k] != k);
}

/* Brings the largest entry of what is left to place (k, k). */
static REAL NAME(bring)(REAL *a, int rows, int columns, int k, int *row, int *column)
{
    size_t C = (size_t)columns;
    int r = k, c = k;
    REAL best = -1;
    for (int i = k; i < rows; i++)
        for (int j = k; j < columns; j++) {
            REAL size = MAGNITUDE(a[(size_t)i * C + (size_t)j]);
            if (size > best) {
                best = size;
                r = i;
                c = j;
            }
        }
    if (r != k)
        NAME(swap)(a + (size_t)r * C, a + (size_t)k * C, columns);
    for (int i = 0; i < rows && c != k; i++)
        NAME(swap)(&a[(size_t)i * C + (size_t)k], &a[(size_t)i * C + (size_t)c], 1);
    if (row)
        exchange(&row[k], &row[r]);
    if (column)
        exchange(&column[k], &column[c]);
    return best;
}

int NAME(nh_eliminate)(REAL *a, int rows, int columns, double zero, int *row, int *column, double *gap)
{
    size_t C = (size_t)columns;
    count_up(row, rows);
    count_up(column, columns);
    int rank = 0;
    REAL first = 0;
    if (gap)
        *gap = 1;
    for (int k = 0; k < rows && k < columns; k++) {
        REAL size = NAME(bring)(a, rows, columns, k, row, column);
        first = k ? first : size;
        if (!(size > first * (REAL)zero) || !(size > 0))
            break;
        if (gap)
            *gap = (double)(size / first);
        rank++;
        for (size_t i = (size_t)k + 1; i < (size_t)rows; i++) {
            REAL factor = a[i * C + (size_t)k] / a[(size_t)k * C + (size_t)k];
            for (size_t j = (size_t)k; factor != 0 && j < C; j++)
                a[i * C + j] -= factor * a[(size_t)k * C + j];
        }
    }
    return rank;
}
