/* SPDX-License-Identifier: MIT */
/* The right-hand sides, to be inlined. */
#ifndef NH_BENCH_EQUATIONS_H
#define NH_BENCH_EQUATIONS_H

#include "peers/peer.h"

#include <math.h>

/* McLachlan and Perlmutter's particles, m = 3 (Jay, 8.4) */
static inline void particles_rates(const double *y, double *rate)
{
    const double *q = y, *v = y + 7;
    const double s1 = q[1] * q[1], s2 = q[2] * q[2], s3 = q[3] * q[3];
    const double s4 = q[4] * q[4], s5 = q[5] * q[5], s6 = q[6] * q[6];
    const double f4 = -q[4] * (1 + s1 + s5), f5 = -q[5] * (1 + s2 + s4), f6 = -q[6] * (1 + s3);
    const double turning = v[1] * v[4] + v[2] * v[5] + v[3] * v[6];
    const double lambda = -(-q[0] + q[1] * f4 + q[2] * f5 + q[3] * f6 + turning) / (1 + s1 + s2 + s3);
    for (int i = 0; i < 7; i++)
        rate[i] = v[i];
    rate[7] = lambda - q[0];
    rate[8] = -q[1] * (1 + s4);
    rate[9] = -q[2] * (1 + s5);
    rate[10] = -q[3] * (1 + s6);
    rate[11] = f4 + q[1] * lambda;
    rate[12] = f5 + q[2] * lambda;
    rate[13] = f6 + q[3] * lambda;
}

/* The nonholonomic particle (Jay, 8.1) */
static inline void particle_rates(const double *y, double *rate)
{
    const double lambda = (y[3] * y[4] - 2 * y[0] * y[1]) / (1 + y[1] * y[1]);
    for (int i = 0; i < 3; i++)
        rate[i] = y[3 + i];
    rate[3] = -2 * y[0] - y[1] * lambda;
    rate[4] = -2 * y[1];
    rate[5] = lambda;
}

/* The contact oscillator (Hilden, 4.3) */
static inline void contact_rates(const double *y, double *rate)
{
    const double lambda = (y[0] + y[1] * y[2] - y[4] * y[5]) / (1 + y[1] * y[1]);
    for (int i = 0; i < 3; i++)
        rate[i] = y[3 + i];
    rate[3] = lambda - y[0];
    rate[4] = -y[1];
    rate[5] = lambda * y[1] - y[2];
}

/* The Chaplygin sleigh on an inclined plane (Hilden, 4.2); the inverse of its mass matrix in closed form */
static inline void sleigh_rates(const double *y, double *rate)
{
    const double m = 0.001, a = 0.04, I = 0.01, g = 9.8;
    const double s = sin(y[2]), c = cos(y[2]), turn = y[5];
    const double lambda = (turn * (y[3] * c + y[4] * s) + g * c) / (1 / m + a * a / I);
    const double f0 = m * a * turn * turn * c - lambda * s;
    const double f1 = -m * g + m * a * turn * turn * s + lambda * c;
    const double torque = a * (s * f0 - c * f1) - m * g * a * c;
    for (int i = 0; i < 3; i++)
        rate[i] = y[3 + i];
    rate[3] = f0 / m + a * s * torque / I;
    rate[4] = f1 / m - a * c * torque / I;
    rate[5] = torque / I;
}

#endif
