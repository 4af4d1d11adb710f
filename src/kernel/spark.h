/* SPDX-License-Identifier: MIT */
/* One step of a SPARK method, L. O. Jay (2009), (6.1), in the (q,p) form, lambda with the + sign:
 *     Q_i = q_0 + h sum_j a_ij V_j                                          (6.1a)
 *     P_i = p_0 + h sum_j a^_ij F_j + h sum_j a~_ij R_j = L_v(T_i,Q_i,V_i)  (6.1b)
 *     q_1 = q_0 + h sum_j b_j V_j,  p_1 = p_0 + h sum_j b_j (F_j + R_j)     (6.1c), (6.1d)
 *     0 = sum_j omega_ij k(T_j,Q_j,V_j), i = 1..s-1,  0 = k(t_1,q_1,v_1)    (6.1e), (6.1f)
 * and, for holonomic constraints, g(T_i,Q_i) = 0 for i = 2..s, g_q v + g_t = 0 at t_1.
 *
 * First gear: a modified Newton iteration for V_i, lambda_i, v_1 with one saddle-point factor per stage (point.h),
 * frozen at the predicted stages. (6.1e) says that the stage values of k are n_i gamma with n the null vector of omega
 * and gamma unknown, m numbers. With Gram factors G_i = L_i U_i and the approximation D_i L_vv^-1 C_j = L_i U_j, exact
 * for i = j, corrections of the multipliers z_j = h U_j dlambda_j obey
 *     sum_j a~_ij z_j = w_i := L_i^-1 (n_i gamma - k_i),   sum_j b_j z_j = w_e := -L_e^-1 k(t_1,q_1,v_1),
 * s + 1 equations for s unknowns and gamma, with constant matrices: the table holds a left inverse of [A~; b], and the
 * vector that annihilates it from the left, which gives gamma. g(Q_i) becomes a residual of the same kind when divided
 * by h A; its null vector is the same. */

/* Where matrices are sparse, gamma comes from the same equations with one L for all of them, which then is not needed:
 * gamma = sum_i left_i k_i + left_e k_e, up to the sign. It is exact in the end, as gamma of the residuals is. */
#ifdef NH_SPARSE
#define NH_GAMMA_SIZE 0
#else
#define NH_GAMMA_SIZE ((m + l) * (m + l))
#endif

/* Arrays of a step: X(type, name, count); G blocks of stages. */
#define NH_FRAME_ARRAYS(X)                                                                                             \
    X(stage, T, G)                                                                                                     \
    X(stage, Q, G *n)                                                                                                  \
    X(stage, V, G *n)                                                                                                  \
    X(stage, F, G *n)                                                                                                  \
    X(stage, R, G *n)                                                                                                  \
    X(stage, impulse, G *n)                                                                                            \
    X(stage, P, n)                                                                                                     \
    X(stage, dV, G *n)                                                                                                 \
    X(stage, lost, n)                                                                                                  \
    X(stage, position_low, G *n)                                                                                       \
    X(stage, momentum_low, G *n)                                                                                       \
    X(stage, lambda, G *(m + l))                                                                                       \
    X(stage, w, G *(m + l))                                                                                            \
    X(stage, dlambda, G *(m + l))                                                                                      \
    X(stage, rows, G *NH_ROWS_SIZE)                                                                                    \
    X(stage, lift, G *NH_LIFT_SIZE)                                                                                    \
    X(stage, gram, G *NH_GRAM_SIZE)                                                                                    \
    X(stage, diagonal, G *(m + l))                                                                                     \
    X(stage, null, G *NH_GAMMA_SIZE)                                                                                   \
    X(stage, inverse, (NH_TRAIT(NH_MASS_CONSTANT) ? 1 : G) * NH_INVERSE_SIZE)                                          \
    X(stage, stage_work, NH_POINT_WORK)                                                                                \
    X(stage, sum, G *(n + m + l + 2))                                                                                  \
    X(stage, g, G *l)                                                                                                  \
    X(stage, stage_constants, constants)                                                                               \
    X(real, h, 2)                                                                                                      \
    X(real, t1, 1)                                                                                                     \
    X(real, q1, n)                                                                                                     \
    X(real, v1, n)                                                                                                     \
    X(real, p1, n)                                                                                                     \
    X(real, tug, n)                                                                                                    \
    X(real, slope, n)                                                                                                  \
    X(real, rest, n)                                                                                                   \
    X(real, dv, n)                                                                                                     \
    X(real, rows1, NH_ROWS_SIZE)                                                                                       \
    X(real, lift1, NH_LIFT_SIZE)                                                                                       \
    X(real, gram1, NH_GRAM_SIZE)                                                                                       \
    X(real, diagonal1, m + l)                                                                                          \
    X(real, inverse1, NH_INVERSE_SIZE)                                                                                 \
    X(real, lambda1, m + l)                                                                                            \
    X(real, w1, m + l)                                                                                                 \
    X(real, gamma, m + l)                                                                                              \
    X(real, gamma_inverse, NH_GAMMA_SIZE)                                                                              \
    X(real, gamma_work, 3 * NH_GAMMA_SIZE)                                                                             \
    X(real, middle, 2 * n + 1)                                                                                         \
    X(real, work, NH_POINT_WORK)                                                                                       \
    X(real, audit, 1 + m + 2 * l)

typedef struct nh_frame {
#define NH_FRAME_POINTER(type, name, count) nh_##type *name;
    NH_FRAME_ARRAYS(NH_FRAME_POINTER)
#undef NH_FRAME_POINTER
} nh_frame;

/* x without its last digits: a multiple of the last place of `grid`. */
#define NH_SNAP(x, grid) (((x) + (grid)) - (grid))

/* While iterating v_1 is looked at where it does not follow from the stages at once. */
#define NH_AT_END(i) (!NH_TRAIT(NH_MOMENTUM_LINEAR) || NH_TOUCHED(i))

#define NH_VECTOR(v) (NH_TABLE + NH_SPARK_AT_VECTOR(s, v))
#define NH_MATRIX(a) (NH_TABLE + NH_SPARK_AT_MATRIX(s, a))
#define NH_BLOCKS    ((s + NH_BLOCK - 1) / NH_BLOCK)

/* Block g of the stages, and the end, as points. */
NH_INLINE nh_stage_point nh_stage_of(NH_CONTEXT, const nh_frame *f, int g)
{
    NH_SIZES;
    const int ml = m + l, mass = NH_TRAIT(NH_MASS_CONSTANT) ? 0 : NH_INVERSE_SIZE;
    return (nh_stage_point){.t = f->T + g,
                            .q = f->Q + g * n,
                            .v = f->V + g * n,
                            .lambda = f->lambda + g * ml,
                            .inverse = f->inverse + g * mass,
                            .rows = f->rows + g * NH_ROWS_SIZE,
                            .lift = f->lift + g * NH_LIFT_SIZE,
                            .gram = f->gram + g * NH_GRAM_SIZE,
                            .diagonal = f->diagonal + g * ml,
                            .c = f->stage_constants,
                            .work = f->stage_work};
}

NH_INLINE nh_point nh_end_of(const nh_frame *f, const nh_real *c)
{
    return (nh_point){.t = f->t1,
                      .q = f->q1,
                      .v = f->v1,
                      .lambda = f->lambda1,
                      .inverse = f->inverse1,
                      .rows = f->rows1,
                      .lift = f->lift1,
                      .gram = f->gram1,
                      .diagonal = f->diagonal1,
                      .c = c,
                      .work = f->work};
}

/* What holds for all steps of a call. */
NH_INLINE void nh_begin(NH_CONTEXT, const nh_frame *f, nh_real *x)
{
    NH_SIZES;
    for (int i = 0; i < constants; i++)
        f->stage_constants[i] = nh_all_stages(x[NH_AT_CONSTANTS + i]);
    for (int g = 0; g < NH_BLOCKS; g++) {
        f->T[g] = nh_all_stages(x[NH_AT_START]);
        for (int i = 0; i < n; i++) {
            f->Q[g * n + i] = nh_all_stages(x[NH_AT_POSITION + i]);
            f->V[g * n + i] = nh_all_stages(x[NH_AT_VELOCITY + i]);
        }
        for (int i = 0; i < m + l; i++)
            f->lambda[g * (m + l) + i] = nh_all_stages(nh_set(0));
    }
    for (int j = 0; j < s; j++) {
        for (int i = 0; i < n; i++)
            nh_put_stage(f->V + i, n, j, x[NH_AT_STAGES + j * n + i]);
        for (int i = 0; i < m + l; i++)
            nh_put_stage(f->lambda + i, m + l, j, x[NH_AT_MULTIPLIERS + j * (m + l) + i]);
    }
    for (int i = 0; i < n; i++) {
        f->q1[i] = x[NH_AT_POSITION + i];
        f->v1[i] = x[NH_AT_VELOCITY + i];
    }
    f->t1[0] = x[NH_AT_START];
    f->h[0] = NH_SNAP(x[NH_AT_STEP], NH_STEP_GRID * x[NH_AT_STEP]);
    f->h[1] = x[NH_AT_STEP] - f->h[0];
    if (NH_TRAIT(NH_MASS_CONSTANT)) {
        const nh_stage_point stage = nh_stage_of(NH_PASS, f, 0);
        const nh_point end = nh_end_of(f, x + NH_AT_CONSTANTS);
        nh_stage_point_mass(NH_PASS, &stage);
        nh_point_mass(NH_PASS, &end);
    }
}

NH_INLINE void nh_finish(NH_CONTEXT, const nh_frame *f, nh_real *x)
{
    NH_SIZES;
    for (int j = 0; j < s; j++) {
        for (int i = 0; i < n; i++)
            x[NH_AT_STAGES + j * n + i] = nh_one_stage(f->V + i, n, j);
        for (int i = 0; i < m + l; i++)
            x[NH_AT_MULTIPLIERS + j * (m + l) + i] = nh_one_stage(f->lambda + i, m + l, j);
    }
}

/* y = A x, A one of the table's matrices. */
NH_INLINE void nh_matrix_times(NH_CONTEXT, int A, const nh_stage *x, int count, nh_stage *y)
{
    NH_SIZES;
    const nh_stage_map map = {.A = NH_MATRIX(A), .x = x, .s = s, .count = count, .y = y};
    nh_stage_map_all(&map);
}

/* Y = y_0 + (h A Y' + low): positions. */
NH_INLINE void nh_integrate(NH_CONTEXT, int A, const nh_stage *x, const nh_real *h, const nh_real *base,
                            const nh_stage *low, nh_stage *y)
{
    NH_SIZES;
    const nh_stage_map map = {.A = NH_MATRIX(A), .x = x, .s = s, .count = n, .h = h, .base = base, .low = low, .y = y};
    nh_stage_map_all(&map);
}

/* The same for momenta, the rates of which are F with A^ and R with A~; F is their sum already if A^ = A~. */
NH_INLINE void nh_integrate_forces(NH_CONTEXT, int A, int B, const nh_frame *f, const nh_real *base,
                                   const nh_stage *low, nh_stage *y)
{
    NH_SIZES;
    const int apart = m + l > 0 && !NH_TRAIT(NH_SAME_MATRICES);
    const nh_stage_map map = {.A = NH_MATRIX(A),
                              .B = NH_MATRIX(B),
                              .x = f->F,
                              .z = apart ? f->R : 0,
                              .s = s,
                              .count = n,
                              .h = f->h,
                              .base = base,
                              .low = low,
                              .y = y};
    nh_stage_map_all(&map);
}

/* (6.1a), and q_1. */
NH_INLINE void nh_positions(NH_CONTEXT, const nh_frame *f, const nh_real *x)
{
    NH_SIZES;
    const nh_real h = x[NH_AT_STEP];
    nh_integrate(NH_PASS, NH_SPARK_POSITION, f->V, f->h, x + NH_AT_POSITION, f->position_low, f->Q);
    for (int i = 0; i < n; i++)
        if (NH_WATCHED(i))
            f->q1[i] = x[NH_AT_POSITION + i] +
                       (h * nh_stage_sum(s, NH_VECTOR(NH_SPARK_B), f->V + i, n) + x[NH_AT_POSITION_LOW + i]);
}

/* The stages of the last step, extrapolated: V, lambda, v_1, and the positions that follow. Low parts of the
 * coefficients act on these predictions once and for all: they are good to many digits, and low parts need few. */
NH_INLINE void nh_predict(NH_CONTEXT, const nh_frame *f, const nh_real *x, nh_mask active)
{
    NH_SIZES;
    const int ml = m + l;
    const nh_real h = x[NH_AT_STEP], t = x[NH_AT_START] + x[NH_AT_COUNT] * h;
    f->t1[0] = x[NH_AT_START] + (x[NH_AT_COUNT] + 1) * h;
    for (int g = 0; g < NH_BLOCKS; g++)
        f->T[g] = t + nh_coefficient(NH_VECTOR(NH_SPARK_C), g) * h;
    for (int g = 0; g < NH_BLOCKS; g++)
        for (int i = 0; i < n; i++)
            f->dV[g * n + i] = f->V[g * n + i] - x[NH_AT_VELOCITY + i];
    nh_matrix_times(NH_PASS, NH_SPARK_AHEAD, f->dV, n, f->sum);
    for (int i = 0; i < n; i++) {
        const nh_real v = x[NH_AT_VELOCITY + i];
        for (int g = 0; g < NH_BLOCKS; g++)
            f->V[g * n + i] = NH_COMMIT(active, v + f->sum[g * n + i], f->V[g * n + i]);
        f->v1[i] = v + nh_stage_sum(s, NH_VECTOR(NH_SPARK_AHEAD_END), f->dV + i, n);
    }
    nh_matrix_times(NH_PASS, NH_SPARK_AHEAD_REACTION, f->lambda, ml, f->sum);
    for (int i = 0; i < NH_BLOCKS * ml; i++)
        f->lambda[i] = NH_COMMIT(active, f->sum[i], f->lambda[i]);
    nh_integrate(NH_PASS, NH_SPARK_POSITION_LOW, f->V, f->h, x + NH_AT_POSITION_LOW, 0, f->position_low);
    nh_positions(NH_PASS, f, x);
}

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
        f->gamma[c] =
            -(nh_stage_sum(s, NH_VECTOR(NH_SPARK_LEFT), f->w + c, ml) + NH_VECTOR(NH_SPARK_LEFT_END)[0] * f->w1[c]);
    for (int g = 0; g < NH_BLOCKS; g++) {
        const nh_stage_point stage = nh_stage_of(NH_PASS, f, g);
        nh_stage *w = f->w + g * ml;
        for (int c = 0; c < ml; c++)
            w[c] = NH_TRAIT(NH_COLLOCATED) ? -w[c] : nh_coefficient(NH_VECTOR(NH_SPARK_NULL), g) * f->gamma[c] - w[c];
        nh_stage_point_lower(NH_PASS, &stage, w);
    }
    for (int c = 0; c < ml; c++)
        f->w1[c] = NH_TRAIT(NH_COLLOCATED) ? nh_set(0) : -f->w1[c];
    nh_point_lower(NH_PASS, end, f->w1);
}
#else
/* n_i L_i^-1, and the inverse of the matrix that gives gamma. */
NH_INLINE void nh_freeze_gamma(NH_CONTEXT, const nh_frame *f)
{
    NH_SIZES;
    const int ml = m + l;
    for (int g = 0; g < NH_BLOCKS; g++) {
        const nh_stage_point stage = nh_stage_of(NH_PASS, f, g);
        nh_stage *null = f->null + g * ml * ml;
        for (int c = 0; c < ml; c++) { /* row c: column c of n_i L_i^-1 */
            for (int r = 0; r < ml; r++)
                null[c * ml + r] = nh_stage_set(0);
            null[c * ml + c] += nh_coefficient(NH_VECTOR(NH_SPARK_NULL), g);
            nh_stage_point_lower(NH_PASS, &stage, null + c * ml);
        }
    }
    if (NH_TRAIT(NH_COLLOCATED))
        return;
    for (int c = 0; c < ml; c++)
        for (int r = 0; r < ml; r++)
            f->gamma_work[r * ml + c] = nh_stage_sum(s, NH_VECTOR(NH_SPARK_LEFT), f->null + c * ml + r, ml * ml);
    nh_invert(ml, f->gamma_work, f->gamma_inverse, f->gamma_work + ml * ml);
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
        f->gamma_work[c] =
            nh_stage_sum(s, NH_VECTOR(NH_SPARK_LEFT), f->w + c, ml) + NH_VECTOR(NH_SPARK_LEFT_END)[0] * f->w1[c];
    if (!NH_TRAIT(NH_COLLOCATED))
        nh_multiply(ml, ml, f->gamma_inverse, f->gamma_work, f->gamma);
    for (int g = 0; g < NH_BLOCKS; g++)
        for (int c = 0; c < ml; c++) {
            nh_stage w = -f->w[g * ml + c];
            for (int r = 0; r < ml && !NH_TRAIT(NH_COLLOCATED); r++)
                w += f->null[(g * ml + r) * ml + c] * f->gamma[r];
            f->w[g * ml + c] = w;
        }
    for (int c = 0; c < ml; c++)
        f->w1[c] = NH_TRAIT(NH_COLLOCATED) ? nh_set(0) : -f->w1[c];
}
#endif

/* Saddle-point factors at the predicted stages and end, and what gives gamma. */
NH_INLINE void nh_freeze(NH_CONTEXT, const nh_frame *f, const nh_real *x)
{
    NH_SIZES;
    const int ml = m + l;
    const nh_point end = nh_end_of(f, x + NH_AT_CONSTANTS);
    for (int g = 0; g < NH_BLOCKS; g++) {
        const nh_stage_point stage = nh_stage_of(NH_PASS, f, g);
        nh_stage_point_factor(NH_PASS, &stage);
    }
    for (int c = 0; c < ml; c++) /* there is no multiplier at the end: that of the last stage will do */
        f->lambda1[c] = nh_one_stage(f->lambda + c, ml, s - 1);
    nh_point_factor(NH_PASS, &end);
    nh_freeze_gamma(NH_PASS, f);
}

/* sum_j b_j (F_j + R_j) of component i. */
NH_INLINE nh_real nh_impulse(NH_CONTEXT, const nh_frame *f, int i)
{
    NH_SIZES;
    nh_real sum = nh_stage_sum(s, NH_VECTOR(NH_SPARK_B), f->F + i, n);
    if (m + l > 0 && !NH_TRAIT(NH_SAME_MATRICES))
        sum += nh_stage_sum(s, NH_VECTOR(NH_SPARK_B), f->R + i, n);
    return sum;
}

/* (6.1b): forces and momenta at the stages; (6.1d): p_1. */
NH_INLINE void nh_momenta(NH_CONTEXT, const nh_frame *f, const nh_real *x, int first, int last)
{
    NH_SIZES;
    const nh_real h = x[NH_AT_STEP];
    for (int g = 0; g < NH_BLOCKS; g++) {
        const nh_stage_point stage = nh_stage_of(NH_PASS, f, g);
        nh_stage *F = f->F + g * n, *R = f->R + g * n;
        nh_stage_point_forces(NH_PASS, &stage, f->lambda + g * (m + l), F, R);
        for (int i = 0; i < n && m + l > 0 && NH_TRAIT(NH_SAME_MATRICES); i++)
            if (NH_TOUCHED(i))
                F[i] += R[i];
    }
    if (first)
        nh_integrate_forces(NH_PASS, NH_SPARK_FORCE_LOW, NH_SPARK_REACTION_LOW, f, x + NH_AT_MOMENTUM_LOW, 0,
                            f->momentum_low);
    nh_integrate_forces(NH_PASS, NH_SPARK_FORCE, NH_SPARK_REACTION, f, 0, f->momentum_low, f->impulse);
    for (int i = 0; i < n; i++)
        if (last || NH_AT_END(i))
            f->p1[i] = x[NH_AT_MOMENTUM + i] + (h * nh_impulse(NH_PASS, f, i) + x[NH_AT_MOMENTUM_LOW + i]);
}

/* Velocities from momenta at block g of the stages; by how much they have changed is in dV. The last time they stay as
 * they are, and what they lack to the last digit is in dV. */
NH_INLINE void nh_stage_velocities(NH_CONTEXT, const nh_frame *f, const nh_real *x, nh_mask todo, int last, int g)
{
    NH_SIZES;
    const nh_stage_point stage = nh_stage_of(NH_PASS, f, g);
    nh_stage *dV = f->dV + g * n;
    for (int i = 0; i < n; i++) {
        const nh_stage p = nh_all_stages(x[NH_AT_MOMENTUM + i]), dp = f->impulse[g * n + i];
        f->P[i] = p + dp;
        if (last)
            f->lost[i] = nh_stage_lost(p, dp, f->P[i]);
    }
    if (last) {
        nh_stage_point_correction(NH_PASS, &stage, f->P, f->lost, dV);
        return;
    }
    const int linear = NH_TRAIT(NH_MOMENTUM_LINEAR);
    if (linear)
        nh_stage_point_divide(NH_PASS, &stage, f->P, 1, dV, 1);
    else
        nh_stage_point_correction(NH_PASS, &stage, f->P, 0, dV);
    for (int i = 0; i < n; i++) {
        const nh_stage old = stage.v[i], new = linear ? dV[i] : old + dV[i];
        stage.v[i] = NH_COMMIT(todo, new, old);
        dV[i] = linear ? new - old : dV[i];
    }
}

/* The velocity at the end, v_1; by how much it has changed is in dv, or nothing where it follows from p_1 at once. */
NH_INLINE void nh_end_velocity(NH_CONTEXT, const nh_frame *f, const nh_real *x, nh_mask todo, int last)
{
    NH_SIZES;
    const nh_point end = nh_end_of(f, x + NH_AT_CONSTANTS);
    if (NH_TRAIT(NH_MOMENTUM_LINEAR)) {
        nh_point_divide(NH_PASS, &end, f->p1, 1, f->dv, 1);
        for (int i = 0; i < n; i++)
            if (last || NH_AT_END(i)) {
                f->v1[i] = NH_COMMIT(todo, f->dv[i], f->v1[i]);
                f->dv[i] = nh_set(0);
            }
    }
    if (NH_TRAIT(NH_MOMENTUM_LINEAR) && !last)
        return;
    nh_point_correction(NH_PASS, &end, f->p1, 0, f->dv);
    for (int i = 0; i < n; i++)
        f->v1[i] = NH_COMMIT(todo, f->v1[i] + f->dv[i], f->v1[i]);
}

/* The residuals of the constraints at the new velocities: into w and w1. */
NH_INLINE void nh_residuals(NH_CONTEXT, const nh_frame *f, const nh_real *x, int last)
{
    NH_SIZES;
    const int ml = m + l;
    const nh_real h = x[NH_AT_STEP];
    for (int g = 0; g < NH_BLOCKS; g++) {
        const nh_stage_point stage = nh_stage_of(NH_PASS, f, g);
        nh_stage *dV = f->dV + g * n, *w = f->w + g * ml;
        nh_stage_point_constraint(NH_PASS, &stage, 0, w);
        for (int c = 0; c < m && last; c++)
            w[c] += nh_stage_point_row(NH_PASS, &stage, c, dV, nh_stage_set(0));
        for (int c = m; c < ml; c++) /* g(Q_i) is taken up below; here what the change of V does to it */
            w[c] = nh_stage_point_row(NH_PASS, &stage, c, dV, nh_stage_set(0));
        if (l > 0)
            nh_stage_point_holonomic(NH_PASS, &stage, f->g + g * l);
    }
    if (l > 0)
        nh_matrix_times(NH_PASS, NH_SPARK_QUOTIENT, f->g, l, f->sum);
    for (int g = 0; g < NH_BLOCKS; g++)
        for (int c = 0; c < l; c++)
            f->w[g * ml + m + c] += f->sum[g * l + c] / h;
    const nh_point end = nh_end_of(f, x + NH_AT_CONSTANTS);
    nh_point_constraint(NH_PASS, &end, 1, f->w1);
}

/* Jay 8.4: the residual of the condition at the middle takes the place of those at both stages. */
NH_INLINE void nh_middle_residual(NH_CONTEXT, const nh_frame *f, const nh_real *x, int last)
{
    NH_SIZES;
    const nh_real h = x[NH_AT_STEP];
    nh_point middle = nh_end_of(f, x + NH_AT_CONSTANTS);
    nh_real *q = f->middle, *v = q + n, *t = v + n;
    t[0] = x[NH_AT_START] + (x[NH_AT_COUNT] + nh_set(0.5)) * h;
    for (int i = 0; i < n; i++) {
        v[i] = nh_one_stage(f->V + i, n, 0);
        q[i] = x[NH_AT_POSITION + i] + nh_set(0.5) * h * v[i];
    }
    middle.t = t;
    middle.q = q;
    middle.v = v;
    nh_point_constraint(NH_PASS, &middle, 0, f->gamma);
    const nh_stage_point first = nh_stage_of(NH_PASS, f, 0);
    for (int c = 0; c < m && last; c++) {
        const nh_stage residual = nh_stage_point_row(NH_PASS, &first, c, f->dV, nh_all_stages(f->gamma[c]));
        f->gamma[c] = nh_one_stage(&residual, 0, 0);
    }
    for (int g = 0; g < NH_BLOCKS; g++)
        for (int c = 0; c < m; c++)
            f->w[g * (m + l) + c] = nh_all_stages(f->gamma[c]);
}

/* Corrections of the multipliers, and of the velocities by them; the whole correction of velocities stays in dV and dv,
 * what the end adds to the momentum in tug. */
NH_INLINE void nh_multipliers(NH_CONTEXT, const nh_frame *f, const nh_real *x, nh_mask todo, int last)
{
    NH_SIZES;
    const int ml = m + l;
    const nh_real per_h = 1 / x[NH_AT_STEP];
    nh_matrix_times(NH_PASS, NH_SPARK_INVERSE, f->w, ml, f->dlambda);
    for (int g = 0; g < NH_BLOCKS; g++) {
        const nh_stage_point stage = nh_stage_of(NH_PASS, f, g);
        nh_stage *dlambda = f->dlambda + g * ml, *lambda = f->lambda + g * ml, *w = f->w + g * ml;
        for (int c = 0; c < ml; c++)
            dlambda[c] += nh_coefficient(NH_VECTOR(NH_SPARK_INVERSE_END), g) * f->w1[c];
        nh_stage_point_upper(NH_PASS, &stage, dlambda);
        for (int c = 0; c < ml; c++)
            lambda[c] = NH_COMMIT(todo, lambda[c] + dlambda[c] * per_h, lambda[c]);
        nh_stage_point_upper(NH_PASS, &stage, w);
        for (int i = 0; i < n; i++) {
            if (!NH_TOUCHED(i))
                continue;
            const nh_stage lifted = nh_stage_point_lift(NH_PASS, &stage, w, i);
            f->dV[g * n + i] += lifted;
            if (!last)
                stage.v[i] = NH_COMMIT(todo, stage.v[i] + lifted, stage.v[i]);
        }
    }
    const nh_point end = nh_end_of(f, x + NH_AT_CONSTANTS);
    nh_point_upper(NH_PASS, &end, f->w1);
    if (last)
        nh_point_pull(NH_PASS, &end, f->w1, f->tug);
    for (int i = 0; i < n; i++) {
        if (!NH_TOUCHED(i))
            continue;
        const nh_real lifted = nh_point_lift(NH_PASS, &end, f->w1, i);
        f->v1[i] = NH_COMMIT(todo, f->v1[i] + lifted, f->v1[i]);
        f->dv[i] += lifted;
    }
}

/* Sum of |v| over all stages and the end; there without what follows from the stages at once. */
NH_INLINE nh_real nh_size_of(NH_CONTEXT, const nh_frame *f, const nh_stage *V, const nh_real *v1)
{
    NH_SIZES;
    for (int g = 0; g < NH_BLOCKS; g++) {
        f->sum[g] = nh_stage_set(0);
        for (int i = 0; i < n; i++)
            f->sum[g] += nh_stage_abs(V[g * n + i]);
    }
    nh_real size = nh_stage_sum(s, NH_VECTOR(NH_SPARK_REAL), f->sum, 1);
    for (int i = 0; i < n; i++)
        if (NH_AT_END(i))
            size += nh_abs(v1[i]);
    return size;
}

/* One correction of V, lambda, v_1 where `todo`. */
NH_INLINE void nh_correct(NH_CONTEXT, const nh_frame *f, const nh_real *x, nh_mask todo, int first, int last)
{
    NH_SIZES;
    nh_momenta(NH_PASS, f, x, first, last);
    for (int g = 0; g < NH_BLOCKS; g++)
        nh_stage_velocities(NH_PASS, f, x, todo, last, g);
    nh_end_velocity(NH_PASS, f, x, todo, last);
    nh_residuals(NH_PASS, f, x, last);
    if (NH_TRAIT(NH_MIDPOINT))
        nh_middle_residual(NH_PASS, f, x, last);
    const nh_point end = nh_end_of(f, x + NH_AT_CONSTANTS);
    nh_demands(NH_PASS, f, &end);
    nh_multipliers(NH_PASS, f, x, todo, last);
}

/* What of the velocities a correction cannot be told from: rounding errors of V, and of g, which has been divided by h.
 */
NH_INLINE nh_real nh_noise(NH_CONTEXT, const nh_frame *f, const nh_real *x, nh_real size)
{
    NH_SIZES;
    nh_real reach = nh_set(0);
    for (int i = 0; i < n && l > 0; i++)
        reach += nh_abs(f->q1[i]);
    if (l > 0)
        size += reach * nh_abs(1 / x[NH_AT_STEP]);
    return nh_set(1024 * NH_EPSILON) * size;
}

/* Iterates until one more correction, which is left to nh_close, leaves nothing: what is left is always left on the
 * same side, and a thousandth of a unit in the last place is seen as a drift after some million steps. Corrections of
 * the size of round-off say nothing about the rate, and go on shrinking for all we see; if larger ones shrink no more,
 * this is the end too. Returns the lanes that have not come so far. */
NH_INLINE nh_mask nh_iterate(NH_CONTEXT, const nh_frame *f, nh_real *x, nh_mask active)
{
    NH_SIZES;
    nh_mask todo = active;
    nh_real size = nh_set(0), before = nh_set(0), rate = x[NH_AT_RATE], iterations = nh_set(1);
    for (int i = 1;; i++) {
        nh_correct(NH_PASS, f, x, todo, i == 1, 0);
        nh_real change = nh_size_of(NH_PASS, f, f->dV, f->dv);
        iterations = NH_COMMIT(todo, iterations + 1, iterations);
        if (i == 1) {
            size = nh_size_of(NH_PASS, f, f->V, f->v1);
        } else {
            const nh_mask stuck = (change <= nh_noise(NH_PASS, f, x, size)) & (before <= 2 * change);
            const nh_mask blind = change <= nh_set(4 * NH_EPSILON) * size;
            const nh_real seen = nh_max(change / before, nh_set(0.2) * rate);
            change = nh_select(blind, nh_min(change, rate * before), change);
            rate = NH_COMMIT(todo, nh_select(blind, nh_min(rate, seen), seen), rate);
            const nh_mask small = rate * rate * change <= nh_set(0x1p-14 * NH_EPSILON) * size;
            const nh_mask finite = size < nh_set(__builtin_inf()); /* what is infinite looks small to itself */
            todo = todo & nh_not((small | stuck) & finite);
        }
        before = change;
        nh_positions(NH_PASS, f, x);
        if (!nh_any(todo) || i == NH_ITERATIONS)
            break;
    }
    x[NH_AT_RATE] = nh_select(active, nh_min(nh_max(rate, nh_set(0.02)), nh_set(0.3)), x[NH_AT_RATE]);
    const nh_mask good = active & nh_not(todo); /* steps that are not made have no iterations */
    x[NH_AT_ITERATIONS] = nh_select(good, x[NH_AT_ITERATIONS] + iterations, x[NH_AT_ITERATIONS]);
    x[NH_AT_ITERATIONS_MAX] = nh_select(good, nh_max(iterations, x[NH_AT_ITERATIONS_MAX]), x[NH_AT_ITERATIONS_MAX]);
    return todo;
}

/* A lane that has failed starts anew from a constant polynomial. */
NH_INLINE void nh_forget(NH_CONTEXT, const nh_frame *f, const nh_real *x, nh_mask failed)
{
    NH_SIZES;
    const int ml = m + l;
    for (int g = 0; g < NH_BLOCKS; g++) {
        for (int i = 0; i < n; i++)
            f->V[g * n + i] = NH_STAGE_SELECT(failed, nh_all_stages(x[NH_AT_VELOCITY + i]), f->V[g * n + i]);
        for (int c = 0; c < ml; c++)
            f->lambda[g * ml + c] = NH_STAGE_SELECT(failed, nh_stage_set(0), f->lambda[g * ml + c]);
    }
}

/* Every sum + low gains h sum_j b_j (rate_j + rate_low_j) + extra, without rounding errors that matter: weights, rates,
 * step and sum are cut into a head and a tail, products of heads are exact and so is their sum, and what has a tail in
 * it is small. Products that are rounded as they come drift, by a hundredth of a unit in the last place a step. */
NH_INLINE void nh_settle(NH_CONTEXT, const nh_frame *f, nh_mask good, const nh_stage *rate, const nh_stage *rate_low,
                         const nh_real *extra, nh_real *sum, nh_real *low)
{
    NH_SIZES;
    nh_stage *head = f->sum, *tail = f->sum + NH_BLOCKS;
    for (int i = 0; i < n; i++) {
        const nh_real ends = nh_abs(nh_one_stage(rate + i, n, 0)) + nh_abs(nh_one_stage(rate + i, n, s - 1));
        for (int g = 0; g < NH_BLOCKS; g++) {
            const nh_stage all = rate[g * n + i];
            head[g] = NH_SNAP(all, NH_RATE_GRID * ends);
            tail[g] = rate_low ? (all - head[g]) + rate_low[g * n + i] : all - head[g];
        }
        nh_parts parts = {nh_stage_set(0)};
        nh_stage_add(s, NH_VECTOR(NH_SPARK_B_TAIL), rate + i, n, parts);
        nh_stage_add(s, NH_VECTOR(NH_SPARK_B_HEAD), tail, 1, parts);
        f->slope[i] = nh_stage_sum(s, NH_VECTOR(NH_SPARK_B_HEAD), head, 1);
        f->rest[i] = nh_stage_total(parts);
    }
    const nh_real h = f->h[0], h_tail = f->h[1];
    NH_SIDE_BY_SIDE
    for (int i = 0; i < n; i++) {
        const nh_real slope = f->slope[i], slope_head = NH_SNAP(slope, NH_SLOPE_GRID * slope), major = h * slope_head;
        const nh_real more = extra ? extra[i] + low[i] : low[i];
        const nh_real minor = (h * (slope - slope_head) + h_tail * slope) + ((h + h_tail) * f->rest[i] + more);
        const nh_real near = sum[i] + major, small = minor + nh_lost(sum[i], major, near), new = near + small;
        low[i] = NH_COMMIT(good, nh_lost(near, small, new), low[i]);
        sum[i] = NH_COMMIT(good, new, sum[i]);
    }
}

/* The last correction: small enough to be kept apart from V, which has no digits left for it. Rounding errors of V come
 * back through the forces, and where the iteration ends is no accident: without this the energy drifts, by a hundredth
 * of a unit in the last place a step. */
NH_INLINE void nh_close(NH_CONTEXT, const nh_frame *f, const nh_real *x, nh_mask good)
{
    NH_SIZES;
    nh_correct(NH_PASS, f, x, good, 0, 1);
    if (m + l > 0 && !NH_TRAIT(NH_SAME_MATRICES))
        for (int j = 0; j < NH_BLOCKS * n; j++)
            f->F[j] += f->R[j];
}

/* One step of the lanes in `active`; returns those that have made it. */
NH_INLINE nh_mask nh_step(NH_CONTEXT, const nh_frame *f, nh_real *x, nh_mask active)
{
    NH_SIZES;
    nh_predict(NH_PASS, f, x, active);
    nh_freeze(NH_PASS, f, x);
    const nh_mask failed = nh_iterate(NH_PASS, f, x, active), good = active & nh_not(failed);
    if (nh_any(good)) {
        nh_close(NH_PASS, f, x, good);
        nh_settle(NH_PASS, f, good, f->V, f->dV, 0, x + NH_AT_POSITION, x + NH_AT_POSITION_LOW);
        nh_settle(NH_PASS, f, good, f->F, 0, f->tug, x + NH_AT_MOMENTUM, x + NH_AT_MOMENTUM_LOW);
        for (int i = 0; i < n; i++)
            x[NH_AT_VELOCITY + i] = NH_COMMIT(good, f->v1[i], x[NH_AT_VELOCITY + i]);
    }
    if (nh_any(failed))
        nh_forget(NH_PASS, f, x, failed);
    return good;
}
