/* SPDX-License-Identifier: MIT */
/* Fuzz target: any bytes as a model text; a small model that is accepted is described and checked. */
#include "fuzz.h"

#include "model/model.h"

#include <nonholo/report.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { SMALL = 8, SMALL_GRAPH = 300 };
    nh_model *m = NULL;
    nh_error error;
    if (nh_model_parse((const char *)data, size, "fuzz", NULL, &m, &error) != NH_OK)
        return 0;
    if (m->n <= SMALL && nh_graph_size(m->graph) <= SMALL_GRAPH) {
        static const nh_format formats[] = {NH_FORMAT_TEXT, NH_FORMAT_JSON, NH_FORMAT_LATEX};
        char *text = NULL;
        int well_posed;
        for (int i = 0; i < 3; i++) {
            if (nh_describe(m, formats[i], &text, &error) == NH_OK)
                nh_text_release(text);
        }
        if (nh_check(m, NH_FORMAT_TEXT, &well_posed, &text, &error) == NH_OK)
            nh_text_release(text);
    }
    nh_model_free(m);
    return 0;
}
