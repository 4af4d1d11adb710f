/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L /* mkdir */

#include "files.h"
#include "tool.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char *directory(const tool_arguments *a)
{
    return a->output ? a->output : ".";
}

static bool make_directory(const char *path)
{
    if (mkdir(path, 0777) == 0 || errno == EEXIST)
        return true;
    tool_complain("cannot make the directory %s: %s", path, strerror(errno));
    return false;
}

/* Is DIR/NAME.ending not the model's file? */
static bool spares_model(const tool_arguments *a, const char *name, const char *ending)
{
    char path[PATH_MAX];
    if (snprintf(path, PATH_MAX, "%s/%s%s", directory(a), name, ending) >= PATH_MAX)
        tool_complain("the name of the directory is too long");
    else if (tool_same_file(path, a->operand[0]))
        tool_complain("%s would be written over the model; --name and --output tell other places", path);
    else
        return true;
    return false;
}

/* DIR/NAME.c as a shell takes it. */
static void print_word(const char *directory, const char *name)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+./,:@%";
    if (!directory[strspn(directory, plain)]) {
        printf("%s/%s.c", directory, name);
        return;
    }
    putchar('\'');
    for (const char *at = directory; *at; at++)
        printf(*at == '\'' ? "'\\''" : "%c", *at);
    printf("/%s.c'", name);
}

static void report(const nh_export_files *files, const char *where, const char *number)
{
    char agreement[64] = "to the last bit";
    if (files->tolerance > 0)
        snprintf(agreement, sizeof agreement, "to %.2g", files->tolerance);
    printf("%s/%s.c, %s.h: %s; a state remembers %d numbers, a step has arrays of %d on the stack\n", where,
           files->name, files->name, number, files->memory, files->stack);
    printf("self-test: %d steps, %s\n", files->steps, agreement);
    if (files->steps < NH_EXPORT_STEPS)
        tool_complain("step %d needs the second gear, or fails: exported code stops there; take a smaller --step",
                      files->steps + 1);
    printf("  cc -std=c99 -O2 -ffp-contract=off -DNONHOLO_SELF_TEST ");
    print_word(where, files->name);
    printf(" -lm && ./a.out\n");
}

static int write_files(const tool_arguments *a, const nh_export_files *files)
{
    nh_error error = {0};
    if (!spares_model(a, files->name, ".h") || !spares_model(a, files->name, ".c"))
        return TOOL_USAGE;
    if (!make_directory(directory(a)))
        return TOOL_FAILED;
    if (nh_export_write(files, directory(a), &error) != NH_OK) {
        tool_error(&error);
        return TOOL_FAILED;
    }
    if (!a->quiet)
        report(files, directory(a), a->in_float ? "float" : "double");
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
            "say become defaults, which the code can change while it runs. For models of + - * / sqrt sin cos the\n"
            "results are those of 'nonholo run' to the last bit. The code has a self-test: numbers that this tool\n"
            "has computed. A step that does not converge returns a status and leaves the state where it was.\n"
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
