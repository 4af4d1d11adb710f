/* SPDX-License-Identifier: MIT */
#include "tool.h"

#include <stdlib.h>
#include <string.h>

static int unknown(const char *name)
{
    int count = nh_method_count();
    const char **names = calloc((size_t)count + 1, sizeof *names);
    for (int i = 0; names && i < count; i++)
        names[i] = nh_method_name(i);
    tool_unknown("method", name, names, names ? count : 0, "nonholo methods");
    free(names);
    return TOOL_USAGE;
}

static int run(const tool_arguments *arguments)
{
    char *text = NULL;
    nh_error error = {0};
    const char *name = arguments->operands ? arguments->operand[0] : NULL;
    const nh_status status = nh_method_list(name, tool_format(arguments), &text, &error);
    if (status == NH_OK)
        return tool_output(text);
    return name && status == NH_NAME && !strchr(name, '(') ? unknown(name) : tool_error(&error);
}

const tool_command tool_methods = {
    .name = "methods",
    .summary = "the methods with their options, claims and citations",
    .operands = "[SPEC]",
    .help = "Lists the methods: what each of them is, the options that it takes, what it promises, where it comes\n"
            "from. With a name: that one. With options: what it promises with these, and what is measured of its\n"
            "coefficients, also of those in a file.\n"
            "\n"
            "examples:\n"
            "  nonholo methods\n"
            "  nonholo methods lobatto-ab\n"
            "  nonholo methods \"gauss(s=3)\"\n"
            "  nonholo methods \"spark(file=my-triple.txt)\"\n"
            "  nonholo methods --json\n",
    .options = OPTION_JSON,
    .least = 0,
    .most = 1,
    .run = run,
};
