/* SPDX-License-Identifier: MIT */
/* Filling an error object. */
#ifndef NH_BASE_STATUS_H
#define NH_BASE_STATUS_H

#include <nonholo/status.h>
#include <stdarg.h>

/* Sets status and a printf-style message, and clears the place. `error` may be NULL. The message may use texts that
 * point into the error itself. */
void nh_error_set(nh_error *error, nh_status status, const char *format, ...) __attribute__((format(printf, 3, 4)));
void nh_error_set_list(nh_error *error, nh_status status, const char *format, va_list arguments)
    __attribute__((format(printf, 3, 0)));

/* The same, with the status as its value; a macro, so that compilers see that it is not NH_OK. */
#define nh_fail(error, status, ...) (nh_error_set((error), (status), __VA_ARGS__), nh_status_value(status))

static inline nh_status nh_status_value(nh_status status)
{
    return status;
}

/* The text of an errno, kept in `buffer`. */
const char *nh_errno_text(int code, char buffer[128]);

#endif
