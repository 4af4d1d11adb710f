/* SPDX-License-Identifier: MIT */
/* The second gear makes steps that the first cannot make, and the same as the first where both can; also of thousands
 * of unknowns, where the build has KLU. test_derivative holds its matrices to differences. */
#include "test.h"

#include "kernel/sparsity.h"
#include "motion.h"

#include <stdlib.h>

enum { STEPS = 20 };

/* A chain of coordinates whose masses are products of neighbours, but for e. Without it a pivot is zero; where it is
 * small, factors have few digits. */
static nh_model *twisted_chain(const char *e, int n)
{
    static const char chain[] = "sizes       n = 40\n"
                                "parameters  e = %s\n"
                                "coordinates x[1..n]\n"
                                "step        0.01\n"
                                "initial     x[i]' = sin(i) for i = 1..n\n"
                                "lagrangian  sum(x[i]'*x[i+1]' for i = 1..n-1) + e*sum(x[i]'^2 for i = 1..n)"
                                " - sum(x[i]^2 for i = 1..n)/2\n";
    char text[sizeof chain + 8];
    snprintf(text, sizeof text, chain, e);
    return motion_model(text, "n", n);
}

/* Numbers are right whatever a pivot is: where it is of no use, the second gear makes the steps. */
TEST(small_pivots)
{
    static const char *const small[] = {"0", "1e-30", "1e-15", "1e-12", "1e-9", "1e-3"};
    for (size_t k = 0; k < sizeof small / sizeof *small; k++) {
        nh_model *m = twisted_chain(small[k], 40);
        origin *o = m ? origin_of(m) : NULL;
        motion dense, sparse;
        nh_error error = {0};
        const nh_stepper_wishes wish[] = {{.matrices = NH_MATRICES_DENSE}, {.matrices = NH_MATRICES_SPARSE}};
        if (CHECK(o) &&
            CHECK_EQ_INT(motion_open_with(&dense, m, "gauss(s=2)", NH_ON_TAPE, &wish[0], NULL, &error), NH_OK)) {
            if (CHECK_EQ_INT(motion_open_with(&sparse, m, "gauss(s=2)", NH_ON_TAPE, &wish[1], NULL, &error), NH_OK)) {
                CHECK(nh_stepper_kernel(sparse.stepper)->sparsity->coupled);
                CHECK(motion_run(&dense, &o->start, STEPS) && motion_run(&sparse, &o->start, STEPS));
                CHECK_NEAR(motion_distance(&dense, &sparse), 0, 1e-13);
                CHECK(k > 0 || motion_at(&sparse, 0, NH_AT_NEWTON) == STEPS);
                CHECK(k < 3 || motion_at(&sparse, 0, NH_AT_NEWTON) == 0); /* few digits will do */
                motion_close(&sparse);
            }
            motion_close(&dense);
        }
        free(o);
        nh_model_free(m);
    }
}

/* Nor is size an obstacle: Gauss methods keep an energy that is quadratic, if their equations are solved. Without KLU
 * the second gear has too many unknowns, the step fails, and nothing has moved. */
TEST(no_pivot)
{
    nh_model *m = twisted_chain("0", 602);
    origin *from = m ? origin_of(m) : NULL;
    motion o;
    nh_error error = {0};
    if (CHECK(from) && CHECK_EQ_INT(motion_open(&o, m, "gauss(s=4)", NH_ON_TAPE, NULL, &error), NH_OK)) {
        CHECK(nh_stepper_kernel(o.stepper)->sparsity && nh_stepper_kernel(o.stepper)->sparsity->coupled);
        if (nh_sparse_lu_name()) {
            CHECK(motion_run(&o, &from->start, 4) && motion_at(&o, 0, NH_AT_NEWTON) == 4);
            CHECK_NEAR((double)motion_at(&o, 0, NH_AT_ENERGY_MAX), 0,
                       1e-13 * fabs((double)motion_at(&o, 0, NH_AT_ENERGY)));
        } else {
            CHECK(!motion_run(&o, &from->start, 1) && motion_at(&o, 0, NH_AT_STATUS) != NH_STATUS_GOOD);
            for (int i = 0; i < m->n; i++)
                CHECK(motion_q(&o, i) == (double)from->q[i] && motion_v(&o, i) == (double)from->v[i]);
        }
        motion_close(&o);
    }
    free(from);
    nh_model_free(m);
}

/* One step of the first gear, and the same by the second one, which knows nothing of the first one's matrices. */
static void compare_gears(const nh_model *m, const char *method)
{
    origin *from = origin_of(m);
    motion o;
    nh_error error = {0};
    if (CHECK(from) && CHECK_EQ_INT(motion_open(&o, m, method, NH_ON_TAPE, NULL, &error), NH_OK)) {
        double *second = calloc((size_t)o.size, sizeof *second);
        nh_gear *gear = nh_stepper_gear(o.stepper);
        CHECK(motion_run(&o, &from->start, 0));
        nh_stepper_take(o.stepper, o.batch, 0, second);
        CHECK(motion_run(&o, &from->start, 1) && motion_at(&o, 0, NH_AT_NEWTON) == 0);
        if (CHECK(gear && nh_gear_is_sparse(gear)) && CHECK(nh_gear_step(gear, second))) {
            const int n = o.n; /* for NH_AT_… */
            for (int i = 0; i < n; i++) {
                CHECK_NEAR(second[NH_AT_POSITION + i], (double)motion_q(&o, i), 1e-13);
                CHECK_NEAR(second[NH_AT_VELOCITY + i], (double)motion_v(&o, i), 1e-12);
            }
        }
        free(second);
        motion_close(&o);
    }
    free(from);
}

TEST(second_gear)
{
    static const struct {
        const char *model, *size;
        int value;
        const char *method;
    } cases[] = {{"skate-chain", "n", 280, "gauss(s=2)"},
                 {"skate-beam", "n", 40, "gauss(s=4)"},
                 {"trailer-train", "k", 20, "lobatto-ab(s=3)"},
                 {"mp-particles", "m", 30, "gauss(s=2)"},
                 {"skate-chain", "n", 300, "mp"},
                 {"skate-chain", "n", 10, "gauss(s=12)"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases && nh_sparse_lu_name(); k++) {
        nh_model *m = motion_model(cases[k].model, cases[k].size, cases[k].value);
        if (CHECK(m))
            compare_gears(m, cases[k].method);
        nh_model_free(m);
    }
}

TEST_MAIN(RUN(small_pivots), RUN(no_pivot), RUN(second_gear))
