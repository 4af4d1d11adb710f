/* SPDX-License-Identifier: MIT */
/* Reading specs, by descent: a level of the text is a level of the stack, and their number is limited. */
#include "method/spec.h"

#include "base/fraction.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct reader {
    const nh_source *source; /* valid UTF-8 in one line */
    nh_arena *arena;
    nh_error *error;
    nh_status status;
    size_t at;
    int depth;
} reader;

/* ---- Messages ---- */

static int column_of(const nh_source *source, size_t offset)
{
    int column = 1;
    for (size_t i = 0; i < offset; i++)
        column += ((unsigned char)source->text[i] & 0xC0) != 0x80;
    return column;
}

static bool fail(reader *r, size_t offset, nh_status status, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static bool fail(reader *r, size_t offset, nh_status status, const char *format, ...)
{
    char message[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    r->status = nh_fail(r->error, status, "%s", message);
    nh_source_place(r->source, offset, 1, column_of(r->source, offset), r->error);
    return false;
}

static bool out_of_memory(reader *r)
{
    r->status = nh_fail(r->error, NH_MEMORY, "out of memory while reading a method");
    return false;
}

nh_status nh_spec_fail(const nh_spec *spec, int column, nh_error *error, nh_status status, const char *format, ...)
{
    char message[480];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    nh_error_set(error, status, "%s", message);
    nh_source_place(spec->source, 0, 1, column, error);
    return status;
}

/* ---- Characters ---- */

static char next(const reader *r)
{
    return r->source->text[r->at]; /* NUL at the end */
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static size_t name_length(const char *text)
{
    size_t length = 0;
    while (is_letter(text[length]) || is_digit(text[length]) || text[length] == '-')
        length++;
    return length;
}

static void skip_blanks(reader *r)
{
    while (is_blank(next(r)))
        r->at++;
}

static bool accept(reader *r, char c)
{
    bool found = next(r) == c;
    r->at += found;
    skip_blanks(r);
    return found;
}

static bool unexpected(reader *r, const char *expected, const char *hint)
{
    const char *text = r->source->text + r->at;
    uint32_t code;
    if (!*text)
        return fail(r, r->at, NH_SYNTAX, "expected %s, but the text ends here", expected);
    size_t length = name_length(text);
    if (length == 0)
        length = nh_utf8(text, r->source->length - r->at, &code);
    return fail(r, r->at, NH_SYNTAX, "expected %s, found '%.*s'%s", expected, (int)(length < 40 ? length : 40), text,
                hint);
}

/* Everything that follows may rely on this: characters are whole, and the text is one line. */
static bool check_characters(reader *r)
{
    const nh_source *s = r->source;
    uint32_t code;
    for (size_t at = 0, size; at < s->length; at += size) {
        size = nh_utf8(s->text + at, s->length - at, &code);
        if (size == 0)
            return fail(r, at, NH_SYNTAX, "the byte 0x%02x is not UTF-8 text", (unsigned)(unsigned char)s->text[at]);
        if ((code < 0x20 && code != '\t') || code == 0x7F)
            return fail(r, at, NH_SYNTAX, "the control character 0x%02x is not allowed in a method", (unsigned)code);
    }
    return true;
}

/* ---- Values ---- */

static bool read_number(reader *r, nh_spec_item *item, size_t start)
{
    nh_fraction fraction;
    int64_t integer;
    item->is_number = nh_fraction_parse(item->text, strlen(item->text), &fraction);
    if (!item->is_number)
        return true;
    if (nh_number_is(fraction.bottom, 0))
        return fail(r, start, NH_VALUE, "division by zero");
    item->number = nh_fraction_quad(&fraction);
    if (!(item->number - item->number == 0))
        return fail(r, start, NH_VALUE, "the number is too large to be represented");
    item->is_integer = nh_fraction_is_integer(&fraction, &integer);
    return true;
}

static bool read_quoted(reader *r, nh_spec_item *item)
{
    const char *text = r->source->text + r->at + 1, *end = strchr(text, '"');
    if (!end)
        return fail(r, r->at, NH_SYNTAX, "the quotation mark is never closed");
    item->text = nh_arena_text(r->arena, text, (size_t)(end - text));
    r->at = (size_t)(end + 1 - r->source->text);
    return item->text || out_of_memory(r);
}

static bool read_plain(reader *r, nh_spec_item *item)
{
    const char *text = r->source->text + r->at;
    size_t length = strcspn(text, ",)(\""), start = r->at;
    if (text[length] == '(' || text[length] == '"')
        return fail(r, start + length, NH_SYNTAX,
                    "a value with brackets or quotation marks inside is written in quotation marks");
    r->at += length;
    while (length > 0 && is_blank(text[length - 1]))
        length--;
    if (length == 0)
        return unexpected(r, "a value", "");
    item->text = nh_arena_text(r->arena, text, length);
    return item->text ? read_number(r, item, start) : out_of_memory(r);
}

static bool read_value(reader *r, nh_spec_item *item)
{
    item->value_column = column_of(r->source, r->at);
    bool good = next(r) == '"' ? read_quoted(r, item) : read_plain(r, item);
    skip_blanks(r);
    return good;
}

/* ---- Items ---- */

/* NULL after a failure. */
static const char *read_name(reader *r, const char *expected, const char *hint)
{
    if (!is_letter(next(r))) {
        unexpected(r, expected, hint);
        return NULL;
    }
    size_t length = name_length(r->source->text + r->at);
    const char *name = nh_arena_text(r->arena, r->source->text + r->at, length);
    r->at += length;
    skip_blanks(r);
    if (!name)
        out_of_memory(r);
    return name;
}

/* A zeroed item at the end of the list, which doubles when it is full. */
static nh_spec_item *add_item(reader *r, nh_spec *spec)
{
    int count = spec->items;
    if ((count & (count - 1)) == 0) {
        nh_spec_item *item = NH_NEW(r->arena, nh_spec_item, count ? 2 * count : 1);
        if (!item) {
            out_of_memory(r);
            return NULL;
        }
        if (count)
            memcpy(item, spec->item, (size_t)count * sizeof *item);
        spec->item = item;
    }
    return &spec->item[spec->items++];
}

static bool read_items(reader *r, nh_spec *spec);

/* What follows a name: the brackets of a method, if there are any. */
static nh_spec *read_method(reader *r, const char *name, int column)
{
    nh_spec *spec = NH_NEW(r->arena, nh_spec, 1);
    if (!spec) {
        out_of_memory(r);
        return NULL;
    }
    *spec = (nh_spec){.source = r->source, .name = name, .column = column};
    return next(r) != '(' || read_items(r, spec) ? spec : NULL;
}

static bool read_item(reader *r, nh_spec *spec)
{
    nh_spec_item *item = add_item(r, spec);
    const char *hint = is_digit(next(r)) ? "; an option is written name=value" : "";
    if (!item)
        return false;
    item->column = column_of(r->source, r->at);
    const char *name = read_name(r, "an option or a method", hint);
    if (!name)
        return false;
    if (accept(r, '=')) {
        item->key = name;
        return read_value(r, item);
    }
    item->method = read_method(r, name, item->column);
    return item->method != NULL;
}

static bool read_items(reader *r, nh_spec *spec)
{
    size_t open = r->at;
    if (r->depth == NH_SPEC_DEPTH)
        return fail(r, open, NH_LIMIT, "methods may be nested %d deep", NH_SPEC_DEPTH);
    r->depth++;
    accept(r, '(');
    do {
        if (!read_item(r, spec))
            return false;
    } while (accept(r, ','));
    r->depth--;
    if (!next(r))
        return fail(r, open, NH_SYNTAX, "'(' is never closed");
    return accept(r, ')') || unexpected(r, "',' or ')'", "");
}

static nh_spec *read_all(reader *r)
{
    if (!check_characters(r))
        return NULL;
    skip_blanks(r);
    int column = column_of(r->source, r->at);
    const char *name = read_name(r, "the name of a method", "");
    nh_spec *spec = name ? read_method(r, name, column) : NULL;
    if (spec && next(r)) {
        unexpected(r, spec->items ? "the end" : "'(' or the end", "");
        return NULL;
    }
    return spec;
}

nh_status nh_spec_parse(const char *text, nh_arena *arena, nh_spec **out, nh_error *error)
{
    *out = NULL;
    size_t length = strlen(text);
    if (length > NH_SPEC_LENGTH)
        return nh_fail(error, NH_LIMIT, "the method is too long: at most %d bytes are read", NH_SPEC_LENGTH);
    nh_source *source = NH_NEW(arena, nh_source, 1);
    const char *copy = nh_arena_text(arena, text, length);
    if (!source || !copy)
        return nh_fail(error, NH_MEMORY, "out of memory while reading a method");
    *source = (nh_source){.file = "--method", .text = copy, .length = length};
    reader r = {.source = source, .arena = arena, .error = error};
    *out = read_all(&r);
    return r.status;
}

/* ---- Writing ---- */

/* Would the text be read as something else without quotation marks? */
static bool needs_quotes(const nh_spec_item *item)
{
    nh_fraction fraction;
    size_t length = strlen(item->text);
    return length == 0 || is_blank(item->text[0]) || is_blank(item->text[length - 1]) || strpbrk(item->text, ",()") ||
           (!item->is_number && nh_fraction_parse(item->text, length, &fraction));
}

void nh_spec_write(const nh_spec *spec, nh_text *out)
{
    nh_text_add(out, "%s", spec->name);
    for (int i = 0; i < spec->items; i++) {
        const nh_spec_item *item = &spec->item[i];
        const char *quote = item->key && needs_quotes(item) ? "\"" : "";
        nh_text_add(out, "%s", i ? ", " : "(");
        if (item->method)
            nh_spec_write(item->method, out);
        else
            nh_text_add(out, "%s=%s%s%s", item->key, quote, item->text, quote);
    }
    if (spec->items)
        nh_text_add(out, ")");
}
