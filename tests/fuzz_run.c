/* SPDX-License-Identifier: MIT */
/* Fuzz target: bytes 1 cut the input into a method, a step, and a text. The text is read as a triple of tableaux and as
 * a model; a small model that is accepted makes three steps of the method. What ends well has to be finite. */
#include "fuzz.h"

#include "language/value.h"
#include "method/method.h"
#include "method/spec.h"
#include "model/model.h"
#include "tableau/triple.h"

#include <math.h>
#include <nonholo/sim.h>

static const char fixed[] = "parameters a = 2, b = 1/3\ncoordinates x\nlagrangian a*x'^2/2 - b*x\n";

/* A spec that is read is written and read again. False: it is wrong, large, or names a file. */
static bool try_method(const char *text)
{
    enum { FEW = 5 };
    nh_arena arena = {0};
    nh_spec *spec = NULL, *again = NULL;
    nh_text spelling = {0};
    nh_choice choice = {0};
    bool good = nh_spec_parse(text, &arena, &spec, NULL) == NH_OK;
    if (good) {
        nh_spec_write(spec, &spelling);
        if (nh_spec_parse(nh_text_get(&spelling), &arena, &again, NULL) != NH_OK && spelling.length <= NH_SPEC_LENGTH)
            abort();
        good = strcmp(spec->name, "spark") != 0 && nh_method_choose(text, &arena, &choice, NULL) == NH_OK &&
               choice.stages <= FEW;
    }
    nh_text_free(&spelling);
    nh_arena_free(&arena);
    return good;
}

static bool try_step(const char *text)
{
    nh_model *m = NULL;
    nh_quad value;
    if (nh_model_parse(fixed, strlen(fixed), "fixed", NULL, &m, NULL) != NH_OK)
        abort();
    const bool good = nh_model_value(m, text, "--step", &value, NULL) == NH_OK;
    if (good && !(value - value == 0))
        abort();
    nh_model_free(m);
    return good;
}

static void try_triple(const char *text)
{
    nh_arena arena = {0};
    nh_triple triple;
    nh_split split[3];
    if (nh_triple_read(&arena, "fuzz", text, strlen(text), &triple, NULL) == NH_OK)
        (void)nh_triple_split(&arena, &triple, split, NULL);
    nh_arena_free(&arena);
}

static void run(const nh_model *m, const char *method, const char *step)
{
    enum { SMALL = 6 };
    nh_sim_options options = nh_sim_options_default();
    nh_sim *sim = NULL;
    nh_error error = {0};
    double q[SMALL];
    options.method = method;
    options.step = step;
    options.backend = NH_BACKEND_TAPE;
    options.project = 1;
    if (nh_sim_new(m, &options, &sim, &error) == NH_OK && nh_sim_run(sim, 3, 1, NULL, NULL, &error) == NH_OK) {
        nh_sim_get(sim, NH_SIM_POSITION, q);
        for (int i = 0; i < m->n; i++)
            if (!isfinite(q[i]))
                abort();
    } else if (!error.message[0]) {
        abort();
    }
    nh_sim_free(sim);
}

/* Without ranges, which may be long: they are for other targets. */
static void try_model(const char *text, const char *method, const char *step)
{
    enum { SMALL = 6, SMALL_GRAPH = 150 };
    nh_model *m = NULL;
    if (strstr(text, "..") || nh_model_parse(text, strlen(text), "fuzz", NULL, &m, NULL) != NH_OK)
        return;
    if (m->n <= SMALL && nh_graph_size(m->graph) <= SMALL_GRAPH)
        run(m, method, step);
    nh_model_free(m);
}

/* The part before the next byte 1; *rest is what follows. */
static char *cut(char **rest)
{
    char *part = *rest, *end = strchr(part, 1);
    *rest = end ? end + 1 : part + strlen(part);
    if (end)
        *end = '\0';
    return part;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    if (!text)
        return 0;
    char *rest = text;
    const char *method = cut(&rest), *step = cut(&rest);
    const bool known = try_method(method), positive = try_step(step);
    try_triple(rest);
    try_model(rest, known ? method : NULL, positive ? step : NULL);
    free(text);
    return 0;
}
