/* SPDX-License-Identifier: MIT */
#include "native/evaluator.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void tape_run(const nh_program *, int, const double *, const double *const *, double *, double *);
typedef void native_function(const double *, const double *const *, double *);

struct nh_evaluator {
    const nh_program *program;
    tape_run *run;
    double *work;
    nh_native *native;
    native_function **function; /* NULL: tape */
    char note[sizeof((nh_error *)0)->message];
};

static bool set_up_tape(nh_evaluator *e, int lanes)
{
    e->run = lanes == 1 ? nh_tape_run_1 : lanes == 4 ? nh_tape_run_4 : nh_tape_run_8;
    e->work = malloc((nh_program_work(e->program) + 1) * (size_t)lanes * sizeof *e->work);
    if (!e->work)
        return false;
    void (*prepare)(const nh_program *, double *) = lanes == 1   ? nh_tape_prepare_1
                                                    : lanes == 4 ? nh_tape_prepare_4
                                                                 : nh_tape_prepare_8;
    prepare(e->program, e->work);
    return true;
}

static nh_status find_functions(nh_evaluator *e, nh_error *error)
{
    int count = nh_program_functions(e->program);
    e->function = calloc((size_t)count, sizeof *e->function);
    if (!e->function)
        return nh_fail(error, NH_MEMORY, "out of memory");
    for (int i = 0; i < count; i++) {
        char name[32];
        snprintf(name, sizeof name, "nh_f%d", i);
        e->function[i] = (native_function *)nh_native_entry(e->native, name);
        if (!e->function[i])
            return nh_fail(error, NH_COMPILER, "compiled code lacks %s", name);
    }
    return NH_OK;
}

static nh_status set_up_native(nh_evaluator *e, int lanes, const nh_native_options *options, nh_error *error)
{
    nh_text source = {0};
    nh_program_emit(e->program, lanes, &source);
    nh_status status = source.failed ? nh_fail(error, NH_MEMORY, "out of memory")
                                     : nh_native_build(source.data, source.length, options, &e->native, error);
    nh_text_free(&source);
    if (status == NH_OK)
        status = find_functions(e, error);
    if (status != NH_OK) {
        free(e->function);
        e->function = NULL;
        nh_native_free(e->native);
        e->native = NULL;
    }
    return status;
}

nh_status nh_evaluator_new(const nh_program *p, nh_backend backend, int lanes, const nh_native_options *options,
                           nh_evaluator **out, nh_error *error)
{
    *out = NULL;
    if (lanes != 1 && lanes != 4 && lanes != 8)
        return nh_fail(error, NH_USAGE, "%d lanes: there are 1, 4 or 8", lanes);
    nh_evaluator *e = calloc(1, sizeof *e);
    if (e)
        e->program = p;
    if (!e || !set_up_tape(e, lanes)) {
        nh_evaluator_free(e);
        return nh_fail(error, NH_MEMORY, "out of memory");
    }
    nh_error reason;
    if (backend == NH_NATIVE && set_up_native(e, lanes, options, &reason) != NH_OK)
        memcpy(e->note, reason.message, sizeof e->note);
    *out = e;
    return NH_OK;
}

void nh_evaluator_free(nh_evaluator *e)
{
    if (!e)
        return;
    nh_native_free(e->native);
    free(e->function);
    free(e->work);
    free(e);
}

nh_backend nh_evaluator_backend(const nh_evaluator *e)
{
    return e->function ? NH_NATIVE : NH_TAPE;
}

const char *nh_evaluator_note(const nh_evaluator *e)
{
    return e->note;
}

const nh_native *nh_evaluator_native(const nh_evaluator *e)
{
    return e->native;
}

void nh_evaluate(nh_evaluator *e, int function, const double *c, const double *const *x, double *y)
{
    if (e->function)
        e->function[function](c, x, y);
    else
        e->run(e->program, function, c, x, y, e->work);
}
