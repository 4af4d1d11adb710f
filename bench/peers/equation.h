/* SPDX-License-Identifier: MIT */
/* The right-hand side, to be inlined. */
#ifndef NH_BENCH_EQUATION_H
#define NH_BENCH_EQUATION_H

#include "peers/peer.h"

static inline void peer_rates(const double *y, double *rate)
{
    const double *q = y, *v = y + PEER_N;
    const double s1 = q[1] * q[1], s2 = q[2] * q[2], s3 = q[3] * q[3];
    const double s4 = q[4] * q[4], s5 = q[5] * q[5], s6 = q[6] * q[6];
    const double f4 = -q[4] * (1 + s1 + s5), f5 = -q[5] * (1 + s2 + s4), f6 = -q[6] * (1 + s3);
    const double turning = v[1] * v[4] + v[2] * v[5] + v[3] * v[6];
    const double lambda = -(-q[0] + q[1] * f4 + q[2] * f5 + q[3] * f6 + turning) / (1 + s1 + s2 + s3);
    for (int i = 0; i < PEER_N; i++)
        rate[i] = v[i];
    rate[7] = lambda - q[0];
    rate[8] = -q[1] * (1 + s4);
    rate[9] = -q[2] * (1 + s5);
    rate[10] = -q[3] * (1 + s6);
    rate[11] = f4 + q[1] * lambda;
    rate[12] = f5 + q[2] * lambda;
    rate[13] = f6 + q[3] * lambda;
}

#endif
