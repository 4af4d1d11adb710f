/* SPDX-License-Identifier: MIT */
/* The self-test of an export: steps that the library has made with the same numbers. */
#include "base/status.h"
#include "export/export.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* What differs by this much at the start … */
#define NUDGE 1e-8
/* … and rounding errors of so many units in the last place a step are allowed to grow alike. */
#define UNITS 64

static int numbers_of(const nh_exporter *e)
{
    return 2 * e->model->n + 2;
}

/* t, q, v and the energy. */
static void read_state(const nh_exporter *e, const nh_sim *sim, double *out)
{
    const int n = e->model->n;
    nh_sim_get(sim, NH_SIM_TIME, out);
    nh_sim_get(sim, NH_SIM_POSITION, out + 1);
    nh_sim_get(sim, NH_SIM_VELOCITY, out + 1 + n);
    nh_sim_get(sim, NH_SIM_ENERGY, out + 1 + 2 * n);
}

static nh_status step(nh_sim *sim, int steps, nh_error *error)
{
    return nh_sim_run(sim, steps, 0, NULL, NULL, error);
}

/* Steps as long as the first gear makes them; into scale how large each number has been. */
static nh_status make_steps(nh_exporter *e, double *scale, nh_error *error)
{
    read_state(e, e->sim, e->expected);
    nh_error why = {0};
    for (e->steps = 0; e->steps < NH_EXPORT_STEPS; e->steps++) {
        for (int i = 0; i < numbers_of(e); i++)
            scale[i] = fmax(scale[i], fabs(e->expected[i]));
        const nh_status status = step(e->sim, 1, &why);
        if (status != NH_OK || nh_numbers_get(e->sim->member, NH_AT_NEWTON) != 0)
            break;
        read_state(e, e->sim, e->expected);
    }
    if (e->steps > 0)
        return NH_OK;
    if (why.status != NH_OK)
        return nh_fail(error, why.status, "%s", why.message);
    return nh_fail(error, NH_CONVERGENCE,
                   "the first step needs the second gear, which is not exported; take a smaller --step");
}

/* The same steps by another simulation. If they differ for every number by `unit` at the start, or a step, it is of the
 * scale of what comes out. */
static void compare_steps(const nh_exporter *e, nh_sim *sim, double unit, double *after, double *scale)
{
    if (step(sim, e->steps, NULL) != NH_OK)
        return;
    read_state(e, sim, after);
    for (int i = 0; i < numbers_of(e); i++)
        scale[i] = fmax(scale[i], fabs(after[i] - e->expected[i]) / unit);
}

/* How much larger a small difference of the velocities is after the steps. */
static nh_status see_growth(nh_exporter *e, nh_arena *arena, double *after, double *scale, nh_error *error)
{
    const int n = e->model->n;
    nh_quad *v = NH_NEW(arena, nh_quad, n + 1);
    const nh_start start = e->sim->start;
    if (!v)
        return nh_fail(error, NH_MEMORY, "out of memory");
    for (int i = 0; i < n; i++)
        v[i] = start.v[i] * (1 + (nh_quad)NUDGE);
    e->sim->start.v = v;
    nh_sim_restart(e->sim, 0);
    compare_steps(e, e->sim, NUDGE, after, scale);
    e->sim->start = start;
    return NH_OK;
}

/* How large the rounding errors of double precision are: those of numbers that would be 0 tell of the terms that cancel
 * there. */
static nh_status see_rounding(const nh_exporter *e, double *after, double *scale, nh_error *error)
{
    nh_sim *quad = NULL;
    nh_sim_options options = e->options;
    options.precision = NH_PRECISION_QUAD;
    nh_status status = nh_sim_new(e->model, &options, &quad, error);
    if (status == NH_OK)
        compare_steps(e, quad, DBL_EPSILON * e->steps, after, scale);
    nh_sim_free(quad);
    return status;
}

/* What is nothing to doubles and quads beside others of its kind may be what cancels of them, and their rounding errors
 * to floats. */
static void raise_zeros(int count, double *scale)
{
    double most = 0;
    for (int i = 0; i < count; i++)
        most = fmax(most, scale[i]);
    for (int i = 0; i < count; i++)
        if (scale[i] < (double)FLT_EPSILON * most)
            scale[i] = most;
}

/* A float holds all numbers of the steps, a step leads on, and parameters are not rounded to 0. */
static nh_status check_range(const nh_exporter *e, const double *scale, nh_error *error)
{
    static const char *const names[] = {"time", "coordinate", "velocity", "energy"};
    const int n = e->model->n;
    const nh_start *start = &e->sim->start;
    const float t = (float)start->t, h = (float)start->h;
    const volatile float next = t + h; /* rounded, whatever registers have */
    if (next == t)
        return nh_fail(error, NH_VALUE, "at t = %.9g, a step of %.9g is lost in rounding to a float; use --double",
                       (double)t, (double)h);
    for (int i = 0; i < numbers_of(e); i++)
        if (!(scale[i] <= FLT_MAX))
            return nh_fail(error, NH_VALUE, "a float does not hold %s %.3g; use --double or other units",
                           names[i == 0       ? 0
                                 : i <= n     ? 1
                                 : i <= 2 * n ? 2
                                              : 3],
                           scale[i]);
    for (int i = 0; i < e->model->parameters; i++) {
        const double size = fabs((double)start->parameter[i]);
        if (size > FLT_MAX || (size > 0 && size < FLT_MIN))
            return nh_fail(error, NH_VALUE, "a float does not hold parameter %.3g; use --double or other units", size);
    }
    return NH_OK;
}

nh_status nh_export_expect(nh_exporter *e, nh_arena *arena, nh_error *error)
{
    const int count = numbers_of(e);
    const double epsilon = e->in_float ? (double)FLT_EPSILON : DBL_EPSILON;
    double *scale = NH_NEW(arena, double, count), *after = NH_NEW(arena, double, count);
    e->expected = NH_NEW(arena, double, count);
    e->allowed = NH_NEW(arena, double, count);
    if (arena->failed)
        return nh_fail(error, NH_MEMORY, "out of memory");
    nh_status status = make_steps(e, scale, error);
    if (status == NH_OK && e->in_float)
        status = check_range(e, scale, error);
    if (status != NH_OK || (e->exact && !e->in_float))
        return status;
    const double latest = fmax(scale[0], fabs(e->expected[0]));
    status = see_growth(e, arena, after, scale, error);
    if (status == NH_OK)
        status = see_rounding(e, after, scale, error);
    if (e->in_float) {
        raise_zeros(e->model->n, scale + 1);
        raise_zeros(e->model->n, scale + 1 + e->model->n);
    }
    for (int i = 0; i < count; i++)
        e->allowed[i] = UNITS * epsilon * e->steps * scale[i];
    e->allowed[0] = 4 * epsilon * latest; /* no sum of steps, but a product with their number */
    return status;
}

static void add_numbers(const char *name, const double *x, int count, nh_text *out)
{
    nh_text_add(out, "static const double %s[] = {\n", name);
    for (int i = 0; i < count; i++)
        nh_text_add(out, "    %a,\n", x[i]);
    nh_text_add(out, "};\n\n");
}

void nh_export_self_test(const nh_exporter *e, nh_text *out)
{
    const char *name = e->name, *number = e->number;
    const int n = e->model->n;
    nh_text_add(out,
                "\n#ifdef NONHOLO_SELF_TEST\n#include <stdio.h>\n\n"
                "/* t, q, v and the energy after %d steps, as the library has computed them in double. */\n",
                e->steps);
    add_numbers("nh_expected", e->expected, numbers_of(e), out);
    nh_text_add(out, "/* By how much each of them may differ. */\n");
    add_numbers("nh_allowed", e->allowed, numbers_of(e), out);
    nh_text_add(out,
                "/* From the initial data; 0 if nothing differs by more. */\n"
                "int main(void)\n"
                "{\n"
                "    %s_state state;\n"
                "    double largest = 0;\n"
                "    int good = 1;\n"
                "    %s_init(&state);\n"
                "    for (int i = 0; i < %d; i++)\n"
                "        if (%s_step(&state) != %s_good)\n"
                "            return printf(\"%s: step %%d has not converged\\n\", i + 1), 1;\n",
                name, name, e->steps, name, name, name);
    nh_text_add(out,
                "    for (int i = 0; i < %d; i++) {\n"
                "        const %s value = i == 0 ? state.t : i <= %d ? state.q[i - 1] : i <= %d ? state.v[i - %d] : "
                "%s_energy(&state);\n"
                "        const double difference = fabs((double)value - nh_expected[i]);\n"
                "        largest = difference > largest ? difference : largest;\n"
                "        good = good && difference <= nh_allowed[i];\n"
                "    }\n"
                "    printf(\"%s: %d steps, largest difference from the library %%.3g: %%s\\n\", largest, good ? "
                "\"good\" : \"BAD\");\n"
                "    return !good;\n"
                "}\n#endif\n",
                numbers_of(e), number, n, 2 * n, n + 1, name, name, e->steps);
}
