/* SPDX-License-Identifier: MIT */
/* Which files the options name, and whether these go together. */
#ifndef NONHOLO_CLI_FILES_H
#define NONHOLO_CLI_FILES_H

#include "options.h"

/* Are two paths, of files that need not exist, one file? Links are followed. */
bool tool_same_file(const char *a, const char *b);
/* Complains, and returns false, where a file that is written is also read or written for something else, or
 * --checkpoint or --resume do not go with `file`, where the motion or the statistics go. */
bool tool_files_fit(const tool_arguments *arguments, const char *file);
/* Can the files be made that are written later, a checkpoint and a picture? Complains: later would be late. What is
 * there stays as it is. */
bool tool_files_have_places(const tool_arguments *arguments);

#endif
