/* SPDX-License-Identifier: MIT */
#include "method/fit.h"

#include "kernel/traits.h"

/* K(q_1) does not depend on the reaction: every coordinate is either free of it or not in K. */
static bool linear_multiplier(const nh_traits *t, int n)
{
    bool linear = t->momentum_linear && t->mass_diagonal && t->constraints_linear && !t->reaction;
    for (int i = 0; i < n; i++)
        linear = linear && (t->no_reaction[i] || !t->K_depends_on[i]);
    return linear;
}

nh_status nh_fit_check(const nh_model *m, const nh_choice *choice, const nh_traits *t, nh_error *error)
{
    const nh_method *method = choice->method;
    if (m->kind != NH_LAGRANGIAN)
        return nh_fail(error, NH_USAGE, "%s is for Lagrangian systems; this model is %s", method->name,
                       m->kind == NH_DAE ? "an index-2 DAE" : "a Hamiltonian system");
    if (m->holonomic > 0 && !choice->claims.holonomic)
        return nh_fail(error, NH_USAGE,
                       "%s does not take holonomic constraints; lobatto-ab does, with any number of stages",
                       method->name);
    if (method->traits & NH_STABILISED && m->holonomic == 0)
        return nh_fail(error, NH_USAGE, "%s is for holonomic constraints, and this model has none; use gauss",
                       method->name);
    const bool leaps = choice->traits & NH_LEAPING, constant_mass = choice->needs_constant_mass;
    const char *name = leaps ? "rule=mp" : method->name;
    if (method->needs_ideal_constraints && t->reaction)
        return nh_fail(error, NH_USAGE, "%s needs ideal constraints, whose reaction is K^T lambda alone", method->name);
    if (constant_mass && (!t->mass_constant || !t->lagrangian_split || t->force_by_velocity))
        return nh_fail(error, NH_USAGE, "%s needs a constant mass matrix, L = T(v) - U(t,q), and forces without v",
                       name);
    if (constant_mass && !t->constraints_affine)
        return nh_fail(error, NH_USAGE, "%s needs constraints that are affine in the velocities", name);
    if (leaps && !linear_multiplier(t, m->n))
        return nh_fail(error, NH_USAGE,
                       "%s needs a diagonal mass and constraints linear in v, whose coefficients depend on coordinates "
                       "without reaction only; rule=midpoint takes all",
                       name);
    return NH_OK;
}

static bool second_order(const nh_traits *t)
{
    return t->mass_unit && t->momentum_linear && !t->force_by_velocity && t->constraints_affine && !t->reaction;
}

unsigned nh_fit_traits(const nh_model *m, const nh_choice *choice, const nh_traits *t)
{
    unsigned traits = choice->traits;
    if (t->mass_constant)
        traits |= NH_MASS_CONSTANT;
    if (t->mass_constant && t->mass_diagonal)
        traits |= NH_MASS_DIAGONAL;
    if (t->mass_unit)
        traits |= NH_MASS_UNIT;
    if (t->momentum_linear)
        traits |= NH_MOMENTUM_LINEAR;
    if (t->reaction)
        traits |= NH_NONIDEAL;
    if (t->lagrangian_quadratic && t->constraints_affine)
        traits |= NH_AFFINE;
    if (linear_multiplier(t, m->n))
        traits |= NH_LINEAR_MULTIPLIER;
    /* The middle asks for all velocities at once, and g(Q_i) for the change of all of them. */
    if (second_order(t) && m->holonomic == 0 && !(choice->traits & NH_MIDPOINT))
        traits |= NH_SECOND_ORDER;
    if (choice->method->kernel == NH_KERNEL_MP && m->m > 1 && m->n <= NH_FEW_COORDINATES)
        traits |= NH_BY_ROWS;
    return traits;
}

nh_status nh_fit_marks(const nh_model *m, const nh_traits *t, nh_arena *arena, nh_kernel *kernel, nh_error *error)
{
    const int n = m->n;
    const bool all = !(kernel->traits & NH_SECOND_ORDER);
    bool *touched = NH_NEW(arena, bool, n), *watched = NH_NEW(arena, bool, n);
    int *order = NH_NEW(arena, int, n);
    if (arena->failed)
        return nh_fail(error, NH_MEMORY, "out of memory");
    for (int i = 0; i < n; i++) {
        touched[i] = !(t->mass_constant && t->mass_diagonal && t->no_reaction[i]);
        watched[i] = !t->momentum_linear || t->constraints_depend_on[i];
    }
    kernel->touched = touched;
    kernel->watched = watched;
    kernel->order = order;
    kernel->bound = 0;
    for (int i = 0; i < n; i++)
        if (all || touched[i])
            order[kernel->bound++] = i;
    for (int i = 0, k = kernel->bound; i < n; i++)
        if (!all && !touched[i])
            order[k++] = i;
    return NH_OK;
}
