/* SPDX-License-Identifier: MIT */
/* The end of a step: what positions and momenta gain by the stages, (6.1c) and (6.1d), added up to twice the digits. */

/* sum_j b_j (rate_j + rate_low_j) of one coordinate, as slope + rest in parts, without rounding errors that matter:
 * weights and rates are cut into a head and a tail, products of heads are exact and so is their sum, and what has a
 * tail in it is small. Products that are rounded as they come drift, by a hundredth of a unit in the last place a step.
 */
NH_INLINE void nh_slope(NH_CONTEXT, const nh_frame *f, const nh_stage *rate, const nh_stage *rate_low, nh_parts slope,
                        nh_parts rest)
{
    NH_SIZES;
    nh_stage *head = f->sum, *tail = f->sum + NH_BLOCKS;
    const nh_real ends = nh_abs(nh_one_stage(rate, n, 0)) + nh_abs(nh_one_stage(rate, n, s - 1));
    for (int g = 0; g < NH_BLOCKS; g++) {
        const nh_stage all = rate[g * n];
        head[g] = NH_SNAP(all, NH_RATE_GRID * ends);
        tail[g] = (all - head[g]) + rate_low[g * n];
    }
    nh_stage_parts(s, NH_VECTOR(NH_SPARK_B_HEAD), head, 1, slope);
    nh_stage_parts_2(s, NH_VECTOR(NH_SPARK_B_TAIL), rate, n, NH_VECTOR(NH_SPARK_B_HEAD), tail, 1, rest);
}

/* Of the i-th of positions and momenta, which stand side by side, as their low parts do. */
NH_INLINE void nh_slope_of(NH_CONTEXT, const nh_frame *f, int i, nh_parts slope, nh_parts rest)
{
    NH_SIZES;
    const nh_stage *rate = i < n ? f->V + i : f->F + (i - n), *low = i < n ? f->dV + i : f->R + (i - n);
    nh_slope(NH_PASS, f, rate, low, slope, rest);
}

#if NH_BLOCK > 1
/* A single trajectory has positions and momenta in lanes, those from the i-th on. */
NH_INLINE void nh_settle_block(NH_CONTEXT, const nh_frame *f, int i, nh_stage *sum, nh_stage *low)
{
    nh_parts slope[NH_BLOCK] = {{nh_stage_set(0)}}, rest[NH_BLOCK] = {{nh_stage_set(0)}};
    for (int j = 0; j < NH_BLOCK; j++)
        nh_slope_of(NH_PASS, f, i + j, slope[j], rest[j]);
    nh_stage_gain(nh_all_stages(f->h[0]), nh_all_stages(f->h[1]), nh_stage_totals(slope), nh_stage_totals(rest), sum,
                  low);
}
#endif

/* Positions and momenta gain h (slope + rest). The last block of them begins within the one before it, and is read
 * before that is written. The loop over blocks stays one: what is done once a step is not worth many instructions. */
NH_INLINE void nh_settle(NH_CONTEXT, const nh_frame *f, nh_real *x, nh_mask good)
{
    NH_SIZES;
    nh_real *sum = x + NH_AT_POSITION, *low = x + NH_AT_POSITION_LOW;
#if NH_BLOCK > 1
    const int end = 2 * n - NH_BLOCK;
    if (end >= 0) {
        const nh_stage end_sum = NH_BLOCK_AT(sum + end), end_low = NH_BLOCK_AT(low + end);
#pragma GCC unroll 1
        for (int i = 0; i < 2 * n; i += NH_BLOCK) {
            const int at = i < end ? i : end;
            nh_stage new = i < end ? NH_BLOCK_AT(sum + i) : end_sum, new_low = i < end ? NH_BLOCK_AT(low + i) : end_low;
            nh_settle_block(NH_PASS, f, at, &new, &new_low);
            NH_BLOCK_AT(sum + at) = new;
            NH_BLOCK_AT(low + at) = new_low;
        }
        return;
    }
#endif
    for (int i = 0; i < 2 * n; i++) {
        nh_parts slope = {nh_stage_set(0)}, rest = {nh_stage_set(0)};
        nh_real new = sum[i], new_low = low[i];
        nh_slope_of(NH_PASS, f, i, slope, rest);
        nh_gain(f->h[0], f->h[1], nh_stage_total(slope), nh_stage_total(rest), &new, &new_low);
        sum[i] = NH_COMMIT(good, new, sum[i]);
        low[i] = NH_COMMIT(good, new_low, low[i]);
    }
}
