/* SPDX-License-Identifier: MIT */
/* Growing strings and the distance between words. */
#include "base/text.h"

#include "base/status.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Makes room for `count` more bytes and the final NUL. */
static bool reserve(nh_text *text, size_t count)
{
    if (text->failed)
        return false;
    if (count < text->capacity - text->length)
        return true;
    char *data = NULL;
    size_t capacity = 0;
    if (count < SIZE_MAX / 4 && text->length < SIZE_MAX / 4) {
        capacity = 2 * (text->length + count) + 64;
        data = realloc(text->data, capacity);
    }
    if (!data) {
        text->failed = true;
        return false;
    }
    text->data = data;
    text->capacity = capacity;
    return true;
}

void nh_text_bytes(nh_text *text, const char *bytes, size_t count)
{
    if (!reserve(text, count))
        return;
    if (count)
        memcpy(text->data + text->length, bytes, count);
    text->length += count;
    text->data[text->length] = '\0';
}

void nh_text_add(nh_text *text, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int count = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (count < 0)
        text->failed = true;
    else if (reserve(text, (size_t)count)) {
        vsnprintf(text->data + text->length, (size_t)count + 1, format, again);
        text->length += (size_t)count;
    }
    va_end(again);
}

void nh_text_row(nh_text *text, const char *what, const char *value, const char *meaning, ...)
{
    char line[256];
    va_list arguments;
    va_start(arguments, meaning);
    vsnprintf(line, sizeof line, meaning, arguments);
    va_end(arguments);
    nh_text_add(text, "  %-17s %-13s %s\n", what, value, line); /* apart, also where one is too long for its column */
}

void nh_text_free(nh_text *text)
{
    free(text->data);
    *text = (nh_text){0};
}

void nh_text_drop(nh_text *text, nh_text *into)
{
    into->failed |= text->failed;
    nh_text_free(text);
}

const char *nh_text_get(const nh_text *text)
{
    return text->data ? text->data : "";
}

enum { LONGEST_WORD = 127 };

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Entry (i, j) of the distance table from the entries above and left of it; rows[k] is row i - k. */
static size_t table_entry(const char *a, const char *b, size_t i, size_t j, size_t *const rows[3])
{
    size_t best = rows[1][j - 1] + (a[i - 1] != b[j - 1]);
    best = smaller(best, rows[1][j] + 1);
    best = smaller(best, rows[0][j - 1] + 1);
    if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        best = smaller(best, rows[2][j - 2] + 1);
    return best;
}

size_t nh_text_distance(const char *a, const char *b, size_t limit)
{
    size_t length_a = strlen(a), length_b = strlen(b);
    size_t difference = length_a > length_b ? length_a - length_b : length_b - length_a;
    if (difference > limit || length_a > LONGEST_WORD || length_b > LONGEST_WORD)
        return strcmp(a, b) ? limit + 1 : 0;

    size_t table[3][LONGEST_WORD + 1] = {{0}};
    size_t *rows[3] = {table[0], table[1], table[2]};
    for (size_t j = 0; j <= length_b; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= length_a; i++) {
        size_t *oldest = rows[2];
        rows[2] = rows[1];
        rows[1] = rows[0];
        rows[0] = oldest;
        rows[0][0] = i;
        for (size_t j = 1; j <= length_b; j++)
            rows[0][j] = table_entry(a, b, i, j, rows);
    }
    return smaller(rows[0][length_b], limit + 1);
}

nh_status nh_text_hand_over(nh_text *text, nh_status status, char **out, nh_error *error)
{
    nh_text_bytes(text, "", 0); /* an empty text is one too */
    if (status == NH_OK && text->failed)
        status = nh_fail(error, NH_MEMORY, "out of memory");
    if (status == NH_OK)
        *out = text->data;
    else
        nh_text_free(text);
    return status;
}
