/* SPDX-License-Identifier: MIT */
/* What the interpreters of double precision share. Words are pairs, the width of a register that every 64-bit machine
 * has; more lanes are more words, never wider words. */
#include "expr/math.h"
#include "expr/tape.h"

#define SCALAR double
#define WORD   nh_real

static double literal(const nh_program *p, uint32_t i)
{
    return p->literal[i].pi ? 0x1.921fb54442d18p+1 : nh_number_double(p->literal[i].number);
}
#define LITERAL(p, i) literal(p, i)
