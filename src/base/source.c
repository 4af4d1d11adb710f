/* SPDX-License-Identifier: MIT */
/* Characters of a text, and the excerpts that messages show. */
#include "base/source.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

size_t nh_utf8(const char *text, size_t length, uint32_t *code)
{
    static const uint32_t smallest[5] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *byte = (const unsigned char *)text;
    if (length == 0)
        return 0;
    *code = byte[0];
    if (byte[0] < 0x80)
        return 1;
    size_t size = byte[0] >= 0xF0 ? 4 : byte[0] >= 0xE0 ? 3 : 2;
    if (byte[0] < 0xC2 || byte[0] > 0xF4 || size > length)
        return 0;
    uint32_t value = byte[0] & (0x7Fu >> size);
    for (size_t i = 1; i < size; i++) {
        if ((byte[i] & 0xC0) != 0x80)
            return 0;
        value = value << 6 | (byte[i] & 0x3Fu);
    }
    bool surrogate = value >= 0xD800 && value < 0xE000;
    if (value < smallest[size] || value > 0x10FFFF || surrogate)
        return 0;
    *code = value;
    return size;
}

static size_t line_begin(const nh_source *source, size_t offset)
{
    while (offset > 0 && source->text[offset - 1] != '\n')
        offset--;
    return offset;
}

int nh_source_column(const nh_source *source, size_t offset)
{
    int column = 1;
    for (size_t at = line_begin(source, offset); at < offset && column < INT_MAX; column++) {
        uint32_t code;
        size_t size = nh_utf8(source->text + at, source->length - at, &code);
        at += size ? size : 1;
    }
    return column;
}

/* Appends characters while there is room; what a terminal could not show becomes a blank or a question mark. Returns
 * how much of the text it took. */
static size_t add_shown(char *out, size_t *used, size_t room, const char *text, size_t length)
{
    enum { LARGEST = 4 };
    size_t at = 0;
    while (at < length && *used + LARGEST < room) {
        uint32_t code = 0;
        size_t size = nh_utf8(text + at, length - at, &code);
        if (size == 0) {
            out[(*used)++] = '?';
        } else if (code < 0x20 || (code >= 0x7F && code < 0xA0)) {
            out[(*used)++] = ' ';
        } else {
            memcpy(out + *used, text + at, size);
            *used += size;
        }
        at += size ? size : 1;
    }
    return at;
}

/* A line that does not fit is cut in front, so that the column stands where nh_error_format expects it (see there). */
enum { NH_CUT_COLUMN = 60 };

static const char cut_mark[] = "\xE2\x80\xA6"; /* … */

static size_t cut_in_front(const char *line, size_t length, int column, char *excerpt)
{
    uint32_t code;
    size_t at = 0;
    for (int skip = column - NH_CUT_COLUMN + 1; skip > 0 && at < length; skip--) {
        size_t size = nh_utf8(line + at, length - at, &code);
        at += size ? size : 1;
    }
    memcpy(excerpt, cut_mark, sizeof cut_mark);
    return at;
}

void nh_source_place(const nh_source *source, size_t offset, int line, int column, nh_error *error)
{
    if (!error)
        return;
    size_t begin = line_begin(source, offset), end = offset, used = 0, at = 0;
    while (end < source->length && source->text[end] != '\n')
        end++;
    while (end > begin && source->text[end - 1] == '\r')
        end--;
    const char *text = source->text + begin;
    size_t length = end - begin;
    error->line = line;
    error->column = column;
    snprintf(error->file, sizeof error->file, "%s", source->file);
    memset(error->excerpt, 0, sizeof error->excerpt);
    if (length >= sizeof error->excerpt && column > NH_CUT_COLUMN) {
        at = cut_in_front(text, length, column, error->excerpt);
        used = sizeof cut_mark - 1;
    }
    at += add_shown(error->excerpt, &used, sizeof error->excerpt - sizeof cut_mark, text + at, length - at);
    if (at < length)
        memcpy(error->excerpt + used, cut_mark, sizeof cut_mark);
    else
        error->excerpt[used] = '\0';
}

void nh_source_word(const char *text, size_t length, char *out, size_t size)
{
    size_t used = 0;
    add_shown(out, &used, size, text, length);
    out[used] = '\0';
}
