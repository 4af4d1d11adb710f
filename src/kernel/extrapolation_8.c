/* SPDX-License-Identifier: MIT */
/* Extrapolation in double precision, eight trajectories in lanes. */
#define NH_LANES 8
#include "kernel/library.h"

#define NH_ADVANCE nh_extrapolation_advance_8
#include "kernel/extrapolation_text.h"
