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

/* Arrays of a step: X(type, name, count); G blocks of stages. */
#define NH_FRAME_ARRAYS(X)                                                                                             \
    X(stage, T, G)                                                                                                     \
    X(stage, Q, G *n)                                                                                                  \
    X(stage, V, G *n)                                                                                                  \
    X(stage, F, G *n)                                                                                                  \
    X(stage, R, G *n)                                                                                                  \
    X(stage, P, G *n)                                                                                                  \
    X(stage, dV, G *n)                                                                                                 \
    X(stage, position_low, G *n)                                                                                       \
    X(stage, momentum_low, G *n)                                                                                       \
    X(stage, lambda, G *(m + l))                                                                                       \
    X(stage, w, G *(m + l))                                                                                            \
    X(stage, dlambda, G *(m + l))                                                                                      \
    X(stage, rows, G *(m + l) * n)                                                                                     \
    X(stage, lift, G *(m + l) * n)                                                                                     \
    X(stage, gram, G *(m + l) * (m + l))                                                                               \
    X(stage, diagonal, G *(m + l))                                                                                     \
    X(stage, null, G *(m + l) * (m + l))                                                                               \
    X(stage, inverse, (NH_TRAIT(NH_MASS_CONSTANT) ? 1 : G) * (NH_TRAIT(NH_MASS_DIAGONAL) ? n : n * n))                 \
    X(stage, stage_work, NH_POINT_WORK)                                                                                \
    X(stage, sum, 2 * G)                                                                                               \
    X(stage, g, G *l)                                                                                                  \
    X(stage, stage_constants, constants)                                                                               \
    X(real, t1, 1)                                                                                                     \
    X(real, q1, n)                                                                                                     \
    X(real, v1, n)                                                                                                     \
    X(real, p1, n)                                                                                                     \
    X(real, dp, n)                                                                                                     \
    X(real, kick, n)                                                                                                   \
    X(real, dv, n)                                                                                                     \
    X(real, q1_low, n)                                                                                                 \
    X(real, p1_low, n)                                                                                                 \
    X(real, rows1, (m + l) * n)                                                                                        \
    X(real, lift1, (m + l) * n)                                                                                        \
    X(real, gram1, (m + l) * (m + l))                                                                                  \
    X(real, diagonal1, m + l)                                                                                          \
    X(real, inverse1, NH_TRAIT(NH_MASS_DIAGONAL) ? n : n *n)                                                           \
    X(real, lambda1, m + l)                                                                                            \
    X(real, w1, m + l)                                                                                                 \
    X(real, gamma, m + l)                                                                                              \
    X(real, gamma_inverse, (m + l) * (m + l))                                                                          \
    X(real, gamma_work, 3 * (m + l) * (m + l))                                                                         \
    X(real, middle, 2 * n + 1)                                                                                         \
    X(real, work, NH_POINT_WORK)                                                                                       \
    X(real, audit, 1 + m + 2 * l)

typedef struct nh_frame {
#define NH_FRAME_POINTER(type, name, count) nh_##type *name;
    NH_FRAME_ARRAYS(NH_FRAME_POINTER)
#undef NH_FRAME_POINTER
} nh_frame;

#define NH_VECTOR(v) (NH_TABLE + NH_SPARK_AT_VECTOR(s, v))
#define NH_MATRIX(a) (NH_TABLE + NH_SPARK_AT_MATRIX(s, a))
#define NH_BLOCKS    ((s + NH_BLOCK - 1) / NH_BLOCK)

/* Block g of the stages, and the end, as points. */
NH_INLINE nh_stage_point nh_stage_of(NH_CONTEXT, const nh_frame *f, int g)
{
    NH_SIZES;
    const int ml = m + l, mass = NH_TRAIT(NH_MASS_CONSTANT) ? 0 : n * n;
    return (nh_stage_point){.t = f->T + g,
                            .q = f->Q + g * n,
                            .v = f->V + g * n,
                            .lambda = f->lambda + g * ml,
                            .inverse = f->inverse + g * mass,
                            .rows = f->rows + g * ml * n,
                            .lift = f->lift + g * ml * n,
                            .gram = f->gram + g * ml * ml,
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

/* A, or another matrix of the table, times the stages x of component i: into f->sum. */
NH_INLINE void nh_matrix_times(NH_CONTEXT, const nh_frame *f, int matrix, const nh_stage *x, int stride)
{
    NH_SIZES;
    for (int g = 0; g < NH_BLOCKS; g++)
        f->sum[g] = nh_stage_set(0);
    nh_stage_apply(s, NH_SPARK_PADDED(s), NH_MATRIX(matrix), x, stride, f->sum);
}

/* (6.1a), and q_1. */
NH_INLINE void nh_positions(NH_CONTEXT, const nh_frame *f, const nh_real *x)
{
    NH_SIZES;
    const nh_real h = x[NH_AT_STEP];
    NH_IN_MEMORY(f->V, NH_BLOCKS * n);
    for (int i = 0; i < n; i++) {
        const nh_real q = x[NH_AT_POSITION + i];
        nh_matrix_times(NH_PASS, f, NH_SPARK_POSITION, f->V + i, n);
        for (int g = 0; g < NH_BLOCKS; g++)
            f->Q[g * n + i] = q + (h * f->sum[g] + f->position_low[g * n + i]);
        f->q1[i] = q + (h * nh_stage_sum(s, NH_VECTOR(NH_SPARK_B), f->V + i, n) + f->q1_low[i]);
    }
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
    NH_IN_MEMORY(f->dV, NH_BLOCKS * n);
    for (int i = 0; i < n; i++) {
        const nh_real v = x[NH_AT_VELOCITY + i];
        nh_matrix_times(NH_PASS, f, NH_SPARK_AHEAD, f->dV + i, n);
        for (int g = 0; g < NH_BLOCKS; g++)
            f->V[g * n + i] = NH_COMMIT(active, v + f->sum[g], f->V[g * n + i]);
        f->v1[i] = v + nh_stage_sum(s, NH_VECTOR(NH_SPARK_AHEAD_END), f->dV + i, n);
    }
    NH_IN_MEMORY(f->lambda, NH_BLOCKS * ml + (ml == 0));
    for (int c = 0; c < ml; c++) {
        nh_matrix_times(NH_PASS, f, NH_SPARK_AHEAD_REACTION, f->lambda + c, ml);
        for (int g = 0; g < NH_BLOCKS; g++)
            f->lambda[g * ml + c] = NH_COMMIT(active, f->sum[g], f->lambda[g * ml + c]);
    }
    NH_IN_MEMORY(f->V, NH_BLOCKS * n);
    for (int i = 0; i < n; i++) {
        const nh_real low = x[NH_AT_POSITION_LOW + i];
        nh_matrix_times(NH_PASS, f, NH_SPARK_POSITION_LOW, f->V + i, n);
        for (int g = 0; g < NH_BLOCKS; g++)
            f->position_low[g * n + i] = h * f->sum[g] + low;
        f->q1_low[i] = h * nh_stage_sum(s, NH_VECTOR(NH_SPARK_B_LOW), f->V + i, n) + low;
    }
    nh_positions(NH_PASS, f, x);
}

/* Saddle-point factors at the predicted stages and end, and the matrix that gives gamma. */
NH_INLINE void nh_freeze(NH_CONTEXT, const nh_frame *f, const nh_real *x)
{
    NH_SIZES;
    const int ml = m + l;
    const nh_point end = nh_end_of(f, x + NH_AT_CONSTANTS);
    for (int g = 0; g < NH_BLOCKS; g++) {
        const nh_stage_point stage = nh_stage_of(NH_PASS, f, g);
        nh_stage *null = f->null + g * ml * ml;
        nh_stage_point_factor(NH_PASS, &stage);
        for (int c = 0; c < ml; c++) { /* row c: column c of n_i L_i^-1 */
            for (int r = 0; r < ml; r++)
                null[c * ml + r] = nh_stage_set(0);
            null[c * ml + c] += nh_coefficient(NH_VECTOR(NH_SPARK_NULL), g);
            nh_stage_solve_lower(ml, stage.gram, null + c * ml);
        }
    }
    for (int c = 0; c < ml; c++) /* there is no multiplier at the end: that of the last stage will do */
        f->lambda1[c] = nh_one_stage(f->lambda + c, ml, s - 1);
    nh_point_factor(NH_PASS, &end);
    if (NH_TRAIT(NH_COLLOCATED))
        return;
    for (int c = 0; c < ml; c++)
        for (int r = 0; r < ml; r++)
            f->gamma_work[r * ml + c] = nh_stage_sum(s, NH_VECTOR(NH_SPARK_LEFT), f->null + c * ml + r, ml * ml);
    nh_invert(ml, f->gamma_work, f->gamma_inverse, f->gamma_work + ml * ml);
}

/* (6.1b): forces and momenta at the stages; (6.1d): p_1 - p_0 into dp. */
NH_INLINE void nh_momenta(NH_CONTEXT, const nh_frame *f, const nh_real *x, int first)
{
    NH_SIZES;
    const nh_real h = x[NH_AT_STEP];
    for (int g = 0; g < NH_BLOCKS; g++) {
        const nh_stage_point stage = nh_stage_of(NH_PASS, f, g);
        nh_stage *F = f->F + g * n, *R = f->R + g * n;
        nh_stage_point_forces(NH_PASS, &stage, f->lambda + g * (m + l), F, R);
        if (m + l > 0 && NH_TRAIT(NH_SAME_MATRICES))
            for (int i = 0; i < n; i++)
                F[i] += R[i];
    }
    const int apart = m + l > 0 && !NH_TRAIT(NH_SAME_MATRICES);
    NH_IN_MEMORY(f->F, NH_BLOCKS * n);
    NH_IN_MEMORY(f->R, NH_BLOCKS * n);
    for (int i = 0; i < n; i++) {
        if (first) {
            const nh_real low = x[NH_AT_MOMENTUM_LOW + i];
            nh_matrix_times(NH_PASS, f, NH_SPARK_FORCE_LOW, f->F + i, n);
            if (apart)
                nh_stage_apply(s, NH_SPARK_PADDED(s), NH_MATRIX(NH_SPARK_REACTION_LOW), f->R + i, n, f->sum);
            for (int g = 0; g < NH_BLOCKS; g++)
                f->momentum_low[g * n + i] = h * f->sum[g] + low;
            nh_real sum = nh_stage_sum(s, NH_VECTOR(NH_SPARK_B_LOW), f->F + i, n);
            if (apart)
                sum += nh_stage_sum(s, NH_VECTOR(NH_SPARK_B_LOW), f->R + i, n);
            f->p1_low[i] = h * sum + low;
        }
        nh_matrix_times(NH_PASS, f, NH_SPARK_FORCE, f->F + i, n);
        if (apart)
            nh_stage_apply(s, NH_SPARK_PADDED(s), NH_MATRIX(NH_SPARK_REACTION), f->R + i, n, f->sum);
        for (int g = 0; g < NH_BLOCKS; g++)
            f->P[g * n + i] = x[NH_AT_MOMENTUM + i] + (h * f->sum[g] + f->momentum_low[g * n + i]);
        nh_real sum = nh_stage_sum(s, NH_VECTOR(NH_SPARK_B), f->F + i, n);
        if (apart)
            sum += nh_stage_sum(s, NH_VECTOR(NH_SPARK_B), f->R + i, n);
        f->dp[i] = h * sum + f->p1_low[i];
    }
}

/* Velocities from momenta; then the residuals of the constraints at the new velocities: into w and w1. */
NH_INLINE void nh_residuals(NH_CONTEXT, const nh_frame *f, const nh_real *x, nh_mask todo)
{
    NH_SIZES;
    const int ml = m + l;
    const nh_real h = x[NH_AT_STEP];
    for (int g = 0; g < NH_BLOCKS; g++) {
        nh_stage_point stage = nh_stage_of(NH_PASS, f, g);
        nh_stage *dV = f->dV + g * n, *w = f->w + g * ml;
        nh_stage_point_correction(NH_PASS, &stage, f->P + g * n, dV);
        for (int i = 0; i < n; i++)
            stage.v[i] = NH_COMMIT(todo, stage.v[i] + dV[i], stage.v[i]);
        nh_stage_point_constraint(NH_PASS, &stage, 0, w);
        if (l > 0) { /* g(Q_i) is taken up below; here what the change of V does to it */
            nh_stage_point_holonomic(NH_PASS, &stage, f->g + g * l);
            for (int c = m; c < ml; c++) {
                w[c] = nh_stage_set(0);
                for (int i = 0; i < n; i++)
                    w[c] += stage.rows[c * n + i] * dV[i];
            }
        }
    }
    NH_IN_MEMORY(f->g, NH_BLOCKS * l + (l == 0));
    for (int c = 0; c < l; c++) {
        nh_matrix_times(NH_PASS, f, NH_SPARK_QUOTIENT, f->g + c, l);
        for (int g = 0; g < NH_BLOCKS; g++)
            f->w[g * ml + m + c] += f->sum[g] / h;
    }
    const nh_point end = nh_end_of(f, x + NH_AT_CONSTANTS);
    for (int i = 0; i < n; i++)
        f->p1[i] = x[NH_AT_MOMENTUM + i] + f->dp[i];
    nh_point_correction(NH_PASS, &end, f->p1, f->dv);
    for (int i = 0; i < n; i++)
        f->v1[i] = NH_COMMIT(todo, f->v1[i] + f->dv[i], f->v1[i]);
    nh_point_constraint(NH_PASS, &end, 1, f->w1);
}

/* Jay 8.4: the residual of the condition at the middle takes the place of those at both stages. */
NH_INLINE void nh_middle_residual(NH_CONTEXT, const nh_frame *f, const nh_real *x)
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
    for (int g = 0; g < NH_BLOCKS; g++)
        for (int c = 0; c < m; c++)
            f->w[g * (m + l) + c] = nh_all_stages(f->gamma[c]);
}

/* Corrections of the multipliers from the residuals in w and w1, and of the velocities by them. */
NH_INLINE void nh_multipliers(NH_CONTEXT, const nh_frame *f, const nh_real *x, nh_mask todo)
{
    NH_SIZES;
    const int ml = m + l;
    const nh_real h = x[NH_AT_STEP];
    for (int g = 0; g < NH_BLOCKS; g++)
        nh_stage_solve_lower(ml, f->gram + g * ml * ml, f->w + g * ml);
    nh_solve_lower(ml, f->gram1, f->w1);
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
    NH_IN_MEMORY(f->w, NH_BLOCKS * ml + (ml == 0));
    for (int c = 0; c < ml; c++) {
        nh_matrix_times(NH_PASS, f, NH_SPARK_INVERSE, f->w + c, ml);
        for (int g = 0; g < NH_BLOCKS; g++)
            f->dlambda[g * ml + c] = f->sum[g] + nh_coefficient(NH_VECTOR(NH_SPARK_INVERSE_END), g) * f->w1[c];
    }
    for (int g = 0; g < NH_BLOCKS; g++) {
        const nh_stage_point stage = nh_stage_of(NH_PASS, f, g);
        nh_stage *dlambda = f->dlambda + g * ml, *lambda = f->lambda + g * ml;
        nh_stage_solve_upper(ml, stage.gram, stage.diagonal, dlambda);
        for (int c = 0; c < ml; c++)
            lambda[c] = NH_COMMIT(todo, lambda[c] + dlambda[c] / h, lambda[c]);
        nh_stage_solve_upper(ml, stage.gram, stage.diagonal, f->w + g * ml);
        nh_stage_point_lift(NH_PASS, &stage, f->w + g * ml, f->R + g * n);
        for (int i = 0; i < n; i++) {
            const nh_stage lifted = f->R[g * n + i];
            f->dV[g * n + i] += lifted;
            stage.v[i] = NH_COMMIT(todo, stage.v[i] + lifted, stage.v[i]);
        }
    }
    const nh_point end = nh_end_of(f, x + NH_AT_CONSTANTS);
    nh_solve_upper(ml, f->gram1, f->diagonal1, f->w1);
    nh_point_lift(NH_PASS, &end, f->w1, f->p1);
    for (int i = 0; i < n; i++) {
        nh_real dp = f->dp[i];
        for (int c = 0; c < ml; c++)
            dp += f->rows1[c * n + i] * f->w1[c];
        f->kick[i] = NH_COMMIT(todo, dp, f->kick[i]);
        f->v1[i] = NH_COMMIT(todo, f->v1[i] + f->p1[i], f->v1[i]);
        f->dv[i] += f->p1[i];
    }
}

/* Sizes of the last change of V_i and v_1, and of V_i and v_1 themselves, over all stages and the end. */
NH_INLINE void nh_sizes(NH_CONTEXT, const nh_frame *f, nh_real *change, nh_real *size)
{
    NH_SIZES;
    nh_stage *a = f->sum, *b = f->sum + NH_BLOCKS;
    for (int g = 0; g < NH_BLOCKS; g++) {
        a[g] = b[g] = nh_stage_set(0);
        for (int i = 0; i < n; i++) {
            a[g] += nh_stage_abs(f->dV[g * n + i]);
            b[g] += nh_stage_abs(f->V[g * n + i]);
        }
    }
    *change = nh_stage_sum(s, NH_VECTOR(NH_SPARK_REAL), a, 1);
    *size = nh_stage_sum(s, NH_VECTOR(NH_SPARK_REAL), b, 1);
    for (int i = 0; i < n; i++) {
        *change += nh_abs(f->dv[i]);
        *size += nh_abs(f->v1[i]);
    }
}

/* Iterates until the next correction would be below round-off, or corrections of the size of round-off shrink no more.
 * Returns the lanes that have not come so far. */
NH_INLINE nh_mask nh_iterate(NH_CONTEXT, const nh_frame *f, nh_real *x, nh_mask active)
{
    nh_mask todo = active;
    nh_real before = nh_set(0), rate = x[NH_AT_RATE], iterations = nh_set(0);
    for (int i = 1;; i++) {
        nh_real change, size;
        nh_momenta(NH_PASS, f, x, i == 1);
        nh_residuals(NH_PASS, f, x, todo);
        if (NH_TRAIT(NH_MIDPOINT))
            nh_middle_residual(NH_PASS, f, x);
        nh_multipliers(NH_PASS, f, x, todo);
        nh_sizes(NH_PASS, f, &change, &size);
        iterations = NH_COMMIT(todo, iterations + 1, iterations);
        if (i > 1) {
            rate = NH_COMMIT(todo, nh_max(change / before, nh_set(0.2) * rate), rate);
            const nh_mask small = rate * change <= nh_set(0.5 * NH_EPSILON) * size;
            const nh_mask stuck = (change <= nh_set(1024 * NH_EPSILON) * size) & (before <= 2 * change);
            const nh_mask finite = size < nh_set(__builtin_inf()); /* what is infinite looks small to itself */
            todo = todo & nh_not((small | stuck) & finite);
        }
        before = change;
        if (!nh_any(todo) || i == NH_ITERATIONS)
            break;
        nh_positions(NH_PASS, f, x);
    }
    x[NH_AT_RATE] = nh_select(active, nh_min(nh_max(rate, nh_set(0.02)), nh_set(0.3)), x[NH_AT_RATE]);
    x[NH_AT_ITERATIONS] = nh_select(active, x[NH_AT_ITERATIONS] + iterations, x[NH_AT_ITERATIONS]);
    x[NH_AT_ITERATIONS_MAX] = nh_select(active, nh_max(iterations, x[NH_AT_ITERATIONS_MAX]), x[NH_AT_ITERATIONS_MAX]);
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

/* One step of the lanes in `active`; returns those that have made it. */
NH_INLINE nh_mask nh_step(NH_CONTEXT, const nh_frame *f, nh_real *x, nh_mask active)
{
    NH_SIZES;
    nh_predict(NH_PASS, f, x, active);
    nh_freeze(NH_PASS, f, x);
    const nh_mask failed = nh_iterate(NH_PASS, f, x, active), good = active & nh_not(failed);
    for (int i = 0; i < n; i++) {
        const nh_real dq = x[NH_AT_STEP] * nh_stage_sum(s, NH_VECTOR(NH_SPARK_B), f->V + i, n) + f->q1_low[i];
        nh_gain(good, dq, &x[NH_AT_POSITION + i], &x[NH_AT_POSITION_LOW + i]);
        nh_gain(good, f->kick[i], &x[NH_AT_MOMENTUM + i], &x[NH_AT_MOMENTUM_LOW + i]);
        x[NH_AT_VELOCITY + i] = nh_select(good, f->v1[i], x[NH_AT_VELOCITY + i]);
    }
    if (nh_any(failed))
        nh_forget(NH_PASS, f, x, failed);
    return good;
}
