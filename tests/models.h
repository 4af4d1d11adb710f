/* SPDX-License-Identifier: MIT */
/* Models for tests of the public API; NULL, told and counted as a failure, where there is none. */
#ifndef NH_TESTS_MODELS_H
#define NH_TESTS_MODELS_H

#include "test.h"

#include <nonholo/model.h>

static inline nh_model *load_model(const char *name, const nh_model_options *options)
{
    nh_model *model = NULL;
    nh_error error = {0};
    if (!CHECK(nh_model_load(name, options, &model, &error) == NH_OK))
        printf("    %s: %s\n", name, error.message);
    return model;
}

static inline nh_model *parse_model(const char *text)
{
    nh_model *model = NULL;
    nh_error error = {0};
    if (!CHECK(nh_model_parse(text, strlen(text), "test", NULL, &model, &error) == NH_OK))
        printf("    %s\n", error.message);
    return model;
}

#endif
