/* SPDX-License-Identifier: MIT */
/* Extrapolation for sparse systems in double precision, four trajectories. */
#define NH_LANES 4
#define NH_SPARSE
#include "kernel/library.h"

#define NH_ADVANCE NH_NAME_OF_TARGET(nh_extrapolation_sparse_advance_4)
#include "kernel/extrapolation_text.h"
