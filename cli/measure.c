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

/* Can a message show all of --methods? */
static bool is_line(const char *methods)
{
    size_t length = 0;
    while (methods[length] >= ' ' && methods[length] <= '~')
        length++;
    return !methods[length] && length < sizeof((nh_error *)0)->excerpt;
}

/* A mistake in one of --methods. */
static void place_in_methods(const tool_arguments *a, nh_error *error)
{
    if (!a->methods || strcmp(error->file, "--method") != 0)
        return;
    snprintf(error->file, sizeof error->file, "--methods");
    if (is_line(a->methods))
        snprintf(error->excerpt, sizeof error->excerpt, "%s", a->methods);
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
    place_in_methods(a, &error);
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

/* The end of the method that begins here: a semicolon that is not in quotes, or the end of all. */
static const char *method_end(const char *text)
{
    bool quoted = false;
    for (; *text && (quoted || *text != ';'); text++)
        quoted ^= *text == '"';
    return text;
}

/* A method as a text of its own. Where a message can show all of them, it is behind as many blanks as there are
 * characters before it: so columns are those of all. */
static char *cut_out(const char *all, const char *begin, const char *end)
{
    const size_t before = is_line(all) ? (size_t)(begin - all) : 0, length = (size_t)(end - begin);
    char *text = malloc(before + length + 1);
    if (!text)
        return NULL;
    memset(text, ' ', before);
    memcpy(text + before, begin, length);
    text[before + length] = '\0';
    return text;
}

/* Splits "gauss(s=2); mp"; *count texts, which the caller frees. False: there is no memory. */
static bool split(const char *all, char **list, int *count)
{
    *count = 0;
    for (const char *begin = all;;) {
        const char *end = method_end(begin), *word = begin + strspn(begin, " ");
        if (word < end && !(list[(*count)++] = cut_out(all, word, end)))
            return false;
        if (!*end)
            return true;
        begin = end + 1;
    }
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
    char **list = calloc(strlen(arguments->methods) + 1, sizeof *list);
    int exit_code = TOOL_FAILED, count = 0;
    if (!list || !split(arguments->methods, list, &count))
        tool_complain("out of memory");
    else if (count == 0)
        exit_code = needs_methods();
    else
        exit_code =
            measure(arguments, &options, (const char *const *)list, count, halvings(arguments, 0), NH_TABLE_OF_WORK);
    for (int i = 0; i < count; i++)
        free(list[i]);
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
