/* SPDX-License-Identifier: MIT */
/* McLachlan and Perlmutter's method for sparse systems in quad precision. */
#define NH_QUAD
#define NH_SPARSE
#include "kernel/library.h"

#define NH_ADVANCE nh_mp_sparse_advance_quad
#include "kernel/mp.h"

#include "kernel/advance.h" /* after the method that it steps */
