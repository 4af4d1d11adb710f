/* SPDX-License-Identifier: MIT */
/* The catalogue, as a list. */
#include "base/json.h"
#include "base/resource.h"
#include "report/report.h"

#include <nonholo/report.h>
#include <stdio.h>
#include <string.h>

int nh_catalogue_count(void)
{
    int count;
    nh_resource_models(&count);
    return count;
}

const char *nh_catalogue_name(int number)
{
    int count;
    const nh_resource *row = nh_resource_models(&count);
    return number >= 0 && number < count ? row[number].name : NULL;
}

const char *nh_catalogue_text(const char *name)
{
    int count;
    const nh_resource *row = nh_resource_models(&count);
    for (int i = 0; i < count; i++)
        if (!strcmp(row[i].name, name))
            return row[i].text;
    return NULL;
}

static const char *const kinds[] = {"Lagrangian", "DAE", "Hamiltonian"};

static int name_width(void)
{
    size_t width = 0;
    for (int i = 0; i < nh_catalogue_count(); i++)
        if (strlen(nh_catalogue_name(i)) > width)
            width = strlen(nh_catalogue_name(i));
    return (int)width;
}

/* Velocity constraints, "+", holonomic ones. */
static void constraint_count(const nh_model *m, char *out, size_t size)
{
    if (m->holonomic)
        snprintf(out, size, "%d+%d", m->m, m->holonomic);
    else
        snprintf(out, size, "%d", m->m);
}

static void write_row(const char *name, const nh_model *m, nh_text *out)
{
    char constraints[32];
    constraint_count(m, constraints, sizeof constraints);
    nh_text_add(out, "%-*s  %-11s  %3d  %3s  %s\n", name_width(), name, kinds[m->kind], m->n, constraints, m->name);
}

static void write_entry(const char *name, const nh_model *m, nh_json *j)
{
    nh_json_object(j, NULL);
    nh_json_text(j, "name", name);
    nh_json_text(j, "title", m->name);
    nh_json_text(j, "kind", kinds[m->kind]);
    nh_json_integer(j, "n", m->n);
    nh_json_integer(j, "m", m->m);
    nh_json_integer(j, "holonomic", m->holonomic);
    nh_json_text(j, "about", m->about);
    nh_json_text(j, "cite", m->cite);
    nh_json_end(j);
}

nh_status nh_catalogue_list(nh_format format, char **out, nh_error *error)
{
    nh_text text = {0};
    nh_json j = {.out = &text};
    nh_status status = NH_OK;
    *out = NULL;
    if (format == NH_FORMAT_JSON)
        nh_json_array(&j, NULL);
    else
        nh_text_add(&text, "%-*s  %-11s  %3s  %3s  %s\n", name_width(), "name", "kind", "n", "m", "title");
    for (int i = 0; status == NH_OK && i < nh_catalogue_count(); i++) {
        nh_model *m;
        const char *name = nh_catalogue_name(i), *file = nh_catalogue_text(name);
        status = nh_model_parse(file, strlen(file), name, NULL, &m, error);
        if (status == NH_OK && format == NH_FORMAT_JSON)
            write_entry(name, m, &j);
        else if (status == NH_OK)
            write_row(name, m, &text);
        nh_model_free(m);
    }
    if (format == NH_FORMAT_JSON)
        nh_json_end(&j);
    return nh_text_hand_over(&text, status, out, error);
}
