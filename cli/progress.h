/* SPDX-License-Identifier: MIT */
/* A line on the terminal that tells how far a run is. */
#ifndef NONHOLO_CLI_PROGRESS_H
#define NONHOLO_CLI_PROGRESS_H

#include <stdbool.h>

/* Seconds of a clock that only goes forward. */
double tool_now(void);

typedef struct tool_progress {
    double begin, last; /* seconds */
    long long first;    /* what was done before */
    bool wanted, shown;
} tool_progress;

/* Something is shown only on a terminal, and only after a second. */
void tool_progress_begin(tool_progress *progress, bool quiet, long long first);
/* A time of NaN is not shown. */
void tool_progress_show(tool_progress *progress, long long done, long long total, double time);
/* Takes the line away. */
void tool_progress_end(tool_progress *progress);

#endif
