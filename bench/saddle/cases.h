/* SPDX-License-Identifier: MIT */
/* The systems that our elimination and KLU are compared on. */
#ifndef NH_BENCH_CASES_H
#define NH_BENCH_CASES_H

#include <nonholo/model.h>

enum { SADDLE_CASES = 5, SADDLE_SIZES = 3 };

typedef struct saddle_case {
    const char *model, *text; /* text NULL: of the catalogue */
    const char *size;         /* its name */
    int value[SADDLE_SIZES];
} saddle_case;

extern const saddle_case saddle_cases[SADDLE_CASES];

nh_status saddle_case_load(const saddle_case *c, int size, nh_model **out, nh_error *error);

#endif
