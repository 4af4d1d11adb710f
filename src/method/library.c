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
#define FOUR(name)  (register_width() >= 4 ? name##_avx2 : (name))
#define EIGHT(name) (register_width() == 8 ? (name) : NULL)
#else
#define FOUR(name)  (name)
#define EIGHT(name) NULL
#endif

static nh_library spark(bool sparse)
{
    return sparse ? (nh_library){.one = nh_spark_sparse_advance_1,
                                 .four = FOUR(nh_spark_sparse_advance_4),
                                 .eight = EIGHT(nh_spark_sparse_advance_8),
                                 .quad = nh_spark_sparse_advance_quad,
                                 .work = nh_spark_sparse_work}
                  : (nh_library){.one = nh_spark_advance_1,
                                 .four = FOUR(nh_spark_advance_4),
                                 .eight = EIGHT(nh_spark_advance_8),
                                 .stages = FOUR(nh_spark_stages_advance),
                                 .quad = nh_spark_advance_quad,
                                 .work = nh_spark_work};
}

static nh_library mp(bool sparse)
{
    return sparse ? (nh_library){.one = nh_mp_sparse_advance_1,
                                 .four = FOUR(nh_mp_sparse_advance_4),
                                 .eight = EIGHT(nh_mp_sparse_advance_8),
                                 .quad = nh_mp_sparse_advance_quad,
                                 .work = nh_mp_sparse_work}
                  : (nh_library){.one = nh_mp_advance_1,
                                 .four = FOUR(nh_mp_advance_4),
                                 .eight = EIGHT(nh_mp_advance_8),
                                 .quad = nh_mp_advance_quad,
                                 .work = nh_mp_work};
}

nh_library nh_library_of(nh_kernel_family family, bool sparse)
{
    return family == NH_KERNEL_MP ? mp(sparse) : spark(sparse);
}

int nh_library_lanes(void)
{
    return register_width() == 8 ? 8 : 4;
}
