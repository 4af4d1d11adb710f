/* SPDX-License-Identifier: MIT */
#include "tool.h"

static int run(const tool_arguments *arguments)
{
    int exit_code, well_posed = 0;
    char *text = NULL;
    nh_error error = {0};
    nh_model *model = tool_load(arguments, &exit_code);
    if (!model)
        return exit_code;
    if (nh_check(model, tool_format(arguments), &well_posed, &text, &error) != NH_OK) {
        tool_error(&error);
    } else if (arguments->quiet) {
        nh_text_release(text);
    } else {
        tool_output(text);
    }
    nh_model_free(model);
    return well_posed ? TOOL_DONE : TOOL_FAILED;
}

const tool_command tool_check = {
    .name = "check",
    .summary = "is a model well posed? exit code 0 or 1, and why",
    .operands = "MODEL",
    .help = "Checks that the equations can be solved for the accelerations, that the initial data satisfy the\n"
            "constraints (and proposes data that do), that the derivatives are right, that invariants are\n"
            "conserved, that symmetries are symmetries, and that the exact solution is one. All in quadruple\n"
            "precision, at the initial point and at points near it.\n"
            "\n"
            "examples:\n"
            "  nonholo check sleigh\n"
            "  nonholo check my.nh --initial \"x'=1\"\n"
            "  nonholo check my.nh --quiet && echo good\n",
    .options = OPTION_MODEL | OPTION_JSON | OPTION_QUIET,
    .least = 1,
    .most = 1,
    .run = run,
};
