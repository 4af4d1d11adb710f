/* SPDX-License-Identifier: MIT */
/* The arrays of an extrapolation, as points where functions are called. */

/* Velocities between steps. */
#define NH_AT_SPEED NH_AT_VELOCITY

/* Numbers of a state; where they are in it. */
#define NH_STATE_SIZE (5 * n)
#define NH_IN(part)   (NH_AT_##part - NH_AT_POSITION)

/* Arrays of a step: X(type, name, count); G blocks of sequences. Those that run are at two points in turn: even ones
 * and odd ones. */
#define NH_FRAME_ARRAYS(X)                                                                                             \
    X(stage, T, 2)                                                                                                     \
    X(stage, Q, 2 * n)                                                                                                 \
    X(stage, V, 2 * n)                                                                                                 \
    X(stage, way, 2 * n)                                                                                               \
    X(stage, impulse, 2 * n)                                                                                           \
    X(stage, rows, 3 * NH_ROWS_SIZE)                                                                                   \
    X(stage, mu, m + l)                                                                                                \
    X(stage, whole_way, G *n)                                                                                          \
    X(stage, whole_impulse, G *n)                                                                                      \
    X(stage, whole_mu, G *(m + l))                                                                                     \
    X(stage, step, 1)                                                                                                  \
    X(stage, F, 2 * n)                                                                                                 \
    X(stage, P, n)                                                                                                     \
    X(stage, pull, n)                                                                                                  \
    X(stage, dv, n)                                                                                                    \
    X(stage, old, n)                                                                                                   \
    X(stage, weight, n)                                                                                                \
    X(stage, more, m + l)                                                                                              \
    X(stage, lift, NH_LIFT_SIZE)                                                                                       \
    X(stage, gram, NH_GRAM_SIZE)                                                                                       \
    X(stage, diagonal, NH_DIAGONAL_SIZE)                                                                               \
    X(stage, inverse, NH_INVERSE_SIZE)                                                                                 \
    X(stage, stage_work, NH_POINT_WORK)                                                                                \
    X(stage, stage_constants, constants)                                                                               \
    X(real, t1, 1)                                                                                                     \
    X(real, state, NH_STATE_SIZE)                                                                                      \
    X(real, next, NH_STATE_SIZE)                                                                                       \
    X(real, lambda1, m + l)                                                                                            \
    X(real, tries, 1)                                                                                                  \
    X(real, P1, n)                                                                                                     \
    X(real, mu1, m + l)                                                                                                \
    X(real, pull1, n)                                                                                                  \
    X(real, dv1, n)                                                                                                    \
    X(real, old1, n)                                                                                                   \
    X(real, weight1, n)                                                                                                \
    X(real, more1, m + l)                                                                                              \
    X(real, rows1, NH_ROWS_SIZE)                                                                                       \
    X(real, lift1, NH_LIFT_SIZE)                                                                                       \
    X(real, gram1, NH_GRAM_SIZE)                                                                                       \
    X(real, diagonal1, NH_DIAGONAL_SIZE)                                                                               \
    X(real, inverse1, NH_INVERSE_SIZE)                                                                                 \
    X(real, work, NH_POINT_WORK)                                                                                       \
    X(real, audit, 1 + m + 2 * l)

typedef struct nh_frame {
#define NH_FRAME_POINTER(type, name, count) nh_##type *name;
    NH_FRAME_ARRAYS(NH_FRAME_POINTER)
#undef NH_FRAME_POINTER
} nh_frame;

#define NH_VECTOR(v) ((const nh_stage *)(NH_TABLE + NH_EXTRAPOLATION_AT_VECTOR(s, v)))
#define NH_FIRST(v)  nh_one_stage(NH_VECTOR(v), 1, 0)
#define NH_BLOCKS    ((s + NH_BLOCK - 1) / NH_BLOCK)

/* The sequences that run at their even point, side 0, or their odd one, 1; and the end. */
NH_INLINE nh_stage_point nh_stage_of(NH_CONTEXT, const nh_frame *f, int side)
{
    NH_SIZES;
    return (nh_stage_point){.t = f->T + side,
                            .q = f->Q + side * n,
                            .v = f->V + side * n,
                            .inverse = f->inverse,
                            .rows = f->rows + side * NH_ROWS_SIZE,
                            .lift = f->lift,
                            .gram = f->gram,
                            .diagonal = f->diagonal,
                            .c = f->stage_constants,
                            .work = f->stage_work};
}

NH_INLINE nh_point nh_end_of(NH_CONTEXT, const nh_frame *f, const nh_real *c)
{
    NH_SIZES;
    return (nh_point){.t = f->t1,
                      .q = f->next + NH_IN(POSITION),
                      .v = f->next + NH_IN(VELOCITY),
                      .inverse = f->inverse1,
                      .rows = f->rows1,
                      .lift = f->lift1,
                      .gram = f->gram1,
                      .diagonal = f->diagonal1,
                      .c = c,
                      .work = f->work};
}
