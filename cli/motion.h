/* SPDX-License-Identifier: MIT */
/* The motion in a file, a row at a time: t, q, v, observables, energy error, constraint residual. */
#ifndef NONHOLO_CLI_MOTION_H
#define NONHOLO_CLI_MOTION_H

#include <nonholo/nonholo.h>
#include <stdbool.h>
#include <stdio.h>

enum { MOTION_CELL = 48 }; /* bytes of a number */

typedef struct tool_motion {
    const char *path;
    nh_table_writer *table; /* of CSV, or … */
    FILE *json;             /* … of JSON */
    bool quoted;            /* numbers are quads, which JSON has as strings */
    int first, columns;     /* first: of the simulation's own */
    char (*text)[MOTION_CELL];
    const char **cell;
    long long rows;
} tool_motion;

/* Is this a name of a file that can be written? Complains. */
bool tool_motion_accepts(const char *path);
/* `from`: where the file is continued; NULL: a new one. `member`: there is a first column of this name. */
bool tool_motion_begin(tool_motion *motion, const char *path, const nh_sim *sim, bool member,
                       const nh_table_place *from);
/* False: it cannot be written; the end will tell. */
bool tool_motion_row(tool_motion *motion, const nh_sim *sim, long long member);
/* Where a CSV file ends, whose rows are then on the disk. */
bool tool_motion_sync(tool_motion *motion, nh_table_place *out);
/* Complains, and returns false, if not all could be written. */
bool tool_motion_end(tool_motion *motion);
/* Also of one that could not begin. */
void tool_motion_free(tool_motion *motion);

#endif
