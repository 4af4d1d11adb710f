/* SPDX-License-Identifier: MIT */
#include "tool.h"

#include <stdlib.h>

static int unknown(const char *name)
{
    int count = nh_catalogue_count();
    const char **names = calloc((size_t)count + 1, sizeof *names);
    for (int i = 0; names && i < count; i++)
        names[i] = nh_catalogue_name(i);
    tool_unknown("model", name, names, names ? count : 0, "nonholo models");
    free(names);
    return TOOL_USAGE;
}

static int run(const tool_arguments *arguments)
{
    char *text = NULL;
    nh_error error = {0};
    if (arguments->operands) {
        const char *file = nh_catalogue_text(arguments->operand[0]);
        if (!file)
            return unknown(arguments->operand[0]);
        fputs(file, stdout);
        return TOOL_DONE;
    }
    if (nh_catalogue_list(tool_format(arguments), &text, &error) == NH_OK)
        return tool_output(text);
    tool_error(&error);
    return TOOL_FAILED;
}

const tool_command tool_models = {
    .name = "models",
    .summary = "the catalogue, or the file of one of its models",
    .operands = "[NAME]",
    .help = "Lists the models of the catalogue: name, kind of system, number n of coordinates, number m of velocity\n"
            "constraints (+ holonomic ones), title. With a name: writes the file of that model.\n"
            "\n"
            "examples:\n"
            "  nonholo models\n"
            "  nonholo models sleigh > my.nh\n",
    .options = OPTION_JSON,
    .least = 0,
    .most = 1,
    .run = run,
};
