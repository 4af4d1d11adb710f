/* SPDX-License-Identifier: MIT */
/* Native builds for tests: a source, caches of their own, and what is asked of a build. */
#ifndef NH_TESTS_BUILDS_H
#define NH_TESTS_BUILDS_H

#include "native/native.h"
#include "test.h"

#include <dirent.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

typedef double (*function)(double);

static const char SOURCE[] = "double sin(double);\n"
                             "double twice(double x) { return x + x; }\n"
                             "double wave(double x) { return sin(x); }\n";

enum { PATH = 1000 };

static struct {
    char root[PATH], cache[PATH]; /* a directory of our own, the cache of the running test */
    nh_error error;
} at;

/* Writes a path, or anything as long, and returns it. */
__attribute__((format(printf, 2, 3))) static inline const char *place(char path[PATH], const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    CHECK(vsnprintf(path, PATH, format, arguments) < PATH);
    va_end(arguments);
    return path;
}

/* Each test has a cache that does not exist yet, and knows no compiler of the user's. */
static inline nh_native_options fresh(void)
{
    static int count;
    place(at.cache, "%s/cache%d", at.root, count++);
    unsetenv("NONHOLO_CC");
    return (nh_native_options){.cache = at.cache};
}

static inline void write_file(const char *path, const char *text, mode_t mode)
{
    FILE *file = fopen(path, "w");
    if (!CHECK(file))
        return;
    CHECK(fputs(text, file) >= 0);
    CHECK_EQ_INT(fclose(file), 0);
    CHECK_EQ_INT(chmod(path, mode), 0);
}

static inline nh_native *build(const char *source, const nh_native_options *options)
{
    nh_native *native = NULL;
    at.error = (nh_error){0};
    nh_status status = nh_native_build(source, strlen(source), options, &native, &at.error);
    CHECK_EQ_INT(status, at.error.status);
    CHECK_EQ_INT(native != NULL, status == NH_OK);
    return native;
}

/* Builds, calls and frees; copies the key, which is the end of the record. Returns whether it came from the cache. */
static inline bool built_from_cache(const char *source, const nh_native_options *options, char key[33])
{
    nh_native *native = build(source, options);
    if (!CHECK(native)) {
        printf("    %s\n", at.error.message);
        return false;
    }
    function twice = (function)nh_native_entry(native, "twice");
    if (CHECK(twice))
        CHECK_NEAR(twice(21), 42, 0);
    const char *record = nh_native_record(native);
    CHECK(strlen(record) > 33 && !strchr(record, '\n'));
    if (key)
        snprintf(key, 33, "%s", record + strlen(record) - 32);
    bool cached = nh_native_was_cached(native);
    CHECK(strstr(record, cached ? ", cached, key " : ", built, key ") != NULL);
    nh_native_free(native);
    return cached;
}

static inline void fails(const char *source, const nh_native_options *options, nh_status status, const char *part)
{
    nh_native *native = build(source, options);
    CHECK(!native);
    nh_native_free(native);
    CHECK_EQ_INT(at.error.status, status);
    if (!CHECK(strstr(at.error.message, part)))
        printf("    %s\n", at.error.message);
    CHECK(!strchr(at.error.message, '\n'));
}

/* How many files in a directory have this in their name. */
static inline int count_files(const char *directory, const char *part)
{
    DIR *list = opendir(directory);
    int count = 0;
    for (struct dirent *entry; list && (entry = readdir(list));)
        count += entry->d_name[0] != '.' && strstr(entry->d_name, part);
    if (list)
        closedir(list);
    return count;
}

static inline bool have(const char *program)
{
    char command[PATH];
    place(command, "command -v %s >/dev/null", program);
    return system(command) == 0;
}

static inline char *saved(const char *variable)
{
    const char *value = getenv(variable);
    return value ? strdup(value) : NULL;
}

static inline void restore(const char *variable, char *value)
{
    value ? setenv(variable, value, 1) : unsetenv(variable);
    free(value);
}

static inline void begin(void)
{
    const char *base = getenv("TMPDIR");
    place(at.root, "%.400s/test_native-XXXXXX", base && *base ? base : "/tmp");
    CHECK(mkdtemp(at.root) != NULL);
}

static inline void end(void)
{
    char command[PATH];
    place(command, "rm -rf '%s'", at.root);
    CHECK_EQ_INT(system(command), 0);
}

#endif
