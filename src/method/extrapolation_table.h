/* SPDX-License-Identifier: MIT */
/* The table of an extrapolation (kernel/extrapolation_table.h). */
#ifndef NH_METHOD_EXTRAPOLATION_TABLE_H
#define NH_METHOD_EXTRAPOLATION_TABLE_H

#include "method/table.h"

#include <nonholo/status.h>

/* For s sequences; tol 0: no error is asked for. The numbers belong to the arena. */
nh_status nh_extrapolation_table_make(nh_arena *arena, int s, nh_quad tol, nh_table *out, nh_error *error);

#endif
