/* SPDX-License-Identifier: MIT */
/* What is known before a text is compiled decides some of its conditions: the branch that is never taken goes. */
#ifndef NH_EXPORT_FOLD_H
#define NH_EXPORT_FOLD_H

#include "export/facts.h"

/* Decides if, for (one that never runs) and ?: between two tokens, and drops calls of `nothing` (NULL: none) with the
 * ifs around them. */
void nh_fold(nh_ctokens *t, nh_facts *facts, const char *nothing, int from, int to);

#endif
