/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L /* sysconf */

#include "experiments/experiment.h"
#include "progress.h"
#include "stop.h"
#include "tool.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

/* ---- What there is ---- */

static void list_text(void)
{
    for (int i = 0; experiment_papers[i]; i++) {
        const experiment_paper *paper = experiment_papers[i];
        printf("%s  %s\n", paper->name, paper->citation);
        for (int k = 0; k < paper->count; k++) {
            char name[64];
            snprintf(name, sizeof name, "%s/%s", paper->name, paper->figures[k].name);
            printf("  %-24s%s\n", name, paper->figures[k].title);
        }
    }
}

/* Names and titles are plain texts of this tool: nothing in them needs an escape. */
static void list_json(void)
{
    printf("[");
    for (int i = 0; experiment_papers[i]; i++) {
        const experiment_paper *paper = experiment_papers[i];
        printf("%s\n  {\"paper\": \"%s\", \"citation\": \"%s\", \"figures\": [", i ? "," : "", paper->name,
               paper->citation);
        for (int k = 0; k < paper->count; k++)
            printf("%s\n    {\"figure\": \"%s\", \"title\": \"%s\"}", k ? "," : "", paper->figures[k].name,
                   paper->figures[k].title);
        printf("]}");
    }
    printf("\n]\n");
}

static const experiment_paper *find_paper(const char *name)
{
    const char *names[64];
    int count = 0;
    for (; experiment_papers[count] && count < 64; count++) {
        names[count] = experiment_papers[count]->name;
        if (!strcmp(names[count], name))
            return experiment_papers[count];
    }
    tool_unknown("paper", name, names, count, "nonholo reproduce");
    return NULL;
}

static const experiment_figure *find_figure(const experiment_paper *paper, const char *name)
{
    const char *names[EXPERIMENT_FIGURES_MAX];
    char what[64];
    for (int k = 0; k < paper->count; k++) {
        names[k] = paper->figures[k].name;
        if (!strcmp(names[k], name))
            return &paper->figures[k];
    }
    snprintf(what, sizeof what, "figure of %s:", paper->name);
    tool_unknown(what, name, names, paper->count, "nonholo reproduce");
    return NULL;
}

/* PAPER or PAPER/FIGURE; *figure is NULL for all of them. */
static bool find(const char *word, const experiment_paper **paper, const experiment_figure **figure)
{
    char name[64];
    const char *slash = strchr(word, '/');
    snprintf(name, sizeof name, "%.*s", slash ? (int)(slash - word) : (int)strlen(word), word);
    *paper = find_paper(name);
    *figure = *paper && slash ? find_figure(*paper, slash + 1) : NULL;
    return *paper && (*figure || !slash);
}

/* ---- Making it ---- */

typedef struct watch {
    bool quiet;
    long long done; /* of the present figure, as far as shown */
    tool_progress progress;
    tool_stop stop;
} watch;

static int pulse(void *user, long long done, long long total)
{
    watch *w = user;
    if (done < w->done) { /* another figure */
        tool_progress_end(&w->progress);
        tool_progress_begin(&w->progress, w->quiet, 0);
    }
    w->done = done;
    tool_progress_show(&w->progress, done, total, NAN);
    return tool_stop_wanted(&w->stop);
}

static void report(const experiment *x, const tool_arguments *a)
{
    char *text = NULL;
    nh_error error = {0};
    if (nh_claims_print(x->claims, a->json ? NH_CLAIMS_JSON : NH_CLAIMS_TEXT, &text, &error) != NH_OK)
        tool_error(&error);
    else
        tool_output(text);
    if (a->json)
        return;
    for (int i = 0; i < x->count; i++)
        printf("%s%s: %.2f s", i ? ", " : "", x->results[i].figure->name, x->results[i].seconds);
    printf("%s%.2f s in all, %d thread%s; files are in %s\n", x->count ? "; " : "", x->seconds, x->options.threads,
           x->options.threads == 1 ? "" : "s", x->options.directory);
}

static int make(const experiment_paper *paper, const experiment_figure *figure, const experiment_options *options,
                const tool_arguments *a)
{
    experiment x;
    watch *w = options->user;
    *w = (watch){.quiet = a->quiet};
    tool_progress_begin(&w->progress, a->quiet, 0);
    tool_stop_begin(&w->stop);
    const bool good = experiment_run_paper(&x, paper, figure, options);
    tool_stop_end(&w->stop);
    tool_progress_end(&w->progress);
    if (x.count > 0 && (!a->quiet || a->json))
        report(&x, a);
    if (x.no_pictures[0])
        tool_complain("no pictures: %s", x.no_pictures);
    if (x.stopped)
        tool_complain("stopped; the figures that were finished are kept");
    else if (!good)
        tool_error(&x.error);
    const bool agrees = nh_claims_count(x.claims, NH_DIFFERS) == 0;
    experiment_free(&x);
    return good && agrees ? TOOL_DONE : TOOL_FAILED;
}

static int threads_of(const tool_arguments *a)
{
    const long processors = a->threads > 0 ? (long)a->threads : sysconf(_SC_NPROCESSORS_ONLN);
    return processors < 1 ? 1 : processors > 64 ? 64 : (int)processors;
}

static int run(const tool_arguments *a)
{
    const experiment_paper *paper;
    const experiment_figure *figure;
    char directory[128];
    watch w;
    if (a->operands == 0) {
        a->json ? list_json() : list_text();
        return TOOL_DONE;
    }
    if (a->quick && a->thorough) {
        tool_complain("--quick and --thorough cannot be given together");
        return TOOL_USAGE;
    }
    if (!find(a->operand[0], &paper, &figure))
        return TOOL_USAGE;
    snprintf(directory, sizeof directory, "reproduce/%s", paper->name);
    const experiment_options options = {
        .directory = a->output ? a->output : directory,
        .effort = a->quick      ? EXPERIMENT_QUICK
                  : a->thorough ? EXPERIMENT_THOROUGH
                                : EXPERIMENT_USUAL,
        .threads = threads_of(a),
        .pulse = pulse,
        .user = &w,
    };
    return make(paper, figure, &options, a);
}

const tool_command tool_reproduce = {
    .name = "reproduce",
    .summary = "make published figures again, with a verdict for each claim",
    .operands = "[PAPER[/FIGURE]]",
    .help = "Makes the figures of a paper again: for each its data (.csv), a picture (.svg, .png; needs gnuplot), and\n"
            "rows of a table: what the paper says, what was expected, what came out here, and whether the two\n"
            "agree. A summary (.md) with all of it is beside them. Without a paper: what there is.\n"
            "The exit code is 0 if everything agrees, and 1 if something differs. Ctrl-C ends it; figures that were\n"
            "finished are kept.\n"
            "\n"
            "examples:\n"
            "  nonholo reproduce\n"
            "  nonholo reproduce jay2009 --quick\n"
            "  nonholo reproduce jay2009/8.4 --thorough --output figures\n",
    .options = OPTION_REPRODUCE | OPTION_THREADS | OPTION_JSON | OPTION_QUIET,
    .least = 0,
    .most = 1,
    .run = run,
};
