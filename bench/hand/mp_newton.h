/* SPDX-License-Identifier: MIT */
/* The same step by Newton's method, as for any K: dense rows and their derivatives, the exact Jacobian, a factorisation
 * with pivots, to round-off. `m` is a constant of the compiler or known at run time only. */
enum { M_MAX = 4 };

typedef struct newton_work {
    double K[M_MAX][HAND_N], K1[M_MAX][HAND_N], slope[M_MAX][HAND_N], J[M_MAX][M_MAX], r[M_MAX], mu[M_MAX];
    double free[HAND_N], v1[HAND_N], q1[HAND_N];
} newton_work;

INLINE void rows_at(const double *q, double K[][HAND_N])
{
    const double row[HAND_N] = {1, 0, 0, 0, q[1], q[2], q[3]};
    memcpy(K[0], row, sizeof row);
}

INLINE void slopes_at(const double *v, double slope[][HAND_N]) /* of K v along q */
{
    const double row[HAND_N] = {0, v[4], v[5], v[6], 0, 0, 0};
    memcpy(slope[0], row, sizeof row);
}

INLINE void swap(double *a, double *b)
{
    const double t = *a;
    *a = *b;
    *b = t;
}

INLINE void solve(int m, double A[][M_MAX], double *b)
{
    for (int k = 0; k < m; k++) {
        int pivot = k;
        for (int i = k + 1; i < m; i++)
            if (fabs(A[i][k]) > fabs(A[pivot][k]))
                pivot = i;
        for (int j = k; j < m && pivot != k; j++)
            swap(&A[k][j], &A[pivot][j]);
        if (pivot != k)
            swap(&b[k], &b[pivot]);
        const double d = 1 / A[k][k];
        for (int i = k + 1; i < m; i++) {
            const double f = A[i][k] * d;
            for (int j = k + 1; j < m; j++)
                A[i][j] -= f * A[k][j];
            b[i] -= f * b[k];
        }
    }
    for (int i = m - 1; i >= 0; i--) {
        for (int j = i + 1; j < m; j++)
            b[i] -= A[i][j] * b[j];
        b[i] /= A[i][i];
    }
}

INLINE void velocities_for(int m, newton_work *w)
{
    for (int i = 0; i < HAND_N; i++)
        w->v1[i] = w->free[i];
    for (int c = 0; c < m; c++)
        for (int i = 0; i < HAND_N; i++)
            w->v1[i] -= w->mu[c] * w->K[c][i];
}

INLINE void linearise(int m, newton_work *w, double half)
{
    rows_at(w->q1, w->K1);
    slopes_at(w->v1, w->slope);
    for (int c = 0; c < m; c++) {
        w->r[c] = 0;
        for (int i = 0; i < HAND_N; i++) {
            w->r[c] += w->K1[c][i] * w->v1[i];
            w->slope[c][i] = w->K1[c][i] + half * w->slope[c][i];
        }
        for (int d = 0; d < m; d++) {
            w->J[c][d] = 0;
            for (int i = 0; i < HAND_N; i++)
                w->J[c][d] += w->slope[c][i] * w->K[d][i];
        }
    }
}

INLINE int newton_step(int m, newton_work *w, double *Q, double *v, double h)
{
    const double f[HAND_N] = {-Q[0],
                              -Q[1] * (1 + Q[4] * Q[4]),
                              -Q[2] * (1 + Q[5] * Q[5]),
                              -Q[3] * (1 + Q[6] * Q[6]),
                              -Q[4] * (1 + Q[1] * Q[1] + Q[5] * Q[5]),
                              -Q[5] * (1 + Q[2] * Q[2] + Q[4] * Q[4]),
                              -Q[6] * (1 + Q[3] * Q[3])};
    int it = 0;
    rows_at(Q, w->K);
    for (int i = 0; i < HAND_N; i++)
        w->free[i] = v[i] + h * f[i];
    for (double change = 1; change > 1e-9 && it < 20; it++) { /* quadratic: the next would be below 1e-18 */
        velocities_for(m, w);
        for (int i = 0; i < HAND_N; i++)
            w->q1[i] = Q[i] + 0.5 * h * w->v1[i];
        linearise(m, w, 0.5 * h);
        solve(m, w->J, w->r);
        change = 0;
        for (int c = 0; c < m; c++) {
            w->mu[c] += w->r[c];
            change = fmax(change, fabs(w->r[c]));
        }
    }
    velocities_for(m, w);
    for (int i = 0; i < HAND_N; i++) {
        v[i] = w->v1[i];
        Q[i] += h * v[i];
    }
    return it;
}
