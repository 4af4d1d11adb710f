/* SPDX-License-Identifier: MIT */
/* Golden values: JSON files in tests/golden whose numbers are strings with more digits than a double has. */
#ifndef NH_TESTS_GOLDEN_H
#define NH_TESTS_GOLDEN_H

#include "base/quad.h"

/* The text of a file; the caller frees it. NULL if it cannot be read. */
char *golden_text(const char *name);
/* Reads the `count` numbers in quotes that follow "key": into x; returns the place after them, or NULL if there are
 * none or too few. */
const char *golden_numbers(const char *at, const char *key, nh_quad *x, int count);

#endif
