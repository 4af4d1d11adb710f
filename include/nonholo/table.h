/* SPDX-License-Identifier: MIT */
/** Tables of numbers in CSV files: a line of names, then lines of numbers. */
#ifndef NONHOLO_TABLE_H
#define NONHOLO_TABLE_H

#include <nonholo/status.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A table that is being written. */
typedef struct nh_table_writer nh_table_writer;

/** Begins a table in a new file, or in place of an old one, with the line of names. On failure *out is NULL. */
NH_API nh_status nh_table_create(const char *path, const char *const *names, int columns, nh_table_writer **out,
                                 nh_error *error);
/** The same on a stream, which stays open; `name` is what messages call it. */
NH_API nh_status nh_table_attach(FILE *stream, const char *name, const char *const *names, int columns,
                                 nh_table_writer **out, nh_error *error);

/** How far a table has been written, and what tells the file from others. */
typedef struct nh_table_place {
    long long bytes; /**< 0: there is no table */
    long long hash;  /**< of its rows */
} nh_table_place;

/** Goes on with a table that was begun with the same names, from a place of nh_table_sync: what is behind it is cut
 * off, when the next rows are written or the table is closed. NH_FILE: the file is shorter, or has other rows or names.
 */
NH_API nh_status nh_table_resume(const char *path, const char *const *names, int columns, nh_table_place from,
                                 nh_table_writer **out, nh_error *error);

/** Adds a row of one cell for each column; NULL is an empty cell. Commas and quotes in a cell are quoted, line ends
 * become blanks. The status is NH_OK until a row cannot be written, and what nh_table_close will say from then on.
 *
 * Rows are written some at a time, always whole ones, and those of the last fifth of a second at the next row: a file
 * can be read while it grows, and after the program was stopped in any way. */
NH_API nh_status nh_table_row(nh_table_writer *writer, const char *const *cells);
/** Hands all rows so far to the system. */
NH_API nh_status nh_table_flush(nh_table_writer *writer);
/** The same, and brings them to the disk; *out is where the file ends then, from where nh_table_resume can go on. */
NH_API nh_status nh_table_sync(nh_table_writer *writer, nh_table_place *out);
/** Writes what is left, and reports the first failure of all, with the path. NULL is fine. */
NH_API nh_status nh_table_close(nh_table_writer *writer, nh_error *error);

/** A table that was read. */
typedef struct nh_table nh_table;

enum {
    NH_TABLE_COLUMNS_MAX = 1 << 16,
    NH_TABLE_NAME_MAX = 1 << 10, /**< bytes */
    NH_TABLE_CELLS_MAX = 1 << 28,
    NH_TABLE_BYTES_MAX = 1 << 29 /**< of a file */
};

/** Reads a table. Cells are numbers, "nan", "inf", or empty, which is NaN; they may be quoted. Empty lines and lines
 * that begin with # are skipped. Failures tell file, line and column. */
NH_API nh_status nh_table_read(const char *path, nh_table **out, nh_error *error);
/** The same from a text; `file` is what messages call it. */
NH_API nh_status nh_table_parse(const char *text, unsigned long length, const char *file, nh_table **out,
                                nh_error *error);
NH_API void nh_table_free(nh_table *table);

NH_API int nh_table_columns(const nh_table *table);
NH_API unsigned long nh_table_rows(const nh_table *table);
/** The name of a column, from 0; NULL beyond the last. */
NH_API const char *nh_table_name(const nh_table *table, int column);
/** The number of the column of this name, -1 if there is none. */
NH_API int nh_table_find(const nh_table *table, const char *name);
/** All numbers of a column, from 0; they belong to the table. NULL beyond the last, or without rows. */
NH_API const double *nh_table_column(const nh_table *table, int column);

#ifdef __cplusplus
}
#endif
#endif
