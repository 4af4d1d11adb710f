/* SPDX-License-Identifier: MIT */
/* The tape, 4 lanes of double. */
#define NH_LANES 2
#include "base/real.h"
#include "expr/tape_double.h"

#include "expr/tape_pair.h"
#define WORDS   2
#define PREPARE nh_tape_prepare_4
#define RUN     nh_tape_run_4
#include "expr/tape_run.h"
