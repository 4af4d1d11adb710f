/* SPDX-License-Identifier: MIT */
/* The saddle-point factor of saddle.h where its matrices are sparse (sparsity.h): the same numbers but for the order of
 * constraints, which is one of little fill-in. L and U act on constraints in that order, and so do their results and
 * arguments: nh_point_lower takes the order of the model and leaves the other, nh_point_upper goes back.
 *
 * Where the whole matrix is eliminated (saddle_coupled.h), there is no L and U of D W: nh_point_lower solves for mu and
 * for the change of velocities W mu, and nothing is left to do for nh_point_upper. */
#define NH_OF             (k->sparsity)
#define NH_INVERSE_SIZE   (NH_OF->inverse_size)
#define NH_MASS_ENTRIES   (NH_OF->coupled ? NH_COUPLED_COUNT : NH_INVERSE_SIZE)
#define NH_ROWS_SIZE      (NH_OF->D.start[m + l])
#define NH_LIFT_SIZE      (NH_OF->lift_size)
#define NH_GRAM_SIZE      (NH_OF->factors.LU.start[NH_OF->factors.count])
#define NH_DIAGONAL_SIZE  (NH_OF->factors.count)
#define NH_EXCHANGES_ROWS 0
#define NH_LARGER(a, b)   ((a) > (b) ? (a) : (b))
#define NH_ROWS_SLOTS     NH_LARGER(NH_OF->rows.count, NH_LARGER(NH_OF->normals.count, NH_OF->slopes.count))
#define NH_SLOTS_MOST     NH_LARGER(NH_LARGER(NH_OF->mass.count, NH_OF->columns.count), NH_ROWS_SLOTS)
#define NH_BLOCK_WORK     (3 * NH_OF->largest_block * NH_OF->largest_block)
#define NH_VECTORS_WORK   (NH_OF->coupled ? 2 * (n + m + l) : NH_LARGER(2 * n, m + l))
#define NH_POINT_WORK     (NH_VECTORS_WORK + NH_SLOTS_MOST + NH_LARGER(NH_BLOCK_WORK, NH_OF->C.start[m + l]))

/* Adds up what a derived function has given. */
NH_INLINE void nh_gather(const nh_slots *slots, const nh_real *from, nh_real *to)
{
    for (int i = 0; i < slots->count; i++)
        if (slots->place[i] >= 0)
            to[slots->place[i]] += from[i];
}

NH_INLINE void nh_point_mass(NH_CONTEXT, const nh_point *p)
{
    NH_SIZES;
    NH_POINT_INPUTS(x, p);
    nh_real *slot = p->work, *one = p->work + n, *room = p->work + NH_OF->mass.count;
    if (NH_TRAIT(NH_MASS_DIAGONAL)) {
        for (int i = 0; i < n; i++)
            one[i] = nh_set(1);
        x[NH_D_V] = one;
        NH_CALL(NH_F_MASS, p->c, x, slot);
        for (int i = 0; i < n; i++)
            p->inverse[i] = 1 / slot[i];
        return;
    }
    NH_CALL(NH_F_MASS, p->c, x, slot);
    for (int i = 0; i < NH_MASS_ENTRIES; i++)
        p->inverse[i] = nh_set(0);
    nh_gather(&NH_OF->mass, slot, p->inverse);
    if (NH_OF->coupled)
        nh_coupled_factor(NH_PASS, p, p->work);
    for (int b = 0; b < NH_OF->blocks; b++) {
        const int size = NH_OF->block[b + 1] - NH_OF->block[b];
        nh_real *block = p->inverse + NH_OF->inverse_at[b];
        for (int i = 0; i < size * size; i++)
            room[i] = block[i];
        nh_invert_mass(NH_PASS, size, room, block, room + size * size);
    }
}

NH_INLINE void nh_point_weights(NH_CONTEXT, const nh_point *p, nh_real *weight)
{
    if (NH_OF->coupled)
        nh_coupled_weights(NH_PASS, p, weight);
    for (int b = 0; b < NH_OF->blocks; b++) {
        const int size = NH_OF->block[b + 1] - NH_OF->block[b], *member = NH_OF->member + NH_OF->block[b];
        for (int i = 0; i < size; i++)
            weight[member[i]] = nh_weight(p->inverse[NH_OF->inverse_at[b] + i * size + i]);
    }
}

NH_INLINE void nh_point_divide(NH_CONTEXT, const nh_point *p, const nh_real *x, int stride, nh_real *y, int y_stride)
{
    if (NH_OF->coupled)
        nh_coupled_divide(NH_PASS, p, x, stride, y, y_stride);
    for (int b = 0; b < NH_OF->blocks; b++) {
        const int size = NH_OF->block[b + 1] - NH_OF->block[b], *member = NH_OF->member + NH_OF->block[b];
        const nh_real *inverse = p->inverse + NH_OF->inverse_at[b];
        for (int i = 0; i < size; i++) {
            nh_real sum = inverse[i * size] * x[member[0] * stride];
            for (int j = 1; j < size; j++)
                sum += inverse[i * size + j] * x[member[j] * stride];
            y[member[i] * y_stride] = sum;
        }
    }
}

/* C, by columns: D itself, or into `room` what is derived. */
NH_INLINE const nh_real *nh_point_columns(NH_CONTEXT, const nh_point *p, nh_real *slot, nh_real *room)
{
    NH_SIZES;
    NH_POINT_INPUTS(x, p);
    if (!NH_TRAIT(NH_NONIDEAL))
        return p->rows;
    x[NH_LAMBDA] = p->lambda;
    NH_CALL(NH_F_COLUMNS, p->c, x, slot);
    for (int e = 0; e < NH_OF->C.start[m + l]; e++)
        room[e] = nh_set(0);
    nh_gather(&NH_OF->columns, slot, room);
    return room;
}

/* D. */
NH_INLINE void nh_point_rows(NH_CONTEXT, const nh_point *p)
{
    NH_SIZES;
    NH_POINT_INPUTS(x, p);
    for (int e = 0; e < NH_ROWS_SIZE; e++)
        p->rows[e] = nh_set(0);
    if (m > 0) {
        NH_CALL(NH_F_ROWS, p->c, x, p->work);
        nh_gather(&NH_OF->rows, p->work, p->rows);
    }
    if (l > 0) {
        NH_CALL(NH_F_NORMALS, p->c, x, p->work);
        nh_gather(&NH_OF->normals, p->work, p->rows);
    }
}

/* W from C. */
NH_INLINE void nh_point_lift_all(NH_CONTEXT, const nh_point *p, const nh_real *C)
{
    NH_SIZES;
    if (NH_OF->coupled) {
        nh_coupled_columns(NH_PASS, p, C);
        return;
    }
    for (int e = 0; e < NH_LIFT_SIZE; e++)
        p->lift[e] = nh_set(0);
    for (int e = 0; e < NH_OF->C.start[m + l]; e++)
        for (int i = 0; i < NH_OF->size[e]; i++)
            p->lift[NH_OF->lift_at[e] + i] += p->inverse[NH_OF->from[e] + i * NH_OF->size[e]] * C[e];
}

/* L U from D and W. */
NH_INLINE void nh_point_gram(NH_CONTEXT, const nh_point *p)
{
    NH_SIZES;
    if (NH_OF->coupled) {
        nh_coupled_whole(NH_PASS, p);
        return;
    }
    for (int e = 0; e < NH_GRAM_SIZE; e++) {
        p->gram[e] = nh_set(0);
        for (int t = NH_OF->term[e]; t < NH_OF->term[e + 1]; t++)
            p->gram[e] += p->rows[NH_OF->left[t]] * p->lift[NH_OF->right[t]];
    }
    nh_factor_sparse(&NH_OF->factors, 1, p->gram, p->diagonal, p->work);
}

NH_INLINE void nh_point_factor(NH_CONTEXT, const nh_point *p)
{
    if (!NH_TRAIT(NH_MASS_CONSTANT))
        nh_point_mass(NH_PASS, p);
    nh_point_rows(NH_PASS, p);
    nh_point_lift_all(NH_PASS, p, nh_point_columns(NH_PASS, p, p->work, p->work + NH_SLOTS_MOST));
    nh_point_gram(NH_PASS, p);
}

/* sum + row c of D dv. */
NH_INLINE nh_real nh_point_row(NH_CONTEXT, const nh_point *p, int c, const nh_real *dv, nh_real sum)
{
    for (int e = NH_OF->D.start[c]; e < NH_OF->D.start[c + 1]; e++)
        sum += p->rows[e] * dv[NH_OF->D.column[e]];
    return sum;
}

/* Component i of W mu. */
NH_INLINE nh_real nh_point_lift(NH_CONTEXT, const nh_point *p, const nh_real *mu, int i)
{
    if (NH_OF->coupled)
        return p->lift[i];
    nh_real sum = nh_set(0);
    for (int e = NH_OF->by_coordinate.start[i]; e < NH_OF->by_coordinate.start[i + 1]; e++)
        sum += p->lift[NH_OF->entry[e]] * mu[NH_OF->by_coordinate.column[e]];
    return sum;
}

/* x becomes L^-1 x, or U^-1 x. */
NH_INLINE void nh_point_lower(NH_CONTEXT, const nh_point *p, nh_real *x)
{
    NH_SIZES;
    if (NH_OF->coupled) {
        nh_coupled_solve(NH_PASS, p, x);
        return;
    }
    nh_real *y = p->work;
    nh_lower_sparse(&NH_OF->factors, p->gram, x, 1, y);
    for (int i = 0; i < m + l; i++)
        x[i] = y[i];
}
NH_INLINE void nh_point_upper(NH_CONTEXT, const nh_point *p, nh_real *x)
{
    NH_SIZES;
    if (NH_OF->coupled)
        return;
    nh_real *y = p->work;
    nh_upper_sparse(&NH_OF->factors, p->gram, p->diagonal, x, y);
    for (int i = 0; i < m + l; i++)
        x[NH_OF->factors.order[i]] = y[i];
}

/* x becomes (D W)^-1 x; or, where the whole matrix is eliminated, what goes with it. */
NH_INLINE void nh_point_solve(NH_CONTEXT, const nh_point *p, nh_real *x)
{
    nh_point_gram(NH_PASS, p);
    nh_point_lower(NH_PASS, p, x);
    nh_point_upper(NH_PASS, p, x);
}

/* C mu, where constraints are ideal. */
NH_INLINE void nh_point_pull(NH_CONTEXT, const nh_point *p, const nh_real *mu, nh_real *pull)
{
    nh_point_reaction(NH_PASS, p, mu, pull);
}
