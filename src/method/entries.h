/* SPDX-License-Identifier: MIT */
/* Which entries of a model's dense saddle-point matrices are zero everywhere: kernel/traits.h, NH_ENTRY. */
#ifndef NH_METHOD_ENTRIES_H
#define NH_METHOD_ENTRIES_H

#include "base/arena.h"
#include "kernel/kernel.h"
#include "method/method.h"
#include "model/model.h"

/* kernel->entries, where coordinates are few and some product has a factor that is zero. The kernel has its sizes and
 * traits. *seconds: how much longer compilers take for loops over them. */
nh_status nh_entries_find(const nh_model *model, nh_kernel_family family, nh_arena *arena, nh_kernel *kernel,
                          double *seconds, nh_error *error);

#endif
