/* SPDX-License-Identifier: MIT */
#include "peers/equation.h"

#include <math.h>
#include <string.h>

static double energy(const double *y)
{
    const double *q = y, *v = y + PEER_N;
    double e = q[4] * q[4] * q[5] * q[5];
    for (int i = 0; i < PEER_N; i++)
        e += v[i] * v[i] + q[i] * q[i];
    for (int i = 1; i <= 3; i++)
        e += q[i] * q[i] * q[i + 3] * q[i + 3];
    return e / 2;
}

void peer_start(double *y, peer_audit *audit)
{
    const double start[PEER_SIZE] = {0.5, 0.6, 0.4, 0.2, 1, 1, 1, 0, sqrt(0.75)};
    memcpy(y, start, sizeof start);
    audit->energy_at_start = energy(y);
    audit->energy_error = 0;
}

void peer_look(peer_audit *audit, const double *y)
{
    if (audit->on)
        audit->energy_error = fmax(audit->energy_error, fabs(energy(y) - audit->energy_at_start));
}
