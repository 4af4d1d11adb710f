/* SPDX-License-Identifier: MIT */
/* Code by hand (hand/), built as generated code is: with the same compiler, for the same target, without contraction.
 */
#ifndef NH_BENCH_HAND_CODE_H
#define NH_BENCH_HAND_CODE_H

#include "native/native.h"

/* Builds a file of the folder `hand` beside this program. NULL where the processor is another one, the folder is not
 * there, or there is no compiler: *error tells. */
nh_native *hand_code_build(const char *file, const char *optimisation, nh_error *error);

#endif
