/* SPDX-License-Identifier: MIT */
/* Two threads against one: an ensemble of 10^4 members by the tool, in wall-clock time, as its JSON tells; and in
 * processor time, which tells how much is lost because two threads run slower than one. */
#include "child.h"
#include "tables.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { REPEATS = 5, QUICK_REPEATS = 2 };

typedef struct crowd {
    const char *label, *steps, *every;
} crowd;

static const crowd crowds[] = {{"mp, 10000 steps, statistics at the end", "10000", "10000"},
                               {"mp, 10000 steps, statistics 100 times", "10000", "100"}};
static const crowd quick_crowds[] = {{"mp, 1000 steps, statistics at the end", "1000", "1000"},
                                     {"mp, 1000 steps, statistics 100 times", "1000", "10"}};
enum { CROWDS = sizeof crowds / sizeof *crowds };

typedef struct duration {
    double wall, processor;
} duration;

/* Of all children that have ended. */
static double processor_time(void)
{
    struct rusage use;
    getrusage(RUSAGE_CHILDREN, &use);
    return (double)use.ru_utime.tv_sec + 1e-6 * (double)use.ru_utime.tv_usec;
}

/* Seconds that the steps took; NaN, with a note, if there are none. */
static duration seconds_of(const bench *b, const crowd *c, const char *threads)
{
    static char said[1 << 16];
    const char *const words[] = {b->tool,   "ensemble",  "mp-particles", "--draw",  "q[1]=uniform(-1,1)",
                                 "--count", "10000",     "--method",     "mp",      "--steps",
                                 c->steps,  "--every",   c->every,       "--audit", "0",
                                 "--json",  "--threads", threads,        NULL};
    const double before = processor_time();
    const int code = child_run(words, said, sizeof said);
    const char *key = "\"seconds\":", *at = strstr(said, key);
    if (code == 0 && at)
        return (duration){strtod(at + strlen(key), NULL), processor_time() - before};
    report_note(b->report, "nonholo ensemble: exit code %d%s", code, code == 0 ? ", no seconds in its JSON" : "");
    return (duration){NAN, NAN};
}

static duration least(duration a, duration b)
{
    return (duration){fmin(a.wall, b.wall), fmin(a.processor, b.processor)};
}

static void row(const bench *b, const crowd *c)
{
    duration one = {INFINITY, INFINITY}, two = one;
    for (int i = 0; i < (b->quick ? QUICK_REPEATS : REPEATS); i++) {
        const duration first = seconds_of(b, c, "1");
        if (isnan(first.wall))
            return;
        one = least(one, first);
        two = least(two, seconds_of(b, c, "2"));
    }
    report_text(b->report, "%s", c->label);
    report_number(b->report, "%.3f", one.wall);
    report_number(b->report, "%.3f", two.wall);
    report_verdict(b->report, one.wall / two.wall, REPORT_AT_LEAST, 1.9);
    report_number(b->report, "%.2f", one.processor);
    report_number(b->report, "%.2f", two.processor);
}

static void run(const bench *b)
{
    report_table(b->report, "threads", "case|one thread|two threads|times faster|aim|verdict|processor time, one|two",
                 "s for the steps of an ensemble; mp-particles, 10000 members, wall-clock time; and s of processors "
                 "for all of a run");
    if (!b->tool)
        report_note(b->report, "the tool is not known: run this as 'nonholo bench threads'");
    for (int i = 0; i < CROWDS && b->tool; i++)
        row(b, b->quick ? &quick_crowds[i] : &crowds[i]);
}

const bench_table table_threads = {"threads", "an ensemble by two threads against one", run};
