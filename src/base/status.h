/* SPDX-License-Identifier: MIT */
/* Filling an error object. */
#ifndef NH_BASE_STATUS_H
#define NH_BASE_STATUS_H

#include <nonholo/status.h>

/* Sets status and a printf-style message, clears the place, and returns the status. `error` may be NULL. */
nh_status nh_fail(nh_error *error, nh_status status, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
