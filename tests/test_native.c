/* SPDX-License-Identifier: MIT */
/* Native builds: compilers that work, fail, hang or are not there, and nothing left behind. */
#define _XOPEN_SOURCE 700
#include "builds.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>

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

TEST_MAIN(begin(), RUN(builds_and_calls), RUN(a_changed_compiler_is_another_compiler), RUN(gcc_and_clang),
          RUN(missing_compiler), RUN(failing_source), RUN(command_with_arguments), RUN(strange_values),
          RUN(a_compiler_that_hangs), RUN(a_compiler_is_stopped), RUN(signals_of_the_program),
          RUN(nothing_is_left_open), RUN(wrong_calls), RUN(target), end())
