/* SPDX-License-Identifier: MIT */
/* Running another program, without a shell, from one file into another, with a limit of time. */
#ifndef NH_BASE_PROCESS_H
#define NH_BASE_PROCESS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct nh_process {
    const char *const *command;  /* ended by NULL; the program is looked for in PATH */
    char *const *environment;    /* ended by NULL; NULL: ours */
    int input, output, messages; /* descriptors of files for its standard streams */
    double time_limit;           /* seconds; then it is killed */
} nh_process;

typedef enum nh_process_end {
    NH_PROCESS_DONE,    /* `code` is its exit code; 0 where the caller has its children reaped by others */
    NH_PROCESS_MISSING, /* there is no such program */
    NH_PROCESS_REFUSED, /* it could not be started: `code` is an errno */
    NH_PROCESS_SIGNAL,  /* `code` has ended it */
    NH_PROCESS_LATE,
    NH_PROCESS_STOPPED /* a signal that is held (hold.h) wants to end this program */
} nh_process_end;

/* What is late or stopped is killed, with all that it has started. */
nh_process_end nh_process_run(const nh_process *process, int *code);

#endif
