/* SPDX-License-Identifier: MIT */
/* The tape, 8 lanes of double. */
#define NH_LANES 2
#include "base/real.h"
#include "expr/tape_double.h"

#include "expr/tape_pair.h"
#define WORDS   4
#define PREPARE nh_tape_prepare_8
#define RUN     nh_tape_run_8
#include "expr/tape_run.h"
