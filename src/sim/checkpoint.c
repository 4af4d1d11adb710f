/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700 /* fsync */

#include "sim/checkpoint.h"

#include "base/file.h"
#include "base/hash.h"
#include "base/output.h"
#include "base/quad.h"
#include "base/status.h"

#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FIRST_LINE "nonholo checkpoint 4\n"
enum { SEAL = 17, ALIGNED = 16, HEADER_MOST = 4096 };

/* ---- The header ---- */

typedef struct field {
    const char *name;
    size_t offset, room; /* room 0: a whole number */
    const char *differs; /* what it means that two files differ in it; NULL: they may */
    bool hash;           /* which says nothing to people */
} field;

#define TEXT(name, differs)                                                                                            \
    {                                                                                                                  \
#name, offsetof(nh_checkpoint, name), sizeof((nh_checkpoint *)0)->name, differs, false                         \
    }
#define HASH(name, differs)                                                                                            \
    {                                                                                                                  \
#name, offsetof(nh_checkpoint, name), sizeof((nh_checkpoint *)0)->name, differs, true                          \
    }
#define WHOLE(name, differs)                                                                                           \
    {                                                                                                                  \
#name, offsetof(nh_checkpoint, name), 0, differs, false                                                        \
    }

static const field fields[] = {
    TEXT(kind, "of another command"),
    TEXT(version, NULL),
    TEXT(model, NULL),
    TEXT(method, "of another method"),
    HASH(coefficients, "of a method with other coefficients"),
    TEXT(numbers, "of another precision or machine"),
    TEXT(arithmetic, "of a build with other elementary functions or factors of large matrices"),
    HASH(functions, "of another model"),
    WHOLE(members, "of another number of members"),
    WHOLE(size, "of another model"),
    HASH(start, "of other initial data, parameters, step or audit"),
    WHOLE(step, NULL),
    WHOLE(first, NULL),
    WHOLE(seen, NULL),
    WHOLE(mark[0], NULL),
    WHOLE(mark[1], NULL),
    WHOLE(mark[2], NULL),
    WHOLE(mark[3], NULL),
    WHOLE(mark[4], NULL),
    WHOLE(nanoseconds, NULL),
};
enum { FIELDS = sizeof fields / sizeof fields[0] };
_Static_assert(NH_MARKS == 5, "every mark is a field");

static void write_header(const nh_checkpoint *c, nh_text *out)
{
    nh_text_add(out, FIRST_LINE);
    for (int i = 0; i < FIELDS; i++) {
        const char *at = (const char *)c + fields[i].offset;
        if (fields[i].room)
            nh_text_add(out, "%s %s\n", fields[i].name, at);
        else
            nh_text_add(out, "%s %lld\n", fields[i].name, *(const long long *)(const void *)at);
    }
    nh_text_add(out, "%*s\n", ALIGNED - 1 - (int)(out->length % ALIGNED), ""); /* the numbers begin where a quad may */
}

static bool read_whole(const char *text, size_t length, long long *out)
{
    char digits[24], *end;
    if (length == 0 || length >= sizeof digits)
        return false;
    memcpy(digits, text, length);
    digits[length] = '\0';
    errno = 0;
    *out = strtoll(digits, &end, 10);
    return errno == 0 && *end == '\0' && end != digits;
}

/* One line "name value" at *at. */
static bool read_field(const field *f, const char **at, const char *end, nh_checkpoint *out)
{
    const size_t name = strlen(f->name);
    const char *line = *at, *stop = memchr(line, '\n', (size_t)(end - line));
    if (!stop || (size_t)(stop - line) <= name || memcmp(line, f->name, name) != 0 || line[name] != ' ')
        return false;
    const char *value = line + name + 1;
    const size_t length = (size_t)(stop - value);
    char *to = (char *)out + f->offset;
    *at = stop + 1;
    if (f->room == 0)
        return read_whole(value, length, (long long *)(void *)to);
    if (length >= f->room || memchr(value, '\0', length))
        return false;
    memcpy(to, value, length);
    to[length] = '\0';
    return true;
}

static bool read_header(const char **at, const char *end, nh_checkpoint *out)
{
    const size_t first = strlen(FIRST_LINE);
    const char *begin = *at;
    if ((size_t)(end - begin) < first || memcmp(begin, FIRST_LINE, first) != 0)
        return false;
    *at += first;
    for (int i = 0; i < FIELDS; i++)
        if (!read_field(&fields[i], at, end, out))
            return false;
    while (*at < end && **at == ' ')
        ++*at;
    return *at < end && *(*at)++ == '\n' && (*at - begin) % ALIGNED == 0;
}

size_t nh_checkpoint_number(const nh_checkpoint *c)
{
    return strncmp(c->numbers, "binary64 ", 9) == 0 ? sizeof(double) : sizeof(nh_quad);
}

/* Bytes of the numbers; false where that is more than memory could hold. */
static bool count_bytes(const nh_checkpoint *c, size_t *bytes)
{
    const size_t number = nh_checkpoint_number(c);
    if (c->members < 1 || c->size < 1 || c->step < 0 || (uint64_t)c->members > SIZE_MAX / 2 / number / (size_t)c->size)
        return false;
    *bytes = (size_t)c->members * (size_t)c->size * number;
    return true;
}

/* ---- Writing ---- */

static void write_seal(uint64_t hash, char hex[SEAL])
{
    snprintf(hex, SEAL, "%016" PRIx64, hash);
}

void nh_checkpoint_seal(const void *bytes, size_t length, char hex[SEAL])
{
    write_seal(nh_hash64(bytes, length, 1), hex);
}

/* The hash is of one run of bytes, so that they are in one piece of memory. */
static int write_all(int file, const nh_text *all)
{
    char seal[SEAL + 1];
    nh_checkpoint_seal(all->data, all->length, seal);
    seal[SEAL - 1] = '\n';
    int code = nh_output_bytes(file, all->data, all->length);
    if (code == 0)
        code = nh_output_bytes(file, seal, SEAL);
    return code != 0 ? code : fsync(file) != 0 ? errno : 0;
}

nh_status nh_checkpoint_write(const nh_checkpoint *c, const char *path, nh_error *error)
{
    size_t bytes = 0;
    nh_text all = {0};
    nh_output output;
    if (!count_bytes(c, &bytes))
        return nh_fail(error, NH_LIMIT, "too many numbers for a checkpoint");
    write_header(c, &all);
    nh_text_bytes(&all, c->number, bytes);
    nh_text_bytes(&all, (const char *)c->fate, (size_t)c->members);
    nh_status status = all.failed ? nh_fail(error, NH_MEMORY, "out of memory for a checkpoint")
                                  : nh_output_begin(path, &output, error);
    if (status != NH_OK) {
        nh_text_free(&all);
        return status;
    }
    const int code = write_all(output.file, &all);
    nh_text_free(&all);
    if (code == 0)
        return nh_output_commit(&output, error);
    char text[128];
    nh_output_abandon(&output);
    return nh_fail(error, NH_FILE, "cannot write %.200s: %s", path, nh_errno_text(code, text));
}

/* ---- Reading ---- */

nh_status nh_checkpoint_parse(const void *bytes, size_t length, const char *file, nh_checkpoint *out, nh_error *error)
{
    const char *at = bytes, *end = at + length;
    size_t count;
    char seal[SEAL];
    *out = (nh_checkpoint){0};
    if (!read_header(&at, end, out) || !count_bytes(out, &count))
        return nh_fail(error, NH_FILE, "%.200s is not a checkpoint of this version", file);
    if ((size_t)(end - at) != count + (size_t)out->members + SEAL)
        return nh_fail(error, NH_FILE, "the checkpoint %.200s is cut off or has something behind it", file);
    nh_checkpoint_seal(bytes, length - SEAL, seal);
    if (memcmp(seal, end - SEAL, SEAL - 1) != 0)
        return nh_fail(error, NH_FILE, "the checkpoint %.200s is damaged: its hash is another", file);
    out->number = at;
    out->fate = (const unsigned char *)at + count;
    return NH_OK;
}

nh_status nh_checkpoint_fits(const nh_checkpoint *is, const nh_checkpoint *wanted, const char *file, nh_error *error)
{
    for (int i = 0; i < FIELDS; i++) {
        const field *f = &fields[i];
        const char *a = (const char *)is + f->offset, *b = (const char *)wanted + f->offset;
        if (!f->differs || (f->room ? !strcmp(a, b) : !memcmp(a, b, sizeof(long long))))
            continue;
        if (f->room && !f->hash)
            return nh_fail(error, NH_FILE, "%.200s cannot be resumed here: it is %s (%.60s, not %.60s)", file,
                           f->differs, a, b);
        return nh_fail(error, NH_FILE, "%.200s cannot be resumed here: it is %s (a checkpoint of %.100s)", file,
                       f->differs, is->model);
    }
    return NH_OK;
}

/* The begin of a file that is longer than what is wanted: of something else, or with something behind its end. */
static nh_status refuse_long(const char *path, const nh_text *bytes, const nh_checkpoint *wanted, nh_checkpoint *out,
                             nh_error *error)
{
    const char *at = nh_text_get(bytes);
    *out = (nh_checkpoint){0};
    if (!read_header(&at, at + bytes->length, out))
        return nh_fail(error, NH_FILE, "%.200s is not a checkpoint of this version", path);
    const nh_status status = nh_checkpoint_fits(out, wanted, path, error);
    return status != NH_OK ? status
                           : nh_fail(error, NH_FILE, "the checkpoint %.200s has something behind its end", path);
}

/* No more is read than what is wanted can have: there are files without an end. */
nh_status nh_checkpoint_read(const char *path, const nh_checkpoint *wanted, nh_checkpoint *out, nh_text *bytes,
                             nh_error *error)
{
    char reason[128];
    size_t most;
    if (!count_bytes(wanted, &most))
        return nh_fail(error, NH_LIMIT, "too many numbers for a checkpoint");
    most += HEADER_MOST + (size_t)wanted->members + SEAL;
    const int code = nh_file_read(path, most, bytes);
    if (code == ENOMEM)
        return nh_fail(error, NH_MEMORY, "out of memory");
    if (code != 0)
        return nh_fail(error, NH_FILE, "cannot read %.200s: %s", path, nh_errno_text(code, reason));
    if (bytes->length > most)
        return refuse_long(path, bytes, wanted, out, error);
    nh_status status = nh_checkpoint_parse(nh_text_get(bytes), bytes->length, path, out, error);
    return status == NH_OK ? nh_checkpoint_fits(out, wanted, path, error) : status;
}
