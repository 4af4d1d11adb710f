/* SPDX-License-Identifier: MIT */
#include "tool.h"

static int run(const tool_arguments *arguments)
{
    int exit_code;
    char *text = NULL;
    nh_error error = {0};
    if (arguments->json && arguments->latex) {
        tool_complain("--json and --latex cannot be given together");
        return TOOL_USAGE;
    }
    nh_model *model = tool_load(arguments, &exit_code);
    if (!model)
        return exit_code;
    if (nh_describe(model, tool_format(arguments), &text, &error) == NH_OK)
        exit_code = tool_output(text);
    else
        tool_error(&error), exit_code = TOOL_FAILED;
    nh_model_free(model);
    return exit_code;
}

const tool_command tool_describe = {
    .name = "describe",
    .summary = "what a model is: sizes, classification, derived equations",
    .operands = "MODEL",
    .help = "Tells the sizes of a model, the class of each constraint, whether the system is regular, whether its\n"
            "constraints can be integrated, whether energy is conserved, and shows the equations of motion that\n"
            "follow from the Lagrangian and the constraints.\n"
            "\n"
            "examples:\n"
            "  nonholo describe sleigh\n"
            "  nonholo describe mp-particles --set m=100\n"
            "  nonholo describe my.nh --latex > equations.tex\n"
            "  nonholo describe disk --json | python3 -m json.tool\n",
    .options = OPTION_MODEL | OPTION_JSON | OPTION_LATEX,
    .least = 1,
    .most = 1,
    .run = run,
};
