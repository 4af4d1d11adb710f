/* SPDX-License-Identifier: MIT */
/* Dormand and Prince's method of order 8 with Hairer's error estimate and step control. */
#include "clock.h"
#include "peers/dop853_table.h"
#include "peers/equation.h"

#include <math.h>
#include <string.h>

/* Inlined, its stores would be read back before they are done: a third slower. */
static __attribute__((noinline)) void rates(const double *y, double *rate)
{
    peer_rates(y, rate);
}

enum { STAGES = 12, PADDED = 16 };

typedef struct dop853 {
    _Alignas(64) double k[STAGES][PADDED];
    _Alignas(64) double y[PADDED];
    _Alignas(64) double y1[PADDED];
    double tolerance;
} dop853;

static __attribute__((noinline)) void stages(dop853 *d, double h)
{
    _Alignas(64) double z[PADDED];
#pragma GCC unroll 12
    for (int s = 1; s < STAGES; s++) {
        for (int i = 0; i < PADDED; i++)
            z[i] = 0;
#pragma GCC unroll 12
        for (int j = 0; j < s; j++)
            if (A[s][j] != 0)
                for (int i = 0; i < PADDED; i++)
                    z[i] += A[s][j] * d->k[j][i];
        for (int i = 0; i < PADDED; i++)
            z[i] = d->y[i] + h * z[i];
        rates(z, d->k[s]);
    }
}

/* y1, and the estimated error in units of the tolerance. */
static __attribute__((noinline)) double finish(dop853 *d, double h)
{
    _Alignas(64) double z[PADDED] = {0}, fifth[PADDED] = {0}, third[PADDED] = {0};
#pragma GCC unroll 12
    for (int j = 0; j < STAGES; j++)
        for (int i = 0; i < PADDED; i++) {
            z[i] += B[j] * d->k[j][i];
            fifth[i] += E5[j] * d->k[j][i];
            third[i] += E3[j] * d->k[j][i];
        }
    double e5 = 0, e3 = 0;
    for (int i = 0; i < PEER_SIZE; i++) {
        d->y1[i] = d->y[i] + h * z[i];
        const double unit = 1 / (d->tolerance * (1 + fmax(fabs(d->y[i]), fabs(d->y1[i]))));
        e5 += fifth[i] * fifth[i] * (unit * unit);
        e3 += third[i] * third[i] * (unit * unit);
    }
    return e5 > 0 ? h * e5 / sqrt((e5 + 0.01 * e3) * PEER_SIZE) : 0;
}

static bool go(dop853 *d, double time, peer_audit *audit)
{
    bool rejected = false;
    rates(d->y, d->k[0]);
    for (double t = 0, h = 0.01; t < time;) {
        h = fmin(h, time - t);
        stages(d, h);
        const double error = finish(d, h), factor = error > 0 ? 0.9 * pow(error, -0.125) : 6;
        if (error >= 1) {
            h *= fmax(0.333, factor);
            rejected = true;
            if (h < 1e-10)
                return false;
            continue;
        }
        t = time - t - h <= 0 ? time : t + h;
        memcpy(d->y, d->y1, sizeof d->y);
        rates(d->y, d->k[0]);
        peer_look(audit, d->y);
        h *= fmin(rejected ? 1 : 6, factor);
        rejected = false;
    }
    return true;
}

static bool run(int choice, double tolerance, double time, peer_audit *audit, double *seconds)
{
    dop853 d = {.tolerance = tolerance};
    (void)choice;
    peer_start(d.y, audit);
    const double begin = clock_seconds();
    const bool good = go(&d, time, audit);
    *seconds = clock_seconds() - begin;
    return good;
}

const peer *peers_own(int *count)
{
    static const peer list[] = {{"DOP853, own port", run, 0}};
    *count = 1;
    return list;
}
