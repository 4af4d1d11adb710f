/* SPDX-License-Identifier: MIT */
#ifndef NH_SIM_MEASURE_H
#define NH_SIM_MEASURE_H

#include "sim/reference.h"

#include <nonholo/measure.h>

struct nh_measurements {
    nh_arena arena;
    nh_reference reference;
    nh_measurement *row;
    int rows;
};

#endif
