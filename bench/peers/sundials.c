/* SPDX-License-Identifier: MIT */
#include "clock.h"
#include "peers/equation.h"

#ifdef NH_HAVE_SUNDIALS
#include <arkode/arkode_erkstep.h>
#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

enum { MOST_STEPS = 20000000, ONE_STEP = 2, TO_THE_END = 1 }; /* tasks have the same numbers in all packages */

static SUNContext make_context(void)
{
    SUNContext context = NULL;
#if SUNDIALS_VERSION_MAJOR >= 7
    SUNContext_Create(SUN_COMM_NULL, &context);
    SUNContext_ClearErrHandlers(context);
#else
    SUNContext_Create(NULL, &context);
#endif
    return context;
}

#if SUNDIALS_VERSION_MAJOR < 7
static void say_nothing(int code, const char *module, const char *function, char *message, void *user)
{
    (void)code;
    (void)module;
    (void)function;
    (void)message;
    (void)user;
}
#endif

static int rates(double t, N_Vector y, N_Vector rate, void *user)
{
    (void)t;
    (void)user;
    peer_rates(NV_DATA_S(y), NV_DATA_S(rate));
    return 0;
}

static bool run_adams(int choice, double tolerance, double time, peer_audit *audit, double *seconds)
{
    SUNContext context = make_context();
    N_Vector y = N_VNew_Serial(PEER_SIZE, context);
    void *memory = CVodeCreate(CV_ADAMS, context);
    SUNNonlinearSolver solver = SUNNonlinSol_FixedPoint(y, 0, context);
    double t = 0;
    int flag = 0;
    (void)choice;
    peer_start(NV_DATA_S(y), audit);
#if SUNDIALS_VERSION_MAJOR < 7
    CVodeSetErrHandlerFn(memory, say_nothing, NULL);
#endif
    CVodeInit(memory, rates, 0, y);
    CVodeSStolerances(memory, tolerance, tolerance);
    CVodeSetMaxNumSteps(memory, MOST_STEPS);
    CVodeSetNonlinearSolver(memory, solver);
    CVodeSetStopTime(memory, time);
    const double begin = clock_seconds();
    while (flag >= 0 && t < time * (1 - 1e-14)) {
        flag = CVode(memory, time, y, &t, audit->on ? ONE_STEP : TO_THE_END);
        peer_look(audit, NV_DATA_S(y));
    }
    *seconds = clock_seconds() - begin;
    CVodeFree(&memory);
    SUNNonlinSolFree(solver);
    N_VDestroy(y);
    SUNContext_Free(&context);
    return flag >= 0;
}

static bool run_explicit(int choice, double tolerance, double time, peer_audit *audit, double *seconds)
{
    SUNContext context = make_context();
    N_Vector y = N_VNew_Serial(PEER_SIZE, context);
    double t = 0;
    int flag = 0;
    peer_start(NV_DATA_S(y), audit);
    void *memory = ERKStepCreate(rates, 0, y, context);
#if SUNDIALS_VERSION_MAJOR < 7
    ERKStepSetErrHandlerFn(memory, say_nothing, NULL);
#endif
    ERKStepSStolerances(memory, tolerance, tolerance);
    ERKStepSetMaxNumSteps(memory, MOST_STEPS);
    ERKStepSetTableNum(memory, (ARKODE_ERKTableID)choice);
    ERKStepSetStopTime(memory, time);
    const double begin = clock_seconds();
    while (flag >= 0 && t < time * (1 - 1e-14)) {
        flag = ERKStepEvolve(memory, time, y, &t, audit->on ? ONE_STEP : TO_THE_END);
        peer_look(audit, NV_DATA_S(y));
    }
    *seconds = clock_seconds() - begin;
    ERKStepFree(&memory);
    N_VDestroy(y);
    SUNContext_Free(&context);
    return flag >= 0;
}

const peer *peers_sundials(int *count)
{
    static const peer list[] = {
        {"CVODE Adams", run_adams, 0},
        {"ARKODE Cash-Karp 5", run_explicit, ARKODE_CASH_KARP_6_4_5},
        {"ARKODE Fehlberg 8", run_explicit, ARKODE_FEHLBERG_13_7_8},
    };
    *count = sizeof list / sizeof *list;
    return list;
}
#else
const peer *peers_sundials(int *count)
{
    *count = 0;
    return 0;
}
#endif
