/* SPDX-License-Identifier: MIT */
/* The picture of a run: path, energy error, constraint residual. */
#ifndef NONHOLO_CLI_PICTURE_H
#define NONHOLO_CLI_PICTURE_H

#include <nonholo/nonholo.h>
#include <stdbool.h>

enum { PICTURE_SERIES = 5 }; /* x, y, t, energy error, residual */

typedef struct tool_picture {
    struct tool_choice {
        nh_sim_field field;
        int component;
    } choice[PICTURE_SERIES];
    double *series[PICTURE_SERIES], *room; /* room: for one field */
    unsigned long count, capacity;
    long long stride; /* steps between points, so that they do not become too many */
    bool failed;      /* no memory */
} tool_picture;

/* Is this a name of a picture that can be written? Complains. */
bool tool_picture_accepts(const char *path);
/* Points are taken every `every` steps, or a multiple of that. `x` and `y` name what the path shows; NULL: the first
 * two coordinates. False, with a complaint: there is no such. */
bool tool_picture_begin(tool_picture *picture, const nh_sim *sim, const char *x, const char *y, long long every,
                        long long steps);
void tool_picture_point(tool_picture *picture, const nh_sim *sim);
/* Writes it, and shows it as text if `preview`; complains and returns false if that fails. */
bool tool_picture_end(tool_picture *picture, const nh_sim *sim, const char *path, bool preview);
void tool_picture_free(tool_picture *picture);

#endif
