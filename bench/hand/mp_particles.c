/* SPDX-License-Identifier: MIT */
/* The derived functions of McLachlan and Perlmutter's particles, m = 3, as one would write them by hand: the limit for
 * generated code. Compiled like generated code, with the same signature. */
enum { N = 7, Q = 2, V = 3, LAMBDA = 4 };

void nh_f1(const double *c, const double *const *x, double *restrict y) /* L_v */
{
    const double *v = x[V];
    for (int i = 0; i < N; i++)
        y[i] = v[i];
}

void nh_f2(const double *c, const double *const *x, double *restrict y) /* L_q */
{
    const double *q = x[Q];
    double s1 = q[1] * q[1], s2 = q[2] * q[2], s3 = q[3] * q[3], s4 = q[4] * q[4], s5 = q[5] * q[5], s6 = q[6] * q[6];
    y[0] = -q[0];
    y[1] = -q[1] * (1 + s4);
    y[2] = -q[2] * (1 + s5);
    y[3] = -q[3] * (1 + s6);
    y[4] = -q[4] * (1 + s1 + s5);
    y[5] = -q[5] * (1 + s2 + s4);
    y[6] = -q[6] * (1 + s3);
}

void nh_f3(const double *c, const double *const *x, double *restrict y) /* k */
{
    const double *q = x[Q];
    const double *v = x[V];
    y[0] = (v[0] + q[1] * v[4]) + (q[2] * v[5] + q[3] * v[6]);
}

void nh_f4(const double *c, const double *const *x, double *restrict y) /* K */
{
    const double *q = x[Q];
    y[0] = 1;
    y[1] = y[2] = y[3] = 0;
    y[4] = q[1];
    y[5] = q[2];
    y[6] = q[3];
}

void nh_f5(const double *c, const double *const *x, double *restrict y) /* K^T lambda */
{
    const double *q = x[Q];
    const double *lambda = x[LAMBDA];
    y[0] = lambda[0];
    y[1] = y[2] = y[3] = 0;
    y[4] = q[1] * lambda[0];
    y[5] = q[2] * lambda[0];
    y[6] = q[3] * lambda[0];
}

void nh_f6(const double *c, const double *const *x, double *restrict y) /* L_vv */
{
    for (int i = 0; i < N * N; i++)
        y[i] = 0;
    for (int i = 0; i < N; i++)
        y[i * (N + 1)] = 1;
}

void nh_f7(const double *c, const double *const *x, double *restrict y) /* L_qq */
{
    const double *q = x[Q];
    for (int i = 0; i < N * N; i++)
        y[i] = 0;
    double s1 = q[1] * q[1], s2 = q[2] * q[2], s3 = q[3] * q[3], s4 = q[4] * q[4], s5 = q[5] * q[5], s6 = q[6] * q[6];
    const double diagonal[N] = {-1, -1 - s4, -1 - s5, -1 - s6, -1 - s1 - s5, -1 - s2 - s4, -1 - s3};
    for (int i = 0; i < N; i++)
        y[i * (N + 1)] = diagonal[i];
    for (int i = 1; i < 4; i++)
        y[i * N + i + 3] = y[(i + 3) * N + i] = -2 * q[i] * q[i + 3];
    y[4 * N + 5] = y[5 * N + 4] = -2 * q[4] * q[5];
}
