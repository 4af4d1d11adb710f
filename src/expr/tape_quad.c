/* SPDX-License-Identifier: MIT */
/* The tape in quad precision. */
#include "base/quad.h"

#define NH_QUAD
#include "base/real.h"
#include "expr/math.h"
#include "expr/tape.h"

#define SCALAR         nh_quad
#define WORD           nh_real
#define WORDS          1
#define CALL1(f, a)    (f)->quad_one(a)
#define CALL2(f, a, b) (f)->quad_two(a, b)
#define PREPARE        nh_tape_prepare_quad
#define RUN            nh_tape_run_quad

static nh_quad literal(const nh_program *p, uint32_t i)
{
    return p->literal[i].pi ? nh_quad_parse("3.14159265358979323846264338327950288419716939937510", NULL)
                            : nh_number_quad(p->literal[i].number);
}
#define LITERAL(p, i) literal(p, i)
#include "expr/tape_run.h"
