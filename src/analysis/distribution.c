/* SPDX-License-Identifier: MIT */
/* The distribution of the constraints: where it is defined, its rank, whether it is integrable. */
#include "analysis/frame.h"

#include <stdlib.h>
#include <string.h>

/* Is there a distribution at all? The reason if not. */
static const char *undefined(const nh_study *s)
{
    const nh_model *m = s->m;
    if (m->kind != NH_LAGRANGIAN)
        return "not a Lagrangian system";
    if (m->m + m->holonomic == 0)
        return "no constraints";
    if (s->samples == 0)
        return s->c->no_samples;
    for (int i = 0; i < s->c->constraints; i++)
        if (s->c->constraint[i].form == NH_FORM_NONLINEAR)
            return "a constraint is nonlinear in the velocities";
    return "";
}

static bool needs_time(const nh_study *s)
{
    bool found = false;
    for (int i = 0; i < s->c->constraints; i++)
        found |= s->c->constraint[i].form == NH_FORM_AFFINE || s->c->constraint[i].time_dependent;
    for (int i = 0; i < s->m->holonomic_constraints; i++)
        found |= nh_depends(s->m->graph, s->m->holonomic_constraint[i].value, 1u << NH_TIME);
    return found;
}

/* Rank of the forms at a point, relative to `scale` (0: to themselves); −1 if they are not finite there. `forms` is
 * overwritten. */
static int rank_at(nh_quad *forms, int rows, int columns, nh_quad scale, nh_quad *sigma)
{
    if (!nh_quads_finite(forms, (size_t)rows * (size_t)columns))
        return -1;
    nh_svd_quad(forms, rows, columns, sigma, NULL);
    return nh_rank(sigma, columns, scale, NULL);
}

/* A frame that is good at the initial point if the rank there is the generic one. */
static nh_status make_frame(nh_study *s, nh_frame *f, bool *at_initial, nh_error *error)
{
    const nh_distribution *d = &s->c->distribution;
    int rows = s->m->m + s->m->holonomic;
    nh_quad *forms = NH_NEW(&s->arena, nh_quad, (rows + 1) * (d->dimension + 1));
    nh_quad *sigma = NH_NEW(&s->arena, nh_quad, d->dimension + 1);
    nh_probe p;
    if (!forms || !sigma)
        return nh_out_of_memory(error);
    nh_status status = nh_form_matrix(s, &p, error);
    if (status != NH_OK)
        return status;
    nh_form_matrix_at(s, &p, &s->sample[0], d->with_time, forms);
    int generic = rank_at(forms, rows, d->dimension, 0, sigma), initial = -1;
    if (s->initial_good) {
        nh_form_matrix_at(s, &p, &s->initial, d->with_time, forms);
        initial = rank_at(forms, rows, d->dimension, sigma[0], sigma);
        if (initial < 0)
            nh_study_not_finite(s, "K");
    }
    *at_initial = initial == generic;
    nh_form_matrix_at(s, &p, *at_initial ? &s->initial : &s->sample[0], d->with_time, forms);
    nh_probe_free(&p);
    return nh_frame_new(s, d->with_time, forms, f, error);
}

/* Integrability from the growth at generic points. */
static void conclude(nh_study *s)
{
    nh_distribution *d = &s->c->distribution;
    const nh_growth *g = &d->generic;
    if (g->length > 1 || g->complete)
        d->integrable.answer = g->length > 1 ? NH_NO : NH_YES;
    if (g->complete)
        d->integrals = d->dimension - g->dimension[g->length - 1] - s->m->holonomic;
    /* redundant holonomic constraints declare fewer functions than there are rows */
    if (g->complete && d->integrals < 0)
        d->integrals = 0;
}

static nh_status small(nh_study *s, nh_error *error)
{
    nh_distribution *d = &s->c->distribution;
    nh_frame f = {0};
    bool at_initial = false;
    nh_status status = make_frame(s, &f, &at_initial, error);
    if (status != NH_OK)
        return status;
    d->rank = f.fields;
    status = nh_study_growth(s, &f, at_initial, error);
    nh_frame_free(&f);
    if (status == NH_OK)
        conclude(s);
    return status;
}

nh_status nh_study_distribution(nh_study *s, nh_error *error)
{
    nh_distribution *d = &s->c->distribution;
    *d = (nh_distribution){.integrals = -1, .form_rank = -1, .generic.limit = "", .initial.limit = ""};
    d->reason = undefined(s);
    d->defined = d->reason[0] == '\0';
    if (!d->defined)
        return NH_OK;
    d->with_time = needs_time(s);
    d->dimension = s->m->n + d->with_time;
    d->large = d->dimension > NH_SMALL;
    return d->large ? nh_study_large(s, error) : small(s, error);
}
