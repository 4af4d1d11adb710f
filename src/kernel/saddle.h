/* SPDX-License-Identifier: MIT */
/* The saddle-point factor of a point
 *     [ L_vv  -C ]
 *     [ D      0 ]    D = [K; g_q],  C = derivative of the reaction by the multipliers: D^T where constraints are ideal
 * in the form: inverse of L_vv, lift W = L_vv^-1 C, and balanced factors of the Gram matrix D W = L U. Here all of
 * these are dense, but for a mass that is constant and diagonal. */

/* Numbers of each: D is [ml × n], W is [n × ml]. */
#define NH_INVERSE_SIZE  (NH_TRAIT(NH_MASS_DIAGONAL) ? n : n * n)
#define NH_ROWS_SIZE     ((m + l) * n)
#define NH_LIFT_SIZE     ((m + l) * n)
#define NH_GRAM_SIZE     ((m + l) * (m + l))
#define NH_DIAGONAL_SIZE (m + l)
#define NH_SOLVE_ROOM    ((m + l) * (m + l + 1))
/* So nh_point_solve has all digits that there are. */
#define NH_EXCHANGES_ROWS 1
/* For the mass and its inverse, or its diagonal; later for columns, or momenta. */
#define NH_MASS_WORK    (NH_TRAIT(NH_MASS_DIAGONAL) ? 2 * n : 3 * n * n)
#define NH_COLUMNS_WORK (NH_TRAIT(NH_NONIDEAL) ? n * (m + l) : n)
#define NH_POINT_WORK   (NH_MASS_WORK > NH_COLUMNS_WORK ? NH_MASS_WORK : NH_COLUMNS_WORK)

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
        nh_invert_mass(n, mass, p->inverse, one);
    }
}

/* Of velocities, [n]. */
NH_INLINE void nh_point_weights(NH_CONTEXT, const nh_point *p, nh_real *weight)
{
    NH_SIZES;
    for (int i = 0; i < n; i++)
        weight[i] = nh_weight(p->inverse[NH_TRAIT(NH_MASS_DIAGONAL) ? i : i * n + i]);
}

/* y = L_vv^-1 x. */
NH_INLINE void nh_point_divide(NH_CONTEXT, const nh_point *p, const nh_real *x, int stride, nh_real *y, int y_stride)
{
    NH_SIZES;
    for (int i = 0; i < n; i++) {
        if (NH_TRAIT(NH_MASS_UNIT)) {
            y[i * y_stride] = x[i * stride];
        } else if (NH_TRAIT(NH_MASS_DIAGONAL)) {
            y[i * y_stride] = p->inverse[i] * x[i * stride];
        } else {
            nh_real sum = p->inverse[i * n] * x[0];
            for (int j = 1; j < n; j++)
                sum += p->inverse[i * n + j] * x[j * stride];
            y[i * y_stride] = sum;
        }
    }
}

/* D. */
NH_INLINE void nh_point_rows(NH_CONTEXT, const nh_point *p)
{
    NH_SIZES;
    NH_POINT_INPUTS(x, p);
    if (m > 0)
        NH_CALL(NH_F_ROWS, p->c, x, p->rows);
    if (l > 0)
        NH_CALL(NH_F_NORMALS, p->c, x, p->rows + m * n);
}

/* W from C, which is given by its columns, as D is by rows. */
NH_INLINE void nh_point_lift_all(NH_CONTEXT, const nh_point *p, const nh_real *C)
{
    NH_SIZES;
    for (int c = 0; c < m + l; c++)
        nh_point_divide(NH_PASS, p, C + c * n, 1, p->lift + c, m + l);
}

/* Row r of D times column c of W. */
NH_INLINE nh_real nh_point_product(NH_CONTEXT, const nh_point *p, int r, int c)
{
    NH_SIZES;
    nh_real sum = nh_set(0);
    int begun = n > NH_FEW_COORDINATES; /* among few, 0 + x would be a sum to wait for */
    for (int i = 0; i < n; i++) {
        if (!NH_TOUCHED(i))
            continue;
        const nh_real part = p->rows[r * n + i] * p->lift[i * (m + l) + c];
        sum = begun ? sum + part : part;
        begun = 1;
    }
    return sum;
}

NH_INLINE void nh_point_factor(NH_CONTEXT, const nh_point *p)
{
    NH_SIZES;
    const int ml = m + l;
    if (!NH_TRAIT(NH_MASS_CONSTANT))
        nh_point_mass(NH_PASS, p);
    nh_point_rows(NH_PASS, p);
    if (NH_TRAIT(NH_NONIDEAL)) {
        nh_real *columns = p->work;
        NH_POINT_INPUTS(x, p);
        x[NH_LAMBDA] = p->lambda;
        NH_CALL(NH_F_COLUMNS, p->c, x, columns);
        for (int c = 0; c < ml; c++)
            nh_point_divide(NH_PASS, p, columns + c, ml, p->lift + c, ml);
    } else {
        nh_point_lift_all(NH_PASS, p, p->rows);
    }
    for (int r = 0; r < ml; r++)
        for (int c = 0; c < ml; c++)
            p->gram[r * ml + c] = nh_point_product(NH_PASS, p, r, c);
    nh_balance(ml, p->gram, p->diagonal);
}

/* x becomes (D W)^-1 x, by exchange of rows; room [NH_SOLVE_ROOM]. */
NH_INLINE void nh_point_solve(NH_CONTEXT, const nh_point *p, nh_real *x, nh_real *room)
{
    NH_SIZES;
    const int ml = m + l, width = ml + 1;
    for (int r = 0; r < ml; r++) {
        for (int c = 0; c < ml; c++)
            room[r * width + c] = nh_point_product(NH_PASS, p, r, c);
        room[r * width + ml] = x[r];
    }
    if (ml > 1)
        nh_eliminate(ml, width, room);
    for (int r = 0; r < ml; r++) /* one division takes less time than an inverse and a product */
        x[r] = ml > 1 ? room[r * width + ml] : room[1] / room[0];
}

/* C mu, where a reaction acts and constraints are ideal. */
NH_INLINE void nh_point_pull(NH_CONTEXT, const nh_point *p, const nh_real *mu, nh_real *pull)
{
    NH_SIZES;
    for (int i = 0; i < n && m > 0; i++) {
        if (!NH_TOUCHED(i))
            continue;
        pull[i] = p->rows[i] * mu[0];
        for (int c = 1; c < m; c++)
            pull[i] += p->rows[c * n + i] * mu[c];
    }
}

/* sum + row c of D dv. */
NH_INLINE nh_real nh_point_row(NH_CONTEXT, const nh_point *p, int c, const nh_real *dv, nh_real sum)
{
    NH_SIZES;
    for (int i = 0; i < n; i++)
        if (NH_TOUCHED(i))
            sum += p->rows[c * n + i] * dv[i];
    return sum;
}

/* x becomes L^-1 x, or U^-1 x. */
NH_INLINE void nh_point_lower(NH_CONTEXT, const nh_point *p, nh_real *x)
{
    NH_SIZES;
    nh_solve_lower(m + l, p->gram, x);
}
NH_INLINE void nh_point_upper(NH_CONTEXT, const nh_point *p, nh_real *x)
{
    NH_SIZES;
    nh_solve_upper(m + l, p->gram, p->diagonal, x);
}

/* Component i of W mu. */
NH_INLINE nh_real nh_point_lift(NH_CONTEXT, const nh_point *p, const nh_real *mu, int i)
{
    NH_SIZES;
    nh_real component = nh_set(0);
    nh_multiply(m + l > 0, m + l, p->lift + i * (m + l), mu, &component);
    return component;
}
