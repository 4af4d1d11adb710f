/* SPDX-License-Identifier: MIT */
/* How an ensemble went, for people and for programs. */
#include "base/json.h"
#include "base/status.h"
#include "ensemble/ensemble.h"
#include "sim/backend.h"

#include <math.h>
#include <stdio.h>

enum { MOST_TOLD = 1000, MOST_SHOWN = 10 }; /* failures */

/* What single runs tell in their audits: errors of the members that have not failed, the work for all of them. */
typedef struct summary {
    double energy_max, constraint_max, iterations, iterations_max;
    long long energy_member, constraint_member, steps, newton_steps, failures;
} summary;

/* Before it breaks down a motion may be anywhere: its errors would hide those of the others. */
static void add_errors(const nh_audit *a, long long member, summary *out)
{
    if (!(a->energy_max_error <= out->energy_max)) {
        out->energy_max = a->energy_max_error;
        out->energy_member = member;
    }
    if (!(a->constraint_max <= out->constraint_max)) {
        out->constraint_max = a->constraint_max;
        out->constraint_member = member;
    }
}

static void add_member(nh_ensemble *e, long long member, summary *out)
{
    nh_audit a;
    if (!nh_ensemble_member(e, member))
        return;
    nh_sim_look(e->reader); /* as the end of a run does */
    nh_sim_audit(e->reader, &a);
    if (e->fate[member] == NH_FATE_GOOD)
        add_errors(&a, member, out);
    out->iterations += a.iterations_mean * (double)a.steps;
    out->iterations_max = fmax(out->iterations_max, a.iterations_max);
    out->steps += a.steps;
    out->newton_steps += a.newton_steps;
}

static summary sum_up(nh_ensemble *e)
{
    summary s = {.energy_max = -1,
                 .constraint_max = -1,
                 .energy_member = -1,
                 .constraint_member = -1,
                 .failures = nh_ensemble_failures(e)};
    for (long long k = 0; k < e->plan.members; k++)
        add_member(e, k, &s);
    s.iterations = s.steps > 0 ? s.iterations / (double)s.steps : 0;
    return s;
}

static const char *backend(const nh_ensemble *e)
{
    return nh_stepper_native(e->worker[0].stepper) ? "native" : "tape";
}

/* ---- JSON ---- */

static void write_statistics(const nh_ensemble *e, nh_json *j)
{
    char key[32];
    nh_json_object(j, "quantities");
    for (int k = 0; k < e->quantities; k++) {
        const nh_statistics *s = nh_ensemble_statistics(e, k);
        nh_json_object(j, e->quantity[k]);
        nh_json_integer(j, "count", s->count);
        nh_json_number(j, "mean", s->mean);
        nh_json_number(j, "variance", s->variance);
        nh_json_number(j, "mean_square", s->mean_square);
        nh_json_number(j, "min", s->smallest);
        for (int i = 0; i < NH_QUANTILES; i++) {
            snprintf(key, sizeof key, "q%02.0f", 100 * nh_quantile_level(i));
            nh_json_number(j, key, s->quantile[i]);
        }
        nh_json_number(j, "max", s->largest);
        nh_json_end(j);
    }
    nh_json_end(j);
}

static void write_failures(nh_ensemble *e, nh_json *j, long long failures)
{
    nh_failure f;
    nh_json_array(j, "failures");
    for (long long k = 0; k < failures && k < MOST_TOLD; k++)
        if (nh_ensemble_failure(e, k, &f, NULL) == NH_OK) {
            nh_json_object(j, NULL);
            nh_json_integer(j, "member", f.member);
            nh_json_integer(j, "step", f.step);
            nh_json_number(j, "t", f.time);
            nh_json_text(j, "reason", f.reason);
            nh_text options = {0};
            nh_ensemble_add_options(e, f.member, &options);
            nh_json_text(j, "options", nh_text_get(&options));
            nh_text_drop(&options, j->out);
            nh_json_end(j);
        }
    nh_json_end(j);
}

static void write_members(const nh_ensemble *e, nh_json *j, const summary *s)
{
    nh_json_integer(j, "members", e->plan.members);
    nh_json_integer(j, "failed", s->failures);
    nh_json_integer(j, "seed", (long long)e->plan.seed);
    nh_json_integer(j, "projected", e->projected);
    nh_json_number(j, "moved", e->moved);
    nh_json_integer(j, "redrawn", e->redrawn);
    nh_json_integer(j, "threads", e->threads);
    nh_json_integer(j, "at_a_time", nh_window_at_a_time(e));
}

/* Of no member where all have failed. */
static void write_largest(nh_json *j, const char *key, const char *what, double value, long long member)
{
    nh_json_object(j, key);
    nh_json_number(j, what, member < 0 ? (double)NAN : value);
    if (member < 0)
        nh_json_null(j, "member");
    else
        nh_json_integer(j, "member", member);
    nh_json_end(j);
}

static void write_audit(nh_json *j, const summary *s)
{
    write_largest(j, "energy", "max_error", s->energy_max, s->energy_member);
    write_largest(j, "constraint", "max", s->constraint_max, s->constraint_member);
    nh_json_object(j, "solver");
    nh_json_number(j, "iterations_mean", s->iterations);
    nh_json_number(j, "iterations_max", s->iterations_max);
    nh_json_integer(j, "newton_steps", s->newton_steps);
    nh_json_end(j);
}

static void write_json(nh_ensemble *e, const summary *s, nh_text *out)
{
    nh_json j = {.out = out};
    nh_json_object(&j, NULL);
    nh_json_text(&j, "model", e->model->file);
    nh_json_text(&j, "title", e->model->name);
    nh_json_text(&j, "method", nh_stepper_choice(e->reader->stepper)->spelling);
    nh_json_text(&j, "backend", backend(e));
    if (e->note[0])
        nh_json_text(&j, "note", e->note);
    nh_json_text(&j, "precision", e->reader->member.quad ? "quad" : "double");
    write_members(e, &j, s);
    nh_json_number(&j, "step", (double)e->reader->start.h);
    nh_json_integer(&j, "steps", e->step);
    nh_json_number(&j, "t", nh_ensemble_time_of(e, e->step));
    write_audit(&j, s);
    nh_json_number(&j, "quantities_t", nh_ensemble_time(e));
    write_statistics(e, &j);
    write_failures(e, &j, s->failures);
    nh_json_number(&j, "seconds", e->seconds);
    nh_json_number(&j, "build_seconds", e->build_seconds);
    nh_json_end(&j);
}

/* ---- Text ---- */

/* A quantity may be no number where a member has not failed: the root of what is negative. */
static void add_statistics(const nh_ensemble *e, nh_text *out, long long members)
{
    char when[32];
    snprintf(when, sizeof when, "at t = %.6g", nh_ensemble_time(e));
    nh_text_add(out, "\n%-18s%12s%12s%12s%12s%12s%12s%12s\n", when, "mean", "deviation", "min", "q05", "median", "q95",
                "max");
    for (int k = 0; k < e->quantities; k++) {
        const nh_statistics *s = nh_ensemble_statistics(e, k);
        nh_text_add(out, "  %-16s%12.4g%12.4g%12.4g%12.4g%12.4g%12.4g%12.4g", e->quantity[k], s->mean,
                    sqrt(s->variance), s->smallest, s->quantile[0], s->quantile[2], s->quantile[4], s->largest);
        if (s->count < members)
            nh_text_add(out, "  over %lld of %lld members; of the others it is no number", s->count, members);
        nh_text_add(out, "\n");
    }
}

static void add_failures(nh_ensemble *e, nh_text *out, long long failures)
{
    nh_failure f;
    if (failures > 0)
        nh_text_add(out, "\nfailed; as a run with these options would\n");
    for (long long k = 0; k < failures && k < MOST_SHOWN; k++)
        if (nh_ensemble_failure(e, k, &f, NULL) == NH_OK) {
            nh_text_add(out, "  member %lld: %s\n    ", f.member, f.reason);
            nh_ensemble_add_options(e, f.member, out);
            nh_text_add(out, "\n");
        }
    if (failures > MOST_SHOWN)
        nh_text_add(out, "  and %lld others; --json tells more\n", failures - MOST_SHOWN);
}

static const char *number(double x, char buffer[32])
{
    snprintf(buffer, 32, "%.4g", x);
    return buffer;
}

static const char *whole(long long x, char buffer[32])
{
    snprintf(buffer, 32, "%lld", x);
    return buffer;
}

static void add_starts(const nh_ensemble *e, nh_text *out, const summary *s)
{
    char value[32];
    nh_text_row(out, "members", whole(e->plan.members, value), "%lld failed", s->failures);
    if (e->plan.randoms > 0 || e->plan.on_surface)
        nh_text_row(out, "seed", whole((long long)e->plan.seed, value), "of the draws");
    if (e->projected > 0)
        nh_text_row(out, "projected", whole(e->projected, value),
                    "members, in the metric of the kinetic energy; components moved by up to %.3g", e->moved);
    if (!e->plan.on_surface)
        return;
    nh_text_row(out, "energy surface", number((double)e->plan.energy, value),
                "of velocities, uniform in direction among those");
    nh_text_row(out, "", "", "that are allowed, in the metric of the kinetic energy");
    nh_text_row(out, "drawn again", whole(e->redrawn, value), "positions above this energy");
}

static void tell_errors(nh_text *out, const summary *s)
{
    char value[32];
    const char *without = s->failures > 0 ? "; without those that failed" : "";
    if (s->energy_member < 0)
        return;
    nh_text_row(out, "energy error", number(s->energy_max, value), "largest |E - E(0)|, of member %lld%s",
                s->energy_member, without);
    nh_text_row(out, "constraint", number(s->constraint_max, value), "largest residual of a constraint%s", without);
}

static void write_text(nh_ensemble *e, const summary *s, nh_text *out)
{
    char value[32], before[NH_BUILD_TEXT];
    const double h = (double)e->reader->start.h;
    nh_text_add(out, "%s, %s, %s, %s\n\n", e->model->name[0] ? e->model->name : e->model->file,
                nh_stepper_choice(e->reader->stepper)->spelling, backend(e),
                e->reader->member.quad ? "quad" : "double");
    if (e->note[0])
        nh_text_add(out, "note: %s\n\n", e->note);
    nh_text_row(out, "what", "value", "meaning");
    add_starts(e, out, s);
    nh_text_row(out, "steps", whole(e->step, value), "of h = %.9g, to t = %.9g", h, nh_ensemble_time_of(e, e->step));
    tell_errors(out, s);
    nh_text_row(out, "iterations", number(s->iterations, value), "per step on average; %.0f at most",
                s->iterations_max);
    if (s->newton_steps > 0)
        nh_text_row(out, "Newton steps", whole(s->newton_steps, value),
                    "of all members, that the second gear has made");
    snprintf(value, sizeof value, "%.4g s", e->seconds);
    nh_text_row(out, "time taken", value, "%.4g ns for a step of a member; %d thread%s, %d at a time%s",
                s->steps > 0 ? 1e9 * e->seconds / (double)s->steps : 0, e->threads, e->threads == 1 ? "" : "s",
                nh_window_at_a_time(e),
                nh_sim_build_text(nh_stepper_native(e->worker[0].stepper) != NULL, e->build_seconds, before));
    add_statistics(e, out, e->plan.members - s->failures);
    add_failures(e, out, s->failures);
}

nh_status nh_ensemble_report(nh_ensemble *e, nh_format format, char **out, nh_error *error)
{
    nh_text text = {0};
    *out = NULL;
    if (format != NH_FORMAT_TEXT && format != NH_FORMAT_JSON)
        return nh_fail(error, NH_USAGE, "an ensemble is reported as text or as JSON");
    const summary s = sum_up(e);
    if (format == NH_FORMAT_JSON)
        write_json(e, &s, &text);
    else
        write_text(e, &s, &text);
    return nh_text_hand_over(&text, NH_OK, out, error);
}
