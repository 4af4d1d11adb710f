/* SPDX-License-Identifier: MIT */
/* Names whose values are known before a text is compiled, and expressions of them. */
#ifndef NH_EXPORT_FACTS_H
#define NH_EXPORT_FACTS_H

#include "export/ctoken.h"

typedef struct nh_fact {
    const char *name;
    int length;
    long value;
} nh_fact;

typedef struct nh_facts {
    nh_fact *item;
    int count;
    size_t capacity;
    bool failed;
} nh_facts;

/* The name must outlive the facts. The newest fact of a name holds. */
void nh_facts_add(nh_facts *f, const char *name, int length, long value);
const nh_fact *nh_facts_find(const nh_facts *f, const nh_ctoken *name);
void nh_facts_free(nh_facts *f);

typedef struct nh_value_of {
    bool known;
    long value;
} nh_value_of;

/* Of an integer expression, of which parts may be unknown: what is false stays false whatever else is asked for.
 * NH_TRAIT(X) stands for (NH_TRAITS & X) != 0. */
nh_value_of nh_facts_evaluate(const nh_ctokens *t, const nh_facts *facts, int from, int to);

#endif
