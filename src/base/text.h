/* SPDX-License-Identifier: MIT */
/* A growing string. Failure to grow is sticky and checked once, at the end. */
#ifndef NH_BASE_TEXT_H
#define NH_BASE_TEXT_H

#include <nonholo/status.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct nh_text {
    char *data; /* NUL-terminated once anything was added; NULL before */
    size_t length, capacity;
    bool failed;
} nh_text; /* all zero is the empty text */

void nh_text_add(nh_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A row of a table for people: "  what  value  meaning". */
void nh_text_row(nh_text *text, const char *what, const char *value, const char *meaning, ...)
    __attribute__((format(printf, 4, 5)));
void nh_text_bytes(nh_text *text, const char *bytes, size_t count);
void nh_text_free(nh_text *text);
/* The same for a text that was made for another one, which inherits its failure. */
void nh_text_drop(nh_text *text, nh_text *into);
/* Hands a finished text to the caller, or frees it where something failed. */
nh_status nh_text_hand_over(nh_text *text, nh_status status, char **out, nh_error *error);
/* The text so far, never NULL. */
const char *nh_text_get(const nh_text *text);

/* Edit distance of two words, an exchange of neighbours counting as one edit, for "did you mean"; limit + 1 where it is
 * larger than `limit` or different words have more than 127 characters. */
size_t nh_text_distance(const char *a, const char *b, size_t limit);
/* Keeps the nearer of *best and `candidate`; *distance starts at 0 with *best NULL. */
void nh_nearer(const char *word, const char *candidate, const char **best, size_t *distance);

#endif
