/* SPDX-License-Identifier: MIT */
/* Extrapolation for sparse systems in double precision, one trajectory. */
#define NH_SPARSE
#include "kernel/library.h"

#define NH_ADVANCE nh_extrapolation_sparse_advance_1
#include "kernel/extrapolation_text.h"

NH_FRAME_WORK(nh_extrapolation_sparse_work)
