/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L

#include "stop.h"

#include <stddef.h>

static void hold(sigset_t *held, int number)
{
    struct sigaction now;
    if (sigaction(number, NULL, &now) == 0 && now.sa_handler != SIG_IGN)
        sigaddset(held, number);
}

void tool_stop_begin(tool_stop *stop)
{
    sigemptyset(&stop->held);
    hold(&stop->held, SIGINT);
    hold(&stop->held, SIGTERM);
    sigprocmask(SIG_BLOCK, &stop->held, &stop->before);
}

static bool is_pending(const tool_stop *stop, int number)
{
    sigset_t pending;
    return sigpending(&pending) == 0 && sigismember(&pending, number) == 1 && sigismember(&stop->held, number) == 1;
}

bool tool_stop_wanted(const tool_stop *stop)
{
    return is_pending(stop, SIGINT) || is_pending(stop, SIGTERM);
}

void tool_stop_end(tool_stop *stop)
{
    int number;
    while (tool_stop_wanted(stop) && sigwait(&stop->held, &number) == 0)
        continue;
    sigprocmask(SIG_SETMASK, &stop->before, NULL);
}
