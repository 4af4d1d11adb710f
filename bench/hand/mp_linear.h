/* SPDX-License-Identifier: MIT */
/* A step of McLachlan and Perlmutter's method (Jay, 7.3), one drift a step: Q is at the half step. The positions in K
 * feel no constraint force here, so K(q1) is known before the multiplier, and one division gives that. Included with
 * NUMBER and NAME defined. */
INLINE void NAME(step)(NUMBER *Q, NUMBER *v, double h)
{
    const double half = 0.5 * h;
    const NUMBER s1 = Q[1] * Q[1], s2 = Q[2] * Q[2], s3 = Q[3] * Q[3];
    const NUMBER s4 = Q[4] * Q[4], s5 = Q[5] * Q[5], s6 = Q[6] * Q[6];
    const NUMBER a0 = v[0] - h * Q[0];
    const NUMBER a4 = v[4] - (h * Q[4]) * (1 + s1 + s5);
    const NUMBER a5 = v[5] - (h * Q[5]) * (1 + s2 + s4);
    const NUMBER a6 = v[6] - (h * Q[6]) * (1 + s3);
    v[1] -= (h * Q[1]) * (1 + s4);
    v[2] -= (h * Q[2]) * (1 + s5);
    v[3] -= (h * Q[3]) * (1 + s6);
    const NUMBER x1 = Q[1] + half * v[1], x2 = Q[2] + half * v[2], x3 = Q[3] + half * v[3];
    const NUMBER mu = ((a0 + x1 * a4) + (x2 * a5 + x3 * a6)) / ((1 + x1 * Q[1]) + (x2 * Q[2] + x3 * Q[3]));
    v[0] = a0 - mu;
    v[4] = a4 - mu * Q[1];
    v[5] = a5 - mu * Q[2];
    v[6] = a6 - mu * Q[3];
    for (int i = 0; i < HAND_N; i++)
        Q[i] += h * v[i];
}

static void NAME(steps)(NUMBER *Q, NUMBER *v, double h, long steps)
{
    NUMBER x[HAND_N], y[HAND_N]; /* stay in registers */
    memcpy(x, Q, sizeof x);
    memcpy(y, v, sizeof y);
    for (long k = 0; k < steps; k++)
        NAME(step)(x, y, h);
    memcpy(Q, x, sizeof x);
    memcpy(v, y, sizeof y);
}
