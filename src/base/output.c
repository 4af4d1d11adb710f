/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700
#include "base/output.h"

#include "base/status.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TRIES = 100 };

/* Is this what nh_output_begin puts behind a path, and is the process gone? On another machine it would seem to be, but
 * two that write one file at a time lose either way. */
static bool is_left_over(const char *ending)
{
    long process = 0;
    int number, length = 0;
    if (sscanf(ending, ".%9ld-%2d.tmp%n", &process, &number, &length) != 2 || length == 0 || ending[length])
        return false;
    return process > 0 && kill((pid_t)process, 0) != 0 && errno == ESRCH;
}

/* What processes have left beside the path that were killed while they wrote it. */
static void clear_left_overs(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const size_t length = strlen(name);
    nh_text place = {0};
    nh_text_bytes(&place, slash ? path : ".", slash ? (size_t)(name - path) : 1);
    DIR *directory = opendir(nh_text_get(&place));
    for (const struct dirent *entry; directory && (entry = readdir(directory)) != NULL;)
        if (strncmp(entry->d_name, name, length) == 0 && is_left_over(entry->d_name + length))
            unlinkat(dirfd(directory), entry->d_name, 0);
    if (directory)
        closedir(directory);
    nh_text_free(&place);
}

/* Not mkstemp: its files are for their owner alone, and the picture should follow the user's umask. */
nh_status nh_output_begin(const char *path, nh_output *out, nh_error *error)
{
    char text[128];
    struct stat place;
    *out = (nh_output){.path = path, .file = -1};
    /* The new file would take its place: a device or a pipe would be gone. */
    if (stat(path, &place) == 0 && !S_ISREG(place.st_mode))
        return nh_fail(error, NH_FILE, "cannot write %.200s: it is there, and is not a regular file", path);
    clear_left_overs(path);
    for (int i = 0; i < TRIES && out->file < 0; i++) {
        out->temporary.length = 0;
        nh_text_add(&out->temporary, "%s.%ld-%d.tmp", path, (long)getpid(), i);
        if (out->temporary.failed)
            break;
        out->file = open(nh_text_get(&out->temporary), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (out->file < 0 && errno != EEXIST)
            break;
    }
    if (out->file >= 0)
        return NH_OK;
    nh_status status = out->temporary.failed
                           ? nh_fail(error, NH_MEMORY, "out of memory")
                           : nh_fail(error, NH_FILE, "cannot write %.200s: %s", path, nh_errno_text(errno, text));
    nh_text_free(&out->temporary);
    return status;
}

nh_status nh_output_commit(nh_output *output, nh_error *error)
{
    char text[128];
    int code = close(output->file) == 0 ? 0 : errno;
    output->file = -1;
    if (code == 0 && rename(nh_text_get(&output->temporary), output->path) != 0)
        code = errno;
    if (code != 0) {
        nh_output_abandon(output);
        return nh_fail(error, NH_FILE, "cannot write %.200s: %s", output->path, nh_errno_text(code, text));
    }
    nh_text_free(&output->temporary);
    return NH_OK;
}

void nh_output_abandon(nh_output *output)
{
    if (output->file >= 0)
        close(output->file);
    unlink(nh_text_get(&output->temporary));
    nh_text_free(&output->temporary);
    output->file = -1;
}

int nh_output_part(int file, const char *bytes, size_t count, size_t *taken)
{
    for (*taken = 0; *taken < count;) {
        const ssize_t written = write(file, bytes + *taken, count - *taken);
        if (written < 0 && errno != EINTR)
            return errno;
        *taken += written > 0 ? (size_t)written : 0;
    }
    return 0;
}

int nh_output_bytes(int file, const char *bytes, size_t count)
{
    size_t taken;
    return nh_output_part(file, bytes, count, &taken);
}
