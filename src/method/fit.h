/* SPDX-License-Identifier: MIT */
/* Whether a method fits a model, and what its kernel may know of it before the first step: kernel/traits.h. */
#ifndef NH_METHOD_FIT_H
#define NH_METHOD_FIT_H

#include "analysis/classify.h"
#include "kernel/kernel.h"
#include "method/method.h"
#include "model/model.h"

/* NH_USAGE, with a reason, if it does not. */
nh_status nh_fit_check(const nh_model *m, const nh_choice *choice, const nh_traits *t, nh_error *error);
/* Traits of the system and of the method. */
unsigned nh_fit_traits(const nh_model *m, const nh_choice *choice, const nh_traits *t);
/* Marks and order of the coordinates, for a kernel that has its traits. */
nh_status nh_fit_marks(const nh_model *m, const nh_traits *t, nh_arena *arena, nh_kernel *kernel, nh_error *error);

#endif
