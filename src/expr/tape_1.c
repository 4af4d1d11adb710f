/* SPDX-License-Identifier: MIT */
/* The tape, one lane of double. */
#include "base/real.h"
#include "expr/tape_double.h"

#define CALL1(f, a)    (f)->one(a)
#define CALL2(f, a, b) (f)->two(a, b)
#define WORDS          1
#define PREPARE        nh_tape_prepare_1
#define RUN            nh_tape_run_1
#include "expr/tape_run.h"
