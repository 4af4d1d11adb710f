/* SPDX-License-Identifier: MIT */
#ifndef NH_BASE_CLOCK_H
#define NH_BASE_CLOCK_H

/* Seconds from some moment on; never set back. */
double nh_clock(void);

#endif
