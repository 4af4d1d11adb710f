/* SPDX-License-Identifier: MIT */
/* Whole files. */
#ifndef NH_BASE_FILE_H
#define NH_BASE_FILE_H

#include "base/text.h"

/* All of a file, or somewhat more than its first `most` bytes where it is longer; returns an errno, ENOMEM also where
 * the stream has no memory. */
int nh_file_read(const char *path, size_t most, nh_text *out);

#endif
