/* SPDX-License-Identifier: MIT */
/* When to write a checkpoint, and what the tool keeps in it. */
#ifndef NONHOLO_CLI_CHECKPOINT_H
#define NONHOLO_CLI_CHECKPOINT_H

#include "options.h"

/* Marks: lengths of the files, and steps between their rows. */
enum { MARK_OUTPUT, MARK_MOTIONS, MARK_EVERY };

typedef struct tool_checkpoint {
    const char *path; /* NULL: none */
    double every, last, took;
} tool_checkpoint;

void tool_checkpoint_begin(tool_checkpoint *checkpoint, const tool_arguments *arguments);
/* Complains where the file that --resume continues has its rows further apart, or closer, than `every` steps. */
bool tool_checkpoint_continues(const tool_arguments *arguments, const long long mark[NH_MARKS], long long every);
/* Is it time for one? Not so often that writing takes a tenth of the time. */
bool tool_checkpoint_due(const tool_checkpoint *checkpoint);
/* Around the writing. */
void tool_checkpoint_start(tool_checkpoint *checkpoint);
void tool_checkpoint_done(tool_checkpoint *checkpoint);

#endif
