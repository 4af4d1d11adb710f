/* SPDX-License-Identifier: MIT */
/* Positions at the stages and at the end of a step of (6.1), and where an iteration starts: by extrapolation of the
 * last step. Where all depends on positions alone (NH_SECOND_ORDER), velocities of free coordinates, which feel no
 * reaction, are not needed before the step is done: then one product with A A^ takes the place of two. */

/* y = A x, A one of the table's matrices. */
NH_INLINE void nh_matrix_times(NH_CONTEXT, int A, const nh_stage *x, int count, nh_stage *y)
{
    NH_SIZES;
    const nh_stage_map map = {.A = NH_MATRIX(A), .x = x, .s = s, .n = count, .count = count, .y = y};
    nh_stage_map_all(&map);
}

/* Y = y_0 + (low + h A rate + h B other), of the coordinates of a span; `other` may be NULL. */
NH_INLINE void nh_integrate_two(NH_CONTEXT, const nh_frame *f, int A, const nh_stage *rate, int B,
                                const nh_stage *other, nh_span a, const nh_real *base, const nh_stage *low, nh_stage *y)
{
    NH_SIZES;
    const nh_stage_map map = {.A = NH_TIMES_STEP(A),
                              .B = NH_TIMES_STEP(B),
                              .x = rate,
                              .z = other,
                              .s = s,
                              .n = n,
                              .which = NH_FEW ? NH_ORDER + a.from : 0,
                              .first = a.from + a.shift,
                              .count = a.to - a.from,
                              .base = base,
                              .low = low,
                              .y = y};
    nh_stage_map_all(&map);
}
NH_INLINE void nh_integrate(NH_CONTEXT, int A, const nh_frame *f, const nh_stage *rate, nh_span a, const nh_real *base,
                            const nh_stage *low, nh_stage *y)
{
    nh_integrate_two(NH_PASS, f, A, rate, A, 0, a, base, low, y);
}

/* Momenta: their rates are F with A^ and R with A~; F is the sum of both already if A^ = A~. */
NH_INLINE void nh_integrate_forces(NH_CONTEXT, int A, int B, const nh_frame *f, nh_span a, const nh_real *base,
                                   const nh_stage *low, nh_stage *y)
{
    NH_SIZES;
    const int apart = m + l > 0 && !NH_TRAIT(NH_SAME_MATRICES);
    nh_integrate_two(NH_PASS, f, A, f->F, B, apart ? f->R : 0, a, base, low, y);
}

/* q_1 of coordinate i from the way that it has taken. */
NH_INLINE nh_real nh_end_of_way(NH_CONTEXT, const nh_real *x, int i, nh_real way)
{
    NH_SIZES;
    return x[NH_AT_POSITION + i] + (way + x[NH_AT_POSITION_LOW + i]);
}

/* (6.1a), and q_1: of bound coordinates. */
NH_INLINE void nh_positions(NH_CONTEXT, const nh_frame *f, const nh_real *x)
{
    NH_SIZES;
    const nh_real h = x[NH_AT_STEP];
    for (NH_SPANS(a, 0, NH_BOUND)) {
        nh_integrate(NH_PASS, NH_SPARK_POSITION, f, f->V, a, x + NH_AT_POSITION, f->position_low, f->Q);
        if (NH_TRAIT(NH_SECOND_ORDER) && NH_TRAIT(NH_LINEAR_MULTIPLIER)) /* then these are not watched */
            continue;
        for (int j = a.from; j < a.to; j++) {
            const int i = NH_ITH(a, j);
            if (NH_WATCHED(i))
                f->q1[i] = nh_end_of_way(NH_PASS, x, i, h * nh_stage_sum(s, NH_VECTOR(NH_SPARK_B), f->V + i, n));
        }
    }
}

/* What low parts of coefficients, and of q_0, add to them. */
NH_INLINE void nh_low_positions(NH_CONTEXT, const nh_frame *f, const nh_real *x)
{
    NH_SIZES;
    for (NH_SPANS(a, 0, NH_BOUND))
        nh_integrate(NH_PASS, NH_SPARK_POSITION_LOW, f, f->V, a, x + NH_AT_POSITION_LOW, 0, f->position_low);
}

/* The same of free coordinates, from the forces: Q = q_0 + h A 1 v_0 + h^2 A A^ F. The way from q_0 is kept in the
 * place of the impulse; by how much it has changed is in dV. */
NH_INLINE void nh_free_span(NH_CONTEXT, const nh_frame *f, const nh_real *x, nh_mask todo, nh_span a)
{
    NH_SIZES;
    nh_integrate(NH_PASS, NH_SPARK_SQUARE, f, f->F, a, 0, f->position_low, f->sum);
    for (int j = a.from; j < a.to; j++) {
        const int i = NH_ITH(a, j);
        const nh_real v = x[NH_AT_MOMENTUM + i];
        for (int g = 0; g < NH_BLOCKS; g++) {
            const int at = g * n + i;
            const nh_stage way = f->reach[g] * v + f->sum[at];
            f->dV[at] = way - f->impulse[at];
            f->impulse[at] = NH_COMMIT(todo, way, f->impulse[at]);
            f->Q[at] = x[NH_AT_POSITION + i] + f->impulse[at];
        }
        if (NH_WATCHED(i)) {
            const nh_real pull = f->h[2] * nh_stage_sum(s, NH_VECTOR(NH_SPARK_SQUARE_END), f->F + i, n);
            f->q1[i] = NH_COMMIT(todo, nh_end_of_way(NH_PASS, x, i, f->h[3] * v + pull), f->q1[i]);
        }
    }
}

NH_INLINE void nh_free_positions(NH_CONTEXT, const nh_frame *f, const nh_real *x, nh_mask todo)
{
    NH_SIZES;
    for (NH_SPANS(a, NH_BOUND, n))
        nh_free_span(NH_PASS, f, x, todo, a);
}

NH_INLINE void nh_low_free_span(NH_CONTEXT, const nh_frame *f, const nh_real *x, nh_span a)
{
    NH_SIZES;
    nh_integrate(NH_PASS, NH_SPARK_SQUARE_LOW, f, f->F, a, x + NH_AT_POSITION_LOW, 0, f->position_low);
    for (int j = a.from; j < a.to; j++)
        for (int g = 0; g < NH_BLOCKS; g++) {
            const int i = NH_ITH(a, j);
            f->position_low[g * n + i] +=
                f->reach_low[g] * x[NH_AT_MOMENTUM + i] + f->reach[g] * x[NH_AT_MOMENTUM_LOW + i];
        }
}

NH_INLINE void nh_low_free_positions(NH_CONTEXT, const nh_frame *f, const nh_real *x)
{
    NH_SIZES;
    for (NH_SPANS(a, NH_BOUND, n))
        nh_low_free_span(NH_PASS, f, x, a);
}

/* Velocities of the polynomial through V of the last step, at the end too. */
NH_INLINE void nh_predict_velocities(NH_CONTEXT, const nh_frame *f, const nh_real *x, nh_mask active)
{
    NH_SIZES;
    nh_matrix_times(NH_PASS, NH_SPARK_AHEAD, f->dV, n, f->sum);
    for (int i = 0; i < n; i++) {
        const nh_real v = x[NH_AT_VELOCITY + i];
        for (int g = 0; g < NH_BLOCKS; g++)
            f->V[g * n + i] = NH_COMMIT(active, v + f->sum[g * n + i], f->V[g * n + i]);
        f->v1[i] = v + nh_stage_sum(s, NH_VECTOR(NH_SPARK_AHEAD_END), f->dV + i, n);
    }
}

/* Its positions, without the velocities. */
NH_INLINE void nh_predict_positions(NH_CONTEXT, const nh_frame *f, const nh_real *x)
{
    NH_SIZES;
    const nh_real h = x[NH_AT_STEP];
    nh_matrix_times(NH_PASS, NH_SPARK_AHEAD_WAY, f->dV, n, f->sum);
    for (int i = 0; i < n; i++) {
        const nh_real q = x[NH_AT_POSITION + i], v = x[NH_AT_VELOCITY + i];
        for (int g = 0; g < NH_BLOCKS; g++) {
            f->impulse[g * n + i] = f->reach[g] * v + h * f->sum[g * n + i];
            f->Q[g * n + i] = q + f->impulse[g * n + i];
        }
        if (NH_WATCHED(i))
            f->q1[i] = q + h * (v + nh_stage_sum(s, NH_VECTOR(NH_SPARK_AHEAD_WAY_END), f->dV + i, n));
    }
}

/* What low parts add to the first correction: nothing yet. */
NH_INLINE void nh_forget_low(NH_CONTEXT, const nh_frame *f)
{
    NH_SIZES;
    for (int i = 0; i < n; i++)
        for (int g = 0; g < NH_BLOCKS; g++) {
            if (!NH_FREE(i))
                f->momentum_low[g * n + i] = nh_stage_set(0);
            if (NH_FREE(i) || !NH_TRAIT(NH_SECOND_ORDER))
                f->position_low[g * n + i] = nh_stage_set(0);
        }
}

/* The stages of the last step, extrapolated. Velocities that follow from positions are asked for only where the first
 * correction of them is looked at. */
NH_INLINE void nh_predict(NH_CONTEXT, const nh_frame *f, const nh_real *x, nh_mask active)
{
    NH_SIZES;
    const int ml = m + l;
    const nh_real h = x[NH_AT_STEP], t = x[NH_AT_START] + x[NH_AT_COUNT] * h;
    f->t1[0] = x[NH_AT_START] + (x[NH_AT_COUNT] + 1) * h;
    for (int g = 0; g < NH_BLOCKS; g++)
        f->T[g] = t + NH_VECTOR(NH_SPARK_C)[g] * h;
    nh_forget_low(NH_PASS, f);
    for (int g = 0; g < NH_BLOCKS; g++)
        for (int i = 0; i < n; i++)
            f->dV[g * n + i] = f->V[g * n + i] - x[NH_AT_VELOCITY + i];
    if (NH_TRAIT(NH_SECOND_ORDER))
        nh_predict_positions(NH_PASS, f, x);
    if (!NH_TRAIT(NH_SECOND_ORDER) || nh_any(active & (x[NH_AT_LOOK] <= NH_FIRST)))
        nh_predict_velocities(NH_PASS, f, x, active);
    if (!NH_TRAIT(NH_SECOND_ORDER))
        nh_positions(NH_PASS, f, x);
    nh_matrix_times(NH_PASS, NH_SPARK_AHEAD_REACTION, f->lambda, ml, f->sum);
    for (int i = 0; i < NH_BLOCKS * ml; i++)
        f->lambda[i] = NH_COMMIT(active, f->sum[i], f->lambda[i]);
}
