/* SPDX-License-Identifier: MIT */
/* The two backends behind one interface: a program that can be called at `lanes` points at a time. */
#ifndef NH_NATIVE_EVALUATOR_H
#define NH_NATIVE_EVALUATOR_H

#include "expr/program.h"
#include "native/native.h"

typedef enum nh_backend { NH_TAPE, NH_NATIVE } nh_backend;

/* Owns work space: one per thread. The program must outlive it. */
typedef struct nh_evaluator nh_evaluator;

/* lanes: 1, 4 or 8. Native code that cannot be built or loaded falls back to the tape: nh_evaluator_note says why. */
nh_status nh_evaluator_new(const nh_program *p, nh_backend backend, int lanes, const nh_native_options *options,
                           nh_evaluator **out, nh_error *error);
void nh_evaluator_free(nh_evaluator *e);
nh_backend nh_evaluator_backend(const nh_evaluator *e);
/* "" or one line: why the tape is used although native code was asked for. */
const char *nh_evaluator_note(const nh_evaluator *e);
/* The compiled code, NULL on the tape. */
const nh_native *nh_evaluator_native(const nh_evaluator *e);

/* y = f(c, x); arrays are [component][lane]. y may be c for function 0, and must not overlap an input otherwise. */
void nh_evaluate(nh_evaluator *e, int function, const double *c, const double *const *x, double *y);

#endif
