/* SPDX-License-Identifier: MIT */
/* Fuzz target: any bytes as a model text, and what follows from a small model that is accepted.
 * A byte 1 ends the text; name=expression after it is a setting, after a second one an initial value. */
#include "fuzz.h"

#include "expr/program.h"
#include "model/model.h"

/* Splits name=expression in place. */
static int read_setting(char *text, nh_setting *setting)
{
    char *equals = text ? strchr(text, '=') : NULL;
    if (!equals)
        return 0;
    *equals = '\0';
    *setting = (nh_setting){.name = text, .expression = equals + 1};
    return 1;
}

/* Are all loops short? */
static bool is_quick(const nh_model *m, nh_expr e)
{
    enum { SHORT = 12, SHALLOW = 3 };
    uint32_t length;
    nh_expr *list = nh_reachable(m->graph, &e, 1, &length);
    bool quick = list && nh_get(m->graph, e).height <= SHALLOW;
    for (uint32_t i = 0; quick && i < length; i++) {
        nh_node n = nh_get(m->graph, list[i]);
        if (n.op != NH_SUM && n.op != NH_PROD)
            continue;
        nh_affine count = nh_get_affine(m->graph, list[i]);
        quick = count.constant <= SHORT;
        for (int k = 0; k < count.terms; k++)
            quick = quick && count.term[k].factor <= 1;
    }
    free(list);
    return quick;
}

/* Runs the tape of an expression: reads outside of the vectors would be found. */
static void run(const nh_model *m, nh_expr e)
{
    nh_field field = {.rows = 1, .columns = 1};
    nh_layout layout = NH_DENSE;
    nh_program *program = NULL;
    if (is_quick(m, e) && nh_field_set(&field, 0, 0, e) &&
        nh_program_new(m->graph, &field, &layout, 1, m->parameters, &program, NULL) == NH_OK) {
        double *q = calloc((size_t)m->n, sizeof *q), *v = calloc((size_t)m->n, sizeof *v), t = 0, y;
        double *p = malloc((size_t)m->parameters * sizeof *p), *z = malloc((size_t)m->algebraic * sizeof *z);
        double *c = calloc((size_t)nh_program_constants(program) + 1, sizeof *c);
        double *work = calloc(nh_program_work(program) + 1, sizeof *work);
        const double *x[NH_SPACES] = {[NH_TIME] = &t, [NH_PARAMETER] = p, [NH_Q] = q, [NH_V] = v, [NH_LAMBDA] = z};
        for (int i = 0; i < m->parameters; i++)
            p[i] = i;
        for (int i = 0; i < m->algebraic; i++)
            z[i] = i;
        nh_tape_prepare_1(program, work);
        nh_tape_run_1(program, 0, NULL, x, c, work);
        nh_tape_run_1(program, 1, c, x, &y, work);
        free(q);
        free(v);
        free(p);
        free(z);
        free(c);
        free(work);
    }
    nh_program_free(program);
    nh_field_free(&field);
}

static void ask(const nh_model *m)
{
    enum { SMALL = 40, SMALL_GRAPH = 400 };
    if (m->n > SMALL || m->parameters > SMALL || nh_graph_size(m->graph) > SMALL_GRAPH)
        return;
    nh_field field;
    if (nh_model_constraint_field(m, &field, NULL) == NH_OK)
        nh_field_free(&field);
    if (nh_model_holonomic_field(m, &field, NULL) == NH_OK)
        nh_field_free(&field);
    nh_spelling spelling = nh_model_spelling(m, false);
    nh_text text = {0};
    for (int i = 0; i < m->n; i++)
        nh_model_component_name(m, m->kind == NH_LAGRANGIAN ? NH_V : NH_Q, i, i % 2, &text);
    nh_expr energy = nh_model_energy(m);
    if (energy)
        nh_print(m->graph, energy, &spelling, &text);
    nh_text_free(&text);
    for (int i = 0; i < m->observables; i++)
        run(m, m->observable[i].value);
    if (m->lagrangian)
        run(m, m->lagrangian);
    if (energy)
        run(m, energy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    if (!text)
        return 0;
    char *set = memchr(text, 1, size), *initial = set ? strchr(set + 1, 1) : NULL;
    unsigned long length = set ? (unsigned long)(set - text) : size;
    if (initial)
        *initial = '\0';

    nh_setting settings[2];
    nh_model_options options = {.set = &settings[0], .initial = &settings[1]};
    options.set_count = read_setting(set ? set + 1 : NULL, &settings[0]);
    options.initial_count = read_setting(initial ? initial + 1 : NULL, &settings[1]);

    nh_model *model;
    nh_error error;
    nh_status status = nh_model_parse(text, length, "fuzz", &options, &model, &error);
    if ((status == NH_OK) != (model != NULL) || (status && (error.status != status || !error.message[0])))
        abort();
    if (model)
        ask(model);
    nh_model_free(model);
    free(text);
    return 0;
}
