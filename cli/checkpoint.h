/* SPDX-License-Identifier: MIT */
/* When to write a checkpoint, and what the tool keeps in it. */
#ifndef NONHOLO_CLI_CHECKPOINT_H
#define NONHOLO_CLI_CHECKPOINT_H

#include "options.h"

/* Marks: where the files end, two numbers each, and steps between their rows. */
enum { MARK_OUTPUT, MARK_MOTIONS = 2, MARK_EVERY = 4 };

typedef struct tool_checkpoint {
    const char *path; /* NULL: none */
    double every, last, took;
} tool_checkpoint;

void tool_checkpoint_begin(tool_checkpoint *checkpoint, const tool_arguments *arguments);
/* Complains where --resume cannot go on to step `steps`: it is at another one behind that, or its files are not there,
 * or have their rows further apart, or closer, than `every` steps. */
bool tool_checkpoint_continues(const tool_arguments *arguments, const long long mark[NH_MARKS], long long every,
                               long long step, long long steps);
nh_table_place tool_checkpoint_place(const long long mark[NH_MARKS], int file);
void tool_checkpoint_mark(long long mark[NH_MARKS], int file, nh_table_place place);
/* Is it time for one? Not so often that writing takes a tenth of the time. */
bool tool_checkpoint_due(const tool_checkpoint *checkpoint);
/* Around the writing. */
void tool_checkpoint_start(tool_checkpoint *checkpoint);
void tool_checkpoint_done(tool_checkpoint *checkpoint);

#endif
