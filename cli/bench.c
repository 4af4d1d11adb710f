/* SPDX-License-Identifier: MIT */
/* The benchmarks are a program of their own: the tool links none of the libraries that they compare with. */
#define _POSIX_C_SOURCE 200809L /* readlink, setenv */

#include "tool.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_ROOM = 4096, WORDS = TOOL_OPERANDS + 5 };

/* Where the program is, seen from the folder of the tool: in a build, and installed. */
static const char *const places[] = {"bench/nonholo-bench", TOOL_BENCH_DIR "/nonholo-bench"};

/* The tool's own path; false where the system does not tell. */
static bool find_self(char *path)
{
    const ssize_t length = readlink("/proc/self/exe", path, PATH_ROOM - 1);
    path[length > 0 ? length : 0] = '\0';
    return length > 0;
}

static bool find_program(const char *self, char *path)
{
    const int folder = (int)(strrchr(self, '/') - self);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (snprintf(path, PATH_ROOM, "%.*s/%s", folder, self, places[i]) < PATH_ROOM && access(path, X_OK) == 0)
            return true;
    return false;
}

static int run(const tool_arguments *a)
{
    char self[PATH_ROOM], path[PATH_ROOM];
    const char *words[WORDS] = {path};
    int count = 1;
    if (!find_self(self) || !find_program(self, path)) {
        tool_complain("the benchmarks are not installed beside this tool; 'make bench' in the sources builds and runs "
                      "them");
        return TOOL_FAILED;
    }
    if (a->quick)
        words[count++] = "--quick";
    if (a->json)
        words[count++] = "--json";
    if (a->names)
        words[count++] = "--list";
    for (int i = 0; i < a->operands; i++)
        words[count++] = a->operand[i];
    setenv("NONHOLO", self, 1);
    execv(path, (char *const *)words);
    tool_complain("cannot run %s: %s", path, strerror(errno));
    return TOOL_FAILED;
}

const tool_command tool_bench = {
    .name = "bench",
    .summary = "measure speed beside code by hand and other integrators",
    .operands = "[NAME...]",
    .help =
        "Runs the benchmarks of these names, or all of them, and prints tables: ours, the yardstick beside it, their\n"
        "ratio, the aim, and whether it is met. Times are the least of many repeats in turns, of processor time,\n"
        "on one core where nothing else is said. Native code and code by hand are built on the way.\n"
        "\n"
        "examples:\n"
        "  nonholo bench --list\n"
        "  nonholo bench steps lanes\n"
        "  nonholo bench --quick\n"
        "  nonholo bench energy --json\n",
    .options = OPTION_BENCH | OPTION_JSON,
    .least = 0,
    .most = TOOL_OPERANDS - 1,
    .run = run,
};
