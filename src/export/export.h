/* SPDX-License-Identifier: MIT */
/* Exporting from inside: what the parts of an export share. */
#ifndef NH_EXPORT_EXPORT_H
#define NH_EXPORT_EXPORT_H

#include "export/trim.h"
#include "sim/sim.h"

#include <nonholo/export.h>

typedef struct nh_exporter {
    const nh_model *model;
    nh_sim *sim;
    const nh_kernel *kernel;
    const nh_choice *choice;
    const char *name, *number; /* prefix; "double" or "float" */
    bool in_float, exact;      /* exact: + - * / sqrt, sine and cosine alone */
    nh_trim *trim;
    nh_sim_options options;
    int steps;                  /* of the self-test */
    double *expected, *allowed; /* [2n + 2]: t, q, v, energy after them, and what may be off; 0: to the bit */
} nh_exporter;

/* A number of the exported type, rounded once, that reads back as itself. */
void nh_export_number_text(const nh_exporter *e, nh_quad x, nh_text *out);
/* Numbers of the state's memory. */
int nh_export_memory(const nh_exporter *e);

/* The comment that both files begin with: model, method, how to compile. */
void nh_export_title(const nh_exporter *e, const char *file, nh_text *out);
void nh_export_header(const nh_exporter *e, nh_text *out);
/* Coefficients of the method, as far as the text uses them; initial data. */
void nh_export_data(const nh_exporter *e, nh_text *out);

/* Makes the steps that the self-test will make. */
nh_status nh_export_expect(nh_exporter *e, nh_arena *arena, nh_error *error);
void nh_export_self_test(const nh_exporter *e, nh_text *out);

#endif
