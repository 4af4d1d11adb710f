/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "clock.h"

#include <time.h>

enum { ROUNDS = 15 };

double clock_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double time_of(const contender *c, long repeats)
{
    double start = clock_seconds();
    c->run(c->context, repeats);
    return clock_seconds() - start;
}

/* How many repeats take about one turn. */
static long calibrate(const contender *c, double turn)
{
    long repeats = 1;
    while (time_of(c, repeats) < turn / 4 && repeats < 1L << 40)
        repeats *= 2;
    return 4 * repeats;
}

void clock_race(contender *list, int count, double seconds)
{
    double turn = seconds / ROUNDS;
    for (int i = 0; i < count; i++)
        list[i].nanoseconds = 1e300;
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < count; i++) {
            long repeats = calibrate(&list[i], turn / 4);
            double ns = 1e9 * time_of(&list[i], repeats) / (double)repeats;
            if (ns < list[i].nanoseconds)
                list[i].nanoseconds = ns;
        }
}
