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
    return error->status == NH_MEMORY ? TOOL_FAILED : TOOL_USAGE;
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

int tool_output(char *text)
{
    fputs(text, stdout); /* errors are sticky, and looked at in the end */
    nh_text_release(text);
    return TOOL_DONE;
}

/* ---- Models ---- */

/* All of standard input; NULL when it cannot be read. */
static char *read_input(unsigned long *length)
{
    size_t size = 0, room = 0, got = 1;
    char *text = NULL;
    for (; got > 0; size += got) {
        if (size == room) {
            char *larger = realloc(text, room = 2 * room + 4096);
            if (!larger)
                break;
            text = larger;
        }
        got = fread(text + size, 1, room - size, stdin);
    }
    if (got > 0 || ferror(stdin)) {
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

nh_format tool_format(const tool_arguments *a)
{
    return a->json ? NH_FORMAT_JSON : a->latex ? NH_FORMAT_LATEX : NH_FORMAT_TEXT;
}
