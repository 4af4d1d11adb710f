/* SPDX-License-Identifier: MIT */
/* What the interpreters of double precision share. Words are pairs, the width of a register that every 64-bit machine
 * has; more lanes are more words, never wider words. */
#include "expr/math.h"
#include "expr/tape.h"

#define SCALAR double
#define WORD   nh_real

#define LITERAL(p, i) nh_literal_double(&(p)->literal[i])
