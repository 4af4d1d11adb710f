/* SPDX-License-Identifier: MIT */
/* Which parameters a value follows. */
#ifndef NH_MODEL_USES_H
#define NH_MODEL_USES_H

#include "model/model.h"

/* Sets uses [parameters] of those that the expression of graph `g` depends on, through defaults of others, too; of
 * nested sums over elements perhaps some beside these. False: out of memory. */
bool nh_model_uses(const nh_model *m, const nh_graph *g, nh_expr e, bool *uses);

#endif
