/* SPDX-License-Identifier: MIT */
/* What a method takes, as a table, and what a spec gives. */
#ifndef NH_METHOD_OPTION_H
#define NH_METHOD_OPTION_H

#include "method/spec.h"

typedef enum nh_option_type { NH_OPTION_INTEGER, NH_OPTION_REAL, NH_OPTION_WORD, NH_OPTION_TEXT } nh_option_type;

typedef struct nh_option {
    const char *name;
    nh_option_type type;
    double least, most;       /* of numbers; may be infinite */
    double initial;           /* the default (of a word: its number in the list; of a text: none); NAN: required */
    const char *const *words; /* of a word */
    int words_count;
    const char *about;
} nh_option;

typedef struct nh_option_value {
    nh_quad number;   /* of a real or an integer */
    long integer;     /* of an integer */
    int word;         /* of a word: its number in the list */
    const char *text; /* as it was given, in the arena of the spec; NULL: it was not */
    bool given;
} nh_option_value;

/* Fills values[count] from the spec, and with defaults; complains about what does not fit the table. Methods inside the
 * spec are for nh_spec_methods. */
nh_status nh_spec_read(const nh_spec *spec, const nh_option *options, int count, nh_option_value *values,
                       nh_error *error);
/* The methods inside the spec, in their order; complains if there are not just `count`. */
nh_status nh_spec_methods(const nh_spec *spec, int count, const nh_spec **methods, nh_error *error);

#endif
