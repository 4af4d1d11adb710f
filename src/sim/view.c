/* SPDX-License-Identifier: MIT */
#include "sim/view.h"

#include "base/status.h"
#include "model/derived.h"

static nh_numbers take(nh_arena *arena, bool quad, size_t count)
{
    return (nh_numbers){nh_arena_array(arena, count + 1, quad ? sizeof(nh_quad) : sizeof(double)), quad};
}

static void run(const nh_view *view, int function, const nh_numbers x[NH_SPACES], nh_numbers y)
{
    const void *in[NH_SPACES] = {0};
    for (int i = 0; i < NH_SPACES; i++)
        in[i] = x[i].data;
    if (y.quad)
        nh_tape_run_quad(view->program, function, view->constants.data, (const nh_quad *const *)in, y.data,
                         view->work.data);
    else
        nh_tape_run_1(view->program, function, view->constants.data, (const double *const *)in, y.data,
                      view->work.data);
}

static nh_status derive(const nh_model *m, nh_program **out, nh_error *error)
{
    const nh_request list[NH_VIEW_FUNCTIONS] = {
        [NH_VIEW_ENERGY] = {.of = NH_OF_ENERGY},
        [NH_VIEW_CONSTRAINT] = {.of = NH_OF_CONSTRAINT},
        [NH_VIEW_HOLONOMIC] = {.of = NH_OF_HOLONOMIC},
        [NH_VIEW_HIDDEN] = {.of = NH_OF_HOLONOMIC, .tangent = 1u << NH_TIME | 1u << NH_Q},
        [NH_VIEW_OBSERVABLES] = {.of = NH_OF_OBSERVABLES},
        [NH_VIEW_INVARIANTS] = {.of = NH_OF_INVARIANTS},
        [NH_VIEW_MOMENTUM_MAP] = {.of = NH_OF_MOMENTUM_MAP},
    };
    return nh_derive_program(m, list + 1, NH_VIEW_FUNCTIONS - 1, out, error);
}

nh_status nh_view_new(const nh_model *m, bool quad, nh_arena *arena, nh_view *out, nh_error *error)
{
    *out = (nh_view){0};
    nh_status status = derive(m, &out->program, error);
    if (status != NH_OK)
        return status;
    size_t largest = 1;
    for (int f = 1; f < NH_VIEW_FUNCTIONS; f++)
        if ((size_t)nh_program_outputs(out->program, f) > largest)
            largest = (size_t)nh_program_outputs(out->program, f);
    out->constants = take(arena, quad, (size_t)nh_program_constants(out->program));
    out->work = take(arena, quad, nh_program_work(out->program));
    out->time = take(arena, quad, 1);
    out->one = take(arena, quad, 1);
    out->result = take(arena, quad, largest);
    if (arena->failed)
        return nh_fail(error, NH_MEMORY, "out of memory");
    if (quad)
        nh_tape_prepare_quad(out->program, out->work.data);
    else
        nh_tape_prepare_1(out->program, out->work.data);
    nh_numbers_set(out->one, 0, 1);
    return NH_OK;
}

void nh_view_parameters(const nh_view *view, nh_numbers parameters)
{
    run(view, 0, (const nh_numbers[NH_SPACES]){[NH_PARAMETER] = parameters}, view->constants);
}

void nh_view_free(nh_view *view)
{
    nh_program_free(view->program);
}

nh_numbers nh_view_at(const nh_view *view, nh_view_function function, nh_quad t, nh_numbers q, nh_numbers v)
{
    nh_numbers_set(view->time, 0, t);
    const nh_numbers x[NH_SPACES] = {
        [NH_TIME] = view->time, [NH_Q] = q, [NH_V] = v, [NH_D_TIME] = view->one, [NH_D_Q] = v};
    run(view, (int)function, x, view->result);
    return view->result;
}
