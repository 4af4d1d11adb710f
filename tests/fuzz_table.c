/* SPDX-License-Identifier: MIT */
/* Fuzz target: any bytes as a table; the first columns of one that is accepted are drawn as text. */
#include "fuzz.h"

#include <nonholo/plot.h>
#include <nonholo/table.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    nh_table *table = NULL;
    nh_error error;
    if (nh_table_parse((const char *)data, size, "fuzz", &table, &error) != NH_OK)
        return 0;
    int last = nh_table_columns(table) - 1, second = last > 0 ? 1 : 0;
    for (int log = 0; log <= 1; log++) {
        char *text = NULL;
        nh_figure *figure = nh_figure_new(nh_table_name(table, last), NULL, 1);
        int panel = nh_figure_panel(figure, &(nh_panel_options){.x_label = nh_table_name(table, 0), .log_y = log});
        nh_figure_series(figure, panel, nh_table_name(table, second), nh_table_column(table, 0),
                         nh_table_column(table, second), nh_table_rows(table), NH_PLOT_LINE);
        if (nh_figure_preview(figure, NH_PREVIEW_BRAILLE, 40, 5, &text, &error) == NH_OK)
            nh_text_release(text);
        nh_figure_free(figure);
    }
    nh_table_free(table);
    return 0;
}
