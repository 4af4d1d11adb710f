/* SPDX-License-Identifier: MIT */
/* Writing tables. Rows are collected and written at once, so that a file never holds a part of one; what a full disk
 * took of a row is cut off. */
#define _XOPEN_SOURCE 700
#include "base/clock.h"
#include "base/hash.h"
#include "base/output.h"
#include "base/status.h"
#include "base/text.h"

#include <errno.h>
#include <nonholo/table.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { COLLECT_BYTES = 1 << 16 };

static const double COLLECT_SECONDS = 0.2;

struct nh_table_writer {
    FILE *stream;
    bool owned; /* is the stream ours to close? */
    char *path;
    int columns;
    nh_text waiting;
    uint64_t hash;  /* of all rows */
    off_t cut;      /* the file ends here once it is written to; -1: where it does */
    double written; /* when, the last time */
    nh_status status;
    int code; /* errno of the first failure */
};

/* # would make a comment of the first cell of a row, blanks at the ends could get lost. */
static bool needs_quotes(const char *cell, bool first)
{
    size_t length = strlen(cell);
    bool blanks = length > 0 && (strchr(" \t", cell[0]) || strchr(" \t", cell[length - 1]));
    return strpbrk(cell, ",\"") != NULL || blanks || (first && cell[0] == '#');
}

/* Line ends become blanks: a row is a line. */
static void add_cell(nh_text *out, const char *cell, bool quoted)
{
    nh_text_add(out, quoted ? "\"" : "");
    while (*cell) {
        size_t plain = strcspn(cell, "\"\r\n");
        nh_text_bytes(out, cell, plain);
        cell += plain;
        if (*cell)
            nh_text_add(out, *cell++ == '"' ? "\"\"" : " ");
    }
    nh_text_add(out, quoted ? "\"" : "");
}

/* A row of one empty cell is quoted, for an empty line is none. */
static void add_row(nh_table_writer *w, const char *const *cells)
{
    const size_t begin = w->waiting.length;
    for (int i = 0; i < w->columns; i++) {
        const char *cell = cells[i] ? cells[i] : "";
        if (i > 0)
            nh_text_bytes(&w->waiting, ",", 1);
        add_cell(&w->waiting, cell, needs_quotes(cell, i == 0) || (w->columns == 1 && !*cell));
    }
    nh_text_bytes(&w->waiting, "\n", 1);
    if (!w->waiting.failed)
        w->hash = nh_hash64(w->waiting.data + begin, w->waiting.length - begin, w->hash);
}

/* Takes back the begin of a row: the last bytes of a file, of which `taken` were just written. A pipe has no way back,
 * and what others have behind it is not ours. */
static void drop_part(int file, const char *bytes, size_t taken)
{
    size_t whole = taken;
    struct stat status;
    while (whole > 0 && bytes[whole - 1] != '\n')
        whole--;
    const off_t end = lseek(file, 0, SEEK_CUR), part = (off_t)(taken - whole);
    if (part > 0 && end >= part && fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size == end &&
        ftruncate(file, end - part) == 0)
        (void)lseek(file, end - part, SEEK_SET);
}

/* Past the stream's buffer, which would keep what was not taken and try again when it is closed; returns an errno. */
static int write_waiting(const nh_table_writer *w)
{
    const int file = fileno(w->stream);
    size_t taken;
    errno = 0;
    if (file < 0) /* a stream in memory */
        return fwrite(w->waiting.data, 1, w->waiting.length, w->stream) < w->waiting.length || fflush(w->stream) != 0
                   ? (errno ? errno : EIO)
                   : 0;
    if (fflush(w->stream) != 0)
        return errno ? errno : EIO;
    const int code = nh_output_part(file, w->waiting.data, w->waiting.length, &taken);
    if (code != 0)
        drop_part(file, w->waiting.data, taken);
    return code;
}

/* What is behind the place where a table goes on; returns an errno. */
static int cut_off(nh_table_writer *w)
{
    const off_t end = w->cut;
    w->cut = -1;
    return end < 0 || ftruncate(fileno(w->stream), end) == 0 ? 0 : errno;
}

nh_status nh_table_flush(nh_table_writer *w)
{
    if (w->status != NH_OK)
        return w->status;
    if (w->waiting.failed) {
        w->status = NH_MEMORY;
        return w->status;
    }
    w->code = cut_off(w);
    if (w->code == 0)
        w->code = write_waiting(w);
    w->status = w->code == 0 ? NH_OK : NH_FILE;
    w->waiting.length = 0;
    w->written = nh_clock();
    return w->status;
}

nh_status nh_table_sync(nh_table_writer *w, nh_table_place *out)
{
    *out = (nh_table_place){0};
    if (nh_table_flush(w) != NH_OK)
        return w->status;
    errno = 0;
    const off_t end = lseek(fileno(w->stream), 0, SEEK_CUR);
    if (end < 0 || fsync(fileno(w->stream)) != 0) {
        w->status = NH_FILE;
        w->code = errno;
    }
    *out = (nh_table_place){(long long)end, (long long)w->hash};
    return w->status;
}

nh_status nh_table_row(nh_table_writer *w, const char *const *cells)
{
    if (w->status != NH_OK)
        return w->status;
    add_row(w, cells);
    if (w->waiting.failed || w->waiting.length >= COLLECT_BYTES || nh_clock() - w->written >= COLLECT_SECONDS)
        return nh_table_flush(w);
    return NH_OK;
}

static nh_status report(const nh_table_writer *w, nh_error *error)
{
    char text[128];
    if (w->status == NH_MEMORY)
        return nh_fail(error, NH_MEMORY, "out of memory");
    if (w->status != NH_OK)
        return nh_fail(error, NH_FILE, "cannot write %.200s: %s", w->path,
                       w->code ? nh_errno_text(w->code, text) : "no reason given");
    return NH_OK;
}

nh_status nh_table_close(nh_table_writer *w, nh_error *error)
{
    if (!w)
        return NH_OK;
    (void)nh_table_flush(w); /* its status is kept */
    if (w->owned && fclose(w->stream) != 0 && w->status == NH_OK) {
        w->status = NH_FILE;
        w->code = errno;
    }
    nh_status status = report(w, error);
    nh_text_free(&w->waiting);
    free(w->path);
    free(w);
    return status;
}

/* A writer with the line of names waiting; NULL if there is no memory. */
static nh_table_writer *make(FILE *stream, bool owned, const char *path, const char *const *names, int columns)
{
    nh_table_writer *w = calloc(1, sizeof *w);
    char *copy = strdup(path);
    if (!w || !copy) {
        free(w);
        free(copy);
        if (owned)
            fclose(stream);
        return NULL;
    }
    *w = (nh_table_writer){.stream = stream, .owned = owned, .path = copy, .columns = columns, .cut = -1};
    add_row(w, names);
    return w;
}

static nh_status begin(FILE *stream, bool owned, const char *path, const char *const *names, int columns,
                       nh_table_writer **out, nh_error *error)
{
    nh_table_writer *w = make(stream, owned, path, names, columns);
    if (!w)
        return nh_fail(error, NH_MEMORY, "out of memory");
    if (nh_table_flush(w) != NH_OK)
        return nh_table_close(w, error);
    *out = w;
    return NH_OK;
}

/* Does the file begin with the line of names that is waiting? */
static bool begins_with_names(nh_table_writer *w)
{
    bool same = true;
    for (size_t i = 0; same && i < w->waiting.length; i++)
        same = fgetc(w->stream) == (unsigned char)w->waiting.data[i];
    return same;
}

/* Whole rows up to this place, whose hash is the one that was kept? NH_FILE: no. */
static nh_status read_rows(nh_table_writer *w, nh_table_place from)
{
    char *line = NULL;
    size_t room = 0;
    long long bytes = 0;
    uint64_t hash = 0;
    errno = 0;
    while (bytes < from.bytes) {
        const ssize_t length = getline(&line, &room, w->stream);
        if (length <= 0 || line[length - 1] != '\n')
            break;
        hash = nh_hash64(line, (size_t)length, hash);
        bytes += length;
    }
    const bool starved = errno == ENOMEM;
    free(line);
    w->hash = hash;
    return starved ? NH_MEMORY : bytes == from.bytes && (long long)hash == from.hash ? NH_OK : NH_FILE;
}

static nh_status go_on(nh_table_writer *w, nh_table_place from, nh_error *error)
{
    const bool long_enough = fseeko(w->stream, 0, SEEK_END) == 0 && ftello(w->stream) >= (off_t)from.bytes;
    if (!long_enough || from.bytes < (long long)w->waiting.length)
        return nh_fail(error, NH_FILE, "%.200s is shorter than it was: it cannot be continued", w->path);
    rewind(w->stream);
    if (!begins_with_names(w))
        return nh_fail(error, NH_FILE, "%.200s has other columns than it had: it cannot be continued", w->path);
    rewind(w->stream);
    const nh_status status = read_rows(w, from);
    if (status == NH_MEMORY)
        return nh_fail(error, NH_MEMORY, "out of memory");
    if (status != NH_OK)
        return nh_fail(error, NH_FILE, "%.200s has other rows than it had: it cannot be continued", w->path);
    char text[128];
    if (fseeko(w->stream, (off_t)from.bytes, SEEK_SET) != 0)
        return nh_fail(error, NH_FILE, "cannot write %.200s: %s", w->path, nh_errno_text(errno, text));
    return NH_OK;
}

nh_status nh_table_resume(const char *path, const char *const *names, int columns, nh_table_place from,
                          nh_table_writer **out, nh_error *error)
{
    char text[128];
    *out = NULL;
    FILE *stream = fopen(path, "r+e");
    if (!stream)
        return nh_fail(error, NH_FILE, "cannot continue %.200s: %s", path, nh_errno_text(errno, text));
    nh_table_writer *w = make(stream, true, path, names, columns);
    if (!w)
        return nh_fail(error, NH_MEMORY, "out of memory");
    nh_status status = go_on(w, from, error);
    w->waiting.length = 0; /* the names are there */
    if (status == NH_OK) {
        w->cut = (off_t)from.bytes;
        *out = w;
    } else
        (void)nh_table_close(w, NULL); /* nothing has been written */
    return status;
}

static nh_status check_columns(int columns, nh_error *error)
{
    if (columns < 1 || columns > NH_TABLE_COLUMNS_MAX)
        return nh_fail(error, NH_LIMIT, "a table has from 1 to %d columns, not %d", NH_TABLE_COLUMNS_MAX, columns);
    return NH_OK;
}

nh_status nh_table_attach(FILE *stream, const char *name, const char *const *names, int columns, nh_table_writer **out,
                          nh_error *error)
{
    *out = NULL;
    nh_status status = check_columns(columns, error);
    return status == NH_OK ? begin(stream, false, name, names, columns, out, error) : status;
}

nh_status nh_table_create(const char *path, const char *const *names, int columns, nh_table_writer **out,
                          nh_error *error)
{
    char text[128];
    *out = NULL;
    nh_status status = check_columns(columns, error);
    if (status != NH_OK)
        return status;
    FILE *stream = fopen(path, "we");
    if (!stream && errno == ENOMEM)
        return nh_fail(error, NH_MEMORY, "out of memory");
    if (!stream)
        return nh_fail(error, NH_FILE, "cannot write %.200s: %s", path, nh_errno_text(errno, text));
    return begin(stream, true, path, names, columns, out, error);
}
