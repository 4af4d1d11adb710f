/* SPDX-License-Identifier: MIT */
/* The cache of native builds: what is found again, refused where it cannot be trusted, and removed. */
#define _XOPEN_SOURCE 700
#include "builds.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <time.h>

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

TEST(no_cache)
{
    nh_native_options options = fresh();
    options.no_cache = true;
    CHECK(!built_from_cache(SOURCE, &options, NULL));
    CHECK(!built_from_cache(SOURCE, &options, NULL));
    CHECK_EQ_INT(count_files(at.cache, ""), 0);
}

TEST_MAIN(begin(), RUN(second_is_a_hit), RUN(what_the_code_depends_on_is_in_the_key), RUN(unusable_cache),
          RUN(cache_of_others), RUN(damaged_builds), RUN(wrong_key), RUN(processes_at_the_same_time),
          RUN(where_the_cache_is), RUN(scratch_of_killed_builds), RUN(the_cache_has_a_limit), RUN(no_cache), end())
