/* SPDX-License-Identifier: MIT */
#include "checkpoint.h"

#include "progress.h"
#include "tool.h"

#include <string.h>

/* A file that two options name: what one of them writes, the other would write over. NULL: there is none. */
static const char *file_named_twice(const tool_arguments *a)
{
    const char *const file[] = {a->members, a->output, a->motions, a->plot, a->checkpoint};
    for (size_t i = 0; i < sizeof file / sizeof *file; i++)
        for (size_t j = 0; j < i; j++)
            if (file[i] && file[j] && strcmp(file[i], file[j]) == 0)
                return file[i];
    return NULL;
}

bool tool_files_fit(const tool_arguments *a, const char *file)
{
    const char *twice = file_named_twice(a);
    if (twice)
        tool_complain("%s is named by two options: one would write over the other", twice);
    else if (a->checkpoint_every >= 0 && !a->checkpoint)
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
    *c = (tool_checkpoint){.path = a->checkpoint, .every = (double)every, .last = tool_now()};
}

bool tool_checkpoint_due(const tool_checkpoint *c)
{
    const double wait = c->every > 10 * c->took ? c->every : 10 * c->took;
    return c->path && tool_now() - c->last >= (c->every > 0 ? wait : 0);
}

void tool_checkpoint_start(tool_checkpoint *c)
{
    c->last = tool_now();
}

void tool_checkpoint_done(tool_checkpoint *c)
{
    c->took = tool_now() - c->last;
    c->last += c->took;
}
