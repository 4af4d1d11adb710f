/* SPDX-License-Identifier: MIT */
/* Signals that end the program wait while there is something to clear away; nothing is caught. Whoever includes this
 * asks for POSIX (_XOPEN_SOURCE 700). */
#ifndef NH_BASE_HOLD_H
#define NH_BASE_HOLD_H

#include <signal.h>
#include <stdbool.h>

typedef struct nh_hold {
    sigset_t before;
} nh_hold;

/* From here on SIGINT, SIGTERM, SIGHUP and SIGQUIT wait, in this thread; those that are ignored do not come. */
void nh_hold_begin(nh_hold *hold);
/* Those that came do now what they always do, unless the caller holds them too. */
void nh_hold_end(const nh_hold *hold);
/* Is one of them waiting? */
bool nh_hold_wanted(void);

#endif
