/* SPDX-License-Identifier: MIT */
/* The system at one point (t,q,v), a stage or the end of a step, and its saddle-point factor
 *     [ L_vv  -C ]
 *     [ D      0 ]    D = [K; g_q],  C = derivative of the reaction by the multipliers: D^T where constraints are ideal
 * in the form: inverse of L_vv, lift W = L_vv^-1 C, and balanced factors of the Gram matrix D W. */

typedef struct nh_point {
    nh_real *t, *q, *v;
    const nh_real *lambda;    /* where C is taken, which may depend on it */
    nh_real *inverse;         /* of L_vv [n × n]; [n] where it is constant and diagonal */
    nh_real *rows;            /* D [ml × n] */
    nh_real *lift;            /* W [n × ml] */
    nh_real *gram, *diagonal; /* [ml × ml], [ml]: see nh_balance */
    const nh_real *c;         /* constants of the derived functions */
    nh_real *work;            /* [NH_POINT_WORK] */
} nh_point;

/* For the mass and its inverse, or its diagonal; later for columns, or momenta. */
#define NH_MASS_WORK    (NH_TRAIT(NH_MASS_DIAGONAL) ? 2 * n : 3 * n * n)
#define NH_COLUMNS_WORK (NH_TRAIT(NH_NONIDEAL) ? n * (m + l) : n)
#define NH_POINT_WORK   (NH_MASS_WORK > NH_COLUMNS_WORK ? NH_MASS_WORK : NH_COLUMNS_WORK)

/* The table of inputs of a derived function. */
#define NH_POINT_INPUTS(x, p)                                                                                          \
    const nh_real *x[NH_SPACES] = {0};                                                                                 \
    x[NH_TIME] = (p)->t;                                                                                               \
    x[NH_Q] = (p)->q;                                                                                                  \
    x[NH_V] = (p)->v;                                                                                                  \
    (void)(x)

/* The inverse of L_vv at the point, or the one that holds everywhere. */
NH_INLINE void nh_point_mass(NH_CONTEXT, const nh_point *p)
{
    NH_SIZES;
    NH_POINT_INPUTS(x, p);
    nh_real *mass = p->work, *one = p->work + (NH_TRAIT(NH_MASS_DIAGONAL) ? n : n * n);
    if (NH_TRAIT(NH_MASS_DIAGONAL)) {
        for (int i = 0; i < n; i++)
            one[i] = nh_set(1);
        x[NH_D_V] = one;
        NH_CALL(NH_F_MASS, p->c, x, mass);
        for (int i = 0; i < n; i++)
            p->inverse[i] = 1 / mass[i];
    } else {
        NH_CALL(NH_F_MASS, p->c, x, mass);
        nh_invert(n, mass, p->inverse, one);
    }
}

/* y = L_vv^-1 x. */
NH_INLINE void nh_point_divide(NH_CONTEXT, const nh_point *p, const nh_real *x, int stride, nh_real *y, int y_stride)
{
    NH_SIZES;
    for (int i = 0; i < n; i++) {
        if (NH_TRAIT(NH_MASS_DIAGONAL)) {
            y[i * y_stride] = p->inverse[i] * x[i * stride];
        } else {
            nh_real sum = nh_set(0);
            for (int j = 0; j < n; j++)
                sum += p->inverse[i * n + j] * x[j * stride];
            y[i * y_stride] = sum;
        }
    }
}

NH_INLINE void nh_point_factor(NH_CONTEXT, const nh_point *p)
{
    NH_SIZES;
    const int ml = m + l;
    NH_POINT_INPUTS(x, p);
    if (!NH_TRAIT(NH_MASS_CONSTANT))
        nh_point_mass(NH_PASS, p);
    if (m > 0)
        NH_CALL(NH_F_ROWS, p->c, x, p->rows);
    if (l > 0)
        NH_CALL(NH_F_NORMALS, p->c, x, p->rows + m * n);
    if (NH_TRAIT(NH_NONIDEAL)) {
        nh_real *columns = p->work;
        x[NH_LAMBDA] = p->lambda;
        NH_CALL(NH_F_COLUMNS, p->c, x, columns);
        for (int c = 0; c < ml; c++)
            nh_point_divide(NH_PASS, p, columns + c, ml, p->lift + c, ml);
    } else {
        for (int c = 0; c < ml; c++)
            nh_point_divide(NH_PASS, p, p->rows + c * n, 1, p->lift + c, ml);
    }
    for (int r = 0; r < ml; r++)
        for (int c = 0; c < ml; c++) {
            nh_real sum = nh_set(0);
            for (int i = 0; i < n; i++)
                if (NH_TOUCHED(i))
                    sum += p->rows[r * n + i] * p->lift[i * ml + c];
            p->gram[r * ml + c] = sum;
        }
    nh_balance(ml, p->gram, p->diagonal);
}

/* F = L_q + f and R = reaction. */
NH_INLINE void nh_point_forces(NH_CONTEXT, const nh_point *p, const nh_real *lambda, nh_real *F, nh_real *R)
{
    NH_SIZES;
    NH_POINT_INPUTS(x, p);
    NH_CALL(NH_F_FORCE, p->c, x, F);
    x[NH_LAMBDA] = lambda;
    if (m + l > 0)
        NH_CALL(NH_F_REACTION, p->c, x, R);
}

/* dv = L_vv^-1 (P - L_v + low): one step of Newton's method for the velocity that has momentum P + low; `low` may be
 * NULL, dv may be P. */
NH_INLINE void nh_point_correction(NH_CONTEXT, const nh_point *p, const nh_real *P, const nh_real *low, nh_real *dv)
{
    NH_SIZES;
    NH_POINT_INPUTS(x, p);
    nh_real *momentum = p->work;
    NH_CALL(NH_F_MOMENTUM, p->c, x, momentum);
    for (int i = 0; i < n; i++)
        momentum[i] = low ? (P[i] - momentum[i]) + low[i] : P[i] - momentum[i];
    nh_point_divide(NH_PASS, p, momentum, 1, dv, 1);
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

/* Component i of W mu. */
NH_INLINE nh_real nh_point_lift(NH_CONTEXT, const nh_point *p, const nh_real *mu, int i)
{
    NH_SIZES;
    nh_real component = nh_set(0);
    nh_multiply(m + l > 0, m + l, p->lift + i * (m + l), mu, &component);
    return component;
}
