/* SPDX-License-Identifier: MIT */
/* Ensembles that go on from a file. */
#include "sim/checkpoint.h"

#include "ensemble/ensemble.h"

#include <stdio.h>
#include <string.h>

static nh_status describe(const nh_ensemble *e, nh_checkpoint *c, nh_error *error)
{
    nh_status status = nh_checkpoint_describe(c, "ensemble", e->reader, error);
    c->members = e->plan.members;
    snprintf(c->start, sizeof c->start, "%s", e->start_hash);
    return status;
}

nh_status nh_ensemble_save(const nh_ensemble *e, const char *path, const long long mark[NH_MARKS], nh_error *error)
{
    nh_checkpoint c;
    nh_status status = describe(e, &c, error);
    c.step = e->step;
    c.seen = e->seen;
    c.nanoseconds = (long long)(1e9 * e->seconds);
    c.number = e->store;
    c.fate = e->fate;
    memcpy(c.mark, mark, sizeof c.mark);
    return status == NH_OK ? nh_checkpoint_write(&c, path, error) : status;
}

nh_status nh_ensemble_resume(nh_ensemble *e, const char *path, long long mark[NH_MARKS], nh_error *error)
{
    nh_checkpoint is, wanted;
    nh_text bytes = {0};
    nh_status status = describe(e, &wanted, error);
    if (status == NH_OK)
        status = nh_checkpoint_read(path, &wanted, &is, &bytes, error);
    if (status == NH_OK) {
        memcpy(e->store, is.number, (size_t)e->plan.members * e->bytes);
        memcpy(e->fate, is.fate, (size_t)e->plan.members);
        memset(e->is_ahead, 0, (size_t)e->plan.members * sizeof *e->is_ahead); /* they are at their last good states */
        e->step = is.step;
        e->seen = is.seen;
        e->shown = -1;
        e->seconds = 1e-9 * (double)is.nanoseconds;
        e->timed = is.step;
        memcpy(mark, is.mark, sizeof is.mark);
    }
    nh_text_free(&bytes);
    return status;
}
