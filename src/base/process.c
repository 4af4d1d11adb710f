/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700
#include "base/process.h"

#include "base/clock.h"
#include "base/hold.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

/* In a process group of its own, so that a kill reaches its children too, and with the default signals: the caller may
 * ignore SIGCHLD, a compiler that waits for its passes cannot. */
static void start_afresh(posix_spawnattr_t *attributes)
{
    static const int signals[] = {SIGCHLD, SIGPIPE, SIGHUP, SIGINT, SIGQUIT, SIGTERM};
    sigset_t none, usual;
    sigemptyset(&none);
    sigemptyset(&usual);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaddset(&usual, signals[i]);
    posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setpgroup(attributes, 0);
    posix_spawnattr_setsigdefault(attributes, &usual);
    posix_spawnattr_setsigmask(attributes, &none);
}

static int start_with(const nh_process *process, posix_spawn_file_actions_t *actions, posix_spawnattr_t *attributes,
                      pid_t *pid)
{
    char *const *environment = process->environment ? process->environment : environ;
    int code;
    start_afresh(attributes);
    if ((code = posix_spawn_file_actions_adddup2(actions, process->input, STDIN_FILENO)) == 0 &&
        (code = posix_spawn_file_actions_adddup2(actions, process->output, STDOUT_FILENO)) == 0 &&
        (code = posix_spawn_file_actions_adddup2(actions, process->messages, STDERR_FILENO)) == 0)
        /* execve's arguments are not const for historical reasons only; nobody writes to them. */
        code =
            posix_spawnp(pid, process->command[0], actions, attributes, (char *const *)process->command, environment);
    return code;
}

/* Where the caller has closed its standard streams, files get their numbers, and moving one to its place would close
 * another: the spawn is given copies with higher numbers. */
static bool copy_streams(const nh_process *process, nh_process *out)
{
    *out = *process;
    out->input = fcntl(process->input, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    out->output = fcntl(process->output, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    out->messages = fcntl(process->messages, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    return out->input >= 0 && out->output >= 0 && out->messages >= 0;
}

static void close_streams(const nh_process *copy)
{
    const int files[] = {copy->input, copy->output, copy->messages};
    for (int i = 0; i < 3; i++)
        if (files[i] >= 0)
            close(files[i]);
}

static int start(const nh_process *process, pid_t *pid)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int code = posix_spawn_file_actions_init(&actions);
    if (code != 0)
        return code;
    code = posix_spawnattr_init(&attributes);
    if (code == 0) {
        code = start_with(process, &actions, &attributes, pid);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return code;
}

static void end_all(pid_t pid, int *status)
{
    kill(-pid, SIGKILL);
    kill(pid, SIGKILL);
    while (waitpid(pid, status, 0) < 0 && errno == EINTR)
        continue;
}

/* Asks every half millisecond: waiting for a signal would need a handler, which is the program's to set. Where the
 * program ignores SIGCHLD, or reaps every child itself, the status is lost: success is then for the output to tell. */
static nh_process_end wait_for(pid_t pid, double time_limit, int *status)
{
    const struct timespec pause = {0, 500000};
    const double end = nh_clock() + time_limit;
    bool stop = false;
    *status = 0;
    while (!stop && nh_clock() <= end) {
        const pid_t answer = waitpid(pid, status, WNOHANG);
        if (answer == pid || (answer < 0 && errno != EINTR)) {
            *status = answer == pid ? *status : 0;
            return WIFSIGNALED(*status) ? NH_PROCESS_SIGNAL : NH_PROCESS_DONE;
        }
        nanosleep(&pause, NULL);
        stop = nh_hold_wanted();
    }
    end_all(pid, status);
    return stop ? NH_PROCESS_STOPPED : NH_PROCESS_LATE;
}

nh_process_end nh_process_run(const nh_process *process, int *code)
{
    pid_t pid = 0;
    int status = 0;
    nh_process copy;
    *code = copy_streams(process, &copy) ? start(&copy, &pid) : errno;
    close_streams(&copy);
    if (*code == ENOENT || *code == EACCES || *code == ENOTDIR)
        return NH_PROCESS_MISSING;
    if (*code != 0)
        return NH_PROCESS_REFUSED;
    const nh_process_end end = wait_for(pid, process->time_limit, &status);
    *code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
    return end;
}
