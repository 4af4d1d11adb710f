/* SPDX-License-Identifier: MIT */
/* Steppers where things go wrong: methods that do not fit a model, steps that cannot be made. */
#include "models.h"

#include "motion.h"

#include <math.h>
#include <stdlib.h>

static void refuses(const char *model, const char *method, const char *because)
{
    motion o;
    nh_error error = {0};
    nh_model *m = NULL;
    if (!CHECK_EQ_INT(nh_model_load(model, NULL, &m, NULL), NH_OK))
        return;
    CHECK_EQ_INT(motion_open(&o, m, method, NH_ON_TAPE, NULL, &error), NH_USAGE);
    if (!CHECK(strstr(error.message, because) != NULL))
        printf("    %s, %s: %s\n", model, method, error.message);
    nh_model_free(m);
}

TEST(methods_that_do_not_fit_say_why)
{
    refuses("dae-spark", "gauss(s=2)", "an index-2 DAE");
    refuses("heisenberg-hamiltonian", "gauss(s=2)", "a Hamiltonian system");
    refuses("skate-in-bowl", "gauss(s=2)", "lobatto-ab does");
    refuses("spherical-pendulum", "gauss-standard(s=2)", "holonomic");
    refuses("spherical-pendulum", "lobatto-ab-modified", "holonomic");
    refuses("sleigh", "mp", "a constant mass matrix");
    refuses("appell", "mp", "affine in the velocities");
    refuses("parallel-particles", "mp", "affine in the velocities");
}

/* The pendulum with a differentiated constraint spirals into its singular point by symplectic Euler steps. */
enum { STEPS = 1000, FALLING = 2 };

static bool load_pendulum(nh_model **m, origin **from)
{
    *m = NULL;
    *from = NULL;
    if (CHECK_EQ_INT(nh_model_load("differentiated-pendulum", NULL, m, NULL), NH_OK))
        *from = origin_of(*m);
    return CHECK(*from != NULL);
}

static void check_stopped(const motion *o, int lane)
{
    CHECK(motion_at(o, lane, NH_AT_STATUS) != 0);
    CHECK(motion_at(o, lane, NH_AT_COUNT) > 0 && motion_at(o, lane, NH_AT_COUNT) < STEPS);
    for (int i = 0; i < 3 * o->n; i++) /* q, p, v */
        CHECK(isfinite((double)motion_at(o, lane, NH_AT_POSITION + i)));
    CHECK(isfinite((double)motion_at(o, lane, NH_AT_ENERGY_MAX)));
    CHECK(isfinite((double)motion_at(o, lane, NH_AT_CONSTRAINT_MAX)));
}

TEST(a_step_to_infinity_is_not_made)
{
    static const nh_stepper_setting settings[] = {NH_ON_TAPE, NH_IN_QUAD, NH_COMPILED, NH_COMPILED_STAGES};
    nh_model *m;
    origin *from;
    for (size_t i = 0; i < sizeof settings / sizeof *settings && load_pendulum(&m, &from); i++) {
        motion o;
        if (CHECK_EQ_INT(motion_open(&o, m, "euler-1", settings[i], NULL, NULL), NH_OK)) {
            CHECK(!motion_run(&o, &from->start, STEPS));
            check_stopped(&o, 0);
            const nh_quad count = motion_at(&o, 0, NH_AT_COUNT);
            CHECK(!motion_advance(&o)); /* it stays where it is until somebody helps */
            CHECK(motion_at(&o, 0, NH_AT_COUNT) == count);
            motion_close(&o);
        }
        free(from);
        nh_model_free(m);
    }
}

/* Lanes with smaller steps, all but one. */
static void start_lanes(motion *o, const origin *from, int steps)
{
    for (int lane = 0; lane < o->lanes; lane++) {
        nh_start start = from->start;
        start.h = lane == FALLING ? start.h : start.h / (16 + lane);
        motion_start(o, lane, &start);
        motion_aim(o, lane, steps);
    }
}

TEST(a_lane_that_fails_leaves_the_others_alone)
{
    nh_model *m;
    origin *from;
    motion all, one;
    if (!load_pendulum(&m, &from))
        return;
    if (CHECK_EQ_INT(motion_open(&all, m, "euler-1", NH_ON_TAPE_LANES, NULL, NULL), NH_OK) &&
        CHECK_EQ_INT(motion_open(&one, m, "euler-1", NH_ON_TAPE, NULL, NULL), NH_OK)) {
        start_lanes(&all, from, STEPS);
        CHECK(!motion_advance(&all));
        check_stopped(&all, FALLING);
        for (int lane = 0; lane < all.lanes; lane++) {
            nh_start start = from->start;
            start.h = motion_at(&all, lane, NH_AT_STEP);
            CHECK(motion_run(&one, &start, STEPS) == (lane != FALLING));
            for (int i = 0; i < all.size; i++)
                CHECK(motion_at(&one, 0, i) == motion_at(&all, lane, i));
        }
        motion_close(&one);
        motion_close(&all);
    }
    free(from);
    nh_model_free(m);
}

/* A model as text after some steps; whether they were made. q: its first coordinate. newton: steps by the second gear.
 */
static bool moves(const char *text, const char *method, nh_stepper_setting setting, nh_quad h, int steps, double *q,
                  int *newton)
{
    motion o;
    bool arrived = false;
    nh_model *m = parse_model(text);
    origin *from = m ? origin_of(m) : NULL;
    if (from && CHECK_EQ_INT(motion_open(&o, m, method, setting, NULL, NULL), NH_OK)) {
        from->start.h = h;
        arrived = motion_run(&o, &from->start, steps);
        *q = (double)motion_q(&o, 0);
        *newton = (int)motion_at(&o, 0, NH_AT_NEWTON);
        motion_close(&o);
    }
    free(from);
    nh_model_free(m);
    return arrived;
}

/* Two stages fill half of a block of four. The force is infinite at the start, where no stage is. */
TEST(what_fills_a_block_of_stages_is_harmless)
{
    static const nh_stepper_setting settings[] = {NH_ON_TAPE, NH_COMPILED, NH_COMPILED_STAGES, NH_IN_QUAD};
    static const char text[] = "coordinates x\nlagrangian x'^2/2 + sqrt(x)\ninitial x = 0, x' = 1\n";
    double x = NAN;
    int newton;
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        CHECK(moves(text, "gauss(s=2)", settings[i], (nh_quad)1 / 10, 1, &x, &newton));
        CHECK_NEAR(x, 0.11500624884057932, 1e-15);
    }
}

/* y of an oscillator after ten steps, which the first gear cannot make. */
static double oscillator(const char *rest)
{
    char text[512];
    double y = NAN;
    int newton = 0;
    snprintf(text, sizeof text, "coordinates y, x, z\n%s\ninitial y = 0.67, y' = 0.25\n", rest);
    CHECK(moves(text, "gauss(s=1)", NH_ON_TAPE, (nh_quad)1 / 5, 10, &y, &newton));
    CHECK_EQ_INT(newton, 10);
    return y;
}

/* Beside it a load on a constraint that is written in other units, or a coordinate that is. */
TEST(the_second_gear_tells_small_from_large)
{
    const double y = oscillator("lagrangian (y'^2 + x'^2 + z'^2)/2 - 2500*y^4 - z\nconstraint z' = 0");
    CHECK_NEAR(y, -0.48874105922, 1e-11);
    CHECK_NEAR(oscillator("lagrangian (y'^2 + x'^2 + z'^2)/2 - 2500*y^4 - z\nconstraint 1e-9*z' = 0"), y, 1e-14);
    CHECK_NEAR(oscillator("lagrangian (y'^2 + x'^2 + z'^2)/2 - 2500*y^4 - 1e10*z\nconstraint z' = 0"), y, 1e-14);
    CHECK_NEAR(oscillator("lagrangian (y'^2 + (x'/1e9)^2 + z'^2)/2 - 2500*y^4\nconstraint z' = x'/1e9\n"
                          "initial x' = 1e9, z' = 1"),
               y, 1e-14);
}

/* Three links, one number of which is in other units. Extra multipliers are round-off here, however it is weighted. */
TEST(extra_multipliers_may_be_nothing)
{
    static const char text[] =
        "coordinates q[1..6]\n"
        "lagrangian (q[1]'^2 + q[2]'^2 + 1e6*q[3]'^2 + q[4]'^2 + q[5]'^2 + q[6]'^2)/2\n"
        "holonomic q[1]^2 + q[2]^2 = 1\n"
        "holonomic (1000*q[3] - q[1])^2 + (q[4] - q[2])^2 = 1\n"
        "holonomic (q[5] - 1000*q[3])^2 + (q[6] - q[4])^2 = 1\n"
        "initial q[1] = 0.8, q[2] = -0.6, q[3] = 0.0016, q[5] = 1, q[6] = 0.8\n"
        "initial q[1]' = 0.3, q[2]' = 0.4, q[3]' = 0.0003, q[4]' = 0.4, q[5]' = 0.3, q[6]' = 0.4\n";
    double q = NAN;
    int newton;
    CHECK(moves(text, "gauss-stabilised(s=2)", NH_ON_TAPE, (nh_quad)1 / 1000, 12, &q, &newton));
}

/* Forces and reactions cancel: velocities are round-off, and corrections of them, too. */
TEST(a_body_at_rest_under_a_load)
{
    static const char *const bodies[] = {
        "coordinates x, y, z\nlagrangian (x'^2 + 2*y'^2 + z'^2)/2 - 0.3*x - 0.7*y\n"
        "constraint x' = (x - 1)*y'\nconstraint x' + 3*y' = 0\ninitial x = 1/37\n",
        "coordinates x, y, th, w\nparameters g = 9.81, m = 1.7, b = 0.4\n"
        "lagrangian m*(x'^2 + y'^2)/2 + th'^2/2 + w'^2/8 + m*g*(x*0.3 - 0.7*y)\n"
        "constraint x'*sin(th) - y'*cos(th) = 0\nconstraint x'*cos(th) + y'*sin(th) = w'/3\n"
        "constraint w' = 0\ninitial th = b\n",
        "sizes n = 20\ncoordinates x[1..n], y[1..n], th[1..n]\nparameters b = 0.4, g = 9.81, m = 1.3\n"
        "lagrangian sum(m*(x[i]'^2 + y[i]'^2)/2 + th[i]'^2/8 + m*g*(x[i]*sin(b) - y[i]*cos(b))/3 for i = 1..n)"
        " - 5*sum((x[i+1]-x[i]-cos(b))^2 + (y[i+1]-y[i]-sin(b))^2 for i = 1..n-1)\n"
        "constraint x[i]'*sin(th[i]) - y[i]'*cos(th[i]) = 0 for i = 1..n\n"
        "initial th[i] = b for i = 1..n, x[i] = i*cos(b) for i = 1..n, y[i] = i*sin(b) for i = 1..n\n"};
    static const char *const methods[] = {"gauss(s=2)", "gauss(s=4)", "lobatto-ab(s=3)",
                                          "euler-1",    "mp",         "extrapolation(s=4)"};
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++)
        for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
            double x = NAN;
            int newton = -1;
            if (!CHECK(moves(bodies[i], methods[k], NH_ON_TAPE, (nh_quad)1 / 20, 200, &x, &newton)) ||
                !CHECK_EQ_INT(newton, 0))
                printf("    body %d, %s\n", (int)i, methods[k]);
            CHECK_NEAR(x, i == 0 ? 1. / 37 : i == 1 ? 0 : cos(0.4), 1e-11);
        }
}

/* What feels reactions is held, and something else moves. */
TEST(what_is_held_beside_what_moves)
{
    static const char text[] = "coordinates x, y, u\n"
                               "lagrangian (x'^2 + y'^2 + u'^2)/2 - (u - x)^2/2 - (u - y)^2/2\n"
                               "constraint x' = (x - 1)*y'\nconstraint x' + 3*y' = 0\ninitial x = 0.2, u = 1\n";
    static const char *const methods[] = {"mp", "euler-1", "euler-2", "gauss(s=2)"};
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++)
        for (int quad = 0; quad <= 1; quad++) {
            double x = NAN;
            int newton = -1;
            CHECK(moves(text, methods[k], quad ? NH_IN_QUAD : NH_ON_TAPE, (nh_quad)1 / 20, quad ? 200 : 2000, &x,
                        &newton));
            CHECK_EQ_INT(newton, 0);
            CHECK_NEAR(x, 0.2, 1e-11);
        }
}

TEST_MAIN(RUN(methods_that_do_not_fit_say_why), RUN(a_step_to_infinity_is_not_made),
          RUN(a_lane_that_fails_leaves_the_others_alone), RUN(what_fills_a_block_of_stages_is_harmless),
          RUN(the_second_gear_tells_small_from_large), RUN(extra_multipliers_may_be_nothing),
          RUN(a_body_at_rest_under_a_load), RUN(what_is_held_beside_what_moves))
