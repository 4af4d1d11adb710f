/* SPDX-License-Identifier: MIT */
/* A text with a name: characters, and places for messages. */
#ifndef NH_BASE_SOURCE_H
#define NH_BASE_SOURCE_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct nh_source {
    const char *file; /* for messages */
    const char *text;
    size_t length;
} nh_source;

/* Decodes the character at text[0]; returns its length in bytes, or 0 if it is not UTF-8. */
size_t nh_utf8(const char *text, size_t length, uint32_t *code);
/* The column of a place, in characters from 1. */
int nh_source_column(const nh_source *source, size_t offset);
/* Sets file, line, column and excerpt. `offset` is the place in bytes, `column` the same in characters of its line. */
void nh_source_place(const nh_source *source, size_t offset, int line, int column, nh_error *error);
/* A word for a message, cut if there is no room: what a terminal could not show becomes a blank or a question mark. */
void nh_source_word(const char *text, size_t length, char *out, size_t size);

#endif
