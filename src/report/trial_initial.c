/* SPDX-License-Identifier: MIT */
/* The initial point: can it be evaluated, are the equations regular there, does it satisfy the constraints? */
#include "model/consistent.h"
#include "report/trial.h"

#include <math.h>
#include <string.h>

/* What is wrong with equations that are not regular. */
static const char *singular(const nh_report *r)
{
    if (r->m->kind != NH_LAGRANGIAN)
        return r->m->kind == NH_DAE ? "g_y f_z is singular" : "the Hessian of H on the kernel of J is singular";
    if (r->c->regularity.no_multipliers)
        return "no multipliers of the nonideal reaction were found";
    return r->c->traits.reaction ? "the matrix [[L_vv, -R_lambda], [D, 0]] is singular, with D = [K; g_q] and the "
                                   "derivative R_lambda of the reaction by the multipliers"
                                 : "the saddle-point matrix [[L_vv, K^T], [K, 0]] is singular";
}

static void try_regularity(nh_trials *t)
{
    const nh_regularity *g = &t->r->c->regularity;
    nh_kind kind = t->r->m->kind;
    if (!g->evaluated) {
        if (t->r->c->not_finite[0])
            nh_trial_add(t, "regular", "", NH_FAILED, NAN, "%s cannot be evaluated at the initial point",
                         t->r->c->not_finite);
        else
            nh_trial_add(t, "regular", "", NH_SKIPPED, NAN, "not looked at: the system is large");
        return;
    }
    if (g->rows > 0 && kind != NH_HAMILTONIAN)
        nh_trial_add(t, "rank", "", g->rank == g->rows ? NH_PASSED : NH_FAILED, g->rank,
                     "the constraints have rank %d of %d%s", g->rank, g->rows, g->rank_clear ? "" : ", a close call");
    if (g->saddle_regular)
        nh_trial_add(
            t, "regular", "", NH_PASSED, g->saddle_condition, "the equations determine the %s (condition %s%.2g)",
            kind == NH_LAGRANGIAN ? "accelerations" : "motion", g->estimated ? "at least " : "", g->saddle_condition);
    else
        nh_trial_add(t, "regular", "", NH_FAILED, g->saddle_condition, "the equations do not determine the motion: %s",
                     singular(t->r));
    if (kind == NH_LAGRANGIAN && !g->mass_regular && g->saddle_regular)
        nh_trial_add(t, "mass", "", NH_NOTED, NAN,
                     "the mass matrix L_vv is singular: methods that need momenta cannot be used");
}

/* Proposes data on the constraints. */
static nh_status propose(nh_trials *t, nh_error *error)
{
    const nh_model *m = t->r->m;
    size_t bytes = (size_t)m->n * sizeof(nh_quad);
    nh_quad *q = NH_NEW(&t->study.arena, nh_quad, m->n + 1), *v = NH_NEW(&t->study.arena, nh_quad, m->n + 1);
    if (!q || !v)
        return nh_fail(error, NH_MEMORY, "out of memory");
    memcpy(q, t->r->q, bytes);
    memcpy(v, t->r->v, bytes);
    nh_status status = nh_project(m, t->r->parameter, 0, q, v, error);
    if (status == NH_OK) {
        t->q = q;
        t->v = v;
    }
    return status == NH_MODEL || status == NH_LIMIT ? NH_OK : status; /* there is nothing to propose */
}

static nh_status try_consistency(nh_trials *t, nh_error *error)
{
    const nh_model *m = t->r->m;
    nh_violation is;
    nh_status status =
        nh_violation_at(m, t->r->parameter, 0, t->r->q, m->kind == NH_DAE ? t->r->z : t->r->v, &is, error);
    if (status != NH_OK || (m->m == 0 && m->holonomic == 0 && is.hidden.by == 0))
        return status;
    const double worst = nh_violation_worst(&is);
    const nh_outcome outcome = nh_trial_outcome(worst);
    if (outcome == NH_PASSED) {
        nh_trial_add(t, "consistent", "", outcome, worst, "the initial data satisfy the constraints (%.1g)", worst);
        return NH_OK;
    }
    double by;
    const char *which = nh_violation_which(&is, &by);
    nh_trial_add(t, "consistent", "", outcome, worst, "the initial data violate the %s by %.3g", which, by);
    return m->kind == NH_LAGRANGIAN && isfinite(worst) ? propose(t, error) : NH_OK;
}

nh_status nh_trial_initial(nh_trials *t, nh_error *error)
{
    if (!t->r->initial_finite) {
        nh_trial_add(t, "finite", "", NH_FAILED, NAN, "%s", t->r->initial_error.message);
        return NH_OK;
    }
    try_regularity(t);
    return try_consistency(t, error);
}
