/* SPDX-License-Identifier: MIT */
/* Reads a triple from text: lines `stages`, `c`, `b`, and `A`, `Ahat`, `Atilde` with one row of numbers a line; a line
 * that begins with white space goes on with the matrix above; # starts a comment. */
#include "base/file.h"
#include "base/fraction.h"
#include "base/source.h"
#include "tableau/grid.h"
#include "tableau/triple.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { C, B, A, AHAT, ATILDE, BLOCKS };

typedef struct {
    const char *file, *text;  /* text is NUL-terminated */
    size_t length, at, begin; /* place, and begin of its line */
    int line;
    nh_error *error;
    int stages;                                           /* 0: not yet known */
    int block, rows;                                      /* being read, -1: none; rows of it so far */
    int given[BLOCKS];                                    /* line of each, 0: not yet */
    nh_quad value[BLOCKS][NH_STAGES_MAX * NH_STAGES_MAX]; /* c and b use the first row */
} reader;

static const char *block_name(int block)
{
    static const char *const names[BLOCKS] = {"c", "b", "A", "Ahat", "Atilde"};
    return names[block];
}

static int rows_of(const reader *r, int block)
{
    return block == C || block == B ? 1 : r->stages;
}

/* Adds the place to a message that is already set. */
static nh_status at_place(const reader *r, size_t offset, nh_status status)
{
    const nh_source source = {r->file, r->text, r->length};
    nh_source_place(&source, offset, r->line, nh_source_column(&source, offset), r->error);
    return status;
}

#define FAIL_AT(r, offset, status, ...) at_place((r), (offset), nh_fail((r)->error, (status), __VA_ARGS__))

/* ---- Words ---- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static bool ends_word(char c)
{
    return c == '\0' || c == '\n' || c == '#' || is_blank(c);
}

static void skip_blanks(reader *r)
{
    while (is_blank(r->text[r->at]))
        r->at++;
}

static bool at_line_end(const reader *r)
{
    char c = r->text[r->at];
    return c == '\0' || c == '\n' || c == '#';
}

static size_t word_length(const reader *r)
{
    size_t length = 0;
    while (!ends_word(r->text[r->at + length]))
        length++;
    return length;
}

static bool word_is(const reader *r, size_t length, const char *word)
{
    return length == strlen(word) && !memcmp(r->text + r->at, word, length);
}

static nh_status read_number(reader *r, nh_quad *out)
{
    const size_t length = word_length(r);
    nh_fraction fraction;
    if (!nh_fraction_parse(r->text + r->at, length, &fraction)) {
        char word[40];
        nh_source_word(r->text + r->at, length, word, sizeof word);
        return FAIL_AT(r, r->at, NH_SYNTAX, "'%s' is no number: write 2, -0.5, 1.5e-3 or a fraction like 1/3", word);
    }
    if (nh_number_is(fraction.bottom, 0))
        return FAIL_AT(r, r->at, NH_VALUE, "division by zero");
    *out = nh_fraction_quad(&fraction);
    if (!(*out - *out == 0))
        return FAIL_AT(r, r->at, NH_VALUE, "the number is not finite");
    r->at += length;
    return NH_OK;
}

/* Digits behind the point of a decimal; 0 for what has no rounding, a fraction or a whole number. */
static int decimals_of(const char *text, size_t length)
{
    const char *point = memchr(text, '.', length), *end = text + length, *at;
    if (!point || memchr(text, '/', length))
        return 0;
    for (at = point + 1; at < end && *at >= '0' && *at <= '9';)
        at++;
    return (int)(at - point) - 1 - (at < end ? (int)strtol(at + 1, NULL, 10) : 0); /* behind the e */
}

/* ---- What a method needs ---- */

/* How far a number may be from the one that was meant: digits end somewhere, rounded or cut off. A few digits are
 * taken as they are: 0.5 is a half. */
static nh_quad uncertainty(const char *text)
{
    enum { FEW = 6 };
    const int decimals = decimals_of(text, strcspn(text, " \t\r\n#"));
    nh_quad unit = 1;
    for (int k = 0; k < decimals && unit > NH_QUAD_EPSILON; k++)
        unit /= 10;
    return decimals < FEW ? 0 : unit;
}

/* Weights that do not add up to 1 are no method: not even a straight line is followed. Without a weight, or with the
 * node of another stage, a stage says nothing about the constraints (6.1e). */
static nh_status check_weights(const reader *r, const size_t *place)
{
    const nh_quad *b = r->value[B];
    nh_quad miss = -1, tolerance = 0;
    for (int j = 0; j < r->stages; j++) {
        if (b[j] == 0)
            return FAIL_AT(r, place[j], NH_VALUE, "the weight of stage %d is 0: multipliers are not determined", j + 1);
        miss += b[j];
        tolerance += 2 * NH_QUAD_EPSILON * (1 + nh_quad_abs(b[j])) + uncertainty(r->text + place[j]);
    }
    if (nh_quad_abs(miss) <= tolerance)
        return NH_OK;
    return FAIL_AT(r, place[0], NH_VALUE, "the weights b must add up to 1, and miss it by %.2g", (double)miss);
}

static nh_status check_nodes(const reader *r, const size_t *place)
{
    const nh_quad *c = r->value[C];
    for (int j = 1; j < r->stages; j++)
        for (int k = 0; k < j; k++)
            if (c[j] == c[k])
                return FAIL_AT(r, place[j], NH_VALUE,
                               "stage %d has the node of stage %d: multipliers are not determined", j + 1, k + 1);
    return NH_OK;
}

/* ---- Lines ---- */

/* The rest of the line as one row of the block that is being read. */
static nh_status read_row(reader *r)
{
    const int s = r->stages, block = r->block;
    const size_t start = r->at;
    size_t place[NH_STAGES_MAX];
    int count = 0;
    if (r->rows == rows_of(r, block))
        return FAIL_AT(r, r->at, NH_SYNTAX, "%s has %d row%s; this is one more", block_name(block), r->rows,
                       r->rows == 1 ? "" : "s");
    for (; !at_line_end(r); skip_blanks(r)) {
        if (count == s)
            return FAIL_AT(r, r->at, NH_SYNTAX, "more than %d number%s in a row of %s", s, s == 1 ? "" : "s",
                           block_name(block));
        place[count] = r->at;
        nh_status status = read_number(r, &r->value[block][r->rows * s + count]);
        if (status != NH_OK)
            return status;
        count++;
    }
    if (count < s)
        return FAIL_AT(r, start, NH_SYNTAX, "%d number%s in a row of %s; stages %d needs %d", count,
                       count == 1 ? "" : "s", block_name(block), s, s);
    r->rows++;
    return block == B ? check_weights(r, place) : block == C ? check_nodes(r, place) : NH_OK;
}

static nh_status check_rows(const reader *r)
{
    if (r->block < 0 || r->rows == rows_of(r, r->block))
        return NH_OK;
    return FAIL_AT(r, r->begin, NH_SYNTAX, "%s (line %d) has %d row%s; stages %d needs %d", block_name(r->block),
                   r->given[r->block], r->rows, r->rows == 1 ? "" : "s", r->stages, rows_of(r, r->block));
}

static nh_status read_stages(reader *r)
{
    if (r->stages)
        return FAIL_AT(r, r->begin, NH_SYNTAX, "stages is given twice");
    skip_blanks(r);
    const size_t length = word_length(r);
    int stages = 0;
    for (size_t i = 0; i < length && stages <= NH_STAGES_MAX; i++) {
        char digit = r->text[r->at + i];
        if (digit < '0' || digit > '9')
            return FAIL_AT(r, r->at, NH_SYNTAX, "stages must be a whole number from 1 to %d", NH_STAGES_MAX);
        stages = 10 * stages + (digit - '0');
    }
    if (length == 0)
        return FAIL_AT(r, r->at, NH_SYNTAX, "stages must be a whole number from 1 to %d", NH_STAGES_MAX);
    if (stages < 1 || stages > NH_STAGES_MAX)
        return FAIL_AT(r, r->at, NH_LIMIT, "stages must be a whole number from 1 to %d", NH_STAGES_MAX);
    r->at += length;
    skip_blanks(r);
    if (!at_line_end(r))
        return FAIL_AT(r, r->at, NH_SYNTAX, "nothing can follow the number of stages");
    r->stages = stages;
    return NH_OK;
}

static nh_status read_keyword(reader *r)
{
    const size_t length = word_length(r);
    nh_status status = check_rows(r);
    if (status != NH_OK)
        return status;
    r->block = -1;
    if (word_is(r, length, "stages")) {
        r->at += length;
        return read_stages(r);
    }
    for (int block = 0; block < BLOCKS; block++)
        if (word_is(r, length, block_name(block)))
            r->block = block;
    if (r->block < 0) {
        char word[40];
        nh_source_word(r->text + r->at, length, word, sizeof word);
        return FAIL_AT(r, r->at, NH_SYNTAX, "'%s' is no keyword; there are stages, c, b, A, Ahat, Atilde", word);
    }
    if (!r->stages)
        return FAIL_AT(r, r->at, NH_SYNTAX, "%s before stages: begin with a line like 'stages 2'",
                       block_name(r->block));
    if (r->given[r->block])
        return FAIL_AT(r, r->at, NH_SYNTAX, "%s is given twice, first on line %d", block_name(r->block),
                       r->given[r->block]);
    r->given[r->block] = r->line;
    r->rows = 0;
    r->at += length;
    skip_blanks(r);
    return at_line_end(r) ? NH_OK : read_row(r);
}

static nh_status read_line(reader *r)
{
    bool indented = is_blank(r->text[r->at]);
    skip_blanks(r);
    if (at_line_end(r))
        return NH_OK;
    if (!indented)
        return read_keyword(r);
    if (r->block < 0)
        return FAIL_AT(r, r->at, NH_SYNTAX, "an indented line goes on with c, b or a matrix, but none is above it");
    return read_row(r);
}

static nh_status read_text(reader *r)
{
    nh_status status = NH_OK;
    while (status == NH_OK) {
        status = read_line(r);
        r->at += strcspn(r->text + r->at, "\n");
        if (status != NH_OK || r->text[r->at] == '\0')
            break;
        r->begin = ++r->at;
        r->line++;
    }
    if (status != NH_OK)
        return status;
    if (r->at < r->length)
        return FAIL_AT(r, r->at, NH_SYNTAX, "the text has a zero byte");
    if (!r->stages)
        return FAIL_AT(r, r->at, NH_SYNTAX, "the file ends without 'stages'");
    status = check_rows(r);
    for (int block = 0; block < BLOCKS && status == NH_OK; block++)
        if (!r->given[block])
            status = FAIL_AT(r, r->at, NH_SYNTAX, "the file ends without '%s'", block_name(block));
    return status;
}

static nh_status make_triple(nh_arena *arena, const reader *r, nh_triple *out)
{
    nh_tableau *part[3] = {&out->position, &out->force, &out->reaction};
    for (int i = 0; i < 3; i++) {
        nh_status status =
            nh_tableau_copy(arena, r->stages, r->value[A + i], r->value[B], r->value[C], part[i], r->error);
        if (status != NH_OK)
            return status;
        part[i]->b = out->position.b;
        part[i]->c = out->position.c;
    }
    out->reaction_line = r->given[ATILDE];
    return NH_OK;
}

nh_status nh_triple_read(nh_arena *arena, const char *file, const char *text, size_t length, nh_triple *out,
                         nh_error *error)
{
    nh_arena scratch = {0};
    reader *r = NH_NEW(&scratch, reader, 1);
    char *copy = nh_arena_text(&scratch, text, length);
    nh_status status;
    if (r && copy) {
        r->file = file;
        r->text = copy;
        r->length = length;
        r->line = 1;
        r->block = -1;
        r->error = error;
        status = read_text(r);
        if (status == NH_OK)
            status = make_triple(arena, r, out);
    } else {
        status = nh_fail(error, NH_MEMORY, "no memory to read %.200s", file);
    }
    nh_arena_free(&scratch);
    return status;
}

nh_status nh_triple_load(nh_arena *arena, const char *path, nh_triple *out, nh_error *error)
{
    nh_text text = {0};
    char reason[128];
    nh_status status;
    const int code = nh_file_read(path, NH_TRIPLE_FILE_MAX, &text);
    if (code == ENOMEM)
        status = nh_fail(error, NH_MEMORY, "no memory to read %.200s", path);
    else if (code != 0)
        status = nh_fail(error, NH_FILE, "cannot read %.200s: %s", path, nh_errno_text(code, reason));
    else if (text.length > NH_TRIPLE_FILE_MAX)
        status = nh_fail(error, NH_LIMIT, "%.200s is larger than %d bytes", path, NH_TRIPLE_FILE_MAX);
    else
        status = nh_triple_read(arena, path, nh_text_get(&text), text.length, out, error);
    nh_text_free(&text);
    return status;
}
