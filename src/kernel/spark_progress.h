/* SPDX-License-Identifier: MIT */
/* How far the iteration of a step is, and whether it may end. */

/* Sum of |v| over all stages and the end, there without what follows from the stages at once; of |v_i|, or of |v_i|
 * times its weight. Velocities that are not iterated are told by the ways they take in a step. */
NH_INLINE nh_real nh_size_of(NH_CONTEXT, const nh_frame *f, const nh_stage *V, const nh_stage *way, const nh_real *v1,
                             int weighted)
{
    NH_SIZES;
    nh_stage *ways = f->sum + NH_BLOCKS;
    for (int g = 0; g < NH_BLOCKS; g++) {
        f->sum[g] = ways[g] = nh_stage_set(0);
        for (NH_SPANS(a, 0, NH_BOUND))
            for (int j = a.from; j < a.to; j++) {
                const int i = NH_ITH(a, j);
                const nh_stage size = nh_stage_abs(V[g * n + i]);
                f->sum[g] += weighted ? size * f->weight[i] : size;
            }
        if (NH_BOUND == n)
            continue;
        for (NH_SPANS(a, NH_BOUND, n))
            for (int j = a.from; j < a.to; j++)
                ways[g] += nh_stage_abs(way[g * n + NH_ITH(a, j)]);
        f->sum[g] += nh_abs(f->per_h[0]) * ways[g];
    }
    nh_real sum = nh_stage_sum(s, NH_VECTOR(NH_SPARK_REAL), f->sum, 1);
    for (int i = 0; i < n; i++)
        if (NH_AT_END(i)) {
            const nh_real size = nh_abs(v1[i]);
            sum += weighted ? size * f->weight[i] : size;
        }
    return sum;
}

/* What of the velocities a correction cannot be told from: rounding errors of V, and of g, which has been divided by h.
 */
NH_INLINE nh_real nh_noise(NH_CONTEXT, const nh_frame *f, nh_real size)
{
    NH_SIZES;
    nh_real far = nh_set(0);
    for (int i = 0; i < n && l > 0; i++)
        far += nh_abs(f->q1[i]);
    if (l > 0)
        size += far * nh_abs(f->per_h[0]);
    return nh_set(1024 * NH_EPSILON) * size;
}

/* The velocities that forces and reactions would give in a step, each without the other, weighted: a body at rest under
 * a load has none but what rounding leaves where both cancel. */
NH_INLINE nh_real nh_load(NH_CONTEXT, const nh_frame *f)
{
    NH_SIZES;
    for (int g = 0; g < NH_BLOCKS; g++) {
        f->sum[g] = nh_stage_set(0);
        for (int i = 0; i < n; i++)
            if (NH_TOUCHED(i)) {
                const nh_stage size = nh_stage_abs(f->F[g * n + i]) + nh_stage_abs(f->R[g * n + i]);
                f->sum[g] += NH_TRAIT(NH_MASS_UNIT) ? size : size / f->weight[i];
            }
    }
    return nh_stage_sum(s, NH_VECTOR(NH_SPARK_REAL), f->sum, 1) / nh_abs(f->per_h[0]);
}

/* A rate is remembered from this to NH_RATE_MOST: one that was told by luck would end the next step too soon, or never.
 */
#define NH_RATE_LEAST 0.004

/* What is known of the convergence of a step. */
typedef struct nh_progress {
    nh_real size;   /* of the velocities */
    nh_real load;   /* of the velocities beside which rounding errors of forces and reactions are seen */
    nh_real share;  /* of the size that belongs to a unit of their weighted size */
    nh_real change; /* the last correction of them */
    nh_real rate;   /* of successive ones */
    nh_mask told;   /* by two that could be seen */
} nh_progress;

/* Sizes of velocities are compared as they are, and weighted: coordinates of one unit may have very different masses,
 * and those of different units have very different numbers. The worse of the two counts. */
NH_INLINE void nh_measure(NH_CONTEXT, const nh_frame *f, nh_progress *p)
{
    NH_SIZES;
    p->size = nh_size_of(NH_PASS, f, f->V, f->impulse, f->v1, 0);
    p->load = m + l > 0 ? nh_load(NH_PASS, f) : nh_set(0);
    if (NH_TRAIT(NH_MASS_UNIT))
        return;
    const nh_real weighted = nh_size_of(NH_PASS, f, f->V, f->impulse, f->v1, 1);
    p->share = nh_select(nh_set(0) < weighted, p->size / weighted, nh_set(0));
    p->load *= p->share;
}
NH_INLINE nh_real nh_change(NH_CONTEXT, const nh_frame *f, const nh_progress *p)
{
    const nh_real change = nh_size_of(NH_PASS, f, f->dV, f->dV, f->dv, 0);
    return NH_TRAIT(NH_MASS_UNIT) ? change : nh_max(p->share * nh_size_of(NH_PASS, f, f->dV, f->dV, f->dv, 1), change);
}

/* The lanes among `late` where one more correction, which is left to nh_close, leaves nothing: what is left is always
 * left on the same side, and a ten-thousandth of a unit in the last place is seen as a drift after ten million steps.
 * Corrections of the size of round-off say nothing about the rate, and go on shrinking for all we see: they are not
 * looked at where they are expected, by a rate that this step has told, or after another, unless that has made the rate
 * a slow one. If larger ones do not shrink at all, this is the end too; slowly is not enough. */
NH_INLINE nh_mask nh_converged(NH_CONTEXT, const nh_frame *f, nh_mask late, nh_progress *p)
{
    const nh_real before = p->change, expected = p->rate * before, visible = nh_set(4 * NH_EPSILON) * p->size;
    const nh_mask end = (before <= visible) & (p->rate <= nh_set(NH_RATE_MOST));
    const nh_mask lost = (expected <= visible) & (p->told | end), look = late & nh_not(lost);
    nh_mask stuck = look & nh_not(look);
    p->change = expected;
    if (nh_any(look)) {
        const nh_real change = nh_change(NH_PASS, f, p), rate = p->rate;
        const nh_real noise = nh_noise(NH_PASS, f, p->size);
        const nh_mask blind = change <= visible, compared = look & (before < nh_set(__builtin_inf()));
        const nh_real seen = nh_max(change / before, nh_set(0.2) * rate);
        stuck = look & (before <= change) & (change <= nh_noise(NH_PASS, f, p->size + p->load));
        p->change = nh_select(look, nh_select(blind, nh_min(change, expected), change), expected);
        p->rate = nh_select(compared, nh_select(blind, nh_min(rate, seen), seen), rate);
        p->told = p->told | (compared & nh_not(change <= nh_set(0x1p-4) * noise));
    }
    const nh_mask small = p->rate * p->rate * p->change <= nh_set(0x1p-18 * NH_EPSILON) * p->size;
    const nh_mask finite = p->size < nh_set(__builtin_inf()); /* what is infinite looks small to itself */
    return late & (small | stuck) & finite;
}
