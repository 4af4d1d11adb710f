/* SPDX-License-Identifier: MIT */
/* Extrapolation for sparse systems in double precision, eight trajectories. */
#define NH_LANES 8
#define NH_SPARSE
#include "kernel/library.h"

#define NH_ADVANCE nh_extrapolation_sparse_advance_8
#include "kernel/extrapolation_text.h"
