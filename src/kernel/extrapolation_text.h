/* SPDX-License-Identifier: MIT */
/* The text of an extrapolation in the library, in the order of method/source.c. */
#include "kernel/extrapolation_table.h"

#include "kernel/extrapolation_frame.h"

#include "kernel/extrapolation_sequences.h"

#include "kernel/extrapolation.h"

#include "kernel/advance.h" /* after the method that it steps */
