/* SPDX-License-Identifier: MIT */
/* Reading tables of numbers. */
#define _XOPEN_SOURCE 700
#include "base/arena.h"
#include "base/file.h"
#include "base/quad.h"
#include "base/source.h"
#include "base/text.h"
#include "io/table.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct nh_table {
    nh_arena arena;
    int columns;
    size_t rows;
    const char **names;
    nh_quad *quads; /* one column after the other; NULL without rows */
    double *values; /* the same, rounded */
};

typedef struct reader {
    const char *file, *text;
    size_t length, at;
    int line;
    nh_text cell; /* the last one read, without its quotes */
    bool quoted;
    nh_quad *numbers; /* row by row */
    size_t count, capacity;
    nh_error *error;
} reader;

/* Adds the place to a message that is already set. */
static nh_status at_place(const reader *r, size_t offset, nh_status status)
{
    const nh_source source = {r->file, r->text, r->length};
    nh_source_place(&source, offset, r->line, nh_source_column(&source, offset), r->error);
    return status;
}

#define FAIL_AT(r, offset, status, ...) at_place((r), (offset), nh_fail((r)->error, (status), __VA_ARGS__))

/* ---- Cells ---- */

static bool at_end(const reader *r)
{
    return r->at >= r->length;
}

static char peek(const reader *r)
{
    return at_end(r) ? '\n' : r->text[r->at];
}

static bool at_line_end(const reader *r)
{
    return peek(r) == '\n' || (peek(r) == '\r' && (r->at + 1 >= r->length || r->text[r->at + 1] == '\n'));
}

static void next_line(reader *r)
{
    r->at += peek(r) == '\r';
    r->at += !at_end(r);
    r->line += r->line < INT_MAX;
}

static void skip_blanks(reader *r)
{
    while (!at_end(r) && (peek(r) == ' ' || peek(r) == '\t'))
        r->at++;
}

static nh_status read_quoted(reader *r)
{
    size_t start = r->at++;
    for (; !at_end(r) && peek(r) != '\n'; r->at++) {
        if (peek(r) == '"') {
            r->at++;
            if (at_end(r) || peek(r) != '"')
                return NH_OK;
        }
        nh_text_bytes(&r->cell, r->text + r->at, 1);
    }
    return FAIL_AT(r, start, NH_SYNTAX, "the quote is not closed on this line");
}

static void read_plain(reader *r)
{
    size_t start = r->at;
    while (!at_end(r) && peek(r) != ',' && !at_line_end(r))
        r->at++;
    size_t end = r->at;
    while (end > start && (r->text[end - 1] == ' ' || r->text[end - 1] == '\t'))
        end--;
    nh_text_bytes(&r->cell, r->text + start, end - start);
}

/* Reads a cell and stops at the comma or the line end behind it; *start is where it begins. */
static nh_status read_cell(reader *r, size_t *start)
{
    nh_status status = NH_OK;
    r->cell.length = 0;
    skip_blanks(r);
    *start = r->at;
    r->quoted = peek(r) == '"';
    if (r->quoted)
        status = read_quoted(r);
    else
        read_plain(r);
    skip_blanks(r);
    if (r->cell.failed)
        return nh_fail(r->error, NH_MEMORY, "out of memory");
    if (status == NH_OK && memchr(nh_text_get(&r->cell), '\0', r->cell.length))
        return FAIL_AT(r, *start, NH_SYNTAX, "the text has a zero byte");
    if (status == NH_OK && peek(r) != ',' && !at_line_end(r))
        return FAIL_AT(r, r->at, NH_SYNTAX, "a comma or the end of the line must follow the quote");
    return status;
}

/* nh_quad_parse would also take hexadecimal numbers and nan(...). */
static bool parse_number(const reader *r, nh_quad *out)
{
    const char *text = nh_text_get(&r->cell);
    char *end;
    *out = NAN;
    if (r->cell.length == 0)
        return true;
    *out = nh_quad_parse(text, &end);
    return *end == '\0' && !strpbrk(text, "xX(");
}

/* ---- Lines ---- */

/* Skips empty lines and comments; false at the end of the text. */
static bool find_line(reader *r)
{
    while (!at_end(r)) {
        size_t begin = r->at;
        skip_blanks(r);
        if (peek(r) != '#' && !at_line_end(r)) {
            r->at = begin;
            return true;
        }
        while (!at_end(r) && peek(r) != '\n')
            r->at++;
        next_line(r);
    }
    return false;
}

static nh_status read_name(reader *r, char **out, size_t *start)
{
    nh_status status = read_cell(r, start);
    if (status != NH_OK)
        return status;
    if (r->cell.length > NH_TABLE_NAME_MAX)
        return FAIL_AT(r, *start, NH_LIMIT, "the name of a column has more than %d bytes", NH_TABLE_NAME_MAX);
    *out = strdup(nh_text_get(&r->cell));
    return *out ? NH_OK : nh_fail(r->error, NH_MEMORY, "out of memory");
}

static void release_names(char **names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(names[i]);
    free(names);
}

static nh_status keep_names(reader *r, nh_table *table, char *const *names, size_t count)
{
    table->columns = (int)count;
    table->names = NH_NEW(&table->arena, const char *, count);
    for (size_t i = 0; table->names && i < count; i++)
        table->names[i] = nh_arena_text(&table->arena, names[i], strlen(names[i]));
    return table->arena.failed ? nh_fail(r->error, NH_MEMORY, "out of memory") : NH_OK;
}

static nh_status read_names(reader *r, nh_table *table)
{
    char **names = NULL;
    size_t count = 0, capacity = 0, start = 0, first = r->at;
    bool numbers = true, more = true;
    nh_status status = NH_OK;
    while (status == NH_OK && more) {
        nh_quad value;
        if (count == NH_TABLE_COLUMNS_MAX)
            status = FAIL_AT(r, r->at, NH_LIMIT, "more than %d columns", NH_TABLE_COLUMNS_MAX);
        else if (!nh_grow(&names, &capacity, count, sizeof *names))
            status = nh_fail(r->error, NH_MEMORY, "out of memory");
        else
            status = read_name(r, &names[count], &start);
        if (status != NH_OK)
            break;
        count++;
        numbers = numbers && !r->quoted && parse_number(r, &value);
        more = peek(r) == ',';
        r->at += more;
    }
    if (status == NH_OK && numbers)
        status =
            FAIL_AT(r, first, NH_SYNTAX, "the first line must hold the names of the columns, and these are numbers");
    if (status == NH_OK)
        status = keep_names(r, table, names, count);
    release_names(names, count);
    next_line(r);
    return status;
}

static nh_status keep_number(reader *r, nh_quad value)
{
    if (r->count == NH_TABLE_CELLS_MAX)
        return FAIL_AT(r, r->at, NH_LIMIT, "the table has more than %d numbers", NH_TABLE_CELLS_MAX);
    if (!nh_grow(&r->numbers, &r->capacity, r->count, sizeof value))
        return nh_fail(r->error, NH_MEMORY, "no memory for more than %zu numbers", r->count);
    r->numbers[r->count++] = value;
    return NH_OK;
}

static nh_status read_number(reader *r, const nh_table *table, int column)
{
    size_t start;
    nh_quad value;
    nh_status status = read_cell(r, &start);
    if (status != NH_OK)
        return status;
    if (!parse_number(r, &value)) {
        char word[40], name[104];
        nh_source_word(nh_text_get(&r->cell), r->cell.length, word, sizeof word);
        nh_source_word(table->names[column], strlen(table->names[column]), name, sizeof name);
        return FAIL_AT(r, start, NH_SYNTAX, "'%s' in column %s is no number", word, name);
    }
    bool last = column + 1 == table->columns;
    if (!last && peek(r) != ',')
        return FAIL_AT(r, r->at, NH_SYNTAX, "the line ends after %d of %d numbers%s", column + 1, table->columns,
                       at_end(r) ? "; the file seems to be cut off" : "");
    if (last && peek(r) == ',')
        return FAIL_AT(r, r->at, NH_SYNTAX, "more than the %d numbers that the line of names asks for", table->columns);
    r->at += !last;
    return keep_number(r, value);
}

/* From rows to columns. */
static nh_status turn(const reader *r, nh_table *table)
{
    if (table->rows == 0)
        return NH_OK;
    size_t columns = (size_t)table->columns;
    table->quads = malloc(r->count * sizeof *table->quads);
    table->values = malloc(r->count * sizeof *table->values);
    if (!table->quads || !table->values)
        return nh_fail(r->error, NH_MEMORY, "no memory for %zu numbers", r->count);
    for (size_t i = 0; i < r->count; i++) {
        const size_t place = i % columns * table->rows + i / columns;
        table->quads[place] = r->numbers[i];
        table->values[place] = (double)r->numbers[i];
    }
    return NH_OK;
}

static nh_status read_table(reader *r, nh_table *table)
{
    if (r->length >= 3 && !memcmp(r->text, "\xEF\xBB\xBF", 3)) { /* byte order mark */
        r->text += 3;
        r->length -= 3;
    }
    if (!find_line(r))
        return FAIL_AT(r, r->at, NH_SYNTAX, "the table is empty: a line with the names of the columns is missing");
    nh_status status = read_names(r, table);
    while (status == NH_OK && find_line(r)) {
        for (int i = 0; i < table->columns && status == NH_OK; i++)
            status = read_number(r, table, i);
        table->rows += status == NH_OK;
        next_line(r);
    }
    return status == NH_OK ? turn(r, table) : status;
}

/* ---- Tables ---- */

nh_status nh_table_parse(const char *text, unsigned long length, const char *file, nh_table **out, nh_error *error)
{
    reader r = {.file = file, .text = text, .length = length, .line = 1, .error = error};
    nh_table *table = calloc(1, sizeof *table);
    *out = NULL;
    if (!table)
        return nh_fail(error, NH_MEMORY, "out of memory");
    nh_status status = read_table(&r, table);
    nh_text_free(&r.cell);
    free(r.numbers);
    if (status == NH_OK)
        *out = table;
    else
        nh_table_free(table);
    return status;
}

nh_status nh_table_read(const char *path, nh_table **out, nh_error *error)
{
    nh_text text = {0};
    char reason[128];
    *out = NULL;
    const int code = nh_file_read(path, NH_TABLE_BYTES_MAX, &text);
    nh_status status;
    if (code == ENOMEM)
        status = nh_fail(error, NH_MEMORY, "out of memory");
    else if (code != 0)
        status = nh_fail(error, NH_FILE, "cannot read %.200s: %s", path, nh_errno_text(code, reason));
    else if (text.length > NH_TABLE_BYTES_MAX)
        status = nh_fail(error, NH_LIMIT, "%.200s is too long: at most %d bytes are read", path, NH_TABLE_BYTES_MAX);
    else
        status = nh_table_parse(nh_text_get(&text), text.length, path, out, error);
    nh_text_free(&text);
    return status;
}

void nh_table_free(nh_table *table)
{
    if (!table)
        return;
    free(table->quads);
    free(table->values);
    nh_arena_free(&table->arena);
    free(table);
}

int nh_table_columns(const nh_table *table)
{
    return table->columns;
}

unsigned long nh_table_rows(const nh_table *table)
{
    return table->rows;
}

static bool has_column(const nh_table *table, int column)
{
    return column >= 0 && column < table->columns;
}

const char *nh_table_name(const nh_table *table, int column)
{
    return has_column(table, column) ? table->names[column] : NULL;
}

const double *nh_table_column(const nh_table *table, int column)
{
    return has_column(table, column) && table->values ? table->values + (size_t)column * table->rows : NULL;
}

const nh_quad *nh_table_quads(const nh_table *table, int column)
{
    return has_column(table, column) && table->quads ? table->quads + (size_t)column * table->rows : NULL;
}

int nh_table_find(const nh_table *table, const char *name)
{
    for (int i = 0; i < table->columns; i++)
        if (!strcmp(table->names[i], name))
            return i;
    return -1;
}
