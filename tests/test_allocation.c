/* SPDX-License-Identifier: MIT */
/* Stepping takes no memory: calls of malloc and its kin are counted. They are replaced by these, which hand on to the
 * C library's own; where it has no second names for them, nothing is counted and the test says so. */
#include "test.h"

#include <nonholo/nonholo.h>
#include <stdlib.h>

#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__ 1 /* as gcc says it */
#endif
#endif
#if defined __GLIBC__ && !defined __SANITIZE_ADDRESS__
#define COUNTS 1
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);

static long calls;

void *malloc(size_t size)
{
    calls++;
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    calls++;
    return __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
    calls++;
    return __libc_realloc(old, size);
}
#else
#define COUNTS 0
static long calls;
#endif

static int look(const nh_sim *sim, void *user)
{
    nh_sim_get(sim, NH_SIM_POSITION, user);
    nh_sim_get(sim, NH_SIM_CONSTRAINT, user);
    nh_sim_get(sim, NH_SIM_INVARIANT, user);
    return 0;
}

static void count(const char *name, const char *method, nh_precision precision, nh_backend_choice backend)
{
    nh_sim_options options = nh_sim_options_default();
    options.method = method;
    options.precision = precision;
    options.backend = backend;
    nh_model *model = NULL;
    nh_sim *sim = NULL;
    nh_error error = {0};
    double room[64];
    if (CHECK(nh_model_load(name, NULL, &model, &error) == NH_OK) &&
        CHECK(nh_sim_new(model, &options, &sim, &error) == NH_OK)) {
        const long before = calls;
        CHECK(before > 0 || !COUNTS);
        CHECK(nh_sim_run(sim, 100, 3, look, room, &error) == NH_OK);
        CHECK_EQ_INT(calls - before, 0);
    }
    nh_sim_free(sim);
    nh_model_free(model);
}

TEST(stepping)
{
    if (!COUNTS)
        printf("allocations cannot be counted here\n");
    count("particle", "gauss(s=3)", NH_PRECISION_DOUBLE, NH_BACKEND_TAPE);
    count("particle", "gauss(s=3)", NH_PRECISION_DOUBLE, NH_BACKEND_NATIVE);
    count("particle", "gauss(s=2)", NH_PRECISION_QUAD, NH_BACKEND_TAPE);
    count("spherical-pendulum", "lobatto-ab(s=4)", NH_PRECISION_DOUBLE, NH_BACKEND_AUTO);
    count("rattleback", NULL, NH_PRECISION_DOUBLE, NH_BACKEND_TAPE);
}

TEST_MAIN(RUN(stepping))
