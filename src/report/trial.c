/* SPDX-License-Identifier: MIT */
#include "report/trial.h"

#include "base/page.h"

#include <math.h>
#include <nonholo/report.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void nh_trial_add(nh_trials *t, const char *name, const char *subject, nh_outcome outcome, double figure,
                  const char *format, ...)
{
    char line[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    const char *text = nh_arena_text(&t->study.arena, line, strlen(line));
    if (text && nh_grow(&t->item, &t->capacity, t->count, sizeof *t->item))
        t->item[t->count++] = (nh_trial){name, subject, outcome, figure, text};
    else
        t->failed = true;
}

/* ---- Text ---- */

static int count_of(const nh_trials *t, nh_outcome outcome)
{
    int count = 0;
    for (size_t i = 0; i < t->count; i++)
        count += t->item[i].outcome == outcome;
    return count;
}

static void write_trial(const nh_trial *trial, nh_text *out)
{
    enum { COLUMN = 34 };
    static const char *const outcome[] = {"ok", "FAILED", "note", "note"};
    nh_text label = {0};
    nh_text_add(&label, "%-6s  %s%s%s", outcome[trial->outcome], trial->name, *trial->subject ? " " : "",
                trial->subject);
    nh_page_column(out, COLUMN, nh_text_get(&label), trial->text);
    nh_text_drop(&label, out);
}

/* Options that start from the proposed data. */
static void write_proposal(const nh_trials *t, nh_text *out)
{
    const nh_model *m = t->r->m;
    nh_text line = {0};
    for (int i = 0; t->q && i < 2 * m->n; i++) {
        bool velocity = i >= m->n;
        int k = velocity ? i - m->n : i;
        nh_quad is = velocity ? t->v[k] : t->q[k], was = velocity ? t->r->v[k] : t->r->q[k];
        if ((double)is == (double)was)
            continue;
        nh_text_add(&line, "%s", line.length ? ", " : "consistent data near them: ");
        nh_model_component_name(m, velocity ? NH_V : NH_Q, k, false, &line);
        nh_text_add(&line, "=%.17g", (double)is);
    }
    if (line.length)
        nh_page_wrap(out, 2, nh_text_get(&line));
    nh_text_drop(&line, out);
}

static void write_text(const nh_trials *t, nh_text *out)
{
    const nh_model *m = t->r->m;
    int failed = count_of(t, NH_FAILED);
    nh_text_add(out, "%s%s%s\n", m->file, *m->name ? ": " : "", m->name);
    for (size_t i = 0; i < t->count; i++)
        write_trial(&t->item[i], out);
    write_proposal(t, out);
    if (failed)
        nh_text_add(out, "not well posed: %d of %zu checks failed\n", failed, t->count);
    else
        nh_text_add(out, "well posed%s\n", count_of(t, NH_SKIPPED) ? ", as far as was looked at" : "");
}

/* ---- JSON ---- */

static void write_vector(nh_json *j, const char *key, const nh_model *m, nh_space space, const nh_quad *x)
{
    nh_json_object(j, key);
    for (int i = 0; i < m->n; i++) {
        nh_text name = {0};
        nh_model_component_name(m, space, i, false, &name);
        nh_json_number(j, nh_text_get(&name), (double)x[i]);
        nh_text_drop(&name, j->out);
    }
    nh_json_end(j);
}

static void write_json(const nh_trials *t, nh_text *out)
{
    static const char *const outcome[] = {"ok", "failed", "note", "note"};
    nh_json writer = {.out = out}, *j = &writer;
    nh_json_object(j, NULL);
    nh_json_text(j, "model", t->r->m->file);
    nh_json_bool(j, "well_posed", count_of(t, NH_FAILED) == 0);
    nh_json_bool(j, "complete", count_of(t, NH_SKIPPED) == 0);
    nh_json_array(j, "checks");
    for (size_t i = 0; i < t->count; i++) {
        nh_json_object(j, NULL);
        nh_json_text(j, "name", t->item[i].name);
        nh_json_text(j, "subject", *t->item[i].subject ? t->item[i].subject : NULL);
        nh_json_text(j, "outcome", outcome[t->item[i].outcome]);
        nh_json_number(j, "figure", t->item[i].figure);
        nh_json_text(j, "text", t->item[i].text);
        nh_json_end(j);
    }
    nh_json_end(j);
    if (t->q) {
        nh_json_object(j, "consistent");
        write_vector(j, "q", t->r->m, NH_Q, t->q);
        write_vector(j, "v", t->r->m, NH_V, t->v);
        nh_json_end(j);
    }
    nh_json_end(j);
}

/* ---- Checking ---- */

static nh_status run(nh_trials *t, nh_error *error)
{
    nh_status status = nh_study_points(&t->study, error);
    if (status != NH_OK && status != NH_VALUE)
        return status;
    status = nh_trial_initial(t, error);
    if (status == NH_OK)
        status = nh_trial_derivatives(t, error);
    if (status == NH_OK)
        status = nh_trial_invariants(t, error);
    if (status == NH_OK)
        status = nh_trial_exact(t, error);
    if (status == NH_OK)
        nh_trial_symmetries(t);
    return status == NH_OK && t->failed ? nh_fail(error, NH_MEMORY, "out of memory") : status;
}

nh_status nh_check(const nh_model *model, nh_format format, int *well_posed, char **out, nh_error *error)
{
    nh_report report;
    nh_text text = {0};
    *out = NULL;
    *well_posed = 0;
    nh_status status = nh_report_new(model, &report, error);
    if (status != NH_OK)
        return status;
    nh_trials trials = {.r = &report, .study = {.m = model, .c = report.c}};
    status = run(&trials, error);
    if (status == NH_OK) {
        (format == NH_FORMAT_JSON ? write_json : write_text)(&trials, &text);
        *well_posed = count_of(&trials, NH_FAILED) == 0;
    }
    free(trials.item);
    nh_arena_free(&trials.study.arena);
    nh_report_free(&report);
    return nh_text_hand_over(&text, status, out, error);
}
