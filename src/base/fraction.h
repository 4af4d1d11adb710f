/* SPDX-License-Identifier: MIT */
/* Numbers as people give them outside of expressions: 2, -0.5, .5, 1.5e-3, 1/3. */
#ifndef NH_BASE_FRACTION_H
#define NH_BASE_FRACTION_H

#include "base/number.h"

typedef struct nh_fraction {
    bool negative;
    nh_number top, bottom; /* may refer to the text, see nh_number_parse; bottom is 1 if none is written */
} nh_fraction;

/* Is the whole text such a number? What follows it must not read as its continuation. */
bool nh_fraction_parse(const char *text, size_t length, nh_fraction *out);
/* Rounded once where top and bottom are exact; not finite if it is too large or bottom is 0. */
nh_quad nh_fraction_quad(const nh_fraction *x);
bool nh_fraction_is_integer(const nh_fraction *x, int64_t *value);

#endif
