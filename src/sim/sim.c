/* SPDX-License-Identifier: MIT */
/* Making a simulation. */
#include "sim/sim.h"

#include "base/hash.h"
#include "base/status.h"
#include "sim/backend.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

nh_sim_options nh_sim_options_default(void)
{
    return (nh_sim_options){.audit = 1};
}

static void find_places(nh_sim *sim)
{
    const nh_kernel *k = nh_stepper_kernel(sim->stepper);
    const int n = k->n, m = k->m, l = k->l, s = k->s;
    sim->at_velocity = NH_AT_VELOCITY;
    sim->at_multipliers = NH_AT_MULTIPLIERS;
    sim->at_constants = NH_AT_CONSTANTS;
}

static nh_status make_stepper(nh_sim *s, const nh_sim_options *options, nh_error *error)
{
    const char *usual = s->model->holonomic > 0 ? "lobatto-ab(s=3)" : "gauss(s=2)";
    const bool quad = options->precision == NH_PRECISION_QUAD;
    nh_status status = nh_stepper_new(s->model, options->method ? options->method : usual,
                                      quad ? NH_IN_QUAD : NH_ON_TAPE, NULL, &s->stepper, error);
    if (status != NH_OK)
        return status;
    const size_t number = quad ? sizeof(nh_quad) : sizeof(double);
    s->member = (nh_numbers){nh_arena_array(&s->arena, (size_t)nh_stepper_size(s->stepper), number), quad};
    s->kept = nh_arena_array(&s->arena, (size_t)nh_stepper_size(s->stepper), number);
    find_places(s);
    return s->member.data && s->kept ? NH_OK : nh_fail(error, NH_MEMORY, "out of memory");
}

static size_t member_bytes(const nh_sim *s)
{
    return (size_t)nh_stepper_size(s->stepper) * (s->member.quad ? sizeof(nh_quad) : sizeof(double));
}

static void tell_view(nh_sim *s)
{
    nh_view_parameters(&s->view, nh_numbers_from(s->member, s->at_constants)); /* which begin with the parameters */
    nh_sim_forget(s);
}

void nh_sim_take(nh_sim *s, const void *member)
{
    memcpy(s->member.data, member, member_bytes(s));
    for (int i = 0; i < s->model->parameters; i++)
        s->parameter[i] = nh_numbers_get(s->member, s->at_constants + i);
    tell_view(s);
}

void nh_sim_keep(nh_sim *s)
{
    memcpy(s->kept, s->member.data, member_bytes(s));
}

void nh_sim_restart(nh_sim *s, long long stride)
{
    nh_stepper_start(s->stepper, &s->start, s->member.data);
    nh_numbers_set(s->member, NH_AT_STRIDE, (nh_quad)stride);
    nh_numbers_set(s->member, NH_AT_NEXT_AUDIT, (nh_quad)stride);
    nh_numbers_set(s->member, NH_AT_AUDITS, 1); /* the start, where the error is 0 */
    tell_view(s);
    nh_sim_look(s);
}

/* Expressions are evaluated in quads, which can be larger than a double. */
nh_status nh_sim_refuse_start(const nh_sim *s, nh_error *error)
{
    static const nh_space spaces[] = {NH_PARAMETER, NH_Q, NH_V};
    const int counts[] = {s->model->parameters, s->model->n, s->model->n};
    const nh_quad *const values[] = {s->start.parameter, s->start.q, s->start.v};
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < counts[k]; i++)
            if (!s->member.quad && !isfinite((double)values[k][i])) {
                nh_text name = {0};
                nh_model_component_name(s->model, spaces[k], i, false, &name);
                nh_fail(error, NH_VALUE, "the value of %.200s is too large for a double; --precision quad can hold it",
                        nh_text_get(&name));
                nh_text_free(&name);
                return NH_VALUE;
            }
    return nh_fail(error, NH_VALUE, "energy, momentum or constraints cannot be evaluated at the initial data");
}

/* What is compared with in the end. */
static nh_status keep_first_values(nh_sim *s, nh_error *error)
{
    const size_t invariants = (size_t)s->size[NH_SIM_INVARIANT], momenta = (size_t)s->size[NH_SIM_MOMENTUM];
    s->first_invariant = NH_NEW(&s->arena, nh_quad, invariants + 1);
    s->first_momentum = NH_NEW(&s->arena, nh_quad, momenta + 1);
    if (s->arena.failed)
        return nh_fail(error, NH_MEMORY, "out of memory");
    memcpy(s->first_invariant, nh_sim_read(s, NH_SIM_INVARIANT), invariants * sizeof(nh_quad));
    memcpy(s->first_momentum, nh_sim_read(s, NH_SIM_MOMENTUM), momenta * sizeof(nh_quad));
    return nh_sim_finite(s) ? NH_OK : nh_sim_refuse_start(s, error);
}

nh_status nh_sim_check_options(const nh_sim_options *options, nh_error *error)
{
    if (options->audit < 0)
        return nh_fail(error, NH_USAGE, "an audit every %lld steps is not possible; 0 looks at the ends only",
                       options->audit);
    if (options->divide < 0)
        return nh_fail(error, NH_USAGE, "a step divided by %lld is not possible; 0 does not divide it",
                       options->divide);
    if ((unsigned)options->backend > NH_BACKEND_NATIVE)
        return nh_fail(error, NH_USAGE, "there is no backend %d; NH_BACKEND_... are 0 to %d", (int)options->backend,
                       (int)NH_BACKEND_NATIVE);
    if ((unsigned)options->precision > NH_PRECISION_QUAD)
        return nh_fail(error, NH_USAGE, "there is no precision %d; NH_PRECISION_... are 0 to %d",
                       (int)options->precision, (int)NH_PRECISION_QUAD);
    return NH_OK;
}

static nh_status set_up(nh_sim *s, const nh_sim_options *options, nh_error *error)
{
    nh_status status = nh_sim_check_options(options, error);
    if (status == NH_OK)
        status = make_stepper(s, options, error);
    if (status == NH_OK)
        status = nh_sim_read_times(s, options, error);
    if (status == NH_OK)
        status = nh_view_new(s->model, s->member.quad, &s->arena, &s->view, error);
    return status == NH_OK ? nh_sim_name_fields(s, error) : status;
}

nh_status nh_sim_new_empty(const nh_model *model, const nh_sim_options *options, nh_sim **out, nh_error *error)
{
    *out = NULL;
    nh_sim *s = calloc(1, sizeof *s);
    if (!s)
        return nh_fail(error, NH_MEMORY, "out of memory");
    s->model = model;
    s->note = "";
    s->chunk = 1;
    nh_status status = set_up(s, options, error);
    if (status == NH_OK)
        *out = s;
    else
        nh_sim_free(s);
    return status;
}

static nh_status begin(nh_sim *s, const nh_sim_options *options, nh_error *error)
{
    nh_status status = nh_sim_read_data(s, options->project != 0, error);
    if (status != NH_OK)
        return status;
    nh_sim_restart(s, options->audit);
    nh_hash_hex(s->member.data, member_bytes(s), s->start_hash);
    status = keep_first_values(s, error);
    if (status == NH_OK)
        nh_sim_choose_backend(s, options->backend);
    return status;
}

nh_status nh_sim_new(const nh_model *model, const nh_sim_options *options, nh_sim **out, nh_error *error)
{
    const nh_sim_options usual = nh_sim_options_default();
    const nh_sim_options *chosen = options ? options : &usual;
    nh_status status = nh_sim_new_empty(model, chosen, out, error);
    if (status == NH_OK)
        status = begin(*out, chosen, error);
    if (status != NH_OK) {
        nh_sim_free(*out);
        *out = NULL;
    }
    return status;
}

void nh_sim_free(nh_sim *sim)
{
    if (!sim)
        return;
    nh_view_free(&sim->view);
    nh_stepper_free(sim->stepper);
    nh_arena_free(&sim->arena);
    free(sim);
}
