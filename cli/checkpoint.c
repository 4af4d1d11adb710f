/* SPDX-License-Identifier: MIT */
#include "checkpoint.h"

#include "progress.h"
#include "tool.h"

void tool_checkpoint_begin(tool_checkpoint *c, const tool_arguments *a)
{
    enum { USUAL = 10 };
    const long long every = a->checkpoint_every >= 0 ? a->checkpoint_every : USUAL;
    *c = (tool_checkpoint){.path = a->checkpoint, .every = (double)every, .last = tool_now()};
}

bool tool_checkpoint_continues(const tool_arguments *a, const long long mark[NH_MARKS], long long every)
{
    if (!a->resume || (!a->output && !a->motions) || mark[MARK_EVERY] == every)
        return true;
    tool_complain("%s cannot be resumed here: its rows are %lld steps apart, not %lld; use --every %lld", a->resume,
                  mark[MARK_EVERY], every, mark[MARK_EVERY]);
    return false;
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
