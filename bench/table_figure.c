/* SPDX-License-Identifier: MIT */
/* A whole figure by the tool, from a cold start: with an empty cache of native builds, in wall-clock time. */
#define _POSIX_C_SOURCE 200809L
#include "child.h"
#include "tables.h"

#include "base/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const methods[] = {"lobatto-ab(s=2)", "lobatto-ab-modified", "mp"};

/* Jay's figure 8.4, a method after the other. */
static int run_ensembles(const char *tool, const char *folder)
{
    char said[1024], statistics[64];
    int code = 0;
    for (int i = 0; i < 3 && code == 0; i++) {
        snprintf(statistics, sizeof statistics, "%s/%d.csv", folder, i);
        const char *const words[] = {tool,
                                     "ensemble",
                                     "mp-particles",
                                     "--list",
                                     "j=0,1,2,3,4,5,6,7,8,9",
                                     "--method",
                                     methods[i],
                                     "--steps",
                                     "1000000",
                                     "--every",
                                     "100",
                                     "--audit",
                                     "0",
                                     "--output",
                                     statistics,
                                     "--threads",
                                     "2",
                                     "--quiet",
                                     NULL};
        code = child_run(words, said, sizeof said);
    }
    return code;
}

/* Runs with XDG_CACHE_HOME in a folder that is removed afterwards. */
static int run_cold(const char *tool, char *folder, double *seconds)
{
    char said[1024], before[4096] = "";
    const char *const remove[] = {"rm", "-rf", folder, NULL};
    const char *cache = getenv("XDG_CACHE_HOME");
    if (cache)
        snprintf(before, sizeof before, "%s", cache);
    setenv("XDG_CACHE_HOME", folder, 1);
    const double begin = nh_clock();
    const int code = run_ensembles(tool, folder);
    *seconds = nh_clock() - begin;
    if (cache)
        setenv("XDG_CACHE_HOME", before, 1);
    else
        unsetenv("XDG_CACHE_HOME");
    child_run(remove, said, sizeof said);
    return code;
}

static void run(const bench *b)
{
    char folder[] = "/tmp/nonholo-bench-XXXXXX";
    double seconds = 0;
    report_table(b->report, "figure", "what|s",
                 "a whole figure by 'nonholo ensemble', from a cold start, two threads, wall-clock");
    if (b->quick)
        report_note(b->report, "left out with --quick");
    else if (!b->tool)
        report_note(b->report, "the tool is not known: run this as 'nonholo bench figure'");
    else if (!mkdtemp(folder))
        report_note(b->report, "there is no room in /tmp");
    else {
        const int code = run_cold(b->tool, folder, &seconds);
        if (code != 0)
            report_note(b->report, "nonholo ensemble: exit code %d", code);
        report_text(b->report, "mp-particles by %s, %s, %s; ten members, 10^6 steps, statistics every 100", methods[0],
                    methods[1], methods[2]);
        report_number(b->report, "%.1f", seconds);
    }
}

const bench_table table_figure = {"figure", "a whole figure of a paper from a cold start", run};
