/* SPDX-License-Identifier: MIT */
#include "base/page.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { INDENT = 2, LABEL = 14 };

/* Characters, not bytes. */
static int width_of(const char *text, size_t length)
{
    int width = 0;
    for (size_t i = 0; i < length; i++)
        width += ((unsigned char)text[i] & 0xc0) != 0x80;
    return width;
}

/* Breaking a formula: before an operator, inside as few brackets as can be. */
static int cost(const char *text, size_t at, int depth, bool formula)
{
    char next = text[at + 1], last = at > 0 ? text[at - 1] : ' ';
    bool before = next && strchr("+-=", next) && text[at + 2] == ' ', behind = strchr("+-=", last) != NULL;
    if (!formula)
        return 0;
    return before && depth == 0 && next == '=' ? -1 : 2 * depth + !before + 20 * behind;
}

/* The length of the first line of a text that may be `width` wide: up to a blank, if there is one. */
static size_t first_line(const char *text, int width, bool formula)
{
    size_t end = strcspn(text, "\n"), best = 0;
    int column = 0, depth = 0, least = 0;
    if (width_of(text, end) <= width)
        return end;
    for (size_t at = 0; at < end && column <= width; at++) {
        int here = cost(text, at, depth, formula);
        depth += (text[at] == '(') - (text[at] == ')');
        if (text[at] == ' ' && column > 0 && (best == 0 || here <= least || 3 * column < width)) {
            best = at;
            least = here;
        }
        column += ((unsigned char)text[at] & 0xc0) != 0x80;
    }
    return best ? best : strcspn(text, " \n");
}

/* Writes the text in lines; `column` is where the first one begins, `indent` where the others do. */
static void wrap(nh_text *out, int column, int indent, const char *text, bool formula)
{
    do {
        size_t length = first_line(text, NH_PAGE_WIDTH - column, formula);
        nh_text_bytes(out, text, length);
        nh_text_add(out, "\n");
        text += length;
        text += *text == '\n';
        text += strspn(text, " ");
        column = indent;
        if (*text)
            nh_text_add(out, "%*s", indent, "");
    } while (*text);
}

void nh_page_section(nh_text *out, const char *title)
{
    nh_text_add(out, "\n%s\n", title);
}

static void labelled(nh_text *out, int column, const char *label, const char *text, bool formula)
{
    int width = width_of(label, strlen(label)), left = column - INDENT - width;
    nh_text_add(out, "%*s%s", INDENT, "", label);
    if (left > 0)
        nh_text_add(out, "%*s", left, "");
    else
        nh_text_add(out, "\n%*s", column, "");
    wrap(out, column, column, text, formula);
}

void nh_page_column(nh_text *out, int column, const char *label, const char *text)
{
    labelled(out, column, label, text, false);
}

void nh_page_line(nh_text *out, const char *label, const char *text)
{
    labelled(out, INDENT + LABEL, label, text, false);
}

void nh_page_formula(nh_text *out, const char *label, const char *text)
{
    labelled(out, INDENT + LABEL, label, text, true);
}

void nh_page_add(nh_text *out, const char *label, const char *format, ...)
{
    char line[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    nh_page_line(out, label, line);
}

void nh_page_wrap(nh_text *out, int indent, const char *text)
{
    nh_text_add(out, "%*s", indent, "");
    wrap(out, indent, indent, text, false);
}
