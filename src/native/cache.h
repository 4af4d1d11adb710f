/* SPDX-License-Identifier: MIT */
/* The directory of native builds: whom it belongs to, private places to build in, files that are whole or absent.
 *
 * There are no locks. Two processes that want the same build both make it, each in its own scratch directory, and
 * both rename it to the same name: a reader sees one or the other, and they are the same. The worst that happens is
 * work done twice, where a lock could hang (network file systems) or outlive its owner. */
#ifndef NH_NATIVE_CACHE_H
#define NH_NATIVE_CACHE_H

#include "base/arena.h"

#include <nonholo/status.h>
#include <stdbool.h>

/* The absolute path of the cache; `path` NULL or empty: $XDG_CACHE_HOME/nonholo, else ~/.cache/nonholo. Refuses a
 * directory that anybody else could put files into: they would run as us. Absent: made if `make`, else *out is NULL. */
nh_status nh_cache_open(const char *path, bool make, nh_arena *arena, const char **out, nh_error *error);

/* A new private directory inside the cache; also clears away those that killed processes left a day ago. */
nh_status nh_cache_scratch(const char *cache, nh_arena *arena, const char **out, nh_error *error);
/* Removes a file, or a directory with all that is in it. */
void nh_cache_remove(const char *path);

/* Appends a hash of a file's content to it. Loading a truncated shared object is a bus error, not an error code, and
 * after a power cut a renamed file may hold zeros: so its content is checked before it is loaded. */
bool nh_cache_seal(const char *path);
bool nh_cache_intact(const char *path);

/* Removes the builds that were made or used longest ago until the others take no more than NH_CACHE_BYTES; never
 * `kept`.
 */
#define NH_CACHE_BYTES (256LL << 20)
void nh_cache_trim(const char *cache, const char *kept);
/* A build was used now. */
void nh_cache_touch(const char *path);

/* Three texts as one; NULL if one of them is, or with the arena's mark if there is no memory. */
char *nh_joined(nh_arena *arena, const char *a, const char *b, const char *c);

#endif
