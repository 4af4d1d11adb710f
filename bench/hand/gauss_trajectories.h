/* SPDX-License-Identifier: MIT */
/* Four trajectories in lanes by the Gauss method of S stages; the iteration of gauss_stages.h, until the slowest lane
 * has converged. Included with S and NAME defined. */
typedef struct NAME(state) {
    double h, rate, c[S], b[S], p[S], bA[S], bAi[S], A[S][S], AA[S][S], Ai[S][S], AAE[S][S], E[S][S];
    v4 q[HAND_N], v[HAND_N], q_low[HAND_N], v_low[HAND_N], f[S][HAND_N], lambda[S];
    int steps;
    long iterations;
} NAME(state);

typedef struct NAME(work) {
    v4 Q[S][HAND_N], f[S][HAND_N], V[S][ROWS], lambda[S], r[S], pr[S], y[S], r1, gamma_factor;
} NAME(work);

static void NAME(open)(NAME(state) * st, const gauss_table *g, const hand_run *run)
{
    const double h = run->h;
    memset(st, 0, sizeof *st);
    st->h = h;
    st->rate = 0.3;
    for (int i = 0; i < S; i++) {
        st->c[i] = h * g->c[i];
        st->b[i] = h * g->b[i];
        st->p[i] = g->p[i];
        st->bA[i] = h * h * g->bA[i];
        st->bAi[i] = g->bAi[i];
        for (int j = 0; j < S; j++) {
            st->A[i][j] = h * g->A[i][j];
            st->AA[i][j] = h * h * g->AA[i][j];
            st->Ai[i][j] = g->Ai[i][j] / h;
            st->AAE[i][j] = h * h * g->AAE[i][j];
            st->E[i][j] = g->E[i][j];
        }
    }
    for (int lane = 0; lane < HAND_LANES; lane++)
        for (int i = 0; i < HAND_N; i++) {
            st->q[i][lane] = run->q[lane][i];
            st->v[i][lane] = run->v[lane][i];
        }
}

static void NAME(begin)(NAME(state) * st)
{
    for (int s = 0; s < S; s++) {
        force(st->q, st->f[s]);
        st->lambda[s] = multiplier(st->q, st->v, st->f[s]);
        react(st->f[s], st->q, st->lambda[s]);
    }
}

INLINE v4 NAME(product)(v4 sum, const double *row, const v4 *x, int stride)
{
    for (int j = 0; j < S; j++)
        sum += row[j] * x[j * stride];
    return sum;
}

INLINE void NAME(positions)(const NAME(state) *restrict st, NAME(work) * w, const double (*A)[S], const v4 *f)
{
    for (int i = 0; i < HAND_N; i++)
        for (int s = 0; s < S; s++)
            w->Q[s][i] = NAME(product)(st->q[i] + st->c[s] * st->v[i] + st->q_low[i], A[s], f + i, HAND_N);
}

/* Velocities and K V/|K| of the stages; the sum of the changes. */
INLINE v4 NAME(velocities)(const NAME(state) *restrict st, NAME(work) * w, bool first)
{
    v4 change = {0};
    for (int s = 0; s < S; s++) {
        const v4 *Q = w->Q[s];
        v4 *V = w->V[s];
        for (int k = 0; k < ROWS; k++) {
            const v4 x = NAME(product)(st->v[in_row[k]], st->A[s], &w->f[0][in_row[k]], HAND_N);
            change += size_of(x - V[k]);
            V[k] = x;
        }
        if (first) {
            w->r[s] = 1 / root_of(norm_of_row(Q));
            w->pr[s] = st->p[s] * w->r[s];
        }
        w->y[s] = (V[0] + Q[1] * V[1] + Q[2] * V[2] + Q[3] * V[3]) * w->r[s];
    }
    return change;
}

INLINE void NAME(correct)(const NAME(state) *restrict st, NAME(work) * w, bool first)
{
    v4 q1[ROWS], v1[ROWS];
    for (int k = 0; k < ROWS; k++)
        v1[k] = NAME(product)(st->v[in_row[k]], st->b, &w->f[0][in_row[k]], HAND_N);
    for (int i = 1; i < ROWS; i++)
        q1[i] = NAME(product)(st->q[i] + st->h * st->v[i], st->bA, &w->f[0][i], HAND_N);
    if (first) {
        w->gamma_factor = 1 / NAME(product)((v4){0}, st->bAi, w->pr, 1);
        w->r1 = 1 / root_of(norm_of_row(q1));
    }
    const v4 k1 = v1[0] + q1[1] * v1[1] + q1[2] * v1[2] + q1[3] * v1[3];
    const v4 gamma = (NAME(product)((v4){0}, st->bAi, w->y, 1) - k1 * w->r1) * w->gamma_factor;
    for (int s = 0; s < S; s++)
        w->y[s] -= gamma * w->pr[s];
    for (int s = 0; s < S; s++) {
        const v4 d = -NAME(product)((v4){0}, st->Ai[s], w->y, 1) * w->r[s];
        w->lambda[s] += d;
        react(w->f[s], w->Q[s], d);
    }
}

INLINE void NAME(finish)(NAME(state) *restrict st, NAME(work) * w)
{
    for (int i = 0; i < HAND_N; i++) {
        const v4 dq = NAME(product)(st->h * st->v[i] + st->q_low[i], st->bA, &w->f[0][i], HAND_N);
        const v4 dv = NAME(product)(st->v_low[i], st->b, &w->f[0][i], HAND_N);
        const v4 q1 = st->q[i] + dq, v1 = st->v[i] + dv;
        st->q_low[i] = dq - (q1 - st->q[i]);
        st->v_low[i] = dv - (v1 - st->v[i]);
        st->q[i] = q1;
        st->v[i] = v1;
    }
    memcpy(st->f, w->f, sizeof w->f);
    memcpy(st->lambda, w->lambda, sizeof w->lambda);
}

static void NAME(step)(NAME(state) *restrict st)
{
    NAME(work) w;
    double before = 1e300, rate = st->rate;
    int it;
    if (!st->steps)
        NAME(begin)(st);
    NAME(positions)(st, &w, st->AAE, st->f[0]);
    for (int s = 0; s < S; s++)
        w.lambda[s] = st->steps ? NAME(product)((v4){0}, st->E[s], st->lambda, 1) : st->lambda[s];
    memset(w.V, 0, sizeof w.V);
    for (it = 1; it <= 60; it++) {
        for (int s = 0; s < S; s++) {
            force(w.Q[s], w.f[s]);
            react(w.f[s], w.Q[s], w.lambda[s]);
        }
        const v4 d = NAME(velocities)(st, &w, it == 1);
        NAME(correct)(st, &w, it == 1);
        const double change = fmax(fmax(d[0], d[1]), fmax(d[2], d[3]));
        if (it > 2)
            rate = fmax(change / before, 0.2 * rate);
        if (it > 1 && (rate * rate * change < 1e-16 || (change < 1e-13 && change > 0.5 * before)))
            break;
        before = change;
        NAME(positions)(st, &w, st->AA, w.f[0]);
    }
    st->rate = rate < 0.02 ? 0.02 : rate > 0.3 ? 0.3 : rate;
    NAME(finish)(st, &w);
    st->iterations += it;
    st->steps++;
}

void NAME(motion)(hand_run *run)
{
    static gauss_table table;
    static NAME(state) st;
    double at_start[HAND_LANES];
    if (!table.b[0])
        gauss_table_make(&table, S);
    NAME(open)(&st, &table, run);
    lanes_energy(st.q, st.v, at_start);
    run->energy_error = 0;
    for (long k = 0; k < run->steps; k++) {
        NAME(step)(&st);
        if (run->audit)
            run->energy_error = fmax(run->energy_error, lanes_energy_error(st.q, st.v, at_start));
    }
    run->iterations = (double)st.iterations;
}
