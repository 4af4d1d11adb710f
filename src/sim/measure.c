/* SPDX-License-Identifier: MIT */
#include "sim/measure.h"

#include "base/status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A row from a run that has ended, well or not. */
static void fill(const nh_measurements *list, const nh_sim *s, nh_status status, const nh_measurement *before,
                 nh_measurement *row)
{
    nh_audit audit;
    nh_sim_audit(s, &audit);
    *row = (nh_measurement){.method = row->method,
                            .backend = audit.backend,
                            .step = audit.step,
                            .steps = audit.steps,
                            .q_error = NAN,
                            .v_error = NAN,
                            .q_order = NAN,
                            .v_order = NAN,
                            .energy_max_error = audit.energy_max_error,
                            .constraint_max = audit.constraint_max,
                            .seconds = audit.seconds,
                            .status = status};
    if (status == NH_OK)
        nh_reference_distance(&list->reference, s, &row->q_error, &row->v_error);
    if (before) {
        row->q_order = log2(before->q_error / row->q_error);
        row->v_order = log2(before->v_error / row->v_error);
    }
}

/* A run that fails at some step is a result; one that cannot begin is an error. */
static nh_status measure(nh_measurements *list, const nh_model *m, const nh_sim_options *options, long long steps,
                         const nh_measurement *before, nh_measurement *row, nh_error *error)
{
    nh_sim *s = NULL;
    nh_status status = nh_sim_new(m, options, &s, error);
    if (status != NH_OK)
        return status;
    const char *method = nh_stepper_choice(s->stepper)->spelling;
    row->method = nh_arena_text(&list->arena, method, strlen(method));
    if (row->method)
        fill(list, s, nh_sim_run(s, steps, 0, NULL, NULL, NULL), before, row);
    else
        status = nh_fail(error, NH_MEMORY, "out of memory");
    nh_sim_free(s);
    return status;
}

static nh_status measure_all(nh_measurements *list, const nh_model *m, nh_sim_options options,
                             const char *const *methods, int count, long long steps, int halvings, nh_error *error)
{
    const long long divide = options.divide > 0 ? options.divide : 1;
    nh_status status = NH_OK;
    for (int i = 0; status == NH_OK && i < count; i++)
        for (int j = 0; status == NH_OK && j <= halvings; j++) {
            nh_measurement *row = &list->row[list->rows];
            options.method = methods[i];
            options.divide = divide << j;
            status = measure(list, m, &options, steps << j, j > 0 ? row - 1 : NULL, row, error);
            list->rows++;
        }
    return status;
}

nh_status nh_measure(const nh_model *model, const nh_sim_options *options, const char *const *methods, int count,
                     long long steps, int halvings, nh_measurements **out, nh_error *error)
{
    enum { MOST_HALVINGS = 30, MOST_STEPS = 1 << 30 };
    *out = NULL;
    if (steps < 1 || steps > MOST_STEPS || halvings < 0 || halvings > MOST_HALVINGS)
        return nh_fail(error, NH_VALUE, "errors are measured over 1 to %d steps, halved 0 to %d times, not %lld and %d",
                       MOST_STEPS, MOST_HALVINGS, steps, halvings);
    if (methods && count < 0)
        return nh_fail(error, NH_VALUE, "%d methods cannot be measured: their number is 0 or more", count);
    nh_status status = nh_sim_check_options(options, error); /* steps are divided here, whatever they say */
    if (status != NH_OK)
        return status;
    if (!methods) {
        methods = &options->method;
        count = 1;
    }
    nh_measurements *list = calloc(1, sizeof *list);
    if (!list)
        return nh_fail(error, NH_MEMORY, "out of memory");
    list->row = NH_NEW(&list->arena, nh_measurement, (size_t)count * (size_t)(halvings + 1) + 1);
    status = list->row ? nh_reference_make(model, options, steps, steps << halvings, &list->reference, error)
                       : nh_fail(error, NH_MEMORY, "out of memory");
    if (status == NH_OK)
        status = measure_all(list, model, *options, methods, count, steps, halvings, error);
    if (status == NH_OK)
        *out = list;
    else
        nh_measurements_free(list);
    return status;
}

void nh_measurements_free(nh_measurements *list)
{
    if (!list)
        return;
    nh_reference_free(&list->reference);
    nh_arena_free(&list->arena);
    free(list);
}

int nh_measurements_count(const nh_measurements *list)
{
    return list->rows;
}

const nh_measurement *nh_measurements_get(const nh_measurements *list, int number)
{
    return number >= 0 && number < list->rows ? &list->row[number] : NULL;
}

const char *nh_measurements_reference(const nh_measurements *list)
{
    return list->reference.source;
}
