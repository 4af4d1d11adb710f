/* SPDX-License-Identifier: MIT */
/* gamma of spark.h, and what the constraints ask of the stages and of the end. */

/* Where matrices are sparse, gamma comes from the same equations with one L for all of them, which then is not needed:
 * gamma = sum_i left_i k_i + left_e k_e, up to the sign. It is exact in the end, as gamma of the residuals is. */
#ifdef NH_SPARSE
NH_INLINE void nh_freeze_gamma(NH_CONTEXT, const nh_frame *f)
{
    NH_SIZES;
    (void)f;
}

/* What the constraints ask of the stages and of the end, in units of velocity: w and w1 become w_i and w_e above. */
NH_INLINE void nh_demands(NH_CONTEXT, const nh_frame *f, const nh_point *end)
{
    NH_SIZES;
    const int ml = m + l;
    for (int c = 0; c < ml; c++)
        f->gamma[c] = -(nh_stage_sum(s, NH_VECTOR(NH_SPARK_LEFT), f->w + c, ml) +
                        nh_one_stage(NH_VECTOR(NH_SPARK_LEFT_END), 1, 0) * f->w1[c]);
    for (int g = 0; g < NH_BLOCKS; g++) {
        const nh_stage_point stage = nh_stage_of(NH_PASS, f, g);
        nh_stage *w = f->w + g * ml;
        for (int c = 0; c < ml; c++)
            w[c] = NH_TRAIT(NH_COLLOCATED) ? -w[c] : NH_VECTOR(NH_SPARK_NULL)[g] * f->gamma[c] - w[c];
        nh_stage_point_lower(NH_PASS, &stage, w);
    }
    for (int c = 0; c < ml; c++)
        f->w1[c] = NH_TRAIT(NH_COLLOCATED) ? nh_set(0) : -f->w1[c];
    nh_point_lower(NH_PASS, end, f->w1);
}
#else
/* The inverse of a matrix that has entries where L^-1 has. */
NH_INLINE void nh_invert_lower(NH_CONTEXT, const nh_real *a, nh_real *inverse)
{
    NH_SIZES;
    const int ml = m + l;
    NH_EACH (int r = 0; r < ml; r++) {
        inverse[r * ml + r] = 1 / a[r * ml + r];
        NH_EACH (int c = 0; c < r; c++) {
            if (!NH_IN_LOWER(r, c))
                continue;
            nh_real sum = NH_NOTHING;
            NH_EACH (int e = c; e < r; e++)
                if (NH_IN_LOWER(r, e) && NH_IN_LOWER(e, c))
                    sum -= a[r * ml + e] * inverse[e * ml + c];
            inverse[r * ml + c] = sum * inverse[r * ml + r];
        }
    }
}

/* n_i L_i^-1, and the inverse of the matrix that gives gamma. */
NH_INLINE void nh_freeze_gamma(NH_CONTEXT, const nh_frame *f)
{
    NH_SIZES;
    const int ml = m + l;
    for (int g = 0; g < NH_BLOCKS; g++) {
        const nh_stage_point stage = nh_stage_of(NH_PASS, f, g);
        nh_stage *null = f->null + g * ml * ml;
        NH_EACH (int c = 0; c < ml; c++) /* row c: column c of n_i L_i^-1 */
            nh_stage_lower_column(NH_PASS, &stage, c, NH_VECTOR(NH_SPARK_NULL)[g], null + c * ml);
    }
    if (NH_TRAIT(NH_COLLOCATED))
        return;
    NH_EACH (int c = 0; c < ml; c++)
        NH_EACH (int r = c; r < ml; r++)
            if (NH_IN_LOWER(r, c))
                f->gamma_work[r * ml + c] = nh_stage_sum(s, NH_VECTOR(NH_SPARK_LEFT), f->null + c * ml + r, ml * ml);
    nh_invert_lower(NH_PASS, f->gamma_work, f->gamma_inverse);
}

/* What the constraints ask of the stages and of the end, in units of velocity: w and w1 become w_i and w_e above. */
NH_INLINE void nh_demands(NH_CONTEXT, const nh_frame *f, const nh_point *end)
{
    NH_SIZES;
    const int ml = m + l;
    for (int g = 0; g < NH_BLOCKS; g++) {
        const nh_stage_point stage = nh_stage_of(NH_PASS, f, g);
        nh_stage_point_lower(NH_PASS, &stage, f->w + g * ml);
    }
    nh_point_lower(NH_PASS, end, f->w1);
    for (int c = 0; c < ml; c++)
        f->gamma_work[c] = nh_stage_sum(s, NH_VECTOR(NH_SPARK_LEFT), f->w + c, ml) +
                           nh_one_stage(NH_VECTOR(NH_SPARK_LEFT_END), 1, 0) * f->w1[c];
    NH_EACH (int r = 0; r < ml; r++) {
        f->gamma[r] = NH_NOTHING;
        NH_EACH (int c = 0; c <= r && !NH_TRAIT(NH_COLLOCATED); c++)
            if (NH_IN_LOWER(r, c))
                f->gamma[r] += f->gamma_inverse[r * ml + c] * f->gamma_work[c];
    }
    for (int g = 0; g < NH_BLOCKS; g++)
        NH_EACH (int r = 0; r < ml; r++) {
            nh_stage w = -f->w[g * ml + r];
            NH_EACH (int c = 0; c <= r && !NH_TRAIT(NH_COLLOCATED); c++)
                if (NH_IN_LOWER(r, c))
                    w += f->null[(g * ml + c) * ml + r] * f->gamma[c];
            f->w[g * ml + r] = w;
        }
    for (int c = 0; c < ml; c++)
        f->w1[c] = NH_TRAIT(NH_COLLOCATED) ? nh_set(0) : -f->w1[c];
}
#endif
