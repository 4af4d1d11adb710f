/* SPDX-License-Identifier: MIT */
#include "base/json.h"
#include "base/text.h"
#include "sim/measure.h"

#include <math.h>
#include <stdio.h>

/* ---- JSON ---- */

static void write_row(nh_json *j, const nh_measurement *row)
{
    nh_json_object(j, NULL);
    nh_json_text(j, "method", row->method);
    nh_json_text(j, "backend", row->backend);
    nh_json_number(j, "step", row->step);
    nh_json_integer(j, "steps", row->steps);
    nh_json_bool(j, "failed", row->status != NH_OK);
    nh_json_number(j, "q_error", row->q_error);
    nh_json_number(j, "v_error", row->v_error);
    nh_json_number(j, "q_order", row->q_order);
    nh_json_number(j, "v_order", row->v_order);
    nh_json_number(j, "energy_max_error", row->energy_max_error);
    nh_json_number(j, "constraint_max", row->constraint_max);
    nh_json_number(j, "seconds", row->seconds);
    nh_json_end(j);
}

static void write_json(const nh_measurements *list, nh_text *out)
{
    nh_json j = {.out = out};
    nh_json_object(&j, NULL);
    nh_json_text(&j, "reference", list->reference.source);
    nh_json_array(&j, "rows");
    for (int i = 0; i < list->rows; i++)
        write_row(&j, &list->row[i]);
    nh_json_end(&j);
    nh_json_end(&j);
}

/* ---- Text ---- */

static void add_number(nh_text *out, const char *format, double value)
{
    char text[32] = "-";
    if (!isnan(value))
        snprintf(text, sizeof text, format, value);
    nh_text_add(out, "%11s", text);
}

static void write_orders(const nh_measurements *list, nh_text *out)
{
    for (int i = 0; i < list->rows; i++) {
        const nh_measurement *row = &list->row[i];
        if (isnan(row->q_order) && (i == 0 || row->step > list->row[i - 1].step))
            nh_text_add(out, "%s%s\n\n%13s%12s%11s%11s%11s%11s\n", i ? "\n" : "", row->method, "h", "steps", "q error",
                        "order", "v error", "order");
        nh_text_add(out, "%13.6g%12lld", row->step, row->steps);
        add_number(out, "%.3e", row->q_error);
        add_number(out, "%.2f", row->q_order);
        add_number(out, "%.3e", row->v_error);
        add_number(out, "%.2f", row->v_order);
        nh_text_add(out, "%s\n", row->status == NH_OK ? "" : "   a step did not converge");
    }
}

static void write_work(const nh_measurements *list, nh_text *out)
{
    nh_text_add(out, "%-26s%12s%12s%11s%11s%11s%11s%11s%11s\n", "method", "h", "steps", "seconds", "ns/step", "q error",
                "v error", "energy", "constraint");
    for (int i = 0; i < list->rows; i++) {
        const nh_measurement *row = &list->row[i];
        nh_text_add(out, "%-26s%12.6g%12lld", row->method, row->step, row->steps);
        add_number(out, "%.4g", row->seconds);
        add_number(out, "%.4g", row->steps > 0 ? 1e9 * row->seconds / (double)row->steps : NAN);
        add_number(out, "%.3e", row->q_error);
        add_number(out, "%.3e", row->v_error);
        add_number(out, "%.3e", row->energy_max_error);
        add_number(out, "%.3e", row->constraint_max);
        nh_text_add(out, "%s\n", row->status == NH_OK ? "" : "   a step did not converge");
    }
}

nh_status nh_measurements_print(const nh_measurements *list, nh_measure_table table, nh_format format, char **out,
                                nh_error *error)
{
    nh_text text = {0};
    *out = NULL;
    if (format == NH_FORMAT_JSON)
        write_json(list, &text);
    else if (table == NH_TABLE_OF_ORDERS)
        write_orders(list, &text);
    else
        write_work(list, &text);
    if (format != NH_FORMAT_JSON)
        nh_text_add(&text, "\nerrors at the end, against %s\n", list->reference.source);
    return nh_text_hand_over(&text, NH_OK, out, error);
}
