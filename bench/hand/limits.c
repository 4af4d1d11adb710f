/* SPDX-License-Identifier: MIT */
#include "limits.h"

#include "gauss_table.h"
#include "particles.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

static void lanes_energy(const v4 *q, const v4 *v, double *values)
{
    for (int lane = 0; lane < HAND_LANES; lane++) {
        double x[HAND_N], y[HAND_N];
        for (int i = 0; i < HAND_N; i++) {
            x[i] = q[i][lane];
            y[i] = v[i][lane];
        }
        values[lane] = energy(x, y);
    }
}

static double lanes_energy_error(const v4 *q, const v4 *v, const double *at_start)
{
    double now[HAND_LANES], error = 0;
    lanes_energy(q, v, now);
    for (int lane = 0; lane < HAND_LANES; lane++)
        error = fmax(error, fabs(now[lane] - at_start[lane]));
    return error;
}

#define S       4
#define NAME(x) gauss_4_##x
#include "gauss_stages.h"
#undef NAME
#define NAME(x) gauss_4_lanes_##x
#include "gauss_trajectories.h"
#undef NAME
#undef S
#define S       8
#define NAME(x) gauss_8_##x
#include "gauss_stages.h"
#undef NAME
#define NAME(x) gauss_8_lanes_##x
#include "gauss_trajectories.h"
#undef NAME
#undef S

#define NUMBER  double
#define NAME(x) mp_linear_##x
#include "mp_linear.h"
#undef NAME
#undef NUMBER
#define NUMBER  v4
#define NAME(x) mp_linear_lanes_##x
#include "mp_linear.h"
#undef NAME
#undef NUMBER

#include "mp_newton.h"

static double energy_at_end(const double *Q, const double *v, double h)
{
    double q[HAND_N];
    for (int i = 0; i < HAND_N; i++)
        q[i] = Q[i] - 0.5 * h * v[i];
    return energy(q, v);
}

static double start_mp(const hand_run *run, double *Q, double *v)
{
    for (int i = 0; i < HAND_N; i++) {
        v[i] = run->v[0][i];
        Q[i] = run->q[0][i] + 0.5 * run->h * v[i];
    }
    return energy(run->q[0], run->v[0]);
}

void mp_linear_motion(hand_run *run)
{
    double Q[HAND_N], v[HAND_N];
    const double at_start = start_mp(run, Q, v);
    const long chunk = run->audit ? 1 : run->steps;
    run->iterations = run->energy_error = 0;
    for (long k = 0; k < run->steps; k += chunk) {
        mp_linear_steps(Q, v, run->h, chunk);
        run->energy_error = fmax(run->energy_error, fabs(energy_at_end(Q, v, run->h) - at_start));
    }
}

INLINE void newton_motion(hand_run *run, int m)
{
    newton_work w = {0};
    double Q[HAND_N], v[HAND_N];
    const double at_start = start_mp(run, Q, v);
    run->iterations = run->energy_error = 0;
    for (long k = 0; k < run->steps; k++) {
        run->iterations += newton_step(m, &w, Q, v, run->h);
        if (run->audit)
            run->energy_error = fmax(run->energy_error, fabs(energy_at_end(Q, v, run->h) - at_start));
    }
}

void mp_newton_motion(hand_run *run)
{
    newton_motion(run, 1);
}

void mp_newton_any_motion(hand_run *run)
{
    static volatile int m = 1;
    newton_motion(run, m);
}

INLINE void start_lanes(const hand_run *run, int first, v4 *q, v4 *v, v4 *Q)
{
    for (int lane = 0; lane < HAND_LANES; lane++)
        for (int i = 0; i < HAND_N; i++) {
            v[i][lane] = run->v[first + lane][i];
            q[i][lane] = run->q[first + lane][i];
            Q[i][lane] = run->q[first + lane][i] + 0.5 * run->h * run->v[first + lane][i];
        }
}

/* Registers step in turns: the division of one is under way while the others work. */
INLINE void registers_motion(hand_run *run, int registers)
{
    v4 Q[HAND_REGISTERS][HAND_N], v[HAND_REGISTERS][HAND_N], q[HAND_N];
    double at_start[HAND_REGISTERS][HAND_LANES];
    for (int r = 0; r < registers; r++) {
        start_lanes(run, HAND_LANES * r, q, v[r], Q[r]);
        lanes_energy(q, v[r], at_start[r]);
    }
    const long chunk = run->audit ? 1 : run->steps;
    run->iterations = run->energy_error = 0;
    for (long k = 0; k < run->steps; k += chunk) {
        for (long i = 0; i < chunk; i++)
            for (int r = 0; r < registers; r++)
                mp_linear_lanes_step(Q[r], v[r], run->h);
        for (int r = 0; r < registers; r++) {
            for (int i = 0; i < HAND_N; i++)
                q[i] = Q[r][i] - 0.5 * run->h * v[r][i];
            run->energy_error = fmax(run->energy_error, lanes_energy_error(q, v[r], at_start[r]));
        }
    }
}

void mp_linear_lanes_motion(hand_run *run)
{
    registers_motion(run, 1);
}

void mp_linear_pair_motion(hand_run *run)
{
    registers_motion(run, HAND_REGISTERS);
}
