/* SPDX-License-Identifier: MIT */
#include "tool.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void tool_complain(const char *format, ...)
{
    va_list arguments;
    fprintf(stderr, "nonholo: ");
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fprintf(stderr, "\n");
}

int tool_error(const nh_error *error)
{
    char message[2048];
    nh_error_format(error, message, sizeof message);
    tool_complain("%s", message);
    return error->status == NH_MEMORY || error->status == NH_CONVERGENCE ? TOOL_FAILED : TOOL_USAGE;
}

int tool_unknown(const char *what, const char *word, const char *const *list, int count, const char *advice)
{
    const char *nearest = nh_nearest(word, list, count);
    if (nearest)
        tool_complain("unknown %s '%s'; did you mean '%s'?", what, word, nearest);
    else
        tool_complain("unknown %s '%s'; see '%s'", what, word, advice);
    return TOOL_USAGE;
}

bool tool_ends_in(const char *path, const char *ending)
{
    const size_t length = strlen(path), tail = strlen(ending);
    return length > tail && !strcmp(path + length - tail, ending);
}

static int write_to(FILE *file, char *text)
{
    fputs(text, file); /* errors are sticky, and looked at in the end */
    nh_text_release(text);
    return TOOL_DONE;
}

int tool_output(char *text)
{
    return write_to(stdout, text);
}

bool tool_streams(const tool_arguments *a)
{
    return a->output && !strcmp(a->output, "-");
}

int tool_report(const tool_arguments *a, char *text)
{
    return write_to(tool_streams(a) ? stderr : stdout, text);
}

/* ---- Models ---- */

/* All of standard input, or more than the library takes; NULL when it cannot be read. */
static char *read_input(unsigned long *length)
{
    const size_t most = 1 << 27;
    size_t size = 0, room = 0, got = 1;
    char *text = NULL;
    for (; got > 0 && size < most; size += got) {
        if (size == room) {
            char *larger = realloc(text, room = 2 * room + 4096);
            if (!larger)
                break;
            text = larger;
        }
        got = fread(text + size, 1, room - size, stdin);
    }
    if ((got > 0 && size < most) || ferror(stdin)) {
        tool_complain("cannot read standard input: %s", strerror(errno));
        free(text);
        return NULL;
    }
    *length = size;
    return text;
}

static nh_model *parse_input(const nh_model_options *options, int *exit_code)
{
    unsigned long length;
    nh_model *model = NULL;
    nh_error error = {0};
    char *text = read_input(&length);
    *exit_code = TOOL_FAILED;
    if (text && nh_model_parse(text, length, "standard input", options, &model, &error) != NH_OK)
        *exit_code = tool_error(&error);
    free(text);
    return model;
}

nh_model *tool_load(const tool_arguments *a, int *exit_code)
{
    nh_model_options options = {a->set, a->set_count, a->initial, a->initial_count};
    nh_model *model = NULL;
    nh_error error = {0};
    if (!strcmp(a->operand[0], "-"))
        return parse_input(&options, exit_code);
    if (nh_model_load(a->operand[0], &options, &model, &error) != NH_OK)
        *exit_code = tool_error(&error);
    return model;
}

/* ---- Simulations ---- */

/* The number of the word in the list; -1, with a complaint, if it is not there. */
static int choose(const char *what, const char *word, const char *const *list, int count)
{
    for (int i = 0; i < count; i++)
        if (!strcmp(word, list[i]))
            return i;
    tool_unknown(what, word, list, count, "nonholo run --help");
    return -1;
}

bool tool_run_fits(const tool_arguments *a)
{
    if (a->steps >= 0 && a->until)
        tool_complain("--steps and --until cannot be given together");
    else if (tool_streams(a) && a->json)
        tool_complain("--output - and --json would both write to standard output");
    else
        return true;
    return false;
}

static bool dynamics_fit(const tool_arguments *a)
{
    static const char *const words[] = {"nonholonomic", "vakonomic", "both"};
    const int dynamics = a->dynamics ? choose("dynamics", a->dynamics, words, 3) : 0;
    if (dynamics > 0)
        tool_complain("--dynamics %s: this version has nonholonomic dynamics alone", a->dynamics);
    return dynamics == 0;
}

bool tool_sim_options(const tool_arguments *a, nh_sim_options *out)
{
    static const char *const backends[] = {"auto", "tape", "native"}, *const precisions[] = {"double", "quad"};
    const int backend = a->backend ? choose("backend", a->backend, backends, 3) : NH_BACKEND_AUTO;
    const int precision = a->precision ? choose("precision", a->precision, precisions, 2) : NH_PRECISION_DOUBLE;
    if (backend < 0 || precision < 0 || !dynamics_fit(a))
        return false;
    *out = nh_sim_options_default();
    out->method = a->method;
    out->step = a->step;
    out->start = a->from_time;
    out->backend = (nh_backend_choice)backend;
    out->precision = (nh_precision)precision;
    out->project = a->project;
    if (a->audit >= 0)
        out->audit = a->audit;
    return true;
}

nh_format tool_format(const tool_arguments *a)
{
    return a->json ? NH_FORMAT_JSON : a->latex ? NH_FORMAT_LATEX : NH_FORMAT_TEXT;
}
