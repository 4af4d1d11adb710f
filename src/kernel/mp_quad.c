/* SPDX-License-Identifier: MIT */
/* McLachlan and Perlmutter's method in quad precision. */
#define NH_QUAD
#include "kernel/library.h"

#define NH_ADVANCE nh_mp_advance_quad
#include "kernel/mp.h"

#include "kernel/advance.h" /* after the method that it steps */
