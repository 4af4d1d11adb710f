/* SPDX-License-Identifier: MIT */
/* Options of the command line: one table for all commands. */
#ifndef NONHOLO_CLI_OPTIONS_H
#define NONHOLO_CLI_OPTIONS_H

#include <nonholo/nonholo.h>
#include <stdbool.h>
#include <stdio.h>

typedef enum tool_option {
    OPTION_SET = 1u << 0,
    OPTION_INITIAL = 1u << 1,
    OPTION_JSON = 1u << 2,
    OPTION_LATEX = 1u << 3,
    OPTION_QUIET = 1u << 4,
    OPTION_METHOD = 1u << 5,
    OPTION_STEP = 1u << 6,
    OPTION_TIME = 1u << 7,   /* how long a run is, and from when */
    OPTION_OUTPUT = 1u << 8, /* where the motion goes */
    OPTION_ENGINE = 1u << 9, /* how it is computed */
    OPTION_AUDIT = 1u << 10,
    OPTION_METHODS = 1u << 11,
    OPTION_HALVINGS = 1u << 12,
    OPTION_REPRODUCE = 1u << 13,
    OPTION_THREADS = 1u << 14,
    OPTION_PROJECT = 1u << 15,
    OPTION_CHECKPOINT = 1u << 16,
    OPTION_MEMBERS = 1u << 17, /* what the members of an ensemble are, and where they go */
    OPTION_EXPORT = 1u << 18,
    OPTION_BENCH = 1u << 19,
    OPTION_ALONE = 1u << 20, /* one motion at a time: what ensembles take is taken, and changes nothing */
    OPTION_MODEL = OPTION_SET | OPTION_INITIAL
} tool_option;

enum { TOOL_OPERANDS = 16 };

typedef struct tool_arguments {
    const char *operand[TOOL_OPERANDS];
    int operands;
    nh_setting *set, *initial, *list, *grid;
    int set_count, initial_count, list_count, grid_count;
    const char **draw;
    int draw_count;
    const char *method, *step, *until, *from_time, *methods; /* NULL: not given */
    const char *output, *plot, *plot_x, *plot_y, *backend, *precision, *dynamics, *name;
    const char *checkpoint, *resume, *members, *motions;
    long long steps, every, audit, halvings, threads; /* -1: not given */
    long long count, seed, at_a_time, checkpoint_every;
    bool json, latex, quiet, help, project, quick, thorough, in_float, in_double, names;
} tool_arguments;

struct tool_command;

/* Reads the words after the command; complains and returns false if they are wrong. */
bool tool_parse(const struct tool_command *command, int count, char **words, tool_arguments *out);
void tool_arguments_free(tool_arguments *arguments);
/* The options of a command, one line each. */
void tool_write_options(FILE *file, unsigned options);

#endif
