/* SPDX-License-Identifier: MIT */
/* Reversal v → −v, t → −t, λ → ±λ of an autonomous system: p = L_v changes its sign, so p' stays, and every force must
 * stay too. A constraint that is odd in v has an even K, and λ stays; an even one has an odd K, and λ changes its sign.
 */
#include "analysis/scaling.h"
#include "analysis/study.h"

typedef struct mirror {
    nh_study *s;
    nh_quad *v, *lambda; /* of the reversed point */
    nh_quad *here, *there;
} mirror;

static int sign_of(void *context, nh_space space, nh_affine component)
{
    const nh_study *s = context;
    if (space != NH_LAMBDA)
        return space == NH_V ? -1 : 1;
    if (component.terms == 0)
        return s->c->reversal.sign[component.constant];
    int sign = s->c->reversal.sign[0];
    for (int i = 1; i < s->m->m + s->m->holonomic; i++)
        sign = s->c->reversal.sign[i] == sign ? sign : 0;
    return sign;
}

/* Parity of rows first … first + count − 1 of a field, seen at the samples; 0: neither. */
static int look(mirror *y, nh_probe *p, int function, int first, int count)
{
    const nh_study *s = y->s;
    bool even = true, odd = true;
    for (int i = 0; i < s->samples; i++) {
        const nh_quad *x[NH_SPACES];
        nh_sample_inputs(s, &s->sample[i], x);
        for (int j = 0; j < s->m->n; j++)
            y->v[j] = s->sample[i].v[j] + (nh_quad)0.1 * (nh_quad)(j + 1); /* off the constraint, where k is not 0 */
        x[NH_V] = y->v;
        nh_probe_run(p, function, x, y->here);
        for (int j = 0; j < s->m->n; j++)
            y->v[j] = -y->v[j];
        for (int j = 0; j < s->m->m + s->m->holonomic; j++)
            y->lambda[j] = s->c->reversal.sign[j] * s->sample[i].lambda[j];
        x[NH_LAMBDA] = y->lambda;
        nh_probe_run(p, function, x, y->there);
        for (int j = first; j < first + count; j++) {
            nh_quad size = nh_quad_abs(y->here[j]) + nh_quad_abs(y->there[j]);
            even &= nh_negligible(y->here[j] - y->there[j], size);
            odd &= nh_negligible(y->here[j] + y->there[j], size);
        }
    }
    return even ? 1 : odd ? -1 : 0;
}

/* Parity of all pieces of a field, from the expressions; 0: they differ, or it is not seen. */
static int proved_parity(nh_study *s, const nh_field *f)
{
    int parity = f->pieces ? nh_parity(s->m->graph, f->piece[0].value, sign_of, s) : 1;
    for (uint32_t i = 1; i < f->pieces; i++)
        if (nh_parity(s->m->graph, f->piece[i].value, sign_of, s) != parity)
            return 0;
    return parity;
}

/* Is a field even? Proved, seen, or not. */
static nh_status require_even(mirror *y, const nh_field *f, unsigned reason, nh_error *error)
{
    nh_study *s = y->s;
    nh_reversal *r = &s->c->reversal;
    if (proved_parity(s, f) == 1)
        return NH_OK;
    nh_field copy;
    nh_probe p = {0};
    nh_status status = nh_study_copy(f, f->rows, &copy, error);
    if (status == NH_OK)
        status = nh_study_fields(s, &copy, 1, &p, error);
    if (status != NH_OK)
        return status;
    r->reversible.proved = false;
    if (s->samples == 0)
        r->reversible.answer = NH_UNKNOWN;
    else if (look(y, &p, 1, 0, f->rows) != 1)
        r->reasons |= reason;
    nh_probe_free(&p);
    return NH_OK;
}

static nh_status find_signs(mirror *y, nh_error *error)
{
    nh_study *s = y->s;
    const nh_model *m = s->m;
    nh_reversal *r = &s->c->reversal;
    nh_probe p;
    nh_status status = nh_study_probe(s, &(nh_request){.of = NH_OF_CONSTRAINT}, 1, &p, error);
    if (status != NH_OK)
        return status;
    for (int i = 0; i < m->m + m->holonomic; i++)
        r->sign[i] = 1;
    for (int i = 0; i < m->constraints; i++) {
        const nh_constraint *k = &m->constraint[i];
        int parity = nh_parity(m->graph, k->value, sign_of, s);
        if (!parity) {
            r->reversible.proved = false;
            parity = s->samples ? look(y, &p, 1, k->first, k->count) : 0;
        }
        if (!parity && s->samples)
            r->reasons |= NH_REVERSAL_CONSTRAINT;
        if (!parity && !s->samples)
            r->reversible.answer = NH_UNKNOWN;
        for (int row = k->first; row < k->first + k->count; row++)
            r->sign[row] = -parity;
    }
    nh_probe_free(&p);
    return NH_OK;
}

static bool depends_on_time(const nh_model *m)
{
    uint32_t time = 1u << NH_TIME;
    bool found = nh_depends(m->graph, m->lagrangian, time);
    for (int i = 0; i < m->constraints; i++)
        found |= nh_depends(m->graph, m->constraint[i].value, time);
    for (int i = 0; i < m->holonomic_constraints; i++)
        found |= nh_depends(m->graph, m->holonomic_constraint[i].value, time);
    for (uint32_t i = 0; i < m->force.pieces; i++)
        found |= nh_depends(m->graph, m->force.piece[i].value, time);
    for (uint32_t i = 0; i < m->reaction.pieces; i++)
        found |= nh_depends(m->graph, m->reaction.piece[i].value, time);
    return found;
}

nh_status nh_study_reversal(nh_study *s, nh_error *error)
{
    const nh_model *m = s->m;
    nh_reversal *r = &s->c->reversal;
    size_t multipliers = (size_t)m->m + (size_t)m->holonomic, size = (size_t)m->n + multipliers + 1;
    r->sign = NH_NEW(&s->c->arena, int, multipliers + 1);
    mirror y = {.s = s, .v = NH_NEW(&s->arena, nh_quad, size), .lambda = NH_NEW(&s->arena, nh_quad, size)};
    y.here = NH_NEW(&s->arena, nh_quad, size);
    y.there = NH_NEW(&s->arena, nh_quad, size);
    if (!r->sign || s->arena.failed)
        return nh_out_of_memory(error);
    if (m->kind != NH_LAGRANGIAN)
        return NH_OK;
    r->reversible = (nh_finding){NH_YES, true};
    if (depends_on_time(m))
        r->reasons |= NH_REVERSAL_TIME;
    nh_piece whole = {.value = m->lagrangian};
    nh_field lagrangian = {.rows = 1, .columns = 1, .piece = &whole, .pieces = 1};
    nh_field force = m->force, reaction = m->reaction;
    force.rows = reaction.rows = m->n;
    nh_status status = find_signs(&y, error);
    if (status == NH_OK)
        status = require_even(&y, &lagrangian, NH_REVERSAL_LAGRANGIAN, error);
    if (status == NH_OK)
        status = require_even(&y, &force, NH_REVERSAL_FORCE, error);
    if (status == NH_OK)
        status = require_even(&y, &reaction, NH_REVERSAL_REACTION, error);
    if (r->reasons)
        r->reversible.answer = NH_NO;
    return status;
}
