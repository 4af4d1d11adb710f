/* SPDX-License-Identifier: MIT */
/* Systems of C functions: what is refused, and a pendulum and a weight that are not. */
#include "test.h"

#include <limits.h>
#include <math.h>
#include <nonholo/nonholo.h>

static void velocity(void *user, double t, const double *q, const double *v, double *out)
{
    (void)user, (void)t, (void)q;
    out[0] = v[0];
}

static void pull(void *user, double t, const double *q, const double *v, double *out)
{
    (void)user, (void)t, (void)v;
    out[0] = -sin(q[0]);
}

static void one(void *user, double t, const double *q, const double *v, double *out)
{
    (void)user, (void)t, (void)q, (void)v;
    out[0] = 1;
}

static void energy(void *user, double t, const double *q, const double *v, double *out)
{
    (void)user, (void)t;
    out[0] = v[0] * v[0] / 2 - cos(q[0]);
}

static nh_system pendulum(void)
{
    return (nh_system){
        .coordinates = 1, .constant_mass = 1, .momentum = velocity, .force = pull, .mass = one, .energy = energy};
}

static void refuse(const nh_system *system, const char *method, double h, double q, nh_status status, const char *text)
{
    const double v = 0;
    nh_integrator *g = NULL;
    nh_error error = {0};
    CHECK_EQ_INT(nh_integrator_new(system, method, 0, h, &q, &v, &g, &error), status);
    if (!CHECK(strstr(error.message, text) != NULL))
        printf("%s\n", error.message);
    CHECK(g == NULL);
}

TEST(runs)
{
    const nh_system system = pendulum();
    const double q = 1, v = 0;
    nh_integrator *g = NULL;
    nh_error error = {0};
    if (!CHECK(nh_integrator_new(&system, "gauss(s=3)", 0, 0.1, &q, &v, &g, &error) == NH_OK))
        return;
    CHECK(nh_integrator_advance(g, 100, &error) == NH_OK);
    CHECK_NEAR(nh_integrator_time(g), 10, 1e-14);
    CHECK(nh_integrator_energy_error(g) < 1e-8);
    CHECK_EQ_INT(nh_integrator_advance(g, -1, &error), NH_USAGE);
    CHECK_NEAR(nh_integrator_time(g), 10, 1e-14);
    nh_integrator_free(g);
    nh_integrator_free(NULL);
}

/* A weight that may not fall: the constraint v[1] = 0 carries it. */
static void velocities(void *user, double t, const double *q, const double *v, double *out)
{
    (void)user, (void)t, (void)q;
    out[0] = v[0];
    out[1] = v[1];
}

static void weight(void *user, double t, const double *q, const double *v, double *out)
{
    (void)user, (void)t, (void)q, (void)v;
    out[0] = 0;
    out[1] = -3;
}

static void identity(void *user, double t, const double *q, const double *v, double *out)
{
    (void)user, (void)t, (void)q, (void)v;
    out[0] = out[3] = 1;
    out[1] = out[2] = 0;
}

static void falling(void *user, double t, const double *q, const double *v, double *out)
{
    (void)user, (void)t, (void)q;
    out[0] = v[1];
}

static void falling_rows(void *user, double t, const double *q, const double *v, double *out)
{
    (void)user, (void)t, (void)q, (void)v;
    out[0] = 0;
    out[1] = 1;
}

static void height(void *user, double t, const double *q, const double *v, double *out)
{
    (void)user, (void)t;
    out[0] = (v[0] * v[0] + v[1] * v[1]) / 2 + 3 * q[1];
}

static void read_all(const char *method)
{
    const nh_system system = {.coordinates = 2,
                              .constraints = 1,
                              .constant_mass = 1,
                              .momentum = velocities,
                              .force = weight,
                              .mass = identity,
                              .energy = height,
                              .constraint = falling,
                              .rows = falling_rows};
    const double q[] = {0, 1}, v[] = {2, 0};
    nh_integrator *g = NULL;
    nh_error error = {0};
    if (!CHECK(nh_integrator_new(&system, method, 0, 0.25, q, v, &g, &error) == NH_OK))
        return;
    CHECK(nh_integrator_advance(g, 8, &error) == NH_OK);
    CHECK_NEAR(nh_integrator_position(g)[0], 4, 1e-14);
    CHECK_NEAR(nh_integrator_position(g)[1], 1, 1e-14);
    CHECK_NEAR(nh_integrator_velocity(g)[0], 2, 1e-14);
    CHECK_NEAR(nh_integrator_velocity(g)[1], 0, 1e-14);
    CHECK_NEAR(nh_integrator_multiplier(g)[0], 3, 1e-13);
    CHECK(nh_integrator_violation(g) <= 1e-14);
    CHECK(nh_integrator_iterations(g) >= 1 && nh_integrator_iterations(g) < 20);
    nh_integrator_free(g);
}

TEST(what_can_be_read)
{
    read_all("gauss(s=2)");
    read_all("extrapolation(s=3)");
    read_all("extrapolation(s=3, tol=1e-9)");
}

TEST(refused)
{
    nh_system system = pendulum();
    refuse(&system, "nosuch", 0.1, 0, NH_NAME, "no method");
    refuse(&system, "gauss(s=2)", 0, 0, NH_USAGE, "the step not zero");
    refuse(&system, "gauss(s=2)", INFINITY, 0, NH_USAGE, "must be finite");
    refuse(&system, "gauss(s=2)", 0.1, NAN, NH_VALUE, "not finite");
    refuse(&system, "gauss(s=2)", 0.1, INFINITY, NH_VALUE, "not finite");
    system.constraints = 1;
    refuse(&system, "gauss(s=2)", 0.1, 0, NH_USAGE, "constraint and rows");
    system.holonomic_constraints = INT_MAX;
    refuse(&system, "gauss(s=2)", 0.1, 0, NH_USAGE, "2147483648 constraints for 1 coordinates");
    system = pendulum();
    system.energy = NULL;
    refuse(&system, "gauss(s=2)", 0.1, 0, NH_USAGE, "needs the functions");
}

/* Matrices that int cannot count, found before one of them is asked for. */
TEST(too_large)
{
    nh_system system = pendulum();
    system.coordinates = 100000;
    refuse(&system, "gauss(s=64)", 0.1, 0, NH_LIMIT, "fewer coordinates or stages");
    system.coordinates = INT_MAX;
    refuse(&system, "mp", 0.1, 0, NH_LIMIT, "fewer coordinates or stages");
}

TEST_MAIN(RUN(runs), RUN(what_can_be_read), RUN(refused), RUN(too_large))
