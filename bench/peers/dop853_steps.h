/* SPDX-License-Identifier: MIT */
/* Dormand and Prince's method of order 8 for one problem, compiled in. Included with NAME, SIZE, PADDED and RATES
 * defined; all sums go over PADDED components, whole registers. */
typedef struct NAME(state) {
    _Alignas(64) double k[STAGES][PADDED];
    _Alignas(64) double y[PADDED];
    _Alignas(64) double y1[PADDED];
    double tolerance;
} NAME(state);

static __attribute__((noinline)) void NAME(stages)(NAME(state) * d, double h)
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
        RATES(z, d->k[s]);
    }
}

/* y1, and the estimated error in units of the tolerance. */
static __attribute__((noinline)) double NAME(finish)(NAME(state) * d, double h)
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
    for (int i = 0; i < SIZE; i++) {
        d->y1[i] = d->y[i] + h * z[i];
        const double unit = 1 / (d->tolerance * (1 + fmax(fabs(d->y[i]), fabs(d->y1[i]))));
        e5 += fifth[i] * fifth[i] * (unit * unit);
        e3 += third[i] * third[i] * (unit * unit);
    }
    return e5 > 0 ? h * e5 / sqrt((e5 + 0.01 * e3) * SIZE) : 0;
}

static bool NAME(go)(peer_run *run)
{
    NAME(state) d = {.tolerance = run->tolerance};
    bool rejected = false;
    memcpy(d.y, run->y, SIZE * sizeof *d.y);
    RATES(d.y, d.k[0]);
    for (double t = 0, h = 0.01; t < run->time;) {
        h = fmin(h, run->time - t);
        NAME(stages)(&d, h);
        const double error = NAME(finish)(&d, h), factor = error > 0 ? 0.9 * pow(error, -0.125) : 6;
        if (error >= 1) {
            h *= fmax(0.333, factor);
            rejected = true;
            if (h < 1e-10)
                return false;
            continue;
        }
        t = run->time - t - h <= 0 ? run->time : t + h;
        memcpy(d.y, d.y1, sizeof d.y);
        RATES(d.y, d.k[0]);
        peer_look(run, d.y);
        h *= fmin(rejected ? 1 : 6, factor);
        rejected = false;
    }
    memcpy(run->y, d.y, SIZE * sizeof *d.y);
    return true;
}
