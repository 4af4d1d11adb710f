/* SPDX-License-Identifier: MIT */
/* What the commands of the tool share. */
#ifndef NONHOLO_CLI_TOOL_H
#define NONHOLO_CLI_TOOL_H

#include "options.h"

/* Exit codes. */
enum { TOOL_DONE = 0, TOOL_FAILED = 1, TOOL_USAGE = 2 };

typedef struct tool_command {
    const char *name, *summary;
    const char *operands; /* "MODEL" */
    const char *help;     /* paragraphs and examples, below usage */
    unsigned options;     /* bits of tool_option */
    int least, most;      /* operands */
    int (*run)(const tool_arguments *arguments);
} tool_command;

extern const tool_command tool_run, tool_describe, tool_check, tool_models, tool_methods, tool_converge, tool_compare;
extern const tool_command tool_reproduce, tool_ensemble, tool_export, tool_bench;

/* Writes "nonholo: message" to standard error. */
void tool_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The same for an error of the library; returns the exit code: wrong input, or a failure. */
int tool_error(const nh_error *error);
/* The same for a word that is not one of `count` words: names the nearest; returns TOOL_USAGE. */
int tool_unknown(const char *what, const char *word, const char *const *list, int count, const char *advice);
/* Does a file name end in, for example, .csv? */
bool tool_ends_in(const char *path, const char *ending);
/* Writes a text of the library to standard output and frees it. */
int tool_output(char *text);
/* Is standard output the file of --output? Then reports go to standard error. */
bool tool_streams(const tool_arguments *arguments);
int tool_report(const tool_arguments *arguments, char *text);
/* Loads the model of the first operand with --set and --initial; "-" is standard input. NULL: *exit_code says why. */
nh_model *tool_load(const tool_arguments *arguments, int *exit_code);
/* Complains, and returns false, where --steps, --until, --output and --json do not go together. */
bool tool_run_fits(const tool_arguments *arguments);
/* Method, step and backend from the options; complains where a word is wrong. */
bool tool_sim_options(const tool_arguments *arguments, nh_sim_options *out);
nh_format tool_format(const tool_arguments *arguments);

#endif
