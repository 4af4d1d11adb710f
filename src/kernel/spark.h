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

/* Reactions to forces, at a block of stages, where they act; of many, all that are bound: with zeros they take less
 * time than choices. */
NH_INLINE void nh_add_reactions(NH_CONTEXT, const nh_stage *R, nh_stage *F)
{
    NH_SIZES;
#if NH_FEW
    for (int i = 0; i < n; i++)
        if (n > NH_FEW_COORDINATES ? !NH_FREE(i) : NH_TOUCHED(i))
            F[i] += R[i];
#else
    for (NH_SPANS(a, 0, NH_BOUND))
        for (int j = a.from; j < a.to; j++)
            F[NH_ITH(a, j)] += R[NH_ITH(a, j)];
#endif
}

/* Forces and reactions at the stages. */
NH_INLINE void nh_forces(NH_CONTEXT, const nh_frame *f)
{
    NH_SIZES;
    for (int g = 0; g < NH_BLOCKS; g++) {
        const nh_stage_point stage = nh_stage_of(NH_PASS, f, g);
        nh_stage *F = f->F + g * n, *R = f->R + g * n;
        nh_stage_point_force(NH_PASS, &stage, F);
        nh_stage_point_reaction(NH_PASS, &stage, f->lambda + g * (m + l), R);
        if (m + l > 0 && NH_TRAIT(NH_SAME_MATRICES))
            nh_add_reactions(NH_PASS, R, F);
    }
}

/* (6.1b): what momenta at the stages gain; (6.1d): p_1. */
NH_INLINE void nh_momenta(NH_CONTEXT, const nh_frame *f, const nh_real *x, nh_span a, int last)
{
    NH_SIZES;
    const nh_real h = x[NH_AT_STEP];
    nh_integrate_forces(NH_PASS, NH_SPARK_FORCE, NH_SPARK_REACTION, f, a, 0, f->momentum_low, f->impulse);
    for (int j = a.from; j < a.to; j++) {
        const int i = NH_ITH(a, j);
        if (last || NH_TRAIT(NH_SECOND_ORDER) || NH_AT_END(i))
            f->p1[i] = x[NH_AT_MOMENTUM + i] + (h * nh_impulse(NH_PASS, f, i) + x[NH_AT_MOMENTUM_LOW + i]);
    }
}

/* Velocities that are momenta, of a span: at the stages; by how much they have changed is in dV. */
NH_INLINE void nh_same_velocities(NH_CONTEXT, const nh_frame *f, const nh_real *x, nh_mask todo, nh_span a)
{
    NH_SIZES;
    for (int g = 0; g < NH_BLOCKS; g++)
        for (int j = a.from; j < a.to; j++) {
            const int i = NH_ITH(a, j), at = g * n + i;
            const nh_stage old = f->V[at], new = nh_all_stages(x[NH_AT_MOMENTUM + i]) + f->impulse[at];
            f->V[at] = NH_COMMIT(todo, new, old);
            f->dV[at] = new - old;
        }
}

/* Velocities from momenta at block g of the stages; by how much they have changed is in dV. The last time those that
 * were iterated stay as they are, the others come, and what they lack to the last digit is in dV. */
NH_INLINE void nh_stage_velocities(NH_CONTEXT, const nh_frame *f, const nh_real *x, nh_mask todo, int last, int g)
{
    NH_SIZES;
    const nh_stage_point stage = nh_stage_of(NH_PASS, f, g);
    const int linear = NH_TRAIT(NH_MOMENTUM_LINEAR);
    nh_stage *dV = f->dV + g * n;
    for (int i = 0; i < n; i++) {
        const nh_stage p = nh_all_stages(x[NH_AT_MOMENTUM + i]), dp = f->impulse[g * n + i];
        f->P[i] = p + dp;
        if (last)
            f->lost[i] = nh_stage_lost(p, dp, f->P[i]);
        if (last && NH_FREE(i))
            stage.v[i] = NH_COMMIT(todo, f->P[i], stage.v[i]);
    }
    if (last) {
        nh_stage_point_correction(NH_PASS, &stage, f->P, f->lost, dV);
        return;
    }
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
    if (NH_TRAIT(NH_SECOND_ORDER) && !last) {
        for (NH_SPANS(a, 0, NH_BOUND))
            for (int j = a.from; j < a.to; j++) {
                const int i = NH_ITH(a, j);
                f->v1[i] = NH_COMMIT(todo, f->p1[i], f->v1[i]);
                f->dv[i] = nh_set(0);
            }
        return;
    }
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

/* All of them, from the forces. Low parts of coefficients act on the second correction, see below. */
NH_INLINE void nh_velocities(NH_CONTEXT, const nh_frame *f, const nh_real *x, nh_mask todo, int second, int last)
{
    NH_SIZES;
    const nh_span all = {0, n, 0, 1};
    const int same = NH_TRAIT(NH_SECOND_ORDER) && !last;
    if (second)
        nh_integrate_forces(NH_PASS, NH_SPARK_FORCE_LOW, NH_SPARK_REACTION_LOW, f, all, x + NH_AT_MOMENTUM_LOW, 0,
                            f->momentum_low);
    if (same) {
        for (NH_SPANS(a, 0, NH_BOUND)) {
            nh_momenta(NH_PASS, f, x, a, 0);
            nh_same_velocities(NH_PASS, f, x, todo, a);
        }
    } else {
        nh_momenta(NH_PASS, f, x, all, last);
        for (int g = 0; g < NH_BLOCKS; g++)
            nh_stage_velocities(NH_PASS, f, x, todo, last, g);
    }
    nh_end_velocity(NH_PASS, f, x, todo, last);
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
    nh_matrix_times(NH_PASS, NH_SPARK_INVERSE, f->w, ml, f->dlambda);
    for (int g = 0; g < NH_BLOCKS; g++) {
        const nh_stage_point stage = nh_stage_of(NH_PASS, f, g);
        nh_stage *dlambda = f->dlambda + g * ml, *lambda = f->lambda + g * ml, *w = f->w + g * ml;
        for (int c = 0; c < ml; c++)
            dlambda[c] += NH_VECTOR(NH_SPARK_INVERSE_END)[g] * f->w1[c];
        nh_stage_point_upper(NH_PASS, &stage, dlambda);
        for (int c = 0; c < ml; c++) {
            dlambda[c] *= f->per_h[0];
            lambda[c] = NH_COMMIT(todo, lambda[c] + dlambda[c], lambda[c]);
        }
        nh_stage_point_upper(NH_PASS, &stage, w);
        for (NH_SPANS(a, 0, NH_BOUND))
            NH_EACH (int j = a.from; j < a.to; j++) {
                const int i = NH_ITH(a, j);
                if (!NH_FELT(i))
                    continue;
                const nh_stage lifted = nh_stage_point_lift(NH_PASS, &stage, w, i);
                f->dV[g * n + i] += lifted;
                if (!last)
                    stage.v[i] = NH_COMMIT(todo, stage.v[i] + lifted, stage.v[i]);
            }
    }
    const nh_point end = nh_end_of(f, x + NH_AT_CONSTANTS);
    nh_point_upper(NH_PASS, &end, f->w1);
    for (NH_SPANS(a, 0, NH_BOUND))
        NH_EACH (int j = a.from; j < a.to; j++) {
            const int i = NH_ITH(a, j);
            if (!NH_FELT(i))
                continue;
            const nh_real lifted = nh_point_lift(NH_PASS, &end, f->w1, i);
            f->v1[i] = NH_COMMIT(todo, f->v1[i] + lifted, f->v1[i]);
            f->dv[i] += lifted;
        }
}

/* One correction of V, lambda, v_1 where `todo`. Low parts of coefficients act on the stages of the second one, once
 * and for all: these are good to many digits, and low parts need few. Free positions come before the momenta: nobody
 * waits for them until the residuals, and what everybody waits for stands together. */
NH_INLINE void nh_correct(NH_CONTEXT, const nh_frame *f, const nh_real *x, nh_mask todo, int second, int last)
{
    NH_SIZES;
    nh_forces(NH_PASS, f);
    if (NH_BOUND < n && second)
        nh_low_free_positions(NH_PASS, f, x);
    if (NH_BOUND < n && !last)
        nh_free_positions(NH_PASS, f, x, todo);
    nh_velocities(NH_PASS, f, x, todo, second, last);
    nh_residuals(NH_PASS, f, x, last);
    if (NH_TRAIT(NH_MIDPOINT))
        nh_middle_residual(NH_PASS, f, x, last);
    const nh_point end = nh_end_of(f, x + NH_AT_CONSTANTS);
    nh_demands(NH_PASS, f, &end);
    nh_multipliers(NH_PASS, f, x, todo, last);
}

/* Iterates until all lanes have converged; returns those that have not. Looking takes a good part of an iteration,
 * and steps differ little: so nobody looks until three iterations before the last one of the last step, or one
 * later than in that step, if this is sooner: a single hard step, like the first, teaches nothing. Where that was too
 * late to tell a rate, it is two sooner. */
NH_INLINE nh_mask nh_iterate(NH_CONTEXT, const nh_frame *f, nh_real *x, nh_mask active)
{
    NH_SIZES;
    nh_mask todo = active;
    nh_progress p = {.rate = x[NH_AT_RATE], .change = nh_set(__builtin_inf()), .told = active & nh_not(active)};
    nh_real iterations = nh_set(1);
    const nh_real soonest = x[NH_AT_LOOK];
    for (int i = 1;; i++) {
        nh_correct(NH_PASS, f, x, todo, i == 2, 0);
        iterations = NH_COMMIT(todo, iterations + 1, iterations);
        if (i == 1) {
            nh_measure(NH_PASS, f, &p);
            if (nh_any(active & (soonest <= NH_FIRST)))
                p.change = nh_select(soonest <= NH_FIRST, nh_change(NH_PASS, f, &p), p.change);
            nh_low_positions(NH_PASS, f, x);
        } else if (nh_any(todo & (soonest <= iterations))) {
            todo = todo & nh_not(nh_converged(NH_PASS, f, todo & (soonest <= iterations), &p));
        }
        nh_positions(NH_PASS, f, x);
        if (!nh_any(todo) || i == NH_ITERATIONS)
            break;
    }
    const nh_mask good = active & nh_not(todo); /* steps that are not made have no iterations */
    x[NH_AT_RATE] =
        nh_select(active, nh_min(nh_max(p.rate, nh_set(NH_RATE_LEAST)), nh_set(NH_RATE_MOST)), x[NH_AT_RATE]);
    const nh_real next = nh_select(p.told, nh_min(iterations - 3, soonest + 1), nh_max(soonest - 2, nh_set(0)));
    x[NH_AT_LOOK] = nh_select(active, nh_select(good, next, nh_set(0)), x[NH_AT_LOOK]);
    x[NH_AT_ITERATIONS] = nh_select(good, x[NH_AT_ITERATIONS] + iterations, x[NH_AT_ITERATIONS]);
    x[NH_AT_ITERATIONS_MAX] = nh_select(good, nh_max(iterations, x[NH_AT_ITERATIONS_MAX]), x[NH_AT_ITERATIONS_MAX]);
    return todo;
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

/* The equations of one step of the lanes in `active`; returns those where they are solved. */
NH_INLINE nh_mask nh_try(NH_CONTEXT, const nh_frame *f, nh_real *x, nh_mask active)
{
    nh_predict(NH_PASS, f, x, active);
    nh_freeze(NH_PASS, f, x);
    return active & nh_not(nh_iterate(NH_PASS, f, x, active));
}

/* Makes the step there. */
NH_INLINE void nh_take(NH_CONTEXT, const nh_frame *f, nh_real *x, nh_mask active, nh_mask good)
{
    NH_SIZES;
    const nh_mask failed = active & nh_not(good);
    if (nh_any(good)) {
        nh_close(NH_PASS, f, x, good);
        nh_settle(NH_PASS, f, x, good);
        for (int i = 0; i < n; i++)
            x[NH_AT_VELOCITY + i] = NH_COMMIT(good, f->v1[i], x[NH_AT_VELOCITY + i]);
    }
    if (nh_any(failed))
        nh_forget(NH_PASS, f, x, failed);
}
