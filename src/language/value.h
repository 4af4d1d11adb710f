/* SPDX-License-Identifier: MIT */
/* Expressions that are given outside of a model file, like that of --step. */
#ifndef NH_LANGUAGE_VALUE_H
#define NH_LANGUAGE_VALUE_H

#include "base/quad.h"
#include "model/model.h"

/* The value of an expression that may use pi, the functions, and the model's sizes and parameters (with the defaults
 * that it was loaded with). `what` is where the text comes from ("--step"), for messages. A value that is not finite
 * gives NH_VALUE. The model is not touched: nothing that is derived from it later can depend on this. */
nh_status nh_model_value(const nh_model *m, const char *expression, const char *what, nh_quad *out, nh_error *error);
/* The same; sets uses [parameters] of the parameters that the value follows, as nh_model_uses does. */
nh_status nh_model_value_uses(const nh_model *m, const char *expression, const char *what, nh_quad *out, bool *uses,
                              nh_error *error);

#endif
