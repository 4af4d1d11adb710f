/* SPDX-License-Identifier: MIT */
/* Gauss, four stages in the lanes of a register, one sweep over the coordinates an iteration. The coordinates a feel no
 * constraint force, K = (1, 0, a); b do. Kept are the forces and the positions of a at the stages. */

typedef struct gauss_state {
    int m, started;
    double h, rate;
    v4 c, b, p, bA, bAi, A[4], AA[4], Ai[4], AAE[4], E[4]; /* columns; powers of h are in them */
    v4 *fa, *fb, *Qa, f0, lambda;
    double *q, *v, *q_low, *v_low;
    long iterations;
} gauss_state;

/* Of one sweep: residual of the constraint at the stages and the end, squared rows there, largest change of a force. */
typedef struct gauss_sums {
    v4 residual, square, change, residual_end, square_end;
} gauss_sums;

/* sum += columns x */
#define ADD_PRODUCT(columns, x, sum)                                                                                   \
    for (int j_ = 0; j_ < 4; j_++)                                                                                     \
        (sum) += (columns)[j_] * ((const double *)&(x))[j_];

INLINE double total(v4 x)
{
    return (x[0] + x[1]) + (x[2] + x[3]);
}
INLINE v4 larger(v4 x, v4 change)
{
    return (v4)_mm256_max_pd((__m256d)x, _mm256_andnot_pd(_mm256_set1_pd(-0.0), (__m256d)change));
}
/* Totals of four vectors. */
INLINE v4 totals(const v4 *x)
{
    const __m256d low = _mm256_hadd_pd((__m256d)x[0], (__m256d)x[1]),
                  high = _mm256_hadd_pd((__m256d)x[2], (__m256d)x[3]);
    return (v4)(_mm256_blend_pd(low, high, 12) + _mm256_permute2f128_pd(low, high, 0x21));
}

static void gauss_tables(gauss_state *st)
{
    static gauss_table g; /* made once, before the clock counts */
    const double h = st->h;
    if (!g.b[0])
        gauss_table_make(&g, 4);
    for (int i = 0; i < 4; i++) {
        st->c[i] = h * g.c[i];
        st->b[i] = h * g.b[i];
        st->p[i] = g.p[i];
        st->bA[i] = h * h * g.bA[i];
        st->bAi[i] = g.bAi[i];
        for (int j = 0; j < 4; j++) {
            st->A[j][i] = h * g.A[i][j];
            st->AA[j][i] = h * h * g.AA[i][j];
            st->Ai[j][i] = g.Ai[i][j] / h;
            st->AAE[j][i] = h * h * g.AAE[i][j];
            st->E[j][i] = g.E[i][j];
        }
    }
}

/* Forces and multiplier as constant before the first step. */
static void gauss_begin(gauss_state *st)
{
    const int m = st->m;
    const double *a = st->q + 1, *b = a + m, *va = st->v + 1, *vb = va + m;
    double square = 1, sum = -st->q[0];
    for (int i = 0; i < m; i++) {
        const double Fa = -a[i] * (1 + b[i] * b[i]);
        const double Fb = -b[i] * (1 + a[i] * a[i] + (i < 2 ? b[1 - i] * b[1 - i] : 0));
        st->fa[i] = Fa + (v4){0};
        st->fb[i] = Fb + (v4){0};
        square += a[i] * a[i];
        sum += a[i] * Fb + va[i] * vb[i];
    }
    st->lambda = -sum / square + (v4){0};
    st->f0 = -st->q[0] + st->lambda;
    for (int i = 0; i < m; i++)
        st->fb[i] += a[i] * st->lambda;
}

/* Position of b[i] at the stages. */
INLINE v4 position_b(gauss_state *st, int i, const v4 *M, v4 change, int first)
{
    const int at = 1 + st->m + i;
    if (!first)
        st->fb[i] += st->Qa[i] * change;
    v4 x = st->q[at] + st->c * st->v[at] + st->q_low[at];
    ADD_PRODUCT(M, st->fb[i], x)
    return x;
}

/* Coordinate pair i: new forces, and what they add to the sums; their parts of v1 and q1 into u and w. */
INLINE void sweep_pair(gauss_state *st, int i, v4 B, v4 extra, const v4 *M, v4 lambda, gauss_sums *s, v4 *u, v4 *w)
{
    v4 A = st->q[1 + i] + st->c * st->v[1 + i] + st->q_low[1 + i], V = st->v[1 + st->m + i] + (v4){0};
    ADD_PRODUCT(M, st->fa[i], A)
    const v4 aa = A * A, force = A * lambda - B * (1 + aa + extra);
    s->change = larger(s->change, force - st->fb[i]);
    st->Qa[i] = A;
    st->fa[i] = -A * (1 + B * B);
    st->fb[i] = force;
    s->square += aa;
    ADD_PRODUCT(st->A, st->fb[i], V)
    s->residual += A * V;
    *u = st->b * force;
    *w = st->bA * st->fa[i];
}

INLINE void sweep(gauss_state *st, v4 lambda, v4 change, int first, gauss_sums *s)
{
    const int m = st->m;
    const v4 *M = first ? st->AAE : st->AA;
    const double *q = st->q, *v = st->v;
    v4 two[2], u[4] = {{0}}, w[4] = {{0}};
    for (int i = 0; i < 2; i++)
        two[i] = position_b(st, i, M, change, first);
    for (int i = 0; i < m; i += 4) {
        const int some = m - i < 4 ? m - i : 4;
        for (int k = 0; k < some; k++) {
            const int j = i + k;
            if (j < 2)
                sweep_pair(st, j, two[j], two[1 - j] * two[1 - j], M, lambda, s, &u[k], &w[k]);
            else
                sweep_pair(st, j, position_b(st, j, M, change, first), (v4){0}, M, lambda, s, &u[k], &w[k]);
        }
        v4 va = {0}, vb = {0}, a = {0};
        for (int k = 0; k < some; k++) {
            va[k] = v[1 + i + k];
            vb[k] = v[1 + m + i + k];
            a[k] = q[1 + i + k];
        }
        for (int k = some; k < 4; k++)
            u[k] = w[k] = (v4){0};
        const v4 q1 = a + st->h * va + totals(w), v1 = vb + totals(u);
        s->residual_end += q1 * v1;
        s->square_end += q1 * q1;
    }
}

/* One step; forces by fixed-point iteration, multipliers with the row's norm frozen. */
static void gauss_step(gauss_state *st)
{
    v4 lambda = st->lambda, change = {0}, root = {0}, null = {0};
    double factor = 0, root_end = 0, before = 1e300, rate = st->rate;
    if (st->started) {
        lambda = (v4){0};
        ADD_PRODUCT(st->E, st->lambda, lambda)
    }
    for (int it = 1; it <= 40; it++) {
        gauss_sums s = {.square = 1 + (v4){0}};
        v4 Q0 = st->q[0] + st->c * st->v[0] + st->q_low[0], V0 = st->v[0] + (v4){0};
        st->f0 += change;
        ADD_PRODUCT(it == 1 ? st->AAE : st->AA, st->f0, Q0)
        st->f0 = lambda - Q0;
        ADD_PRODUCT(st->A, st->f0, V0)
        sweep(st, lambda, change, it == 1, &s);
        const double k1 = st->v[0] + total(st->b * st->f0) + total(s.residual_end);
        if (it == 1) {
            root = 1 / (v4)_mm256_sqrt_pd((__m256d)s.square);
            null = st->p * root;
            factor = 1 / total(st->bAi * null);
            root_end = 1 / sqrt(1 + total(s.square_end));
        }
        v4 y = (V0 + s.residual) * root;
        y -= (total(st->bAi * y) - k1 * root_end) * factor * null;
        change = (v4){0};
        ADD_PRODUCT(st->Ai, y, change)
        change *= -root;
        lambda += change;
        st->iterations++;
        const v4 both = larger(0.5 * st->h * s.change, y);
        const double size = fmax(fmax(both[0], both[1]), fmax(both[2], both[3]));
        if (it > 2)
            rate = fmax(fmax(size / before, 0.2 * rate), 0.005);
        if (it > 1 && (rate * rate * size < 2e-17 || (size < 1e-13 && size > 0.5 * before)))
            break;
        before = size;
    }
    st->rate = rate < 0.02 ? 0.02 : rate > 0.3 ? 0.3 : rate;
    st->f0 += change;
    st->lambda = lambda;
    for (int i = 0; i < st->m; i++)
        st->fb[i] += st->Qa[i] * change;
}

/* q1 and v1 by compensated sums. */
static void gauss_finish(gauss_state *st)
{
    for (int i = 0; i < 2 * st->m + 1; i++) {
        const v4 f = i == 0 ? st->f0 : i <= st->m ? st->fa[i - 1] : st->fb[i - 1 - st->m];
        const double dq = total(st->bA * f) + st->h * st->v[i] + st->q_low[i], dv = total(st->b * f) + st->v_low[i];
        const double q1 = st->q[i] + dq, v1 = st->v[i] + dv;
        st->q_low[i] = dq - (q1 - st->q[i]);
        st->v_low[i] = dv - (v1 - st->v[i]);
        st->q[i] = q1;
        st->v[i] = v1;
    }
    st->started = 1;
}

void large_gauss_4(hand_large *run)
{
    const int m = run->m, n = 2 * m + 1;
    gauss_state st = {.m = m, .h = run->h, .rate = 0.3, .fa = (v4 *)run->work};
    memset(run->work, 0, (size_t)HAND_LARGE_WORK(m) * sizeof *run->work);
    st.fb = st.fa + m;
    st.Qa = st.fb + m;
    st.q = (double *)(st.Qa + m);
    st.v = st.q + n;
    st.q_low = st.v + n;
    st.v_low = st.q_low + n;
    memcpy(st.q, run->q, (size_t)n * sizeof *run->q);
    memcpy(st.v, run->v, (size_t)n * sizeof *run->v);
    gauss_tables(&st);
    gauss_begin(&st);
    for (long k = 0; k < run->steps; k++) {
        gauss_step(&st);
        gauss_finish(&st);
    }
    run->iterations = (double)st.iterations;
    finish(run, st.q);
}
#undef ADD_PRODUCT
