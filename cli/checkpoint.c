/* SPDX-License-Identifier: MIT */
#include "checkpoint.h"

#include "progress.h"
#include "tool.h"

#include <string.h>

void tool_checkpoint_begin(tool_checkpoint *c, const tool_arguments *a)
{
    enum { USUAL = 10 };
    const long long every = a->checkpoint_every >= 0 ? a->checkpoint_every : USUAL;
    *c = (tool_checkpoint){.path = a->checkpoint, .every = (double)every, .last = tool_now()};
}

nh_table_place tool_checkpoint_place(const long long mark[NH_MARKS], int file)
{
    return (nh_table_place){mark[file], mark[file + 1]};
}

void tool_checkpoint_mark(long long mark[NH_MARKS], int file, nh_table_place place)
{
    mark[file] = place.bytes;
    mark[file + 1] = place.hash;
}

/* The rows before are in this file, if it is wanted. */
static bool has_rows(const tool_arguments *a, const char *option, const char *path, const long long *mark, int file)
{
    if (!path || !strcmp(path, "-") || tool_checkpoint_place(mark, file).bytes > 0)
        return true;
    tool_complain("%s cannot be resumed with %s: it was saved by a command without, and rows would be missing",
                  a->resume, option);
    return false;
}

bool tool_checkpoint_continues(const tool_arguments *a, const long long mark[NH_MARKS], long long every, long long step,
                               long long steps)
{
    const bool rows = a->output || a->motions;
    if (!a->resume)
        return true;
    if (step > steps) {
        tool_complain("%s is at step %lld, behind the end of this run, step %lld", a->resume, step, steps);
        return false;
    }
    if (!has_rows(a, "--output", a->output, mark, MARK_OUTPUT) ||
        !has_rows(a, "--motions", a->motions, mark, MARK_MOTIONS))
        return false;
    if (!rows || mark[MARK_EVERY] == every)
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
