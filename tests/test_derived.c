/* SPDX-License-Identifier: MIT */
/* Derived functions: they share, they hoist, and they obey the identities of mechanics. */
#include "test.h"

#include "base/resource.h"
#include "model/derived.h"
#include "model/evaluate.h"
#include "model/initial.h"
#include "model/motion.h"
#include "support.h"

#include <stdlib.h>

static nh_model *load(const char *name)
{
    nh_model *m = NULL;
    CHECK_EQ_INT(nh_model_load(name, NULL, &m, NULL), NH_OK);
    return m;
}

static uint32_t nodes_of(const nh_model *m, const nh_request *requests, int count)
{
    nh_expr roots[256];
    uint32_t roots_count = 0, length;
    for (int i = 0; i < count; i++) {
        nh_field f;
        CHECK_EQ_INT(nh_derive(m, requests[i], &f, NULL), NH_OK);
        for (uint32_t k = 0; k < f.pieces && roots_count < 256; k++)
            roots[roots_count++] = f.piece[k].value;
        nh_field_free(&f);
    }
    free(nh_reachable(m->graph, roots, roots_count, &length));
    return length;
}

TEST(derivatives_of_the_sleigh_share)
{
    nh_model *m = load("sleigh");
    static const nh_request first[] = {{.of = NH_OF_MOMENTUM}, {.of = NH_OF_FORCE}};
    static const nh_request second[] = {{.of = NH_OF_MOMENTUM, .order = 1, .by = {NH_V}},
                                        {.of = NH_OF_MOMENTUM, .order = 1, .by = {NH_Q}},
                                        {.of = NH_OF_FORCE, .order = 1, .by = {NH_Q}}};
    static const nh_request third[] = {
        {.of = NH_OF_MOMENTUM, .order = 1, .by = {NH_V}, .tangent = 1u << NH_Q | 1u << NH_V},
        {.of = NH_OF_MOMENTUM, .order = 1, .by = {NH_Q}, .tangent = 1u << NH_Q | 1u << NH_V},
        {.of = NH_OF_FORCE, .order = 1, .by = {NH_Q}, .tangent = 1u << NH_Q | 1u << NH_V}};
    uint32_t size = nh_size(m->graph, m->lagrangian);
    uint32_t one = nodes_of(m, first, 2), two = nodes_of(m, second, 3), three = nodes_of(m, third, 3);
    printf("    sleigh: L has %u nodes; all first derivatives %u, second %u, third along a direction %u\n", size, one,
           two, three);
    CHECK(one <= 2 * size);
    CHECK(two <= 2 * size);
    CHECK(three <= 3 * size);
    nh_model_free(m);
}

TEST(what_depends_on_parameters_alone_is_computed_once)
{
    nh_model *m = load("sleigh");
    nh_program *p = NULL;
    CHECK_EQ_INT(nh_derive_program(m, &(nh_request){.of = NH_OF_MOMENTUM, .order = 1, .by = {NH_V}}, 1, &p, NULL),
                 NH_OK);
    /* L_vv = [m, 0, -ma sin; 0, m, ma cos; ., ., I + ma²]: ma and I + ma² are constants */
    CHECK(nh_program_constants(p) > m->parameters);
    CHECK(nh_program_length(p, 1) <= 14);
    nh_program_free(p);
    nh_model_free(m);
}

TEST(a_parameter_of_value_zero_makes_no_zero)
{
    nh_setting set = {"a", "0"};
    nh_model *plain = load("sleigh"), *zero = NULL;
    CHECK_EQ_INT(nh_model_load("sleigh", &(nh_model_options){&set, 1, NULL, 0}, &zero, NULL), NH_OK);
    nh_request r = {.of = NH_OF_MOMENTUM, .order = 1, .by = {NH_V}};
    nh_field a, b;
    CHECK_EQ_INT(nh_derive(plain, r, &a, NULL), NH_OK);
    CHECK_EQ_INT(nh_derive(zero, r, &b, NULL), NH_OK);
    CHECK_EQ_INT(a.pieces, b.pieces);
    nh_field_free(&a);
    nh_field_free(&b);
    nh_model_free(plain);
    nh_model_free(zero);
}

typedef struct state {
    nh_quad t, *parameters, *q, *v, *a, *lambda;
    nh_quad *x[NH_SPACES];
} state;

static state initial_state(const nh_model *m)
{
    size_t n = (size_t)m->n, all = (size_t)m->parameters + 3 * n + (size_t)(m->m + m->holonomic) + 1;
    state s = {.t = 0.25, .parameters = calloc(all, sizeof *s.parameters)};
    s.q = s.parameters + m->parameters;
    s.v = s.q + n;
    s.a = s.v + n;
    s.lambda = s.a + n;
    s.x[NH_PARAMETER] = s.parameters;
    s.x[NH_Q] = s.q, s.x[NH_V] = s.v, s.x[NH_LAMBDA] = s.lambda;
    s.x[NH_D_Q] = s.v, s.x[NH_D_V] = s.a;
    return s;
}

/* dE/dt along the motion, by the tangent of E, is the power of what does work; at any velocity, on or off the
 * constraint, because d/dt k = 0 is what fixes the multipliers. */
TEST(energy_balance_of_every_model)
{
    int count;
    const nh_resource *models = nh_resource_models(&count);
    for (int i = 0; i < count; i++) {
        nh_model *m = load(models[i].name);
        nh_motion *motion = NULL;
        if (m->kind == NH_LAGRANGIAN && CHECK_EQ_INT(nh_motion_new(m, &motion, NULL), NH_OK)) {
            state s = initial_state(m);
            nh_quad one = 1, power, rate, energy_scale;
            nh_expr energy = nh_model_energy(m);
            s.x[NH_TIME] = &s.t, s.x[NH_D_TIME] = &one;
            CHECK_EQ_INT(nh_model_initial(m, s.parameters, s.q, s.v, NULL, NULL), NH_OK);
            uint64_t seed = 7;
            for (int k = 0; k < m->n; k++)
                s.v[k] += 0.1 * (next_uniform(&seed) - 0.5);
            nh_motion_parameters(motion, s.parameters);
            CHECK_EQ_INT(nh_motion_at(motion, s.t, s.q, s.v, s.a, s.lambda, NULL), NH_OK);
            nh_field f;
            CHECK_EQ_INT(nh_derive(m, (nh_request){.of = NH_OF_POWER}, &f, NULL), NH_OK);
            const nh_quad *const *x = (const nh_quad *const *)s.x;
            power = value_at(m->graph, f.piece[0].value, x, m->parameters);
            nh_field_free(&f);
            rate = value_at(m->graph, nh_tangent(m->graph, energy, 1u << NH_TIME | 1u << NH_Q | 1u << NH_V), x,
                            m->parameters);
            energy_scale = 1 + nh_quad_abs(value_at(m->graph, energy, x, m->parameters)) + nh_quad_abs(power);
            if (!CHECK_NEAR((double)((rate - power) / energy_scale), 0, 1e-27))
                printf("    %s\n", models[i].name);
            free(s.parameters);
        }
        nh_motion_free(motion);
        nh_model_free(m);
    }
}

TEST_MAIN(RUN(derivatives_of_the_sleigh_share), RUN(what_depends_on_parameters_alone_is_computed_once),
          RUN(a_parameter_of_value_zero_makes_no_zero), RUN(energy_balance_of_every_model))
