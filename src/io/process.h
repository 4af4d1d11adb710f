/* SPDX-License-Identifier: MIT */
/* Running another program, without a shell, from one file into another. */
#ifndef NH_IO_PROCESS_H
#define NH_IO_PROCESS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct nh_process {
    const char *const *command;  /* ended by NULL; the program is looked for in PATH */
    int input, output, messages; /* descriptors of files for its standard streams */
    double time_limit;           /* seconds; then it is killed */
} nh_process;

typedef enum nh_process_end {
    NH_PROCESS_DONE,    /* `code` is its exit code; 0 where the caller has its children reaped by others */
    NH_PROCESS_MISSING, /* there is no such program */
    NH_PROCESS_REFUSED, /* it could not be started: `code` is an errno */
    NH_PROCESS_SIGNAL,  /* `code` has ended it */
    NH_PROCESS_LATE
} nh_process_end;

nh_process_end nh_process_run(const nh_process *process, int *code);

#endif
