/* SPDX-License-Identifier: MIT */
/* Simulations that go on from a file. */
#include "base/hash.h"
#include "base/status.h"
#include "expr/math.h"
#include "sim/checkpoint.h"
#include "sim/sim.h"

#include <nonholo/version.h>
#include <stdio.h>
#include <string.h>

/* Of the tapes as C: of all that the model computes, and of nothing else. */
static bool hash_functions(const nh_sim *s, char hex[33])
{
    nh_text text = {0};
    nh_program_emit(nh_stepper_program(s->stepper), 1, &text);
    nh_program_emit(s->view.program, 1, &text);
    const bool good = !text.failed;
    nh_hash_hex(nh_text_get(&text), text.length, hex);
    nh_text_free(&text);
    return good;
}

/* In doubles, three of which have all bits of any quad: its own bytes may have gaps. */
static void add_numbers(const nh_quad *x, int count, nh_text *out)
{
    for (int i = 0; i < count; i++) {
        const double high = (double)x[i], low = (double)(x[i] - (nh_quad)high);
        const double part[] = {high, low, (double)(x[i] - (nh_quad)high - (nh_quad)low)};
        nh_text_bytes(out, (const char *)part, sizeof part);
    }
}

/* Of the triple of a SPARK method; methods without one have no coefficients to choose. */
static bool hash_coefficients(const nh_sim *s, char hex[33])
{
    const nh_choice *choice = nh_stepper_choice(s->stepper);
    const nh_tableau *part[] = {&choice->triple.position, &choice->triple.force, &choice->triple.reaction};
    nh_text text = {0};
    for (int i = 0; i < 3 && choice->method->kernel == NH_KERNEL_SPARK; i++) {
        const int stages = part[i]->stages;
        add_numbers(part[i]->b, stages, &text);
        add_numbers(part[i]->c, stages, &text);
        add_numbers(part[i]->A, stages * stages, &text);
    }
    const bool good = !text.failed;
    nh_hash_hex(nh_text_get(&text), text.length, hex);
    nh_text_free(&text);
    return good;
}

static bool is_little(void)
{
    const int one = 1;
    return *(const char *)&one == 1;
}

nh_status nh_checkpoint_describe(nh_checkpoint *c, const char *kind, const nh_sim *s, nh_error *error)
{
    *c = (nh_checkpoint){.size = nh_stepper_size(s->stepper)};
    const char *number = !s->member.quad ? "binary64" : NH_QUAD_IS_FLOAT128 ? "binary128" : "long-double";
    snprintf(c->kind, sizeof c->kind, "%s", kind);
    snprintf(c->version, sizeof c->version, "%s", NH_VERSION_STRING);
    snprintf(c->model, sizeof c->model, "%.255s", s->model->file);
    snprintf(c->method, sizeof c->method, "%.255s", nh_stepper_choice(s->stepper)->spelling);
    snprintf(c->numbers, sizeof c->numbers, "%s %s", number, is_little() ? "little" : "big");
    const nh_gear *gear = nh_stepper_gear(s->stepper);
    const bool sparse = gear && nh_gear_is_sparse(gear);
    snprintf(c->arithmetic, sizeof c->arithmetic, "%s%s%s", nh_math_get()->name, sparse ? ", " : "",
             sparse ? nh_sparse_lu_name() : "");
    for (char *at = c->model; *at; at++)
        if (*at == '\n')
            *at = ' ';
    return hash_functions(s, c->functions) && hash_coefficients(s, c->coefficients)
               ? NH_OK
               : nh_fail(error, NH_MEMORY, "out of memory for a checkpoint");
}

static nh_status describe(const nh_sim *s, nh_checkpoint *c, nh_error *error)
{
    nh_status status = nh_checkpoint_describe(c, "run", s, error);
    c->members = 1;
    snprintf(c->start, sizeof c->start, "%s", s->start_hash);
    return status;
}

/* A run goes on through states that are not good as long as nobody looks, and back to the last good one if it ends
 * there: that is what it has to find again, from a good one. */
static nh_numbers good_member(const nh_sim *s)
{
    nh_numbers member = s->member;
    if (!nh_sim_good(s))
        member.data = s->kept;
    return member;
}

nh_status nh_sim_save(const nh_sim *sim, const char *path, const long long mark[NH_MARKS], nh_error *error)
{
    const unsigned char fate = 0;
    const nh_numbers member = good_member(sim);
    nh_checkpoint c;
    nh_status status = describe(sim, &c, error);
    c.step = (long long)nh_numbers_double(member, NH_AT_COUNT);
    c.first = sim->first;
    c.seen = sim->seen;
    c.nanoseconds = (long long)(1e9 * sim->seconds);
    c.number = member.data;
    c.fate = &fate;
    memcpy(c.mark, mark, sizeof c.mark);
    return status == NH_OK ? nh_checkpoint_write(&c, path, error) : status;
}

nh_status nh_sim_resume(nh_sim *sim, const char *path, long long mark[NH_MARKS], nh_error *error)
{
    nh_checkpoint is, wanted;
    nh_text bytes = {0};
    nh_status status = describe(sim, &wanted, error);
    if (status == NH_OK)
        status = nh_checkpoint_read(path, &wanted, &is, &bytes, error);
    if (status == NH_OK) {
        nh_sim_take(sim, is.number);
        sim->first = is.first;
        sim->seen = is.seen;
        sim->resumed = true;
        sim->seconds = 1e-9 * (double)is.nanoseconds;
        sim->timed = is.step;
        memcpy(mark, is.mark, sizeof is.mark);
    }
    nh_text_free(&bytes);
    return status;
}
