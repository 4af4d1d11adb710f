/* SPDX-License-Identifier: MIT */
/* McLachlan and Perlmutter's method in double precision, four trajectories in lanes. */
#define NH_LANES 4
#include "kernel/library.h"

#define NH_ADVANCE NH_NAME_OF_TARGET(nh_mp_advance_4)
#include "kernel/mp.h"

#include "kernel/advance.h" /* after the method that it steps */
