/* SPDX-License-Identifier: MIT */
/* Finding and running the system's C compiler. */
#define _XOPEN_SOURCE 700
#include "native/compiler.h"

#include "base/status.h"
#include "base/text.h"
#include "native/cache.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static const char BLANKS[] = " \t\r\n";

void nh_words_add(nh_words *words, const char *word)
{
    if (words->count < NH_WORDS)
        words->items[words->count++] = word;
    else
        words->full = true;
}

void nh_words_split(nh_words *words, nh_arena *arena, const char *text)
{
    for (text += strspn(text, BLANKS); *text; text += strspn(text, BLANKS)) {
        size_t length = strcspn(text, BLANKS);
        const char *word = nh_arena_text(arena, text, length);
        if (!word)
            return;
        nh_words_add(words, word);
        text += length;
    }
}

static bool is_program(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode) && access(path, X_OK) == 0;
}

/* The path of a program as a shell would find it, except that an empty piece of the PATH does not mean the working
 * directory: what is run must not depend on where it is run. NULL if there is none. */
static const char *find_program(const char *name, nh_arena *arena)
{
    if (strchr(name, '/'))
        return is_program(name) ? name : NULL;
    const char *place = getenv("PATH");
    if (!place)
        place = "/usr/local/bin:/usr/bin:/bin";
    nh_text path = {0};
    const char *found = NULL;
    while (*place && !found) {
        size_t length = strcspn(place, ":");
        path.length = 0;
        nh_text_bytes(&path, place, length);
        nh_text_add(&path, "/%s", name);
        if (length > 0 && !path.failed && is_program(nh_text_get(&path)))
            found = nh_arena_text(arena, nh_text_get(&path), path.length);
        place += length + (place[length] == ':');
    }
    nh_text_free(&path);
    return found;
}

/* A program is told by its resolved path, size and time of change: asking it for its version would cost more than
 * all the rest of a cache hit. */
static void describe_program(const char *path, nh_text *identity)
{
    struct stat info;
    char *real = realpath(path, NULL);
    if (real && stat(real, &info) == 0)
        nh_text_add(identity, "%s %s %lld %lld.%09ld\n", path, real, (long long)info.st_size,
                    (long long)info.st_mtim.tv_sec, (long)info.st_mtim.tv_nsec);
    else
        nh_text_add(identity, "%s\n", path);
    free(real);
}

/* Each word may name a program: in "ccache gcc" it is the second that makes the code. */
static void describe(nh_compiler *compiler, nh_arena *arena)
{
    nh_text identity = {0};
    char *real = realpath(compiler->command.items[0], NULL);
    const char *path = real ? real : compiler->command.items[0];
    compiler->path = nh_arena_text(arena, path, strlen(path));
    free(real);
    for (size_t i = 0; i < compiler->command.count; i++) {
        const char *word = compiler->command.items[i];
        const char *program = word[0] == '-' ? NULL : find_program(word, arena);
        nh_text_add(&identity, "%s\n", word);
        if (program)
            describe_program(program, &identity);
    }
    compiler->identity = nh_arena_text(arena, nh_text_get(&identity), identity.length);
    arena->failed = arena->failed || identity.failed;
    nh_text_free(&identity);
}

static nh_status find_default(nh_arena *arena, nh_compiler *out, nh_error *error)
{
    static const char *const names[] = {"cc", "gcc", "clang"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *path = find_program(names[i], arena);
        if (path) {
            nh_words_add(&out->command, path);
            return NH_OK;
        }
    }
    return nh_fail(error, NH_COMPILER, "no C compiler: install cc, gcc or clang, or set NONHOLO_CC");
}

nh_status nh_compiler_find(const char *command, nh_arena *arena, nh_compiler *out, nh_error *error)
{
    *out = (nh_compiler){0};
    if (command)
        nh_words_split(&out->command, arena, command);
    const char *variable = out->command.count == 0 ? getenv("NONHOLO_CC") : NULL;
    if (variable)
        nh_words_split(&out->command, arena, variable);
    if (out->command.full)
        return nh_fail(error, NH_COMPILER, "the compiler command has more than %d words: set NONHOLO_CC to fewer",
                       NH_WORDS);
    if (out->command.count == 0) {
        nh_status status = find_default(arena, out, error);
        if (status != NH_OK)
            return status;
    }
    const char *name = out->command.items[0];
    out->command.items[0] = find_program(name, arena);
    if (!out->command.items[0])
        return nh_fail(error, NH_COMPILER, "no C compiler: %.200s is not a program; set NONHOLO_CC to one", name);
    describe(out, arena);
    return arena->failed ? nh_fail(error, NH_MEMORY, "out of memory") : NH_OK;
}

/* Our environment, but: temporary files go where they are cleared away, and messages are in plain English. */
static char **make_environment(const char *directory, nh_arena *arena)
{
    size_t count = 0, kept = 0;
    while (environ && environ[count])
        count++;
    char **list = NH_NEW(arena, char *, count + 3);
    nh_text variable = {0};
    nh_text_add(&variable, "TMPDIR=%s", directory);
    char *temporary = nh_arena_text(arena, nh_text_get(&variable), variable.length);
    bool failed = variable.failed;
    nh_text_free(&variable);
    char *language = nh_arena_text(arena, "LC_ALL=C", 8);
    if (!list || !temporary || !language || failed)
        return NULL;
    for (size_t i = 0; i < count; i++)
        if (strncmp(environ[i], "TMPDIR=", 7) != 0 && strncmp(environ[i], "LC_ALL=", 7) != 0)
            list[kept++] = environ[i];
    list[kept++] = temporary;
    list[kept++] = language;
    return list;
}

/* Starts the program in a process group of its own, so that a time limit reaches the compiler's children too, and
 * with the default signals: the caller may ignore SIGCHLD, a compiler that waits for its passes cannot. */
static int start(char *const *command, char **environment, const char *log, pid_t *pid)
{
    static const int signals[] = {SIGCHLD, SIGPIPE, SIGHUP, SIGINT, SIGQUIT, SIGTERM};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int code = posix_spawn_file_actions_init(&actions);
    if (code != 0)
        return code;
    code = posix_spawnattr_init(&attributes);
    if (code != 0) {
        posix_spawn_file_actions_destroy(&actions);
        return code;
    }
    sigset_t none, usual;
    sigemptyset(&none);
    sigemptyset(&usual);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaddset(&usual, signals[i]);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setsigdefault(&attributes, &usual);
    posix_spawnattr_setsigmask(&attributes, &none);
    if ((code = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)) == 0 &&
        (code = posix_spawn_file_actions_addopen(&actions, 1, log, O_WRONLY | O_CREAT | O_APPEND, 0600)) == 0 &&
        (code = posix_spawn_file_actions_adddup2(&actions, 1, 2)) == 0)
        code = posix_spawn(pid, command[0], &actions, &attributes, command, environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return code;
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Waits for the end of a process; false if it had to be killed. It asks every half millisecond: waiting for a signal
 * would need a handler, which is the program's to set. Where the program ignores SIGCHLD, or reaps every child itself,
 * the status is lost: success is then for the output to tell. */
static bool wait_for(pid_t pid, double time_limit, int *status)
{
    const struct timespec pause = {0, 500000};
    double end = now() + time_limit;
    *status = 0;
    for (;;) {
        pid_t answer = waitpid(pid, status, WNOHANG);
        if (answer == pid)
            return true;
        if (answer < 0 && errno != EINTR) {
            *status = 0;
            return true;
        }
        if (now() > end)
            break;
        nanosleep(&pause, NULL);
    }
    kill(-pid, SIGKILL);
    kill(pid, SIGKILL);
    while (waitpid(pid, status, 0) < 0 && errno == EINTR)
        continue;
    return false;
}

/* What the compiler said: its first line with an error in the source, else its first line. Without the path of the
 * scratch directory, which is gone by the time anybody reads this. */
static void first_complaint(const char *log, const char *directory, char *complaint, size_t size)
{
    FILE *file = fopen(log, "re");
    char *line = NULL;
    size_t capacity = 0, prefix = strlen(directory);
    snprintf(complaint, size, "no message");
    for (bool first = true, found = false; file && !found && getline(&line, &capacity, file) > 0; first = false) {
        bool inside = strncmp(line, directory, prefix) == 0 && line[prefix] == '/';
        found = inside && strstr(line, "error") != NULL;
        line[strcspn(line, "\n")] = '\0';
        if (first || found)
            snprintf(complaint, size, "%s", inside ? line + prefix + 1 : line);
    }
    free(line);
    if (file)
        fclose(file);
}

static nh_status judge(const nh_compiler *compiler, int status, const char *log, const char *directory, nh_error *error)
{
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return NH_OK;
    if (WIFSIGNALED(status))
        return nh_fail(error, NH_COMPILER, "the C compiler %.200s was killed by signal %d; set NONHOLO_CC to another",
                       compiler->path, WTERMSIG(status));
    char line[300];
    first_complaint(log, directory, line, sizeof line);
    return nh_fail(error, NH_COMPILER, "the C compiler %.150s failed: %s", compiler->path, line);
}

nh_status nh_compiler_run(const nh_compiler *compiler, const nh_words *arguments, const char *directory,
                          double time_limit, nh_error *error)
{
    nh_arena arena = {0};
    char *command[2 * NH_WORDS + 1], text[128];
    size_t count = 0;
    /* execve's arguments are not const for historical reasons only; nobody writes to them. */
    for (size_t i = 0; i < compiler->command.count; i++)
        command[count++] = (char *)compiler->command.items[i];
    for (size_t i = 0; i < arguments->count; i++)
        command[count++] = (char *)arguments->items[i];
    command[count] = NULL;
    nh_text log = {0};
    nh_text_add(&log, "%s/log", directory);
    char **environment = make_environment(directory, &arena);
    pid_t pid = 0;
    int code = environment && !log.failed ? start(command, environment, nh_text_get(&log), &pid) : ENOMEM;
    int result = 0;
    nh_status status;
    if (code != 0)
        status = nh_fail(error, NH_COMPILER, "cannot run the C compiler %.200s: %s; set NONHOLO_CC to another",
                         compiler->path, nh_errno_text(code, text));
    else if (!wait_for(pid, time_limit, &result))
        status = nh_fail(error, NH_COMPILER, "the C compiler %.200s did not end within %g s; set NONHOLO_CC to another",
                         compiler->path, time_limit);
    else
        status = judge(compiler, result, nh_text_get(&log), directory, error);
    nh_text_free(&log);
    nh_arena_free(&arena);
    return status;
}
