/* SPDX-License-Identifier: MIT */
/* A system given by C functions: the skate on an inclined plane, Jay (2009), 8.2.
 *     cc callbacks.c $(pkg-config --cflags --libs nonholo) -o callbacks && ./callbacks */
#include <math.h>
#include <nonholo/nonholo.h>
#include <stdio.h>

/* L = (x'^2 + y'^2 + theta'^2)/2 + x, the blade allows no sideways motion: cos(theta) y' - sin(theta) x' = 0. */
static void momentum(void *user, double t, const double *q, const double *v, double *p)
{
    (void)user, (void)t, (void)q;
    for (int i = 0; i < 3; i++)
        p[i] = v[i];
}

static void force(void *user, double t, const double *q, const double *v, double *f)
{
    (void)user, (void)t, (void)q, (void)v;
    f[0] = 1;
    f[1] = f[2] = 0;
}

static void mass(void *user, double t, const double *q, const double *v, double *M)
{
    (void)user, (void)t, (void)q, (void)v;
    for (int i = 0; i < 9; i++)
        M[i] = i % 4 == 0;
}

static void energy(void *user, double t, const double *q, const double *v, double *E)
{
    (void)user, (void)t;
    *E = (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) / 2 - q[0];
}

static void constraint(void *user, double t, const double *q, const double *v, double *k)
{
    (void)user, (void)t;
    *k = cos(q[2]) * v[1] - sin(q[2]) * v[0];
}

static void rows(void *user, double t, const double *q, const double *v, double *K)
{
    (void)user, (void)t, (void)v;
    K[0] = -sin(q[2]);
    K[1] = cos(q[2]);
    K[2] = 0;
}

int main(void)
{
    const nh_system skate = {.coordinates = 3,
                             .constraints = 1,
                             .constant_mass = 1,
                             .momentum = momentum,
                             .force = force,
                             .mass = mass,
                             .energy = energy,
                             .constraint = constraint,
                             .rows = rows};
    const double q[3] = {0, 0, 0}, v[3] = {0, 0, 1};
    nh_integrator *integrator;
    nh_error error;
    if (nh_integrator_new(&skate, "lobatto-ab(s=3)", 0, 0.1, q, v, &integrator, &error) != NH_OK ||
        nh_integrator_advance(integrator, 1000, &error) != NH_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    const double *at = nh_integrator_position(integrator);
    printf("t = %g: x = %.6f, y = %.6f\n", nh_integrator_time(integrator), at[0], at[1]);
    printf("energy error %.2e, constraint %.0e\n", nh_integrator_energy_error(integrator),
           nh_integrator_violation(integrator));
    nh_integrator_free(integrator);
    return 0;
}
