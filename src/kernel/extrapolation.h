/* SPDX-License-Identifier: MIT */
/* Extrapolation of the half-explicit midpoint rule, Ch. Lubich, h^2-extrapolation methods for differential-algebraic
 * systems of index 2 (1989), in the (q,p) form, lambda with the + sign. A sequence of an even number of steps
 * h_j = H / (2 j):
 *     q_(i+1) = q_(i-1) + 2 h_j v_i
 *     p_(i+1) = p_(i-1) + 2 h_j (F_i + K_i^T lambda_i) = L_v(t_(i+1),q_(i+1),v_(i+1))
 *     0 = k(t_(i+1),q_(i+1),v_(i+1))
 * begins with half of such a step, from i = 0 to 1, and ends at i = 2 j, where its error has an expansion in powers of
 * h_j^2. Sequences j = 1 … s take s of these away (Aitken and Neville; the table has the weights of the result):
 * order 2 s. The result lands on the constraints by K^T at the end itself. So do sequences of j steps of (7.3), each as
 * long as two of these and hardly more work than one: NH_LEAPING.
 *
 * The state y is [q, p, v, q_low, p_low], as in a member. Sequences are what stages are elsewhere, and may be in lanes:
 * they do not wait for each other. All of them count from y: q = q_0 + way, p = p_0 + impulse. */

/* What holds for all steps of a call. */
NH_INLINE void nh_begin(NH_CONTEXT, const nh_frame *f, nh_real *x)
{
    NH_SIZES;
    for (int i = 0; i < constants; i++)
        f->stage_constants[i] = nh_all_stages(x[NH_AT_CONSTANTS + i]);
    if (!NH_TRAIT(NH_MASS_CONSTANT))
        return;
    const nh_stage_point stage = nh_stage_of(NH_PASS, f, 0);
    const nh_point end = nh_end_of(NH_PASS, f, x + NH_AT_CONSTANTS);
    f->t1[0] = x[NH_AT_START];
    f->T[0] = nh_all_stages(x[NH_AT_START]);
    for (int i = 0; i < n; i++) {
        f->next[i] = x[NH_AT_POSITION + i];
        f->next[NH_IN(VELOCITY) + i] = x[NH_AT_VELOCITY + i];
        f->Q[i] = nh_all_stages(x[NH_AT_POSITION + i]);
        f->V[i] = nh_all_stages(x[NH_AT_VELOCITY + i]);
    }
    nh_stage_point_mass(NH_PASS, &stage);
    nh_point_mass(NH_PASS, &end);
}

/* Positions are in the member all the time, and so is all memory. */
NH_INLINE void nh_locate(NH_CONTEXT, const nh_frame *f, nh_real *x)
{
    NH_SIZES;
    (void)f, (void)x;
}
NH_INLINE void nh_finish(NH_CONTEXT, const nh_frame *f, nh_real *x)
{
    NH_SIZES;
    (void)f, (void)x;
}

/* ---- What sequences come to ---- */

/* Sequences differ little, and weights are large: differences from the longest one are extrapolated, for the sake of
 * round-off. `whole`, of one component, loses the longest, which is returned. */
NH_INLINE nh_real nh_take_longest(NH_CONTEXT, nh_stage *whole)
{
    NH_SIZES;
    const nh_real longest = nh_one_stage(whole, n, NH_EXTRAPOLATION_LONGEST(s));
    for (int g = 0; g < NH_BLOCKS; g++)
        whole[g * n] = whole[g * n] - longest;
    return longest;
}

/* y and what its sequences come to; they land where `t1` says. */
NH_INLINE void nh_add_up(NH_CONTEXT, const nh_frame *f, const nh_real *y, const nh_real *c)
{
    NH_SIZES;
    const nh_point end = nh_end_of(NH_PASS, f, c);
    for (int i = 0; i < n; i++) {
        const nh_real q = y[NH_IN(POSITION) + i], p = y[NH_IN(MOMENTUM) + i];
        const nh_real way = nh_take_longest(NH_PASS, f->whole_way + i);
        const nh_real impulse = nh_take_longest(NH_PASS, f->whole_impulse + i);
        const nh_real more_way = nh_stage_sum(s, NH_VECTOR(NH_EXTRAPOLATION_WEIGHT), f->whole_way + i, n);
        const nh_real more_impulse = nh_stage_sum(s, NH_VECTOR(NH_EXTRAPOLATION_WEIGHT), f->whole_impulse + i, n);
        const nh_real all = way + (more_way + y[NH_IN(POSITION_LOW) + i]);
        f->next[NH_IN(POSITION) + i] = q + all;
        f->next[NH_IN(POSITION_LOW) + i] = nh_lost(q, all, f->next[NH_IN(POSITION) + i]);
        f->next[NH_IN(MOMENTUM_LOW) + i] = impulse + (more_impulse + y[NH_IN(MOMENTUM_LOW) + i]);
        f->next[NH_IN(VELOCITY) + i] = y[NH_IN(VELOCITY) + i];
        f->P1[i] = p + f->next[NH_IN(MOMENTUM_LOW) + i];
    }
    nh_land(NH_PASS, &(nh_landing){.at = &end,
                                   .middle = &end,
                                   .P = f->P1,
                                   .mu = f->mu1,
                                   .pull = f->pull1,
                                   .dv = f->dv1,
                                   .old = f->old1,
                                   .weight = f->weight1,
                                   .more = f->more1});
    for (int i = 0; i < n; i++) {
        const nh_real p = y[NH_IN(MOMENTUM) + i], given = f->next[NH_IN(MOMENTUM_LOW) + i];
        const nh_real impulse = m > 0 && NH_TOUCHED(i) ? given + f->pull1[i] : given;
        f->next[NH_IN(MOMENTUM) + i] = p + impulse;
        f->next[NH_IN(MOMENTUM_LOW) + i] = nh_lost(p, impulse, f->next[NH_IN(MOMENTUM) + i]);
    }
}

/* Whether it is a state at all. */
NH_INLINE nh_mask nh_is_finite(NH_CONTEXT, const nh_frame *f)
{
    NH_SIZES;
    nh_real size = nh_set(0);
    for (int i = 0; i < 3 * n; i++)
        size += nh_abs(f->next[i]);
    return size < nh_set(__builtin_inf());
}

/* The multipliers in the middle of the last hop of the longest sequence. */
NH_INLINE void nh_keep_multipliers(NH_CONTEXT, const nh_frame *f, nh_real H, nh_mask good)
{
    NH_SIZES;
    const nh_real per_hop = nh_set(s) / H;
    for (int c = 0; c < m; c++) {
        const nh_real mu = nh_one_stage(f->whole_mu + c, m, NH_EXTRAPOLATION_LONGEST(s));
        f->lambda1[c] = NH_COMMIT(good, mu * per_hop, f->lambda1[c]);
    }
}

/* ---- Step control ---- */

/* The largest doubt about q and p, in units of what is asked for. */
NH_INLINE nh_real nh_doubt(NH_CONTEXT, const nh_frame *f, const nh_real *y)
{
    NH_SIZES;
    nh_real most = nh_set(0);
    for (int i = 0; i < n; i++) {
        const nh_real way = nh_stage_sum(s, NH_VECTOR(NH_EXTRAPOLATION_DOUBT), f->whole_way + i, n);
        const nh_real impulse = nh_stage_sum(s, NH_VECTOR(NH_EXTRAPOLATION_DOUBT), f->whole_impulse + i, n);
        const nh_real of_q = nh_abs(way) / (1 + nh_abs(y[NH_IN(POSITION) + i]));
        const nh_real of_p = nh_abs(impulse) / (1 + nh_abs(y[NH_IN(MOMENTUM) + i]));
        most = nh_worse(nh_worse(most, of_q), of_p);
    }
    return most * NH_FIRST(NH_EXTRAPOLATION_DEMAND);
}

/* By how much the next step may be longer: rungs of a ladder, 2^(1/4) apart, from 4 down to 1/8. The doubt should be a
 * quarter of what is allowed. */
NH_INLINE nh_real nh_stretch(NH_CONTEXT, nh_real doubt)
{
    NH_SIZES;
    const nh_real rung = NH_FIRST(NH_EXTRAPOLATION_RUNG);
    nh_real factor = nh_set(4), allowed = nh_set(0.25);
    for (int i = 0; i < NH_RUNGS_UP; i++)
        allowed = allowed / rung;
    for (int i = 0; i < NH_RUNGS_UP + NH_RUNGS_DOWN; i++) {
        factor = nh_select(doubt <= allowed, factor, factor * nh_set(0x1.ae89f995ad3adp-1));
        allowed = allowed * rung;
    }
    return factor;
}

/* How much of the step of a member is taken at once, before anything is known: about as long as positions need to
 * become others. */
NH_INLINE nh_real nh_first_length(NH_CONTEXT, const nh_real *y)
{
    NH_SIZES;
    nh_real far = nh_set(1), fast = nh_set(0);
    for (int i = 0; i < n; i++) {
        far = nh_max(far, nh_abs(y[NH_IN(POSITION) + i]));
        fast = nh_max(fast, nh_abs(y[NH_IN(VELOCITY) + i]));
    }
    return far / fast;
}

/* A step of a member in steps of its own, as long as they may be. `done` and `share` are parts of it. */
NH_INLINE nh_mask nh_try_controlled(NH_CONTEXT, const nh_frame *f, nh_real *x, nh_mask active)
{
    NH_SIZES;
    const nh_real h = x[NH_AT_STEP], size = nh_abs(h), t = x[NH_AT_START] + x[NH_AT_COUNT] * h;
    nh_real done = nh_set(0), length = x[NH_AT_LENGTH];
    nh_mask todo = active;
    for (int i = 0; i < NH_STATE_SIZE; i++)
        f->state[i] = x[NH_AT_POSITION + i];
    length = nh_select(nh_set(0) < length, length, nh_min(nh_first_length(NH_PASS, f->state), size));
    for (int i = 0; i < NH_TRIES && nh_any(todo); i++) {
        const nh_real rest = 1 - done, wish = length / size;
        const nh_real share = nh_select(rest <= wish, rest, nh_select(rest < 2 * wish, nh_set(0.5) * rest, wish));
        const nh_real from = t + done * h, H = share * h;
        f->t1[0] = nh_select(rest <= share, x[NH_AT_START] + (x[NH_AT_COUNT] + 1) * h, from + H);
        nh_run(NH_PASS, f, f->state, from, H);
        nh_add_up(NH_PASS, f, f->state, x + NH_AT_CONSTANTS);
        const nh_mask finite = nh_is_finite(NH_PASS, f);
        const nh_real doubt = nh_select(finite, nh_doubt(NH_PASS, f, f->state), nh_set(__builtin_inf()));
        const nh_real next = share * size * nh_stretch(NH_PASS, doubt);
        const nh_mask good = todo & finite & (doubt <= nh_set(1));
        const nh_mask whole = good & nh_not(share < wish); /* a rest tells nothing about longer ones */
        for (int j = 0; j < NH_STATE_SIZE; j++)
            f->state[j] = nh_select(good, f->next[j], f->state[j]);
        nh_keep_multipliers(NH_PASS, f, H, good);
        length = nh_select(todo & (whole | nh_not(good)), next, nh_select(good, nh_max(length, next), length));
        done = nh_select(good, nh_select(rest <= share, nh_set(1), done + share), done);
        f->tries[0] = nh_select(todo, f->tries[0] + 1, f->tries[0]);
        todo = todo & (done < nh_set(1)) & (nh_set(NH_EPSILON) * size < length);
    }
    for (int j = 0; j < NH_STATE_SIZE; j++)
        f->next[j] = f->state[j];
    x[NH_AT_LENGTH] = nh_select(active & (done == nh_set(1)), length, x[NH_AT_LENGTH]);
    return active & (done == nh_set(1));
}

/* ---- The step ---- */

/* One step of the lanes in `active`; returns those that can make it. */
NH_INLINE nh_mask nh_try(NH_CONTEXT, const nh_frame *f, nh_real *x, nh_mask active)
{
    NH_SIZES;
    const nh_real h = x[NH_AT_STEP];
    f->tries[0] = nh_set(0);
    if (NH_TRAIT(NH_CONTROLLED))
        return nh_try_controlled(NH_PASS, f, x, active);
    f->tries[0] += 1;
    f->t1[0] = x[NH_AT_START] + (x[NH_AT_COUNT] + 1) * h;
    nh_run(NH_PASS, f, x + NH_AT_POSITION, x[NH_AT_START] + x[NH_AT_COUNT] * h, h);
    nh_add_up(NH_PASS, f, x + NH_AT_POSITION, x + NH_AT_CONSTANTS);
    nh_keep_multipliers(NH_PASS, f, h, active);
    return active & nh_is_finite(NH_PASS, f);
}

/* Makes it there. */
NH_INLINE void nh_take(NH_CONTEXT, const nh_frame *f, nh_real *x, nh_mask active, nh_mask good)
{
    NH_SIZES;
    (void)active;
    for (int i = 0; i < NH_STATE_SIZE; i++)
        x[NH_AT_POSITION + i] = nh_select(good, f->next[i], x[NH_AT_POSITION + i]);
    for (int c = 0; c < m; c++) {
        nh_real *lambda = x + NH_AT_MULTIPLIERS + (s - 1) * m + c;
        *lambda = nh_select(good, f->lambda1[c], *lambda);
    }
    x[NH_AT_ITERATIONS] = nh_select(good, x[NH_AT_ITERATIONS] + f->tries[0], x[NH_AT_ITERATIONS]);
    x[NH_AT_ITERATIONS_MAX] = nh_select(good, nh_max(f->tries[0], x[NH_AT_ITERATIONS_MAX]), x[NH_AT_ITERATIONS_MAX]);
}
