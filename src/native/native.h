/* SPDX-License-Identifier: MIT */
/* Native builds: C text, compiled with the system's compiler into a shared object, kept in a cache, loaded.
 *
 * A build that cannot be had (no compiler, no writable cache, a compiler that fails or hangs) is an error with one
 * line that says what to do; the caller then stays on the tape. Every function here may be called from any thread. */
#ifndef NH_NATIVE_NATIVE_H
#define NH_NATIVE_NATIVE_H

#include <nonholo/status.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct nh_native nh_native;       /* a loaded build */
typedef void (*nh_native_function)(void); /* cast to the true type before the call */

/* All zero gives the defaults; an empty text means the same as NULL. */
typedef struct nh_native_options {
    const char *compiler;     /* command with arguments, split at spaces; NULL: $NONHOLO_CC, else cc, gcc, clang */
    const char *cache;        /* directory; NULL: $XDG_CACHE_HOME/nonholo, else ~/.cache/nonholo */
    const char *optimisation; /* flags; NULL: "-O3" */
    const char *target;       /* named level, "generic" for none; NULL: nh_native_target(false) */
    double time_limit;        /* seconds that the compiler may take; 0: 60 */
    bool no_cache;            /* build anew and keep nothing */
} nh_native_options;

/* The build of a source text, from the cache or newly made. `options` may be NULL.
 * NH_COMPILER: no compiler, or it failed; NH_FILE: the cache cannot be used. The caller frees *out. */
nh_status nh_native_build(const char *source, size_t length, const nh_native_options *options, nh_native **out,
                          nh_error *error);
/* The same if it is in the cache already, without ever starting a compiler; *out is NULL, and NH_OK, if it is not. */
nh_status nh_native_find(const char *source, size_t length, const nh_native_options *options, nh_native **out,
                         nh_error *error);
/* Unloads the build; what its symbols pointed to is gone. NULL is fine. */
void nh_native_free(nh_native *native);

/* A function, or an object, of the build by its name; NULL if it has none. */
nh_native_function nh_native_entry(const nh_native *native, const char *name);
const void *nh_native_symbol(const nh_native *native, const char *name);

/* One line for run records: compiler, its command, target, flags, cached or built, key. */
const char *nh_native_record(const nh_native *native);
bool nh_native_was_cached(const nh_native *native);
double nh_native_seconds(const nh_native *native); /* that finding or making it took */

/* The highest named level of instructions that this machine runs, like "x86-64-v3"; "generic" where there are no
 * levels. Without `wide` never above v3: wider vectors are a choice made elsewhere. */
const char *nh_native_target(bool wide);
/* Doubles in a register of the target that `options`, which may be NULL, name: 2 where nothing more is known of it. */
int nh_native_width(const nh_native_options *options);

#endif
