/* SPDX-License-Identifier: MIT */
#include "clock.h"
#include "peers/peer.h"

#ifdef NH_HAVE_GSL
#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>

static bool go(gsl_odeiv2_evolve *evolve, gsl_odeiv2_control *control, gsl_odeiv2_step *step, peer_run *run)
{
    const peer_problem *p = &peer_problems[run->problem];
    const gsl_odeiv2_system system = {p->rates, NULL, 2 * (size_t)p->n, NULL};
    double t = 0, h = 0.01;
    while (t < run->time) {
        if (gsl_odeiv2_evolve_apply(evolve, control, step, &system, &t, run->time, &h, run->y) != GSL_SUCCESS ||
            h < 1e-12)
            return false;
        peer_look(run, run->y);
    }
    return true;
}

static bool run_rk8pd(int choice, peer_run *run)
{
    const size_t size = 2 * (size_t)peer_problems[run->problem].n;
    (void)choice;
    gsl_set_error_handler_off();
    gsl_odeiv2_step *step = gsl_odeiv2_step_alloc(gsl_odeiv2_step_rk8pd, size);
    gsl_odeiv2_control *control = gsl_odeiv2_control_y_new(run->tolerance, run->tolerance);
    gsl_odeiv2_evolve *evolve = gsl_odeiv2_evolve_alloc(size);
    peer_start(run);
    const double begin = clock_seconds();
    const bool good = go(evolve, control, step, run);
    run->seconds = clock_seconds() - begin;
    gsl_odeiv2_evolve_free(evolve);
    gsl_odeiv2_control_free(control);
    gsl_odeiv2_step_free(step);
    return good;
}

const peer *peers_gsl(int *count)
{
    static const peer list[] = {{"GSL rk8pd", run_rk8pd, 0, PEER_ALL}};
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
