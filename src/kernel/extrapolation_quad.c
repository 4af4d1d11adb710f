/* SPDX-License-Identifier: MIT */
/* Extrapolation in quad precision. */
#define NH_QUAD
#include "kernel/library.h"

#define NH_ADVANCE nh_extrapolation_advance_quad
#include "kernel/extrapolation_text.h"
