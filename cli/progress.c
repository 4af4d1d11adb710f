/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L /* clock_gettime, isatty */

#include "progress.h"

#include <math.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { BAR = 30 };

double tool_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void tool_progress_begin(tool_progress *p, bool quiet, long long first)
{
    *p = (tool_progress){.begin = tool_now(), .first = first, .wanted = !quiet && isatty(STDERR_FILENO)};
}

static void write_duration(double seconds)
{
    if (seconds < 100)
        fprintf(stderr, "%.0f s", seconds);
    else if (seconds < 6000)
        fprintf(stderr, "%.0f min", seconds / 60);
    else
        fprintf(stderr, "%.1f h", seconds / 3600);
}

void tool_progress_show(tool_progress *p, long long done, long long total, double time)
{
    const double at = tool_now();
    if (!p->wanted || at - p->begin < 1 || at - p->last < 0.2 || done <= p->first)
        return;
    const double part = (double)done / (double)total;
    const int filled = (int)(part * BAR);
    fprintf(stderr, "\r[");
    for (int i = 0; i < BAR; i++)
        fputc(i < filled ? '#' : '.', stderr);
    fprintf(stderr, "] %3.0f %%  ", 100 * part);
    if (!isnan(time))
        fprintf(stderr, "t = %.6g  ", time);
    write_duration((at - p->begin) * (double)(total - done) / (double)(done - p->first));
    fprintf(stderr, " left\033[K");
    fflush(stderr);
    p->shown = true;
    p->last = at;
}

void tool_progress_end(tool_progress *p)
{
    if (p->shown)
        fprintf(stderr, "\r\033[K");
    p->shown = false;
}
