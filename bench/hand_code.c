/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "hand_code.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* "" where it cannot be told. */
static void own_folder(char *folder, size_t size)
{
    const ssize_t length = readlink("/proc/self/exe", folder, size - 1);
    folder[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(folder, '/');
    if (slash)
        *slash = '\0';
}

nh_native *hand_code_build(const char *file, const char *optimisation, nh_error *error)
{
    char folder[2048], source[4096];
    const nh_native_options options = {.optimisation = optimisation, .no_cache = true};
    nh_native *native = NULL;
    own_folder(folder, sizeof folder);
    const int length = snprintf(source, sizeof source, "#include \"%s/hand/%s\"\n", folder, file);
    return nh_native_build(source, (size_t)length, &options, &native, error) == NH_OK ? native : NULL;
}
