/* SPDX-License-Identifier: MIT */
/* Timing for benchmarks: the smallest of several interleaved repeats, because the machine is shared. */
#ifndef NH_BENCH_CLOCK_H
#define NH_BENCH_CLOCK_H

/* Seconds that the processor has worked for this program: other programs' turns do not count. */
double clock_seconds(void);

/* One thing to time: run(context, repeats) does it `repeats` times. */
typedef struct contender {
    const char *name;
    void (*run)(void *context, long repeats);
    void *context;
    double nanoseconds; /* result: per repeat */
} contender;

/* Times all contenders, in turns, for about `seconds` each; fills nanoseconds. */
void clock_race(contender *list, int count, double seconds);

#endif
