/* SPDX-License-Identifier: MIT */
#include "clock.h"
#include "peers/equation.h"

#ifdef NH_HAVE_GSL
#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>

static int rates(double t, const double *y, double *rate, void *user)
{
    (void)t;
    (void)user;
    peer_rates(y, rate);
    return GSL_SUCCESS;
}

static bool go(gsl_odeiv2_evolve *evolve, gsl_odeiv2_control *control, gsl_odeiv2_step *step, double time,
               peer_audit *audit)
{
    const gsl_odeiv2_system system = {rates, NULL, PEER_SIZE, NULL};
    double y[PEER_SIZE], t = 0, h = 0.01;
    peer_start(y, audit);
    while (t < time) {
        if (gsl_odeiv2_evolve_apply(evolve, control, step, &system, &t, time, &h, y) != GSL_SUCCESS || h < 1e-12)
            return false;
        peer_look(audit, y);
    }
    return true;
}

static bool run(int choice, double tolerance, double time, peer_audit *audit, double *seconds)
{
    (void)choice;
    gsl_set_error_handler_off();
    gsl_odeiv2_step *step = gsl_odeiv2_step_alloc(gsl_odeiv2_step_rk8pd, PEER_SIZE);
    gsl_odeiv2_control *control = gsl_odeiv2_control_y_new(tolerance, tolerance);
    gsl_odeiv2_evolve *evolve = gsl_odeiv2_evolve_alloc(PEER_SIZE);
    const double begin = clock_seconds();
    const bool good = go(evolve, control, step, time, audit);
    *seconds = clock_seconds() - begin;
    gsl_odeiv2_evolve_free(evolve);
    gsl_odeiv2_control_free(control);
    gsl_odeiv2_step_free(step);
    return good;
}

const peer *peers_gsl(int *count)
{
    static const peer list[] = {{"GSL rk8pd", run, 0}};
    *count = 1;
    return list;
}
#else
const peer *peers_gsl(int *count)
{
    *count = 0;
    return 0;
}
#endif
