/* SPDX-License-Identifier: MIT */
#include "options.h"

#include "tool.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef enum type { FLAG, SETTING, TEXT, TEXTS, COUNT, POSITIVE } type; /* COUNT: 0 or more */

typedef struct row {
    const char *name, *value, *help;
    unsigned option; /* 0: of every command */
    type type;
    size_t offset, count_offset;
} row;

#define AT(field) offsetof(tool_arguments, field)

static const row rows[] = {
    {"--set", "NAME=EXPR", "replace a parameter or a size; may be repeated", OPTION_SET, SETTING, AT(set),
     AT(set_count)},
    {"--initial", "NAME=EXPR", "replace an initial value: x, x' or q[2]; may be repeated", OPTION_INITIAL, SETTING,
     AT(initial), AT(initial_count)},
    {"--list", "NAME=V,V,...", "values of a parameter, x, x' or q[2]; all combinations of lists and grids",
     OPTION_MEMBERS, SETTING, AT(list), AT(list_count)},
    {"--grid", "NAME=A:B:N", "the same: N values from A to B", OPTION_MEMBERS, SETTING, AT(grid), AT(grid_count)},
    {"--draw", "DRAW", "NAME=uniform(A,B), NAME=normal(MEAN,DEVIATION) or energy(E); may be repeated", OPTION_MEMBERS,
     TEXTS, AT(draw), AT(draw_count)},
    {"--members", "FILE", "a CSV file with columns named like these, a member a row", OPTION_MEMBERS, TEXT, AT(members),
     0},
    {"--count", "N", "so many draws, for each combination of the others; else 1", OPTION_MEMBERS, POSITIVE, AT(count),
     0},
    {"--seed", "N", "of the draws; else 1", OPTION_MEMBERS, COUNT, AT(seed), 0},
    {"--method", "SPEC", "like \"gauss(s=3)\"; see 'nonholo methods'", OPTION_METHOD, TEXT, AT(method), 0},
    {"--methods", "SPECS", "like \"gauss(s=2); lobatto-ab(s=3)\"", OPTION_METHODS, TEXT, AT(methods), 0},
    {"--step", "EXPR", "the step size h; else what the model says", OPTION_STEP, TEXT, AT(step), 0},
    {"--until", "EXPR", "the end of the run; else what the model says", OPTION_TIME, TEXT, AT(until), 0},
    {"--steps", "N", "so many steps, in place of --until", OPTION_TIME, COUNT, AT(steps), 0},
    {"--from-time", "EXPR", "the time of the initial data; else 0", OPTION_TIME | OPTION_EXPORT, TEXT, AT(from_time),
     0},
    {"--halvings", "N", "how often the step is halved", OPTION_HALVINGS, COUNT, AT(halvings), 0},
    {"--output", "FILE", "the motion as .csv or .json; - is CSV on standard output", OPTION_OUTPUT, TEXT, AT(output),
     0},
    {"--every", "K", "write every K steps; else every step", OPTION_OUTPUT, POSITIVE, AT(every), 0},
    {"--plot", "FILE", "path, energy error and constraint residual as .svg, .png, .pdf or .gp", OPTION_OUTPUT, TEXT,
     AT(plot), 0},
    {"--plot-x", "NAME", "of the path: t, x, x', an observable; else the first coordinate", OPTION_OUTPUT, TEXT,
     AT(plot_x), 0},
    {"--plot-y", "NAME", "the same; else the second coordinate", OPTION_OUTPUT, TEXT, AT(plot_y), 0},
    {"--output", "FILE", "the statistics as .csv; - is standard output", OPTION_MEMBERS, TEXT, AT(output), 0},
    {"--every", "K", "statistics every K steps; else 100 times in all, or with --resume as far apart as before",
     OPTION_MEMBERS, POSITIVE, AT(every), 0},
    {"--motions", "FILE", "all members at these times, as .csv", OPTION_MEMBERS, TEXT, AT(motions), 0},
    {"--plot", "FILE", "quantiles and mean square of the energy error as .svg, .png, .pdf or .gp", OPTION_MEMBERS, TEXT,
     AT(plot), 0},
    {"--at-a-time", "N", "members that are computed together, 1, 4 or 8; the results do not depend on it",
     OPTION_MEMBERS, COUNT, AT(at_a_time), 0},
    {"--checkpoint", "FILE", "write what is needed to go on, some seconds apart and at the end", OPTION_CHECKPOINT,
     TEXT, AT(checkpoint), 0},
    {"--checkpoint-every", "S", "whole seconds between two; else 10; 0: several a second", OPTION_CHECKPOINT, COUNT,
     AT(checkpoint_every), 0},
    {"--resume", "FILE", "go on from a checkpoint of the same command, to the same result", OPTION_CHECKPOINT, TEXT,
     AT(resume), 0},
    {"--backend", "WORD", "auto, tape or native; all give the same numbers", OPTION_ENGINE, TEXT, AT(backend), 0},
    {"--precision", "WORD", "double or quad", OPTION_ENGINE, TEXT, AT(precision), 0},
    {"--dynamics", "WORD", "nonholonomic, which is all that there is so far", OPTION_ENGINE, TEXT, AT(dynamics), 0},
    {"--project", NULL, "move initial data onto the constraints", OPTION_PROJECT | OPTION_EXPORT, FLAG, AT(project), 0},
    {"--audit", "K", "look at energy and constraints every K steps; else 1; 0: at the ends", OPTION_AUDIT, COUNT,
     AT(audit), 0},
    {"--output", "DIR", "where the files go; else ./reproduce/PAPER", OPTION_REPRODUCE, TEXT, AT(output), 0},
    {"--quick", NULL, "seconds: long runs are cut short and not judged", OPTION_REPRODUCE, FLAG, AT(quick), 0},
    {"--thorough", NULL, "minutes: more members, longer runs, narrower expectations", OPTION_REPRODUCE, FLAG,
     AT(thorough), 0},
    {"--quick", NULL, "a minute: shorter races, and less of each table", OPTION_BENCH, FLAG, AT(quick), 0},
    {"--list", NULL, "the names, and what they measure", OPTION_BENCH, FLAG, AT(names), 0},
    {"--threads", "N", "else as many as there are processors; the results do not depend on it", OPTION_THREADS, COUNT,
     AT(threads), 0},
    {"--threads", "N", "at most so many; a motion takes one", OPTION_ALONE, COUNT, AT(threads), 0},
    {"--seed", "N", "of draws; there are none here", OPTION_ALONE, COUNT, AT(seed), 0},
    {"--output", "DIR", "where NAME.c and NAME.h go, also -o DIR; else here", OPTION_EXPORT, TEXT, AT(output), 0},
    {"--name", "NAME", "what all names begin with; else the model's", OPTION_EXPORT, TEXT, AT(name), 0},
    {"--double", NULL, "numbers are double, which is the usual", OPTION_EXPORT, FLAG, AT(in_double), 0},
    {"--float", NULL, "numbers are float", OPTION_EXPORT, FLAG, AT(in_float), 0},
    {"--json", NULL, "the result as JSON", OPTION_JSON, FLAG, AT(json), 0},
    {"--latex", NULL, "the equations in LaTeX, for amsmath", OPTION_LATEX, FLAG, AT(latex), 0},
    {"--quiet", NULL, "no output but complaints; the exit code tells", OPTION_QUIET, FLAG, AT(quiet), 0},
    {"--help", NULL, "this text", 0, FLAG, AT(help), 0},
};
enum { ROWS = sizeof rows / sizeof rows[0] };

static bool applies(const row *r, unsigned options)
{
    return r->option == 0 || (r->option & options);
}

void tool_write_options(FILE *file, unsigned options)
{
    for (int i = 0; i < ROWS; i++) {
        char left[40];
        snprintf(left, sizeof left, "%s%s%s", rows[i].name, rows[i].value ? " " : "",
                 rows[i].value ? rows[i].value : "");
        if (applies(&rows[i], options))
            fprintf(file, "  %-22s%s\n", left, rows[i].help);
    }
}

static bool unknown_option(const tool_command *command, const char *word)
{
    const char *names[ROWS];
    char advice[64];
    int count = 0;
    for (int i = 0; i < ROWS; i++)
        if (applies(&rows[i], command->options))
            names[count++] = rows[i].name;
    snprintf(advice, sizeof advice, "nonholo %s --help", command->name);
    tool_unknown("option", word, names, count, advice);
    return false;
}

/* The option of a word, which may go on with =value. */
static const row *find(const char *word, size_t length, unsigned options)
{
    if (!strncmp(word, "-o", length)) {
        word = "--output";
        length = strlen(word);
    }
    for (int i = 0; i < ROWS; i++)
        if (applies(&rows[i], options) && strlen(rows[i].name) == length && !strncmp(rows[i].name, word, length))
            return &rows[i];
    return NULL;
}

static void *field(tool_arguments *a, size_t offset)
{
    return (char *)a + offset;
}

/* Splits NAME=EXPR at its first = in place. */
static bool add_setting(tool_arguments *a, const row *r, char *value)
{
    char *equals = strchr(value, '=');
    if (!equals || equals == value || !equals[1]) {
        tool_complain("%s needs NAME=EXPR, not '%s'", r->name, value);
        return false;
    }
    *equals = '\0';
    nh_setting *list = *(nh_setting **)field(a, r->offset);
    list[(*(int *)field(a, r->count_offset))++] = (nh_setting){value, equals + 1};
    return true;
}

/* Up to what the library counts. */
static bool read_count(const row *r, const char *value, long long *out)
{
    const long long least = r->type == POSITIVE, most = 9000000000000000;
    char *end;
    *out = strtoll(value, &end, 10); /* the largest number there is, for what is larger */
    const bool good = end != value && !*end && *out >= least;
    if (!good)
        tool_complain("%s needs a whole number, %lld or more, not '%s'", r->name, least, value);
    else if (*out > most)
        tool_complain("%s %s is more than can be counted: at most %lld", r->name, value, most);
    return good && *out <= most;
}

/* Reads the option in words[*at] and its value, which may be the next word. */
static bool read_option(const tool_command *command, int count, char **words, int *at, tool_arguments *a)
{
    char *word = words[*at], *equals = strchr(word, '=');
    const row *r = find(word, equals ? (size_t)(equals - word) : strlen(word), command->options);
    if (!r)
        return unknown_option(command, word);
    if (r->type == FLAG) {
        if (equals)
            tool_complain("%s takes no value", r->name);
        *(bool *)field(a, r->offset) = true;
        return !equals;
    }
    char *value = equals ? equals + 1 : *at + 1 < count ? words[++*at] : NULL;
    if (!value) {
        tool_complain("%s needs a value: %s %s", r->name, r->name, r->value);
        return false;
    }
    if (r->type == COUNT || r->type == POSITIVE)
        return read_count(r, value, field(a, r->offset));
    if (r->type == SETTING)
        return add_setting(a, r, value);
    if (r->type == TEXTS) {
        (*(const char ***)field(a, r->offset))[(*(int *)field(a, r->count_offset))++] = value;
        return true;
    }
    *(const char **)field(a, r->offset) = value;
    return true;
}

static bool count_operands(const tool_command *command, const tool_arguments *a)
{
    if (a->operands < command->least)
        tool_complain("%s needs %s; see 'nonholo %s --help'", command->name, command->operands, command->name);
    if (a->operands > command->most)
        tool_complain("unexpected '%s'; see 'nonholo %s --help'", a->operand[command->most], command->name);
    return a->operands >= command->least && a->operands <= command->most;
}

bool tool_parse(const tool_command *command, int count, char **words, tool_arguments *out)
{
    size_t room = (size_t)count + 1;
    bool only_operands = false, good = true;
    *out = (tool_arguments){.set = calloc(room, sizeof *out->set),
                            .initial = calloc(room, sizeof *out->initial),
                            .list = calloc(room, sizeof *out->list),
                            .grid = calloc(room, sizeof *out->grid),
                            .draw = calloc(room, sizeof *out->draw),
                            .count = -1,
                            .seed = -1,
                            .at_a_time = -1,
                            .checkpoint_every = -1,
                            .steps = -1,
                            .every = -1,
                            .audit = -1,
                            .halvings = -1,
                            .threads = -1};
    if (!out->set || !out->initial || !out->list || !out->grid || !out->draw) {
        tool_complain("out of memory");
        return false;
    }
    for (int i = 0; good && i < count; i++) {
        const char *word = words[i];
        if (!only_operands && !strcmp(word, "--"))
            only_operands = true;
        else if (!only_operands && word[0] == '-' && word[1])
            good = !strcmp(word, "-h") ? (out->help = true) : read_option(command, count, words, &i, out);
        else if (out->operands < TOOL_OPERANDS)
            out->operand[out->operands++] = word;
    }
    return good && (out->help || count_operands(command, out));
}

void tool_arguments_free(tool_arguments *arguments)
{
    free(arguments->set);
    free(arguments->initial);
    free(arguments->list);
    free(arguments->grid);
    free(arguments->draw);
}
