/* SPDX-License-Identifier: MIT */
/* The self-test of an export: steps that the library has made with the same numbers. */
#include "base/status.h"
#include "export/export.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { STEPS = 100 };

/* What differs by this much at the start … */
#define NUDGE 1e-8
/* … and rounding errors of so many units in the last place a step are allowed to grow alike. */
#define UNITS 64

static void read_state(const nh_exporter *e, double *out)
{
    const int n = e->model->n;
    nh_sim_get(e->sim, NH_SIM_TIME, out);
    nh_sim_get(e->sim, NH_SIM_POSITION, out + 1);
    nh_sim_get(e->sim, NH_SIM_VELOCITY, out + 1 + n);
    nh_sim_get(e->sim, NH_SIM_ENERGY, out + 1 + 2 * n);
}

static nh_status step(nh_exporter *e, int steps, nh_error *error)
{
    return nh_sim_run(e->sim, steps, 0, NULL, NULL, error);
}

/* Steps as long as the first gear makes them. */
static nh_status make_steps(nh_exporter *e, nh_error *error)
{
    for (e->steps = 0; e->steps < STEPS; e->steps++) {
        nh_error why = {0};
        const nh_status status = step(e, 1, &why);
        if (status != NH_OK || nh_numbers_get(e->sim->member, NH_AT_NEWTON) != 0)
            break;
        read_state(e, e->expected);
    }
    return e->steps > 0 ? NH_OK
                        : nh_fail(error, NH_CONVERGENCE,
                                  "the first step needs the second gear, which is not exported; take a smaller --step");
}

/* How much larger a small difference of the velocities is after the steps. */
static double growth(nh_exporter *e, nh_arena *arena, nh_error *error)
{
    const int n = e->model->n;
    nh_quad *v = NH_NEW(arena, nh_quad, n);
    double *after = NH_NEW(arena, double, 2 * n + 2), largest = 1;
    const nh_start start = e->sim->start;
    if (!v || !after)
        return largest;
    for (int i = 0; i < n; i++)
        v[i] = start.v[i] * (1 + (nh_quad)NUDGE);
    e->sim->start.v = v;
    nh_sim_restart(e->sim, 0);
    if (step(e, e->steps, error) == NH_OK) {
        read_state(e, after);
        for (int i = 0; i < 2 * n + 2; i++)
            largest = fmax(largest, fmax(fabs(after[i] - e->expected[i]) / NUDGE, fabs(e->expected[i])));
    }
    e->sim->start = start;
    return largest;
}

nh_status nh_export_expect(nh_exporter *e, nh_arena *arena, nh_error *error)
{
    e->expected = NH_NEW(arena, double, 2 * e->model->n + 2);
    if (!e->expected)
        return nh_fail(error, NH_MEMORY, "out of memory");
    nh_status status = make_steps(e, error);
    if (status != NH_OK || (e->exact && !e->in_float))
        return status;
    nh_error ignored = {0};
    e->tolerance = UNITS * (e->in_float ? (double)FLT_EPSILON : DBL_EPSILON) * e->steps * growth(e, arena, &ignored);
    return NH_OK;
}

void nh_export_self_test(const nh_exporter *e, nh_text *out)
{
    const char *name = e->name, *number = e->number;
    const int n = e->model->n;
    nh_text_add(out,
                "\n#ifdef NONHOLO_SELF_TEST\n#include <stdio.h>\n\n"
                "/* t, q, v and the energy after %d steps, as the library has computed them in double. */\n"
                "static const double nh_expected[] = {\n",
                e->steps);
    for (int i = 0; i < 2 * n + 2; i++)
        nh_text_add(out, "    %a,\n", e->expected[i]);
    nh_text_add(out,
                "};\n\n"
                "/* From the initial data; 0 if the largest difference is at most %.3g. */\n"
                "int main(void)\n"
                "{\n"
                "    %s_state state;\n"
                "    double largest = 0;\n"
                "    int good = 1;\n"
                "    %s_init(&state);\n"
                "    for (int i = 0; i < %d; i++)\n"
                "        if (%s_step(&state) != %s_good)\n"
                "            return printf(\"%s: step %%d has not converged\\n\", i + 1), 1;\n",
                e->tolerance, name, name, e->steps, name, name, name);
    nh_text_add(out,
                "    for (int i = 0; i < %d; i++) {\n"
                "        const %s value = i == 0 ? state.t : i <= %d ? state.q[i - 1] : i <= %d ? state.v[i - %d] : "
                "%s_energy(&state);\n"
                "        const double difference = fabs((double)value - nh_expected[i]);\n"
                "        largest = difference > largest ? difference : largest;\n"
                "        good = good && difference <= %a;\n"
                "    }\n"
                "    printf(\"%s: %d steps, largest difference from the library %%.3g: %%s\\n\", largest, good ? "
                "\"good\" : \"BAD\");\n"
                "    return !good;\n"
                "}\n#endif\n",
                2 * n + 2, number, n, 2 * n, n + 1, name, e->tolerance, name, e->steps);
}
