/* SPDX-License-Identifier: MIT */
#ifndef NH_BENCH_COUNT_H
#define NH_BENCH_COUNT_H

/* Runs the cases of instructions.sh, each with fewer and with more steps, and calls count_mark before and after every
 * run: a profiler that starts a new account there can tell what a step costs. Prints a line for each case: its name and
 * how many steps more the second run has. Returns an exit code. */
int count_instructions(void);
void count_mark(void);

#endif
