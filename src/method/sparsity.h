/* SPDX-License-Identifier: MIT */
/* The pattern of a model's saddle-point matrices, and whether it pays to use it. */
#ifndef NH_METHOD_SPARSITY_H
#define NH_METHOD_SPARSITY_H

#include "base/arena.h"
#include "kernel/sparsity.h"
#include "method/method.h"
#include "model/model.h"

/* *out is NULL, and NH_OK, where dense matrices are better: few coordinates, or few zeros; unless it is forced.
 * `traits` as of a kernel. Memory is from the arena. */
nh_status nh_sparsity_new(const nh_model *m, nh_kernel_family family, unsigned traits, bool forced, nh_arena *arena,
                          nh_sparsity **out, nh_error *error);

#endif
