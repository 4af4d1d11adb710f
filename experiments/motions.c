/* SPDX-License-Identifier: MIT */
/* Motions of a figure, shared out among threads. */
#define _POSIX_C_SOURCE 200809L /* pthread.h in C17 */

#include "experiments/experiment.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS_MAX = 64 };

typedef struct crowd {
    pthread_mutex_t lock; /* for all that follows, and for *x */
    experiment *x;
    experiment_motion *motions;
    int count, next;
    long long done, total;
    bool failed;
} crowd;

typedef struct place {
    crowd *crowd;
    experiment_motion *motion;
    long long reported;
} place;

/* ---- One motion ---- */

static int keep(const nh_sim *sim, void *user)
{
    experiment_motion *m = ((place *)user)->motion;
    const unsigned long k = m->count;
    if (k > (unsigned long)(m->steps / m->every)) /* a last state that is off the grid */
        return 0;
    nh_sim_get(sim, NH_SIM_TIME, &m->time[k]);
    nh_sim_get(sim, NH_SIM_ENERGY_ERROR, &m->error[k]);
    m->count = k + 1;
    return 0;
}

static int pulse(const nh_sim *sim, void *user)
{
    place *p = user;
    crowd *c = p->crowd;
    pthread_mutex_lock(&c->lock);
    c->done += nh_sim_step_count(sim) - p->reported;
    p->reported = nh_sim_step_count(sim);
    const experiment_options *options = &c->x->options;
    if (!c->failed && options->pulse && options->pulse(options->user, c->done, c->total))
        c->failed = c->x->stopped = true;
    const bool end = c->failed;
    pthread_mutex_unlock(&c->lock);
    return end;
}

static nh_status go(place *p, nh_model *model, nh_error *error)
{
    experiment_motion *m = p->motion;
    nh_sim *sim = NULL;
    nh_sim_options options = nh_sim_options_default();
    options.method = m->method;
    options.step = m->step;
    options.audit = m->audit_all ? 1 : m->every;
    nh_status status = nh_sim_new(model, &options, &sim, error);
    if (status == NH_OK) {
        nh_sim_set_pulse(sim, pulse, p);
        status = nh_sim_run(sim, m->steps, m->every, keep, p, error);
        pulse(sim, p);
        nh_sim_audit(sim, &m->audit);
        snprintf(m->backend, sizeof m->backend, "%s", m->audit.backend);
        m->audit.method = m->audit.backend = m->audit.note = m->audit.precision = "";
    }
    nh_sim_free(sim);
    return status;
}

/* A model is for one thread at a time, so that each motion has its own. */
static nh_status run(place *p, nh_error *error)
{
    experiment_motion *m = p->motion;
    nh_model *model = NULL;
    const size_t rows = (size_t)(m->steps / m->every) + 1;
    m->time = calloc(rows, sizeof *m->time);
    m->error = calloc(rows, sizeof *m->error);
    if (!m->time || !m->error) {
        *error = (nh_error){.status = NH_MEMORY};
        snprintf(error->message, sizeof error->message, "%s", nh_status_text(NH_MEMORY));
        return NH_MEMORY;
    }
    nh_status status = nh_model_load(m->model, &m->settings, &model, error);
    if (status == NH_OK)
        status = go(p, model, error);
    nh_model_free(model);
    return status;
}

/* ---- All of them ---- */

static experiment_motion *take(crowd *c)
{
    pthread_mutex_lock(&c->lock);
    experiment_motion *m = !c->failed && c->next < c->count ? &c->motions[c->next++] : NULL;
    pthread_mutex_unlock(&c->lock);
    return m;
}

static void fail(crowd *c, const nh_error *error)
{
    pthread_mutex_lock(&c->lock);
    if (!c->failed)
        c->x->error = *error;
    c->failed = true;
    pthread_mutex_unlock(&c->lock);
}

static void *work(void *user)
{
    crowd *c = user;
    for (experiment_motion *m = take(c); m; m = take(c)) {
        nh_error error = {0};
        place p = {.crowd = c, .motion = m};
        if (run(&p, &error) != NH_OK)
            fail(c, &error);
    }
    return NULL;
}

bool experiment_run_motions(experiment *x, experiment_motion *motions, int count)
{
    pthread_t threads[THREADS_MAX];
    int extra = 0;
    crowd c = {.lock = PTHREAD_MUTEX_INITIALIZER, .x = x, .motions = motions, .count = count};
    for (int i = 0; i < count; i++)
        c.total += motions[i].steps;
    while (extra + 1 < x->options.threads && extra + 1 < count && extra < THREADS_MAX &&
           pthread_create(&threads[extra], NULL, work, &c) == 0)
        extra++;
    work(&c);
    for (int i = 0; i < extra; i++)
        pthread_join(threads[i], NULL);
    pthread_mutex_destroy(&c.lock);
    return !c.failed;
}

void experiment_free_motions(experiment_motion *motions, int count)
{
    for (int i = 0; motions && i < count; i++) {
        free(motions[i].time);
        free(motions[i].error);
    }
}
