/* SPDX-License-Identifier: MIT */
/* How a run went, for people and for programs. */
#include "base/json.h"
#include "base/status.h"
#include "sim/backend.h"

#include <math.h>
#include <stdio.h>

/* A line goes through any two states. */
static bool has_drift(const nh_audit *a)
{
    return a->audited >= 3;
}

/* ---- JSON ---- */

static void write_number(const nh_sim *s, nh_json *j, const char *key, nh_quad value)
{
    if (s->member.quad && value - value == 0)
        nh_json_quad(j, key, value);
    else
        nh_json_number(j, key, (double)value);
}

static void write_place(const nh_sim *s, nh_json *j, const char *key, int place)
{
    write_number(s, j, key, nh_numbers_get(s->member, place));
}

static void write_field(const nh_sim *s, nh_json *j, const char *key, nh_sim_field field)
{
    const nh_quad *value = nh_sim_read(s, field);
    nh_json_row(j, key);
    for (int i = 0; i < s->size[field]; i++)
        write_number(s, j, NULL, value[i]);
    nh_json_end(j);
}

static void write_kept(const nh_sim *s, nh_json *j, const char *key, nh_sim_field field, const nh_quad *first)
{
    const nh_quad *value = nh_sim_read(s, field);
    if (s->size[field] == 0)
        return;
    nh_json_object(j, key);
    for (int i = 0; i < s->size[field]; i++) {
        nh_json_object(j, s->name[field][i]);
        write_number(s, j, "initial", first[i]);
        write_number(s, j, "final", value[i]);
        nh_json_end(j);
    }
    nh_json_end(j);
}

static void write_energy(const nh_sim *s, nh_json *j, const nh_audit *a)
{
    nh_json_object(j, "energy");
    write_place(s, j, "initial", NH_AT_ENERGY);
    write_place(s, j, "final", NH_AT_ENERGY_LAST);
    write_place(s, j, "max_error", NH_AT_ENERGY_MAX);
    nh_json_number(j, "drift", has_drift(a) ? a->energy_drift : (double)NAN);
    nh_json_number(j, "drift_error", has_drift(a) ? a->energy_drift_error : (double)NAN);
    nh_json_end(j);
}

static void write_solver(nh_json *j, const nh_audit *a)
{
    nh_json_object(j, "solver");
    nh_json_number(j, "iterations_mean", a->iterations_mean);
    nh_json_number(j, "iterations_max", a->iterations_max);
    nh_json_integer(j, "newton_steps", a->newton_steps);
    nh_json_end(j);
}

static void write_json(const nh_sim *s, const nh_audit *a, const double *reversal, nh_text *out)
{
    nh_json j = {.out = out};
    nh_json_object(&j, NULL);
    nh_json_text(&j, "model", s->model->file);
    nh_json_text(&j, "title", s->model->name);
    nh_json_text(&j, "method", a->method);
    nh_json_text(&j, "backend", a->backend);
    if (a->note[0])
        nh_json_text(&j, "note", a->note);
    nh_json_text(&j, "precision", a->precision);
    write_place(s, &j, "step", NH_AT_STEP);
    nh_json_integer(&j, "steps", a->steps);
    nh_json_integer(&j, "audited", a->audited);
    write_number(s, &j, "t", nh_sim_time(s));
    write_field(s, &j, "q", NH_SIM_POSITION);
    write_field(s, &j, "v", NH_SIM_VELOCITY);
    write_field(s, &j, "multipliers", NH_SIM_MULTIPLIER);
    write_energy(s, &j, a);
    nh_json_object(&j, "constraint");
    write_place(s, &j, "max", NH_AT_CONSTRAINT_MAX);
    nh_json_end(&j);
    write_kept(s, &j, "invariants", NH_SIM_INVARIANT, s->first_invariant);
    write_kept(s, &j, "momenta", NH_SIM_MOMENTUM, s->first_momentum);
    write_solver(&j, a);
    if (reversal)
        nh_json_number(&j, "reversal", *reversal);
    nh_json_number(&j, "moved", a->moved);
    nh_json_number(&j, "seconds", a->seconds);
    nh_json_number(&j, "build_seconds", a->build_seconds);
    nh_json_end(&j);
}

/* ---- Text ---- */

static void add_figure(nh_text *out, const char *what, double value, const char *meaning)
{
    char text[32];
    snprintf(text, sizeof text, "%.4g", value);
    nh_text_row(out, what, text, "%s", meaning);
}

static void add_changes(const nh_sim *s, nh_text *out, nh_sim_field field, const nh_quad *first, const char *what)
{
    enum { MOST = 12 };
    const nh_quad *value = nh_sim_read(s, field);
    for (int i = 0; i < s->size[field] && i < MOST; i++) {
        char change[32];
        snprintf(change, sizeof change, "%.3g", (double)(value[i] - first[i]));
        nh_text_row(out, s->name[field][i], change, "change of the %s, from %.9g", what, (double)first[i]);
    }
}

static void add_energy(nh_text *out, const nh_audit *a)
{
    char text[32];
    snprintf(text, sizeof text, "%.9g", a->energy_final);
    nh_text_row(out, "energy", text, "at the end; %.9g at the start", a->energy_initial);
    add_figure(out, "energy error", a->energy_max_error, "largest |E - E(0)| of the states looked at");
    snprintf(text, sizeof text, "%.3g", a->energy_drift);
    if (has_drift(a))
        nh_text_row(out, "energy drift", text, "slope of E - E(0) per unit of time, +- %.2g", a->energy_drift_error);
}

static void add_cost(const nh_sim *s, nh_text *out, const nh_audit *a)
{
    char text[32], before[NH_BUILD_TEXT];
    snprintf(text, sizeof text, "%.3g", a->iterations_mean);
    nh_text_row(out, "iterations", text, "per step on average; %.0f at most", a->iterations_max);
    if (a->newton_steps > 0) {
        snprintf(text, sizeof text, "%lld", a->newton_steps);
        nh_text_row(out, "Newton steps", text, "steps that the simplified iteration could not make");
    }
    snprintf(text, sizeof text, "%.4g s", a->seconds);
    nh_text_row(out, "time taken", text, "%.4g ns for a step%s", a->steps > 0 ? 1e9 * a->seconds / (double)a->steps : 0,
                nh_sim_build_text(nh_stepper_native(s->stepper) != NULL, a->build_seconds, before));
}

static void write_text(const nh_sim *s, const nh_audit *a, const double *reversal, nh_text *out)
{
    char text[64];
    nh_text_add(out, "%s, %s, %s, %s\n\n", s->model->name[0] ? s->model->name : s->model->file, a->method, a->backend,
                a->precision);
    nh_text_row(out, "what", "value", "meaning");
    snprintf(text, sizeof text, "%lld", a->steps);
    nh_text_row(out, "steps", text, "of h = %.9g, to t = %.9g; %lld state%s looked at", a->step, a->time, a->audited,
                a->audited == 1 ? "" : "s");
    add_energy(out, a);
    if (s->size[NH_SIM_CONSTRAINT] > 0)
        add_figure(out, "constraint", a->constraint_max, "largest residual of a constraint");
    add_changes(s, out, NH_SIM_INVARIANT, s->first_invariant, "invariant");
    add_changes(s, out, NH_SIM_MOMENTUM, s->first_momentum, "momentum of this symmetry");
    if (reversal)
        add_figure(out, "reversal", *reversal, "distance from the start after going there and back");
    if (a->moved > 0)
        add_figure(out, "moved", a->moved, "how far initial data were moved onto the constraints");
    add_cost(s, out, a);
    if (a->note[0])
        nh_text_add(out, "\nnot native: %s\n", a->note);
}

nh_status nh_sim_report(const nh_sim *sim, nh_format format, const double *reversal, char **out, nh_error *error)
{
    nh_text text = {0};
    nh_audit audit;
    *out = NULL;
    nh_sim_audit(sim, &audit);
    if (format == NH_FORMAT_JSON)
        write_json(sim, &audit, reversal, &text);
    else
        write_text(sim, &audit, reversal, &text);
    return nh_text_hand_over(&text, NH_OK, out, error);
}
