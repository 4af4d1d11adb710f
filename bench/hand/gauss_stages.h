/* SPDX-License-Identifier: MIT */
/* One trajectory by the Gauss method of S stages, four stages to a register. Included with S and NAME defined.
 *
 * The rows of the constraint are written as k_j = gamma P_{s-1}(c_j), with one unknown gamma. Forces by fixed-point
 * iteration from those of the last step; multipliers corrected with the row's norm frozen for the step, times the
 * constant A^{-1}: the positions in K feel no constraint force here, so that the contraction is O(h^2). */
enum { NAME(G) = S / 4 };
#define G NAME(G)

typedef struct NAME(state) {
    double h, rate, tolerance;
    v4 c[G], b[G], p[G], bA[G], bAi[G];
    v4 A[S][G], AA[S][G], Ai[S][G], AAE[S][G], E[S][G]; /* columns; powers of h are in them */
    v4 f[G][HAND_N], lambda[G][1];                      /* of the last step */
    double q[8], v[8], q_low[8], v_low[8];
    int steps;
    long iterations;
} NAME(state);

typedef struct NAME(work) {
    v4 Q[G][HAND_N], f[G][HAND_N], V[G][ROWS], base[G][HAND_N];
    v4 lambda[G], r[G], pr[G]; /* r = 1/|K| */
    double r1, gamma_factor;
} NAME(work);

static void NAME(open)(NAME(state) * st, const gauss_table *g, const hand_run *run)
{
    const double h = run->h;
    memset(st, 0, sizeof *st);
    st->h = h;
    st->tolerance = run->tolerance;
    st->rate = 0.3;
    for (int i = 0; i < S; i++) {
        const int a = i / 4, lane = i % 4;
        st->c[a][lane] = h * g->c[i];
        st->b[a][lane] = h * g->b[i];
        st->p[a][lane] = g->p[i];
        st->bA[a][lane] = h * h * g->bA[i];
        st->bAi[a][lane] = g->bAi[i];
        for (int j = 0; j < S; j++) {
            st->A[j][a][lane] = h * g->A[i][j];
            st->AA[j][a][lane] = h * h * g->AA[i][j];
            st->Ai[j][a][lane] = g->Ai[i][j] / h;
            st->AAE[j][a][lane] = h * h * g->AAE[i][j];
            st->E[j][a][lane] = g->E[i][j];
        }
    }
    memcpy(st->q, run->q[0], HAND_N * sizeof *st->q);
    memcpy(st->v, run->v[0], HAND_N * sizeof *st->v);
}

/* sum += columns * x, where x is component i of all stages */
#define ADD_PRODUCT(columns, x, i, sum)                                                                                \
    for (int j_ = 0; j_ < S; j_++) {                                                                                   \
        const double x_ = ((const double *)&(x)[j_ / 4][i])[j_ % 4];                                                   \
        for (int a_ = 0; a_ < G; a_++)                                                                                 \
            (sum)[a_] += (columns)[j_][a_] * x_;                                                                       \
    }

INLINE double NAME(total)(const v4 *x)
{
    v4 r = x[0];
    for (int a = 1; a < G; a++)
        r += x[a];
    return sum_of(r);
}

/* Forces and multiplier as constant before the first step. */
static void NAME(begin)(NAME(state) * st)
{
    v4 q[HAND_N], v[HAND_N];
    for (int i = 0; i < HAND_N; i++) {
        q[i] = st->q[i] + (v4){0};
        v[i] = st->v[i] + (v4){0};
    }
    for (int a = 0; a < G; a++) {
        force(q, st->f[a]);
        st->lambda[a][0] = multiplier(q, v, st->f[a]);
        react(st->f[a], q, st->lambda[a][0]);
    }
}

INLINE void NAME(predict)(NAME(state) *restrict st, NAME(work) * w)
{
    for (int i = 0; i < HAND_N; i++) {
        v4 x[G];
        for (int a = 0; a < G; a++)
            x[a] = w->base[a][i] = st->q[i] + st->c[a] * st->v[i] + st->q_low[i];
        ADD_PRODUCT(st->AAE, st->f, i, x)
        for (int a = 0; a < G; a++)
            w->Q[a][i] = x[a];
    }
    for (int a = 0; a < G; a++)
        w->lambda[a] = st->steps ? (v4){0} : st->lambda[a][0];
    if (st->steps)
        ADD_PRODUCT(st->E, st->lambda, 0, w->lambda)
    memset(w->V, 0, sizeof w->V);
}

INLINE void NAME(positions)(const NAME(state) *restrict st, NAME(work) * w)
{
    for (int i = 0; i < HAND_N; i++) {
        v4 x[G];
        for (int a = 0; a < G; a++)
            x[a] = w->base[a][i];
        ADD_PRODUCT(st->AA, w->f, i, x)
        for (int a = 0; a < G; a++)
            w->Q[a][i] = x[a];
    }
}

/* Velocities of the stages and at the end, v1; the sum of their changes. */
INLINE double NAME(velocities)(const NAME(state) *restrict st, NAME(work) * w, double *v1)
{
    v4 change[G];
    for (int a = 0; a < G; a++)
        change[a] = (v4){0};
    for (int k = 0; k < ROWS; k++) {
        const int i = in_row[k];
        v4 x[G], u[G];
        for (int a = 0; a < G; a++)
            x[a] = st->v[i] + (v4){0};
        ADD_PRODUCT(st->A, w->f, i, x)
        for (int a = 0; a < G; a++) {
            change[a] += size_of(x[a] - w->V[a][k]);
            w->V[a][k] = x[a];
            u[a] = st->b[a] * w->f[a][i];
        }
        v1[k] = st->v[i] + NAME(total)(u);
    }
    return NAME(total)(change);
}

INLINE void NAME(positions_at_end)(const NAME(state) *restrict st, const NAME(work) * w, double *q1)
{
    for (int i = 1; i < ROWS; i++) {
        v4 u[G];
        for (int a = 0; a < G; a++)
            u[a] = st->bA[a] * w->f[a][i];
        q1[i] = st->q[i] + st->h * st->v[i] + NAME(total)(u);
    }
}

INLINE void NAME(freeze)(const NAME(state) *restrict st, NAME(work) * w, const double *q1)
{
    v4 t[G];
    for (int a = 0; a < G; a++) {
        w->r[a] = 1 / root_of(norm_of_row(w->Q[a]));
        w->pr[a] = st->p[a] * w->r[a];
        t[a] = st->bAi[a] * w->pr[a];
    }
    w->r1 = 1 / sqrt(1 + q1[1] * q1[1] + q1[2] * q1[2] + q1[3] * q1[3]);
    w->gamma_factor = 1 / NAME(total)(t);
}

INLINE void NAME(correct)(const NAME(state) *restrict st, NAME(work) * w, const double *q1, const double *v1)
{
    v4 y[G][1], x[G], t[G];
    for (int a = 0; a < G; a++) {
        const v4 *Q = w->Q[a], *V = w->V[a];
        y[a][0] = (V[0] + Q[1] * V[1] + Q[2] * V[2] + Q[3] * V[3]) * w->r[a];
        t[a] = st->bAi[a] * y[a][0];
    }
    const double k1 = v1[0] + q1[1] * v1[1] + q1[2] * v1[2] + q1[3] * v1[3];
    const double gamma = (NAME(total)(t) - k1 * w->r1) * w->gamma_factor;
    for (int a = 0; a < G; a++) {
        y[a][0] -= gamma * w->pr[a];
        x[a] = (v4){0};
    }
    IN_MEMORY(y);
    ADD_PRODUCT(st->Ai, y, 0, x)
    for (int a = 0; a < G; a++) {
        const v4 d = -x[a] * w->r[a];
        w->lambda[a] += d;
        react(w->f[a], w->Q[a], d);
    }
}

/* Sums of the lanes of four vectors. */
INLINE __m256d NAME(totals)(const v4 *x)
{
    const __m256d low = _mm256_hadd_pd((__m256d)x[0], (__m256d)x[1]),
                  high = _mm256_hadd_pd((__m256d)x[2], (__m256d)x[3]);
    return _mm256_blend_pd(low, high, 12) + _mm256_permute2f128_pd(low, high, 0x21);
}

/* q1 and v1 by compensated sums. */
INLINE void NAME(finish)(NAME(state) *restrict st, NAME(work) * w)
{
    _Alignas(32) double q_sum[8], v_sum[8];
    for (int i = 0; i < 8; i += 4) {
        v4 x[4] = {{0}}, y[4] = {{0}};
        for (int k = 0; k < 4 && i + k < HAND_N; k++)
            for (int a = 0; a < G; a++) {
                x[k] += st->bA[a] * w->f[a][i + k];
                y[k] += st->b[a] * w->f[a][i + k];
            }
        _mm256_store_pd(q_sum + i, NAME(totals)(x));
        _mm256_store_pd(v_sum + i, NAME(totals)(y));
    }
    for (int i = 0; i < 8; i++) {
        const double dq = q_sum[i] + st->h * st->v[i] + st->q_low[i], dv = v_sum[i] + st->v_low[i];
        const double q1 = st->q[i] + dq, v1 = st->v[i] + dv;
        st->q_low[i] = dq - (q1 - st->q[i]);
        st->v_low[i] = dv - (v1 - st->v[i]);
        st->q[i] = q1;
        st->v[i] = v1;
    }
}

static void NAME(step)(NAME(state) *restrict st)
{
    NAME(work) w;
    double before = 1e300, rate = st->rate;
    int it;
    if (!st->steps)
        NAME(begin)(st);
    NAME(predict)(st, &w);
    for (it = 1; it <= 60; it++) {
        double v1[ROWS], q1[ROWS];
        for (int a = 0; a < G; a++) {
            force(w.Q[a], w.f[a]);
            react(w.f[a], w.Q[a], w.lambda[a]);
        }
        IN_MEMORY(w.f);
        const double change = NAME(velocities)(st, &w, v1);
        NAME(positions_at_end)(st, &w, q1);
        if (it == 1)
            NAME(freeze)(st, &w, q1);
        NAME(correct)(st, &w, q1, v1);
        IN_MEMORY(w.f);
        if (it > 2)
            rate = fmax(change / before, 0.2 * rate);
        if (it > 1 && (rate * rate * change < st->tolerance || (change < 1e-13 && change > 0.5 * before)))
            break;
        before = change;
        NAME(positions)(st, &w);
    }
    st->rate = rate < 0.02 ? 0.02 : rate > 0.3 ? 0.3 : rate;
    NAME(finish)(st, &w);
    memcpy(st->f, w.f, sizeof w.f);
    memcpy(st->lambda, w.lambda, sizeof w.lambda);
    st->iterations += it;
    st->steps++;
}

void NAME(motion)(hand_run *run)
{
    static gauss_table table;
    static NAME(state) st;
    if (!table.b[0])
        gauss_table_make(&table, S);
    NAME(open)(&st, &table, run);
    const double at_start = energy(st.q, st.v);
    run->energy_error = 0;
    for (long k = 0; k < run->steps; k++) {
        NAME(step)(&st);
        if (run->audit)
            run->energy_error = fmax(run->energy_error, fabs(energy(st.q, st.v) - at_start));
    }
    run->iterations = (double)st.iterations;
}
#undef G
#undef ADD_PRODUCT
