/* SPDX-License-Identifier: MIT */
/* Finding and running the system's C compiler. */
#define _XOPEN_SOURCE 700
#include "native/compiler.h"

#include "base/process.h"
#include "base/status.h"
#include "base/text.h"
#include "native/cache.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
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

static nh_status judge(const nh_compiler *compiler, nh_process_end end, int code, double time_limit, nh_error *error)
{
    char text[128];
    switch (end) {
    case NH_PROCESS_MISSING:
    case NH_PROCESS_REFUSED:
        return nh_fail(error, NH_COMPILER, "cannot run the C compiler %.200s: %s; set NONHOLO_CC to another",
                       compiler->path, nh_errno_text(code, text));
    case NH_PROCESS_LATE:
        return nh_fail(error, NH_COMPILER, "the C compiler %.200s did not end within %g s; set NONHOLO_CC to another",
                       compiler->path, time_limit);
    case NH_PROCESS_STOPPED:
        return nh_fail(error, NH_COMPILER, "the C compiler was stopped, as this program was told to end");
    case NH_PROCESS_SIGNAL:
        return nh_fail(error, NH_COMPILER, "the C compiler %.200s was killed by signal %d; set NONHOLO_CC to another",
                       compiler->path, code);
    case NH_PROCESS_DONE:
        break;
    }
    return NH_OK;
}

static nh_status run(const nh_compiler *compiler, nh_process *process, const char *log, const char *directory,
                     nh_error *error)
{
    int code;
    char text[300];
    process->input = open("/dev/null", O_RDONLY | O_CLOEXEC);
    process->output = process->messages = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, S_IRUSR | S_IWUSR);
    nh_process_end end = NH_PROCESS_REFUSED;
    if (process->input >= 0 && process->output >= 0)
        end = nh_process_run(process, &code);
    else
        code = errno;
    nh_status status = judge(compiler, end, code, process->time_limit, error);
    if (status == NH_OK && code != 0) {
        first_complaint(log, directory, text, sizeof text);
        status = nh_fail(error, NH_COMPILER, "the C compiler %.150s failed: %s", compiler->path, text);
    }
    if (process->input >= 0)
        close(process->input);
    if (process->output >= 0)
        close(process->output);
    return status;
}

nh_status nh_compiler_run(const nh_compiler *compiler, const nh_words *arguments, const char *directory,
                          double time_limit, nh_error *error)
{
    nh_arena arena = {0};
    const char *command[2 * NH_WORDS + 1];
    size_t count = 0;
    for (size_t i = 0; i < compiler->command.count; i++)
        command[count++] = compiler->command.items[i];
    for (size_t i = 0; i < arguments->count; i++)
        command[count++] = arguments->items[i];
    command[count] = NULL;
    const char *log = nh_joined(&arena, directory, "/log", "");
    nh_process process = {
        .command = command, .environment = make_environment(directory, &arena), .time_limit = time_limit};
    nh_status status = log && process.environment ? run(compiler, &process, log, directory, error)
                                                  : nh_fail(error, NH_MEMORY, "out of memory");
    nh_arena_free(&arena);
    return status;
}
