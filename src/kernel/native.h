/* SPDX-License-Identifier: MIT */
/* The native setting: the sizes n, m, l, s, constants and NH_TRAITS are constants, arrays are local, the model is
 * inlined. Part of generated sources only (method/source.c). */
#define NH_EPSILON     0x1p-52
#define NH_ITERATIONS  50
#define NH_HALF_DIGITS 0x1p-27
/* Where numbers are cut into head and tail (nh_slope, nh_scale), so that products of heads fit: multiples of their
 * size. */
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
#define NH_ORDER                   nh_order
#define NH_TABLE                   ((const nh_real *)table)
#define NH_CALL(F, c, x, y)        NH_CALL_NUMBER(F, c, x, y)
#define NH_CALL_NUMBER(F, c, x, y) nh_f##F((const double *)(c), (const double *const *)(x), (double *)(y))

/* Loops over entries, of which some are left out, are written out: compilers that guess would not do it. A constant
 * mass is factored once. */
#if NH_ENTRIES_MARKED
#define NH_ENTRY(at) (nh_entries[at])
#ifdef __clang__
#define NH_EACH _Pragma("unroll") for
#else
#define NH_EACH _Pragma("GCC unroll 32") for
#endif
#else
#define NH_ENTRY(at) 1
#define NH_EACH      for
#endif
#if NH_TRAITS & NH_MASS_CONSTANT
#define NH_EACH_OF_MASS for
#else
#define NH_EACH_OF_MASS NH_EACH
#endif

/* Arrays of small systems are local, and may live in registers; those of large ones could exceed the stack. */
#if NH_WORK_SPACE
#define NH_TAKE(f, type, name, count)                                                                                  \
    f.name = (nh_##type *)work;                                                                                        \
    work += (unsigned long)(count) * (sizeof(nh_##type) / sizeof(double));
#else
#define NH_TAKE(f, type, name, count)                                                                                  \
    nh_##type f##_##name[(count) > 0 ? (count) : 1] __attribute__((aligned(64)));                                      \
    f.name = f##_##name;
#endif
#define NH_TAKE_0(type, name, count) NH_TAKE(f0, type, name, count)
#define NH_TAKE_1(type, name, count) NH_TAKE(f1, type, name, count)
#define NH_TAKE_2(type, name, count) NH_TAKE(f2, type, name, count)
#define NH_TAKE_FRAME(g)                                                                                               \
    nh_frame f##g;                                                                                                     \
    NH_FRAME_ARRAYS(NH_TAKE_##g)
#if NH_GROUPS == 1
#define NH_EACH_GROUP(DO) DO(0)
#elif NH_GROUPS == 2
#define NH_EACH_GROUP(DO) DO(0) DO(1)
#else
#define NH_EACH_GROUP(DO) DO(0) DO(1) DO(2)
#endif
enum { G = (s + NH_BLOCK - 1) / NH_BLOCK };
#define NH_ADVANCE nh_advance
