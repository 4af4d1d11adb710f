/* SPDX-License-Identifier: MIT */
/* Ensembles for tests: made, told where they fail, and seen through hashes. */
#ifndef NH_TESTS_ENSEMBLES_H
#define NH_TESTS_ENSEMBLES_H

#include "models.h"

#include "base/hash.h"
#include "ensemble/ensemble.h"

static inline nh_ensemble *make_ensemble(const nh_model *model, const nh_ensemble_options *options)
{
    nh_ensemble *e = NULL;
    nh_error error = {0};
    if (!CHECK(nh_ensemble_new(model, options, &e, &error) == NH_OK))
        printf("%s\n", error.message);
    return e;
}

/* An observer: all outputs, as a chain of hashes. */
static inline int hash_output(nh_ensemble *e, void *user)
{
    uint64_t *hash = user;
    const double where[] = {(double)nh_ensemble_step(e), nh_ensemble_time(e)};
    *hash = nh_hash64(where, sizeof where, *hash);
    for (int k = 0; k < nh_ensemble_quantities(e); k++) {
        const nh_statistics *s = nh_ensemble_statistics(e, k);
        const double number[] = {(double)s->count, s->mean,        s->variance,    s->mean_square, s->smallest,
                                 s->largest,       s->quantile[0], s->quantile[2], s->quantile[4]};
        *hash = nh_hash64(number, sizeof number, *hash);
    }
    return 0;
}

static inline uint64_t hash_members(const nh_ensemble *e, uint64_t hash)
{
    return nh_hash64(e->store, (size_t)e->plan.members * e->bytes, hash);
}

/* 14 members of mp-particles. Initial data by arithmetic alone: a hash holds for every compiler, level and machine with
 * binary64 and binary128. */
static inline nh_ensemble_options chaotic(const char *method, int threads, int at_a_time, nh_backend_choice backend)
{
    static const char *const draws[] = {"q[1] = uniform(-1/2, 1/2)", "q[3] = normal(0.4, 0.05)", "energy(3)"};
    static const nh_setting lists[] = {{"q[5]", "1, 9/10"}};
    nh_ensemble_options o = nh_ensemble_options_default();
    o.sim.method = method;
    o.sim.backend = backend;
    o.draw = draws;
    o.draws = 3;
    o.list = lists;
    o.lists = 1;
    o.count = 7;
    o.seed = 11;
    o.threads = threads;
    o.at_a_time = at_a_time;
    return o;
}

#endif
