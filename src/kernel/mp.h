/* SPDX-License-Identifier: MIT */
/* One step of McLachlan and Perlmutter's method, Jay (2009), (7.3), for a constant mass matrix, lambda with the + sign:
 *     Q = q_0 + h/2 v_0                                      (7.3a)
 *     p_1 = p_0 + h (F(t_1/2,Q) + K(Q)^T lambda) = L_v(v_1)  (7.3b)
 *     q_1 = Q + h/2 v_1                                      (7.3c)
 *     0 = k(t_1,q_1,v_1)                                     (7.3d)
 * The sum that goes on from step to step, with a low part, is Q += h v; q is made of it when somebody looks.
 * Newton's method for mu = h lambda, m unknowns, with the exact derivative of (7.3d). Where the coordinates that K
 * depends on feel no reaction, (7.3d) is linear in mu: K(q_1) is known at once, and one iteration from mu = 0 solves
 * it: NH_LINEAR_MULTIPLIER. */

/* The derivative of (7.3d) is (K + h/2 k_q) W, W = L_vv^-1 K(Q)^T: of few coordinates and several constraints, and
 * where matrices are sparse, from these matrices; else column by column, from k and its tangents, whose sums over many
 * coordinates are vectorised. One column is the reaction to mu = 1, and that to any other a multiple of it. */
#ifdef NH_SPARSE
#define NH_SLOPES_SIZE (NH_OF->slopes.count)
#else
#define NH_SLOPES_SIZE (m * n)
#endif
#define NH_IF_ROWS(size) (NH_TRAIT(NH_BY_ROWS) ? (size) : 0)
#define NH_ONE_COLUMN    (!NH_TRAIT(NH_BY_ROWS) && m == 1)

/* Velocities between steps: where they are the momenta, these are stored once, and copied when all is done. */
#define NH_AT_SPEED (NH_TRAIT(NH_MASS_UNIT) && NH_TRAIT(NH_LINEAR_MULTIPLIER) ? NH_AT_MOMENTUM : NH_AT_VELOCITY)

/* Loops over few coordinates are unrolled, and leave out what marks rule out. Longer ones are vectorised if nothing is
 * left out of them: that changes no bit. */
#define NH_MARKED(mark) (n > NH_FEW_COORDINATES || (mark))

#define NH_FRAME_ARRAYS(X)                                                                                             \
    X(real, first, 1)                                                                                                  \
    X(real, t1, 1)                                                                                                     \
    X(real, middle, 1)                                                                                                 \
    X(real, per_h, 1)                                                                                                  \
    X(real, iterations, 1)                                                                                             \
    X(real, force, n)                                                                                                  \
    X(real, R, n)                                                                                                      \
    X(real, given, NH_TRAIT(NH_LINEAR_MULTIPLIER) ? 0 : n)                                                             \
    X(real, p1, n)                                                                                                     \
    X(real, q1, n)                                                                                                     \
    X(real, v1, n)                                                                                                     \
    X(real, weight, n)                                                                                                 \
    X(real, dv, n)                                                                                                     \
    X(real, dq, n)                                                                                                     \
    X(real, unit, m)                                                                                                   \
    X(real, mu, m)                                                                                                     \
    X(real, residual, m)                                                                                               \
    X(real, columns, NH_TRAIT(NH_BY_ROWS) ? 0 : m *n)                                                                  \
    X(real, middle_rows, NH_IF_ROWS(NH_ROWS_SIZE))                                                                     \
    X(real, rows, NH_IF_ROWS(NH_ROWS_SIZE))                                                                            \
    X(real, slopes, NH_IF_ROWS(NH_SLOPES_SIZE))                                                                        \
    X(real, lift, NH_IF_ROWS(NH_LIFT_SIZE))                                                                            \
    X(real, gram, NH_GRAM_SIZE)                                                                                        \
    X(real, diagonal, NH_IF_ROWS(NH_DIAGONAL_SIZE))                                                                    \
    X(real, inverse, NH_INVERSE_SIZE)                                                                                  \
    X(real, work, NH_POINT_WORK)                                                                                       \
    X(real, audit, 1 + m + 2 * l)                                                                                      \
    X(real, kept, NH_AT_CONSTANTS)

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

/* The middle of a step; its own are q, t and the rows. */
NH_INLINE nh_point nh_middle_of(const nh_frame *f, const nh_real *q, const nh_real *c)
{
    nh_point middle = nh_end_of(f, c);
    middle.t = f->middle;
    middle.q = q;
    middle.rows = f->middle_rows;
    return middle;
}

NH_INLINE void nh_begin(NH_CONTEXT, const nh_frame *f, nh_real *x)
{
    NH_SIZES;
    const nh_point end = nh_end_of(f, x + NH_AT_CONSTANTS);
    const nh_real half = nh_set(0.5) * x[NH_AT_STEP];
    const nh_mask known = x[NH_AT_MIDDLE_KNOWN] == nh_set(1);
    f->first[0] = x[NH_AT_COUNT];
    f->t1[0] = x[NH_AT_START];
    f->per_h[0] = 1 / x[NH_AT_STEP];
    for (int i = 0; i < n; i++) { /* (7.3a) of the first step */
        const nh_real q0 = x[NH_AT_POSITION + i], v0 = x[NH_AT_SPEED + i];
        const nh_real way = half * v0 + x[NH_AT_POSITION_LOW + i], Q = q0 + way;
        x[NH_AT_POSITION_LOW + i] = nh_select(known, x[NH_AT_POSITION_LOW + i], way - (Q - q0));
        x[NH_AT_MIDDLE + i] = nh_select(known, x[NH_AT_MIDDLE + i], Q);
        f->q1[i] = q0;
        f->v1[i] = v0;
    }
    x[NH_AT_MIDDLE_KNOWN] = nh_set(1);
    nh_point_mass(NH_PASS, &end);
    if (!NH_TRAIT(NH_LINEAR_MULTIPLIER))
        nh_point_weights(NH_PASS, &end, f->weight);
}

/* (7.3c), or (7.3a) of the next step backwards: q in the lanes that have made steps. */
NH_INLINE void nh_locate(NH_CONTEXT, const nh_frame *f, nh_real *x)
{
    NH_SIZES;
    const nh_real half = nh_set(0.5) * x[NH_AT_STEP];
    const nh_mask moved = f->first[0] < x[NH_AT_COUNT];
    for (int i = 0; i < n; i++) {
        const nh_real q = x[NH_AT_MIDDLE + i] + (x[NH_AT_POSITION_LOW + i] - half * x[NH_AT_SPEED + i]);
        x[NH_AT_POSITION + i] = nh_select(moved, q, x[NH_AT_POSITION + i]);
    }
}

/* The rest of the memory is in the member all the time, but for iterations where every step has one. */
NH_INLINE void nh_finish(NH_CONTEXT, const nh_frame *f, nh_real *x)
{
    NH_SIZES;
    nh_locate(NH_PASS, f, x);
    for (int i = 0; i < n; i++)
        x[NH_AT_VELOCITY + i] = x[NH_AT_SPEED + i];
    if (m > 0 && NH_TRAIT(NH_LINEAR_MULTIPLIER)) {
        const nh_real steps = x[NH_AT_COUNT] - f->first[0];
        x[NH_AT_ITERATIONS] += steps;
        x[NH_AT_ITERATIONS_MAX] = nh_max(x[NH_AT_ITERATIONS_MAX], nh_less(nh_set(0), steps));
    }
}

/* The force at the middle. */
NH_INLINE void nh_push(NH_CONTEXT, const nh_frame *f, const nh_real *x)
{
    NH_SIZES;
    const nh_real h = x[NH_AT_STEP];
    f->middle[0] = x[NH_AT_START] + (x[NH_AT_COUNT] + nh_set(0.5)) * h;
    f->t1[0] = x[NH_AT_START] + (x[NH_AT_COUNT] + 1) * h;
    const nh_real *in[NH_SPACES] = {0};
    in[NH_TIME] = f->middle;
    in[NH_Q] = x + NH_AT_MIDDLE;
    in[NH_V] = x + NH_AT_SPEED;
    NH_CALL(NH_F_FORCE, x + NH_AT_CONSTANTS, in, f->force);
}

/* The impulse of the force, with what rounding has lost of p_0. It is made again where it is wanted: that takes less
 * time than to store it. */
NH_INLINE nh_real nh_kick(NH_CONTEXT, const nh_frame *f, const nh_real *x, nh_real h, int i)
{
    NH_SIZES;
    return h * f->force[i] + x[NH_AT_MOMENTUM_LOW + i];
}

/* The impulse of the reaction to mu at the middle. */
NH_INLINE void nh_reaction_of(NH_CONTEXT, const nh_frame *f, const nh_real *x, const nh_real *mu, nh_real *R)
{
    NH_SIZES;
    const nh_real *in[NH_SPACES] = {0};
    in[NH_TIME] = f->middle;
    in[NH_Q] = x + NH_AT_MIDDLE;
    in[NH_V] = x + NH_AT_SPEED;
    in[NH_LAMBDA] = mu;
    NH_CALL(NH_F_REACTION, x + NH_AT_CONSTANTS, in, R);
}

NH_INLINE void nh_react(NH_CONTEXT, const nh_frame *f, const nh_real *x)
{
    NH_SIZES;
    if (m > 1 && !NH_TRAIT(NH_BY_ROWS))
        nh_reaction_of(NH_PASS, f, x, f->mu, f->R);
    if (m > 0 && NH_TRAIT(NH_BY_ROWS)) {
        const nh_point middle = nh_middle_of(f, x + NH_AT_MIDDLE, x + NH_AT_CONSTANTS);
        nh_point_pull(NH_PASS, &middle, f->mu, f->R);
    }
}

/* What is given and the impulse of the reaction, which comes last: all else is done while mu is found. */
NH_INLINE nh_real nh_and_reaction(NH_CONTEXT, const nh_frame *f, int i, nh_real given)
{
    NH_SIZES;
    if (m == 0 || !NH_MARKED(NH_TOUCHED(i)))
        return given;
    const nh_real *R = NH_ONE_COLUMN && NH_TRAIT(NH_MASS_UNIT) ? f->columns : f->R;
    return given + (NH_ONE_COLUMN ? f->mu[0] * R[i] : R[i]);
}

/* D += half k_q. */
NH_INLINE void nh_tilt(NH_CONTEXT, const nh_point *p, nh_real half, nh_real *slopes)
{
    NH_SIZES;
    NH_POINT_INPUTS(in, p);
    NH_CALL(NH_F_SLOPES, p->c, in, slopes);
    for (int i = 0; i < NH_SLOPES_SIZE; i++)
        slopes[i] *= half;
#ifdef NH_SPARSE
    nh_gather(&NH_OF->slopes, slopes, p->rows);
#else
    NH_EACH (int r = 0; r < m; r++)
        NH_EACH (int i = 0; i < n; i++)
            if (NH_IN_ROWS(r, i))
                p->rows[r * n + i] += slopes[r * n + i];
#endif
}

/* W by columns: answers to the reaction to mu_c = 1. */
NH_INLINE void nh_answers(NH_CONTEXT, const nh_frame *f, const nh_real *x)
{
    NH_SIZES;
    for (int c = 0; c < m; c++) {
        for (int i = 0; i < m; i++)
            f->unit[i] = nh_set(i == c ? 1 : 0);
        nh_reaction_of(NH_PASS, f, x, f->unit, NH_TRAIT(NH_MASS_UNIT) ? f->columns + c * n : f->R);
        if (!NH_TRAIT(NH_MASS_UNIT)) {
            const nh_point end = nh_end_of(f, x + NH_AT_CONSTANTS);
            nh_point_divide(NH_PASS, &end, f->R, 1, f->columns + c * n, 1);
        }
    }
}

/* W. */
NH_INLINE void nh_freeze(NH_CONTEXT, const nh_frame *f, const nh_real *x)
{
    NH_SIZES;
    if (!NH_TRAIT(NH_BY_ROWS)) {
        nh_answers(NH_PASS, f, x);
        return;
    }
    const nh_point middle = nh_middle_of(f, x + NH_AT_MIDDLE, x + NH_AT_CONSTANTS);
    nh_point_rows(NH_PASS, &middle);
    nh_point_lift_all(NH_PASS, &middle, middle.rows);
}

/* Column c of the derivative of (7.3d) by mu: how k changes with v_1 and q_1. */
NH_INLINE void nh_column(NH_CONTEXT, const nh_frame *f, const nh_real *x, int c)
{
    NH_SIZES;
    const nh_real half = nh_set(0.5) * x[NH_AT_STEP];
    const nh_point end = nh_end_of(f, x + NH_AT_CONSTANTS);
    NH_POINT_INPUTS(in, &end);
    const nh_real *dv = f->columns + c * n;
    if (NH_TRAIT(NH_LINEAR_MULTIPLIER)) {
        in[NH_V] = dv; /* k is K v, and q_1 does not change */
        NH_CALL(NH_F_CONSTRAINT, x + NH_AT_CONSTANTS, in, f->residual);
    } else {
        for (int i = 0; i < n; i++)
            f->dq[i] = half * dv[i];
        in[NH_D_Q] = f->dq;
        in[NH_D_V] = dv;
        NH_CALL(NH_F_TANGENT, x + NH_AT_CONSTANTS, in, f->residual);
    }
    for (int r = 0; r < m; r++)
        f->gram[r * m + c] = f->residual[r];
}

/* The residual of (7.3d), divided by its derivative: column by column, … */
NH_INLINE void nh_newton_by_columns(NH_CONTEXT, const nh_frame *f, const nh_real *x)
{
    NH_SIZES;
    const nh_point end = nh_end_of(f, x + NH_AT_CONSTANTS);
    for (int c = 0; c < m; c++)
        nh_column(NH_PASS, f, x, c);
    nh_point_constraint(NH_PASS, &end, 0, f->residual);
    nh_divide_exchanging(NH_PASS, f->gram, f->residual);
}

/* … or with K + h/2 k_q in the place of K. */
NH_INLINE void nh_newton(NH_CONTEXT, const nh_frame *f, const nh_real *x)
{
    NH_SIZES;
    if (!NH_TRAIT(NH_BY_ROWS)) {
        nh_newton_by_columns(NH_PASS, f, x);
        return;
    }
    const nh_point end = nh_end_of(f, x + NH_AT_CONSTANTS);
    nh_point_rows(NH_PASS, &end);
    if (!NH_TRAIT(NH_LINEAR_MULTIPLIER))
        nh_tilt(NH_PASS, &end, nh_set(0.5) * x[NH_AT_STEP], f->slopes);
    nh_point_constraint(NH_PASS, &end, 0, f->residual);
    nh_point_solve(NH_PASS, &end, f->residual);
}

/* ---- Where (7.3d) is linear in mu; the mass is diagonal then, and L_v = M v ---- */

NH_INLINE nh_real nh_velocity(NH_CONTEXT, const nh_frame *f, int i, nh_real p)
{
    return NH_TRAIT(NH_MASS_UNIT) ? p : f->inverse[i] * p;
}

/* (7.3b), (7.3c) without a reaction, as far as (7.3d) looks at them, to its round-off. */
NH_INLINE void nh_coast(NH_CONTEXT, const nh_frame *f, const nh_real *x)
{
    NH_SIZES;
    const nh_real h = x[NH_AT_STEP], half = nh_set(0.5) * h, half_square = half * h;
    for (int i = 0; i < n; i++) {
        const nh_real v0 = x[NH_AT_SPEED + i], rate = nh_velocity(NH_PASS, f, i, f->force[i]);
        if (NH_MARKED(NH_TOUCHED(i) || NH_WATCHED(i)))
            f->v1[i] = v0 + h * rate;
        if (NH_MARKED(NH_WATCHED(i)))
            f->q1[i] = (x[NH_AT_MIDDLE + i] + half * v0) + half_square * rate;
    }
}

/* Returns the lanes where mu is finite. */
NH_INLINE nh_mask nh_solve(NH_CONTEXT, const nh_frame *f, const nh_real *x, nh_mask active)
{
    NH_SIZES;
    nh_real size = nh_set(0);
    nh_coast(NH_PASS, f, x);
    if (m == 0)
        return active;
    nh_freeze(NH_PASS, f, x);
    nh_newton(NH_PASS, f, x);
    for (int c = 0; c < m; c++) {
        f->mu[c] = -f->residual[c];
        size += nh_abs(f->mu[c]);
    }
    nh_react(NH_PASS, f, x);
    return active & (size < nh_set(__builtin_inf()));
}

/* ---- Where it is not ---- */

/* (7.3b), (7.3c) for this mu; the change of v_1 stays in dv. */
NH_INLINE void nh_shoot(NH_CONTEXT, const nh_frame *f, const nh_real *x, nh_mask todo)
{
    NH_SIZES;
    const nh_real half = nh_set(0.5) * x[NH_AT_STEP];
    const nh_point end = nh_end_of(f, x + NH_AT_CONSTANTS);
    const int change = !NH_TRAIT(NH_MOMENTUM_LINEAR);
    nh_react(NH_PASS, f, x);
    for (int i = 0; i < n; i++)
        f->p1[i] = nh_and_reaction(NH_PASS, f, i, f->given[i]);
    if (change)
        nh_point_correction(NH_PASS, &end, f->p1, 0, f->dv); /* L_v is affine in v: one correction is exact */
    else
        nh_point_divide(NH_PASS, &end, f->p1, 1, f->dv, 1);
    for (int i = 0; i < n; i++) {
        const nh_real old = f->v1[i], new = change ? old + f->dv[i] : f->dv[i];
        f->v1[i] = NH_COMMIT(todo, new, old);
        f->dv[i] = new - old;
        f->q1[i] = x[NH_AT_MIDDLE + i] + half * f->v1[i];
    }
}

/* One correction of mu where `todo`, and what follows from it. */
NH_INLINE void nh_correct(NH_CONTEXT, const nh_frame *f, const nh_real *x, nh_mask todo)
{
    NH_SIZES;
    nh_newton(NH_PASS, f, x);
    for (int c = 0; c < m; c++)
        f->mu[c] = NH_COMMIT(todo, f->mu[c] - f->residual[c], f->mu[c]);
    nh_shoot(NH_PASS, f, x, todo);
}

/* Returns the lanes where it has converged. Newton's method does so quadratically: when a correction has half the
 * digits, what is left is round-off. */
NH_INLINE nh_mask nh_iterate(NH_CONTEXT, const nh_frame *f, const nh_real *x, nh_mask active)
{
    NH_SIZES;
    nh_mask todo = active;
    f->iterations[0] = nh_set(0);
    for (int c = 0; c < m; c++)
        f->mu[c] = x[NH_AT_STEP] * x[NH_AT_MULTIPLIERS + c];
    for (int i = 0; i < n; i++) {
        f->given[i] = x[NH_AT_MOMENTUM + i] + nh_kick(NH_PASS, f, x, x[NH_AT_STEP], i);
        f->v1[i] = x[NH_AT_SPEED + i];
    }
    nh_freeze(NH_PASS, f, x);
    nh_shoot(NH_PASS, f, x, active);
    for (int i = 1; m > 0 && nh_any(todo) && i <= NH_ITERATIONS; i++) {
        nh_correct(NH_PASS, f, x, todo);
        f->iterations[0] = NH_COMMIT(todo, f->iterations[0] + 1, f->iterations[0]);
        todo = todo & nh_not(nh_is_small(NH_PASS, f->dv, f->v1, f->given, f->weight, 0));
    }
    return m > 0 ? active & nh_not(todo) : active;
}

/* ---- The step ---- */

/* It is made, in all lanes, with (7.3c) and (7.3a) of the next one as one sum. */
NH_INLINE void nh_settle(NH_CONTEXT, const nh_frame *f, nh_real *x)
{
    NH_SIZES;
    const nh_real h = x[NH_AT_STEP];
    nh_real *Q = x + NH_AT_MIDDLE, *p = x + NH_AT_MOMENTUM, *v = x + NH_AT_SPEED;
    nh_real *Q_low = x + NH_AT_POSITION_LOW, *p_low = x + NH_AT_MOMENTUM_LOW;
    for (int i = 0; i < n; i++) {
        const nh_real p0 = p[i], Q0 = Q[i], kick = nh_kick(NH_PASS, f, x, h, i);
        p[i] = nh_and_reaction(NH_PASS, f, i, p0 + kick);
        p_low[i] = nh_and_reaction(NH_PASS, f, i, kick) - (p[i] - p0);
        const nh_real v1 = NH_TRAIT(NH_LINEAR_MULTIPLIER) ? nh_velocity(NH_PASS, f, i, p[i]) : f->v1[i];
        const nh_real drift = h * v1 + Q_low[i];
        v[i] = v1;
        Q[i] = Q0 + drift;
        Q_low[i] = drift - (Q[i] - Q0);
    }
    for (int c = 0; c < m; c++)
        x[NH_AT_MULTIPLIERS + c] = f->mu[c] * f->per_h[0];
    if (!NH_TRAIT(NH_LINEAR_MULTIPLIER)) {
        x[NH_AT_ITERATIONS] += f->iterations[0];
        x[NH_AT_ITERATIONS_MAX] = nh_max(f->iterations[0], x[NH_AT_ITERATIONS_MAX]);
    }
}

/* Where a step is not made, all is put back as it was, but for multipliers that were no good start: a batch is kept for
 * that only if it happens, and settles without choices. */
NH_INLINE void nh_keep(NH_CONTEXT, const nh_frame *f, const nh_real *x)
{
    NH_SIZES;
    for (int i = 0; i < NH_AT_CONSTANTS; i++)
        f->kept[i] = x[i];
}
NH_INLINE void nh_put_back(NH_CONTEXT, const nh_frame *f, nh_real *x, nh_mask active, nh_mask good)
{
    NH_SIZES;
    for (int i = 0; i < NH_AT_CONSTANTS; i++)
        x[i] = nh_select(good, x[i], f->kept[i]);
    for (int c = 0; c < m; c++)
        x[NH_AT_MULTIPLIERS + c] = nh_select(active & nh_not(good), nh_set(0), x[NH_AT_MULTIPLIERS + c]);
}

/* The equations of one step of the lanes in `active`; returns those where they are solved. */
NH_INLINE nh_mask nh_try(NH_CONTEXT, const nh_frame *f, nh_real *x, nh_mask active)
{
    nh_push(NH_PASS, f, x);
    return NH_TRAIT(NH_LINEAR_MULTIPLIER) ? nh_solve(NH_PASS, f, x, active) : nh_iterate(NH_PASS, f, x, active);
}

/* Makes the step there. */
NH_INLINE void nh_take(NH_CONTEXT, const nh_frame *f, nh_real *x, nh_mask active, nh_mask good)
{
    NH_SIZES;
    if (nh_any(nh_not(good)))
        nh_keep(NH_PASS, f, x);
    nh_settle(NH_PASS, f, n <= NH_FEW_COORDINATES ? NH_AFRESH(x) : x);
    if (nh_any(nh_not(good)))
        nh_put_back(NH_PASS, f, x, active, good);
}
