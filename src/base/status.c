/* SPDX-License-Identifier: MIT */
/* Status texts and error objects. */
#define _XOPEN_SOURCE 700 /* strerror_r */
#include "base/status.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

const char *nh_status_text(nh_status status)
{
    switch (status) {
#define STATUS_CASE(name, text)                                                                                        \
    case NH_##name:                                                                                                    \
        return text;
        NH_STATUS_LIST(STATUS_CASE)
#undef STATUS_CASE
    }
    return "unknown status";
}

void nh_error_set_list(nh_error *error, nh_status status, const char *format, va_list arguments)
{
    if (!error)
        return;
    /* Formatted aside first: the arguments may point into *error, as when a message is wrapped into another one. */
    char message[sizeof error->message];
    vsnprintf(message, sizeof message, format, arguments);
    *error = (nh_error){.status = status};
    memcpy(error->message, message, strlen(message) + 1);
}

void nh_error_set(nh_error *error, nh_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    nh_error_set_list(error, status, format, arguments);
    va_end(arguments);
}

/* "file:line:column: " with the parts that are known. */
static void format_place(const nh_error *error, char *place, size_t size)
{
    const char *colon = error->file[0] ? ":" : "";
    if (error->line > 0 && error->column > 0)
        snprintf(place, size, "%s%s%d:%d: ", error->file, colon, error->line, error->column);
    else if (error->line > 0)
        snprintf(place, size, "%s%s%d: ", error->file, colon, error->line);
    else
        snprintf(place, size, "%s%s", error->file, error->file[0] ? ": " : "");
}

/* The place of the caret in the excerpt, from 1. A long line may be cut in front: it then begins with "…", and its
 * column stands at CUT_COLUMN. */
static int caret_column(const nh_error *error)
{
    enum { CUT_COLUMN = 60 };
    bool cut = error->column > CUT_COLUMN && !strncmp(error->excerpt, "\xE2\x80\xA6", 3);
    return cut ? CUT_COLUMN : error->column;
}

/* Blanks as wide as the excerpt before the column: tabs stay tabs, the later bytes of a UTF-8 character take no room.
 */
static void format_caret(const nh_error *error, char *caret)
{
    int column = caret_column(error), at = 1;
    for (const char *byte = error->excerpt; at < column && *byte; byte++) {
        bool goes_on = (byte[1] & 0xC0) == 0x80;
        if (!goes_on) {
            *caret++ = *byte == '\t' ? '\t' : ' ';
            at++;
        }
    }
    *caret++ = '^';
    *caret = '\0';
}

int nh_error_format(const nh_error *error, char *buffer, unsigned long size)
{
    char place[sizeof error->file + 32];
    char caret[sizeof error->excerpt + 1];
    const char *message = error->message[0] ? error->message : nh_status_text(error->status);

    format_place(error, place, sizeof place);
    if (!error->excerpt[0])
        return snprintf(buffer, size, "%s%s", place, message);
    if (error->column <= 0)
        return snprintf(buffer, size, "%s%s\n%s", place, message, error->excerpt);
    format_caret(error, caret);
    return snprintf(buffer, size, "%s%s\n%s\n%s", place, message, error->excerpt, caret);
}

const char *nh_errno_text(int code, char buffer[128])
{
    if (strerror_r(code, buffer, 128) != 0)
        snprintf(buffer, 128, "error %d", code);
    return buffer;
}
