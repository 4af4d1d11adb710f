/* SPDX-License-Identifier: MIT */
/* The tool nonholo: finds the command, reads its options, runs it. */
#define _XOPEN_SOURCE 700 /* SIGXFSZ */

#include "tool.h"

#include <errno.h>
#include <signal.h>
#include <string.h>

/* In the order of the overview. */
static const tool_command *const commands[] = {&tool_run,       &tool_ensemble, &tool_describe, &tool_check,
                                               &tool_models,    &tool_methods,  &tool_converge, &tool_compare,
                                               &tool_reproduce, &tool_export,   &tool_bench,    NULL};

static const tool_command *find(const char *name)
{
    for (int i = 0; commands[i]; i++)
        if (!strcmp(commands[i]->name, name))
            return commands[i];
    return NULL;
}

/* ---- Help ---- */

static void write_overview(FILE *file)
{
    fprintf(file, "nonholo simulates mechanical systems whose velocities are constrained.\n\n"
                  "usage: nonholo COMMAND [options]\n\ncommands:\n");
    for (int i = 0; commands[i]; i++)
        fprintf(file, "  %-22s%s\n", commands[i]->name, commands[i]->summary);
    fprintf(file, "  %-22s%s\n  %-22s%s\n\n", "help COMMAND", "how a command is used, with examples", "--version",
            "the version of this tool");
    fprintf(file, "MODEL is a file, the name of a model in the catalogue, or - for standard input.\n\n"
                  "examples:\n"
                  "  nonholo run sleigh               simulate it\n"
                  "  nonholo models                   the catalogue\n"
                  "  nonholo models sleigh > my.nh    a model to start from\n"
                  "  nonholo describe my.nh           what it is\n"
                  "  nonholo check my.nh              is it well posed?\n");
}

static void write_help(FILE *file, const tool_command *command)
{
    fprintf(file, "nonholo %s: %s\n\nusage: nonholo %s %s [options]\n\n", command->name, command->summary,
            command->name, command->operands);
    fprintf(file, "%s\noptions:\n", command->help);
    tool_write_options(file, command->options);
}

static int unknown_command(const char *word)
{
    const char *names[64];
    int count = 0;
    for (; commands[count] && count < 64; count++)
        names[count] = commands[count]->name;
    return tool_unknown("command", word, names, count, "nonholo help");
}

static int help(int count, char **words)
{
    if (count == 0) {
        write_overview(stdout);
        return TOOL_DONE;
    }
    const tool_command *command = find(words[0]);
    if (!command)
        return unknown_command(words[0]);
    write_help(stdout, command);
    return TOOL_DONE;
}

/* ---- Running ---- */

static int run(const tool_command *command, int count, char **words)
{
    tool_arguments arguments;
    int exit_code = TOOL_USAGE;
    if (tool_parse(command, count, words, &arguments)) {
        if (arguments.help)
            write_help(stdout, command);
        exit_code = arguments.help ? TOOL_DONE : command->run(&arguments);
    }
    tool_arguments_free(&arguments);
    return exit_code;
}

static bool is_one_of(const char *word, const char *a, const char *b, const char *c)
{
    return !strcmp(word, a) || !strcmp(word, b) || !strcmp(word, c);
}

static int dispatch(int argc, char **argv)
{
    if (argc < 2) {
        write_overview(stderr);
        return TOOL_USAGE;
    }
    if (is_one_of(argv[1], "help", "--help", "-h"))
        return help(argc - 2, argv + 2);
    if (is_one_of(argv[1], "version", "--version", "-V")) {
        printf("nonholo %s\n", NH_VERSION_STRING);
        return TOOL_DONE;
    }
    const tool_command *command = find(argv[1]);
    return command ? run(command, argc - 2, argv + 2) : unknown_command(argv[1]);
}

/* What could not be written counts as a failure: a full disk, a reader that has gone. A file that may not grow further
 * is told like a full disk: its signal would end the tool without a word. */
int main(int argc, char **argv)
{
    signal(SIGXFSZ, SIG_IGN);
    int exit_code = dispatch(argc, argv);
    errno = 0;
    bool lost = ferror(stdout) != 0;
    lost |= fclose(stdout) != 0;
    if (lost && errno != EPIPE && (errno || exit_code == TOOL_DONE)) /* else the command has told */
        tool_complain("cannot write the output: %s", errno ? strerror(errno) : "not all of it was taken");
    return lost && exit_code == TOOL_DONE ? TOOL_FAILED : exit_code;
}
