/* SPDX-License-Identifier: MIT */
/* Classifications for tests. */
#ifndef NH_TESTS_CLASSIFY_H
#define NH_TESTS_CLASSIFY_H

#include "models.h"

#include "analysis/study.h"

#include <stdlib.h>

static inline nh_classification *classify(const nh_model *m)
{
    nh_classification *c = NULL;
    nh_error error;
    if (m && !CHECK_EQ_INT(nh_classify(m, &c, &error), NH_OK))
        printf("    %s: %s\n", m->file, error.message);
    return c;
}

static inline nh_classification *classify_text(const char *text)
{
    nh_model *m = parse_model(text);
    nh_classification *c = classify(m);
    for (int i = 0; c && i < c->constraints; i++) /* the model's texts end with the model */
        c->constraint[i].label = NULL;
    for (int i = 0; c && i < c->symmetries; i++)
        c->symmetry[i].name = NULL;
    nh_model_free(m);
    if (!c)
        exit(1); /* nothing of the test would make sense */
    return c;
}

/* "(2,3)", with what was not decided as "(2,3,...)"; "-" where it is not defined. */
static inline const char *growth_text(const nh_growth *g, char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, g->defined ? "(" : "-");
    for (int i = 0; g->defined && i < g->length; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%d", i ? "," : "", g->dimension[i]);
    if (g->defined)
        snprintf(text + used, size - used, "%s", g->complete ? ")" : ",...)");
    return text;
}

static inline void check_growth(const nh_growth *g, const char *want)
{
    char text[400];
    CHECK_STR(growth_text(g, text, sizeof text), want);
    CHECK(!g->defined || g->clear);
}

#endif
