/* SPDX-License-Identifier: MIT */
/* What `check` finds out about a model: a list of trials, each passed or failed, with the figure that decides. */
#ifndef NH_REPORT_TRIAL_H
#define NH_REPORT_TRIAL_H

#include "analysis/study.h"
#include "report/report.h"

typedef enum nh_outcome { NH_PASSED, NH_FAILED, NH_NOTED, NH_SKIPPED /* not looked at: also a note */ } nh_outcome;

typedef struct nh_trial {
    const char *name, *subject; /* "invariant", "turning"; subject "" if there is none */
    nh_outcome outcome;
    double figure; /* NaN if there is none */
    const char *text;
} nh_trial;

typedef struct nh_trials {
    const nh_report *r;
    nh_study study; /* points on the constraints */
    nh_trial *item; /* from malloc */
    size_t capacity, count;
    nh_quad *q, *v; /* consistent data that are proposed; NULL if none are */
    bool failed;    /* out of memory */
} nh_trials;

/* Errors above this fail: quad precision gives far smaller ones. */
#define NH_TRIAL_LIMIT 1e-12

/* Subject and name are kept, not copied. */
void nh_trial_add(nh_trials *t, const char *name, const char *subject, nh_outcome outcome, double figure,
                  const char *format, ...) __attribute__((format(printf, 6, 7)));
static inline nh_outcome nh_trial_outcome(double figure)
{
    return figure <= NH_TRIAL_LIMIT ? NH_PASSED : NH_FAILED; /* a NaN fails */
}

nh_status nh_trial_initial(nh_trials *t, nh_error *error);     /* finite, rank, regular, consistent */
nh_status nh_trial_derivatives(nh_trials *t, nh_error *error); /* against differences */
nh_status nh_trial_invariants(nh_trials *t, nh_error *error);
nh_status nh_trial_exact(nh_trials *t, nh_error *error);
void nh_trial_symmetries(nh_trials *t);

#endif
