/* SPDX-License-Identifier: MIT */
/* Extrapolation for sparse systems in double precision, one trajectory, four of its sequences in lanes. */
#define NH_BLOCK 4
#define NH_SPARSE
#include "kernel/library.h"

#define NH_ADVANCE NH_NAME_OF_TARGET(nh_extrapolation_sparse_stages_advance)
#include "kernel/extrapolation_text.h"

#ifndef NH_AVX2 /* once will do */
NH_FRAME_WORK(nh_extrapolation_sparse_stages_work)
#endif
