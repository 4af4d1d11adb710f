/* SPDX-License-Identifier: MIT */
/* The statistics of an ensemble: a table that grows by a row at every output time, and a picture of the energy error.
 */
#ifndef NONHOLO_CLI_BANDS_H
#define NONHOLO_CLI_BANDS_H

#include <nonholo/nonholo.h>
#include <stdbool.h>

enum { BANDS_CELL = 32, BANDS_SERIES = NH_QUANTILES + 4 }; /* t, smallest, quantiles, largest, mean square */

typedef struct tool_bands {
    nh_table_writer *table; /* NULL: none */
    int columns;
    char (*text)[BANDS_CELL]; /* of a row */
    char **name;
    const char **cell;
    bool drawn; /* are points kept? */
    double *series[BANDS_SERIES];
    unsigned long count, capacity;
    bool failed; /* no memory for them */
} tool_bands;

/* `path` NULL: no table; "-": on standard output. `from`: where the table is continued; NULL: a new one. Complains. */
bool tool_bands_begin(tool_bands *bands, const nh_ensemble *ensemble, const char *path, bool drawn,
                      const nh_table_place *from);
/* False: it cannot be written; the end will tell. */
bool tool_bands_row(tool_bands *bands, const nh_ensemble *ensemble);
/* Where the table ends, nowhere if there is none. */
bool tool_bands_sync(tool_bands *bands, nh_table_place *out);
/* Complains, and returns false, if not all could be written. */
bool tool_bands_end(tool_bands *bands);
bool tool_bands_draw(const tool_bands *bands, const char *path, const char *title, const char *caption);
void tool_bands_free(tool_bands *bands);

#endif
