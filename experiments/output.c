/* SPDX-License-Identifier: MIT */
/* What a figure leaves behind: claims, a table, a picture. */
#include "experiments/experiment.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH = 4096, NUMBER = 32 };

static const char *name_of_figure(const experiment *x)
{
    return x->results[x->count].figure->name;
}

static void file_of_figure(const experiment *x, const char *ending, char path[PATH])
{
    snprintf(path, PATH, "%s/%s%s", x->options.directory, name_of_figure(x), ending);
}

double *experiment_numbers(experiment *x, unsigned long count)
{
    double *numbers = calloc(count + 1, sizeof *numbers);
    if (!numbers) {
        x->error = (nh_error){.status = NH_MEMORY};
        snprintf(x->error.message, sizeof x->error.message, "%s", nh_status_text(NH_MEMORY));
    }
    return numbers;
}

void experiment_claim(experiment *x, nh_claim claim)
{
    claim.figure = name_of_figure(x);
    nh_claims_add(x->claims, &claim);
}

/* ---- Tables ---- */

static void write_rows(nh_table_writer *writer, const double *const *columns, int count, unsigned long rows,
                       char (*texts)[NUMBER], const char **cells)
{
    for (unsigned long k = 0; k < rows; k++) {
        for (int i = 0; i < count; i++) {
            snprintf(texts[i], NUMBER, "%.17g", columns[i][k]);
            cells[i] = texts[i];
        }
        if (nh_table_row(writer, cells) != NH_OK)
            return; /* closing tells why */
    }
}

bool experiment_write_table(experiment *x, const char *const *names, const double *const *columns, int count,
                            unsigned long rows)
{
    char path[PATH];
    nh_table_writer *writer = NULL;
    char(*texts)[NUMBER] = calloc((size_t)count, sizeof *texts);
    const char **cells = calloc((size_t)count, sizeof *cells);
    bool good = texts && cells;
    file_of_figure(x, ".csv", path);
    if (good && nh_table_create(path, names, count, &writer, &x->error) == NH_OK)
        write_rows(writer, columns, count, rows, texts, cells);
    good = good && writer && nh_table_close(writer, &x->error) == NH_OK;
    free(texts);
    free(cells);
    return good;
}

/* ---- Pictures ---- */

static bool draw(experiment *x, const nh_figure *figure, const char *ending)
{
    char path[PATH];
    nh_error error = {0};
    file_of_figure(x, ending, path);
    if (nh_figure_write(figure, path, &error) == NH_OK)
        return true;
    if (error.status == NH_FILE)
        snprintf(x->no_pictures, sizeof x->no_pictures, "%s", error.message);
    else
        x->error = error;
    return false;
}

bool experiment_draw(experiment *x, nh_figure *figure, const char *caption)
{
    experiment_result *result = &x->results[x->count];
    snprintf(result->caption, sizeof result->caption, "%s", caption);
    result->drawn = !x->no_pictures[0] && draw(x, figure, ".svg") && draw(x, figure, ".png");
    nh_figure_free(figure);
    return x->error.status == NH_OK;
}
