/* SPDX-License-Identifier: MIT */
/* The system at one point (t,q,v), a stage or the end of a step. What is kept of its saddle-point factor, and how, is
 * told by saddle.h, or saddle_sparse.h. */

typedef struct nh_point {
    const nh_real *t, *q;
    nh_real *v;
    const nh_real *lambda;    /* where C is taken, which may depend on it */
    nh_real *inverse;         /* of L_vv, or its factors */
    nh_real *rows;            /* D */
    nh_real *lift;            /* W */
    nh_real *gram, *diagonal; /* factors of D W; [NH_DIAGONAL_SIZE]: see nh_point_balance */
    const nh_real *c;         /* constants of the derived functions */
    nh_real *work;            /* [NH_POINT_WORK] */
} nh_point;

/* The table of inputs of a derived function. */
#define NH_POINT_INPUTS(x, p)                                                                                          \
    const nh_real *x[NH_SPACES] = {0};                                                                                 \
    x[NH_TIME] = (p)->t;                                                                                               \
    x[NH_Q] = (p)->q;                                                                                                  \
    x[NH_V] = (p)->v;                                                                                                  \
    (void)(x)

/* What |v_i| is multiplied by when velocities are added up, from a diagonal entry of L_vv^-1: the unit of the
 * coordinate goes out, and what is left is the root of an energy. */
NH_INLINE nh_real nh_weight(nh_real inverse)
{
    const nh_real size = nh_abs(inverse);
    return nh_select(nh_set(0) < size, 1 / nh_sqrt(size), nh_set(1));
}

/* The larger one of two sizes; what is no number counts as largest. */
NH_INLINE nh_real nh_worse(nh_real a, nh_real b)
{
    const nh_mask less = b <= a, none = nh_not(a <= nh_set(__builtin_inf()));
    return nh_select(less | none, a, b);
}

/* Sums of |dv| and of its weighted sizes. */
NH_INLINE void nh_add_up_changes(NH_CONTEXT, const nh_real *dv, const nh_real *weight, int all, nh_real sum[2])
{
    NH_SIZES;
    sum[0] = sum[1] = nh_set(0);
    for (int i = 0; i < n; i++)
        if (all || NH_TOUCHED(i)) {
            const nh_real size = nh_abs(dv[i]);
            sum[0] += size;
            sum[1] += weight[i] * size;
        }
}

/* The same of the velocities that the momentum P would give: what is lost in rounding beside them. */
NH_INLINE void nh_add_up_loads(NH_CONTEXT, const nh_real *P, const nh_real *weight, int all, nh_real sum[2])
{
    NH_SIZES;
    sum[0] = sum[1] = nh_set(0);
    for (int i = 0; i < n; i++)
        if (all || NH_TOUCHED(i)) {
            const nh_real pull = nh_abs(P[i]) / weight[i];
            sum[0] += pull / weight[i];
            sum[1] += pull;
        }
}

/* A correction dv of velocities is finite, and no more than half their digits: as they are, and weighted, since
 * coordinates of different units have very different numbers. Or it is round-off of those that the momentum P would
 * give without the reaction: a body at rest under a load has no others. */
NH_INLINE nh_mask nh_is_small(NH_CONTEXT, const nh_real *dv, const nh_real *v, const nh_real *P, const nh_real *weight,
                              int all)
{
    nh_real change[2], size[2], load[2];
    nh_add_up_changes(NH_PASS, dv, weight, all, change);
    nh_add_up_changes(NH_PASS, v, weight, all, size);
    const nh_real half = nh_set(NH_HALF_DIGITS), noise = nh_set(1024 * NH_EPSILON);
    const nh_mask finite = size[0] < nh_set(__builtin_inf());
    nh_mask small = (change[0] <= half * size[0]) & (change[1] <= half * size[1]);
    if (nh_any(nh_not(small))) {
        nh_add_up_loads(NH_PASS, P, weight, all, load);
        small = small | ((change[0] <= noise * load[0]) & (change[1] <= noise * load[1]));
    }
    return small & finite;
}

/* F = L_q + f. */
NH_INLINE void nh_point_force(NH_CONTEXT, const nh_point *p, nh_real *F)
{
    NH_POINT_INPUTS(x, p);
    NH_CALL(NH_F_FORCE, p->c, x, F);
}

/* R = reaction, where there are constraints. */
NH_INLINE void nh_point_reaction(NH_CONTEXT, const nh_point *p, const nh_real *lambda, nh_real *R)
{
    NH_SIZES;
    NH_POINT_INPUTS(x, p);
    x[NH_LAMBDA] = lambda;
    if (m + l > 0)
        NH_CALL(NH_F_REACTION, p->c, x, R);
}

/* k(t,q,v) [m], and g_q v + g_t [l] after it if `hidden`. */
NH_INLINE void nh_point_constraint(NH_CONTEXT, const nh_point *p, int hidden, nh_real *residual)
{
    NH_SIZES;
    NH_POINT_INPUTS(x, p);
    if (m > 0)
        NH_CALL(NH_F_CONSTRAINT, p->c, x, residual);
    if (l > 0 && hidden)
        NH_CALL(NH_F_HIDDEN, p->c, x, residual + m);
}

/* g(t,q) [l]. */
NH_INLINE void nh_point_holonomic(NH_CONTEXT, const nh_point *p, nh_real *residual)
{
    NH_POINT_INPUTS(x, p);
    NH_CALL(NH_F_HOLONOMIC, p->c, x, residual);
}
