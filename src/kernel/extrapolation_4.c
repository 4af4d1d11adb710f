/* SPDX-License-Identifier: MIT */
/* Extrapolation in double precision, four trajectories in lanes. */
#define NH_LANES 4
#include "kernel/library.h"

#define NH_ADVANCE NH_NAME_OF_TARGET(nh_extrapolation_advance_4)
#include "kernel/extrapolation_text.h"
