/* SPDX-License-Identifier: MIT */
/* Extrapolation for sparse systems in quad precision. */
#define NH_QUAD
#define NH_SPARSE
#include "kernel/library.h"

#define NH_ADVANCE nh_extrapolation_sparse_advance_quad
#include "kernel/extrapolation_text.h"
