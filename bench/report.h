/* SPDX-License-Identifier: MIT */
/* What the benchmarks print: tables of rows in Markdown, or the same as one JSON array. */
#ifndef NH_BENCH_REPORT_H
#define NH_BENCH_REPORT_H

#include "cli/progress.h"

#include <stdbool.h>

enum { REPORT_COLUMNS = 16, REPORT_NOTES = 4096 };

typedef struct report {
    bool json;
    int tables, columns, cell, rows; /* printed so far: tables; columns, cells of this row, rows of this table */
    char head[REPORT_COLUMNS][48];
    char notes[REPORT_NOTES]; /* of this table, one a line */
    int judged, met;
    tool_progress progress;
} report;

/* How a ratio is judged. */
typedef enum report_sense { REPORT_NO_AIM, REPORT_AT_MOST, REPORT_AT_LEAST } report_sense;

void report_begin(report *r, bool json);
/* The number of aims met, and the end of the JSON. */
void report_end(report *r);

/* A table; columns are separated by '|'. It ends with the next one. */
void report_table(report *r, const char *name, const char *columns, const char *title, ...)
    __attribute__((format(printf, 4, 5)));
/* Cells, from left to right; a row ends by itself. A number that is not finite prints as "-". */
void report_text(report *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
void report_number(report *r, const char *format, double value);
/* Three cells: ratio, aim, "met" or "missed". */
void report_verdict(report *r, double ratio, report_sense sense, double aim);
/* A line below the table. */
void report_note(report *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A bar on a terminal, until the next cell. */
void report_progress(report *r, long long done, long long total);

#endif
