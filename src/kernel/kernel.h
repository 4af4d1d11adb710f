/* SPDX-License-Identifier: MIT */
/* The library's settings of the kernels: sizes at run time, the model behind a function pointer. */
#ifndef NH_KERNEL_KERNEL_H
#define NH_KERNEL_KERNEL_H

#include "base/quad.h"
#include "kernel/sparsity.h"

#include <stdbool.h>
#include <stddef.h>

/* A derived function at one point of every lane: y = f(c, x). Arrays are of double, [component][lane], or of quad. */
typedef void nh_kernel_call(void *user, int function, const void *c, const void *const *x, void *y);

typedef struct nh_kernel {
    int n, m, l, s;                /* coordinates, velocity constraints, holonomic constraints, stages */
    int constants;                 /* of the derived functions */
    unsigned traits;               /* kernel/traits.h */
    const bool *touched, *watched; /* [n], kernel/traits.h */
    const bool *entries;           /* [NH_ENTRIES], kernel/traits.h; NULL: all */
    const int *order;              /* [n], kernel/traits.h, and how many of them are bound */
    int bound;
    const void *table; /* of the method, double or quad, [place][lane] */
    nh_kernel_call *call;
    nh_kernel_call *call_stages; /* at four points of one trajectory; NULL: one by one */
    void *user;
    const nh_sparsity *sparsity; /* of the saddle-point factors; NULL: dense */
    void *work;                  /* the kernel's: numbers for each lane */
} nh_kernel;

/* Steps of a batch, see kernel/advance.h. */
typedef void nh_kernel_advance(const nh_kernel *k, double *batch);

/* Places of a member (kernel/member.h). */
size_t nh_member_size(const nh_kernel *k);

/* Of 1 or 4 members, and of one in quad; work: numbers for each lane. */
#define NH_KERNELS(name)                                                                                               \
    nh_kernel_advance name##_advance_1, name##_advance_4;                                                              \
    void name##_advance_quad(const nh_kernel *k, nh_quad *batch);                                                      \
    size_t name##_work(const nh_kernel *k)
NH_KERNELS(nh_spark);
NH_KERNELS(nh_mp);
NH_KERNELS(nh_extrapolation);

/* The same for sparse systems; MASS (unless it is diagonal), ROWS, NORMALS and COLUMNS give the slots of sparsity.h. */
NH_KERNELS(nh_spark_sparse);
NH_KERNELS(nh_mp_sparse);
NH_KERNELS(nh_extrapolation_sparse);

/* One member, by call and call_stages: four stages, or sequences, in lanes. */
#define NH_STAGES_KERNEL(name)                                                                                         \
    nh_kernel_advance name##_stages_advance;                                                                           \
    size_t name##_stages_work(const nh_kernel *k)
NH_STAGES_KERNEL(nh_spark);
NH_STAGES_KERNEL(nh_extrapolation);
NH_STAGES_KERNEL(nh_spark_sparse);
NH_STAGES_KERNEL(nh_extrapolation_sparse);

/* The same bits by registers of four numbers, for processors that have AVX2, and of eight members by registers of
 * eight, for AVX-512. */
#ifdef NH_HAVE_X86
#define NH_WIDE_KERNELS(name) nh_kernel_advance name##_advance_4_avx2, name##_advance_8
NH_WIDE_KERNELS(nh_spark);
NH_WIDE_KERNELS(nh_mp);
NH_WIDE_KERNELS(nh_extrapolation);
NH_WIDE_KERNELS(nh_spark_sparse);
NH_WIDE_KERNELS(nh_mp_sparse);
NH_WIDE_KERNELS(nh_extrapolation_sparse);
nh_kernel_advance nh_spark_stages_advance_avx2, nh_extrapolation_stages_advance_avx2;
nh_kernel_advance nh_spark_sparse_stages_advance_avx2, nh_extrapolation_sparse_stages_advance_avx2;
#endif

#endif
