/* SPDX-License-Identifier: MIT */
/* Exact numbers of a model: rationals of 64-bit integers, or the decimal text itself where it does not fit.
 * Arithmetic is exact or refuses; rounding happens once, when a number becomes a double or a quad. */
#ifndef NH_BASE_NUMBER_H
#define NH_BASE_NUMBER_H

#include "base/quad.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct nh_number {
    int64_t num, den;    /* den > 0, lowest terms; den == 0: `decimal` holds the value, which fits no such rational */
    const char *decimal; /* unsigned decimal text owned by the caller's arena */
} nh_number;

nh_number nh_number_integer(int64_t value);
/* From an unsigned literal like 12, 0.5, 1.5e-3 of `length` characters. If it does not fit, the text is referenced, not
 * copied; what follows it there (a NUL, an operator, ...) must not read as its continuation. */
nh_number nh_number_parse(const char *text, size_t length);
bool nh_number_is_rational(nh_number x);
bool nh_number_is(nh_number x, int64_t value);
bool nh_number_is_integer(nh_number x, int64_t *value);
bool nh_number_equal(nh_number a, nh_number b);

/* Each returns false, and leaves `out`, where the exact result does not fit into +-(2^63 - 1), an operand is a decimal
 * text, or zero would divide. 0^0 is 1. */
bool nh_number_add(nh_number a, nh_number b, nh_number *out);
bool nh_number_mul(nh_number a, nh_number b, nh_number *out);
bool nh_number_div(nh_number a, nh_number b, nh_number *out);
bool nh_number_pow(nh_number a, int64_t exponent, nh_number *out);

double nh_number_double(nh_number x); /* correctly rounded */
nh_quad nh_number_quad(nh_number x);
void nh_number_print(nh_number x, nh_text *out); /* "3", "1/3", "0.1"; reads back as the same number */

#endif
