/* SPDX-License-Identifier: MIT */
/* Threads that wait for work. A job is a number of tasks, which the threads take one by one. */
#ifndef NH_ENSEMBLE_POOL_H
#define NH_ENSEMBLE_POOL_H

#include <nonholo/status.h>

typedef struct nh_pool nh_pool;

/* `worker` is the number of the thread, from 0: no two tasks of one worker run at the same time. */
typedef void nh_task(void *user, int worker, long long task);

/* The caller is one of the threads. Signals are left to it. */
nh_status nh_pool_new(int threads, nh_pool **out, nh_error *error);
void nh_pool_free(nh_pool *pool);
/* Returns when all tasks are done. */
void nh_pool_run(nh_pool *pool, nh_task *task, void *user, long long tasks);

#endif
