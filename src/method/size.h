/* SPDX-License-Identifier: MIT */
/* How large a step may be. */
#ifndef NH_METHOD_SIZE_H
#define NH_METHOD_SIZE_H

#include "kernel/kernel.h"

#include <nonholo/status.h>

/* NH_LIMIT where an array of the step is too long to be counted in int, for any number of lanes. To be asked before the
 * sizes of work and member are. */
nh_status nh_kernel_check_size(const nh_kernel *k, nh_error *error);

#endif
