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
 * by h A; its null vector is the same. Where the saddle-point matrix is eliminated as a whole (saddle_coupled.h), L_i
 * is G_i and U_j is 1: C_j is taken to be C_i. */

/* y = A x, A one of the table's matrices. */
NH_INLINE void nh_matrix_times(NH_CONTEXT, int A, const nh_stage *x, int count, nh_stage *y)
{
    NH_SIZES;
    const nh_stage_map map = {.A = NH_MATRIX(A), .x = x, .s = s, .count = count, .y = y};
    nh_stage_map_all(&map);
}

/* Y = y_0 + (low + h A V): positions. */
NH_INLINE void nh_integrate(NH_CONTEXT, int A, const nh_frame *f, const nh_real *base, const nh_stage *low, nh_stage *y)
{
    NH_SIZES;
    const nh_stage_map map = {.A = NH_TIMES_STEP(A), .x = f->V, .s = s, .count = n, .base = base, .low = low, .y = y};
    nh_stage_map_all(&map);
}

/* The same for momenta, the rates of which are F with A^ and R with A~; F is their sum already if A^ = A~. */
NH_INLINE void nh_integrate_forces(NH_CONTEXT, int A, int B, const nh_frame *f, const nh_real *base,
                                   const nh_stage *low, nh_stage *y)
{
    NH_SIZES;
    const int apart = m + l > 0 && !NH_TRAIT(NH_SAME_MATRICES);
    const nh_stage_map map = {.A = NH_TIMES_STEP(A),
                              .B = NH_TIMES_STEP(B),
                              .x = f->F,
                              .z = apart ? f->R : 0,
                              .s = s,
                              .count = n,
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
    nh_integrate(NH_PASS, NH_SPARK_POSITION, f, x + NH_AT_POSITION, f->position_low, f->Q);
    for (int i = 0; i < n; i++)
        if (NH_WATCHED(i))
            f->q1[i] = x[NH_AT_POSITION + i] +
                       (h * nh_stage_sum(s, NH_VECTOR(NH_SPARK_B), f->V + i, n) + x[NH_AT_POSITION_LOW + i]);
}

/* The stages of the last step, extrapolated: V, lambda, v_1, and the positions that follow. */
NH_INLINE void nh_predict(NH_CONTEXT, const nh_frame *f, const nh_real *x, nh_mask active)
{
    NH_SIZES;
    const int ml = m + l;
    const nh_real h = x[NH_AT_STEP], t = x[NH_AT_START] + x[NH_AT_COUNT] * h;
    f->t1[0] = x[NH_AT_START] + (x[NH_AT_COUNT] + 1) * h;
    for (int g = 0; g < NH_BLOCKS; g++)
        f->T[g] = t + NH_VECTOR(NH_SPARK_C)[g] * h;
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
    for (int i = 0; i < NH_BLOCKS * n; i++)
        f->position_low[i] = f->momentum_low[i] = nh_stage_set(0);
    nh_positions(NH_PASS, f, x);
}

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
    if (!NH_TRAIT(NH_MASS_CONSTANT))
        nh_point_weights(NH_PASS, &end, f->weight);
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
NH_INLINE void nh_momenta(NH_CONTEXT, const nh_frame *f, const nh_real *x, int second, int last)
{
    NH_SIZES;
    const nh_real h = x[NH_AT_STEP];
    for (int g = 0; g < NH_BLOCKS; g++) {
        const nh_stage_point stage = nh_stage_of(NH_PASS, f, g);
        nh_stage *F = f->F + g * n, *R = f->R + g * n;
        nh_stage_point_force(NH_PASS, &stage, F);
        nh_stage_point_reaction(NH_PASS, &stage, f->lambda + g * (m + l), R);
        for (int i = 0; i < n && m + l > 0 && NH_TRAIT(NH_SAME_MATRICES); i++)
            if (NH_TOUCHED(i))
                F[i] += R[i];
    }
    if (second)
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

/* Corrections of the multipliers, and of the velocities by them; the whole correction of velocities stays in dV and dv.
 */
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
            dlambda[c] += NH_VECTOR(NH_SPARK_INVERSE_END)[g] * f->w1[c];
        nh_stage_point_upper(NH_PASS, &stage, dlambda);
        for (int c = 0; c < ml; c++) {
            dlambda[c] *= per_h;
            lambda[c] = NH_COMMIT(todo, lambda[c] + dlambda[c], lambda[c]);
        }
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
    for (int i = 0; i < n; i++) {
        if (!NH_TOUCHED(i))
            continue;
        const nh_real lifted = nh_point_lift(NH_PASS, &end, f->w1, i);
        f->v1[i] = NH_COMMIT(todo, f->v1[i] + lifted, f->v1[i]);
        f->dv[i] += lifted;
    }
}

/* Sum of |v| over all stages and the end, there without what follows from the stages at once; of |v_i|, or of |v_i|
 * times its weight. */
NH_INLINE nh_real nh_size_of(NH_CONTEXT, const nh_frame *f, const nh_stage *V, const nh_real *v1, int weighted)
{
    NH_SIZES;
    for (int g = 0; g < NH_BLOCKS; g++) {
        f->sum[g] = nh_stage_set(0);
        for (int i = 0; i < n; i++) {
            const nh_stage size = nh_stage_abs(V[g * n + i]);
            f->sum[g] += weighted ? size * f->weight[i] : size;
        }
    }
    nh_real sum = nh_stage_sum(s, NH_VECTOR(NH_SPARK_REAL), f->sum, 1);
    for (int i = 0; i < n; i++)
        if (NH_AT_END(i)) {
            const nh_real size = nh_abs(v1[i]);
            sum += weighted ? size * f->weight[i] : size;
        }
    return sum;
}

/* One correction of V, lambda, v_1 where `todo`. Low parts of coefficients act on the stages of the second one, once
 * and for all: these are good to many digits, and low parts need few. */
NH_INLINE void nh_correct(NH_CONTEXT, const nh_frame *f, const nh_real *x, nh_mask todo, int second, int last)
{
    NH_SIZES;
    nh_momenta(NH_PASS, f, x, second, last);
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

/* What is known of the convergence of a step. */
typedef struct nh_progress {
    nh_real size;           /* of the velocities */
    nh_real share;          /* of it that belongs to a unit of their weighted size */
    nh_real change, before; /* the last corrections of them */
    nh_real rate;           /* of successive ones */
} nh_progress;

/* Sizes of velocities are compared as they are, and weighted: coordinates of one unit may have very different masses,
 * and those of different units have very different numbers. The worse of the two counts. */
NH_INLINE void nh_measure(NH_CONTEXT, const nh_frame *f, nh_progress *p)
{
    p->size = nh_size_of(NH_PASS, f, f->V, f->v1, 0);
    if (NH_TRAIT(NH_MASS_UNIT))
        return;
    const nh_real weighted = nh_size_of(NH_PASS, f, f->V, f->v1, 1);
    p->share = nh_select(nh_set(0) < weighted, p->size / weighted, nh_set(0));
}
NH_INLINE nh_real nh_change(NH_CONTEXT, const nh_frame *f, const nh_progress *p)
{
    const nh_real change = nh_size_of(NH_PASS, f, f->dV, f->dv, 0);
    return NH_TRAIT(NH_MASS_UNIT) ? change : nh_max(p->share * nh_size_of(NH_PASS, f, f->dV, f->dv, 1), change);
}

/* The lanes among `look` where one more correction, which is left to nh_close, leaves nothing: what is left is always
 * left on the same side, and a ten-thousandth of a unit in the last place is seen as a drift after ten million steps.
 * Corrections of the size of round-off say nothing about the rate, and go on shrinking for all we see; if larger ones
 * shrink no more, this is the end too. */
NH_INLINE nh_mask nh_converged(NH_CONTEXT, const nh_frame *f, const nh_real *x, nh_mask look, nh_progress *p)
{
    const nh_real change = p->change, before = p->before, rate = p->rate;
    const nh_mask stuck = (change <= nh_noise(NH_PASS, f, x, p->size)) & (before <= 2 * change);
    const nh_mask blind = change <= nh_set(4 * NH_EPSILON) * p->size;
    const nh_real seen = nh_max(change / before, nh_set(0.2) * rate);
    p->change = nh_select(blind & look, nh_min(change, rate * before), change);
    p->rate = nh_select(look, nh_select(blind, nh_min(rate, seen), seen), rate);
    const nh_mask small = p->rate * p->rate * p->change <= nh_set(0x1p-18 * NH_EPSILON) * p->size;
    const nh_mask finite = p->size < nh_set(__builtin_inf()); /* what is infinite looks small to itself */
    return look & (small | stuck) & finite;
}

/* Iterates until all lanes have converged; returns those that have not. Looking takes a good part of an iteration,
 * and steps differ little: so nobody looks until two iterations before the last one of the last step, or one
 * later than in that step, if this is sooner: a single hard step, like the first, teaches nothing. */
NH_INLINE nh_mask nh_iterate(NH_CONTEXT, const nh_frame *f, nh_real *x, nh_mask active)
{
    NH_SIZES;
    nh_mask todo = active;
    nh_progress p = {.rate = x[NH_AT_RATE]};
    nh_real iterations = nh_set(1);
    const nh_real soonest = x[NH_AT_LOOK];
    for (int i = 1;; i++) {
        nh_correct(NH_PASS, f, x, todo, i == 2, 0);
        iterations = NH_COMMIT(todo, iterations + 1, iterations);
        if (i == 1) {
            nh_measure(NH_PASS, f, &p);
            nh_integrate(NH_PASS, NH_SPARK_POSITION_LOW, f, x + NH_AT_POSITION_LOW, 0, f->position_low);
        }
        if (nh_any(soonest <= iterations)) {
            p.change = nh_change(NH_PASS, f, &p);
            if (i > 1)
                todo = todo & nh_not(nh_converged(NH_PASS, f, x, todo & (soonest < iterations), &p));
            p.before = p.change;
        }
        nh_positions(NH_PASS, f, x);
        if (!nh_any(todo) || i == NH_ITERATIONS)
            break;
    }
    const nh_mask good = active & nh_not(todo); /* steps that are not made have no iterations */
    x[NH_AT_RATE] = nh_select(active, nh_min(nh_max(p.rate, nh_set(0.02)), nh_set(0.3)), x[NH_AT_RATE]);
    x[NH_AT_LOOK] = nh_select(active, nh_select(good, nh_min(iterations - 3, soonest + 1), nh_set(0)), x[NH_AT_LOOK]);
    x[NH_AT_ITERATIONS] = nh_select(good, x[NH_AT_ITERATIONS] + iterations, x[NH_AT_ITERATIONS]);
    x[NH_AT_ITERATIONS_MAX] = nh_select(good, nh_max(iterations, x[NH_AT_ITERATIONS_MAX]), x[NH_AT_ITERATIONS_MAX]);
    return todo;
}

/* Every sum + low gains h sum_j b_j (rate_j + rate_low_j), without rounding errors that matter: weights, rates, step
 * and sum are cut into a head and a tail, products of heads are exact and so is their sum, and what has a tail in
 * it is small. Products that are rounded as they come drift, by a hundredth of a unit in the last place a step. */
NH_INLINE void nh_settle(NH_CONTEXT, const nh_frame *f, nh_mask good, const nh_stage *rate, const nh_stage *rate_low,
                         nh_real *sum, nh_real *low)
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
        const nh_real minor = (h * (slope - slope_head) + h_tail * slope) + ((h + h_tail) * f->rest[i] + low[i]);
        const nh_real near = sum[i] + major, small = minor + nh_lost(sum[i], major, near), new = near + small;
        low[i] = NH_COMMIT(good, nh_lost(near, small, new), low[i]);
        sum[i] = NH_COMMIT(good, new, sum[i]);
    }
}

/* What the last correction of the multipliers adds to the reactions: into R. */
NH_INLINE void nh_last_reactions(NH_CONTEXT, const nh_frame *f)
{
    NH_SIZES;
    const int ideal = !NH_TRAIT(NH_NONIDEAL); /* then reactions are linear in the multipliers */
    nh_stage *new = f->impulse;
    for (int g = 0; g < NH_BLOCKS; g++) {
        const nh_stage_point stage = nh_stage_of(NH_PASS, f, g);
        nh_stage *R = f->R + g * n;
        nh_stage_point_reaction(NH_PASS, &stage, (ideal ? f->dlambda : f->lambda) + g * (m + l), new);
        for (int i = 0; i < n; i++)
            if (m + l > 0 && NH_TOUCHED(i))
                R[i] = ideal ? new[i] : new[i] - R[i];
            else
                R[i] = nh_stage_set(0);
    }
}

/* The last correction: small enough to be kept apart from V, which has no digits left for it. Rounding errors of V come
 * back through the forces, and where the iteration ends is no accident: without this the energy drifts, by a hundredth
 * of a unit in the last place a step. So is what it adds to the reactions, without which momenta would be those of
 * multipliers that the velocities have left behind. */
NH_INLINE void nh_close(NH_CONTEXT, const nh_frame *f, const nh_real *x, nh_mask good)
{
    NH_SIZES;
    nh_correct(NH_PASS, f, x, good, 0, 1);
    if (m + l > 0 && !NH_TRAIT(NH_SAME_MATRICES))
        for (int j = 0; j < NH_BLOCKS * n; j++)
            f->F[j] += f->R[j];
    nh_last_reactions(NH_PASS, f);
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
        nh_settle(NH_PASS, f, good, f->V, f->dV, x + NH_AT_POSITION, x + NH_AT_POSITION_LOW);
        nh_settle(NH_PASS, f, good, f->F, f->R, x + NH_AT_MOMENTUM, x + NH_AT_MOMENTUM_LOW);
        for (int i = 0; i < n; i++)
            x[NH_AT_VELOCITY + i] = NH_COMMIT(good, f->v1[i], x[NH_AT_VELOCITY + i]);
    }
    if (nh_any(failed))
        nh_forget(NH_PASS, f, x, failed);
    return good;
}
