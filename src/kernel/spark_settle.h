/* SPDX-License-Identifier: MIT */
/* The end of a step: what positions and momenta gain by the stages, (6.1c) and (6.1d), added up to twice the digits. */

/* sum_j b_j (rate_j + rate_low_j) of every coordinate, as slope + rest, without rounding errors that matter: weights
 * and rates are cut into a head and a tail, products of heads are exact and so is their sum, and what has a tail in it
 * is small. Products that are rounded as they come drift, by a hundredth of a unit in the last place a step. */
NH_INLINE void nh_slopes(NH_CONTEXT, const nh_frame *f, const nh_stage *rate, const nh_stage *rate_low, nh_real *slope,
                         nh_real *rest)
{
    NH_SIZES;
    nh_stage *head = f->sum, *tail = f->sum + NH_BLOCKS;
    for (int i = 0; i < n; i++) {
        const nh_real ends = nh_abs(nh_one_stage(rate + i, n, 0)) + nh_abs(nh_one_stage(rate + i, n, s - 1));
        for (int g = 0; g < NH_BLOCKS; g++) {
            const nh_stage all = rate[g * n + i];
            head[g] = NH_SNAP(all, NH_RATE_GRID * ends);
            tail[g] = (all - head[g]) + rate_low[g * n + i];
        }
        slope[i] = nh_stage_sum(s, NH_VECTOR(NH_SPARK_B_HEAD), head, 1);
        rest[i] = nh_stage_sum_2(s, NH_VECTOR(NH_SPARK_B_TAIL), rate + i, n, NH_VECTOR(NH_SPARK_B_HEAD), tail, 1);
    }
}

/* Positions and momenta, which stand side by side as their low parts do, gain h (slope + rest). A single trajectory has
 * them in lanes: the last block begins within the one before it, and is read before that is written. */
NH_INLINE void nh_settle(NH_CONTEXT, const nh_frame *f, nh_real *x, nh_mask good)
{
    NH_SIZES;
    const nh_real *slope = f->slope, *rest = f->rest;
    nh_real *sum = x + NH_AT_POSITION, *low = x + NH_AT_POSITION_LOW;
#if NH_BLOCK > 1
    const nh_stage h = nh_all_stages(f->h[0]), h_tail = nh_all_stages(f->h[1]);
    const int end = 2 * n - NH_BLOCK;
    if (end >= 0) {
        nh_stage end_sum = NH_BLOCK_AT(sum + end), end_low = NH_BLOCK_AT(low + end);
        nh_stage_gain(h, h_tail, NH_BLOCK_AT(slope + end), NH_BLOCK_AT(rest + end), &end_sum, &end_low);
        for (int i = 0; i < end; i += NH_BLOCK)
            nh_stage_gain(h, h_tail, NH_BLOCK_AT(slope + i), NH_BLOCK_AT(rest + i), &NH_BLOCK_AT(sum + i),
                          &NH_BLOCK_AT(low + i));
        NH_BLOCK_AT(sum + end) = end_sum;
        NH_BLOCK_AT(low + end) = end_low;
        return;
    }
#endif
    for (int i = 0; i < 2 * n; i++) {
        nh_real new = sum[i], new_low = low[i];
        nh_gain(f->h[0], f->h[1], slope[i], rest[i], &new, &new_low);
        sum[i] = NH_COMMIT(good, new, sum[i]);
        low[i] = NH_COMMIT(good, new_low, low[i]);
    }
}
