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

#endif
