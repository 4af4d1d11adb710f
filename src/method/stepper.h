/* SPDX-License-Identifier: MIT */
/* A model and a method, made ready to step: derived functions, tables, work space, and the kernel in one of its
 * settings. All settings give the same bits. */
#ifndef NH_METHOD_STEPPER_H
#define NH_METHOD_STEPPER_H

#include "analysis/classify.h"
#include "kernel/kernel.h"
#include "kernel/member.h"
#include "method/gear.h"
#include "method/method.h"
#include "method/source.h"
#include "method/start_point.h"
#include "model/model.h"
#include "native/native.h"

typedef enum nh_stepper_setting {
    NH_ON_TAPE,        /* one trajectory, interpreted */
    NH_ON_TAPE_LANES,  /* four trajectories, or eight where registers have as many */
    NH_IN_QUAD,        /* one trajectory in quad precision, interpreted */
    NH_COMPILED,       /* one trajectory */
    NH_COMPILED_LANES, /* as many as a register of the target has, by `mp` in some groups; as on the tape if sparse */
    NH_COMPILED_STAGES /* one trajectory, four stages in lanes, or eight in wide registers */
} nh_stepper_setting;

/* How saddle-point factors are stored and solved; the results differ in rounding. */
typedef enum nh_matrices {
    NH_MATRICES_CHOSEN, /* by size and zeros */
    NH_MATRICES_DENSE,  /* with all zeros */
    NH_MATRICES_SPARSE  /* SPARK methods only */
} nh_matrices;

typedef struct nh_stepper nh_stepper;

/* The model must outlive it. NH_USAGE: the method does not fit the model. NH_COMPILER, NH_FILE: no native build. */
nh_status nh_stepper_new(const nh_model *m, const char *method, nh_stepper_setting setting,
                         const nh_native_options *options, nh_stepper **out, nh_error *error);
/* The same with what is else chosen, for comparison. */
typedef struct nh_stepper_wishes {
    nh_matrices matrices;
    nh_gear_matrix gear;
    nh_shape shape; /* of compiled lanes, of stages if it is 8 wide, of others if it is 4; 0: as the target is */
} nh_stepper_wishes;
nh_status nh_stepper_new_with(const nh_model *m, const char *method, nh_stepper_setting setting,
                              const nh_stepper_wishes *wishes, const nh_native_options *options, nh_stepper **out,
                              nh_error *error);
void nh_stepper_free(nh_stepper *s);
/* Goes on with native code, to the same bits; in lanes for other numbers of members. Without `build` only if it is in
 * the cache; nh_stepper_native tells. A failure leaves the stepper as it was. */
nh_status nh_stepper_compile(nh_stepper *s, nh_stepper_setting setting, bool build, const nh_native_options *options,
                             nh_error *error);

const nh_choice *nh_stepper_choice(const nh_stepper *s);
const nh_kernel *nh_stepper_kernel(const nh_stepper *s);
const nh_program *nh_stepper_program(const nh_stepper *s); /* the derived functions, kernel/functions.h */
const nh_classification *nh_stepper_classification(const nh_stepper *s);
const nh_native *nh_stepper_native(const nh_stepper *s); /* NULL: interpreted */
double nh_stepper_build_seconds(const nh_stepper *s);    /* an estimate: how long a compiler will take for it */
/* Members per batch, and numbers per member: kernel/member.h tells their places. */
enum { NH_STEPPER_MOST_LANES = 16 };
int nh_stepper_lanes(const nh_stepper *s);
int nh_stepper_size(const nh_stepper *s);
/* Where a number of a member is in a batch. */
size_t nh_stepper_at(const nh_stepper *s, int member, int place);
/* A member of doubles into a batch, and out of it. */
void nh_stepper_put(const nh_stepper *s, const double *x, double *batch, int member);
void nh_stepper_take(const nh_stepper *s, const double *batch, int member, double *x);

/* Fills a member, in double or in quad as the setting is, with a fresh start. */
void nh_stepper_start(nh_stepper *s, const nh_start *from, void *member);
/* Every member of the batch goes on to its target, in the second gear where the first one fails; status
 * NH_STATUS_FAILED: neither has converged, and the member is where it was before that step. A batch in lanes should
 * begin with a line of the cache (base/line.h). */
void nh_stepper_advance(nh_stepper *s, void *batch);
/* Differentiates steps of this setting's numbers; NULL where the system is too large. */
nh_gear *nh_stepper_gear(const nh_stepper *s);

#endif
