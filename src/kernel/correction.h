/* SPDX-License-Identifier: MIT */
/* Velocities from momenta at a point. */

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
