/* SPDX-License-Identifier: MIT */
/* One step of McLachlan and Perlmutter's method, Jay (2009), (7.3), for a constant mass matrix, lambda with the + sign:
 *     Q = q_0 + h/2 v_0                                      (7.3a)
 *     p_1 = p_0 + h (F(t_1/2,Q) + K(Q)^T lambda) = L_v(v_1)  (7.3b)
 *     q_1 = Q + h/2 v_1                                      (7.3c)
 *     0 = k(t_1,q_1,v_1)                                     (7.3d)
 * Newton's method for lambda, m unknowns, with the exact derivative of (7.3d). Where the coordinates that K depends on
 * feel no reaction, (7.3d) is linear in lambda: K(q_1) is known at once, and one iteration from lambda = 0 solves it:
 * NH_LINEAR_MULTIPLIER. */

/* Where matrices are sparse, the derivative is (K + h/2 k_q) W, W = L_vv^-1 K(Q)^T times h, and factors L U of the
 * first two are found; else it is made column by column. */
#ifdef NH_SPARSE
#define NH_MATRIX_SIZE  0
#define NH_FACTOR(size) (size)
#else
#define NH_MATRIX_SIZE  (m * (m + 1))
#define NH_FACTOR(size) 0
#endif

#define NH_FRAME_ARRAYS(X)                                                                                             \
    X(real, t1, 1)                                                                                                     \
    X(real, middle, 1)                                                                                                 \
    X(real, Q, n)                                                                                                      \
    X(real, F, n)                                                                                                      \
    X(real, R, n)                                                                                                      \
    X(real, p1, n)                                                                                                     \
    X(real, dp, n)                                                                                                     \
    X(real, q1, n)                                                                                                     \
    X(real, v1, n)                                                                                                     \
    X(real, dv, n)                                                                                                     \
    X(real, dq, n)                                                                                                     \
    X(real, unit, m)                                                                                                   \
    X(real, residual, m)                                                                                               \
    X(real, matrix, NH_MATRIX_SIZE)                                                                                    \
    X(real, rows, NH_ROWS_SIZE)                                                                                        \
    X(real, lift, NH_FACTOR(NH_LIFT_SIZE))                                                                             \
    X(real, gram, NH_FACTOR(NH_GRAM_SIZE))                                                                             \
    X(real, diagonal, NH_FACTOR(m))                                                                                    \
    X(real, inverse, NH_INVERSE_SIZE)                                                                                  \
    X(real, work, NH_POINT_WORK)                                                                                       \
    X(real, audit, 1 + m + 2 * l)

typedef struct nh_frame {
#define NH_FRAME_POINTER(type, name, count) nh_##type *name;
    NH_FRAME_ARRAYS(NH_FRAME_POINTER)
#undef NH_FRAME_POINTER
} nh_frame;

NH_INLINE nh_point nh_end_of(const nh_frame *f, const nh_real *c)
{
    return (nh_point){.t = f->t1,
                      .q = f->q1,
                      .v = f->v1,
                      .inverse = f->inverse,
                      .rows = f->rows,
                      .lift = f->lift,
                      .gram = f->gram,
                      .diagonal = f->diagonal,
                      .c = c,
                      .work = f->work};
}

NH_INLINE void nh_begin(NH_CONTEXT, const nh_frame *f, nh_real *x)
{
    NH_SIZES;
    const nh_point end = nh_end_of(f, x + NH_AT_CONSTANTS);
    f->t1[0] = x[NH_AT_START];
    for (int i = 0; i < n; i++) {
        f->q1[i] = x[NH_AT_POSITION + i];
        f->v1[i] = x[NH_AT_VELOCITY + i];
    }
    nh_point_mass(NH_PASS, &end);
}

/* The memory is in the member all the time. */
NH_INLINE void nh_finish(NH_CONTEXT, const nh_frame *f, nh_real *x)
{
    NH_SIZES;
    (void)f, (void)x;
}

/* (7.3a), and the force there. */
NH_INLINE void nh_predict(NH_CONTEXT, const nh_frame *f, nh_real *x)
{
    NH_SIZES;
    const nh_real h = x[NH_AT_STEP], half = nh_set(0.5) * h;
    f->middle[0] = x[NH_AT_START] + (x[NH_AT_COUNT] + nh_set(0.5)) * h;
    f->t1[0] = x[NH_AT_START] + (x[NH_AT_COUNT] + 1) * h;
    NH_SIDE_BY_SIDE
    for (int i = 0; i < n; i++) {
        f->Q[i] = x[NH_AT_POSITION + i] + (half * x[NH_AT_VELOCITY + i] + x[NH_AT_POSITION_LOW + i]);
        f->v1[i] = x[NH_AT_VELOCITY + i];
    }
    const nh_real *in[NH_SPACES] = {0};
    in[NH_TIME] = f->middle;
    in[NH_Q] = f->Q;
    in[NH_V] = x + NH_AT_VELOCITY;
    NH_CALL(NH_F_FORCE, x + NH_AT_CONSTANTS, in, f->F);
}

/* The reaction at the middle. */
NH_INLINE void nh_reaction_of(NH_CONTEXT, const nh_frame *f, const nh_real *x, const nh_real *lambda, nh_real *R)
{
    NH_SIZES;
    const nh_real *in[NH_SPACES] = {0};
    in[NH_TIME] = f->middle;
    in[NH_Q] = f->Q;
    in[NH_V] = x + NH_AT_VELOCITY;
    in[NH_LAMBDA] = lambda;
    NH_CALL(NH_F_REACTION, x + NH_AT_CONSTANTS, in, R);
}

/* (7.3b), (7.3c) for these multipliers, or the first time without any where that will do; the change of v_1 stays in
 * dv. */
NH_INLINE void nh_shoot(NH_CONTEXT, const nh_frame *f, const nh_real *x, nh_mask todo, int first)
{
    NH_SIZES;
    const nh_real h = x[NH_AT_STEP], half = nh_set(0.5) * h;
    const nh_point end = nh_end_of(f, x + NH_AT_CONSTANTS);
    const int reaction = m > 0 && !(first && NH_TRAIT(NH_LINEAR_MULTIPLIER)), change = !NH_TRAIT(NH_MOMENTUM_LINEAR);
    if (reaction)
        nh_reaction_of(NH_PASS, f, x, x + NH_AT_MULTIPLIERS, f->R);
    for (int i = 0; i < n; i++) {
        f->dp[i] = h * (reaction ? f->F[i] + f->R[i] : f->F[i]) + x[NH_AT_MOMENTUM_LOW + i];
        f->p1[i] = x[NH_AT_MOMENTUM + i] + f->dp[i];
    }
    if (change)
        nh_point_correction(NH_PASS, &end, f->p1, 0, f->dv); /* L_v is affine in v: one correction is exact */
    else
        nh_point_divide(NH_PASS, &end, f->p1, 1, f->dv, 1);
    for (int i = 0; i < n; i++) {
        const nh_real old = f->v1[i], new = change ? old + f->dv[i] : f->dv[i];
        f->v1[i] = NH_TRAIT(NH_LINEAR_MULTIPLIER) ? new : NH_COMMIT(todo, new, old); /* one iteration: none is done */
        f->dv[i] = new - old;
        f->q1[i] = f->Q[i] + half * f->v1[i];
    }
}

#ifdef NH_SPARSE
/* W. */
NH_INLINE void nh_freeze(NH_CONTEXT, const nh_frame *f, const nh_real *x)
{
    NH_SIZES;
    nh_point middle = nh_end_of(f, x + NH_AT_CONSTANTS);
    middle.t = f->middle;
    middle.q = f->Q;
    nh_point_rows(NH_PASS, &middle);
    nh_point_lift_all(NH_PASS, &middle, middle.rows);
}

/* The residual of (7.3d), divided by its derivative. */
NH_INLINE void nh_newton(NH_CONTEXT, const nh_frame *f, const nh_real *x)
{
    NH_SIZES;
    const nh_real h = x[NH_AT_STEP], per_h = 1 / h;
    const nh_point end = nh_end_of(f, x + NH_AT_CONSTANTS);
    NH_POINT_INPUTS(in, &end);
    nh_point_rows(NH_PASS, &end);
    NH_CALL(NH_F_SLOPES, end.c, in, f->work);
    for (int i = 0; i < NH_OF->slopes.count; i++)
        f->work[i] *= nh_set(0.5) * h;
    nh_gather(&NH_OF->slopes, f->work, end.rows);
    nh_point_gram(NH_PASS, &end);
    nh_point_constraint(NH_PASS, &end, 0, f->residual);
    nh_point_lower(NH_PASS, &end, f->residual);
    nh_point_upper(NH_PASS, &end, f->residual);
    for (int i = 0; i < m; i++)
        f->residual[i] *= per_h;
}
#else
/* W is not kept. */
NH_INLINE void nh_freeze(NH_CONTEXT, const nh_frame *f, const nh_real *x)
{
    NH_SIZES;
    (void)f, (void)x;
}

/* Column c of the derivative of (7.3d) by lambda: how k changes with v_1 and q_1. */
NH_INLINE void nh_column(NH_CONTEXT, const nh_frame *f, const nh_real *x, int c)
{
    NH_SIZES;
    const nh_real h = x[NH_AT_STEP];
    const nh_point end = nh_end_of(f, x + NH_AT_CONSTANTS);
    for (int i = 0; i < m; i++)
        f->unit[i] = nh_set(i == c ? 1 : 0);
    nh_reaction_of(NH_PASS, f, x, f->unit, f->R);
    nh_point_divide(NH_PASS, &end, f->R, 1, f->dv, 1);
    for (int i = 0; i < n; i++)
        f->dv[i] *= h;
    if (NH_TRAIT(NH_LINEAR_MULTIPLIER)) {
        for (int r = 0; r < m; r++)
            f->matrix[r * (m + 1) + c] = nh_point_row(NH_PASS, &end, r, f->dv, nh_set(0));
        return;
    }
    for (int i = 0; i < n; i++)
        f->dq[i] = nh_set(0.5) * h * f->dv[i];
    NH_POINT_INPUTS(in, &end);
    in[NH_D_Q] = f->dq;
    in[NH_D_V] = f->dv;
    NH_CALL(NH_F_TANGENT, x + NH_AT_CONSTANTS, in, f->residual);
    for (int r = 0; r < m; r++)
        f->matrix[r * (m + 1) + c] = f->residual[r];
}

/* The residual of (7.3d), divided by its derivative. */
NH_INLINE void nh_newton(NH_CONTEXT, const nh_frame *f, const nh_real *x)
{
    NH_SIZES;
    const nh_point end = nh_end_of(f, x + NH_AT_CONSTANTS);
    NH_POINT_INPUTS(in, &end);
    if (NH_TRAIT(NH_LINEAR_MULTIPLIER))
        NH_CALL(NH_F_ROWS, x + NH_AT_CONSTANTS, in, f->rows);
    for (int c = 0; c < m; c++)
        nh_column(NH_PASS, f, x, c);
    nh_point_constraint(NH_PASS, &end, 0, f->residual);
    for (int i = 0; i < m; i++)
        f->matrix[i * (m + 1) + m] = f->residual[i];
    nh_eliminate(m, m + 1, f->matrix);
    for (int i = 0; i < m; i++)
        f->residual[i] = f->matrix[i * (m + 1) + m];
}
#endif

/* One correction of the multipliers where `todo`, and what follows from it. */
NH_INLINE void nh_correct(NH_CONTEXT, const nh_frame *f, nh_real *x, nh_mask todo)
{
    NH_SIZES;
    nh_newton(NH_PASS, f, x);
    for (int i = 0; i < m; i++) {
        nh_real *lambda = &x[NH_AT_MULTIPLIERS + i];
        const nh_real change = f->residual[i];
        *lambda = NH_COMMIT(todo, NH_TRAIT(NH_LINEAR_MULTIPLIER) ? -change : *lambda - change, *lambda);
    }
    nh_shoot(NH_PASS, f, x, todo, 0);
}

/* Lanes that the correction has brought to the end. Newton converges quadratically: when a correction has half the
 * digits, what is left is round-off. Where one correction solves, its multipliers tell whether numbers are finite. */
NH_INLINE nh_mask nh_done(NH_CONTEXT, const nh_frame *f, const nh_real *x)
{
    NH_SIZES;
    nh_real change = nh_set(0), size = nh_set(0);
    if (NH_TRAIT(NH_LINEAR_MULTIPLIER)) {
        for (int c = 0; c < m; c++)
            size += nh_abs(x[NH_AT_MULTIPLIERS + c]);
        return size < nh_set(__builtin_inf());
    }
    for (int i = 0; i < n; i++)
        if (NH_TOUCHED(i)) {
            change += nh_abs(f->dv[i]);
            size += nh_abs(f->v1[i]);
        }
    const nh_mask small = change <= nh_set(NH_HALF_DIGITS) * size, finite = size < nh_set(__builtin_inf());
    return small & finite;
}

NH_INLINE nh_mask nh_iterate(NH_CONTEXT, const nh_frame *f, nh_real *x, nh_mask active)
{
    NH_SIZES;
    nh_mask todo = active;
    nh_real iterations = nh_set(0);
    for (int i = 1; nh_any(todo) && i <= NH_ITERATIONS; i++) {
        nh_correct(NH_PASS, f, x, todo);
        iterations = NH_COMMIT(todo, iterations + 1, iterations);
        todo = todo & nh_not(nh_done(NH_PASS, f, x));
    }
    const nh_mask good = active & nh_not(todo); /* steps that are not made have no iterations */
    x[NH_AT_ITERATIONS] = nh_select(good, x[NH_AT_ITERATIONS] + iterations, x[NH_AT_ITERATIONS]);
    x[NH_AT_ITERATIONS_MAX] = nh_select(good, nh_max(iterations, x[NH_AT_ITERATIONS_MAX]), x[NH_AT_ITERATIONS_MAX]);
    return todo;
}

/* The step is made, in all lanes or where it is good. */
NH_INLINE void nh_settle(NH_CONTEXT, const nh_frame *f, nh_real *x, int all, nh_mask good)
{
    NH_SIZES;
    const nh_real half = nh_set(0.5) * x[NH_AT_STEP];
    nh_real *q = x + NH_AT_POSITION, *p = x + NH_AT_MOMENTUM, *v = x + NH_AT_VELOCITY;
    nh_real *q_low = x + NH_AT_POSITION_LOW, *p_low = x + NH_AT_MOMENTUM_LOW;
    NH_SIDE_BY_SIDE
    for (int i = 0; i < n; i++) {
        nh_gain(all, good, half * (v[i] + f->v1[i]) + q_low[i], &q[i], &q_low[i]);
        nh_gain(all, good, f->dp[i], &p[i], &p_low[i]);
        v[i] = all ? f->v1[i] : NH_COMMIT(good, f->v1[i], v[i]);
    }
}

/* One step of the lanes in `active`; returns those that have made it. */
NH_INLINE nh_mask nh_step(NH_CONTEXT, const nh_frame *f, nh_real *x, nh_mask active)
{
    NH_SIZES;
    nh_predict(NH_PASS, f, x);
    nh_freeze(NH_PASS, f, x);
    nh_shoot(NH_PASS, f, x, active, 1);
    const nh_mask failed = m > 0 ? nh_iterate(NH_PASS, f, x, active) : active & nh_not(active);
    const nh_mask good = active & nh_not(failed);
    for (int c = 0; c < m; c++)
        x[NH_AT_MULTIPLIERS + c] = nh_select(failed, nh_set(0), x[NH_AT_MULTIPLIERS + c]);
    if (!nh_any(nh_not(good)))
        nh_settle(NH_PASS, f, x, 1, good);
    else if (nh_any(good))
        nh_settle(NH_PASS, f, x, 0, good);
    return good;
}
