/* SPDX-License-Identifier: MIT */
/* How texts are trimmed: each goes through the steps below; of all items together those that are needed are marked. */
#ifndef NH_EXPORT_TRIM_PARTS_H
#define NH_EXPORT_TRIM_PARTS_H

#include "export/fold.h"
#include "export/trim.h"

typedef enum nh_trim_kind {
    NH_TRIM_HEADING,
    NH_TRIM_MACRO,
    NH_TRIM_FUNCTION,
    NH_TRIM_ENUM,
    NH_TRIM_OTHER
} nh_trim_kind;

/* Tokens from … to of the list, which are in the text or not as a whole; blanks and comments before it belong to it. */
typedef struct nh_trim_item {
    nh_trim_kind kind;
    int from, begin, to; /* begin: what it says begins here */
    int name;            /* token; -1 of an enumeration */
    bool is_static, needed;
} nh_trim_item;

struct nh_trim {
    nh_trim_setting setting;
    nh_ctokens tokens;
    nh_facts facts, sizes, aliases;
    nh_trim_item *items;
    int count;
    size_t capacity;
    bool failed;
};

/* A text begins at the token `from`. Decides #if, and drops the preprocessor's lines that the setting has no use for.
 */
void nh_trim_preprocess(nh_trim *trim, int from);
/* Names and numbers become those of the setting. */
void nh_trim_replace(nh_trim *trim, int from);
/* Appends the items of the text. `heading`: in place of its own, or NULL. */
void nh_trim_split(nh_trim *trim, const char *heading, int from);

/* Decides what is known in an item; declarations that nothing uses any more go with it. */
void nh_trim_fold(nh_trim *trim, const nh_trim_item *it);

#endif
