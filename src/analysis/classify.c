/* SPDX-License-Identifier: MIT */
#include "analysis/classify.h"

#include "analysis/study.h"

#include <stdlib.h>

void nh_classification_free(nh_classification *c)
{
    if (!c)
        return;
    nh_arena_free(&c->arena);
    free(c);
}

typedef nh_status part(nh_study *, nh_error *);

static nh_status run(const nh_model *m, part *const *parts, int count, nh_classification **out, nh_error *error)
{
    *out = NULL;
    nh_classification *c = calloc(1, sizeof *c);
    if (!c)
        return nh_out_of_memory(error);
    c->kind = m->kind;
    c->n = m->n;
    c->m = m->m;
    c->holonomic = m->holonomic;
    c->not_finite = "";
    nh_study s = {.m = m, .c = c};
    nh_status status = NH_OK;
    for (int i = 0; status == NH_OK && i < count; i++)
        status = parts[i](&s, error);
    if (status == NH_OK)
        status = s.arena.failed || c->arena.failed ? nh_out_of_memory(error) : nh_graph_status(m->graph, error);
    nh_field_free(&s.mass);
    nh_arena_free(&s.arena);
    if (status != NH_OK) {
        nh_classification_free(c);
        return status;
    }
    *out = c;
    return NH_OK;
}

nh_status nh_classify(const nh_model *m, nh_classification **out, nh_error *error)
{
    static part *const all[] = {
        nh_study_points, nh_study_constraints,  nh_study_traits,   nh_study_regularity,
        nh_study_energy, nh_study_distribution, nh_study_reversal, nh_study_symmetries,
    };
    return run(m, all, sizeof all / sizeof *all, out, error);
}

nh_status nh_classify_briefly(const nh_model *m, nh_classification **out, nh_error *error)
{
    static part *const brief[] = {nh_study_points, nh_study_traits, nh_study_reversal};
    return run(m, brief, sizeof brief / sizeof *brief, out, error);
}
