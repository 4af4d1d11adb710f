/* SPDX-License-Identifier: MIT */
#ifndef NH_BENCH_CHILD_H
#define NH_BENCH_CHILD_H

#include <stddef.h>

/* Runs another program, looked for in PATH, and keeps the beginning of what it prints; complaints are lost. Its exit
 * code; 1 where it could not be run. */
int child_run(const char *const *words, char *said, size_t room);

#endif
