/* SPDX-License-Identifier: MIT */
#include "export/ctoken.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Reading ---- */

static int length_of_comment(const char *text)
{
    const char *end = strstr(text + 2, "*/");
    return end ? (int)(end + 2 - text) : (int)strlen(text);
}

static int length_of_quoted(const char *text)
{
    int length = 1;
    while (text[length] && text[length] != text[0])
        length += text[length] == '\\' && text[length + 1] ? 2 : 1;
    return text[length] ? length + 1 : length;
}

static int length_of_word(const char *text)
{
    int length = 0;
    while (isalnum((unsigned char)text[length]) || text[length] == '_')
        length++;
    return length;
}

/* A number goes on over the sign of an exponent. */
static int length_of_number(const char *text)
{
    const char *exponents = text[1] == 'x' ? "pP" : "eE";
    int length = 0;
    while (isalnum((unsigned char)text[length]) || text[length] == '.' ||
           (length > 0 && strchr("+-", text[length]) && text[length] && strchr(exponents, text[length - 1])))
        length++;
    return length;
}

static int length_of_mark(const char *text)
{
    static const char *const long_marks[] = {
        "->", "==", "!=", "<=", ">=", "&&", "||", "+=", "-=", "*=", "/=", "|=", "++", "--", "##", "<<", ">>"};
    for (size_t i = 0; i < sizeof long_marks / sizeof long_marks[0]; i++)
        if (!strncmp(text, long_marks[i], 2))
            return 2;
    return 1;
}

static int length_of_blank(const char *text)
{
    int length = 0;
    for (;;) {
        if (text[length] == ' ' || text[length] == '\t')
            length++;
        else if (text[length] == '\\' && text[length + 1] == '\n')
            length += 2;
        else
            return length;
    }
}

static nh_ctoken token_at(const char *text)
{
    const int blank = length_of_blank(text);
    if (blank > 0)
        return (nh_ctoken){NH_CTOKEN_BLANK, text, blank, false};
    if (*text == '\n')
        return (nh_ctoken){NH_CTOKEN_NEWLINE, text, 1, false};
    if (!strncmp(text, "/*", 2))
        return (nh_ctoken){NH_CTOKEN_COMMENT, text, length_of_comment(text), false};
    if (isdigit((unsigned char)*text))
        return (nh_ctoken){NH_CTOKEN_NUMBER, text, length_of_number(text), false};
    if (isalpha((unsigned char)*text) || *text == '_')
        return (nh_ctoken){NH_CTOKEN_NAME, text, length_of_word(text), false};
    if (*text == '"' || *text == '\'')
        return (nh_ctoken){NH_CTOKEN_QUOTED, text, length_of_quoted(text), false};
    return (nh_ctoken){NH_CTOKEN_MARK, text, length_of_mark(text), false};
}

void nh_ctokens_read(nh_ctokens *t, const char *text)
{
    while (*text && !t->failed) {
        if (!nh_grow(&t->item, &t->capacity, (size_t)t->count, sizeof *t->item)) {
            t->failed = true;
            return;
        }
        t->item[t->count] = token_at(text);
        text += t->item[t->count++].length;
    }
}

void nh_ctokens_free(nh_ctokens *t)
{
    free(t->item);
    nh_arena_free(&t->arena);
    *t = (nh_ctokens){0};
}

/* ---- Looking ---- */

bool nh_ctoken_is(const nh_ctoken *token, const char *text)
{
    return (int)strlen(text) == token->length && !memcmp(token->text, text, (size_t)token->length);
}

bool nh_ctoken_same(const nh_ctoken *a, const nh_ctoken *b)
{
    return a->length == b->length && !memcmp(a->text, b->text, (size_t)a->length);
}

static bool says_something(const nh_ctoken *token)
{
    return !token->dropped && token->kind > NH_CTOKEN_COMMENT;
}

int nh_ctokens_next(const nh_ctokens *t, int at, int end)
{
    while (at < end && !says_something(&t->item[at]))
        at++;
    return at;
}

int nh_ctokens_before(const nh_ctokens *t, int at)
{
    at--;
    while (at >= 0 && !says_something(&t->item[at]))
        at--;
    return at;
}

int nh_ctokens_close(const nh_ctokens *t, int at, int end)
{
    int depth = 0;
    for (; at < end; at++) {
        const nh_ctoken *token = &t->item[at];
        if (token->dropped || token->kind != NH_CTOKEN_MARK)
            continue;
        depth += strchr("([{", token->text[0]) ? 1 : strchr(")]}", token->text[0]) ? -1 : 0;
        if (depth == 0)
            return at + 1;
    }
    return end;
}

int nh_ctokens_line_end(const nh_ctokens *t, int at, int end)
{
    while (at < end && t->item[at].kind != NH_CTOKEN_NEWLINE)
        at++;
    return at < end ? at + 1 : end;
}

bool nh_ctokens_is_directive(const nh_ctokens *t, int at)
{
    if (!nh_ctoken_is(&t->item[at], "#"))
        return false;
    for (at--; at >= 0 && t->item[at].kind == NH_CTOKEN_BLANK; at--)
        ;
    return at < 0 || t->item[at].kind == NH_CTOKEN_NEWLINE;
}

/* ---- Changing ---- */

void nh_ctoken_set(nh_ctokens *t, int at, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    char *copy = length < (int)sizeof text ? nh_arena_text(&t->arena, text, (size_t)length) : NULL;
    t->failed |= !copy;
    if (copy) {
        t->item[at].text = copy;
        t->item[at].length = length;
    }
}

void nh_ctokens_drop(nh_ctokens *t, int from, int to)
{
    for (int i = from; i < to; i++)
        t->item[i].dropped = true;
}

/* ---- Writing ---- */

void nh_ctokens_write(const nh_ctokens *t, int from, int to, nh_text *out)
{
    for (int i = from; i < to; i++) {
        const nh_ctoken *token = &t->item[i];
        if (token->dropped)
            continue;
        if (token->kind == NH_CTOKEN_NEWLINE) {
            while (out->length > 0 && out->data[out->length - 1] == ' ')
                out->data[--out->length] = '\0';
            if (out->length > 1 && out->data[out->length - 1] == '\n' && out->data[out->length - 2] == '\n')
                continue;
        }
        nh_text_bytes(out, token->text, (size_t)token->length);
    }
}
