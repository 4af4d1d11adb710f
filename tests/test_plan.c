/* SPDX-License-Identifier: MIT */
/* Lists, grids and draws that tell no members: what is said about them. */
#include "ensembles.h"

static void refused(const char *list, const char *grid, const char *draw, nh_status expected, const char *message)
{
    nh_model *model = load_model("skate", NULL);
    nh_ensemble *e = NULL;
    nh_error error = {0};
    char name[64] = "", *equals;
    nh_setting setting = {name, NULL};
    nh_ensemble_options o = nh_ensemble_options_default();
    snprintf(name, sizeof name, "%s", list ? list : grid ? grid : "=");
    equals = strchr(name, '=');
    *equals = '\0';
    setting.expression = equals + 1;
    o.list = o.grid = &setting;
    o.lists = list != NULL;
    o.grids = grid != NULL;
    o.draw = &draw;
    o.draws = draw != NULL;
    CHECK_EQ_INT(nh_ensemble_new(model, &o, &e, &error), expected);
    if (!CHECK(strstr(error.message, message) != NULL))
        printf("    %s\n", error.message);
    nh_ensemble_free(e);
    nh_model_free(model);
}

TEST(wrong_options)
{
    refused("thta=1,2", NULL, NULL, NH_NAME, "did you mean 'theta'?");
    refused("m=1,,2", NULL, NULL, NH_SYNTAX, "");
    refused(NULL, "m=0:1", NULL, NH_USAGE, "FIRST:LAST:COUNT");
    refused(NULL, "m=0:1:1", NULL, NH_USAGE, "2 or more");
    refused(NULL, "m=0:1:2.5", NULL, NH_USAGE, "2 or more");
    refused("m=1,2", "m=0:1:2", NULL, NH_USAGE, "given twice");
    refused(NULL, NULL, "m=cauchy(0,1)", NH_SYNTAX, "uniform(LOW,HIGH)");
    refused(NULL, NULL, "m=uniform(1)", NH_SYNTAX, "uniform(LOW,HIGH)");
    refused(NULL, NULL, "m=uniform(2,1)", NH_VALUE, "wrong order");
    refused(NULL, NULL, "m=normal(2,-1)", NH_VALUE, "negative");
    refused(NULL, NULL, "enrgy(1)", NH_SYNTAX, "energy(E)");
    refused("x'=1,2", NULL, "energy(1)", NH_USAGE, "energy surface");
    refused(NULL, NULL, "energy(-1)", NH_MODEL, "below");
}

TEST_MAIN(RUN(wrong_options))
