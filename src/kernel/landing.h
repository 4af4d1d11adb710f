/* SPDX-License-Identifier: MIT */
/* A half-explicit step lands on the constraints: v and mu at a point (t,q) with
 *     L_v(t,q,v) = P + C mu,   k(t,q,v) = 0,
 * where C = K^T is that of another point, in the middle between here and where the step has come from. */

typedef struct nh_landing {
    const nh_point *at, *middle; /* here, with a velocity to begin with; there rows are known */
    const nh_real *P;            /* [n] */
    nh_real *mu, *pull;          /* mu [m], C mu [n]: results, as the velocity is */
    nh_real *dv, *old, *weight;  /* [n] room; … */
    nh_real *more;               /* [m] */
} nh_landing;

/* The velocity that has the momentum P, from the one that is there. */
NH_INLINE void nh_land_velocity(NH_CONTEXT, const nh_landing *a, const nh_real *P)
{
    NH_SIZES;
    if (!NH_TRAIT(NH_MASS_CONSTANT))
        nh_point_mass(NH_PASS, a->at);
    if (NH_TRAIT(NH_MOMENTUM_LINEAR)) {
        nh_point_divide(NH_PASS, a->at, P, 1, a->at->v, 1);
        return;
    }
    nh_point_correction(NH_PASS, a->at, P, 0, a->dv);
    for (int i = 0; i < n; i++)
        a->at->v[i] += a->dv[i];
}

/* mu = -(D W)^-1 k with W = L_vv^-1 C, and the velocity goes by W mu. */
NH_INLINE void nh_land_reaction(NH_CONTEXT, const nh_landing *a, nh_real *mu)
{
    NH_SIZES;
    nh_point_rows(NH_PASS, a->at);
    nh_point_lift_all(NH_PASS, a->at, a->middle->rows);
    nh_point_constraint(NH_PASS, a->at, 0, mu);
    for (int c = 0; c < m; c++)
        mu[c] = -mu[c];
    nh_point_solve(NH_PASS, a->at, mu);
    NH_EACH (int i = 0; i < n; i++)
        if (NH_TOUCHED(i))
            a->at->v[i] += nh_point_lift(NH_PASS, a->at, mu, i);
}

/* One correction of velocity and mu, from what is wrong with P + C mu; returns where it was small. What is done stays.
 * L_vv is made anew where it may be another one. */
NH_INLINE nh_mask nh_land_correct(NH_CONTEXT, const nh_landing *a, nh_mask todo, int first)
{
    NH_SIZES;
    nh_real *v = a->at->v;
    if (!NH_TRAIT(NH_MASS_CONSTANT) && (first || !NH_TRAIT(NH_AFFINE)))
        nh_point_mass(NH_PASS, a->at);
    if (first || !NH_TRAIT(NH_AFFINE))
        nh_point_weights(NH_PASS, a->at, a->weight);
    for (int i = 0; i < n; i++) {
        a->old[i] = v[i];
        a->dv[i] = m > 0 && NH_TOUCHED(i) ? a->P[i] + a->pull[i] : a->P[i];
    }
    nh_point_correction(NH_PASS, a->at, a->dv, 0, a->dv);
    for (int i = 0; i < n; i++)
        v[i] += a->dv[i];
    if (m > 0)
        nh_land_reaction(NH_PASS, a, a->more);
    for (int i = 0; i < n; i++)
        a->dv[i] = v[i] - a->old[i];
    const nh_mask small = nh_is_small(NH_PASS, a->dv, v, a->P, a->weight, 1);
    for (int c = 0; c < m; c++)
        a->mu[c] = nh_select(todo, a->mu[c] + a->more[c], a->mu[c]);
    for (int i = 0; i < n; i++)
        v[i] = nh_select(todo, v[i], a->old[i]);
    nh_point_pull(NH_PASS, a->middle, a->mu, a->dv);
    for (int i = 0; i < n && m > 0; i++)
        if (NH_TOUCHED(i))
            a->pull[i] = nh_select(todo, a->dv[i], a->pull[i]);
    return small;
}

/* Newton's method, which converges quadratically; where factors have few digits, linearly, and one correction more is
 * made. What does not converge is no number afterwards, so that the step fails. */
NH_INLINE void nh_land_by_newton(NH_CONTEXT, const nh_landing *a)
{
    NH_SIZES;
    const nh_mask all = nh_set(0) < nh_set(1);
    nh_mask todo = all;
    for (int c = 0; c < m; c++)
        a->mu[c] = nh_set(0);
    for (int i = 0; i < n; i++)
        a->pull[i] = nh_set(0);
    for (int i = 0; i < NH_ITERATIONS && nh_any(todo); i++)
        todo = todo & nh_not(nh_land_correct(NH_PASS, a, todo, i == 0));
    if (!NH_EXCHANGES_ROWS)
        nh_land_correct(NH_PASS, a, all, 0);
    for (int i = 0; i < n; i++)
        a->at->v[i] = nh_select(todo, nh_set(0) * nh_set(__builtin_inf()), a->at->v[i]);
    if (m > 0) /* at this velocity: the next step may have its middle here */
        nh_point_rows(NH_PASS, a->at);
}

/* L_v and k are affine, and a solution has all digits that there are: one correction is exact. */
#define NH_LANDS_AT_ONCE (NH_TRAIT(NH_AFFINE) && NH_EXCHANGES_ROWS)

/* Where the velocity has the momentum P. */
NH_INLINE void nh_land_from(NH_CONTEXT, const nh_landing *a)
{
    NH_SIZES;
    if (!NH_LANDS_AT_ONCE) {
        nh_land_by_newton(NH_PASS, a);
        return;
    }
    if (m > 0)
        nh_land_reaction(NH_PASS, a, a->mu);
    nh_point_pull(NH_PASS, a->middle, a->mu, a->pull);
}

NH_INLINE void nh_land(NH_CONTEXT, const nh_landing *a)
{
    if (NH_LANDS_AT_ONCE)
        nh_land_velocity(NH_PASS, a, a->P);
    nh_land_from(NH_PASS, a);
}
