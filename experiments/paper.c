/* SPDX-License-Identifier: MIT */
/* The figures of a paper one after the other, and a page that sums them up. */
#define _POSIX_C_SOURCE 200809L

#include "experiments/experiment.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum { PATH = 4096 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool fail_file(experiment *x, const char *what, const char *path)
{
    x->error = (nh_error){.status = NH_FILE};
    snprintf(x->error.message, sizeof x->error.message, "cannot %s %.300s: %s", what, path, strerror(errno));
    return false;
}

/* With all folders above it. */
static bool make_directory(experiment *x, const char *directory)
{
    char path[PATH];
    struct stat status;
    if (snprintf(path, sizeof path, "%s", directory) >= PATH) {
        errno = ENAMETOOLONG;
        return fail_file(x, "make", directory);
    }
    for (char *c = path + 1; *c; c++)
        if (*c == '/') {
            *c = '\0';
            (void)mkdir(path, 0777); /* what matters is whether the last one is there */
            *c = '/';
        }
    if (mkdir(path, 0777) == 0 || (errno == EEXIST && stat(path, &status) == 0 && S_ISDIR(status.st_mode)))
        return true;
    return fail_file(x, "make the folder", directory);
}

/* ---- The summary ---- */

static const char *effort_text(experiment_effort effort)
{
    static const char *const texts[] = {"quick: long runs are cut short and not judged", "usual", "thorough"};
    return texts[effort];
}

static void write_result(FILE *file, const experiment_result *r)
{
    const char *name = r->figure->name;
    fprintf(file, "\n## %s: %s\n\n", name, r->figure->title);
    if (r->drawn)
        fprintf(file, "![%s](%s.svg)\n\n", r->figure->title, name);
    fprintf(file, "%s\n\nData: [%s.csv](%s.csv). Made in %.2f s.\n", r->caption, name, name, r->seconds);
}

static bool write_summary(experiment *x, const experiment_figure *only)
{
    char path[PATH], *table = NULL;
    snprintf(path, sizeof path, "%s/%s.md", x->options.directory, only ? only->name : "summary");
    if (nh_claims_print(x->claims, NH_CLAIMS_MARKDOWN, &table, &x->error) != NH_OK)
        return false;
    FILE *file = fopen(path, "w");
    if (file) {
        fprintf(file, "# Reproduction of %s\n\n%s\n\nnonholo %s; effort: %s; %.1f s.\n\n%s", x->paper->name,
                x->paper->citation, NH_VERSION_STRING, effort_text(x->options.effort), x->seconds, table);
        for (int i = 0; i < x->count; i++)
            write_result(file, &x->results[i]);
    }
    nh_text_release(table);
    const bool written = file && !ferror(file);
    const bool closed = file && fclose(file) == 0;
    return (written && closed) || fail_file(x, "write", path);
}

/* ---- The paper ---- */

static bool make_figure(experiment *x, const experiment_figure *figure)
{
    const double begin = now();
    x->results[x->count] = (experiment_result){.figure = figure};
    const bool good = figure->make(x);
    x->results[x->count].seconds = now() - begin;
    x->seconds += now() - begin;
    x->count += good;
    return good;
}

bool experiment_run_paper(experiment *x, const experiment_paper *paper, const experiment_figure *only,
                          const experiment_options *options)
{
    *x = (experiment){.options = *options, .paper = paper, .claims = nh_claims_new(paper->title)};
    bool good = make_directory(x, options->directory);
    if (!good)
        return false;
    for (int i = 0; good && i < paper->count && i < EXPERIMENT_FIGURES_MAX; i++)
        if (!only || only == &paper->figures[i])
            good = make_figure(x, &paper->figures[i]);
    return (x->error.status != NH_OK || write_summary(x, only)) && good;
}

void experiment_free(experiment *x)
{
    nh_claims_free(x->claims);
}
