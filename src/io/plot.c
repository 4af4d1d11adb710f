/* SPDX-License-Identifier: MIT */
/* A figure as a file: the script is handed to gnuplot, whose standard output is the picture. */
#define _XOPEN_SOURCE 700

#include "base/hold.h"
#include "base/output.h"
#include "base/process.h"
#include "base/status.h"
#include "io/letters.h"
#include "io/script.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const double SECONDS_MOST = 120;

static bool picture_of(const char *path, nh_picture *out)
{
    static const char *const endings[] = {".svg", ".png", ".pdf", ".gp"};
    const char *dot = strrchr(path, '.');
    for (int i = 0; dot && i < 4; i++)
        if (!strcmp(dot, endings[i])) {
            *out = (nh_picture)i;
            return true;
        }
    return false;
}

/* Is the picture's end there? gnuplot does not notice when a disk is full. */
static bool is_complete(int file, nh_picture picture)
{
    static const char *const ends[] = {"</svg>", "IEND", "%%EOF"};
    char tail[33] = {0};
    off_t size = lseek(file, 0, SEEK_END);
    off_t start = size > 32 ? size - 32 : 0;
    ssize_t got = size > 0 ? pread(file, tail, 32, start) : 0;
    size_t length = strlen(ends[picture]);
    for (ssize_t i = 0; i + (ssize_t)length <= got; i++)
        if (!memcmp(tail + i, ends[picture], length))
            return true;
    return false;
}

/* The last line of what gnuplot said: the lines before it repeat the script. */
static void last_message(FILE *messages, char *out, size_t size)
{
    char line[512];
    snprintf(out, size, "no message");
    rewind(messages);
    while (fgets(line, sizeof line, messages)) {
        line[strcspn(line, "\n")] = '\0';
        const char *place = strstr(line, "/dev/stdin\" "), *text = place ? strchr(place, ' ') : line;
        text += strspn(text, " \t");
        if (*text)
            snprintf(out, size, "%s", text);
    }
}

static nh_status judge(nh_process_end end, int code, const char *path, FILE *messages, nh_error *error)
{
    char text[256];
    switch (end) {
    case NH_PROCESS_MISSING:
        return nh_fail(error, NH_FILE,
                       "cannot draw %.200s: there is no gnuplot; install it (Debian: gnuplot-nox), or write a .gp file",
                       path);
    case NH_PROCESS_REFUSED:
        return nh_fail(error, NH_FILE, "cannot run gnuplot: %s", nh_errno_text(code, text));
    case NH_PROCESS_LATE:
        return nh_fail(error, NH_FILE, "gnuplot did not draw %.200s within %g s", path, SECONDS_MOST);
    case NH_PROCESS_SIGNAL:
        return nh_fail(error, NH_FILE, "gnuplot was killed by signal %d", code);
    case NH_PROCESS_STOPPED:
        return nh_fail(error, NH_FILE, "gnuplot was stopped, as this program was told to end");
    case NH_PROCESS_DONE:
        break;
    }
    if (code == 0)
        return NH_OK;
    last_message(messages, text, sizeof text);
    return nh_fail(error, NH_FILE, "gnuplot failed to draw %.150s: %s", path, text);
}

/* A file without a name, which goes away with its descriptor. */
static FILE *scratch(void)
{
    FILE *file = tmpfile();
    if (file)
        (void)fcntl(fileno(file), F_SETFD, FD_CLOEXEC);
    return file;
}

static nh_status draw(const nh_text *script, nh_picture picture, const nh_output *output, nh_error *error)
{
    /* -d: without the user's own settings. As a file standard input is read fifty times faster than as "-". */
    static const char *const command[] = {"gnuplot", "-d", "/dev/stdin", NULL};
    char text[128];
    FILE *input = scratch(), *messages = scratch();
    int code = input && messages ? nh_output_bytes(fileno(input), script->data, script->length) : errno;
    if (code == 0 && lseek(fileno(input), 0, SEEK_SET) != 0)
        code = errno;
    nh_status status;
    if (code != 0) {
        status = nh_fail(error, NH_FILE, "cannot write a temporary file: %s", nh_errno_text(code, text));
    } else {
        const nh_process process = {.command = command,
                                    .input = fileno(input),
                                    .output = output->file,
                                    .messages = fileno(messages),
                                    .time_limit = SECONDS_MOST};
        nh_process_end end = nh_process_run(&process, &code);
        status = judge(end, code, output->path, messages, error);
        if (status == NH_OK && !is_complete(output->file, picture))
            status = nh_fail(error, NH_FILE, "cannot write %.200s: gnuplot's picture is cut off; is the disk full?",
                             output->path);
    }
    if (input)
        fclose(input);
    if (messages)
        fclose(messages);
    return status;
}

static nh_status fill(const nh_text *script, nh_picture picture, const nh_output *output, nh_error *error)
{
    char text[128];
    if (picture != NH_PICTURE_SCRIPT)
        return draw(script, picture, output, error);
    const int code = nh_output_bytes(output->file, script->data, script->length);
    return code == 0 ? NH_OK
                     : nh_fail(error, NH_FILE, "cannot write %.200s: %s", output->path, nh_errno_text(code, text));
}

/* Whoever is told to end meanwhile clears away before. */
static nh_status write_picture(const nh_text *script, nh_picture picture, const char *path, nh_error *error)
{
    nh_output output;
    nh_hold hold;
    nh_hold_begin(&hold);
    nh_status status = nh_output_begin(path, &output, error);
    if (status == NH_OK) {
        status = fill(script, picture, &output, error);
        if (status == NH_OK)
            status = nh_output_commit(&output, error);
        else
            nh_output_abandon(&output);
    }
    nh_hold_end(&hold);
    return status;
}

nh_status nh_figure_write(const nh_figure *figure, const char *path, nh_error *error)
{
    nh_picture picture;
    nh_status status = nh_figure_status(figure, error);
    if (status != NH_OK)
        return status;
    if (figure->count == 0)
        return nh_fail(error, NH_USAGE, "the figure has no panel");
    if (!picture_of(path, &picture))
        return nh_fail(error, NH_USAGE, "cannot draw %.200s: a picture's name ends in .svg, .png, .pdf or .gp", path);
    nh_text script = {0};
    nh_script_write(figure, picture, &script);
    status = script.failed ? nh_fail(error, NH_MEMORY, "out of memory") : write_picture(&script, picture, path, error);
    nh_text_free(&script);
    return status;
}
