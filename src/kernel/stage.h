/* SPDX-License-Identifier: MIT */
/* Stages of a Runge-Kutta method in blocks of NH_BLOCK: nh_real is a quantity of a trajectory, nh_stage of a block of
 * its stages, nh_coef an entry of a table for such a block. Either there are trajectories in lanes (NH_BLOCK 1: a
 * stage is a nh_real), or stages in lanes (nh_real is a double). Arrays of stages are [block][component].
 *
 * Sums over stages have one order in all settings: to every target stage its own sum, sources in turn; and for sums
 * over all stages four partial sums. Stages that only fill the last block have coefficients 0 and finite values. */

#if NH_BLOCK > 1
typedef nh_stage nh_coef;
NH_INLINE nh_stage nh_all_stages(nh_real x)
{
    return nh_stage_set(x);
}
NH_INLINE nh_real nh_one_stage(const nh_stage *x, int stride, int j)
{
    return ((const nh_real *)(x + j / NH_BLOCK * stride))[j % NH_BLOCK];
}
NH_INLINE void nh_put_stage(nh_stage *x, int stride, int j, nh_real value)
{
    ((nh_real *)(x + j / NH_BLOCK * stride))[j % NH_BLOCK] = value;
}
/* The lanes are read back one by one: from memory, which is cheaper than shuffling registers. */
#define NH_IN_MEMORY(pointer, count) __asm__("" : "+m"(*(nh_stage(*)[count])(pointer)))
#else
typedef nh_real nh_stage;
typedef nh_mask nh_stage_mask;
typedef nh_scalar nh_coef;
typedef nh_point nh_stage_point;
#define nh_stage_set                 nh_set
#define nh_stage_abs                 nh_abs
#define nh_stage_solve_lower         nh_solve_lower
#define nh_stage_solve_upper         nh_solve_upper
#define nh_stage_point_mass          nh_point_mass
#define nh_stage_point_factor        nh_point_factor
#define nh_stage_point_forces        nh_point_forces
#define nh_stage_point_correction    nh_point_correction
#define nh_stage_point_constraint    nh_point_constraint
#define nh_stage_point_holonomic     nh_point_holonomic
#define nh_stage_point_lift          nh_point_lift
NH_INLINE nh_stage nh_all_stages(nh_real x)
{
    return x;
}
NH_INLINE nh_real nh_one_stage(const nh_stage *x, int stride, int j)
{
    return x[j * stride];
}
NH_INLINE void nh_put_stage(nh_stage *x, int stride, int j, nh_real value)
{
    x[j * stride] = value;
}
#define NH_IN_MEMORY(pointer, count) (void)0
#endif

/* What a lane that is done computes is not kept; a single trajectory is never done while it computes. */
#if NH_LANES > 1
#define NH_COMMIT(mask, new, old) nh_select(mask, new, old)
#else
#define NH_COMMIT(mask, new, old) ((void)(mask), (new))
#endif
#if NH_BLOCK > 1
#define NH_STAGE_SELECT(mask, a, b) ((mask) ? (a) : (b))
#else
#define NH_STAGE_SELECT(mask, a, b) nh_select(mask, a, b)
#endif

/* Entry of a table for block g. */
NH_INLINE nh_coef nh_coefficient(const nh_scalar *table, int g)
{
    return *(const nh_coef *)(table + g * NH_BLOCK);
}

/* sum_i weight_i x_i over all stages of one component. */
NH_INLINE nh_real nh_stage_sum(int s, const nh_scalar *weight, const nh_stage *x, int stride)
{
#if NH_BLOCK > 1
    nh_stage part = nh_stage_set(0);
    for (int g = 0; g < (s + NH_BLOCK - 1) / NH_BLOCK; g++)
        part += nh_coefficient(weight, g) * x[g * stride];
    return (part[0] + part[2]) + (part[1] + part[3]);
#else
    nh_real part[4] = {nh_set(0), nh_set(0), nh_set(0), nh_set(0)};
    for (int j = 0; j < s; j++)
        part[j & 3] += weight[j] * x[j * stride];
    return (part[0] + part[2]) + (part[1] + part[3]);
#endif
}

/* sum_g += sum_j A_gj x_j, all target stages; A is [source][target], a source has `padded` targets. */
NH_INLINE void nh_stage_apply(int s, int padded, const nh_scalar *A, const nh_stage *x, int stride, nh_stage *sum)
{
    for (int j = 0; j < s; j++) {
        const nh_real xj = nh_one_stage(x, stride, j);
        for (int g = 0; g < (s + NH_BLOCK - 1) / NH_BLOCK; g++)
            sum[g] += nh_coefficient(A + j * padded, g) * xj;
    }
}

/* sum += increment where `mask`, with what rounding loses kept in `low`. */
NH_INLINE void nh_gain(nh_mask mask, nh_real increment, nh_real *sum, nh_real *low)
{
    const nh_real old = *sum, new = old + increment;
    *low = nh_select(mask, increment - (new - old), *low);
    *sum = nh_select(mask, new, old);
}
