/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700
#include "base/hold.h"

#include <stddef.h>

static const int ENDING[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
enum { ENDINGS = sizeof ENDING / sizeof *ENDING };

static bool is_ignored(int number)
{
    struct sigaction now;
    return sigaction(number, NULL, &now) != 0 || now.sa_handler == SIG_IGN;
}

void nh_hold_begin(nh_hold *hold)
{
    sigset_t held;
    sigemptyset(&held);
    for (int i = 0; i < ENDINGS; i++)
        if (!is_ignored(ENDING[i]))
            sigaddset(&held, ENDING[i]);
    sigprocmask(SIG_BLOCK, &held, &hold->before);
}

void nh_hold_end(const nh_hold *hold)
{
    sigprocmask(SIG_SETMASK, &hold->before, NULL);
}

bool nh_hold_wanted(void)
{
    sigset_t pending;
    bool wanted = false;
    if (sigpending(&pending) != 0)
        return false;
    for (int i = 0; i < ENDINGS; i++)
        wanted = wanted || (sigismember(&pending, ENDING[i]) == 1 && !is_ignored(ENDING[i]));
    return wanted;
}
