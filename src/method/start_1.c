/* SPDX-License-Identifier: MIT */
#include "method/start_point.h"

#define NUMBER double
#define START  nh_start_1
#define RUN    nh_tape_run_1
#include "method/start.h"
