/* SPDX-License-Identifier: MIT */
/* A file that is there completely or not at all: it is written under another name beside its place. What is left of one
 * whose process was killed, the next one clears away. */
#ifndef NH_BASE_OUTPUT_H
#define NH_BASE_OUTPUT_H

#include "base/text.h"

#include <nonholo/status.h>

typedef struct nh_output {
    const char *path;
    nh_text temporary;
    int file; /* descriptor, to read and write */
} nh_output;

/* After success one of the other two must follow. */
nh_status nh_output_begin(const char *path, nh_output *out, nh_error *error);
nh_status nh_output_commit(nh_output *output, nh_error *error);
void nh_output_abandon(nh_output *output);

/* Writes all of it to a descriptor; returns an errno. */
int nh_output_bytes(int file, const char *bytes, size_t count);
/* The same, and how many of them were taken where not all were. */
int nh_output_part(int file, const char *bytes, size_t count, size_t *taken);

#endif
