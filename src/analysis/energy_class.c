/* SPDX-License-Identifier: MIT */
/* Is energy conserved? dE/dt = f·v + N·v + λᵀKv + λ'ᵀg_q v − L_t on the constraints; g_q v = −g_t there. */
#include "analysis/study.h"

/* Does the power of a force vanish at all samples? */
static nh_answer does_no_work(nh_study *s, nh_probe *p, int function)
{
    nh_quad *force = NH_NEW(&s->arena, nh_quad, s->m->n + 1);
    for (int i = 0; force && i < s->samples; i++) {
        const nh_quad *x[NH_SPACES];
        nh_sample_inputs(s, &s->sample[i], x);
        nh_probe_run(p, function, x, force);
        nh_quad terms = 0, power = nh_dot(force, s->sample[i].v, s->m->n, &terms);
        if (!nh_negligible(power, terms))
            return NH_NO;
    }
    return s->samples ? NH_YES : NH_UNKNOWN;
}

/* Do all entries of a function vanish at all samples? */
static nh_answer vanishes(nh_study *s, nh_probe *p, int function, int count)
{
    nh_quad *a = NH_NEW(&s->arena, nh_quad, count + 1);
    for (int i = 0; a && i < s->samples; i++) {
        const nh_quad *x[NH_SPACES];
        nh_sample_inputs(s, &s->sample[i], x);
        nh_probe_run(p, function, x, a);
        for (int j = 0; j < count; j++)
            if (nh_quad_abs(a[j]) > (nh_quad)1e-22)
                return NH_NO;
    }
    return s->samples ? NH_YES : NH_UNKNOWN;
}

/* One possible reason: if it is there in the expressions, is it there in numbers? */
static void weigh(nh_study *s, bool present, nh_answer harmless, unsigned reason)
{
    nh_energy_class *e = &s->c->energy;
    if (!present)
        return;
    if (harmless == NH_NO)
        e->reasons |= reason;
    if (harmless == NH_UNKNOWN && e->conserved.answer == NH_YES)
        e->conserved.answer = NH_UNKNOWN;
    e->conserved.proved = false;
}

enum { OF_FORCE = 1, OF_REACTION, OF_L_T, OF_G_T };

static nh_status prepare(nh_study *s, nh_probe *p, bool *g_t, nh_error *error)
{
    const nh_model *m = s->m;
    nh_field f[OF_G_T] = {{0}};
    nh_status status = nh_study_copy(&m->force, m->n, &f[0], error);
    if (status == NH_OK)
        status = nh_study_copy(&m->reaction, m->n, &f[1], error);
    if (status == NH_OK)
        status = nh_derive(m, (nh_request){.of = NH_OF_LAGRANGIAN, .order = 1, .by = {NH_TIME}}, &f[2], error);
    if (status == NH_OK)
        status = nh_derive(m, (nh_request){.of = NH_OF_HOLONOMIC, .order = 1, .by = {NH_TIME}}, &f[3], error);
    *g_t = f[3].pieces > 0;
    if (status == NH_OK)
        return nh_study_fields(s, f, OF_G_T, p, error);
    for (int i = 0; i < OF_G_T; i++)
        nh_field_free(&f[i]);
    return status;
}

nh_status nh_study_energy(nh_study *s, nh_error *error)
{
    const nh_model *m = s->m;
    nh_energy_class *e = &s->c->energy;
    e->conserved = (nh_finding){m->kind == NH_DAE ? NH_UNKNOWN : NH_YES, m->kind != NH_DAE};
    if (m->kind != NH_LAGRANGIAN)
        return NH_OK;
    nh_probe p;
    bool g_t;
    nh_status status = prepare(s, &p, &g_t, error);
    if (status != NH_OK)
        return status;
    bool L_t = nh_depends(m->graph, m->lagrangian, 1u << NH_TIME);
    weigh(s, L_t, vanishes(s, &p, OF_L_T, 1), NH_ENERGY_TIME);
    weigh(s, m->force.pieces > 0, does_no_work(s, &p, OF_FORCE), NH_ENERGY_FORCE);
    weigh(s, m->reaction.pieces > 0, does_no_work(s, &p, OF_REACTION), NH_ENERGY_REACTION);
    weigh(s, g_t, vanishes(s, &p, OF_G_T, m->holonomic), NH_ENERGY_HOLONOMIC);
    for (int i = 0; i < s->c->constraints; i++) {
        nh_finding k = s->c->constraint[i].homogeneous;
        weigh(s, k.answer != NH_YES || !k.proved, k.answer, NH_ENERGY_CONSTRAINT);
    }
    if (e->reasons)
        e->conserved.answer = NH_NO;
    nh_probe_free(&p);
    return s->arena.failed ? nh_out_of_memory(error) : NH_OK;
}
