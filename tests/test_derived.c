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

static nh_model *parse(const char *text)
{
    nh_model *m = NULL;
    nh_error error = {0};
    if (!CHECK_EQ_INT(nh_model_parse(text, strlen(text), "test", NULL, &m, &error), NH_OK))
        printf("    %d:%d: %s\n", error.line, error.column, error.message);
    return m;
}

/* Point with parameters 0.1, 0.2, …, for values of one function in quad. */
typedef struct place {
    nh_quad t, parameters[8], q[24], v[24], lambda[8];
    nh_quad *x[NH_SPACES];
} place;

static void set_place(place *p)
{
    *p = (place){.t = 0.5};
    for (int i = 0; i < 8; i++)
        p->parameters[i] = 0.1 * (i + 1), p->lambda[i] = 0.3 * i - 1;
    for (int i = 0; i < 24; i++)
        p->q[i] = 0.3 + 0.07 * i, p->v[i] = 0.5 - 0.06 * i;
    p->x[NH_TIME] = &p->t, p->x[NH_PARAMETER] = p->parameters, p->x[NH_Q] = p->q, p->x[NH_V] = p->v;
    p->x[NH_LAMBDA] = p->lambda;
}

typedef struct scatter {
    const nh_field *f;
    const nh_quad *sparse;
    nh_quad *dense;
    int64_t first[256];
} scatter;

static void scatter_entry(void *context, uint32_t piece, int64_t row, int64_t column, const int64_t *values)
{
    scatter *s = context;
    int64_t extent[NH_MAX_NEST], at = 0;
    nh_piece_extents(&s->f->piece[piece], extent);
    for (int l = 0; l < s->f->piece[piece].loops; l++)
        at = at * extent[l] + values[NH_OPEN + l];
    s->dense[row * s->f->columns + column] += s->sparse[s->first[piece] + at];
}

/* A matrix in dense and in sparse form, against its entries written out one by one. */
static void check_matrix(const char *text, nh_request r)
{
    nh_model *m = parse(text);
    place p;
    set_place(&p);
    nh_field f;
    CHECK_EQ_INT(nh_derive(m, r, &f, NULL), NH_OK);
    nh_probe probe = {0};
    nh_quad *y[2], *scattered = calloc((size_t)(f.rows * f.columns), sizeof *scattered);
    for (int k = 0; k < 2; k++) {
        nh_program *program = NULL;
        nh_layout layout = k ? NH_SPARSE : NH_DENSE;
        CHECK_EQ_INT(nh_program_new(m->graph, &f, &layout, 1, m->parameters, &program, NULL), NH_OK);
        y[k] = calloc((size_t)nh_program_outputs(program, 1) + 1, sizeof *y[k]);
        probe = (nh_probe){program, calloc((size_t)nh_program_constants(program) + 1, sizeof(nh_quad)),
                           calloc(nh_program_work(program) + 1, sizeof(nh_quad))};
        nh_tape_prepare_quad(program, probe.work);
        nh_probe_parameters(&probe, p.parameters);
        nh_probe_run(&probe, 1, (const nh_quad *const *)p.x, y[k]);
        nh_probe_free(&probe);
    }
    scatter s = {.f = &f, .sparse = y[1], .dense = scattered};
    for (uint32_t i = 0; i + 1 < f.pieces && i < 255; i++) {
        int64_t extent[NH_MAX_NEST];
        s.first[i + 1] = s.first[i] + nh_piece_extents(&f.piece[i], extent);
    }
    nh_field_visit(&f, scatter_entry, &s);
    for (int i = 0; i < f.rows * f.columns; i++) {
        nh_expr entry = nh_expand(m->graph, nh_field_entry(m->graph, &f, i / f.columns, i % f.columns));
        nh_quad want = value_at(m->graph, entry, (const nh_quad *const *)p.x, m->parameters);
        CHECK_NEAR((double)(y[0][i] - want), 0, 1e-28);
        CHECK_NEAR((double)(scattered[i] - want), 0, 1e-28);
    }
    free(y[0]);
    free(y[1]);
    free(scattered);
    nh_field_free(&f);
    nh_model_free(m);
}

TEST(matrices_of_deep_nests)
{
    nh_request gradient = {.of = NH_OF_LAGRANGIAN, .order = 1, .by = {NH_Q}};
    nh_request hessian = {.of = NH_OF_LAGRANGIAN, .order = 2, .by = {NH_Q, NH_Q}};
    nh_request force = {.of = NH_OF_FORCE, .order = 1, .by = {NH_Q}};
    check_matrix("coordinates q[1..8]\n"
                 "lagrangian sum(q[i]'^2 for i=1..8)/2\n"
                 " + sin(sum(sum(sum(q[k]^2 for k = j..3) for j = 1..i) for i = 1..3))\n",
                 hessian);
    check_matrix("coordinates q[1..8]\n"
                 "lagrangian sum(q[i]'^2 for i=1..8)/2 + sum(sum(sum(sum(sum(q[a]*q[b+c]*q[d+e]\n"
                 " for a = 1..b) for b = 1..c) for c = 1..d) for d = 1..e) for e = 1..3)\n",
                 gradient);
    check_matrix("coordinates q[1..12]\n"
                 "lagrangian sum(q[i]'^2 for i=1..12)/2 + sum(sum(sum(sum(sum(q[a+b]^2*q[c+d+e]^2\n"
                 " for a = 1..2) for b = 1..2) for c = 1..2) for d = 1..2) for e = 1..2)\n",
                 hessian);
    check_matrix(
        "coordinates q[1..20]\n"
        "lagrangian sum(q[i]'^2 for i=1..20)/2\n"
        "force q[i] = sum(sum(sum(sum(q[j+k+l+m]^2*i for j=1..2) for k=1..2) for l=1..2) for m=1..2) for i = 1..5\n",
        force);
    check_matrix(
        "coordinates q[1..8]\n"
        "lagrangian sum(q[i]'^2 for i=1..8)/2\n"
        "constraint q[1]' + sum(sum(sum(prod(q[i+j+k+l]' for l = 1..2) for k = 1..2) for j = 1..2) for i = 1..2) = 0\n",
        (nh_request){.of = NH_OF_CONSTRAINT, .order = 1, .by = {NH_V}});
}

TEST(constants_do_not_depend_on_their_company)
{
    static const char text[] = "coordinates x, y\n"
                               "parameters a = 0.1, b = 0.2, c = 0.3, d = 0.7, e = 1.1\n"
                               "lagrangian (a+b+c+d+e)*x'^2/2 + y'^2/2\n"
                               "force y = -(a+b+c)*y\n";
    nh_model *m = parse(text);
    static const nh_request both[] = {{.of = NH_OF_MOMENTUM}, {.of = NH_OF_FORCE}};
    double value[2][2], parameters[5] = {0.1, 0.2, 0.3, 0.7, 1.1}, q[2] = {0.3, 0.7}, v[2] = {1.1, 0.9}, c[32];
    const double *x[NH_SPACES] = {[NH_PARAMETER] = parameters, [NH_Q] = q, [NH_V] = v};
    for (int k = 0; k < 2; k++) {
        nh_program *p = NULL;
        CHECK_EQ_INT(nh_derive_program(m, both, k + 1, &p, NULL), NH_OK);
        double *work = calloc(nh_program_work(p) + 1, sizeof *work);
        nh_tape_prepare_1(p, work);
        nh_tape_run_1(p, 0, c, x, c, work);
        nh_tape_run_1(p, 1, c, x, value[k], work);
        free(work);
        nh_program_free(p);
    }
    CHECK(memcmp(value[0], value[1], sizeof value[0]) == 0);
    nh_model_free(m);
}

static nh_quad observable(const nh_model *m, int number)
{
    nh_quad q[24] = {0}, v[24] = {0};
    const nh_quad *x[NH_SPACES] = {[NH_Q] = q, [NH_V] = v};
    return value_at(m->graph, m->observable[number].value, x, 0);
}

TEST(empty_sums_and_roots_at_zero)
{
    nh_model *m = parse("coordinates q[1..3]\n"
                        "lagrangian sum(q[i]'^2 for i = 1..3)/2 + q[1]^1.5 + q[2]^(5/2)\n"
                        "observable o = sum(atan2(sum(q[j] for j=1..i-1), -1) for i=1..2)\n");
    CHECK_NEAR((double)observable(m, 0), 6.283185307179586, 1e-15); /* atan2(+0, -1) is +pi */
    nh_quad q[3] = {0}, v[3] = {0};
    const nh_quad *x[NH_SPACES] = {[NH_Q] = q, [NH_V] = v};
    CHECK(value_at(m->graph, nh_partial(m->graph, m->lagrangian, NH_Q, 0), x, 0) == 0);
    CHECK(value_at(m->graph, nh_partial(m->graph, m->lagrangian, NH_Q, 1), x, 0) == 0);
    nh_model_free(m);
}

TEST(a_refused_request_harms_no_other)
{
    nh_model *m = load("sleigh");
    nh_field f;
    nh_error error = {0};
    CHECK_EQ_INT(nh_derive(m, (nh_request){.of = NH_OF_MOMENTUM, .order = 2, .by = {NH_V, NH_V}}, &f, &error),
                 NH_USAGE);
    CHECK_EQ_INT(f.pieces, 0);
    CHECK_EQ_INT(nh_derive(m, (nh_request){.of = NH_OF_STRUCTURE, .order = 1, .by = {NH_Q}}, &f, NULL), NH_USAGE);
    CHECK_EQ_INT(nh_derive(m, (nh_request){.of = NH_OF_MOMENTUM, .order = 1, .by = {NH_V}}, &f, &error), NH_OK);
    nh_field_free(&f);
    nh_model_free(m);
}

/* L_v·ξ of a family, from pieces that overlap in part. */
TEST(momentum_of_a_family)
{
    nh_model *m = parse("coordinates q[1..9], x\n"
                        "lagrangian sum(i*q[i]'^2 for i = 1..9)/2 + x'^2/2 + q[3]'*x'\n"
                        "symmetry s: q[i] = q[i] for i = 2..5, x = 3\n");
    nh_field f;
    place p;
    set_place(&p);
    CHECK_EQ_INT(nh_derive(m, (nh_request){.of = NH_OF_MOMENTUM_MAP}, &f, NULL), NH_OK);
    nh_quad want = 3 * (p.v[9] + p.v[2]) + p.q[2] * p.v[9];
    for (int i = 1; i < 5; i++)
        want += (i + 1) * p.v[i] * p.q[i];
    CHECK_NEAR((double)(value_at(m->graph, f.piece[0].value, (const nh_quad *const *)p.x, 0) - want), 0, 1e-30);
    nh_field_free(&f);
    nh_model_free(m);
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
          RUN(a_parameter_of_value_zero_makes_no_zero), RUN(matrices_of_deep_nests),
          RUN(constants_do_not_depend_on_their_company), RUN(empty_sums_and_roots_at_zero),
          RUN(a_refused_request_harms_no_other), RUN(momentum_of_a_family), RUN(energy_balance_of_every_model))
