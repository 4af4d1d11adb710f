/* SPDX-License-Identifier: MIT */
#include "bands.h"

#include "tool.h"

#include <stdlib.h>
#include <string.h>

enum {
    FIRST = 2,
    PER_QUANTITY = NH_QUANTILES + 6
}; /* t, members; mean, variance, mean square, extremes, quantiles, count */

/* ---- Names: t, members, NAME.mean, … ---- */

static const char *statistic_name(int i, char buffer[16])
{
    static const char *const names[] = {"mean", "variance", "mean_square", "min"};
    if (i < 4)
        return names[i];
    if (i >= 4 + NH_QUANTILES)
        return i == 4 + NH_QUANTILES ? "max" : "count";
    snprintf(buffer, 16, "q%02.0f", 100 * nh_quantile_level(i - 4));
    return buffer;
}

static bool make_names(tool_bands *b, const nh_ensemble *e)
{
    b->columns = FIRST + PER_QUANTITY * nh_ensemble_quantities(e);
    b->text = calloc((size_t)b->columns, sizeof *b->text);
    b->cell = calloc((size_t)b->columns, sizeof *b->cell);
    b->name = calloc((size_t)b->columns, sizeof *b->name);
    bool good = b->text && b->cell && b->name;
    for (int c = 0; good && c < b->columns; c++) {
        char buffer[16];
        const int k = (c - FIRST) / PER_QUANTITY, i = (c - FIRST) % PER_QUANTITY;
        const char *quantity = c < FIRST ? (c == 0 ? "t" : "members") : nh_ensemble_quantity(e, k);
        const size_t room = strlen(quantity) + 32;
        b->name[c] = malloc(room);
        good = b->name[c] != NULL;
        if (good)
            snprintf(b->name[c], room, "%s%s%s", quantity, c < FIRST ? "" : ".",
                     c < FIRST ? "" : statistic_name(i, buffer));
    }
    return good;
}

/* ---- Points of the picture ---- */

static void add_point(tool_bands *b, const double point[BANDS_SERIES])
{
    if (!b->failed && b->count == b->capacity) {
        b->capacity = 2 * b->capacity + 1024;
        for (int i = 0; i < BANDS_SERIES; i++) {
            double *larger = realloc(b->series[i], b->capacity * sizeof *larger);
            b->failed |= !larger;
            b->series[i] = larger ? larger : b->series[i];
        }
    }
    for (int i = 0; i < BANDS_SERIES && !b->failed; i++)
        b->series[i][b->count] = point[i];
    b->count += !b->failed;
}

/* Those of a table that is continued, up to there; energy_error is the first quantity. */
static bool read_points(tool_bands *b, const char *path)
{
    static const int column[BANDS_SERIES] = {0,         FIRST + 3, FIRST + 4, FIRST + 5, FIRST + 6,
                                             FIRST + 7, FIRST + 8, FIRST + 9, FIRST + 2};
    nh_table *table = NULL;
    nh_error error = {0};
    (void)nh_table_flush(b->table); /* the end will tell */
    if (nh_table_read(path, &table, &error) != NH_OK) {
        tool_error(&error);
        return false;
    }
    for (unsigned long k = 0; k < nh_table_rows(table); k++) {
        double point[BANDS_SERIES];
        for (int i = 0; i < BANDS_SERIES; i++)
            point[i] = nh_table_column(table, column[i])[k];
        add_point(b, point);
    }
    nh_table_free(table);
    return true;
}

/* ---- The table ---- */

bool tool_bands_begin(tool_bands *b, const nh_ensemble *e, const char *path, bool drawn, const nh_table_place *from)
{
    nh_error error = {0};
    *b = (tool_bands){.drawn = drawn};
    if (!make_names(b, e)) {
        tool_complain("out of memory");
        return false;
    }
    const char *const *names = (const char *const *)b->name;
    const nh_status status = !path ? NH_OK
                             : !strcmp(path, "-")
                                 ? nh_table_attach(stdout, "standard output", names, b->columns, &b->table, &error)
                             : from ? nh_table_resume(path, names, b->columns, *from, &b->table, &error)
                                    : nh_table_create(path, names, b->columns, &b->table, &error);
    if (status != NH_OK)
        tool_error(&error);
    return status == NH_OK && (!drawn || !from || read_points(b, path));
}

static void write_number(const tool_bands *b, int column, double x)
{
    nh_double_print(x, b->text[column], BANDS_CELL);
}

bool tool_bands_row(tool_bands *b, const nh_ensemble *e)
{
    const nh_statistics *energy = nh_ensemble_statistics(e, 0);
    double point[BANDS_SERIES] = {nh_ensemble_time(e), energy->smallest};
    memcpy(point + 2, energy->quantile, sizeof energy->quantile);
    point[NH_QUANTILES + 2] = energy->largest;
    point[NH_QUANTILES + 3] = energy->mean_square;
    if (b->drawn)
        add_point(b, point);
    if (!b->table)
        return true;
    write_number(b, 0, nh_ensemble_time(e));
    snprintf(b->text[1], BANDS_CELL, "%lld", energy->count);
    for (int k = 0, c = FIRST; k < nh_ensemble_quantities(e); k++) {
        const nh_statistics *s = nh_ensemble_statistics(e, k);
        const double head[] = {s->mean, s->variance, s->mean_square, s->smallest};
        for (int i = 0; i < PER_QUANTITY - 1; i++, c++)
            write_number(b, c, i < 4 ? head[i] : i < 4 + NH_QUANTILES ? s->quantile[i - 4] : s->largest);
        snprintf(b->text[c++], BANDS_CELL, "%lld", s->count);
    }
    for (int c = 0; c < b->columns; c++)
        b->cell[c] = b->text[c];
    return nh_table_row(b->table, b->cell) == NH_OK;
}

bool tool_bands_sync(tool_bands *b, nh_table_place *out)
{
    *out = (nh_table_place){0};
    return !b->table || nh_table_sync(b->table, out) == NH_OK;
}

bool tool_bands_end(tool_bands *b)
{
    nh_error error = {0};
    const bool good = nh_table_close(b->table, &error) == NH_OK;
    b->table = NULL;
    if (!good)
        tool_error(&error);
    return good;
}

void tool_bands_free(tool_bands *b)
{
    for (int i = 0; i < BANDS_SERIES; i++)
        free(b->series[i]);
    for (int c = 0; b->name && c < b->columns; c++)
        free(b->name[c]);
    free(b->name);
    free(b->text);
    free(b->cell);
}

/* ---- The picture ---- */

/* From the top down, as the curves lie. */
static void add_quantiles(nh_figure *figure, const tool_bands *b)
{
    static const char *const labels[] = {"smallest", "5 %", "25 %", "median", "75 %", "95 %", "largest"};
    const int panel = nh_figure_panel(figure, &(nh_panel_options){.x_label = "t", .y_label = "E - E(0), quantiles"});
    for (int i = NH_QUANTILES + 1; i >= 0; i--) {
        const int series =
            nh_figure_series(figure, panel, labels[i], b->series[0], b->series[i + 1], b->count, NH_PLOT_LINE);
        nh_figure_width(figure, panel, series, i == NH_QUANTILES / 2 + 1 ? 2 : 1);
    }
}

bool tool_bands_draw(const tool_bands *b, const char *path, const char *title, const char *caption)
{
    nh_error error = {0};
    if (b->failed) {
        tool_complain("out of memory for the picture");
        return false;
    }
    nh_figure *figure = nh_figure_new(title, caption, 1);
    add_quantiles(figure, b);
    const int panel = nh_figure_panel(figure, &(nh_panel_options){.x_label = "t", .y_label = "mean of (E - E(0))²"});
    nh_figure_series(figure, panel, NULL, b->series[0], b->series[BANDS_SERIES - 1], b->count, NH_PLOT_LINE);
    const bool good = nh_figure_write(figure, path, &error) == NH_OK;
    if (!good)
        tool_error(&error);
    nh_figure_free(figure);
    return good;
}
