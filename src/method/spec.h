/* SPDX-License-Identifier: MIT */
/* Methods as users write them, read into a tree:
 *
 *     SPEC  = NAME [ '(' ITEM { ',' ITEM } ')' ]
 *     ITEM  = NAME '=' VALUE | SPEC
 *     NAME  = a letter, then letters, digits and -
 *     VALUE = "text", or what stands before the next , or )
 *
 * as in gauss(s=3), newmark(beta=1/4, constraint=point), compose(gauss(s=2), scheme=suzuki-4). */
#ifndef NH_METHOD_SPEC_H
#define NH_METHOD_SPEC_H

#include "base/arena.h"
#include "base/quad.h"
#include "base/source.h"
#include "base/text.h"

enum {
    NH_SPEC_LENGTH = 4096, /* most bytes of a spec */
    NH_SPEC_DEPTH = 16     /* most methods inside one another */
};

typedef struct nh_spec nh_spec;

typedef struct nh_spec_item {
    const char *key;  /* NULL: a method */
    const char *text; /* of the value, without quotation marks */
    nh_quad number;   /* 0 if it is none; what stands in quotation marks is none */
    bool is_number, is_integer;
    nh_spec *method;
    int column, value_column; /* of the key or method, of the value */
} nh_spec_item;

struct nh_spec {
    const nh_source *source; /* the whole text, for messages */
    const char *name;
    int column;
    nh_spec_item *item;
    int items;
};

/* Everything is in the arena. On failure *out is NULL. */
nh_status nh_spec_parse(const char *text, nh_arena *arena, nh_spec **out, nh_error *error);
/* The canonical spelling: items as they were given, a blank after each comma and no other. It reads back as the same.
 */
void nh_spec_write(const nh_spec *spec, nh_text *out);
/* Fails at a column of the text that the spec was read from. */
nh_status nh_spec_fail(const nh_spec *spec, int column, nh_error *error, nh_status status, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

#endif
