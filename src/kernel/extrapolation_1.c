/* SPDX-License-Identifier: MIT */
/* Extrapolation in double precision, one trajectory. */
#include "kernel/library.h"

#define NH_ADVANCE nh_extrapolation_advance_1
#include "kernel/extrapolation_text.h"

NH_FRAME_WORK(nh_extrapolation_work)
