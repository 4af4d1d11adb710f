/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */

#include "checkpoint.h"

#include "tool.h"

#include <time.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

bool tool_checkpoint_fits(const tool_arguments *a, const char *file)
{
    if (a->checkpoint_every >= 0 && !a->checkpoint)
        tool_complain("--checkpoint-every needs --checkpoint FILE");
    else if ((a->checkpoint || a->resume) && file && !tool_ends_in(file, ".csv"))
        tool_complain("--checkpoint and --resume go with a .csv file, which can be continued; %s cannot", file);
    else
        return true;
    return false;
}

void tool_checkpoint_begin(tool_checkpoint *c, const tool_arguments *a)
{
    enum { USUAL = 10 };
    const long long every = a->checkpoint_every >= 0 ? a->checkpoint_every : USUAL;
    *c = (tool_checkpoint){.path = a->checkpoint, .every = (double)every, .last = now()};
}

bool tool_checkpoint_due(const tool_checkpoint *c)
{
    const double wait = c->every > 10 * c->took ? c->every : 10 * c->took;
    return c->path && now() - c->last >= (c->every > 0 ? wait : 0);
}

void tool_checkpoint_start(tool_checkpoint *c)
{
    c->last = now();
}

void tool_checkpoint_done(tool_checkpoint *c)
{
    c->took = now() - c->last;
    c->last += c->took;
}
