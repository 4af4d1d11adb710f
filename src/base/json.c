/* SPDX-License-Identifier: MIT */
#include "base/json.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- Strings ---- */

/* The length of the UTF-8 character at s, 0 if it is none. */
static size_t character(const unsigned char *s)
{
    size_t length = s[0] < 0x80 ? 1 : s[0] >= 0xc2 && s[0] < 0xe0 ? 2 : (s[0] & 0xf0) == 0xe0 ? 3 : 0;
    if (s[0] >= 0xf0 && s[0] < 0xf5)
        length = 4;
    for (size_t i = 1; i < length; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    return length;
}

static void write_character(nh_text *out, const char *s, size_t length)
{
    if (length == 0)
        nh_text_add(out, "\\ufffd");
    else if (*s == '"' || *s == '\\')
        nh_text_add(out, "\\%c", *s);
    else if (*s == '\n')
        nh_text_add(out, "\\n");
    else if ((unsigned char)*s < 0x20)
        nh_text_add(out, "\\u%04x", (unsigned)(unsigned char)*s);
    else
        nh_text_bytes(out, s, length);
}

static void write_string(nh_text *out, const char *s)
{
    nh_text_add(out, "\"");
    while (*s) {
        size_t length = character((const unsigned char *)s);
        write_character(out, s, length);
        s += length ? length : 1;
    }
    nh_text_add(out, "\"");
}

/* ---- Structure ---- */

static void new_line(nh_json *j)
{
    if (!j->row_depth)
        nh_text_add(j->out, "\n%*s", 2 * j->depth, "");
}

/* What comes before a value: comma, line, key. */
static void begin(nh_json *j, const char *key)
{
    if (j->depth > 0) {
        nh_text_add(j->out, "%s", !j->filled[j->depth - 1] ? "" : j->row_depth ? ", " : ",");
        j->filled[j->depth - 1] = true;
        new_line(j);
    }
    if (key) {
        write_string(j->out, key);
        nh_text_add(j->out, ": ");
    }
}

static void enter(nh_json *j, const char *key, const char *mark, char close)
{
    begin(j, key);
    nh_text_add(j->out, "%s", mark);
    if (j->depth == NH_JSON_DEPTH) {
        j->out->failed = true;
        return;
    }
    j->filled[j->depth] = false;
    j->close[j->depth++] = close;
}

void nh_json_object(nh_json *j, const char *key)
{
    enter(j, key, "{", '}');
}

void nh_json_array(nh_json *j, const char *key)
{
    enter(j, key, "[", ']');
}

void nh_json_row(nh_json *j, const char *key)
{
    enter(j, key, "[", ']');
    if (!j->row_depth)
        j->row_depth = j->depth;
}

void nh_json_end(nh_json *j)
{
    if (j->depth == 0) {
        j->out->failed = true;
        return;
    }
    j->depth--;
    if (j->filled[j->depth])
        new_line(j);
    if (j->row_depth == j->depth + 1)
        j->row_depth = 0;
    nh_text_add(j->out, "%c%s", j->close[j->depth], j->depth ? "" : "\n");
}

/* ---- Values ---- */

void nh_json_null(nh_json *j, const char *key)
{
    begin(j, key);
    nh_text_add(j->out, "null");
}

void nh_json_text(nh_json *j, const char *key, const char *value)
{
    if (!value) {
        nh_json_null(j, key);
        return;
    }
    begin(j, key);
    write_string(j->out, value);
}

void nh_json_number(nh_json *j, const char *key, double value)
{
    char digits[40];
    if (!isfinite(value)) {
        nh_json_null(j, key);
        return;
    }
    begin(j, key);
    nh_double_format(digits, sizeof digits, value);
    nh_text_add(j->out, "%s", digits);
}

void nh_json_integer(nh_json *j, const char *key, long long value)
{
    begin(j, key);
    nh_text_add(j->out, "%lld", value);
}

void nh_json_bool(nh_json *j, const char *key, bool value)
{
    begin(j, key);
    nh_text_add(j->out, value ? "true" : "false");
}

void nh_json_quad(nh_json *j, const char *key, nh_quad value)
{
    char digits[64];
    nh_quad_format(digits, sizeof digits, value);
    begin(j, key);
    write_string(j->out, digits);
}
