/* SPDX-License-Identifier: MIT */
#include "motion.h"

#include "tool.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const nh_sim_field fields[] = {NH_SIM_TIME,       NH_SIM_POSITION,     NH_SIM_VELOCITY,
                                      NH_SIM_OBSERVABLE, NH_SIM_ENERGY_ERROR, NH_SIM_RESIDUAL};
enum { FIELDS = sizeof fields / sizeof fields[0] };

bool tool_motion_accepts(const char *path)
{
    if (!strcmp(path, "-") || tool_ends_in(path, ".csv") || tool_ends_in(path, ".json"))
        return true;
    if (tool_ends_in(path, ".h5"))
        tool_complain("--output %s: this version does not write HDF5; use .csv or .json", path);
    else
        tool_complain("--output %s: a file that ends in .csv or .json, or -, is needed", path);
    return false;
}

/* ---- JSON: {"names": [...], "rows": [[...], ...]} ---- */

static bool begin_json(tool_motion *m)
{
    m->json = fopen(m->path, "w");
    if (!m->json) {
        tool_complain("cannot write %s: %s", m->path, strerror(errno));
        return false;
    }
    fputs("{\"names\": [", m->json);
    for (int i = 0; i < m->columns; i++)
        fprintf(m->json, "%s\"%s\"", i ? ", " : "", m->cell[i]);
    fputs("],\n\"rows\": [", m->json);
    return true;
}

static void write_json_cell(const tool_motion *m, const char *cell)
{
    if (strchr(cell, 'n')) /* nan, inf: JSON has no such numbers */
        fputs("null", m->json);
    else
        fprintf(m->json, m->quoted ? "\"%s\"" : "%s", cell);
}

static bool write_json_row(tool_motion *m)
{
    fputs(m->rows ? ",\n[" : "\n[", m->json);
    for (int i = 0; i < m->columns; i++) {
        fputs(i ? ", " : "", m->json);
        write_json_cell(m, m->cell[i]);
    }
    fputs("]", m->json);
    return !ferror(m->json);
}

static bool end_json(tool_motion *m)
{
    fputs("\n]}\n", m->json);
    errno = 0;
    bool lost = ferror(m->json) != 0;
    lost |= fclose(m->json) != 0;
    if (lost)
        tool_complain("cannot write %s: %s", m->path, errno ? strerror(errno) : "not all of it was taken");
    return !lost;
}

/* ---- Both ---- */

static bool begin_table(tool_motion *m, const nh_table_place *from)
{
    nh_error error = {0};
    const nh_status status = !strcmp(m->path, "-")
                                 ? nh_table_attach(stdout, "standard output", m->cell, m->columns, &m->table, &error)
                             : from ? nh_table_resume(m->path, m->cell, m->columns, *from, &m->table, &error)
                                    : nh_table_create(m->path, m->cell, m->columns, &m->table, &error);
    if (status != NH_OK)
        tool_error(&error);
    return status == NH_OK;
}

bool tool_motion_begin(tool_motion *m, const char *path, const nh_sim *sim, bool member, const nh_table_place *from)
{
    nh_audit audit;
    nh_sim_audit(sim, &audit);
    *m = (tool_motion){.path = path, .quoted = !strcmp(audit.precision, "quad"), .first = member, .columns = member};
    for (int f = 0; f < FIELDS; f++)
        m->columns += nh_sim_size(sim, fields[f]);
    m->text = calloc((size_t)m->columns, sizeof *m->text);
    m->cell = calloc((size_t)m->columns, sizeof *m->cell);
    if (!m->text || !m->cell) {
        tool_complain("out of memory");
        return false;
    }
    m->cell[0] = "member";
    for (int f = 0, column = m->first; f < FIELDS; f++)
        for (int i = 0; i < nh_sim_size(sim, fields[f]); i++)
            m->cell[column++] = nh_sim_name(sim, fields[f], i);
    const bool good = tool_ends_in(path, ".json") ? begin_json(m) : begin_table(m, from);
    for (int i = 0; i < m->columns; i++)
        m->cell[i] = m->text[i];
    return good;
}

bool tool_motion_row(tool_motion *m, const nh_sim *sim, long long member)
{
    if (m->first)
        snprintf(m->text[0], MOTION_CELL, "%lld", member);
    for (int f = 0, column = m->first; f < FIELDS; f++)
        for (int i = 0; i < nh_sim_size(sim, fields[f]); i++)
            nh_sim_print(sim, fields[f], i, m->text[column++], MOTION_CELL);
    const bool good = m->json ? write_json_row(m) : nh_table_row(m->table, m->cell) == NH_OK;
    m->rows++;
    return good;
}

bool tool_motion_sync(tool_motion *m, nh_table_place *out)
{
    return nh_table_sync(m->table, out) == NH_OK;
}

bool tool_motion_end(tool_motion *m)
{
    bool good = true;
    nh_error error = {0};
    if (m->json)
        good = end_json(m);
    else if (m->table && nh_table_close(m->table, &error) != NH_OK) {
        tool_error(&error);
        good = false;
    }
    return good;
}

void tool_motion_free(tool_motion *m)
{
    free(m->text);
    free(m->cell);
}
