/* SPDX-License-Identifier: MIT */
#include "report.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void write_quoted(const char *text)
{
    putchar('"');
    for (; *text; text++)
        if (*text == '"' || *text == '\\')
            printf("\\%c", *text);
        else if ((unsigned char)*text < ' ')
            printf("\\u%04x", (unsigned)*text);
        else
            putchar(*text);
    putchar('"');
}

void report_begin(report *r, bool json)
{
    *r = (report){.json = json};
    if (json)
        printf("[");
}

/* Notes are lines: paragraphs below a table, or strings of a list. */
static void end_table(report *r)
{
    tool_progress_end(&r->progress);
    if (r->tables == 0)
        return;
    if (r->json)
        printf("],\n   \"notes\": [");
    char *line = r->notes;
    for (int i = 0; *line; i++) {
        char *end = strchr(line, '\n');
        *end = '\0';
        if (!r->json)
            printf("%s%s\n", i ? "" : "\n", line);
        else {
            printf("%s", i ? ", " : "");
            write_quoted(line);
        }
        line = end + 1;
    }
    printf(r->json ? "]}" : "\n");
    r->notes[0] = '\0';
}

void report_end(report *r)
{
    end_table(r);
    if (r->json)
        printf("\n]\n");
    else if (r->judged > 0)
        printf("%d of %d aims met\n", r->met, r->judged);
}

static void split_columns(report *r, const char *columns)
{
    r->columns = r->cell = r->rows = 0;
    while (columns && r->columns < REPORT_COLUMNS) {
        const char *bar = strchr(columns, '|');
        snprintf(r->head[r->columns++], sizeof r->head[0], "%.*s", bar ? (int)(bar - columns) : (int)strlen(columns),
                 columns);
        columns = bar ? bar + 1 : NULL;
    }
}

void report_table(report *r, const char *name, const char *columns, const char *title, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, title);
    vsnprintf(text, sizeof text, title, arguments);
    va_end(arguments);
    end_table(r);
    split_columns(r, columns);
    tool_progress_begin(&r->progress, false, 0);
    if (r->json) {
        printf("%s\n  {\"table\": \"%s\",\n   \"title\": ", r->tables ? "," : "", name);
        write_quoted(text);
        printf(",\n   \"rows\": [");
    } else {
        printf("%s: %s\n\n|", name, text);
        for (int i = 0; i < r->columns; i++)
            printf(" %s |", r->head[i]);
        printf("\n| --- |");
        for (int i = 1; i < r->columns; i++)
            printf(" ---: |");
        printf("\n");
    }
    r->tables++;
    fflush(stdout);
}

/* ---- cells ---- */

static void begin_cell(report *r)
{
    tool_progress_end(&r->progress);
    if (!r->json) {
        printf(r->cell ? " " : "| ");
        return;
    }
    printf(r->cell ? ", " : r->rows ? ",\n    {" : "\n    {");
    write_quoted(r->head[r->cell]);
    printf(": ");
}

static void end_cell(report *r)
{
    if (!r->json)
        printf(" |");
    if (++r->cell < r->columns)
        return;
    printf(r->json ? "}" : "\n");
    r->cell = 0;
    r->rows++;
    fflush(stdout);
}

void report_text(report *r, const char *format, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    begin_cell(r);
    if (r->json)
        write_quoted(text);
    else
        printf("%s", text);
    end_cell(r);
}

void report_number(report *r, const char *format, double value)
{
    char text[64];
    snprintf(text, sizeof text, r->json ? "%.6g" : format, value);
    begin_cell(r);
    printf("%s", isfinite(value) ? text : r->json ? "null" : "-");
    end_cell(r);
}

void report_verdict(report *r, double ratio, report_sense sense, double aim)
{
    const bool met = sense == REPORT_AT_MOST ? ratio <= aim : ratio >= aim;
    report_number(r, "%.2f", ratio);
    if (sense == REPORT_NO_AIM || isnan(ratio)) {
        report_text(r, "-");
        report_text(r, "-");
        return;
    }
    report_text(r, "%s %g", sense == REPORT_AT_MOST ? "<=" : ">=", aim);
    report_text(r, met ? "met" : "missed");
    r->judged++;
    r->met += met;
}

void report_note(report *r, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const size_t used = strlen(r->notes), room = sizeof r->notes - used;
    if (strlen(text) + 2 <= room) /* whole lines only */
        snprintf(r->notes + used, room, "%s\n", text);
}

void report_progress(report *r, long long done, long long total)
{
    tool_progress_show(&r->progress, done, total, NAN);
}
