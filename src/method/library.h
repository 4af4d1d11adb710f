/* SPDX-License-Identifier: MIT */
/* The kernels that are compiled with the library, as this processor runs them best. */
#ifndef NH_METHOD_LIBRARY_H
#define NH_METHOD_LIBRARY_H

#include "kernel/kernel.h"
#include "method/method.h"

typedef struct nh_library {
    nh_kernel_advance *one, *four,
        *eight;                /* trajectories in double precision; eight: NULL where registers have fewer */
    nh_kernel_advance *stages; /* one, four stages in lanes; NULL: there is none */
    void (*quad)(const nh_kernel *k, nh_quad *batch);
    size_t (*work)(const nh_kernel *k);        /* numbers for each lane */
    size_t (*stages_work)(const nh_kernel *k); /* for `stages` */
} nh_library;

nh_library nh_library_of(nh_kernel_family family, bool sparse);

/* Trajectories in lanes: four, or eight where registers have as many. */
int nh_library_lanes(void);

#endif
