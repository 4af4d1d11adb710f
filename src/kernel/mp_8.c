/* SPDX-License-Identifier: MIT */
/* McLachlan and Perlmutter's method in double precision, eight trajectories in lanes. */
#define NH_LANES 8
#include "kernel/library.h"

#define NH_ADVANCE nh_mp_advance_8
#include "kernel/mp.h"

#include "kernel/advance.h" /* after the method that it steps */
