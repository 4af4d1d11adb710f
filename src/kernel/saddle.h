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
        nh_invert_mass(NH_PASS, n, mass, p->inverse, one);
    }
}

/* Of velocities, [n]. */
NH_INLINE void nh_point_weights(NH_CONTEXT, const nh_point *p, nh_real *weight)
{
    NH_SIZES;
    for (int i = 0; i < n; i++)
        weight[i] = nh_weight(p->inverse[NH_TRAIT(NH_MASS_DIAGONAL) ? i : i * n + i]);
}

/* Component i of L_vv^-1 x; of x there is what column c of C has, or all if c < 0. */
NH_INLINE nh_real nh_point_quotient(NH_CONTEXT, const nh_point *p, int i, int c, const nh_real *x, int stride)
{
    NH_SIZES;
    if (NH_TRAIT(NH_MASS_UNIT))
        return x[i * stride];
    if (NH_TRAIT(NH_MASS_DIAGONAL))
        return p->inverse[i] * x[i * stride];
    nh_real sum = NH_NOTHING;
    NH_EACH (int j = 0; j < n; j++)
        if (NH_IN_INVERSE(i, j) && (c < 0 || NH_IN_COLUMNS(c, j)))
            sum += p->inverse[i * n + j] * x[j * stride];
    return sum;
}

/* y = L_vv^-1 x. */
NH_INLINE void nh_point_divide(NH_CONTEXT, const nh_point *p, const nh_real *x, int stride, nh_real *y, int y_stride)
{
    NH_SIZES;
    NH_EACH (int i = 0; i < n; i++)
        y[i * y_stride] = nh_point_quotient(NH_PASS, p, i, -1, x, stride);
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

/* Column c of W, from that of C. */
NH_INLINE void nh_point_lift_column(NH_CONTEXT, const nh_point *p, int c, const nh_real *column, int stride)
{
    NH_SIZES;
    NH_EACH (int i = 0; i < n; i++)
        if (NH_IN_LIFT(c, i))
            p->lift[i * (m + l) + c] = nh_point_quotient(NH_PASS, p, i, c, column, stride);
}

/* W from C, which is given by its columns, as D is by rows. */
NH_INLINE void nh_point_lift_all(NH_CONTEXT, const nh_point *p, const nh_real *C)
{
    NH_SIZES;
    NH_EACH (int c = 0; c < m + l; c++)
        nh_point_lift_column(NH_PASS, p, c, C + c * n, 1);
}

/* Row r of D times column c of W. */
NH_INLINE nh_real nh_point_product(NH_CONTEXT, const nh_point *p, int r, int c)
{
    NH_SIZES;
    nh_real sum = NH_NOTHING;
    NH_EACH (int i = 0; i < n; i++)
        if (NH_TOUCHED(i) && NH_IN_ROWS(r, i) && NH_IN_LIFT(c, i))
            sum += p->rows[r * n + i] * p->lift[i * (m + l) + c];
    return sum;
}

/* D W = L U in place, balanced: the diagonals of L and U have the same size, and L U' of two matrices that are near
 * each other is near both. For a positive definite D W this is its Cholesky factor. The diagonal of `gram` becomes that
 * of L^-1, `diagonal` that of U^-1. There is no exchange of rows: where that fails, the iteration does, and says so. */
NH_INLINE void nh_point_balance(NH_CONTEXT, const nh_point *p)
{
    NH_SIZES;
    const int ml = m + l;
    nh_real *G = p->gram;
    NH_EACH (int e = 0; e < ml; e++) {
        const nh_real d = G[e * ml + e], inverse = 1 / nh_sqrt(nh_abs(d));
        const nh_real other = nh_select(d < nh_set(0), -inverse, inverse);
        G[e * ml + e] = inverse;
        p->diagonal[e] = other;
        NH_EACH (int i = e + 1; i < ml; i++) {
            if (NH_IN_GRAM(i, e))
                G[i * ml + e] *= other;
            if (NH_IN_GRAM(e, i))
                G[e * ml + i] *= inverse;
        }
        NH_EACH (int i = e + 1; i < ml; i++)
            NH_EACH (int j = e + 1; j < ml; j++)
                if (NH_IN_GRAM(i, e) && NH_IN_GRAM(e, j))
                    G[i * ml + j] -= G[i * ml + e] * G[e * ml + j];
    }
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
        NH_EACH (int c = 0; c < ml; c++)
            nh_point_lift_column(NH_PASS, p, c, columns + c, ml);
    } else {
        nh_point_lift_all(NH_PASS, p, p->rows);
    }
    NH_EACH (int r = 0; r < ml; r++)
        NH_EACH (int c = 0; c < ml; c++)
            if (NH_IN_GRAM(r, c))
                p->gram[r * ml + c] = nh_point_product(NH_PASS, p, r, c);
    nh_point_balance(NH_PASS, p);
}

/* x becomes (D W)^-1 x, by exchange of rows. */
NH_INLINE void nh_point_solve(NH_CONTEXT, const nh_point *p, nh_real *x)
{
    NH_SIZES;
    const int ml = m + l;
    NH_EACH (int r = 0; r < ml; r++)
        NH_EACH (int c = 0; c < ml; c++)
            if (NH_IN_PIVOTED(r, c))
                p->gram[r * ml + c] = nh_point_product(NH_PASS, p, r, c);
    nh_divide_exchanging(NH_PASS, p->gram, x);
}

/* C mu, where a reaction acts and constraints are ideal. */
NH_INLINE void nh_point_pull(NH_CONTEXT, const nh_point *p, const nh_real *mu, nh_real *pull)
{
    NH_SIZES;
    NH_EACH (int i = 0; i < n && m > 0; i++) {
        if (!NH_TOUCHED(i))
            continue;
        pull[i] = NH_NOTHING;
        NH_EACH (int c = 0; c < m; c++)
            if (NH_IN_COLUMNS(c, i))
                pull[i] += p->rows[c * n + i] * mu[c];
    }
}

/* sum + row c of D dv. */
NH_INLINE nh_real nh_point_row(NH_CONTEXT, const nh_point *p, int c, const nh_real *dv, nh_real sum)
{
    NH_SIZES;
    NH_EACH (int i = 0; i < n; i++)
        if (NH_TOUCHED(i) && NH_IN_ROWS(c, i))
            sum += p->rows[c * n + i] * dv[i];
    return sum;
}

/* x becomes L^-1 x, or U^-1 x. */
NH_INLINE void nh_point_lower(NH_CONTEXT, const nh_point *p, nh_real *x)
{
    NH_SIZES;
    const int ml = m + l;
    NH_EACH (int r = 0; r < ml; r++) {
        nh_real sum = x[r];
        NH_EACH (int c = 0; c < r; c++)
            if (NH_IN_GRAM(r, c))
                sum -= p->gram[r * ml + c] * x[c];
        x[r] = sum * p->gram[r * ml + r];
    }
}
NH_INLINE void nh_point_upper(NH_CONTEXT, const nh_point *p, nh_real *x)
{
    NH_SIZES;
    const int ml = m + l;
    NH_EACH (int r = ml - 1; r >= 0; r--) {
        nh_real sum = x[r];
        NH_EACH (int c = r + 1; c < ml; c++)
            if (NH_IN_GRAM(r, c))
                sum -= p->gram[r * ml + c] * x[c];
        x[r] = sum * p->diagonal[r];
    }
}

/* Column c of L^-1, times a factor, into x [m + l]; above its diagonal there is nothing. */
NH_INLINE void nh_lower_column(NH_CONTEXT, const nh_point *p, int c, nh_real factor, nh_real *x)
{
    NH_SIZES;
    const int ml = m + l;
    x[c] = factor * p->gram[c * ml + c];
    NH_EACH (int r = c + 1; r < ml; r++) {
        if (!NH_IN_LOWER(r, c))
            continue;
        nh_real sum = NH_NOTHING;
        NH_EACH (int e = c; e < r; e++)
            if (NH_IN_GRAM(r, e) && NH_IN_LOWER(e, c))
                sum -= p->gram[r * ml + e] * x[e];
        x[r] = sum * p->gram[r * ml + r];
    }
}

/* Component i of W mu. */
NH_INLINE nh_real nh_point_lift(NH_CONTEXT, const nh_point *p, const nh_real *mu, int i)
{
    NH_SIZES;
    nh_real component = NH_NOTHING;
    NH_EACH (int c = 0; c < m + l; c++)
        if (NH_IN_LIFT(c, i))
            component += p->lift[i * (m + l) + c] * mu[c];
    return component;
}
