/* SPDX-License-Identifier: MIT */
/* Ctrl-C ends a run between steps. The signals are held back and asked for: no handler, no global variable. */
#ifndef NONHOLO_CLI_STOP_H
#define NONHOLO_CLI_STOP_H

#include <signal.h>
#include <stdbool.h>

typedef struct tool_stop {
    sigset_t held, before;
} tool_stop;

/* From here on SIGINT and SIGTERM wait, unless they are ignored. */
void tool_stop_begin(tool_stop *stop);
/* Has one of them come? */
bool tool_stop_wanted(const tool_stop *stop);
/* Those that came are dropped; later ones do what they always do. */
void tool_stop_end(tool_stop *stop);

#endif
