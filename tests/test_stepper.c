/* SPDX-License-Identifier: MIT */
/* Steppers where things go wrong: methods that do not fit a model, steps that cannot be made. */
#include "models.h"

#include "motion.h"

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

TEST_MAIN(RUN(methods_that_do_not_fit_say_why), RUN(a_step_to_infinity_is_not_made),
          RUN(a_lane_that_fails_leaves_the_others_alone), RUN(what_fills_a_block_of_stages_is_harmless),
          RUN(the_second_gear_tells_small_from_large), RUN(extra_multipliers_may_be_nothing))
