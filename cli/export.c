/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L /* mkdir */

#include "tool.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool make_directory(const char *path)
{
    if (mkdir(path, 0777) == 0 || errno == EEXIST)
        return true;
    tool_complain("cannot make the directory %s: %s", path, strerror(errno));
    return false;
}

/* DIR/NAME.ending, whole or with a complaint. */
static bool write_file(const char *directory, const char *name, const char *ending, const char *text)
{
    char path[4096];
    if (snprintf(path, sizeof path, "%s/%s%s", directory, name, ending) >= (int)sizeof path) {
        tool_complain("the name of the directory is too long");
        return false;
    }
    FILE *file = fopen(path, "w");
    bool good = file && fputs(text, file) >= 0;
    const int reason = errno;
    good = file && fclose(file) == 0 && good;
    if (!good)
        tool_complain("cannot write %s: %s", path, strerror(file ? errno : reason));
    return good;
}

static void report(const nh_export_files *files, const char *directory, const char *number)
{
    char agreement[64] = "to the last bit";
    if (files->tolerance > 0)
        snprintf(agreement, sizeof agreement, "to %.2g", files->tolerance);
    printf("%s/%s.c, %s.h: %s; a state remembers %d numbers, a step has arrays of %d on the stack\n", directory,
           files->name, files->name, number, files->memory, files->stack);
    printf("self-test: %d steps, %s\n", files->steps, agreement);
    printf("  cc -std=c99 -O2 -ffp-contract=off -DNONHOLO_SELF_TEST %s/%s.c -lm && ./a.out\n", directory, files->name);
}

static int write_files(const tool_arguments *a, const nh_export_files *files)
{
    const char *directory = a->output ? a->output : ".";
    if (!make_directory(directory) || !write_file(directory, files->name, ".h", files->header) ||
        !write_file(directory, files->name, ".c", files->source))
        return TOOL_FAILED;
    if (!a->quiet)
        report(files, directory, a->in_float ? "float" : "double");
    return TOOL_DONE;
}

static int run(const tool_arguments *a)
{
    nh_export_options options = nh_export_options_default();
    nh_export_files files;
    nh_error error = {0};
    int exit_code = TOOL_USAGE;
    if (a->in_float && a->in_double) {
        tool_complain("--float and --double cannot be given together");
        return TOOL_USAGE;
    }
    if (!tool_sim_options(a, &options.sim))
        return TOOL_USAGE;
    nh_model *model = tool_load(a, &exit_code);
    if (!model)
        return exit_code;
    options.name = a->name;
    options.number = a->in_float ? NH_EXPORT_FLOAT : NH_EXPORT_DOUBLE;
    const nh_status status = nh_export(model, &options, &files, &error);
    if (status == NH_OK)
        exit_code = write_files(a, &files);
    else
        exit_code = tool_error(&error);
    nh_export_free(&files);
    nh_model_free(model);
    return exit_code;
}

const tool_command tool_export = {
    .name = "export",
    .summary = "the integrator of a model as C99 that needs no library",
    .operands = "MODEL",
    .help = "Writes NAME.c and NAME.h: one method for one model in C99 that allocates nothing, does not recurse and\n"
            "needs math.h alone, for controllers, other programs, other languages. What --set, --initial and --step\n"
            "say become defaults, which the code can change while it runs. For models of + - * / sqrt the results\n"
            "are those of 'nonholo run' to the last bit. The code has a self-test: numbers that this tool has\n"
            "computed. A step that does not converge returns a status and leaves the state where it was.\n"
            "\n"
            "examples:\n"
            "  nonholo export particle --method \"gauss(s=2)\" -o generated\n"
            "  nonholo export sleigh --method \"lobatto-ab(s=2)\" --step 1/1000 --float -o generated\n"
            "  nonholo export my.nh --set m=2 --name rover -o generated\n",
    .options = OPTION_MODEL | OPTION_METHOD | OPTION_STEP | OPTION_EXPORT | OPTION_QUIET,
    .least = 1,
    .most = 1,
    .run = run,
};
