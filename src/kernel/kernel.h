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
    const int *order;              /* [n], kernel/traits.h, and how many of them are bound */
    int bound;
    const void *table; /* of the method, double or quad, [place][lane] */
    nh_kernel_call *call;
    nh_kernel_call *call_stages; /* at four points of one trajectory; NULL: one by one */
    void *user;
    const nh_sparsity *sparsity; /* of the saddle-point factors; NULL: dense */
    void *work;                  /* nh_spark_work, nh_spark_sparse_work or nh_mp_work numbers for each lane */
} nh_kernel;

/* Steps of a batch, see kernel/advance.h. */
typedef void nh_kernel_advance(const nh_kernel *k, double *batch);

/* Places of a member (kernel/member.h). */
size_t nh_member_size(const nh_kernel *k);

/* Of 1 or 4 members. */
nh_kernel_advance nh_spark_advance_1;
nh_kernel_advance nh_spark_advance_4;
void nh_spark_advance_quad(const nh_kernel *k, nh_quad *batch);
size_t nh_spark_work(const nh_kernel *k);

/* One member, by call and call_stages: four stages in lanes. */
nh_kernel_advance nh_spark_stages_advance;
size_t nh_spark_stages_work(const nh_kernel *k);

/* The same for sparse systems; MASS (unless it is diagonal), ROWS, NORMALS and COLUMNS give the slots of sparsity.h. */
nh_kernel_advance nh_spark_sparse_advance_1;
nh_kernel_advance nh_spark_sparse_advance_4;
void nh_spark_sparse_advance_quad(const nh_kernel *k, nh_quad *batch);
size_t nh_spark_sparse_work(const nh_kernel *k);

nh_kernel_advance nh_mp_advance_1;
nh_kernel_advance nh_mp_advance_4;
void nh_mp_advance_quad(const nh_kernel *k, nh_quad *batch);
size_t nh_mp_work(const nh_kernel *k);

nh_kernel_advance nh_mp_sparse_advance_1;
nh_kernel_advance nh_mp_sparse_advance_4;
void nh_mp_sparse_advance_quad(const nh_kernel *k, nh_quad *batch);
size_t nh_mp_sparse_work(const nh_kernel *k);

/* The same bits by registers of four numbers, for processors that have AVX2, and of eight members by registers of
 * eight, for AVX-512. */
#ifdef NH_HAVE_X86
nh_kernel_advance nh_spark_advance_4_avx2, nh_spark_stages_advance_avx2, nh_spark_sparse_advance_4_avx2;
nh_kernel_advance nh_mp_advance_4_avx2, nh_mp_sparse_advance_4_avx2;
nh_kernel_advance nh_spark_advance_8, nh_spark_sparse_advance_8, nh_mp_advance_8, nh_mp_sparse_advance_8;
#endif

#endif
