/* SPDX-License-Identifier: MIT */
/* The arrays of a step of (6.1), as points where functions are called, and how they come from a member and go back. */

#ifdef NH_SPARSE
#define NH_GAMMA_SIZE 0
#else
#define NH_GAMMA_SIZE ((m + l) * (m + l))
#endif

/* Velocities between steps. */
#define NH_AT_SPEED NH_AT_VELOCITY

/* Matrices that are multiplied by h: the first ones, and their low parts. */
#define NH_SCALED (2 * NH_SPARK_POSITION_LOW)

/* Arrays of a step: X(type, name, count); G blocks of stages. */
#define NH_FRAME_ARRAYS(X)                                                                                             \
    X(stage, T, G)                                                                                                     \
    X(stage, Q, G *n)                                                                                                  \
    X(stage, V, G *n)                                                                                                  \
    X(stage, F, G *n)                                                                                                  \
    X(stage, R, G *n)                                                                                                  \
    X(stage, impulse, G *n)                                                                                            \
    X(stage, P, n)                                                                                                     \
    X(stage, dV, G *n)                                                                                                 \
    X(stage, lost, n)                                                                                                  \
    X(stage, position_low, G *n)                                                                                       \
    X(stage, momentum_low, G *n)                                                                                       \
    X(stage, lambda, G *(m + l))                                                                                       \
    X(stage, w, G *(m + l))                                                                                            \
    X(stage, dlambda, G *(m + l))                                                                                      \
    X(stage, rows, G *NH_ROWS_SIZE)                                                                                    \
    X(stage, lift, G *NH_LIFT_SIZE)                                                                                    \
    X(stage, gram, G *NH_GRAM_SIZE)                                                                                    \
    X(stage, diagonal, G *NH_DIAGONAL_SIZE)                                                                            \
    X(stage, null, G *NH_GAMMA_SIZE)                                                                                   \
    X(stage, inverse, (NH_TRAIT(NH_MASS_CONSTANT) ? 1 : G) * NH_INVERSE_SIZE)                                          \
    X(stage, stage_work, NH_POINT_WORK)                                                                                \
    X(stage, sum, G *(n + m + l + 2))                                                                                  \
    X(stage, g, G *l)                                                                                                  \
    X(stage, stage_constants, constants)                                                                               \
    X(stage, scaled, NH_SCALED *s *NH_ROW(s))                                                                          \
    X(stage, reach, G)                                                                                                 \
    X(stage, reach_low, G)                                                                                             \
    X(real, per_h, 1)                                                                                                  \
    X(real, h, 4)                                                                                                      \
    X(real, t1, 1)                                                                                                     \
    X(real, q1, n)                                                                                                     \
    X(real, v1, n)                                                                                                     \
    X(real, p1, n)                                                                                                     \
    X(real, weight, n)                                                                                                 \
    X(real, dv, n)                                                                                                     \
    X(real, rows1, NH_ROWS_SIZE)                                                                                       \
    X(real, lift1, NH_LIFT_SIZE)                                                                                       \
    X(real, gram1, NH_GRAM_SIZE)                                                                                       \
    X(real, diagonal1, NH_DIAGONAL_SIZE)                                                                               \
    X(real, inverse1, NH_INVERSE_SIZE)                                                                                 \
    X(real, lambda1, m + l)                                                                                            \
    X(real, w1, m + l)                                                                                                 \
    X(real, gamma, m + l)                                                                                              \
    X(real, gamma_inverse, NH_GAMMA_SIZE)                                                                              \
    X(real, gamma_work, NH_GAMMA_SIZE)                                                                                 \
    X(real, middle, 2 * n + 1)                                                                                         \
    X(real, work, NH_POINT_WORK)                                                                                       \
    X(real, audit, 1 + m + 2 * l)

typedef struct nh_frame {
#define NH_FRAME_POINTER(type, name, count) nh_##type *name;
    NH_FRAME_ARRAYS(NH_FRAME_POINTER)
#undef NH_FRAME_POINTER
} nh_frame;

/* While iterating v_1 is looked at where it does not follow from the stages at once. */
#define NH_AT_END(i) (!NH_TRAIT(NH_MOMENTUM_LINEAR) || NH_TOUCHED(i))

/* Iterations that have been begun when the first correction is done; nh_close has one. */
#define NH_FIRST nh_set(2)

/* The velocity of coordinate i is not iterated; it is, and feels a reaction, where it is known to be bound. */
#define NH_FREE(i) (NH_TRAIT(NH_SECOND_ORDER) && !NH_TOUCHED(i))
#define NH_FELT(i) (NH_TRAIT(NH_SECOND_ORDER) || NH_TOUCHED(i))

/* Coordinates are gone through in spans of their order: for (NH_SPANS(a, first, end)), places from `first` on, and in
 * each for (int j = a.from; j < a.to; j++), coordinates NH_ITH(a, j). Few of them, in code for their number, are one
 * span, and loops over it are written out. Many are neighbours in a span, no more than are still in the fastest cache
 * when the next loop comes. */
typedef struct nh_span {
    int from, to;
    int shift; /* from a place to the coordinate */
    int more;
} nh_span;
#if NH_FEW
#define NH_ITH(a, j) NH_ORDER[j]
#define NH_SPANS(a, first, end)                                                                                        \
    nh_span a = {first, end, 0, 1};                                                                                    \
    a.more;                                                                                                            \
    a.more = 0
#else
#define NH_ITH(a, j) ((j) + (a).shift)
#define NH_SPANS(a, first, end)                                                                                        \
    nh_span a = nh_span_from(NH_PASS, first, end);                                                                     \
    a.more;                                                                                                            \
    a = nh_span_from(NH_PASS, a.to, end)

/* Places ascend: so first and last tell whether they are neighbours. */
NH_INLINE nh_span nh_span_from(NH_CONTEXT, int from, int end)
{
    enum { MOST = 64 };
    NH_SIZES;
    if (from >= end)
        return (nh_span){from, end, 0, 0};
    const int shift = NH_ORDER[from] - from;
    int to = from + 1, most = end - from < MOST ? end : from + MOST;
    for (int next = most; to < most; next = to + (most - to + 1) / 2)
        if (NH_ORDER[next - 1] - (next - 1) == shift)
            to = next;
        else
            most = next - 1;
    return (nh_span){from, to, shift, 1};
}
#endif

#define NH_VECTOR(v)     ((const nh_stage *)(NH_TABLE + NH_SPARK_AT_VECTOR(s, v)))
#define NH_MATRIX(a)     ((const nh_stage *)(NH_TABLE + NH_SPARK_AT_MATRIX(s, a)))
#define NH_TIMES_STEP(a) (f->scaled + (a)*s * NH_ROW(s)) /* h times one of the first NH_SCALED matrices */
#define NH_BLOCKS        ((s + NH_BLOCK - 1) / NH_BLOCK)

/* Block g of the stages, and the end, as points. */
NH_INLINE nh_stage_point nh_stage_of(NH_CONTEXT, const nh_frame *f, int g)
{
    NH_SIZES;
    const int ml = m + l, mass = NH_TRAIT(NH_MASS_CONSTANT) ? 0 : NH_INVERSE_SIZE;
    return (nh_stage_point){.t = f->T + g,
                            .q = f->Q + g * n,
                            .v = f->V + g * n,
                            .lambda = f->lambda + g * ml,
                            .inverse = f->inverse + g * mass,
                            .rows = f->rows + g * NH_ROWS_SIZE,
                            .lift = f->lift + g * NH_LIFT_SIZE,
                            .gram = f->gram + g * NH_GRAM_SIZE,
                            .diagonal = f->diagonal + g * NH_DIAGONAL_SIZE,
                            .c = f->stage_constants,
                            .work = f->stage_work};
}

NH_INLINE nh_point nh_end_of(const nh_frame *f, const nh_real *c)
{
    return (nh_point){.t = f->t1,
                      .q = f->q1,
                      .v = f->v1,
                      .lambda = f->lambda1,
                      .inverse = f->inverse1,
                      .rows = f->rows1,
                      .lift = f->lift1,
                      .gram = f->gram1,
                      .diagonal = f->diagonal1,
                      .c = c,
                      .work = f->work};
}

/* A number to twice the digits, all + low, and all = head + tail: so what a product of `all` loses is seen. */
typedef struct nh_factor {
    nh_real all, low, head, tail;
} nh_factor;

NH_INLINE nh_factor nh_factor_of(nh_real all, nh_real low)
{
    const nh_real head = NH_SNAP(all, NH_STEP_GRID * all);
    return (nh_factor){all, low, head, all - head};
}

/* x (y + y_low) in two parts. */
NH_INLINE void nh_scale(const nh_factor *x, nh_stage y, nh_stage y_low, nh_stage *product, nh_stage *low)
{
    const nh_stage head = NH_SNAP(y, NH_SLOPE_GRID * y), all = x->all * y;
    const nh_stage lost = (x->head * head - all) + (x->head * (y - head) + x->tail * y);
    *product = all;
    *low = lost + (x->low * y + x->all * y_low);
}

NH_INLINE void nh_scale_matrix(NH_CONTEXT, const nh_frame *f, const nh_factor *x, int A)
{
    NH_SIZES;
    const int low = A - NH_SPARK_POSITION + NH_SPARK_POSITION_LOW;
    for (int j = 0; j < s; j++)
        for (int g = 0; g < NH_BLOCKS; g++) {
            const int at = j * NH_ROW(s) + g;
            nh_scale(x, NH_MATRIX(A)[at], NH_MATRIX(low)[at], NH_TIMES_STEP(A) + at, NH_TIMES_STEP(low) + at);
        }
}

/* The step, its square, and what they multiply, to twice the digits: rounded coefficients drift. In h are head and tail
 * of the step, its square, and how far v_0 goes in it. */
NH_INLINE void nh_set_step(NH_CONTEXT, const nh_frame *f, nh_real h)
{
    NH_SIZES;
    const nh_factor step = nh_factor_of(h, nh_set(0));
    const nh_real square = h * h, lost = (step.head * step.head - square) + (step.head + h) * step.tail;
    f->h[0] = step.head;
    f->h[1] = step.tail;
    f->h[2] = square;
    f->h[3] = h * nh_one_stage(NH_VECTOR(NH_SPARK_REACH_END), 1, 0);
    f->per_h[0] = 1 / h;
    nh_scale_matrix(NH_PASS, f, &step, NH_SPARK_POSITION);
    nh_scale_matrix(NH_PASS, f, &step, NH_SPARK_FORCE);
    if (m + l > 0 && !NH_TRAIT(NH_SAME_MATRICES))
        nh_scale_matrix(NH_PASS, f, &step, NH_SPARK_REACTION);
    if (!NH_TRAIT(NH_SECOND_ORDER))
        return;
    const nh_factor twice = nh_factor_of(square, lost);
    nh_scale_matrix(NH_PASS, f, &twice, NH_SPARK_SQUARE);
    for (int g = 0; g < NH_BLOCKS; g++)
        nh_scale(&step, NH_VECTOR(NH_SPARK_REACH)[g], NH_VECTOR(NH_SPARK_REACH_LOW)[g], f->reach + g, f->reach_low + g);
}

/* What holds for all steps of a call. */
NH_INLINE void nh_begin(NH_CONTEXT, const nh_frame *f, nh_real *x)
{
    NH_SIZES;
    for (int i = 0; i < constants; i++)
        f->stage_constants[i] = nh_all_stages(x[NH_AT_CONSTANTS + i]);
    for (int g = 0; g < NH_BLOCKS; g++) {
        f->T[g] = nh_all_stages(x[NH_AT_START]);
        for (int i = 0; i < n; i++) {
            f->Q[g * n + i] = nh_all_stages(x[NH_AT_POSITION + i]);
            f->V[g * n + i] = nh_all_stages(x[NH_AT_VELOCITY + i]);
        }
        for (int i = 0; i < m + l; i++)
            f->lambda[g * (m + l) + i] = nh_all_stages(nh_set(0));
    }
    for (int j = 0; j < s; j++) {
        for (int i = 0; i < n; i++)
            nh_put_stage(f->V + i, n, j, x[NH_AT_STAGES + j * n + i]);
        for (int i = 0; i < m + l; i++)
            nh_put_stage(f->lambda + i, m + l, j, x[NH_AT_MULTIPLIERS + j * (m + l) + i]);
    }
    for (int i = 0; i < n; i++) {
        f->q1[i] = x[NH_AT_POSITION + i];
        f->v1[i] = x[NH_AT_VELOCITY + i];
    }
    f->t1[0] = x[NH_AT_START];
    nh_set_step(NH_PASS, f, x[NH_AT_STEP]);
    if (NH_TRAIT(NH_MASS_CONSTANT)) {
        const nh_stage_point stage = nh_stage_of(NH_PASS, f, 0);
        const nh_point end = nh_end_of(f, x + NH_AT_CONSTANTS);
        nh_stage_point_mass(NH_PASS, &stage);
        nh_point_mass(NH_PASS, &end);
        if (!NH_TRAIT(NH_MASS_UNIT))
            nh_point_weights(NH_PASS, &end, f->weight);
    }
}

/* Positions are in the member all the time. */
NH_INLINE void nh_locate(NH_CONTEXT, const nh_frame *f, nh_real *x)
{
    NH_SIZES;
    (void)f, (void)x;
}

NH_INLINE void nh_finish(NH_CONTEXT, const nh_frame *f, nh_real *x)
{
    NH_SIZES;
    for (int j = 0; j < s; j++) {
        for (int i = 0; i < n; i++)
            x[NH_AT_STAGES + j * n + i] = nh_one_stage(f->V + i, n, j);
        for (int i = 0; i < m + l; i++)
            x[NH_AT_MULTIPLIERS + j * (m + l) + i] = nh_one_stage(f->lambda + i, m + l, j);
    }
}

/* A lane that has failed starts anew from a constant polynomial. */
NH_INLINE void nh_forget(NH_CONTEXT, const nh_frame *f, const nh_real *x, nh_mask failed)
{
    NH_SIZES;
    const int ml = m + l;
    for (int g = 0; g < NH_BLOCKS; g++) {
        for (int i = 0; i < n; i++)
            f->V[g * n + i] = NH_STAGE_SELECT(failed, nh_all_stages(x[NH_AT_VELOCITY + i]), f->V[g * n + i]);
        for (int c = 0; c < ml; c++)
            f->lambda[g * ml + c] = NH_STAGE_SELECT(failed, nh_stage_set(0), f->lambda[g * ml + c]);
    }
}
