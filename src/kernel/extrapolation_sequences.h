/* SPDX-License-Identifier: MIT */
/* The sequences of an extrapolation: pairs of midpoint steps from a state y, or a step of (7.3) in the place of a pair,
 * side by side in lanes or one sequence after another. */

/* Where sequences begin: K and the force there, which are kept for hops. What fills the last block never ends; it has
 * no weight, but a number. */
NH_INLINE void nh_line_up(NH_CONTEXT, const nh_frame *f, const nh_real *y, nh_real t)
{
    NH_SIZES;
    for (int i = 0; i < n; i++) {
        f->Q[i] = nh_all_stages(y[NH_IN(POSITION) + i]);
        f->V[i] = nh_all_stages(y[NH_IN(VELOCITY) + i]);
        if (s % NH_BLOCK != 0)
            f->whole_way[s / NH_BLOCK * n + i] = f->whole_impulse[s / NH_BLOCK * n + i] = nh_stage_set(0);
    }
    f->T[0] = nh_all_stages(t);
    if (NH_TRAIT(NH_LEAPING))
        return;
    nh_stage_point start = nh_stage_of(NH_PASS, f, 0);
    start.rows = f->rows + 2 * NH_ROWS_SIZE;
    nh_stage_point_force(NH_PASS, &start, f->F + n);
    if (m > 0)
        nh_stage_point_rows(NH_PASS, &start);
}

/* What is done in some lanes; one by one, sequences are all that there is. */
#if NH_BLOCK > 1
#define NH_WHERE(here, new, old) nh_stage_select(here, new, old)
#else
#define NH_WHERE(here, new, old) ((void)(here), (new))
#endif

/* Those of block g begin, in these lanes. */
NH_INLINE void nh_set_off(NH_CONTEXT, const nh_frame *f, const nh_real *y, nh_real H, int g, nh_stage_mask here)
{
    NH_SIZES;
    const nh_stage *rows = f->rows + 2 * NH_ROWS_SIZE, zero = nh_stage_set(0);
    f->step[0] = NH_WHERE(here, H / (2 * NH_VECTOR(NH_EXTRAPOLATION_PAIRS)[g]), f->step[0]);
    for (int i = 0; i < 2 * n; i++) {
        f->way[i] = NH_WHERE(here, zero, f->way[i]);
        f->impulse[i] = NH_WHERE(here, zero, f->impulse[i]);
    }
    for (int i = 0; i < n; i++) {
        const nh_stage v = nh_all_stages(y[NH_IN(VELOCITY) + i]);
        f->Q[i] = NH_WHERE(here, nh_all_stages(y[NH_IN(POSITION) + i]), f->Q[i]);
        f->V[i] = NH_WHERE(here, v, f->V[i]);
        f->V[n + i] = NH_WHERE(here, v, f->V[n + i]);
        if (NH_TRAIT(NH_LEAPING)) /* (7.3a) */
            f->way[n + i] = NH_WHERE(here, f->step[0] * v, f->way[n + i]);
        else
            f->F[i] = NH_WHERE(here, f->F[n + i], f->F[i]);
    }
    for (int i = 0; i < NH_ROWS_SIZE && !NH_TRAIT(NH_LEAPING); i++)
        f->rows[i] = NH_WHERE(here, rows[i], f->rows[i]);
}

NH_INLINE nh_stage_landing nh_landing_of(const nh_frame *f, const nh_stage_point *at, const nh_stage_point *middle)
{
    return (nh_stage_landing){.at = at,
                              .middle = middle,
                              .P = f->P,
                              .mu = f->mu,
                              .pull = f->pull,
                              .dv = f->dv,
                              .old = f->old,
                              .weight = f->weight,
                              .more = f->more};
}

/* A midpoint step of length h, through `side` to the other one, and the force there for the next one: what it shares
 * with mass and constraints at that point, as a sine, is computed once. */
NH_INLINE void nh_hop(NH_CONTEXT, const nh_frame *f, const nh_real *y, int side, nh_stage h)
{
    NH_SIZES;
    const nh_stage_point middle = nh_stage_of(NH_PASS, f, side), to = nh_stage_of(NH_PASS, f, 1 - side);
    const int at = (1 - side) * n;
    nh_stage *way = f->way + at, *impulse = f->impulse + at, *Q = f->Q + at;
    for (int i = 0; i < n; i++) {
        way[i] += h * middle.v[i];
        impulse[i] += h * f->F[i];
        Q[i] = y[NH_IN(POSITION) + i] + way[i];
        f->P[i] = y[NH_IN(MOMENTUM) + i] + impulse[i];
    }
    const nh_stage_landing landing = nh_landing_of(f, &to, &middle);
    nh_stage_land(NH_PASS, &landing);
    for (int i = 0; i < n && m > 0; i++)
        if (NH_TOUCHED(i))
            impulse[i] += f->pull[i];
    nh_stage_point_force(NH_PASS, &to, f->F);
}

/* A step of (7.3) of length h, from the even point to the next one: the odd one is its middle Q, whose way goes on by
 * h v. What K depends on at the end feels no reaction, and is there as soon as the force has acted. */
NH_INLINE void nh_leap(NH_CONTEXT, const nh_frame *f, const nh_real *y, nh_stage half, nh_stage h)
{
    NH_SIZES;
    const nh_stage_point middle = nh_stage_of(NH_PASS, f, 1), to = nh_stage_of(NH_PASS, f, 0);
    const nh_stage_landing landing = nh_landing_of(f, &to, &middle);
    nh_stage *way = f->way + n, *Q = f->Q + n;
    for (int i = 0; i < n; i++)
        Q[i] = y[NH_IN(POSITION) + i] + way[i];
    nh_stage_point_force(NH_PASS, &middle, f->F);
    for (int i = 0; i < n; i++) {
        f->impulse[i] += h * f->F[i];
        f->P[i] = y[NH_IN(MOMENTUM) + i] + f->impulse[i];
    }
    nh_stage_land_velocity(NH_PASS, &landing, f->P);
    for (int i = 0; i < n; i++)
        if (NH_WATCHED(i))
            f->Q[i] = Q[i] + half * to.v[i];
    if (m > 0)
        nh_stage_point_rows(NH_PASS, &middle);
    nh_stage_land_from(NH_PASS, &landing);
    for (int i = 0; i < n; i++) {
        if (m > 0 && NH_TOUCHED(i))
            f->impulse[i] += f->pull[i];
        way[i] += h * to.v[i];
    }
}

/* The next pair of hops, or a leap, after so many of them. */
NH_INLINE void nh_go_by_pairs(NH_CONTEXT, const nh_frame *f, const nh_real *y, nh_real t, nh_stage pairs)
{
    NH_SIZES;
    const nh_stage once = f->step[0], twice = once + once;
    f->T[1] = (t + pairs * twice) + once;
    if (!NH_TRAIT(NH_LEAPING))
        nh_hop(NH_PASS, f, y, 0, nh_stage_select(pairs == nh_stage_set(0), once, twice));
    f->T[0] = t + (pairs + 1) * twice;
    if (NH_TRAIT(NH_LEAPING))
        nh_leap(NH_PASS, f, y, once, twice);
    else
        nh_hop(NH_PASS, f, y, 1, twice);
}

/* Those of block g have ended in these lanes. */
NH_INLINE void nh_note(NH_CONTEXT, const nh_frame *f, int g, nh_stage_mask here)
{
    NH_SIZES;
    for (int i = 0; i < n; i++) {
        /* (7.3c), or (7.3a) backwards */
        const nh_stage way = NH_TRAIT(NH_LEAPING) ? f->way[n + i] - f->step[0] * f->V[i] : f->way[i];
        f->whole_way[g * n + i] = NH_WHERE(here, way, f->whole_way[g * n + i]);
        f->whole_impulse[g * n + i] = NH_WHERE(here, f->impulse[i], f->whole_impulse[g * n + i]);
    }
    for (int c = 0; c < m; c++)
        f->whole_mu[g * m + c] = NH_WHERE(here, f->mu[c], f->whole_mu[g * m + c]);
}

/* All sequences. In lanes of their own they run side by side, and where one ends the next one begins. */
#if NH_BLOCK > 1
NH_INLINE int nh_pairs_of_lane(int s, int lane)
{
    int pairs = 0;
    for (int g = lane; g < s; g += 4)
        pairs += NH_EXTRAPOLATION_PAIRS_OF(s, g);
    return pairs;
}

NH_INLINE void nh_run(NH_CONTEXT, const nh_frame *f, const nh_real *y, nh_real t, nh_real H)
{
    NH_SIZES;
    const nh_stage *end = NH_VECTOR(NH_BLOCK > 4 ? NH_EXTRAPOLATION_PAIRS : NH_EXTRAPOLATION_END);
    nh_stage begun = nh_stage_set(0);
    int last = s;
    for (int lane = 0; lane < 4 && NH_BLOCK == 4; lane++)
        last = last < nh_pairs_of_lane(s, lane) ? nh_pairs_of_lane(s, lane) : last;
    nh_line_up(NH_PASS, f, y, t);
    nh_set_off(NH_PASS, f, y, H, 0, begun < nh_stage_set(1));
    for (int pair = 1; pair <= last; pair++) {
        nh_go_by_pairs(NH_PASS, f, y, t, nh_stage_set(pair - 1) - begun);
        for (int g = 0; g < NH_BLOCKS; g++) {
            const nh_stage_mask here = end[g] == nh_stage_set(pair);
            if (!nh_stage_any(here))
                continue;
            nh_note(NH_PASS, f, g, here);
            if (g + 1 < NH_BLOCKS)
                nh_set_off(NH_PASS, f, y, H, g + 1, here);
            begun = nh_stage_select(here, nh_stage_set(pair), begun);
        }
    }
}
#else
NH_INLINE void nh_run(NH_CONTEXT, const nh_frame *f, const nh_real *y, nh_real t, nh_real H)
{
    NH_SIZES;
    const nh_stage_mask all = nh_stage_set(0) < nh_stage_set(1);
    nh_line_up(NH_PASS, f, y, t);
    for (int g = 0; g < s; g++) {
        nh_set_off(NH_PASS, f, y, H, g, all);
        nh_stage pairs = nh_stage_set(0);
        for (int left = NH_EXTRAPOLATION_PAIRS_OF(s, g); left > 0; left--) {
            nh_go_by_pairs(NH_PASS, f, y, t, pairs);
            pairs += 1;
        }
        nh_note(NH_PASS, f, g, all);
    }
}
#endif
