/* SPDX-License-Identifier: MIT */
/* The library's setting: sizes at run time, arrays from a work space, the model behind a pointer. Before it the number
 * type: NH_LANES, or NH_QUAD; or NH_BLOCK stages in lanes. */
#include "base/quad.h"
#include "base/real.h"
#include "base/space.h"
#include "kernel/functions.h"
#include "kernel/kernel.h"
#include "kernel/member.h"
#include "kernel/traits.h"

/* Functions of the kernels are inlined as the compiler likes: sizes are not known, and there is little to gain. */
#undef NH_INLINE
#define NH_INLINE static inline __attribute__((unused))

#ifdef NH_QUAD
typedef nh_quad nh_scalar;
#define NH_EPSILON     0x1p-112
#define NH_ITERATIONS  150
#define NH_HALF_DIGITS 0x1p-57
#else
typedef double nh_scalar;
#define NH_EPSILON     0x1p-52
#define NH_ITERATIONS  50
#define NH_HALF_DIGITS 0x1p-27
#endif
/* Where numbers are cut into head and tail (nh_slope, nh_scale), so that products of heads fit: multiples of their
 * size. */
#define NH_STEP_GRID  0x1p29
#define NH_SLOPE_GRID 0x1p27
#define NH_RATE_GRID  0x1p30
#ifndef NH_BLOCK
#define NH_BLOCK 1
#endif
#define NH_EACH_GROUP(DO) DO(0)
#define NH_WORK_SPACE     1
#define NH_FEW            1

/* Four lanes are compiled twice where processors may have wide registers: for all of them, and for AVX2. */
#ifdef NH_AVX2
#define NH_NAME_OF_TARGET(name) name##_avx2
#else
#define NH_NAME_OF_TARGET(name) name
#endif

#define NH_KERNEL
#define NH_CONTEXT   const nh_kernel *k
#define NH_PASS      k
#define NH_ARGUMENTS const nh_kernel *k, nh_scalar *batch
#define NH_SIZES                                                                                                       \
    const int n = k->n, m = k->m, l = k->l, s = k->s, constants = k->constants;                                        \
    (void)n, (void)m, (void)l, (void)s, (void)constants
#define NH_TRAIT(trait)     ((k->traits & (trait)) != 0)
#define NH_TOUCHED(i)       (k->touched[i])
#define NH_WATCHED(i)       (k->watched[i])
#define NH_ENTRY(at)        (!k->entries || k->entries[at])
#define NH_ORDER            (k->order)
#define NH_BOUND            (k->bound)
#define NH_TABLE            ((const nh_real *)k->table)
#define NH_CALL(F, c, x, y) k->call(k->user, F, c, (const void *const *)(x), y)

/* Loops over entries: compiled code writes them out. */
#define NH_EACH         for
#define NH_EACH_OF_MASS for

#define NH_WIDTH_real  1
#define NH_WIDTH_stage NH_BLOCK
#define NH_TAKE(type, name, count)                                                                                     \
    f0.name = (nh_##type *)work;                                                                                       \
    work += (count)*NH_WIDTH_##type;
#define NH_TAKE_FRAME(g)                                                                                               \
    nh_frame f##g;                                                                                                     \
    nh_real *work = k->work;                                                                                           \
    const int G = (s + NH_BLOCK - 1) / NH_BLOCK;                                                                       \
    (void)G;                                                                                                           \
    NH_FRAME_ARRAYS(NH_TAKE)

/* The function that tells the numbers of the frame in one lane. */
#define NH_FRAME_ADD(type, name, count) total += (size_t)(count)*NH_WIDTH_##type;
#define NH_FRAME_WORK(function)                                                                                        \
    size_t function(const nh_kernel *k)                                                                                \
    {                                                                                                                  \
        NH_SIZES;                                                                                                      \
        const int G = (s + NH_BLOCK - 1) / NH_BLOCK;                                                                   \
        size_t total = 0;                                                                                              \
        (void)G;                                                                                                       \
        NH_FRAME_ARRAYS(NH_FRAME_ADD)                                                                                  \
        return total;                                                                                                  \
    }

#include "kernel/point_text.h"

#if NH_BLOCK > 1
#undef NH_LANES
#define NH_LANES NH_BLOCK
#undef NH_CALL
#define NH_CALL(F, c, x, y) k->call_stages(k->user, F, c, (const void *const *)(x), y)
#undef NH_INLINE
#include "kernel/stage_names.h"

#include "base/real.h"
#undef NH_INLINE
#define NH_INLINE static inline __attribute__((unused))
#include "kernel/point_text.h"

#include "kernel/stage_names_end.h"
#undef NH_LANES
#define NH_LANES 1
#undef NH_CALL
#define NH_CALL(F, c, x, y) k->call(k->user, F, c, (const void *const *)(x), y)
#endif

#include "kernel/stage.h"
