/* SPDX-License-Identifier: MIT */
/* Simulations for tests of the public API: what fails is told, and counted. */
#ifndef NH_TESTS_SIMS_H
#define NH_TESTS_SIMS_H

#include "models.h"

#include <nonholo/nonholo.h>

static inline nh_sim *make_sim(const nh_model *model, const nh_sim_options *options)
{
    nh_sim *sim = NULL;
    nh_error error = {0};
    if (!CHECK(nh_sim_new(model, options, &sim, &error) == NH_OK))
        printf("%s\n", error.message);
    return sim;
}

static inline bool go(nh_sim *sim, long long steps)
{
    nh_error error = {0};
    const bool good = CHECK(nh_sim_run(sim, steps, 0, NULL, NULL, &error) == NH_OK);
    if (!good)
        printf("%s\n", error.message);
    return good;
}

#endif
