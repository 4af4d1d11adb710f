/* SPDX-License-Identifier: MIT */
#include "golden.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 1 << 20 };

char *golden_text(const char *name)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/golden/%s", NH_TEST_DIR, name);
    FILE *file = fopen(path, "rb");
    char *text = calloc(1, MOST_BYTES);
    if (!file || !text || fread(text, 1, MOST_BYTES - 1, file) == 0) {
        free(text);
        text = NULL;
    }
    if (file)
        fclose(file);
    return text;
}

const char *golden_numbers(const char *at, const char *key, nh_quad *x, int count)
{
    char quoted[32], *end;
    snprintf(quoted, sizeof quoted, "\"%s\":", key);
    at = strstr(at, quoted);
    if (at)
        at += strlen(quoted);
    for (int i = 0; at && i < count; i++) {
        at = strchr(at, '"');
        if (!at)
            return NULL;
        x[i] = nh_quad_parse(at + 1, &end);
        at = *end == '"' ? end + 1 : NULL;
    }
    return at;
}
