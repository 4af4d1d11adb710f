/* SPDX-License-Identifier: MIT */
/* Lists, grids and draws that tell no members: what is said about them. */
#include "ensembles.h"

/* NAME=EXPRESSION, cut in `room`. */
static nh_setting setting_of(const char *text, char room[64])
{
    snprintf(room, 64, "%s", text ? text : "=");
    char *equals = strchr(room, '=');
    *equals = '\0';
    return (nh_setting){room, equals + 1};
}

static void refused(const char *list, const char *grid, const char *draw, nh_status expected, const char *message)
{
    nh_model *model = load_model("skate", NULL);
    nh_ensemble *e = NULL;
    nh_error error = {0};
    char first[64], second[64];
    const nh_setting of_list = setting_of(list, first), of_grid = setting_of(grid, second);
    nh_ensemble_options o = nh_ensemble_options_default();
    o.list = &of_list;
    o.lists = list != NULL;
    o.grid = &of_grid;
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

/* A member's own value of a parameter is not known where values are read. */
TEST(values_that_follow_members)
{
    refused("m=1,2*I", "I=1:2:2", NULL, NH_USAGE, "--list: '2*I' depends on I, of which each member has its own");
    refused("m=1,2", "x=0:m:3", NULL, NH_USAGE, "--grid: 'm' depends on m");
    refused("m=3", NULL, "energy(5*m)", NH_USAGE, "--draw: '5*m' depends on m");
    refused(NULL, NULL, "m=normal(m,1)", NH_USAGE, "--draw: 'm' depends on m");
}

/* Points are what is typed in for them, to the last bit of a quad. */
static void check_grid(const char *points, const char *typed)
{
    nh_model *model = load_model("skate", NULL);
    const nh_setting grid = {"x", points}, list = {"x", typed};
    nh_ensemble_options o = nh_ensemble_options_default();
    o.grid = &grid;
    o.grids = 1;
    nh_ensemble *a = make_ensemble(model, &o);
    o = nh_ensemble_options_default();
    o.list = &list;
    o.lists = 1;
    nh_ensemble *b = make_ensemble(model, &o);
    if (a && b && CHECK_EQ_INT(nh_ensemble_members(a), nh_ensemble_members(b)))
        for (int i = 0; i < nh_ensemble_members(a); i++)
            if (!CHECK(a->plan.axis[0].value[i] == b->plan.axis[0].value[i]))
                printf("    point %d of %s: %.17g\n", i, points, (double)a->plan.axis[0].value[i]);
    nh_ensemble_free(a);
    nh_ensemble_free(b);
    nh_model_free(model);
}

TEST(grids)
{
    check_grid("-0.1:0.2:4", "-0.1, 0, 0.1, 0.2");
    check_grid("-0.1:0.3:5", "-0.1, 0, 0.1, 0.2, 0.3");
    check_grid(" 0.1 : 0.7 : 7", "0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7");
    check_grid("1/3:-1e-3:3", "1/3, 997/6000, -0.001");
    check_grid("0.3:-0.6:4", "0.3, 0, -0.3, -0.6");
    check_grid("-pi/7:2*pi/7:4", "-pi/7, 0, pi/7, 2*pi/7");
    check_grid("-sqrt(2)/3:sqrt(2):5", "-sqrt(2)/3, 0, sqrt(2)/3, 2*sqrt(2)/3, sqrt(2)");
    check_grid("-1e300:1e300:3", "-1e300, 0, 1e300");
}

TEST_MAIN(RUN(wrong_options), RUN(grids), RUN(values_that_follow_members))
