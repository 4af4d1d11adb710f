/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L /* pthread.h in C17 */

#include "ensemble/pool.h"

#include "base/status.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

typedef struct helper {
    nh_pool *pool;
    pthread_t thread;
    int number;
} helper;

struct nh_pool {
    pthread_mutex_t lock; /* for what follows, up to `next` */
    pthread_cond_t begin, end;
    long long job; /* number of the present one */
    int busy;      /* helpers that have not finished it */
    bool closing;
    nh_task *task;
    void *user;
    long long tasks;
    atomic_llong next;
    int helpers;
    helper *helper;
};

static void take_tasks(nh_pool *p, int worker)
{
    for (long long k = atomic_fetch_add(&p->next, 1); k < p->tasks; k = atomic_fetch_add(&p->next, 1))
        p->task(p->user, worker, k);
}

static void *help(void *user)
{
    const helper *self = user;
    nh_pool *p = self->pool;
    long long done = 0;
    pthread_mutex_lock(&p->lock);
    for (;;) {
        while (p->job == done && !p->closing)
            pthread_cond_wait(&p->begin, &p->lock);
        if (p->closing)
            break;
        done = p->job;
        pthread_mutex_unlock(&p->lock);
        take_tasks(p, self->number);
        pthread_mutex_lock(&p->lock);
        if (--p->busy == 0)
            pthread_cond_signal(&p->end);
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

void nh_pool_run(nh_pool *p, nh_task *task, void *user, long long tasks)
{
    pthread_mutex_lock(&p->lock);
    p->task = task;
    p->user = user;
    p->tasks = tasks;
    atomic_store(&p->next, 0);
    p->busy = p->helpers;
    p->job++;
    pthread_cond_broadcast(&p->begin);
    pthread_mutex_unlock(&p->lock);
    take_tasks(p, 0);
    pthread_mutex_lock(&p->lock);
    while (p->busy > 0)
        pthread_cond_wait(&p->end, &p->lock);
    pthread_mutex_unlock(&p->lock);
}

/* A thread inherits the signals that are held back. */
static void start_helpers(nh_pool *p, int count)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    for (int i = 0; i < count; i++) {
        p->helper[i] = (helper){.pool = p, .number = i + 1};
        if (pthread_create(&p->helper[i].thread, NULL, help, &p->helper[i]) != 0)
            break;
        p->helpers++;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

nh_status nh_pool_new(int threads, nh_pool **out, nh_error *error)
{
    nh_pool *p = *out = calloc(1, sizeof *p);
    if (p)
        p->helper = calloc((size_t)threads, sizeof *p->helper);
    if (!p || !p->helper) {
        free(p);
        *out = NULL;
        return nh_fail(error, NH_MEMORY, "out of memory");
    }
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->begin, NULL);
    pthread_cond_init(&p->end, NULL);
    start_helpers(p, threads - 1); /* fewer than wanted make it slower, not different */
    return NH_OK;
}

void nh_pool_free(nh_pool *p)
{
    if (!p)
        return;
    pthread_mutex_lock(&p->lock);
    p->closing = true;
    pthread_cond_broadcast(&p->begin);
    pthread_mutex_unlock(&p->lock);
    for (int i = 0; i < p->helpers; i++)
        pthread_join(p->helper[i].thread, NULL);
    pthread_mutex_destroy(&p->lock);
    pthread_cond_destroy(&p->begin);
    pthread_cond_destroy(&p->end);
    free(p->helper);
    free(p);
}
