/* SPDX-License-Identifier: MIT */
/* Native builds: made, found again, refused where they cannot be trusted, and nothing left behind. */
#define _XOPEN_SOURCE 700
#include "native/native.h"
#include "test.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
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
__attribute__((format(printf, 2, 3))) static const char *place(char path[PATH], const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    CHECK(vsnprintf(path, PATH, format, arguments) < PATH);
    va_end(arguments);
    return path;
}

/* Each test has a cache that does not exist yet, and knows no compiler of the user's. */
static nh_native_options fresh(void)
{
    static int count;
    place(at.cache, "%s/cache%d", at.root, count++);
    unsetenv("NONHOLO_CC");
    return (nh_native_options){.cache = at.cache};
}

static void write_file(const char *path, const char *text, mode_t mode)
{
    FILE *file = fopen(path, "w");
    if (!CHECK(file))
        return;
    CHECK(fputs(text, file) >= 0);
    CHECK_EQ_INT(fclose(file), 0);
    CHECK_EQ_INT(chmod(path, mode), 0);
}

static nh_native *build(const char *source, const nh_native_options *options)
{
    nh_native *native = NULL;
    at.error = (nh_error){0};
    nh_status status = nh_native_build(source, strlen(source), options, &native, &at.error);
    CHECK_EQ_INT(status, at.error.status);
    CHECK_EQ_INT(native != NULL, status == NH_OK);
    return native;
}

/* Builds, calls and frees; copies the key, which is the end of the record. Returns whether it came from the cache. */
static bool built_from_cache(const char *source, const nh_native_options *options, char key[33])
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

static void fails(const char *source, const nh_native_options *options, nh_status status, const char *part)
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
static int count_files(const char *directory, const char *part)
{
    DIR *list = opendir(directory);
    int count = 0;
    for (struct dirent *entry; list && (entry = readdir(list));)
        count += entry->d_name[0] != '.' && strstr(entry->d_name, part);
    if (list)
        closedir(list);
    return count;
}

static bool have(const char *program)
{
    char command[PATH];
    place(command, "command -v %s >/dev/null", program);
    return system(command) == 0;
}

static char *saved(const char *variable)
{
    const char *value = getenv(variable);
    return value ? strdup(value) : NULL;
}

static void restore(const char *variable, char *value)
{
    value ? setenv(variable, value, 1) : unsetenv(variable);
    free(value);
}

TEST(builds_and_calls)
{
    nh_native_options options = fresh();
    nh_native *native = build(SOURCE, &options);
    if (!CHECK(native))
        return;
    function wave = (function)nh_native_entry(native, "wave");
    if (CHECK(wave))
        CHECK_NEAR(wave(1), sin(1), 1e-16);
    CHECK(nh_native_symbol(native, "nh_key") != NULL);
    CHECK(nh_native_symbol(native, "absent") == NULL);
    CHECK(nh_native_entry(native, "absent") == NULL);
    CHECK(!nh_native_was_cached(native));
    CHECK(nh_native_seconds(native) > 0);
    CHECK(strstr(nh_native_record(native), "-ffp-contract=off") != NULL);
    CHECK(strstr(nh_native_record(native), nh_native_target(false)) != NULL);
    printf("# %s, %.1f ms\n", nh_native_record(native), 1e3 * nh_native_seconds(native));
    nh_native_free(native);
    nh_native_free(NULL);
    CHECK_EQ_INT(count_files(at.cache, ""), 1);
    struct stat info;
    CHECK_EQ_INT(stat(at.cache, &info), 0);
    CHECK_EQ_INT(info.st_mode & 0777, 0700);
}

TEST(second_is_a_hit)
{
    nh_native_options options = fresh();
    nh_native *native = NULL, *other = NULL;
    CHECK_EQ_INT(nh_native_find(SOURCE, strlen(SOURCE), &options, &native, &at.error), NH_OK);
    CHECK(!native);
    CHECK(access(at.cache, F_OK) != 0); /* looking makes nothing */
    char first[33], second[33];
    CHECK(!built_from_cache(SOURCE, &options, first));
    CHECK(built_from_cache(SOURCE, &options, second));
    CHECK_STR(first, second);
    CHECK_EQ_INT(nh_native_find(SOURCE, strlen(SOURCE), &options, &native, &at.error), NH_OK);
    CHECK_EQ_INT(nh_native_find(SOURCE, strlen(SOURCE), &options, &other, &at.error), NH_OK);
    if (CHECK(native && other)) {
        printf("# a hit takes %.3f ms\n", 1e3 * nh_native_seconds(other));
        CHECK(nh_native_seconds(other) < 0.05);
    }
    nh_native_free(native);
    if (other && CHECK(nh_native_entry(other, "twice"))) /* still there when the same build was freed elsewhere */
        CHECK_NEAR(((function)nh_native_entry(other, "twice"))(2), 4, 0);
    nh_native_free(other);
}

TEST(what_the_code_depends_on_is_in_the_key)
{
    nh_native_options options = fresh();
    char keys[5][33];
    CHECK(!built_from_cache(SOURCE, &options, keys[0]));
    options.optimisation = "-O1  -g";
    CHECK(!built_from_cache(SOURCE, &options, keys[1]));
    options.optimisation = "";
    options.target = "generic";
    CHECK(!built_from_cache(SOURCE, &options, keys[2]));
    options.target = NULL;
    CHECK(!built_from_cache("double twice(double x) { return x + x; } /* trailing comment */", &options, keys[3]));
    options.compiler = "cc -DUNUSED";
    CHECK(!built_from_cache(SOURCE, &options, keys[4]));
    for (int i = 0; i < 5; i++)
        for (int k = 0; k < i; k++)
            CHECK(strcmp(keys[i], keys[k]) != 0);
    CHECK_EQ_INT(count_files(at.cache, ".so"), 5);
    options.compiler = NULL;
    CHECK(built_from_cache(SOURCE, &options, NULL));
}

TEST(a_changed_compiler_is_another_compiler)
{
    nh_native_options options = fresh();
    char wrapper[PATH], command[PATH];
    place(wrapper, "%s/wrapper", at.root);
    write_file(wrapper, "#!/bin/sh\nexec \"$@\"\n", 0700);
    place(command, "%s cc", wrapper);
    options.compiler = command;
    CHECK(!built_from_cache(SOURCE, &options, NULL));
    CHECK(built_from_cache(SOURCE, &options, NULL));
    write_file(wrapper, "#!/bin/sh\nexec \"$@\" \n", 0700);
    CHECK(!built_from_cache(SOURCE, &options, NULL));
}

TEST(gcc_and_clang)
{
    static const char *const names[] = {"gcc", "clang"};
    nh_native_options options = fresh();
    for (int i = 0; i < 2; i++) {
        if (!have(names[i])) {
            printf("# no %s here\n", names[i]);
            continue;
        }
        options.compiler = names[i];
        CHECK(!built_from_cache(SOURCE, &options, NULL));
        CHECK(built_from_cache(SOURCE, &options, NULL));
        nh_native *native = build(SOURCE, &options);
        if (CHECK(native))
            CHECK(strncmp(nh_native_record(native), names[i], strlen(names[i])) == 0);
        nh_native_free(native);
    }
}

TEST(missing_compiler)
{
    nh_native_options options = fresh();
    options.compiler = "no-such-compiler";
    fails(SOURCE, &options, NH_COMPILER, "no-such-compiler");
    options.compiler = "/dev/null";
    fails(SOURCE, &options, NH_COMPILER, "NONHOLO_CC");
    options.compiler = NULL;
    setenv("NONHOLO_CC", "no-such-compiler -x", 1);
    fails(SOURCE, &options, NH_COMPILER, "NONHOLO_CC");
    unsetenv("NONHOLO_CC");
    char *path = saved("PATH");
    setenv("PATH", at.root, 1);
    fails(SOURCE, &options, NH_COMPILER, "install");
    setenv("PATH", "", 1);
    fails(SOURCE, &options, NH_COMPILER, "install");
    restore("PATH", path);
    CHECK(access(at.cache, F_OK) != 0);
}

TEST(failing_source)
{
    nh_native_options options = fresh();
    fails("double twice(double x)\n{ return y; }\n", &options, NH_COMPILER, "model.c:2:");
    CHECK(strstr(at.error.message, "error") != NULL);
    CHECK(!strstr(at.error.message, at.root));
    fails("double absent(double); double twice(double x) { return absent(x); }", &options, NH_FILE, "absent");
    fails("#if 0", &options, NH_COMPILER, "failed");
    fails("/* the end is not reached", &options, NH_COMPILER, "failed");
    CHECK_EQ_INT(count_files(at.cache, ""), 0);
    options.compiler = "cc -l:no-such-library.so"; /* the linker's word, not that it failed */
    fails(SOURCE, &options, NH_COMPILER, "no-such-library");
    options.compiler = "false";
    fails(SOURCE, &options, NH_COMPILER, "no message");
    options.compiler = "true";
    fails(SOURCE, &options, NH_COMPILER, "no output");
    CHECK_EQ_INT(count_files(at.cache, ""), 0);
}

/* Root may write anywhere, but not below a file. */
TEST(unusable_cache)
{
    nh_native_options options = fresh();
    write_file(at.cache, "", 0600);
    fails(SOURCE, &options, NH_FILE, "not a directory");
    char below[PATH];
    place(below, "%s/more/cache", at.cache);
    options.cache = below;
    fails(SOURCE, &options, NH_FILE, "XDG_CACHE_HOME");
    options.cache = "/proc/nonholo/cache";
    fails(SOURCE, &options, NH_FILE, "XDG_CACHE_HOME");
    options.cache = "/proc/self/fd"; /* ours, and nothing can be written to it */
    fails(SOURCE, &options, NH_FILE, "XDG_CACHE_HOME");
}

TEST(cache_of_others)
{
    nh_native_options options = fresh();
    CHECK(!built_from_cache(SOURCE, &options, NULL));
    CHECK_EQ_INT(chmod(at.cache, 0777), 0);
    fails(SOURCE, &options, NH_FILE, "chmod");
    CHECK_EQ_INT(chmod(at.cache, 0770), 0);
    fails(SOURCE, &options, NH_FILE, "chmod");
    CHECK_EQ_INT(chmod(at.cache, 0755), 0);
    CHECK(built_from_cache(SOURCE, &options, NULL));
    if (geteuid() == 0 && CHECK(chown(at.cache, 12345, 12345) == 0))
        fails(SOURCE, &options, NH_FILE, "another user");
    nh_native *native = NULL;
    if (geteuid() == 0)
        CHECK_EQ_INT(nh_native_find(SOURCE, strlen(SOURCE), &options, &native, NULL), NH_FILE);
}

/* Whatever happened to a file in the cache, it is never run and never trusted, but made again. */
TEST(damaged_builds)
{
    nh_native_options options = fresh();
    char key[33], file[PATH];
    CHECK(!built_from_cache(SOURCE, &options, key));
    place(file, "%s/%s.so", at.cache, key);
    struct stat info;
    if (!CHECK(stat(file, &info) == 0))
        return;
    CHECK_EQ_INT(info.st_mode & 0777, 0600);
    const off_t sizes[] = {0, 1, 20, 64, 1000, 4096, info.st_size / 2, info.st_size - 1};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        CHECK_EQ_INT(truncate(file, sizes[i]), 0);
        CHECK(!built_from_cache(SOURCE, &options, NULL));
        CHECK(built_from_cache(SOURCE, &options, NULL));
    }
    CHECK_EQ_INT(truncate(file, 0), 0); /* all zeros, as after a power cut */
    CHECK_EQ_INT(truncate(file, info.st_size), 0);
    CHECK(!built_from_cache(SOURCE, &options, NULL));
    FILE *bytes = fopen(file, "r+");
    if (CHECK(bytes)) { /* one bit */
        fseek(bytes, 700, SEEK_SET);
        int byte = fgetc(bytes);
        fseek(bytes, 700, SEEK_SET);
        fputc(byte ^ 1, bytes);
        fclose(bytes);
    }
    CHECK(!built_from_cache(SOURCE, &options, NULL));
    CHECK_EQ_INT(chmod(file, 0666), 0);
    CHECK(!built_from_cache(SOURCE, &options, NULL));
    CHECK_EQ_INT(unlink(file), 0);
    CHECK_EQ_INT(mkdir(file, 0700), 0);
    CHECK(!built_from_cache(SOURCE, &options, NULL));
    CHECK(built_from_cache(SOURCE, &options, NULL));
    CHECK_EQ_INT(count_files(at.cache, ""), 1);
}

/* A whole build under the name of another one. */
TEST(wrong_key)
{
    nh_native_options options = fresh();
    char one[33], two[33], from[PATH], to[PATH];
    CHECK(!built_from_cache(SOURCE, &options, one));
    CHECK(!built_from_cache("double twice(double x) { return 3 * x - x; }", &options, two));
    place(from, "%s/%s.so", at.cache, one);
    place(to, "%s/%s.so", at.cache, two);
    CHECK_EQ_INT(rename(from, to), 0);
    CHECK(!built_from_cache("double twice(double x) { return 3 * x - x; }", &options, NULL));
    CHECK(built_from_cache("double twice(double x) { return 3 * x - x; }", &options, NULL));
    CHECK(!built_from_cache(SOURCE, &options, NULL));
}

static int child_builds(const nh_native_options *options)
{
    for (int i = 0; i < 5; i++) {
        nh_native *native = NULL;
        if (nh_native_build(SOURCE, strlen(SOURCE), options, &native, NULL) != NH_OK)
            return 1;
        double value = ((function)nh_native_entry(native, "twice"))(i);
        nh_native_free(native);
        if (value != 2 * i)
            return 2;
    }
    return 0;
}

static void run_children(const nh_native_options *options)
{
    enum { COUNT = 4 };
    pid_t children[COUNT];
    fflush(stdout);
    for (int i = 0; i < COUNT; i++) {
        children[i] = fork();
        if (children[i] == 0)
            _exit(child_builds(options));
    }
    for (int i = 0; i < COUNT; i++) {
        int status = -1;
        CHECK_EQ_INT(waitpid(children[i], &status, 0), children[i]);
        CHECK_EQ_INT(status, 0);
    }
    CHECK_EQ_INT(count_files(at.cache, ""), 1);
}

/* From an empty cache, and from one with a damaged file that each of them wants to replace. */
TEST(processes_at_the_same_time)
{
    nh_native_options options = fresh();
    char key[33], file[PATH];
    run_children(&options);
    built_from_cache(SOURCE, &options, key);
    place(file, "%s/%s.so", at.cache, key);
    for (int i = 0; i < 3; i++) {
        CHECK_EQ_INT(truncate(file, 1000), 0);
        run_children(&options);
    }
    CHECK(built_from_cache(SOURCE, &options, NULL));
}

TEST(command_with_arguments)
{
    nh_native_options options = fresh();
    const char source[] = "double twice(double x) { return FACTOR * x; }";
    setenv("NONHOLO_CC", "  env\tcc  -DFACTOR=2 ", 1);
    CHECK(!built_from_cache(source, &options, NULL));
    CHECK(built_from_cache(source, &options, NULL));
    setenv("NONHOLO_CC", "cc", 1);
    options.compiler = "cc -DFACTOR=2"; /* the option wins */
    CHECK(!built_from_cache(source, &options, NULL));
    nh_native *native = build(source, &options);
    if (CHECK(native))
        CHECK(strstr(nh_native_record(native), "cc -DFACTOR=2)") != NULL);
    nh_native_free(native);
}

/* None of these may run anything, write anything, or end the program. */
TEST(strange_values)
{
    nh_native_options options = fresh();
    static char longest[200001], many[2001];
    char command[PATH];
    memset(longest, 'x', sizeof longest - 1);
    for (int i = 0; i < 1000; i++)
        memcpy(many + 2 * i, "a ", 3);
    place(command, "$(touch %.60s/x)", at.root);
    const char *bad[] = {command, "\"cc\"", "'cc'", "cc;true", "cc|cat", "`cc`",  "-x",
                         "\\",    ".",      "/",    "//",      "%s%n",   longest, many};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        setenv("NONHOLO_CC", bad[i], 1);
        fails(SOURCE, &options, NH_COMPILER, "NONHOLO_CC");
        options.target = bad[i];
        setenv("NONHOLO_CC", "cc", 1);
        nh_native *native = build(SOURCE, &options);
        CHECK(!native);
        options.target = NULL;
    }
    options.target = "native";
    fails(SOURCE, &options, NH_VALUE, "native");
    options.target = NULL;
    options.optimisation = "x";
    fails(SOURCE, &options, NH_VALUE, "flag");
    options.optimisation = many;
    fails(SOURCE, &options, NH_VALUE, "flag");
    options.optimisation = NULL;
    setenv("NONHOLO_CC", "cc $(touch x) ; &", 1);
    fails(SOURCE, &options, NH_COMPILER, "failed");
    setenv("NONHOLO_CC", "   ", 1); /* blank is as good as unset */
    CHECK(!built_from_cache(SOURCE, &options, NULL));
    CHECK_EQ_INT(count_files(at.root, "x"), 0);
    CHECK(access("x", F_OK) != 0);
}

TEST(where_the_cache_is)
{
    nh_native_options options = fresh();
    options.cache = NULL;
    char *home = saved("HOME"), *xdg = saved("XDG_CACHE_HOME");
    char odd[PATH], path[PATH];
    place(odd, "%s/a b'\"$(x)%%n;*", at.root);
    setenv("XDG_CACHE_HOME", odd, 1);
    CHECK(!built_from_cache(SOURCE, &options, NULL));
    CHECK_EQ_INT(count_files(place(path, "%s/nonholo", odd), ".so"), 1);
    CHECK(built_from_cache(SOURCE, NULL, NULL));
    setenv("XDG_CACHE_HOME", "not/absolute", 1); /* invalid: as if unset */
    setenv("HOME", at.root, 1);
    CHECK(!built_from_cache(SOURCE, &options, NULL));
    CHECK_EQ_INT(count_files(place(path, "%s/.cache/nonholo", at.root), ".so"), 1);
    setenv("XDG_CACHE_HOME", "", 1);
    CHECK(built_from_cache(SOURCE, &options, NULL));
    setenv("HOME", "", 1);
    fails(SOURCE, &options, NH_FILE, "HOME");
    unsetenv("HOME");
    unsetenv("XDG_CACHE_HOME");
    fails(SOURCE, &options, NH_FILE, "HOME");
    static char longest[100001] = "/";
    memset(longest + 1, 'y', sizeof longest - 2);
    setenv("XDG_CACHE_HOME", longest, 1);
    fails(SOURCE, &options, NH_FILE, "XDG_CACHE_HOME");
    restore("HOME", home);
    restore("XDG_CACHE_HOME", xdg);
}

/* The compiler's children go with it, and the program has no child left. */
TEST(a_compiler_that_hangs)
{
    nh_native_options options = fresh();
    char script[PATH], text[PATH], path[PATH];
    place(script, "%s/hang", at.root);
    place(text, "#!/bin/sh\nsleep 1000 &\necho $! > '%s.pid'\nwait\n", script);
    write_file(script, text, 0700);
    options.compiler = script;
    options.time_limit = 0.3;
    time_t begin = time(NULL);
    fails(SOURCE, &options, NH_COMPILER, "0.3 s");
    CHECK(time(NULL) - begin < 30);
    CHECK(waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD);
    FILE *file = fopen(place(path, "%s/hang.pid", at.root), "r");
    int pid = 0;
    if (CHECK(file))
        CHECK_EQ_INT(fscanf(file, "%d", &pid), 1);
    if (file)
        fclose(file);
    struct timespec pause = {0, 200000000};
    nanosleep(&pause, NULL);
    char state[64] = "gone";
    place(path, "/proc/%d/stat", pid);
    if ((file = fopen(path, "r"))) {
        CHECK(fscanf(file, "%*d %*s %60s", state) == 1);
        fclose(file);
    }
    CHECK(strcmp(state, "gone") == 0 || state[0] == 'Z'); /* dead; its new parent may be slow to notice */
    CHECK_EQ_INT(count_files(at.cache, ""), 0);
}

TEST(scratch_of_killed_builds)
{
    nh_native_options options = fresh();
    CHECK(!built_from_cache(SOURCE, &options, NULL));
    char stale[PATH], live[PATH], path[PATH];
    place(stale, "%s/tmp-AAAAAA", at.cache);
    place(live, "%s/tmp-BBBBBB", at.cache);
    CHECK(mkdir(stale, 0700) == 0 && mkdir(live, 0700) == 0);
    write_file(place(path, "%s/model.c", stale), "", 0600);
    CHECK(mkdir(place(path, "%s/more", stale), 0700) == 0 && symlink(at.root, place(path, "%s/link", stale)) == 0);
    struct timespec long_ago[2] = {{.tv_sec = time(NULL) - 90000}, {.tv_sec = time(NULL) - 90000}};
    CHECK_EQ_INT(utimensat(AT_FDCWD, stale, long_ago, 0), 0);
    CHECK(built_from_cache(SOURCE, &options, NULL));
    CHECK_EQ_INT(count_files(at.cache, "tmp-"), 2); /* a hit does not look */
    CHECK(!built_from_cache("double twice(double x) { return x * 2; }", &options, NULL));
    CHECK(access(stale, F_OK) != 0);
    CHECK(access(live, F_OK) == 0);
    CHECK(access(at.cache, F_OK) == 0);
    CHECK_EQ_INT(count_files(at.cache, ".so"), 2);
}

/* Old builds make room for new ones. The files have holes: they take no space. */
TEST(the_cache_has_a_limit)
{
    nh_native_options options = fresh();
    char key[33], used[PATH], path[PATH];
    CHECK(!built_from_cache(SOURCE, &options, key));
    place(used, "%s/%s.so", at.cache, key);
    for (int i = 0; i < 4; i++) { /* 400 MB; the last is the oldest */
        const struct timespec then[2] = {{.tv_sec = 1000 - i}, {.tv_sec = 1000 - i}};
        write_file(place(path, "%s/%032d.so", at.cache, i), "", 0600);
        CHECK(truncate(path, 100 << 20) == 0 && utimensat(AT_FDCWD, path, then, 0) == 0);
    }
    write_file(place(path, "%s/notes.so", at.cache), "not ours", 0600);
    const struct timespec old[2] = {{.tv_sec = 1}, {.tv_sec = 1}};
    CHECK_EQ_INT(utimensat(AT_FDCWD, used, old, 0), 0);
    CHECK(built_from_cache(SOURCE, &options, NULL)); /* and is young again */
    CHECK_EQ_INT(count_files(at.cache, ".so"), 6);
    CHECK(!built_from_cache("double twice(double x) { return x * 2; }", &options, NULL));
    CHECK_EQ_INT(count_files(at.cache, ".so"), 5);
    CHECK(access(used, F_OK) == 0 && access(place(path, "%s/%032d.so", at.cache, 0), F_OK) == 0);
    CHECK(access(place(path, "%s/%032d.so", at.cache, 3), F_OK) != 0);
}

/* A program that is told to end, and holds that back, does not wait for the compiler. */
TEST(a_compiler_is_stopped)
{
    nh_native_options options = fresh();
    char script[PATH];
    place(script, "%s/slow", at.root);
    write_file(script, "#!/bin/sh\nsleep 1000\n", 0700);
    options.compiler = script;
    sigset_t held, before;
    sigemptyset(&held);
    sigaddset(&held, SIGTERM);
    sigprocmask(SIG_BLOCK, &held, &before);
    kill(getpid(), SIGTERM);
    time_t begin = time(NULL);
    fails(SOURCE, &options, NH_COMPILER, "told to end");
    CHECK(time(NULL) - begin < 30);
    int number = 0;
    CHECK(sigwait(&held, &number) == 0 && number == SIGTERM); /* it is still ours */
    sigprocmask(SIG_SETMASK, &before, NULL);
    CHECK_EQ_INT(count_files(at.cache, ""), 0);
    options.compiler = NULL;
    CHECK(!built_from_cache(SOURCE, &options, NULL));
}

TEST(no_cache)
{
    nh_native_options options = fresh();
    options.no_cache = true;
    CHECK(!built_from_cache(SOURCE, &options, NULL));
    CHECK(!built_from_cache(SOURCE, &options, NULL));
    CHECK_EQ_INT(count_files(at.cache, ""), 0);
}

/* A program that ignores the end of its children, or blocks signals, still gets its builds. */
TEST(signals_of_the_program)
{
    nh_native_options options = fresh();
    struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
    sigaction(SIGCHLD, &ignore, &before);
    CHECK(!built_from_cache(SOURCE, &options, NULL));
    fails("nonsense", &options, NH_COMPILER, "output");
    CHECK(built_from_cache(SOURCE, &options, NULL));
    struct sigaction after;
    sigaction(SIGCHLD, &before, &after);
    CHECK(after.sa_handler == SIG_IGN);
}

TEST(nothing_is_left_open)
{
    nh_native_options options = fresh();
    int before = count_files("/proc/self/fd", "");
    CHECK(!built_from_cache(SOURCE, &options, NULL));
    CHECK(built_from_cache(SOURCE, &options, NULL));
    fails("nonsense", &options, NH_COMPILER, "error");
    options.cache = "/dev/null";
    fails(SOURCE, &options, NH_FILE, "");
    CHECK_EQ_INT(count_files("/proc/self/fd", ""), before);
    CHECK(waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD);
}

TEST(wrong_calls)
{
    nh_native *native = NULL;
    CHECK_EQ_INT(nh_native_build(NULL, 0, NULL, &native, NULL), NH_USAGE);
    CHECK_EQ_INT(nh_native_build("", 0, NULL, NULL, NULL), NH_USAGE);
    nh_native_options options = fresh();
    CHECK_EQ_INT(nh_native_build("", 0, &options, &native, NULL), NH_OK); /* empty, but right */
    nh_native_free(native);
}

TEST(target)
{
    const char *usual = nh_native_target(false), *wide = nh_native_target(true);
    CHECK(strcmp(usual, "native") != 0 && strcmp(usual, "x86-64-v4") != 0);
    CHECK(strcmp(usual, wide) == 0 || strcmp(wide, "x86-64-v4") == 0);
    nh_native_options options = fresh();
    options.target = wide;
    CHECK(!built_from_cache(SOURCE, &options, NULL));
}

static void begin(void)
{
    const char *base = getenv("TMPDIR");
    place(at.root, "%.400s/test_native-XXXXXX", base && *base ? base : "/tmp");
    CHECK(mkdtemp(at.root) != NULL);
}

static void end(void)
{
    char command[PATH];
    place(command, "rm -rf '%s'", at.root);
    CHECK_EQ_INT(system(command), 0);
}

TEST_MAIN(begin(), RUN(builds_and_calls), RUN(second_is_a_hit), RUN(what_the_code_depends_on_is_in_the_key),
          RUN(a_changed_compiler_is_another_compiler), RUN(gcc_and_clang), RUN(missing_compiler), RUN(failing_source),
          RUN(unusable_cache), RUN(cache_of_others), RUN(damaged_builds), RUN(wrong_key),
          RUN(processes_at_the_same_time), RUN(command_with_arguments), RUN(strange_values), RUN(where_the_cache_is),
          RUN(a_compiler_that_hangs), RUN(scratch_of_killed_builds), RUN(the_cache_has_a_limit),
          RUN(a_compiler_is_stopped), RUN(no_cache), RUN(signals_of_the_program), RUN(nothing_is_left_open),
          RUN(wrong_calls), RUN(target), end())
