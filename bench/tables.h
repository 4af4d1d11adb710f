/* SPDX-License-Identifier: MIT */
/* The benchmarks by name. */
#ifndef NH_BENCH_TABLES_H
#define NH_BENCH_TABLES_H

#include "report.h"

typedef struct bench {
    report *report;
    bool quick;       /* shorter races, less of a table */
    const char *tool; /* path of nonholo, NULL where it is not known */
} bench;

typedef struct bench_table {
    const char *name, *summary;
    void (*run)(const bench *b);
} bench_table;

extern const bench_table table_steps, table_lanes, table_tape, table_zeros, table_large, table_elimination,
    table_newton, table_threads;
extern const bench_table table_energy, table_position, table_figure, table_growth, table_features, table_functions;

#endif
