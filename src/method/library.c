/* SPDX-License-Identifier: MIT */
#include "method/library.h"

#include "native/native.h"

/* Numbers in a register of this processor, as far as the library has code for it. */
static int register_width(void)
{
#ifdef NH_HAVE_X86
    return nh_native_width(&(nh_native_options){.target = nh_native_target(true)});
#else
    return 2;
#endif
}

/* Four lanes are compiled for registers of two numbers, and for AVX2; eight for AVX-512. */
#ifdef NH_HAVE_X86
#define FOUR(name)  name, name##_avx2
#define EIGHT(name) name
#else
#define FOUR(name)  name, name
#define EIGHT(name) NULL
#endif
#define KERNELS(name)                                                                                                  \
    .one = name##_advance_1, .four = {FOUR(name##_advance_4)}, .eight = EIGHT(name##_advance_8),                       \
    .quad = name##_advance_quad, .work = name##_work
#define STAGES(name) .stages = {FOUR(name##_stages_advance)}, .stages_work = name##_stages_work

static const struct kernels {
    nh_kernel_advance *one, *four[2], *eight, *stages[2];
    void (*quad)(const nh_kernel *k, nh_quad *batch);
    size_t (*work)(const nh_kernel *k), (*stages_work)(const nh_kernel *k);
} kernels[][2] = {
    [NH_KERNEL_SPARK] = {{KERNELS(nh_spark), STAGES(nh_spark)}, {KERNELS(nh_spark_sparse), STAGES(nh_spark_sparse)}},
    [NH_KERNEL_MP] = {{KERNELS(nh_mp)}, {KERNELS(nh_mp_sparse)}},
    [NH_KERNEL_EXTRAPOLATION] = {{KERNELS(nh_extrapolation), STAGES(nh_extrapolation)},
                                 {KERNELS(nh_extrapolation_sparse), STAGES(nh_extrapolation_sparse)}},
};

nh_library nh_library_of(nh_kernel_family family, bool sparse)
{
    const struct kernels *k = &kernels[family][sparse];
    const int width = register_width(), wide = width >= 4;
    return (nh_library){.one = k->one,
                        .four = k->four[wide],
                        .eight = width == 8 ? k->eight : NULL,
                        .stages = k->stages[wide],
                        .quad = k->quad,
                        .work = k->work,
                        .stages_work = k->stages_work};
}

int nh_library_lanes(void)
{
    return register_width() == 8 ? 8 : 4;
}
