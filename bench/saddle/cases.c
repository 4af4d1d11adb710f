/* SPDX-License-Identifier: MIT */
#include "saddle/cases.h"

#include <stdio.h>
#include <string.h>

/* The models of the catalogue have constraints in chains, which any order eliminates well. These two have not. */
static const char net[] =
    "name        Net of skates\n"
    "about       n nodes on a helix, k a turn, joined by springs; under every cell of four nodes\n"
    "            a skate, which moves as the mean of them.\n"
    "sizes       k = 10, n = k*k, c = n - k - 1\n"
    "coordinates x[1..n], y[1..n], theta[1..c]\n"
    "lagrangian  sum(x[i]'^2 + y[i]'^2 for i = 1..n)/2 + sum(theta[i]'^2 for i = 1..c)/2\n"
    "            - sum((x[i+1] - x[i])^2 + (y[i+k] - y[i])^2 for i = 1..n-k)/2\n"
    "constraint  cos(theta[i])*(y[i]' + y[i+1]' + y[i+k]' + y[i+k+1]')\n"
    "            - sin(theta[i])*(x[i]' + x[i+1]' + x[i+k]' + x[i+k+1]') = 0 for i = 1..c\n"
    "initial     theta[i] = i for i = 1..c\n";
const saddle_case saddle_cases[SADDLE_CASES] = {
    {"mp-particles", NULL, "m", {50, 500, 5000}},  {"skate-chain", NULL, "n", {10, 100, 1000}},
    {"trailer-train", NULL, "k", {10, 100, 1000}}, {"net of skates", net, "k", {10, 30, 60}},
    {"skate-beam", NULL, "n", {10, 100, 1000}},
};

nh_status saddle_case_load(const saddle_case *c, int size, nh_model **out, nh_error *error)
{
    char number[16];
    snprintf(number, sizeof number, "%d", size);
    const nh_setting set[] = {{c->size, number}};
    const nh_model_options options = {.set = set, .set_count = 1};
    return c->text ? nh_model_parse(c->text, strlen(c->text), c->model, &options, out, error)
                   : nh_model_load(c->model, &options, out, error);
}
