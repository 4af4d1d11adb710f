/* SPDX-License-Identifier: MIT */
/* Where a motion starts, and the member that starts there. */
#ifndef NH_METHOD_START_POINT_H
#define NH_METHOD_START_POINT_H

#include "expr/program.h"
#include "kernel/functions.h"
#include "kernel/kernel.h"
#include "kernel/member.h"

typedef struct nh_start {
    const nh_quad *parameter;
    int parameters;
    nh_quad t, h;
    const nh_quad *q, *v;
} nh_start;

/* `parameters` [from->parameters] is room; `work` is prepared for one lane. */
void nh_start_1(const nh_kernel *k, const nh_program *program, const nh_start *from, double *parameters, double *x,
                double *work);
void nh_start_quad(const nh_kernel *k, const nh_program *program, const nh_start *from, nh_quad *parameters, nh_quad *x,
                   nh_quad *work);

#endif
