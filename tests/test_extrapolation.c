/* SPDX-License-Identifier: MIT */
/* Extrapolation: the weights of its table, and steps that are divided for the sake of an error. That it has its order
 * is measured with the claims of all methods. */
#include "models.h"

#include "kernel/extrapolation_table.h"
#include "method/extrapolation_table.h"
#include "motion.h"

#include <stdlib.h>

/* ---- Weights ---- */

/* sum_j weight_j / j^(2 power). */
static double moment(const nh_table *t, int s, int vector, int power)
{
    nh_quad sum = 0;
    for (int g = 0; g < s; g++) {
        nh_quad term = t->in_quad[NH_EXTRAPOLATION_AT_VECTOR(s, vector) + g];
        const nh_quad pairs = t->in_quad[NH_EXTRAPOLATION_AT_VECTOR(s, NH_EXTRAPOLATION_PAIRS) + g];
        for (int k = 0; k < power; k++)
            term /= pairs * pairs;
        sum += term;
    }
    return (double)sum;
}

/* Constants stay, and h^2, h^4, … go; of the difference to what has two orders less, all but the last one. */
TEST(weights)
{
    for (int s = 1; s <= 16; s++) {
        nh_arena arena = {0};
        nh_table t;
        if (!CHECK_EQ_INT(nh_extrapolation_table_make(&arena, s, 0, &t, NULL), NH_OK))
            return;
        CHECK_NEAR(moment(&t, s, NH_EXTRAPOLATION_WEIGHT, 0), 1, 1e-28);
        for (int power = 1; power < s; power++)
            CHECK_NEAR(moment(&t, s, NH_EXTRAPOLATION_WEIGHT, power), 0, 1e-28);
        CHECK(fabs(moment(&t, s, NH_EXTRAPOLATION_WEIGHT, s)) > 1e-40);
        for (int power = 0; power < s - 1; power++)
            CHECK_NEAR(moment(&t, s, NH_EXTRAPOLATION_DOUBT, power), 0, 1e-28);
        nh_arena_free(&arena);
    }
}

/* Every number of pairs is there once, lanes have about as much to do, and the longest is where it is looked for. */
TEST(order_of_sequences)
{
    for (int s = 1; s <= 32; s++) {
        int seen[33] = {0}, least = 1000, most = 0;
        for (int g = 0; g < s; g++)
            seen[NH_EXTRAPOLATION_PAIRS_OF(s, g)]++;
        for (int j = 1; j <= s; j++)
            CHECK_EQ_INT(seen[j], 1);
        CHECK_EQ_INT(NH_EXTRAPOLATION_PAIRS_OF(s, NH_EXTRAPOLATION_LONGEST(s)), s);
        for (int lane = 0; lane < 4; lane++) {
            int pairs = 0;
            for (int g = lane; g < s; g += 4)
                pairs += NH_EXTRAPOLATION_PAIRS_OF(s, g);
            least = pairs < least ? pairs : least;
            most = pairs > most ? pairs : most;
        }
        CHECK(s < 7 || (most - least <= 4 && most <= s * (s + 1) / 8 + 3));
    }
}

/* ---- Steps that are divided ---- */

/* The largest error of q after one step of length T, against gauss(s=8) in quad precision; and its parts. */
static double error_of(const nh_model *m, const char *method, double T, nh_stepper_setting setting, double *parts)
{
    motion o, reference;
    origin *from = origin_of(m);
    double error = NAN;
    if (!CHECK(from))
        return error;
    if (CHECK_EQ_INT(motion_open(&reference, m, "gauss(s=8)", NH_IN_QUAD, NULL, NULL), NH_OK)) {
        if (CHECK_EQ_INT(motion_open(&o, m, method, setting, NULL, NULL), NH_OK)) {
            from->start.h = (nh_quad)T;
            const bool arrived = motion_run(&o, &from->start, 1);
            from->start.h = (nh_quad)T / 100;
            if (CHECK(arrived && motion_run(&reference, &from->start, 100)))
                error = 0;
            for (int i = 0; i < o.n; i++)
                error = fmax(error, fabs((double)(motion_q(&o, i) - motion_q(&reference, i))));
            *parts = (double)motion_at(&o, 0, NH_AT_ITERATIONS);
            motion_close(&o);
        }
        motion_close(&reference);
    }
    free(from);
    return error;
}

/* Errors follow the tolerance, over many digits, for regular and for varying and nonlinear systems: not above it by
 * much, nor by more than some digits below it; and take more parts the smaller it is. */
static void follows_tolerance(const char *model, double T)
{
    nh_model *m = load_model(model, NULL);
    double before = 0;
    for (int digits = 4; m && digits <= 12; digits += 2) {
        char method[64];
        double parts = 0;
        snprintf(method, sizeof method, "extrapolation(s=5, tol=1e-%d)", digits);
        const double error = error_of(m, method, T, digits > 8 ? NH_IN_QUAD : NH_ON_TAPE, &parts);
        const double tol = pow(10, -digits);
        if (!CHECK(error <= 20 * tol) || !CHECK(error >= 1e-6 * tol) || !CHECK(parts > before))
            printf("    %s, tol = 1e-%d: error %.1e in %.0f parts\n", model, digits, error, parts);
        before = parts;
    }
    nh_model_free(m);
}

TEST(errors_follow_the_tolerance)
{
    follows_tolerance("particle", 10);
    follows_tolerance("mp-particles", 8);
    follows_tolerance("sleigh", 20);
    follows_tolerance("isokinetic", 4);
    follows_tolerance("driven-knife-edge", 6);
}

/* What is remembered from step to step is in the member: a motion that is taken up again is the same one. */
TEST(parts_are_remembered)
{
    nh_model *m = load_model("mp-particles", NULL);
    motion whole, halves;
    origin *from = m ? origin_of(m) : NULL;
    if (CHECK(from) &&
        CHECK_EQ_INT(motion_open(&whole, m, "extrapolation(s=6, tol=1e-9)", NH_ON_TAPE, NULL, NULL), NH_OK)) {
        if (CHECK_EQ_INT(motion_open(&halves, m, "extrapolation(s=6, tol=1e-9)", NH_ON_TAPE, NULL, NULL), NH_OK)) {
            from->start.h = 3;
            CHECK(motion_run(&whole, &from->start, 8));
            CHECK(motion_run(&halves, &from->start, 3));
            motion_aim(&halves, 0, 8);
            CHECK(motion_advance(&halves));
            CHECK(motion_at(&halves, 0, NH_AT_LENGTH) > 0);
            CHECK(!memcmp(whole.batch, halves.batch, (size_t)whole.size * sizeof(double)));
            motion_close(&halves);
        }
        motion_close(&whole);
    }
    free(from);
    nh_model_free(m);
}

/* Where what is asked for cannot be had, the member stays as it was, and says so; whatever is asked for, it ends. */
TEST(what_cannot_be_had)
{
    nh_model *m = load_model("particle", NULL);
    origin *from = m ? origin_of(m) : NULL;
    motion o;
    if (CHECK(from) &&
        CHECK_EQ_INT(motion_open(&o, m, "extrapolation(s=4, tol=1e-30)", NH_ON_TAPE, NULL, NULL), NH_OK)) {
        from->start.h = 10;
        CHECK(!motion_run(&o, &from->start, 2));
        CHECK_EQ_INT(motion_at(&o, 0, NH_AT_STATUS), NH_STATUS_FAILED);
        CHECK_EQ_INT(motion_at(&o, 0, NH_AT_COUNT), 0);
        CHECK(motion_q(&o, 0) == (nh_quad)(double)from->q[0]);
        motion_close(&o);
    }
    free(from);
    nh_model_free(m);
}

/* ---- Landing ---- */

/* A coordinate without a constraint, in units that make it fast, hides nothing of what Newton's method has to do. */
TEST(units_do_not_matter)
{
    static const char text[] = "parameters big = 1\ncoordinates x, y, z\n"
                               "lagrangian (x'^2 + y'^2)/2 - y + z'^2/2/big^2\nconstraint x'^2 + y'^2 = 1\n"
                               "initial x' = 3/5, y' = 4/5, z' = big\nstep 1/10\n";
    double y[2] = {0};
    nh_model *m = parse_model(text);
    for (int k = 0; m && k < 2; k++) {
        origin *from = origin_of(m);
        motion o;
        if (CHECK(from) && CHECK_EQ_INT(motion_open(&o, m, "extrapolation(s=4)", NH_ON_TAPE, NULL, NULL), NH_OK)) {
            nh_quad big = k ? 1e10 : 1;
            from->start.parameter = &big;
            from->v[2] = big;
            CHECK(motion_run(&o, &from->start, 10));
            y[k] = (double)motion_q(&o, 1);
            motion_close(&o);
        }
        free(from);
    }
    CHECK_NEAR(y[1], y[0], 1e-14);
    nh_model_free(m);
}

/* Sparse factors without exchange of rows may have few digits: the mass is indefinite, and the rows of K are nearly
 * orthogonal to themselves. Energy is kept all the same. */
TEST(few_digits_of_sparse_factors)
{
    static const char text[] =
        "sizes k = 100\ncoordinates x[1..k], y[1..k], z[1..k], w[1..k]\n"
        "lagrangian sum(x[i]'^2 - y[i]'^2 + z[i]'^2 + w[i]'^2 - x[i]^2 - z[i]^2 - w[i]^2 - y[i]^2 for i = 1..k)/2\n"
        "constraint x[i]' + y[i]' + 1e-8*z[i]' = 0 for i = 1..k\n"
        "constraint x[i]' - y[i]' + 1e-8*w[i]' = 0 for i = 1..k\n"
        "initial x[i] = 1 for i = 1..k\ninitial z[i] = 1 for i = 1..k\ninitial y[i] = 0.3 for i = 1..k\nstep 1/100\n";
    static const char *const methods[] = {"extrapolation(s=4)", "extrapolation(s=4, rule=mp)"};
    nh_model *m = parse_model(text);
    for (int k = 0; m && k < 2; k++) {
        origin *from = origin_of(m);
        motion o;
        if (CHECK(from) && CHECK_EQ_INT(motion_open(&o, m, methods[k], NH_ON_TAPE, NULL, NULL), NH_OK)) {
            CHECK(nh_stepper_kernel(o.stepper)->sparsity != NULL);
            CHECK(motion_run(&o, &from->start, 20));
            CHECK((double)motion_at(&o, 0, NH_AT_ENERGY_MAX) < 1e-11);
            motion_close(&o);
        }
        free(from);
    }
    nh_model_free(m);
}

/* Parts that are no numbers are tried again, shorter, whichever coordinate tells. */
TEST(parts_that_are_no_numbers)
{
    static const char *const orders[] = {"x, y", "y, x"};
    double x[2] = {0};
    for (int k = 0; k < 2; k++) {
        char text[200];
        snprintf(text, sizeof text,
                 "coordinates %s\nlagrangian (x'^2 + y'^2)/2 - x^2/2 + sqrt(1-x^2)/1000 - y^2/2000000\n"
                 "initial x = 0.5, y = 1\n",
                 orders[k]);
        nh_model *m = parse_model(text);
        origin *from = m ? origin_of(m) : NULL;
        motion o;
        if (CHECK(from) &&
            CHECK_EQ_INT(motion_open(&o, m, "extrapolation(s=4, tol=1e-6)", NH_ON_TAPE, NULL, NULL), NH_OK)) {
            from->start.h = 5;
            CHECK(motion_run(&o, &from->start, 1));
            x[k] = (double)motion_q(&o, k);
            motion_close(&o);
        }
        free(from);
        nh_model_free(m);
    }
    CHECK(x[0] == x[1] && x[0] != 0);
}

/* Constraints that depend on time hold at the time of the end, far from t = 0 too. */
TEST(the_last_part_ends_in_time)
{
    nh_model *m = parse_model("coordinates x, y, z\nlagrangian (x'^2 + 2*y'^2 + z'^2 - x^2 - y^2 - z^2)/2\n"
                              "constraint z' = cos(1.3*t)*(1 + y/3)*x'\ninitial x = 1, y = 0.2\n");
    origin *from = m ? origin_of(m) : NULL;
    motion o;
    if (CHECK(from) &&
        CHECK_EQ_INT(motion_open(&o, m, "extrapolation(s=6, tol=1e-10)", NH_ON_TAPE, NULL, NULL), NH_OK)) {
        from->start.t = 1000000;
        from->start.h = (nh_quad)0.1;
        CHECK(motion_run(&o, &from->start, 30));
        CHECK((double)motion_at(&o, 0, NH_AT_CONSTRAINT_MAX) < 1e-15);
        motion_close(&o);
    }
    free(from);
    nh_model_free(m);
}

/* ---- The rule ---- */

/* One step of (7.3) is a sequence by itself. */
static void is_mp(const char *model)
{
    nh_model *m = load_model(model, NULL);
    origin *from = m ? origin_of(m) : NULL;
    motion mp, one;
    if (CHECK(from) && CHECK_EQ_INT(motion_open(&mp, m, "mp", NH_IN_QUAD, NULL, NULL), NH_OK)) {
        if (CHECK_EQ_INT(motion_open(&one, m, "extrapolation(s=1, rule=mp)", NH_IN_QUAD, NULL, NULL), NH_OK)) {
            CHECK(motion_run(&mp, &from->start, 20) && motion_run(&one, &from->start, 20));
            for (int i = 0; i < mp.n; i++) {
                CHECK_NEAR((double)(motion_q(&one, i) - motion_q(&mp, i)), 0, 1e-29);
                CHECK_NEAR((double)(motion_v(&one, i) - motion_v(&mp, i)), 0, 1e-29);
            }
            motion_close(&one);
        }
        motion_close(&mp);
    }
    free(from);
    nh_model_free(m);
}

TEST(a_leap_is_a_step_of_mp)
{
    is_mp("particle");
    is_mp("mp-particles");
    is_mp("contact-oscillator");
    is_mp("driven-knife-edge");
}

static void refused(const char *model, const char *method, nh_status status, const char *why)
{
    nh_model *m = load_model(model, NULL);
    nh_stepper *s = NULL;
    nh_error error = {0};
    if (!CHECK(m && nh_stepper_new(m, method, NH_ON_TAPE, NULL, &s, &error) == status && strstr(error.message, why)))
        printf("    %s, %s: %s\n", model, method, error.message);
    nh_stepper_free(s);
    nh_model_free(m);
}

TEST(refusals)
{
    refused("particle", "extrapolation(s=1, tol=1e-3)", NH_VALUE, "two sequences");
    refused("particle", "extrapolation(s=33)", NH_VALUE, "between 1 and 32");
    refused("particle", "extrapolation(tol=2)", NH_VALUE, "between 0 and 1");
    refused("spherical-pendulum", "extrapolation", NH_USAGE, "holonomic");
    refused("particle", "extrapolation(rule=gauss)", NH_NAME, "midpoint, mp");
    refused("particle", "extrapolation(tol=1e-40)", NH_VALUE, "at least 1e-34");
    refused("particle", "extrapolation(tol=1e-5000)", NH_VALUE, "at least 1e-34");
    refused("dry-friction-incline", "extrapolation(rule=mp)", NH_USAGE, "ideal");
    refused("sleigh", "extrapolation(rule=mp)", NH_USAGE, "constant mass");
    refused("appell", "extrapolation(rule=mp)", NH_USAGE, "affine");
    refused("car-with-trailers", "extrapolation(rule=mp)", NH_USAGE, "mass");
    refused("dry-friction-incline", "extrapolation", NH_USAGE, "ideal");
}

TEST_MAIN(RUN(weights), RUN(order_of_sequences), RUN(errors_follow_the_tolerance), RUN(parts_are_remembered),
          RUN(units_do_not_matter), RUN(few_digits_of_sparse_factors), RUN(parts_that_are_no_numbers),
          RUN(the_last_part_ends_in_time), RUN(a_leap_is_a_step_of_mp), RUN(what_cannot_be_had), RUN(refusals))
