/* SPDX-License-Identifier: MIT */
/* What fuzz targets share. */
#ifndef NH_TESTS_FUZZ_H
#define NH_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The input as a text that ends with a zero byte; the caller frees it. NULL: no memory. */
static inline char *fuzz_text(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    if (text && size)
        memcpy(text, data, size);
    if (text)
        text[size] = '\0';
    return text;
}

#endif
