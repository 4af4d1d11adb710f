/* SPDX-License-Identifier: MIT */
/* The commands converge and compare: the same measurements, looked at for their order and for their work. */
#include "tool.h"

#include <stdlib.h>
#include <string.h>

/* ---- What both do ---- */

static nh_status count_steps(const tool_arguments *a, const nh_model *model, const nh_sim_options *options,
                             long long *steps, nh_error *error)
{
    nh_sim *sim = NULL;
    nh_sim_options first = *options;
    first.backend = NH_BACKEND_TAPE;
    *steps = a->steps;
    if (a->steps >= 0)
        return NH_OK;
    nh_status status = nh_sim_new(model, &first, &sim, error);
    if (status == NH_OK)
        status = nh_sim_steps_until(sim, a->until, steps, error);
    nh_sim_free(sim);
    return status;
}

static int print(const tool_arguments *a, nh_measurements *list, nh_measure_table table)
{
    char *text = NULL;
    nh_error error = {0};
    bool failed = false;
    for (int i = 0; i < nh_measurements_count(list); i++)
        failed |= nh_measurements_get(list, i)->status != NH_OK;
    nh_status status = nh_measurements_print(list, table, tool_format(a), &text, &error);
    nh_measurements_free(list);
    if (status != NH_OK)
        return tool_error(&error);
    if (a->quiet && !a->json)
        free(text);
    else
        tool_output(text);
    return failed ? TOOL_FAILED : TOOL_DONE;
}

static int measure(const tool_arguments *a, const nh_sim_options *options, const char *const *methods, int count,
                   int halvings, nh_measure_table table)
{
    int exit_code;
    nh_error error = {0};
    long long steps;
    nh_measurements *list = NULL;
    if (!tool_run_fits(a))
        return TOOL_USAGE;
    nh_model *model = tool_load(a, &exit_code);
    if (!model)
        return exit_code;
    nh_status status = count_steps(a, model, options, &steps, &error);
    if (status == NH_OK)
        status = nh_measure(model, options, methods, count, steps, halvings, &list, &error);
    exit_code = status == NH_OK ? print(a, list, table) : tool_error(&error);
    nh_model_free(model);
    return exit_code;
}

static int halvings(const tool_arguments *a, int usual)
{
    return a->halvings < 0 ? usual : a->halvings > 1000 ? 1000 : (int)a->halvings;
}

/* ---- converge ---- */

static int converge(const tool_arguments *arguments)
{
    nh_sim_options options;
    if (!tool_sim_options(arguments, &options))
        return TOOL_USAGE;
    return measure(arguments, &options, NULL, 1, halvings(arguments, 5), NH_TABLE_OF_ORDERS);
}

const tool_command tool_converge = {
    .name = "converge",
    .summary = "errors and measured order over halved step sizes",
    .operands = "MODEL",
    .help = "Runs a method with the step h, h/2, h/4, … over the same time, and tells the errors of coordinates and\n"
            "velocities at the end and the order that they show. Errors are against the exact solution, if the\n"
            "model has one, or else against a method of order 12 in quad precision.\n"
            "\n"
            "examples:\n"
            "  nonholo converge skate --until 2\n"
            "  nonholo converge particle --method \"gauss(s=3)\" --step 1/2 --until 4 --precision quad\n"
            "  nonholo converge sleigh --halvings 3 --json\n",
    .options = OPTION_MODEL | OPTION_METHOD | OPTION_STEP | OPTION_TIME | OPTION_HALVINGS | OPTION_ENGINE |
               OPTION_PROJECT | OPTION_AUDIT | OPTION_ALONE | OPTION_JSON | OPTION_QUIET,
    .least = 1,
    .most = 1,
    .run = converge,
};

/* ---- compare ---- */

/* Splits "gauss(s=2); mp" in place; returns the number of methods. */
static int split(char *text, const char **list)
{
    int count = 0;
    for (char *word = text; word;) {
        char *end = strchr(word, ';');
        if (end)
            *end++ = '\0';
        if (word[strspn(word, " ")])
            list[count++] = word + strspn(word, " ");
        word = end;
    }
    return count;
}

static int needs_methods(void)
{
    tool_complain("compare needs --methods \"SPEC; SPEC\"; see 'nonholo compare --help'");
    return TOOL_USAGE;
}

static int compare(const tool_arguments *arguments)
{
    nh_sim_options options;
    if (!arguments->methods)
        return needs_methods();
    if (!tool_sim_options(arguments, &options))
        return TOOL_USAGE;
    if (!arguments->backend) /* auto would measure tape here and native code there */
        options.backend = NH_BACKEND_NATIVE;
    const size_t room = strlen(arguments->methods) + 1;
    char *text = malloc(room);
    const char **list = calloc(room, sizeof *list);
    int exit_code = TOOL_FAILED;
    if (text && list) {
        memcpy(text, arguments->methods, room);
        const int count = split(text, list);
        if (count > 0)
            exit_code = measure(arguments, &options, list, count, halvings(arguments, 0), NH_TABLE_OF_WORK);
        else
            exit_code = needs_methods();
    } else {
        tool_complain("out of memory");
    }
    free(text);
    free(list);
    return exit_code;
}

const tool_command tool_compare = {
    .name = "compare",
    .summary = "several methods side by side: work, error, energy, constraint",
    .operands = "MODEL",
    .help = "Runs several methods over the same time, with the same step or with halves of it, and tells how long\n"
            "they took, their errors at the end, and what became of energy and constraints on the way. Native code\n"
            "is used unless --backend says otherwise. The time of a step includes the audit; --audit 0 leaves it\n"
            "out.\n"
            "\n"
            "examples:\n"
            "  nonholo compare skate --methods \"gauss(s=2); lobatto-ab(s=3); mp\" --until 10\n"
            "  nonholo compare particle --methods \"gauss(s=1); gauss(s=2); gauss(s=3)\" --halvings 4 --until 20\n",
    .options = OPTION_MODEL | OPTION_METHODS | OPTION_STEP | OPTION_TIME | OPTION_HALVINGS | OPTION_ENGINE |
               OPTION_PROJECT | OPTION_AUDIT | OPTION_ALONE | OPTION_JSON | OPTION_QUIET,
    .least = 1,
    .most = 1,
    .run = compare,
};
