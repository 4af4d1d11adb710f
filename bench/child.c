/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "child.h"

#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static void become(const char *const *words, int output)
{
    if (dup2(output, STDOUT_FILENO) >= 0 && freopen("/dev/null", "w", stderr))
        execvp(words[0], (char *const *)words);
    _exit(1);
}

/* Reads to the end, so that the program can go on; what is beyond the room is dropped. */
static void listen_to(int input, char *said, size_t room)
{
    char rest[4096];
    size_t length = 0;
    for (ssize_t got = 1; got > 0;) {
        const size_t left = room - 1 - length;
        got = left > 0 ? read(input, said + length, left) : read(input, rest, sizeof rest);
        if (got > 0 && left > 0)
            length += (size_t)got;
    }
    said[length] = '\0';
}

int child_run(const char *const *words, char *said, size_t room)
{
    int ends[2], status = 1;
    said[0] = '\0';
    if (pipe(ends) != 0)
        return 1;
    const pid_t child = fork();
    if (child == 0)
        become(words, ends[1]);
    close(ends[1]);
    if (child > 0)
        listen_to(ends[0], said, room);
    close(ends[0]);
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
