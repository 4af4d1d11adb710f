/* SPDX-License-Identifier: MIT */
#include "method/start_point.h"

#define NUMBER nh_quad
#define START  nh_start_quad
#define RUN    nh_tape_run_quad
#include "method/start.h"
