/* SPDX-License-Identifier: MIT */
#include "clock.h"
#include "peers/peer.h"

#ifdef NH_HAVE_SUNDIALS
#include <arkode/arkode_erkstep.h>
#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <string.h>
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
    const peer_problem *p = user;
    return p->rates(t, NV_DATA_S(y), NV_DATA_S(rate), NULL);
}

static N_Vector start(peer_run *run, SUNContext context)
{
    const int size = 2 * peer_problems[run->problem].n;
    N_Vector y = N_VNew_Serial(size, context);
    peer_start(run);
    memcpy(NV_DATA_S(y), run->y, (size_t)size * sizeof *run->y);
    return y;
}

static void keep(peer_run *run, N_Vector y)
{
    memcpy(run->y, NV_DATA_S(y), (size_t)NV_LENGTH_S(y) * sizeof *run->y);
}

static bool run_adams(int choice, peer_run *run)
{
    SUNContext context = make_context();
    N_Vector y = start(run, context);
    void *memory = CVodeCreate(CV_ADAMS, context);
    SUNNonlinearSolver solver = SUNNonlinSol_FixedPoint(y, 0, context);
    double t = 0;
    int flag = 0;
    (void)choice;
#if SUNDIALS_VERSION_MAJOR < 7
    CVodeSetErrHandlerFn(memory, say_nothing, NULL);
#endif
    CVodeInit(memory, rates, 0, y);
    CVodeSetUserData(memory, (void *)&peer_problems[run->problem]);
    CVodeSStolerances(memory, run->tolerance, run->tolerance);
    CVodeSetMaxNumSteps(memory, MOST_STEPS);
    CVodeSetNonlinearSolver(memory, solver);
    CVodeSetStopTime(memory, run->time);
    const double begin = clock_seconds();
    while (flag >= 0 && t < run->time * (1 - 1e-14)) {
        flag = CVode(memory, run->time, y, &t, run->look ? ONE_STEP : TO_THE_END);
        peer_look(run, NV_DATA_S(y));
    }
    run->seconds = clock_seconds() - begin;
    keep(run, y);
    CVodeFree(&memory);
    SUNNonlinSolFree(solver);
    N_VDestroy(y);
    SUNContext_Free(&context);
    return flag >= 0;
}

static bool run_explicit(int choice, peer_run *run)
{
    SUNContext context = make_context();
    N_Vector y = start(run, context);
    double t = 0;
    int flag = 0;
    void *memory = ERKStepCreate(rates, 0, y, context);
#if SUNDIALS_VERSION_MAJOR < 7
    ERKStepSetErrHandlerFn(memory, say_nothing, NULL);
#endif
    ERKStepSetUserData(memory, (void *)&peer_problems[run->problem]);
    ERKStepSStolerances(memory, run->tolerance, run->tolerance);
    ERKStepSetMaxNumSteps(memory, MOST_STEPS);
    ERKStepSetTableNum(memory, (ARKODE_ERKTableID)choice);
    ERKStepSetStopTime(memory, run->time);
    const double begin = clock_seconds();
    while (flag >= 0 && t < run->time * (1 - 1e-14)) {
        flag = ERKStepEvolve(memory, run->time, y, &t, run->look ? ONE_STEP : TO_THE_END);
        peer_look(run, NV_DATA_S(y));
    }
    run->seconds = clock_seconds() - begin;
    keep(run, y);
    ERKStepFree(&memory);
    N_VDestroy(y);
    SUNContext_Free(&context);
    return flag >= 0;
}

const peer *peers_sundials(int *count)
{
    static const peer list[] = {
        {"CVODE Adams", run_adams, 0, PEER_ALL},
        {"ARKODE Cash-Karp 5", run_explicit, ARKODE_CASH_KARP_6_4_5, PEER_ALL},
        {"ARKODE Fehlberg 8", run_explicit, ARKODE_FEHLBERG_13_7_8, PEER_ALL},
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
