/* SPDX-License-Identifier: MIT */
/* Motions and ensembles of a figure, shared out among threads. */
#define _POSIX_C_SOURCE 200809L /* pthread.h in C17 */

#include "experiments/experiment.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS_MAX = 64 };

struct place;

typedef struct crowd {
    pthread_mutex_t lock; /* for all that follows, and for *x */
    experiment *x;
    experiment_motion *motions;     /* these, … */
    experiment_ensemble *ensembles; /* … or these */
    nh_status (*run)(struct place *p, int number, nh_error *error);
    int count, next;
    long long done, total;
    bool failed;
} crowd;

typedef struct place {
    crowd *crowd;
    experiment_motion *motion;
    experiment_ensemble *ensemble;
    long long reported;
} place;

/* So many steps of the present one are done; whether to stop. */
static bool report(place *p, long long steps)
{
    crowd *c = p->crowd;
    pthread_mutex_lock(&c->lock);
    c->done += steps - p->reported;
    p->reported = steps;
    const experiment_options *options = &c->x->options;
    if (!c->failed && options->pulse && options->pulse(options->user, c->done, c->total))
        c->failed = c->x->stopped = true;
    const bool end = c->failed;
    pthread_mutex_unlock(&c->lock);
    return end;
}

static nh_status out_of_memory(nh_error *error)
{
    *error = (nh_error){.status = NH_MEMORY};
    snprintf(error->message, sizeof error->message, "%s", nh_status_text(NH_MEMORY));
    return NH_MEMORY;
}

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
    return report(user, nh_sim_step_count(sim));
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
static nh_status run_motion(place *p, int number, nh_error *error)
{
    experiment_motion *m = p->motion = &p->crowd->motions[number];
    nh_model *model = NULL;
    const size_t rows = (size_t)(m->steps / m->every) + 1;
    m->time = calloc(rows, sizeof *m->time);
    m->error = calloc(rows, sizeof *m->error);
    if (!m->time || !m->error)
        return out_of_memory(error);
    nh_status status = nh_model_load(m->model, &m->settings, &model, error);
    if (status == NH_OK)
        status = go(p, model, error);
    nh_model_free(model);
    return status;
}

/* ---- One ensemble ---- */

static int keep_all(nh_ensemble *e, void *user)
{
    experiment_ensemble *m = ((place *)user)->ensemble;
    if (m->count == m->rows) /* a last state that is off the grid */
        return 0;
    m->time[m->count] = nh_ensemble_time(e);
    memcpy(m->error + m->count * (size_t)m->members, nh_ensemble_values(e, 0), (size_t)m->members * sizeof *m->error);
    m->count++;
    return 0;
}

static int pulse_all(nh_ensemble *e, void *user)
{
    return report(user, nh_ensemble_steps(e) * nh_ensemble_members(e));
}

static bool take_room(experiment_ensemble *m)
{
    m->rows = (unsigned long)(m->steps / m->every) + 1;
    m->time = calloc(m->rows, sizeof *m->time);
    m->error = calloc(m->rows * (size_t)m->members, sizeof *m->error);
    m->energy = calloc((size_t)m->members, sizeof *m->energy);
    return m->time && m->error && m->energy;
}

static nh_status check_members(nh_ensemble *e, experiment_ensemble *m, nh_error *error)
{
    nh_failure failure;
    for (long long k = 0; k < m->members; k++) {
        nh_audit audit;
        const nh_sim *sim = nh_ensemble_member(e, k);
        if (sim)
            nh_sim_audit(sim, &audit);
        m->energy[k] = sim ? audit.energy_initial : (double)NAN;
    }
    if (nh_ensemble_failures(e) == 0)
        return NH_OK;
    nh_ensemble_failure(e, 0, &failure, error);
    *error = (nh_error){.status = NH_CONVERGENCE};
    snprintf(error->message, sizeof error->message, "member %lld: %.480s", failure.member, failure.reason);
    return NH_CONVERGENCE;
}

static nh_status go_all(place *p, nh_model *model, nh_error *error)
{
    experiment_ensemble *m = p->ensemble;
    nh_ensemble *e = NULL;
    nh_ensemble_options options = nh_ensemble_options_default();
    options.sim.method = m->method;
    options.sim.step = m->step;
    options.sim.audit = m->every;
    options.list = &m->list;
    options.lists = 1;
    nh_status status = nh_ensemble_new(model, &options, &e, error);
    if (status == NH_OK) {
        m->members = nh_ensemble_members(e);
        status = take_room(m) ? NH_OK : out_of_memory(error);
    }
    if (status == NH_OK) {
        nh_ensemble_set_pulse(e, pulse_all, p);
        status = nh_ensemble_run(e, m->steps, m->every, 0, keep_all, p, error);
    }
    if (status == NH_OK)
        status = check_members(e, m, error);
    nh_ensemble_free(e);
    return status;
}

static nh_status run_ensemble(place *p, int number, nh_error *error)
{
    experiment_ensemble *m = p->ensemble = &p->crowd->ensembles[number];
    nh_model *model = NULL;
    nh_status status = nh_model_load(m->model, &m->settings, &model, error);
    if (status == NH_OK)
        status = go_all(p, model, error);
    nh_model_free(model);
    return status;
}

/* ---- All of them ---- */

/* The number of the next one; -1: there is none. */
static int take(crowd *c)
{
    pthread_mutex_lock(&c->lock);
    const int number = !c->failed && c->next < c->count ? c->next++ : -1;
    pthread_mutex_unlock(&c->lock);
    return number;
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
    for (int number = take(c); number >= 0; number = take(c)) {
        nh_error error = {0};
        place p = {.crowd = c};
        if (c->run(&p, number, &error) != NH_OK)
            fail(c, &error);
    }
    return NULL;
}

static bool share_out(crowd *c)
{
    pthread_t threads[THREADS_MAX];
    int extra = 0;
    pthread_mutex_init(&c->lock, NULL);
    while (extra + 1 < c->x->options.threads && extra + 1 < c->count && extra < THREADS_MAX &&
           pthread_create(&threads[extra], NULL, work, c) == 0)
        extra++;
    work(c);
    for (int i = 0; i < extra; i++)
        pthread_join(threads[i], NULL);
    pthread_mutex_destroy(&c->lock);
    return !c->failed;
}

bool experiment_run_motions(experiment *x, experiment_motion *motions, int count)
{
    crowd c = {.x = x, .motions = motions, .run = run_motion, .count = count};
    for (int i = 0; i < count; i++)
        c.total += motions[i].steps;
    return share_out(&c);
}

bool experiment_run_ensembles(experiment *x, experiment_ensemble *ensembles, int count)
{
    crowd c = {.x = x, .ensembles = ensembles, .run = run_ensemble, .count = count};
    for (int i = 0; i < count; i++)
        c.total += ensembles[i].steps * ensembles[i].members;
    return share_out(&c);
}

void experiment_free_ensembles(experiment_ensemble *ensembles, int count)
{
    for (int i = 0; ensembles && i < count; i++) {
        free(ensembles[i].time);
        free(ensembles[i].error);
        free(ensembles[i].energy);
    }
}

void experiment_free_motions(experiment_motion *motions, int count)
{
    for (int i = 0; motions && i < count; i++) {
        free(motions[i].time);
        free(motions[i].error);
    }
}
