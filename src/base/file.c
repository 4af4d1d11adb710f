/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L /* fopen's flag e */
#include "base/file.h"

#include <errno.h>
#include <stdio.h>

int nh_file_read(const char *path, size_t most, nh_text *out)
{
    char block[1 << 14];
    FILE *file = fopen(path, "rbe");
    if (!file)
        return errno;
    errno = 0;
    for (size_t got; !out->failed && out->length <= most && (got = fread(block, 1, sizeof block, file)) > 0;)
        nh_text_bytes(out, block, got);
    /* Where there is no memory for its buffer, the stream is neither at its end nor wrong. */
    const bool unread = out->length <= most && !feof(file);
    const int code = out->failed ? ENOMEM : unread ? (errno ? errno : EIO) : 0;
    fclose(file);
    return code;
}
