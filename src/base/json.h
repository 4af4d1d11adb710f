/* SPDX-License-Identifier: MIT */
/* Writes JSON, value by value, indented. Keys are NULL inside of arrays and for the outermost value.
 *
 *     nh_json j = {.out = &text};
 *     nh_json_object(&j, NULL);
 *     nh_json_number(&j, "step", 0.1);
 *     nh_json_end(&j); */
#ifndef NH_BASE_JSON_H
#define NH_BASE_JSON_H

#include "base/quad.h"
#include "base/text.h"

#include <stdbool.h>

enum { NH_JSON_DEPTH = 16 };

typedef struct nh_json {
    nh_text *out;
    int depth, row_depth;       /* row_depth: where the array on one line began; 0 outside of one */
    bool filled[NH_JSON_DEPTH]; /* has something been written there? */
    char close[NH_JSON_DEPTH];
} nh_json;

void nh_json_object(nh_json *j, const char *key);
void nh_json_array(nh_json *j, const char *key);
void nh_json_row(nh_json *j, const char *key); /* an array on one line */
void nh_json_end(nh_json *j);                  /* of the innermost object or array */

void nh_json_text(nh_json *j, const char *key, const char *value); /* NULL is null */
void nh_json_number(nh_json *j, const char *key, double value);    /* reads back exactly; null if not finite */
void nh_json_integer(nh_json *j, const char *key, long long value);
void nh_json_bool(nh_json *j, const char *key, bool value);
void nh_json_null(nh_json *j, const char *key);
void nh_json_quad(nh_json *j, const char *key, nh_quad value); /* a string with all digits */

#endif
