/* SPDX-License-Identifier: MIT */
/* Of the texts of kernels, what one model and one method need: conditions that are known are decided, names of the
 * setting are replaced, and functions, types, macros and enumerators that nothing leads to are left out. */
#ifndef NH_EXPORT_TRIM_H
#define NH_EXPORT_TRIM_H

#include "base/text.h"

typedef struct nh_replacement {
    const char *name, *by; /* by "": the name goes, and a comma behind it */
} nh_replacement;

enum { NH_REPLACEMENTS = 2 };

/* What a setting does to the texts. Its texts must outlive the trim. */
typedef struct nh_trim_setting {
    const nh_replacement *replace[NH_REPLACEMENTS]; /* lists, each ends with a NULL name */
    const char *call;                               /* NH_CALL(NH_F_X, …) becomes a call of this, and x */
    const char *nothing;                            /* a macro that stands for nothing */
    const char *pure;                               /* a function whose call may go when its value is not used */
    const char *prefix;                             /* of names that others see: what MODEL in a name stands for */
    const char *sizes; /* the macro that says what n, m, l, s, ml and constants are: facts in such functions only */
    bool in_float;     /* floating constants get an f */
} nh_trim_setting;

typedef struct nh_trim nh_trim;

nh_trim *nh_trim_new(const nh_trim_setting *setting); /* NULL: no memory */
void nh_trim_free(nh_trim *trim);
/* What is known everywhere (macros), or where the setting's `sizes` are. */
void nh_trim_know(nh_trim *trim, const char *name, long value);
void nh_trim_know_size(nh_trim *trim, const char *name, long value);
/* One more text; it must outlive the trim. Its first comment, or `heading` in place of it, goes in front of what is
 * left of it. */
void nh_trim_add(nh_trim *trim, const char *text, const char *heading);
/* All texts are there: marks what is needed by functions that are not static. */
void nh_trim_mark(nh_trim *trim);
/* The number of an enumerator among those that are left; -1: it is not. */
int nh_trim_enumerator(const nh_trim *trim, const char *name);
/* Numbers of the arrays that a step takes. */
int nh_trim_frame(nh_trim *trim);
/* False: there was no memory. */
bool nh_trim_write(const nh_trim *trim, nh_text *out);

#endif
