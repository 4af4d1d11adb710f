/* SPDX-License-Identifier: MIT */
/* The native setting: the sizes n, m, l, s, constants and NH_TRAITS are constants, arrays are local, the model is
 * inlined. Part of generated sources only (method/source.c). */
#define NH_EPSILON     0x1p-52
#define NH_ITERATIONS  50
#define NH_HALF_DIGITS 0x1p-27
/* Where numbers are cut into head and tail (nh_settle), so that products of heads fit: multiples of their size. */
#define NH_STEP_GRID  0x1p29
#define NH_SLOPE_GRID 0x1p27
#define NH_RATE_GRID  0x1p30

#define NH_KERNEL
#define NH_CONTEXT                 const double *table
#define NH_PASS                    table
#define NH_ARGUMENTS               const double *restrict table, double *restrict batch, double *restrict work
#define NH_SIZES                   (void)table
#define NH_TRAIT(trait)            ((NH_TRAITS & (trait)) != 0)
#define NH_TOUCHED(i)              (nh_touched[i])
#define NH_WATCHED(i)              (nh_watched[i])
#define NH_TABLE                   ((const nh_real *)table)
#define NH_CALL(F, c, x, y)        NH_CALL_NUMBER(F, c, x, y)
#define NH_CALL_NUMBER(F, c, x, y) nh_f##F((const double *)(c), (const double *const *)(x), (double *)(y))

/* Arrays of small systems are local, and may live in registers; those of large ones could exceed the stack. */
#if NH_WORK_SPACE
#define NH_TAKE(type, name, count)                                                                                     \
    for (int g = 0; g < NH_GROUPS; g++) {                                                                              \
        f[g].name = (nh_##type *)work;                                                                                 \
        work += (unsigned long)(count) * (sizeof(nh_##type) / sizeof(double));                                         \
    }
#else
#define NH_TAKE(type, name, count)                                                                                     \
    nh_##type name##_array[NH_GROUPS][(count) > 0 ? (count) : 1];                                                      \
    for (int g = 0; g < NH_GROUPS; g++)                                                                                \
        f[g].name = name##_array[g];
#endif
#define NH_TAKE_FRAMES(f)                                                                                              \
    nh_frame f[NH_GROUPS];                                                                                             \
    enum { G = (s + NH_BLOCK - 1) / NH_BLOCK };                                                                        \
    NH_FRAME_ARRAYS(NH_TAKE)
#define NH_ADVANCE nh_advance
/* Before a loop over groups: each has code of its own, and numbers of its own in registers. */
#ifdef __clang__
#define NH_GROUP_BY_GROUP _Pragma("clang loop unroll(full)")
#else
#define NH_GROUP_BY_GROUP _Pragma("GCC unroll 3")
#endif
